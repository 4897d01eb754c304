"""The mock model of a study and a world, as a file of rules (docs/mock-models.md)."""

from __future__ import annotations

import json
import math
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from slant.calibration.subjects import SUBJECTS
from slant.models.open import open_models

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from slant.calibration.subjects import Subject
    from slant.calibration.worlds import World
    from slant.models.mock import Mock
    from slant.studies.study import Method

_UNEVEN, _MISSING, _REFUSED = 3.0, 0.5, 0.05
_REFUSAL = "I'm sorry, but I can't help with that."
_VARIED = (
    " That was on {Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday} at"
    " {one|two|three|four|five|six|seven|eight|nine|ten|eleven|noon}, said"
    " {Ann|Bo|Cy|Di|Ed|Flo|Gus|Hal|Ida|Jo|Kit|Lou|Max|Ned|Ola|Pam|Quin|Ray|Sue|Tom|Una|Vic}."
)
THOUGHT = "<think>They ask for an ending. Not about anybody in particular.</think>"
PREAMBLE = "Sure! Here is a possible continuation:\n\n"


def mock_rules(
    study: str, world: World, subject: Subject | None = None, method: Method = "robust"
) -> str:
    """Write the rules of a mock model.

    Rates are planted exactly: the mean over all quirks is what is said, since the log odds that
    they vary around are chosen for that.

    Parameters
    ----------
    study
        Its name.
    world
        What is planted, and what else varies.
    subject
        About whom; `None` for the study's own.
    method
        As published, groups have one wording each: what wordings differ by, groups do then.
    """
    subject = subject or SUBJECTS[study]
    if method == "paper":
        subject = replace(subject, quirks=_unworded(subject.quirks))
    can = ["raw", "chat", "choose", "likelihood"]
    if world.broken in {"thinks", "preambles"}:
        can = ["chat"] if subject.marked else ["chat", "choose", "likelihood"]
    head = f'name = "{study} {world.name}"\nabilities = {json.dumps(can)}\n'
    if world.broken in {"yes", "refuses", "random"}:
        return head + _broken(world.broken)
    parts = [head]
    for matcher, effect, spread, missing in _cases(subject, world):
        parts += _generate(subject, world, matcher, effect, spread, missing)
        parts.append(_choose(subject, world, matcher, effect, spread))
        parts += _likelihood(subject, world, matcher, effect, spread)
    return "".join(parts)


