"""What an audit would ask, cost and see."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from slant.engine.prices import how_to_price
from slant.errors import InputError
from slant.planning.judges import judge_weights
from slant.planning.planned import Planned, StudyPlan
from slant.planning.power import powers
from slant.planning.probe import probe
from slant.planning.stopping import stopping
from slant.planning.walk import walk
from slant.planning.weigh import weigh
from slant.studies.sequential_study import SequentialStudy
from slant.studies.study import Circumstances

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from slant.engine.suite import PlannedStudy, Suite
    from slant.gating.allowance import Allowance
    from slant.models.model import Model
    from slant.planning.earlier import Earlier
    from slant.planning.planned import Power
    from slant.planning.probe import Probed
    from slant.planning.walk import Walked
    from slant.planning.weigh import Weight
    from slant.studies.study import Method, Study

    _Powers: TypeAlias = tuple[tuple[Power, ...], str]


def plan(
    suite: Suite,
    models: Mapping[str, Model],
    *,
    method: Method = "robust",
    seed: int = 0,
    limit: int | None = None,
    earlier: Mapping[str, Mapping[str, Earlier]] | None = None,
    probed: bool = False,
    wished: Allowance | None = None,
    simulate: int = 0,
    told: Callable[[str, int, int], None] = lambda *_: None,
) -> Planned:
    """Plan an audit; ask nothing, unless told to probe.

    Parameters
    ----------
    suite, models, method, seed, limit
        As of the audit.
    earlier
        What an earlier run tells, by model and study.
    probed
        Whether to ask a few questions of each study, to see how long they take.
    wished
        The difference that one wants to see.
    simulate
        How many audits of each study are simulated to say what it could see: none, or 2 at least.
    told
        Is called with a study, the audits simulated, and all.

    Raises
    ------
    InputError
        No model can run any study, or a single audit is to be simulated.
    """
    if simulate == 1:
        raise InputError("one simulated audit tells nothing: 200 do (2 at least)")

    def power(
        planned: PlannedStudy, study: Study, asked: StudyPlan, known: Earlier | None
    ) -> _Powers:
        return powers(planned, study, asked, limit, known, wished, simulate, told)

    plans: list[StudyPlan] = []
    for model in models.values():
        known = (earlier or {}).get(model.name, {})
        plans += _of_model(suite, model, known, method, seed, limit, probed, wished, power)
    if all(each.cannot for each in plans):
        raise InputError(
            f"no model can run any study of suite {suite.name!r}: "
            + "; ".join(dict.fromkeys(each.cannot for each in plans))
        )
    return Planned(suite.name, tuple(plans), tuple(_remarks(plans, models)))


def _of_model(
    suite: Suite,
    model: Model,
    known: Mapping[str, Earlier],
    method: Method,
    seed: int,
    limit: int | None,
    probed: bool,
    wished: Allowance | None,
    power: Callable[[PlannedStudy, Study, StudyPlan, Earlier | None], _Powers],
) -> list[StudyPlan]:
    around = Circumstances(model.name, model.abilities, method, seed, restriction=model.restriction)
    found: list[StudyPlan] = []
    able: dict[str, tuple[PlannedStudy, Study]] = {}
    for planned in suite.studies:
        try:
            able[planned.label] = planned, planned.for_model(around)
        except InputError as error:
            found.append(StudyPlan(model.name, planned.label, str(error)))
    walks = {label: _walked(study, limit) for label, (_, study) in able.items()}
    probes = probe(model, walks, seed) if probed and able else {}
    for label, (planned, study) in able.items():
        told = known.get(label)
        weighed = _weighed(model, label, walks[label], told, probes.get(label))
        if isinstance(study, SequentialStudy) and study.settings.until:
            found.append(_stopping(study, weighed, wished))
            continue
        seen, why = power(planned, study, weighed, told)
        found.append(replace(weighed, power=seen, power_unknown=why))
    order = [planned.label for planned in suite.studies]
    found.sort(key=lambda each: order.index(each.study))
    asked = [(able[each.study][1], each) for each in found if not each.cannot]
    return [*found, *(_judged(*each) for each in judge_weights(asked))]


def _judged(name: str, model: Model, questions: int, weight: Weight) -> StudyPlan:
    """Say what a judge is asked about a study's answers."""
    price = model.price
    dollars = (
        None if price is None else (weight.prompt * price[0] + weight.completion * price[1]) / 1e6
    )
    return StudyPlan(
        model.name, name, questions=questions, exact=False, prompt_tokens=weight.prompt,
        counted=weight.counted, completion_tokens=weight.completion, dollars=dollars,
        power_unknown="a judge measures what people's rulings on its verdicts leave of it",
    )  # fmt: skip


def _stopping(study: SequentialStudy, weighed: StudyPlan, wished: Allowance | None) -> StudyPlan:
    """Say when a study stops that asks until enough is known."""
    points = wished.amount if wished is not None and wished.scale == "share" else None
    drawn = min(study.settings.samples * study.cycle, weighed.questions)
    return replace(
        weighed, until=study.settings.until, stopping=stopping(study, drawn, points),
        power_unknown="it asks until that is known",
    )  # fmt: skip


def _walked(study: Study, limit: int | None) -> Walked:
    """Count a study's questions.

    Raises
    ------
    InputError
        It would have to ask another model for them.
    """
    captioner = getattr(study.settings, "captioner", None)
    if captioner is not None:
        raise InputError(
            f"study {study.label!r} has {captioner!r} describe its pictures before its questions "
            "are known, and a plan asks nothing: leave captioner out, or give captions"
        )
    return walk(study, limit)


def _weighed(
    model: Model, label: str, walked: Walked, told: Earlier | None, probed: Probed | None
) -> StudyPlan:
    """Say how many questions and tokens there are, what they cost, and how long they take."""
    weight, questions, exact = weigh(walked, model), walked.questions, walked.exact
    if not exact and told is not None:
        questions = told.questions
    scale = questions / max(walked.questions, 1)
    prompt, completion, at_most = weight.prompt * scale, weight.completion * scale, True
    counted, seconds = weight.counted, None
    if told is not None:
        if told.prompt_tokens is not None:
            prompt, counted = told.prompt_tokens * questions, True
        if told.completion_tokens is not None:
            completion, at_most = told.completion_tokens * questions, False
        if told.seconds is not None:
            seconds = told.seconds * questions / max(told.questions, 1)
    if probed is not None and not probed.failed:
        seconds = probed.seconds * questions
        if probed.completion_tokens is not None:
            completion, at_most = probed.completion_tokens * questions, False
    price = model.price
    dollars = None if price is None else (prompt * price[0] + completion * price[1]) / 1e6
    return StudyPlan(
        model.name, label, questions=questions, exact=exact, prompt_tokens=round(prompt),
        counted=counted, completion_tokens=round(completion), at_most=at_most, dollars=dollars,
        seconds=seconds,
    )  # fmt: skip


def _remarks(plans: Sequence[StudyPlan], models: Mapping[str, Model]) -> list[str]:
    able = [each for each in plans if not each.cannot]
    told = []
    if not all(each.exact for each in able):
        told.append(
            "“about”: later questions hang on the answers to earlier ones, so that there may be "
            "more or fewer; --from RUN takes the number of an earlier run"
        )
    if not all(each.counted for each in able):
        told.append("tokens are estimated at four characters each where no tokenizer is at hand")
    unpriced = [name for name, model in models.items() if model.price is None]
    if unpriced:
        told.append(f"no price is known of {', '.join(unpriced)}: {how_to_price()}")
    if any(each.seconds is None for each in able):
        told.append("time is not known: --from RUN or --probe tells")
    return told
