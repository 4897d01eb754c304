from __future__ import annotations

import re
from pathlib import Path

import pytest

from slant.groups import axis_names, load_axis

PAGE = Path(__file__).parents[2] / "docs" / "groups-and-lexicons.md"
BLOCKS = re.findall(r"^```(toml|python)\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.M)
FILES = {
    name[1]: text
    for kind, text in BLOCKS
    if kind == "toml" and (name := re.match(r"# (\S+\.toml)\n", text))
}
PROGRAMS = [text for kind, text in BLOCKS if kind == "python"]


def test_every_file_in_the_page_is_named() -> None:
    assert len(FILES) == sum(kind == "toml" for kind, _ in BLOCKS) > 0


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_examples_in_the_page_work(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, str(PAGE), "exec"), {})  # noqa: S102


@pytest.mark.parametrize("axis", axis_names())
def test_the_page_counts_the_groups_of_every_set(axis: str) -> None:
    [row] = re.findall(rf"^\| `{axis}` \| (.*) \|$", PAGE.read_text("utf-8"), re.M)
    counts = {name: int(count) for name, count in re.findall(r"`([\w-]+)` \((\d+)\)", row)}
    loaded = load_axis(axis)
    assert next(iter(counts)) == loaded.default_set
    assert set(counts) - {"all"} == set(loaded.sets)
    assert counts == {name: len(loaded.select(set_name=name)) for name in counts}
