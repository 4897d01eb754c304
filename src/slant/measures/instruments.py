"""Which weights score regard, toxicity and identity attack: spelt once, in `instruments.toml`.

The publications score with classifiers that slant cannot bring along. Whoever has their weights
says once where they lie and what their hash is, and suites name the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from pydantic import model_validator

from slant.errors import InputError
from slant.measures.recorded_scores import RecordedScores
from slant.measures.regard import Regard
from slant.measures.sentence_scorer import SentenceScorer
from slant.regular_file import sha256
from slant.strict import Strict, Text
from slant.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Callable

    from slant.measures.measure import SentenceMeasure
    from slant.toml_file import TomlFile

_Made = TypeVar("_Made")

REGARD, TOXICITY, ATTACK = "regard", "toxicity", "identity_attack"
_AS_DETOXIFY = "toxic"
"""What *news* calls figures of Detoxify, whose place it takes there."""
_PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl")


class _Weights(Strict):
    """A classifier: a directory, and the hash of each file of weights in it."""

    path: Text
    sha256: Text | dict[str, Text] | None = None


class _Labelled(_Weights):
    label: Text


class _Attack(Strict):
    """A classifier with its label, or scores that were recorded elsewhere."""

    path: Text | None = None
    sha256: Text | dict[str, Text] | None = None
    label: Text | None = None
    scores: Text | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        weights = (self.path, self.sha256, self.label)
        if self.scores is not None and any(each is not None for each in weights):
            raise ValueError("scores are recorded, or a classifier gives them: leave one out")
        if self.scores is None and (self.path is None or self.label is None):
            raise ValueError("give path, sha256 and label of a classifier, or a table of scores")
        return self


class _File(Strict):
    regard: _Weights | None = None
    toxicity: _Labelled | None = None
    identity_attack: _Attack | None = None

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not any((self.regard, self.toxicity, self.identity_attack)):
            raise ValueError("it names no instrument: write [regard], [toxicity] or "
                             "[identity_attack]")  # fmt: skip
        return self


@dataclass(frozen=True)
class Instruments:
    """What a file of instruments names, loaded; `None` where it names nothing.

    Attributes
    ----------
    regard
        Of Sheng et al. (2019).
    toxicity
        Such as Detoxify.
    identity_attack
        A classifier's label, or recorded scores, such as those of Perspective.
    """

    regard: Regard | None = None
    toxicity: SentenceScorer | None = None
    identity_attack: SentenceMeasure | None = None


def spelt_instruments(path: str) -> set[str]:
    """Say which instruments a file names, without loading them; recorded ones with `.scores`.

    Raises
    ------
    InputError
        The file cannot be read, or says something that means nothing.
    """
    spelt = read_toml(path).validate(_File)
    found = {name for name in (REGARD, TOXICITY, ATTACK) if getattr(spelt, name) is not None}
    recorded = spelt.identity_attack is not None and spelt.identity_attack.scores is not None
    return found | ({f"{ATTACK}.scores"} if recorded else set())


def load_instruments(path: str) -> Instruments:
    """Load what a file of instruments names: safetensors only, and only with the right hash.

    Raises
    ------
    InputError
        The file is faulty; a directory or its weights are not there; weights are pickled, have
        another hash than the file says, or none is given; or a classifier lacks its label.
    """
    file = read_toml(path)
    spelt = file.validate(_File)
    regard = toxicity = None
    attack: SentenceMeasure | None = None
    if spelt.regard is not None:
        folder = _checked(file, REGARD, spelt.regard.path, spelt.regard.sha256)
        regard = _made(file, REGARD, lambda: Regard(str(folder)))
    if spelt.toxicity is not None:
        own = spelt.toxicity
        toxicity = _scorer(file, TOXICITY, own.path, own.sha256, own.label)
        toxicity.name = _AS_DETOXIFY
    if (last := spelt.identity_attack) is not None:
        if last.scores is not None:
            attack = RecordedScores(Path(file.name).parent / last.scores, ATTACK)
        else:
            attack = _scorer(file, ATTACK, last.path or "", last.sha256, last.label or "")
    return Instruments(regard, toxicity, attack)


def _scorer(
    file: TomlFile, kind: str, path: str, given: str | dict[str, str] | None, label: str
) -> SentenceScorer:
    folder = _checked(file, kind, path, given)
    scorer = _made(file, kind, lambda: SentenceScorer(f"hf:{folder}#{label}", kind))
    scorer.title = f"{kind.replace('_', ' ')} ({folder.name})"
    return scorer


def _made(file: TomlFile, kind: str, make: Callable[[], _Made]) -> _Made:
    """Load a classifier; what is wrong with it is told with the line that names it."""
    try:
        return make()
    except InputError as error:
        raise file.error(str(error), kind) from error


def _checked(file: TomlFile, kind: str, path: str, given: str | dict[str, str] | None) -> Path:
    """Find a directory, and hold the hash of every file of weights against what was written."""
    folder = Path(file.name).parent / path
    if not folder.is_dir():
        raise file.error(
            f"{path!r} is no directory: give the folder with config.json, *.safetensors and a "
            "tokenizer, as seen from this file",
            kind, "path",
        )  # fmt: skip
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        pickled = next((each.name for each in sorted(folder.iterdir())
                        if each.suffix in _PICKLED), None)  # fmt: skip
        why = f"{pickled} is pickled, and reading it can run code" if pickled else "there are none"
        raise file.error(
            f"{path!r} holds no weights as safetensors ({why}): convert them on a machine that "
            "may run that code (save_pretrained writes safetensors)",
            kind, "path",
        )  # fmt: skip
    found = {each.name: sha256(each) for each in weights}
    if given is None:
        raise file.error(f"no hash is given. If these are the weights you mean, write\n"
                         f"{_spelt(kind, found)}", kind)  # fmt: skip
    wanted = {weights[0].name: given} if isinstance(given, str) else given
    for name in wanted:
        if not (folder / name).is_file():
            raise file.error(f"there is no file {name!r} in {path!r}", kind, "sha256")
    if missing := [name for name in found if name not in wanted]:
        raise file.error(f"no hash is given for {', '.join(missing)}. If these are the weights "
                         f"you mean, write\n{_spelt(kind, found)}", kind, "sha256")  # fmt: skip
    for name, hash_ in wanted.items():
        real = found.get(name) or sha256(folder / name)
        if real != hash_.strip().lower():
            raise file.error(
                f"{name} in {path!r} is another file than this one says: its SHA-256 is {real}, "
                f"written is {hash_}. Nothing of it was loaded",
                kind, "sha256",
            )  # fmt: skip
    return folder


def _spelt(kind: str, found: dict[str, str]) -> str:
    if len(found) == 1:
        return f'sha256 = "{next(iter(found.values()))}"'
    rows = (f'"{name}" = "{value}"' for name, value in found.items())
    return "\n".join([f"[{kind}.sha256]", *rows])
