"""Annotations: added and never rewritten, combined, and laid over scores without touching them."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import polars as pl
import pytest

import slant
from slant.annotations.annotating import annotate, withdraw
from slant.annotations.automatic import Scorer, scorers
from slant.annotations.changes import changes
from slant.annotations.labels import agreed_labels, latest
from slant.annotations.ledger import NAME, Ledger
from slant.annotations.recompute import (
    agreement_sections,
    is_current,
    judged_sections,
    recompute,
)
from slant.annotations.sample import sample
from slant.engine.run import Run
from slant.errors import InputError
from slant.measures.measure import REFUSAL
from slant.records import Finding
from slant.studies.section import Section

VIOLENT, CALM, REFUSING = (
    " bar and shot the barman.",
    " bar and ordered tea.",
    "I'm sorry, but I can't help with that.",
)
GROUPS = ("Muslims", "Christians", "Jews")
SCORER = Scorer("m", "completion", "violence.robust")
EACH = 20


def text(group: str, place: int) -> str:
    """Half of what is said of Muslims is violent, a fifth of what is said of others."""
    return VIOLENT if place % (2 if group == "Muslims" else 5) == 0 else CALM


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    rows = [
        {"model": "m", "group": group, "text": text(group, place), "outcome": "answered"}
        for place in range(EACH)
        for group in GROUPS
    ]
    rows.append({"model": "m", "group": "Jews", "text": REFUSING, "outcome": "answered"})
    rows.append({"model": "m", "group": "Jews", "text": CALM, "outcome": "refused"})
    return pl.DataFrame(rows)


@pytest.fixture
def run(table: pl.DataFrame, tmp_path: Path) -> Run:
    return slant.measure("completion", table, out=tmp_path / "run")


def position(group: str, place: int) -> int:
    return place * len(GROUPS) + GROUPS.index(group)


def lines(run: Run) -> list[str]:
    return run.path(NAME).read_text().splitlines()


def rate(findings: list[Finding], group: str, metric: str = "violence_rate") -> Finding:
    (found,) = (f for f in findings if (f.metric, f.group, f.contrast) == (metric, group, "rate"))
    return found


def judged_findings(run: Run) -> list[Finding]:
    return [f for section, _ in judged_sections(run) for f in section.analysis.findings]


def agreement(run: Run) -> Section:
    ((section, _),) = agreement_sections(run)
    return section


def contents(run: Run) -> dict[str, str]:
    """Hash everything that a run concludes from, and concludes, without annotations."""
    own = [
        path
        for path in run.directory.rglob("*")
        if path.is_file()
        and not path.relative_to(run.directory).parts[0].startswith(("annotations", "judged"))
    ]
    return {str(path): sha256(path.read_bytes()).hexdigest() for path in own}


def test_what_can_be_judged(run: Run) -> None:
    assert scorers(run) == [SCORER, Scorer("m", "completion", "violence.paper"),
                            Scorer("m", "completion", REFUSAL)]  # fmt: skip


def test_an_overruled_score_changes_its_finding_and_nothing_else(run: Run) -> None:
    before = contents(run)
    annotate(run, SCORER, position("Muslims", 0), 0, author="Ada", reason="a shot of vodka")
    assert not is_current(run)
    recompute(run)
    assert contents(run) == before
    assert is_current(run)
    found = judged_findings(run)
    assert rate(found, "Muslims").value == pytest.approx(9 / EACH)
    assert rate(run.finding_list(), "Muslims").value == pytest.approx(10 / EACH)
    for group in ("Christians", "Jews"):
        assert rate(found, group).value == rate(run.finding_list(), group).value
        assert rate(found, group).low == rate(run.finding_list(), group).low
    section = agreement(run)
    beside = section.analysis.tables["findings_with_and_without"]
    row = beside.filter(metric="violence_rate", group="Muslims", comparison="rate").row(
        0, named=True
    )
    assert (row["value_without"], row["value_with"]) == (0.5, 0.45)
    overruled = section.analysis.tables["overruled"].row(0, named=True)
    assert overruled["reason"] == "a shot of vodka"
    assert (overruled["by"], overruled["text"]) == ("Ada", VIOLENT)


def test_rescore_counts_annotations(run: Run) -> None:
    annotate(run, SCORER, position("Jews", 1), 1, author="Ada", reason="an insult")
    slant.rescore(run.directory)
    assert rate(judged_findings(run), "Jews").value == pytest.approx(5 / EACH)
    assert is_current(run)


def test_a_run_that_nobody_judged_has_no_judged_folder(run: Run) -> None:
    slant.rescore(run.directory)
    recompute(run)
    assert not run.path("judged").exists()
    assert is_current(run)


def test_refusals_are_ruled_on_whoever_told_them(run: Run) -> None:
    refusal = Scorer("m", "completion", REFUSAL)
    by_text, by_server = EACH * 3, EACH * 3 + 1
    before = rate(run.finding_list(), "Jews", "refusal_rate")
    assert before.value == pytest.approx(2 / 22)
    annotate(run, refusal, by_text, 0, author="Ada", reason="a figure of speech")
    annotate(run, refusal, by_server, 0, author="Ada", reason="this is an answer")
    annotate(run, refusal, position("Muslims", 1), 1, author="Ada", reason="it evades")
    recompute(run)
    found = judged_findings(run)
    assert rate(found, "Jews", "refusal_rate").value == 0
    assert rate(found, "Jews").n == 22
    assert rate(found, "Muslims", "refusal_rate").value == pytest.approx(1 / EACH)
    assert rate(found, "Muslims").n == EACH - 1


def test_the_last_line_counts_and_none_is_rewritten(run: Run) -> None:
    first = annotate(run, SCORER, 0, 0, author="Ada", reason="slapstick")
    before = run.path(NAME).read_bytes()
    second = annotate(run, SCORER, 0, 1, author="Ada")
    assert run.path(NAME).read_bytes().startswith(before)
    ledger = Ledger.read(run.directory)
    assert latest(ledger.lines) == [second]
    with pytest.raises(InputError, match="replaced by a later one"):
        withdraw(run, first.id, author="Ada")
    withdraw(run, second.id, author="Ada", reason="wrong answer")
    withdraw(run, second.id, author="Ada")
    assert latest(Ledger.read(run.directory).lines) == []
    assert len(lines(run)) == 3


def test_the_same_again_is_not_written_twice(run: Run) -> None:
    one = annotate(run, SCORER, 0, 0, author="Ada", reason="slapstick")
    assert annotate(run, SCORER, 0, 0, author=" Ada ", reason="slapstick\n") == one
    assert len(lines(run)) == 1
    annotate(run, SCORER, 0, 0, author="Bob", reason="slapstick")
    assert len(lines(run)) == 2


def test_nobody_withdraws_for_another(run: Run) -> None:
    line = annotate(run, SCORER, 0, 1, author="Ada")
    with pytest.raises(InputError, match="by 'Ada': only they can withdraw it"):
        withdraw(run, line.id, author="Bob")
    with pytest.raises(InputError, match="no annotation 'x'"):
        withdraw(run, "x", author="Ada")


def test_the_majority_rules_and_a_tie_leaves_the_score(run: Run) -> None:
    annotate(run, SCORER, 0, 0, author="Ada", reason="a toast")
    annotate(run, SCORER, 0, 1, author="Bob")
    key = ("m", "completion", 0, SCORER.measure)
    assert agreed_labels(latest(Ledger.read(run.directory).lines))[key].label is None
    recompute(run)
    assert not any(f.study == "completion" for f in judged_findings(run))
    section = agreement(run)
    assert any("as many people say" in note for note in section.analysis.notes)
    annotate(run, SCORER, 0, 0, author="Eve", reason="a toast")
    annotate(run, SCORER, 0, None, author="Dan")
    recompute(run)
    assert rate(judged_findings(run), "Muslims").value == pytest.approx(9 / EACH)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"scorer": Scorer("m", "completion", "violence.robist")},
            "did you mean 'violence.robust'",
        ),
        ({"scorer": Scorer("m", "story", "violence.robust")}, "unknown study and model"),
        ({"position": 900}, "no answer with a score .* at position 900"),
        ({"label": 2}, "label 2: rule 1"),
        ({"reason": " "}, "say why"),
        ({"author": " "}, "author: say who"),
        ({"author": "a" * 81}, "author: say who"),
        ({"reason": "a" * 2001}, "2,001 characters"),
    ],
)
def test_what_cannot_be_judged_is_refused(
    run: Run, change: dict[str, object], message: str
) -> None:
    said = {"scorer": SCORER, "position": 0, "label": 0, "author": "Ada", "reason": "x"} | change
    with pytest.raises(InputError, match=message):
        annotate(
            run, said["scorer"], said["position"], said["label"],  # type: ignore[arg-type]
            author=said["author"], reason=said["reason"],  # type: ignore[arg-type]
        )  # fmt: skip
    assert not run.path(NAME).exists()


def test_a_run_that_is_still_going_is_not_judged(run: Run) -> None:
    run.mark(finished=False)
    with run.locked(), pytest.raises(InputError, match="in use by another slant process"):
        annotate(Run(run.directory), SCORER, 0, 1, author="Ada")
    run.mark(finished=True)
    with run.locked(), pytest.raises(InputError, match="in use by another slant process"):
        recompute(Run(run.directory))
    run.path("scores.parquet").unlink()
    with pytest.raises(InputError, match="nothing can be judged yet"):
        annotate(run, SCORER, 0, 1, author="Ada")


def test_a_line_torn_by_a_crash_is_told_and_left(run: Run) -> None:
    annotate(run, SCORER, 0, 1, author="Ada")
    torn = run.path(NAME).read_bytes() + b'{"id":"abc","author":"Bo'
    run.path(NAME).write_bytes(torn)
    assert Ledger.read(run.directory).torn == (2,)
    annotate(run, SCORER, 3, 0, author="Eve")
    assert run.path(NAME).read_bytes().startswith(torn)
    ledger = Ledger.read(run.directory)
    assert ([line.author for line in ledger.lines], ledger.torn) == (["Ada", "Eve"], (2,))
    recompute(run)
    section = agreement(run)
    assert any("half-written" in note for note in section.analysis.notes)


def test_a_line_feed_that_is_missing_is_no_harm(run: Run) -> None:
    annotate(run, SCORER, 0, 1, author="Ada")
    run.path(NAME).write_bytes(run.path(NAME).read_bytes().rstrip())
    annotate(run, SCORER, 3, 0, author="Eve")
    ledger = Ledger.read(run.directory)
    assert ([line.author for line in ledger.lines], ledger.torn) == (["Ada", "Eve"], ())


def no_json(plain: dict[str, object]) -> str:
    return "not json"


def unknown_field(plain: dict[str, object]) -> str:
    return json.dumps(plain | {"mood": "good"})


def ruling_of_two(plain: dict[str, object]) -> str:
    return json.dumps(plain | {"label": 2})


def takes_back_nothing(plain: dict[str, object]) -> str:
    del plain["label"]
    return json.dumps(plain | {"withdraws": "nothing", "sampled": False})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (no_json, "no annotation"),
        (unknown_field, "mood"),
        (ruling_of_two, "label"),
        (takes_back_nothing, "withdraws 'nothing'"),
    ],
)
def test_a_bad_line_is_named(
    run: Run, spoil: Callable[[dict[str, object]], str], message: str
) -> None:
    annotate(run, SCORER, 0, 1, author="Ada")
    good = lines(run)[0]
    run.path(NAME).write_text(f"{good}\n{spoil(json.loads(good))}\n{good}\n")
    with pytest.raises(InputError, match=message) as fault:
        annotate(run, SCORER, 1, 1, author="Ada", reason="x")
    assert f"{NAME}:2: " in str(fault.value)


def _judge_many(directory: Path, author: str) -> None:
    run = Run(directory)
    for place in range(10):
        annotate(run, SCORER, place, 1, author=author, reason="x")


def test_writers_at_the_same_time_lose_nothing(run: Run) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_judge_many, args=(run.directory, name)) for name in ("Ada", "Bob")
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    assert len(lines(run)) == 20
    assert len(Ledger.read(run.directory).lines) == 20


def test_groups_and_scores_take_turns_in_the_sample(run: Run) -> None:
    drawn = sample(run, SCORER)
    assert (drawn.strata, drawn.size) == (6, EACH * 3 + 1)
    first = {(place % 3, text(GROUPS[place % 3], place // 3)) for place in drawn.positions[:6]}
    assert len(first) == 6
    assert sorted(drawn.positions) == list(range(EACH * 3 + 1))
    assert drawn.next(drawn.positions[:2]) == drawn.positions[2]
    assert drawn.next(drawn.positions) is None


def test_agreement_rests_on_blind_rulings_and_sees_a_scorer_that_is_worse_for_one_group(
    run: Run,
) -> None:
    """People reject every second violent score about Muslims, and no other."""
    for place in sample(run, SCORER).positions[: EACH * 3]:
        group, number = GROUPS[place % 3], place // 3
        violent = place < EACH * 3 and text(group, number) == VIOLENT
        wrong = group == "Muslims" and number % 4 == 0
        annotate(run, SCORER, place, int(violent and not wrong), author="Ada", sampled=True)
    recompute(run)
    section = agreement(run)
    found = {(f.metric, f.group, f.contrast): f for f in section.analysis.findings}
    alarms = found["scorer_false_alarms", "Muslims", "rate"]
    assert (alarms.value, alarms.n) == (0.5, 10)
    assert found["scorer_misses", "Muslims", "rate"].value == 0
    kappa = {group: found["scorer_kappa", group, "mean"] for group in (*GROUPS, "everyone")}
    assert kappa["Christians"].value == kappa["Jews"].value == 1
    assert kappa["Muslims"].value == pytest.approx(0.5)
    assert kappa["everyone"].value is not None
    assert 0.5 < kappa["everyone"].value < 1
    worse = found["scorer_kappa", "Muslims", "vs_rest"]
    assert worse.value == pytest.approx(-0.5)
    assert worse.chance is not None
    assert worse.p is not None
    # Without a reason nothing is overruled.
    assert "overruled" not in section.analysis.tables
    assert not any(f.study == "completion" for f in judged_findings(run))
    assert any("no reason yet" in note for note in section.analysis.notes)


def test_what_somebody_picked_says_nothing_about_the_scorer(run: Run) -> None:
    for place in range(0, 30, 3):
        annotate(run, SCORER, place, 0, author="Ada", reason="all in fun")
    recompute(run)
    section = agreement(run)
    assert section.analysis.findings == []
    # What is ruled blind stays so, though it be changed with the score in view.
    annotate(run, SCORER, 1, 1, author="Bob", sampled=True)
    annotate(run, SCORER, 1, 0, author="Bob", reason="a toast")
    blind = latest(Ledger.read(run.directory).lines, sampled=True)
    assert [(line.author, line.label) for line in blind] == [("Bob", 1)]


def test_two_people_are_compared(run: Run) -> None:
    for place in sample(run, SCORER).positions[:12]:
        annotate(run, SCORER, place, place % 2, author="Ada", sampled=True)
        annotate(run, SCORER, place, int(place % 4 > 0), author="Bob", sampled=True)
    recompute(run)
    section = agreement(run)
    row = section.analysis.tables["people_compared"].row(0, named=True)
    assert (row["author"], row["other_author"], row["both"]) == ("Ada", "Bob", 12)
    assert row["same"] < 1


def test_rulings_on_answers_that_are_gone_are_left_out(run: Run) -> None:
    annotate(run, SCORER, 0, 0, author="Ada", reason="a toast")
    line = json.loads(lines(run)[0])
    run.path(NAME).write_text(json.dumps(line | {"item": "another"}) + "\n")
    recompute(run)
    assert not any(f.study == "completion" for f in judged_findings(run))
    section = agreement(run)
    assert any("no longer has" in note for note in section.analysis.notes)


@pytest.mark.usefixtures("undrawn")
def test_the_report_tells_what_people_ruled(run: Run) -> None:
    for place in sample(run, SCORER).positions[:24]:
        annotate(
            run, SCORER, place, int(place % 3 == 0), author="Ada <b>", reason="so", sampled=True
        )
    slant.rescore(run.directory)
    page = slant.report(run).read_text()
    assert "Judged by people" in page
    assert "Agreement of people and scorer" in page
    assert "Ada &lt;b&gt;" in page
    assert "Ada <b>" not in page


def test_changes_put_the_largest_first() -> None:
    assert changes([], []).is_empty()
