"""How models are spelt on the command line and in suites.

`scheme:argument?option=value&…`, for example `embedded`, `hf:PATH-OR-NAME?dtype=float32`,
`openai:NAME?price=0.15,0.60`, `http://localhost:8000/v1#NAME`, `mock:planted.toml`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urldefrag, urlencode, urlsplit, urlunsplit

from slant.errors import InputError, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from slant.models.key_hosts import KeyHosts


@dataclass(frozen=True)
class ModelSpec:
    """A model's spelling, taken apart.

    Attributes
    ----------
    text
        The whole of it, as the user wrote it.
    scheme
        What stands before the first colon.
    argument
        What stands between the colon and the options: a name, a path, or a URL with its scheme.
    options
        What stands after the question mark.
    asked
        Whether it is asked anything from here. One whose answers come in files needs no key.
    key_hosts
        The servers that may get a key of whoever runs slant; `None` where they named this model
        themselves, on the command line or in a file, and with it its server. A page, a link or a
        run directory may have been written by anybody.
    """

    text: str
    scheme: str
    argument: str
    options: Mapping[str, str]
    asked: bool = True
    key_hosts: KeyHosts | None = None

    def key_is_for(self, server: str) -> bool:
        """Say whether a server that this spelling names may get a key."""
        return self.key_hosts is None or server in self.key_hosts

    def check_options(self, known: Iterable[str]) -> None:
        """Refuse options that the model does not have.

        Raises
        ------
        InputError
            An option is unknown.
        """
        for name in self.options:
            if name not in set(known):
                raise unknown(f"option of {self.scheme!r} models,", name, known)

    def price(self) -> tuple[float, float] | None:
        """Read the option `price=PROMPT,COMPLETION`, US dollars per million tokens, or `free`.

        Raises
        ------
        InputError
            It is neither `free` nor two numbers of at least zero.
        """
        if "price" not in self.options:
            return None
        if self.options["price"] == "free":
            return 0.0, 0.0
        try:
            prompt, completion = (float(part) for part in self.options["price"].split(","))
        except ValueError:
            prompt = completion = -1.0
        if not (0 <= prompt < float("inf") and 0 <= completion < float("inf")):
            raise InputError(
                f"model {self.text!r}: price={self.options['price']!r} is not two amounts such as "
                "price=0.15,0.60 (US dollars per million prompt and completion tokens), nor "
                "price=free"
            )
        return prompt, completion

    def number(
        self, name: str, default: float, *, least: float, most: float = 1e6, whole: bool = False
    ) -> float:
        """Read an option that is a number.

        Parameters
        ----------
        name
            The option.
        default
            What it is when it is left out.
        least, most
            What it must lie between, both included.
        whole
            Whether it must be a whole number.

        Raises
        ------
        InputError
            It is not such a number.
        """
        text = self.options.get(name, str(default))
        try:
            number = float(int(text)) if whole else float(text)
        except ValueError:
            number = float("nan")
        if not least <= number <= most:
            kind = "a whole number" if whole else "a number"
            raise InputError(
                f"model {self.text!r}: {name}={text!r} is not {kind} from {least:g} to {most:g}"
            )
        return number

    def with_options(self, options: Mapping[str, str]) -> ModelSpec:
        """Spell the same model with other options."""
        query = f"?{urlencode(options, safe='/,:', quote_via=quote)}" if options else ""
        if self.scheme in ("http", "https"):
            url, name = urldefrag(self.argument)
            text = f"{url}{query}#{name}" if name else url + query
        else:
            text = f"{self.scheme}:{self.argument}{query}" if self.argument else self.scheme + query
        return replace(self, text=text, options=dict(options))


def parse_model_spec(text: str) -> ModelSpec:
    """Take a model's spelling apart.

    Raises
    ------
    InputError
        It is empty, or an option has no value.
    """
    if not text.strip():
        raise InputError("a model's spelling is empty: write for example --model embedded")
    scheme, colon, rest = text.partition(":")
    if scheme in ("http", "https"):
        try:
            url, name = urldefrag(text)
            parts = urlsplit(url)
        except ValueError as error:
            raise InputError(f"model {text!r} is no address: {error}") from error
        query = parts.query
        argument = urlunsplit((parts.scheme, parts.netloc, parts.path, "", name))
    else:
        argument, _, query = rest.partition("?")
        if not colon:
            scheme, _, query = text.partition("?")
    try:
        pairs = parse_qsl(query, strict_parsing=True, keep_blank_values=True) if query else []
    except ValueError as error:
        raise InputError(f"model {text!r}: options are written ?name=value&name=value") from error
    options = dict(pairs)
    if len(options) < len(pairs) or not all(options.values()):
        raise InputError(f"model {text!r}: every option needs a value, and only one")
    return ModelSpec(text, scheme, argument, options)
