"""What the judges among a suite's measures would be asked: two questions about every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.models.model_spec import parse_model_spec
from slant.models.open import open_model
from slant.planning.prepared import supposed
from slant.planning.walk import Round, Walked
from slant.planning.weigh import weigh
from slant.registry import allow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.models.model import Model
    from slant.planning.planned import StudyPlan
    from slant.planning.weigh import Weight
    from slant.studies.study import Study

_CHARACTERS_PER_TOKEN = 4


def judge_weights(
    studies: Sequence[tuple[Study, StudyPlan]],
) -> Iterator[tuple[str, Model, int, Weight]]:
    """Weigh what each judge is asked, if every answer is as long as it is planned to be at most.

    Answers that are the same are judged once, so that there may be fewer questions.

    Parameters
    ----------
    studies
        With what each is planned to ask.

    Yields
    ------
    tuple
        What the plan calls it, the judge's model, the number of questions, and their weight.
    """
    for study, planned in studies:
        for judge in study.judges:
            spelling = supposed(judge.rubric.model, [])
            parsed = parse_model_spec(spelling)
            allow([f"{parsed.scheme}:{parsed.argument}"])
            model = open_model(spelling, asked=False)
            longest = planned.completion_tokens * _CHARACTERS_PER_TOKEN
            text = "word " * (longest // max(planned.questions, 1) // 5)
            asked = judge.questions(text, model.abilities)
            questions = 2 * planned.questions
            walked = Walked((Round(questions, asked),), exact=False)
            name = f"{study.label}, judged by {judge.name}"
            yield name, model, questions, weigh(walked, model)
