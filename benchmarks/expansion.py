"""How many examples a second templates give, and how much memory a million of them take."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from slant.templates import load_templates
from slant.templates.expansion import expand

AT_MOST = {"peak_mb": 5.0}
AT_LEAST = {"examples_per_s": 200_000.0}

_FILE = """
name = "many"
[domains]
who = {{ fillers = [{who}] }}
what = {{ fillers = [{what}] }}
[[template]]
id = "a"
text = "{{x.plural}} are more {{z}} than {{y.plural}}."
slots = {{ x = "who", y = "who", z = "what" }}
where = "neq(x.class, y.class)"
about = "x"
label = "No"
"""


def run() -> dict[str, Any]:
    """Measure.

    Returns
    -------
    dict
        `examples`; `examples_per_s`, by the clock, text written and constraint tested; `peak_mb`
        of Python's memory while a fifth of them are made one after another.
    """
    who = ", ".join(
        f'{{ name = "p{i}", class = "c{i % 50}", plural = "people {i}" }}' for i in range(100)
    )
    what = ", ".join(f'{{ name = "t{i}" }}' for i in range(102))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "many.toml"
        file.write_text(_FILE.format(who=who, what=what))
        (template,) = load_templates(file).templates
    began = time.perf_counter()
    count = sum(1 for _ in expand(template))
    spent = time.perf_counter() - began
    tracemalloc.start()
    for number, _ in enumerate(expand(template)):
        if number > count // 5:
            break
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "examples": count,
        "examples_per_s": round(count / spent),
        "peak_mb": round(peak / 1e6, 2),
    }
