"""Where two findings are not the same measurement: fields in which their signatures differ."""

from __future__ import annotations

from dataclasses import dataclass

_EXPECTED = {"seed", "model", "ci", "chance", "null", "effect", "fdr"}
"""What may differ between two measurements of the same thing: draws, model, how sure one is."""

_WORDS = {
    "slant": "slant's version",
    "study": "study",
    "method": "method",
    "measure": "what counts",
    "axis": "axis",
    "prompts": "prompts",
    "groups": "groups asked about",
    "samples": "answers a prompt",
    "max_tokens": "length of answers",
    "temperature": "temperature",
    "top_p": "top-p",
    "prompting": "raw text or chat",
    "names": "names",
    "descriptors": "descriptors",
    "templates": "templates",
    "corpus": "articles",
    "lexicon": "word lists of groups",
    "dtype": "precision of the model's numbers",
    "bos": "beginning of texts",
}
_NONE = "not given"


@dataclass(frozen=True, slots=True, order=True)
class Caveat:
    """A field of two signatures that differs.

    Attributes
    ----------
    field, words
        Its name in the signature, and in words.
    first, second
        What it holds on either side.
    """

    field: str
    words: str
    first: str
    second: str


def caveats(first: str, second: str) -> tuple[Caveat, ...]:
    """Compare two signatures, field by field.

    Seed, model and the way of computing intervals and chance are left out: they do not change
    what is measured.
    """
    one, two = _fields(first), _fields(second)
    return tuple(
        Caveat(name, _WORDS.get(name, name.replace("_", " ")), one.get(name, _NONE),
               two.get(name, _NONE))
        for name in dict.fromkeys([*one, *two])
        if name not in _EXPECTED and one.get(name) != two.get(name)
    )  # fmt: skip


def _fields(signature: str) -> dict[str, str]:
    """Read `name:value|name:value`; a part without a name goes on with the value before it.

    Scorers may stand by themselves as `name@version`.
    """
    fields: dict[str, str] = {}
    name = ""
    for part in signature.split("|"):
        key, colon, value = part.partition(":")
        if colon and key.isidentifier():
            name = key
            fields[name] = value
        elif "@" in part:
            fields[part.partition("@")[0]] = part.partition("@")[2]
        elif name:
            fields[name] += "|" + part
    return fields
