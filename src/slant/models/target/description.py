"""What a target's TOML file says: address, headers, body, where the answer lies."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from slant.models.remote.secret import Secret
from slant.models.target.json_path import parse_path
from slant.toml_file import read_toml

if TYPE_CHECKING:
    from slant.records import Message
    from slant.toml_file import TomlFile

PROMPT, MESSAGES = "{{prompt}}", "{{messages}}"

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


class _TargetFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: str
    answer: str
    body: dict[str, Any]
    name: str = ""
    method: Literal["POST", "PUT", "PATCH"] = "POST"
    headers: dict[str, str] = Field(default_factory=dict)
    refusal: str = ""
    error: str = ""
    concurrency: int = Field(default=4, ge=1, le=1000)
    timeout: float = Field(default=120, gt=0, le=86_400, allow_inf_nan=False)
    retries: int = Field(default=2, ge=0, le=20)


@dataclass(frozen=True)
class Description:
    """A target, with what the environment adds.

    Attributes
    ----------
    file, sha256
        Where it is described, and the hash of that.
    name, url, method
        What it is called, where it is, how it is asked.
    headers
        With the values of the environment; shown to nobody but the server.
    secrets
        Those values.
    answer, refusal, error
        Where in a reply they lie; the latter two empty where the file does not say.
    concurrency, timeout, retries
        How many questions are under way at once, how many seconds a reply may take, and how often
        a question that failed is asked again.
    """

    file: str
    sha256: str
    name: str
    url: str
    method: str
    headers: dict[str, str] = field(repr=False)
    secrets: tuple[Secret, ...] = field(repr=False)
    template: dict[str, Any]
    answer: tuple[str | int, ...]
    refusal: tuple[str | int, ...]
    error: tuple[str | int, ...]
    concurrency: int
    timeout: float
    retries: int

    def body(self, turns: tuple[Message, ...]) -> dict[str, Any]:
        """Fill the template with a conversation.

        Raises
        ------
        ValueError
            It has several turns, and the template a place for one prompt only.
        """
        plain = [{"role": turn.role, "content": turn.content} for turn in turns]
        if not self.takes_messages and len(turns) != 1:
            raise ValueError(
                f"the target takes one prompt, and this is a conversation of {len(turns)} turns: "
                f"its body has no {MESSAGES}"
            )
        filled: dict[str, Any] = _filled(self.template, plain)
        return filled

    @property
    def takes_messages(self) -> bool:
        """Whether it is sent whole conversations."""
        return any(MESSAGES in text for text in _texts(self.template))


def read_description(path: str) -> Description:
    """Read a target's file, and from the environment what its headers name.

    Raises
    ------
    InputError
        It is malformed, or the environment lacks a variable; with the line.
    """
    file = read_toml(path)
    told = file.validate(_TargetFile)
    _check_url(file, told.url)
    texts = list(_texts(told.body))
    if not any(PROMPT in text or MESSAGES in text for text in texts):
        raise file.error(
            f'the body has no place for the question: write "{MESSAGES}" or "{PROMPT}"', "body"
        )
    if any(MESSAGES in text and text != MESSAGES for text in texts):
        raise file.error(
            f'"{MESSAGES}" becomes a list of messages and must stand alone: for a text with the '
            f"question in it, write {PROMPT}",
            "body",
        )
    headers, secrets = _headers(file, told.headers)
    return Description(
        file=path,
        sha256=hashlib.sha256(file.text.encode()).hexdigest(),
        name=told.name or Path(path).stem,
        url=told.url,
        method=told.method,
        headers=headers,
        secrets=secrets,
        template=told.body,
        answer=_path(file, "answer", told.answer),
        refusal=_path(file, "refusal", told.refusal) if told.refusal else (),
        error=_path(file, "error", told.error) if told.error else (),
        concurrency=told.concurrency,
        timeout=told.timeout,
        retries=told.retries,
    )


def _check_url(file: TomlFile, url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise file.error("this is no address: write http:// or https://, a host and a path", "url")
    if "@" in parts.netloc or "${" in url:
        raise file.error(
            "keys, user names and passwords do not belong into an address, which is written into "
            'messages: put them into a header, as in Authorization = "Bearer ${MY_KEY}"',
            "url",
        )


def _path(file: TomlFile, key: str, text: str) -> tuple[str | int, ...]:
    try:
        return parse_path(text)
    except ValueError as error:
        raise file.error(f"{key}: {error}", key) from error


def _headers(file: TomlFile, written: dict[str, str]) -> tuple[dict[str, str], tuple[Secret, ...]]:
    headers, values = {}, dict[str, str]()
    for name, text in written.items():
        if not _HEADER.fullmatch(name):
            raise file.error(f"{name!r} is no name of a header", "headers", name)
        for variable in _VARIABLE.findall(text):
            value = os.environ.get(variable, "").strip()
            if not value:
                raise file.error(
                    f"headers.{name} needs the environment variable {variable}, which is not set: "
                    "set it to the key",
                    "headers", name,
                )  # fmt: skip
            values[variable] = value
        filled = _VARIABLE.sub(lambda found: values[found[1]], text)
        if not (filled.isascii() and filled.isprintable()):
            raise file.error(
                f"headers.{name} holds characters that cannot be part of a header"
                + (": look at the environment variables it names" if "${" in text else ""),
                "headers", name,
            )  # fmt: skip
        headers[name] = filled
    # The longest first: a shorter one may be part of it.
    secrets = sorted(set(values.values()), key=len, reverse=True)
    return headers, tuple(map(Secret, secrets))


def _texts(template: Any) -> list[str]:
    if isinstance(template, dict):
        return [text for value in template.values() for text in _texts(value)]
    if isinstance(template, list):
        return [text for value in template for text in _texts(value)]
    return [template] if isinstance(template, str) else []


def _filled(template: Any, messages: list[dict[str, str]]) -> Any:
    if isinstance(template, dict):
        return {key: _filled(value, messages) for key, value in template.items()}
    if isinstance(template, list):
        return [_filled(value, messages) for value in template]
    if template == MESSAGES:
        return messages
    if isinstance(template, str):
        return template.replace(PROMPT, messages[-1]["content"])
    return template
