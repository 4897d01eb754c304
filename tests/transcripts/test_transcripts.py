"""Transcripts: what is selected, found and read is what a plain look at the tables gives."""

from __future__ import annotations

import json
import sqlite3
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patience import until
from running import question
from slant.engine.journal import Journal
from slant.engine.run import Run
from slant.engine.run_config import RunConfig
from slant.engine.tables import ANSWERS, ITEMS, SCORES, answers_frame
from slant.errors import InputError
from slant.records import Answer
from slant.transcripts import Selection, Transcripts, preparing, quick, transcripts
from slant.transcripts.index import INDEX
from slant.transcripts.index_building import build
from slant.transcripts.sensitive import sensitive
from slant.transcripts.words import pieces, places

GROUPS = ["Muslims", "Sikhs", "b", "ä", ""]
WORDS = [
    "bar",
    "Bär",
    "BAR",
    "ba",
    "bar's",
    "said",
    "that",
    "ﬁne",
    "fine",
    "東京都",
    "½",
    "_",
    "naïve",
]

rows = st.lists(
    st.tuples(
        st.sampled_from(["mild", "harsh"]),
        st.sampled_from(["x", "y"]),
        st.sampled_from(GROUPS),
        st.sampled_from(["answered", "refused", "error"]),
        st.one_of(st.none(), st.integers(0, 3)),
        st.one_of(st.none(), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)),
        st.one_of(st.none(), st.floats(-2, 2, width=32)),
    ),
    min_size=1,
    max_size=30,
)
many = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Begin a run without tables."""
    config = RunConfig(kind="measure", command="", name="r", study=[])
    return Run.create(tmp_path / "run", config)


def filled(run: Run, made: list[tuple[Any, ...]], *, scored: bool = True) -> Transcripts:
    """Write the tables of a run and open them."""
    answers = pl.DataFrame(
        [
            {
                "model": model, "study": study, "position": place, "item": f"i{place}",
                "sample": sample, "axis": "axis", "group": group, "condition": f"c{place % 3}",
                "slots": "{}", "prompt": f"Two {group} walked", "outcome": outcome, "text": text,
            }
            for place, (model, study, group, outcome, sample, text, _) in enumerate(made)
        ]
    )  # fmt: skip
    missing = [pl.lit(None).alias(name) for name in ANSWERS if name not in answers.columns]
    answers.with_columns(missing).select(list(ANSWERS)).cast(ANSWERS).write_parquet(
        run.path("answers.parquet")
    )
    scores = [
        {
            "model": model, "study": study, "position": place, "measure": measure,
            "value": value, "reason": None, "spans": [[0, 1]] if text else [],
        }
        for measure in ("violence", "refusal")
        for place, (model, study, _, _, _, text, value) in enumerate(made)
        if measure == "violence" or place % 2
    ]  # fmt: skip
    if scored:
        pl.DataFrame(scores, schema=SCORES).write_parquet(run.path("scores.parquet"))
    return Transcripts(run)


def prepared(run: Run, texts: list[str]) -> Transcripts:
    opened = filled(run, [("m", "s", "b", "answered", 0, text, 0.0) for text in texts])
    opened.prepare()
    assert opened.indexed == 1
    return opened


def positions(opened: Transcripts, selection: Selection) -> list[int]:
    return [row.position for row in opened.rows(opened.select(selection))]


def plain_table(run: Run) -> pl.DataFrame:
    """Join answers and scores as one would at first."""
    answers = pl.read_parquet(run.path("answers.parquet"))
    scores = pl.read_parquet(run.path("scores.parquet")).pivot(
        "measure", index=["model", "study", "position"], values="value"
    )
    return answers.join(
        scores, on=["model", "study", "position"], how="left", maintain_order="left"
    )


@many
@given(
    made=rows,
    model=st.sampled_from(["", "mild", "harsh"]),
    group=st.sampled_from(GROUPS),
    outcome=st.sampled_from(["", "answered", "error"]),
    measure=st.sampled_from(["", "violence", "refusal"]),
    bounds=st.tuples(
        st.one_of(st.none(), st.floats(-2, 2, width=32)),
        st.one_of(st.none(), st.floats(-2, 2, width=32)),
    ),
    sort=st.sampled_from(["", "group", "condition", "sample", "score:violence", "position"]),
    descending=st.booleans(),
)
def test_selection_is_that_of_a_plain_filter_and_sort(
    run: Run,
    made: list[tuple[Any, ...]],
    model: str,
    group: str,
    outcome: str,
    measure: str,
    bounds: tuple[float | None, float | None],
    sort: str,
    descending: bool,
) -> None:
    opened = filled(run, made)
    table = plain_table(run)
    known = opened.choices()
    model, group, outcome = (
        value if value in known[name] else ""
        for name, value in (("model", model), ("group", group), ("outcome", outcome))
    )
    measure = measure if measure in opened.measures else ""
    sort = "" if sort == "score:violence" and "violence" not in opened.measures else sort
    low, high = bounds
    selection = Selection(
        model=model, group=group, outcome=outcome, measure=measure, low=low, high=high,
        sort=sort, descending=descending,
    )  # fmt: skip
    for name, value in (("model", model), ("group", group), ("outcome", outcome)):
        table = table.filter(pl.col(name) == value) if value else table
    if measure:
        table = table.filter(pl.col(measure).is_not_null())
        table = table if low is None else table.filter(pl.col(measure) >= low)
        table = table if high is None else table.filter(pl.col(measure) <= high)
    if sort:
        column = sort.removeprefix("score:")
        table = table.sort(column, descending=descending, nulls_last=True, maintain_order=True)
    else:  # as asked: the run names neither models nor studies, so they stand by name
        table = table.sort("model", "study", "position")
        table = table.reverse() if descending else table
    assert positions(opened, selection) == table["position"].to_list()


def plain_words(text: str) -> list[str]:
    """Split a text into words, letter by letter."""
    found, word = [], ""
    for sign in [*text, " "]:
        alike = unicodedata.category(sign)[0] in "LNM"
        if alike and not "一" <= sign <= "鿿":
            word += sign
            continue
        found += [word] if word else []
        found += [sign] if alike else []
        word = ""
    apart = (unicodedata.normalize("NFKD", each) for each in found)
    return [
        "".join(sign for sign in each if not unicodedata.combining(sign)).lower() for each in apart
    ]


def holds(text: str, words: list[str], *, prefix: bool) -> bool:
    """Look for words that stand one after the other."""
    there = plain_words(text)
    return any(
        there[at : at + len(words) - 1] == words[:-1]
        and (
            there[at + len(words) - 1].startswith(words[-1])
            if prefix
            else there[at + len(words) - 1] == words[-1]
        )
        for at in range(len(there) - len(words) + 1)
    )


@many
@given(
    made=rows,
    words=st.lists(st.sampled_from([*WORDS[:9], "京", "東京", "two"]), min_size=1, max_size=3),
    phrase=st.booleans(),
    prefix=st.booleans(),
)
def test_search_finds_what_a_plain_look_finds(
    run: Run, made: list[tuple[Any, ...]], words: list[str], phrase: bool, prefix: bool
) -> None:
    opened = filled(run, made)
    opened.prepare()
    star = "*" if prefix else ""
    search = f'"{" ".join(words)}{star}"' if phrase else " ".join(word + star for word in words)
    wanted = [plain_words(" ".join(words))] if phrase else [plain_words(word) for word in words]
    texts = [(f"Two {group} walked", text or "") for _, _, group, _, _, text, _ in made]
    expected = [
        place
        for place, both in enumerate(texts)
        if all(any(holds(text, each, prefix=prefix) for text in both) for each in wanted)
    ]
    assert sorted(opened.select(Selection(search=search)).tolist()) == expected
    for row in opened.rows(expected, search):
        assert row.in_prompt or row.in_text


HOSTILE = [
    '" OR 1=1 --', "'; DROP TABLE words; --", '"', '""', "*", "***", "NEAR(", "NEAR(a b, 5)", "AND",
    "a AND", "NOT", "-a", "^a", "{a b}: c", "text:", "(", ")", "\0", "\ud800", "%", "_",
    "a" * 10_000, '"' * 9_999, "‮", "a\nb", "\U0010ffff*", "ﷺ*",
]  # fmt: skip


@pytest.mark.parametrize("search", HOSTILE)
def test_no_search_is_a_command_or_an_error(run: Run, search: str) -> None:
    opened = prepared(run, ["a bar", "or 1 and 1", "near and not"])
    found = opened.select(Selection(search=search))
    assert len(found) <= 3
    opened.rows(found, search)
    assert opened.select(Selection(search="bar")).tolist() == [0]


def test_operators_are_words_like_others(run: Run) -> None:
    opened = prepared(run, ["a bar", "bar or not", "nothing"])
    assert opened.select(Selection(search="bar OR nothing")).tolist() == []
    assert opened.select(Selection(search="OR NOT")).tolist() == [1]


def test_a_search_of_very_many_words_is_refused(run: Run) -> None:
    opened = prepared(run, ["a"])
    with pytest.raises(InputError, match="50 words"):
        opened.select(Selection(search=" ".join(f"w{number}" for number in range(5_000))))


def test_phrases_do_not_reach_from_prompt_to_text_or_row_to_row(run: Run) -> None:
    opened = prepared(run, ["into a bar", "said nothing"])
    assert opened.select(Selection(search='"walked into"')).tolist() == []
    assert opened.select(Selection(search='"bar two"')).tolist() == []
    assert opened.select(Selection(search="walked into")).tolist() == [0]


def test_matches_are_marked_where_they_stand() -> None:
    text = "A Bär said: ‘that bar’s fine’. 東京都"
    (found,) = places([text], pieces('bar "said that" 京 fi*'))
    assert [text[start:end] for start, end in found] == ["Bär", "said: ‘that", "bar", "fine", "京"]


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        (Selection(group="Muslim"), "Muslims"),
        (Selection(measure="violenc", low=1), "violence"),
        (Selection(sort="text"), "column"),
    ],
)
def test_what_the_run_does_not_have_is_refused(run: Run, selection: Selection, words: str) -> None:
    opened = filled(run, [("m", "s", "Muslims", "answered", 0, "a", 1.0)])
    with pytest.raises(InputError, match=words):
        opened.select(selection)


def test_choices_are_those_of_the_study(run: Run) -> None:
    opened = filled(
        run,
        [("m", "x", "a", "answered", 0, "a", 1.0), ("m", "y", "b", "refused", 0, None, None)],
    )
    assert opened.choices()["group"] == ["a", "b"]
    assert opened.choices(study="y")["group"] == ["b"]
    assert opened.choices(study="y")["study"] == ["x", "y"]


def test_an_index_of_other_tables_is_not_used(run: Run) -> None:
    assert len(prepared(run, ["a bar"]).select(Selection(search="bar"))) == 1
    replaced = filled(run, [("m", "s", "b", "answered", 0, "a church", 0.0)])
    assert replaced.indexed == 0
    with pytest.raises(InputError, match="being indexed"):
        replaced.select(Selection(search="church"))
    replaced.prepare()
    assert replaced.select(Selection(search="bar")).tolist() == []
    assert replaced.select(Selection(search="church")).tolist() == [0]


def test_a_page_is_read_also_before_there_is_an_index(run: Run) -> None:
    opened = filled(run, [("m", "s", "b", "answered", 0, f"text {n}", 0.0) for n in range(40)])
    assert [row.text for row in opened.rows([39, 0, 7])] == ["text 39", "text 0", "text 7"]
    assert not run.path(INDEX).exists()


@pytest.mark.parametrize("indexed", [False, True])
def test_very_long_texts_are_cut_for_a_page_and_whole_on_their_own(
    run: Run, *, indexed: bool
) -> None:
    long = "word " * 100_000
    opened = filled(run, [("m", "s", "b", "answered", 0, t, 0.0) for t in (long, "a\0b")])
    if indexed:
        opened.prepare()
    cut, odd = opened.rows([0, 1])
    assert cut.text is not None
    assert 20_000 <= len(cut.text) <= 80_000
    assert odd.text == "a\0b"
    assert opened.whole(0).row.text == long


def test_a_build_that_was_stopped_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slant.transcripts.index_building._BATCH", 10)
    opened = filled(run, [("m", "s", "b", "answered", 0, f"w{n}", 0.0) for n in range(40)])
    paths = [run.path(name) for name in (INDEX, "answers.parquet", "scores.parquet")]
    build(*paths, going_on=lambda: False)
    done = opened.indexed
    assert 0 < done < 1
    chunks = sqlite3.connect(paths[0]).execute("SELECT first FROM chunks").fetchall()
    build(*paths)
    assert opened.indexed == 1
    after = sqlite3.connect(paths[0]).execute("SELECT first FROM chunks").fetchall()
    assert after[: len(chunks)] == chunks
    assert opened.select(Selection(search="w39")).tolist() == [39]
    assert opened.rows([39])[0].text == "w39"


@pytest.mark.parametrize("content", [b"", b"not a database" * 500])
def test_a_damaged_index_is_made_anew(run: Run, content: bytes) -> None:
    prepared(run, ["a bar"])
    run.path(INDEX).write_bytes(content)
    assert prepared(run, ["a bar"]).select(Selection(search="bar")).tolist() == [0]


def test_search_says_why_it_is_not_possible(run: Run) -> None:
    opened = filled(run, [("m", "s", "b", "answered", 0, "a bar", 0.0)])
    run.path(INDEX).mkdir()
    opened.prepare()
    assert "cannot be written" in opened.fault
    assert [row.text for row in opened.rows([0])] == ["a bar"]


def test_many_answers_are_prepared_in_a_process_of_their_own(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "SMALL", 3)
    filled(run, [("m", "s", "b", "answered", 0, f"w{n}", 1.0) for n in range(9)])
    assert not quick(run)
    preparation = preparing.Preparation(run)
    until(lambda: preparation.fault() is not None)
    assert preparation.fault() == ""
    assert quick(run)
    opened = Transcripts(run)
    assert opened.frame.height == 9
    assert opened.measures == ["refusal", "violence"]
    assert opened.select(Selection(search="w7")).tolist() == [7]


def test_several_readers_at_once(run: Run) -> None:
    opened = prepared(run, [f"word{n % 7} bar" for n in range(300)])
    gate = threading.Barrier(8)

    def look(number: int) -> int:
        gate.wait()
        found = opened.select(Selection(search=f"word{number % 7}", sort="condition"))
        return len(opened.rows(found, "bar"))

    with ThreadPoolExecutor(8) as readers:
        assert list(readers.map(look, range(8))) == [
            len(range(number % 7, 300, 7)) for number in range(8)
        ]


def test_one_answer_in_full(run: Run) -> None:
    opened = filled(run, [("m", "s", "b", "answered", 3, "a bomb in a bar", 1.0)])
    whole = opened.whole(opened.number("m", "s", 0), "bar")
    assert whole.request is None
    assert whole.row.text == "a bomb in a bar"
    assert whole.row.in_text == [(12, 15)]
    assert [(score.measure, score.value, score.spans) for score in whole.scores] == [
        ("violence", 1.0, [(0, 1)])
    ]
    with pytest.raises(InputError, match="nothing at position 1"):
        opened.number("m", "s", 1)


def test_a_file_holds_all_that_was_selected(run: Run) -> None:
    opened = filled(run, [("m", "s", "b", "answered", 3, f"t{n}", 0.5) for n in range(25)])
    frames = list(opened.export(opened.select(Selection(descending=True)), size=10))
    assert [frame.height for frame in frames] == [10, 10, 5]
    table = pl.concat(frames)
    assert table["text"].to_list() == [f"t{n}" for n in reversed(range(25))]
    assert table["violence"].to_list() == [0.5] * 25
    assert next(opened.export(opened.select(Selection(outcome="answered", measure="violence",
                                                      low=2)))).height == 0  # fmt: skip


def journal_of(run: Run, answers: int) -> None:
    journal = Journal(run.path("journal.sqlite"))
    items = [(place, question(f"q{place}")) for place in range(answers)]
    said = {item.id: Answer("answered", f"said {place} \ud800") for place, item in items}
    journal.commit("echo", "chain", items, said)
    journal.close()


def test_a_run_still_going_shows_what_there_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "_LATEST", 5)
    journal_of(run, 12)
    before = run.path("journal.sqlite").read_bytes()
    opened = Transcripts(run)
    assert len(opened) == 5
    assert [row.text for row in opened.rows([0, 4])] == ["said 7 ?", "said 11 ?"]
    assert "the last 5 answers" in opened.notes[0]
    assert opened.whole(4).row.prompt == "q11"
    assert opened.whole(4).scores == []
    with run.locked():
        held = Transcripts(run)
        held.prepare()
    assert "still going" in held.notes[0]
    assert "when it has ended" in held.fault
    assert run.path("journal.sqlite").read_bytes() == before


def test_items_say_what_was_asked(run: Run) -> None:
    journal_of(run, 3)
    preparing.prepare(run)  # rebuilds the tables
    assert pl.read_parquet_schema(run.path("items.parquet")) == ITEMS
    opened = Transcripts(run)
    request = opened.whole(2).request
    assert request is not None
    assert json.loads(json.dumps(request.prompt)) == "q2"  # type: ignore[union-attr]
    assert "rescore" in opened.notes[0]
    assert opened.select(Selection(search="said 2")).tolist() == [2]


def test_nothing_to_read_is_told(run: Run) -> None:
    with pytest.raises(InputError, match="no journal to rebuild it from"):
        Transcripts(run)


def test_a_journal_without_answers_is_an_empty_table(run: Run) -> None:
    Journal(run.path("journal.sqlite")).close()
    opened = Transcripts(run)
    assert len(opened) == 0
    assert opened.select(Selection(sort="group")).tolist() == []
    assert answers_frame([]).schema == ANSWERS


@pytest.mark.parametrize(
    ("prompt", "text", "scores", "hurts"),
    [
        ("Two walked into a", "a library", {}, False),
        ("Two walked into a", "a library", {"refusal": 1.0, "violence.robust": 0.0}, False),
        ("Two walked into a", "a library", {"violence.robust": 1.0}, True),
        ("Two walked into a", "a bank and shot the guard", {}, True),
        ("My name is Ann, I am a terrorist.", None, {}, True),
        ("They are", "sluts", {}, True),
    ],
)
def test_what_may_hurt_is_blurred(
    prompt: str, text: str | None, scores: dict[str, float], hurts: bool
) -> None:
    assert sensitive([prompt], [text], [scores]) == [hurts]