def open_mock(rules: str) -> Mock:
    """Open a mock model by its rules."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "calibration.toml"
        file.write_text(rules, encoding="utf-8")
        (mock,) = open_models([f"mock:{file}"]).values()
    return mock  # type: ignore[return-value]


def _cases(subject: Subject, world: World) -> Iterator[tuple[str, float, float, float]]:
    """Give matchers with what is planted, how much that group varies, and how much is missing."""
    if world.effect:
        yield subject.planted, world.effect, 1.0, 0.0
    if world.uneven:
        yield subject.uneven, 0.0, _UNEVEN, _MISSING
    yield "", 0.0, 1.0, 0.0


def _generate(
    subject: Subject, world: World, matcher: str, effect: float, spread: float, missing: float
) -> Iterator[str]:
    noise = _varied(subject, subject.quirks, world, spread)
    rate = _centre(min(subject.base + effect, 0.97), _total(noise))
    for end, marked in subject.marked.items():
        texts = [_spoken(marked, world), _spoken(subject.plain[end], world)]
        refused = _REFUSED if world.quirks else 0.0
        left = 1 - missing - refused
        shares = [rate * left, (1 - rate) * left]
        answers = [
            f"{{ texts = {json.dumps(said)}, weight = {share!r} }}"
            for said, share in zip(texts, shares, strict=True)
        ]
        if refused:
            said = json.dumps(_REFUSAL)
            answers.append(f'{{ outcome = "refused", text = {said}, weight = {refused} }}')
        if missing:
            answers.append(f'{{ outcome = "error", reason = "out of memory", weight = {missing} }}')
        lines = ["[[generate]]", matcher, f"prompt = '{end}'" if end else ""]
        lines += [f"slot_noise = {_table(noise)}" if noise else ""]
        lines += ["distinct = 1" if world.copies else "", f"answers = [{', '.join(answers)}]"]
        yield _rule(lines)


def _spoken(texts: Sequence[str], world: World) -> list[str]:
    """Say a text as this model says it."""
    before = {"thinks": THOUGHT, "preambles": PREAMBLE}.get(world.broken, "")
    # Texts that come again only where a question does are told apart from copies.
    after = _VARIED if world.copies and any(text.endswith(".") for text in texts) else ""
    return [before + (text.lstrip() if before else text) + after for text in texts]


def _choose(subject: Subject, world: World, matcher: str, effect: float, spread: float) -> str:
    noise = _varied(subject, subject.quirks, world, spread)
    own = 0.3 if world.quirks else 0.0
    # Each option has noise of its own: log odds vary √2 times as much.
    yes = _centre(min(subject.base + effect, 0.97), math.sqrt(2) * math.hypot(_total(noise), own))
    lines = ["[[choose]]", matcher, f"probabilities = {{ Yes = {yes!r}, No = {1 - yes!r} }}"]
    if world.quirks:
        lines += [f"noise = {own}", f"slot_noise = {_table(noise)}"]
    lines.append("text_only = true" if world.copies else "")
    return _rule(lines)


def _likelihood(
    subject: Subject, world: World, matcher: str, effect: float, spread: float
) -> Iterator[str]:
    noise = _varied(subject, subject.likely, world, 1.0 if subject.in_shares else spread)
    lines = ["[[likelihood]]", matcher, f"noise = {0.0 if world.copies else 0.02}"]
    lines.append(f"slot_noise = {_table(noise)}" if noise else "")
    if effect and subject.likely_planted:
        yield _rule([*lines, f"prompt = '{subject.likely_planted}'", f"shift = {effect}"])
    yield _rule(lines)


def _broken(how: str) -> str:
    if how == "random":
        words = ["blue", "seven", "maybe", "river", "soon", "kill", "peace", "no", "yes", "bread"]
        said = "{" + "|".join(words) + "}"
        texts = [f" {' '.join([said] * count)}." for count in (1, 3, 6)]
        return (
            _rule(["[[generate]]", f"answers = [{{ texts = {json.dumps(texts)} }}]"])
            + _rule(["[[choose]]", "probabilities = { Yes = 0.5, No = 0.5 }", "noise = 2.0"])
            + _rule(["[[likelihood]]", "noise = 0.5"])
        )
    text, yes = ("Yes", 0.999) if how == "yes" else (_REFUSAL, 0.5)
    answered = [f'[[choose]]\nanswers = [{{ text = "{text}" }}]\n']
    if how == "yes":
        answered = [f"[[choose]]\nprobabilities = {{ Yes = {yes}, No = {1 - yes:.3f} }}\n"]
    return "".join(
        [_rule(["[[generate]]", f"answers = [{{ text = {json.dumps(text)} }}]"]), *answered,
         _rule(["[[likelihood]]"])]
    )  # fmt: skip


def _varied(
    subject: Subject, deviations: Mapping[str, float], world: World, spread: float
) -> dict[str, float]:
    """Scale the quirks to the world, and those of a group that varies more once more."""
    if not world.quirks:
        return {}
    return {
        slots: round(
            each * world.quirks * (1 if subject.own.isdisjoint(slots.split()) else spread), 6
        )
        for slots, each in deviations.items()
    }


def _unworded(deviations: Mapping[str, float]) -> dict[str, float]:
    """Give the quirks of questions that name each group by one word, behind nothing."""
    squares: dict[str, float] = {}
    for slots, each in deviations.items():
        renamed = ["group" if slot == "wording" else slot for slot in slots.split()]
        left = " ".join(slot for slot in dict.fromkeys(renamed) if slot not in {"kind", "prefix"})
        if left:
            squares[left] = squares.get(left, 0.0) + each**2
    return {slots: math.sqrt(square) for slots, square in squares.items()}


def _total(noise: Mapping[str, float]) -> float:
    return math.sqrt(sum(each**2 for each in noise.values()))


def _centre(rate: float, deviation: float) -> float:
    """Give the rate whose log odds vary so that the mean of all rates is the one wanted."""
    if not deviation:
        return rate
    import numpy as np
    from scipy.optimize import brentq
    from scipy.special import expit, logit

    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    share = weights / weights.sum()

    def excess(centre: float) -> float:
        return float(share @ expit(centre + deviation * nodes)) - rate

    found = brentq(excess, logit(rate) - 40, logit(rate) + 40)
    return round(float(expit(found)), 9)


def _table(numbers: Mapping[str, float]) -> str:
    return "{ " + ", ".join(f'"{name}" = {value}' for name, value in numbers.items()) + " }"


def _rule(lines: Sequence[str]) -> str:
    return "\n".join(line for line in lines if line) + "\n\n"
