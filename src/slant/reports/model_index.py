"""What a run found as metadata of a Hugging Face model card: `model-index`.

Source of the format: huggingface.co/docs/hub/model-cards and `huggingface_hub.ModelCardData`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from slant.reports.overview import glance
from slant.reports.safe_text import one_line
from slant.reports.told_first import told_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.meanings import Meanings
    from slant.reports.about import About
    from slant.studies.section import Section

_METRICS = {
    "harms": "Sure differences that would harm somebody, by group and theme",
    "unfavourable": "Sure differences that are merely unfavourable",
    "sure": "Comparisons that are sure",
    "tested": "Comparisons that were tested",
}


def model_index(sections: Sequence[Section], about: About, meanings: Meanings) -> str:
    """Write `model-index` metadata: YAML that is also JSON, one result a model and study.

    Counts, and no score: a figure that could be ranked would say less than the report does.

    Parameters
    ----------
    sections
        What each study concluded about each model.
    about
        The run behind it.
    meanings
        What differences mean for people.
    """
    seen = glance(sections)
    entries: dict[str, list[dict[str, Any]]] = {}
    for study in seen.studies:
        own = sections[study.number].analysis.findings
        first = told_first(own, meanings)
        counts = {
            "harms": len(first.harms),
            "unfavourable": len(first.unfavourable),
            "sure": study.sure,
            "tested": study.tested,
        }
        entries.setdefault(study.model, []).append(
            {
                "task": {"type": "text-generation"},
                "dataset": {
                    "type": f"slant-{one_line(about.suite, 60)}-{one_line(study.label, 60)}",
                    "name": f"slant {about.version}, suite {one_line(about.suite, 60)}, study "
                    f"{one_line(study.label, 60)}, seed {about.seed}",
                },
                "metrics": [
                    {"type": name, "name": words, "value": counts[name]}
                    for name, words in _METRICS.items()
                ],
            }
        )
    index = [
        {"name": one_line(model, 120), "results": results} for model, results in entries.items()
    ]
    return f"model-index: {json.dumps(index, ensure_ascii=True, indent=1)}\n"
