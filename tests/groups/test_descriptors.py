from __future__ import annotations

import csv
import json
import os
import pickle
import re
import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest

from slant.errors import InputError
from slant.groups.descriptors import Descriptor, descriptor_lists, load_descriptors

DOCS = Path(__file__).parents[2] / "docs" / "descriptors.md"
GLOBAL = load_descriptors("global").descriptors
WITH_TONE = files("slant.data").joinpath("descriptors", "global.csv").read_text(encoding="utf-8")
ETHNICITIES = [
    *("African", "Arab", "Baltic", "Chinese", "Dutch", "English", "French", "German", "Greek"),
    *("Hispanic", "Hungarian", "Indian", "Israeli", "Italian", "Japanese", "Korean", "Nordic"),
    *("Slav", "Thai", "Turkish"),
]
AXES = [
    *("ability", "age", "appearance", "character", "conduct", "culture", "education", "emotion"),
    *("family", "gender", "health", "migration", "nonce", "occupation", "orientation", "politics"),
    *("religion", "wealth"),
]
IRREGULAR = {
    "beat": "beat",
    "drink": "drank",
    "drive": "drove",
    "eat": "ate",
    "give": "gave",
    "have": "had",
    "keep": "kept",
    "read": "read",
    "speak": "spoke",
    "wear": "wore",
}
SPOKEN_CONSONANT = ("one-", "uni", "use", "eu")
SPOKEN_VOWEL = ("honest", "hour", "heir", "honor", "IT ", "FBI", "MBA")
HEAD = "descriptor,am,was,is"
KIND = "kind,am kind,was kind,is kind"


def bare(text: str) -> str:
    return re.sub(r"^(an?|the) ", "", text.casefold())


def write(folder: Path, text: str, name: str = "mine.csv") -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def blocks(language: str) -> list[str]:
    text = DOCS.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


# --- The lists that come along --------------------------------------------------------------------


def test_the_lists_are_as_large_and_broad_as_promised() -> None:
    assert descriptor_lists() == ["brief", "global", "informative"]
    assert len(GLOBAL) >= 720
    assert sorted({each.axis for each in GLOBAL}) == AXES
    assert min(Counter(each.axis for each in GLOBAL).values()) >= 12
    assert all(each.bucket for each in GLOBAL)
    assert 20 <= sum(each.sensitive for each in GLOBAL) <= 80
    for name in descriptor_lists():
        table = load_descriptors(name)
        assert table.notes == ()
        assert "Fiske" in table.source or "by hand" in table.source


def test_the_short_list_is_a_choice_from_the_long_one() -> None:
    short = load_descriptors("informative").descriptors
    assert 55 <= len(short) <= 65
    assert set(short) <= set(GLOBAL)
    listed = files("slant.data").joinpath("descriptors", "lists.toml").read_text(encoding="utf-8")
    chosen = tomllib.loads(listed)["informative"]["only"]
    assert sorted(chosen) == sorted(each.text for each in short)
    assert sorted({each.label for each in short} - {""}) == ETHNICITIES
    assert sorted({each.axis for each in short}) == AXES
    shortest = load_descriptors("brief").descriptors
    assert len(shortest) == len(tomllib.loads(listed)["brief"]["only"]) == 28
    assert set(shortest) < set(short)


def forms_in_english(am: str, text: str) -> tuple[str, ...]:
    if am.startswith("am "):
        return tuple(f"{verb} {text}" for verb in ("am", "was", "is"))
    verb, rest = text.split(" ", 1)
    past = IRREGULAR.get(verb, verb + ("d" if verb.endswith("e") else "ed"))
    return text, f"{past} {rest}", f"{'has' if verb == 'have' else verb + 's'} {rest}"


def test_every_verb_form_is_right() -> None:
    for each in GLOBAL:
        assert tuple(each.forms) == ("am", "was", "is")
        assert tuple(each.forms.values()) == forms_in_english(each.forms["am"], each.text)


def test_forms_are_cleanly_spelt() -> None:
    for each in GLOBAL:
        for form in each.forms.values():
            assert re.fullmatch(r"[A-Za-z]+( [A-Za-z0-9'-]+)+", form)


def test_articles_fit_the_sound_that_follows() -> None:
    for each in GLOBAL:
        for article, after in re.findall(r"\b(an?) (.+)", each.text):
            vowel = after.lower().startswith(tuple("aeiou")) or after.startswith(SPOKEN_VOWEL)
            expected = "an" if vowel and not after.startswith(SPOKEN_CONSONANT) else "a"
            assert article == expected, each.text


def test_no_descriptor_is_there_twice() -> None:
    counts = Counter(bare(each.text) for each in GLOBAL)
    assert [text for text, count in counts.items() if count > 1] == []


def test_labels_are_facts_about_each_ethnicity() -> None:
    labels = Counter(each.label for each in GLOBAL if each.label)
    assert sorted(labels) == ETHNICITIES
    assert labels.total() >= 40
    assert min(labels.values()) >= 2
    labelled = [each for each in GLOBAL if each.label]
    assert {each.axis for each in labelled} == {"culture", "religion"}
    assert not any(each.sensitive for each in labelled)


def test_favourable_and_unfavourable_are_both_there() -> None:
    rows = list(csv.DictReader(WITH_TONE.splitlines()))
    assert {row["sensitive"] for row in rows} == {"true", "false"}
    tones = Counter(row["tone"] for row in rows)
    assert set(tones) == {"favourable", "neutral", "unfavourable"}
    assert min(tones.values()) >= len(rows) / 5
    for axis in set(AXES) - {"nonce"}:
        assert {"favourable", "unfavourable"} <= {r["tone"] for r in rows if r["axis"] == axis}
    assert {row["tone"] for row in rows if row["sensitive"] == "true"} <= {
        *("neutral", "unfavourable")
    }


def test_the_page_tells_the_truth() -> None:
    page = DOCS.read_text(encoding="utf-8")
    for axis, count in Counter(each.axis for each in GLOBAL).items():
        (examples,) = re.findall(rf"^\| {axis} \| {count} \| (.+) \|$", page, re.MULTILINE)
        on_axis = {each.text for each in GLOBAL if each.axis == axis}
        assert set(examples.split(", ")) <= on_axis
    tones = Counter(row["tone"] for row in csv.DictReader(WITH_TONE.splitlines()))
    words = " ".join(page.split())
    assert f"`global` holds {len(GLOBAL)} descriptors" in words
    assert (
        f"{tones['neutral']} neutral, {tones['favourable']} favourable, "
        f"{tones['unfavourable']} unfavourable"
    ) in words
    assert f"insults ({sum(each.sensitive for each in GLOBAL)} descriptors)" in words
    assert f"{sum(bool(each.label) for each in GLOBAL)} descriptors name the ethnicity" in words


def test_the_examples_on_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (table,) = blocks("csv")
    write(tmp_path, table)
    for text in blocks("toml"):
        write(tmp_path, text, text.splitlines()[0].removeprefix("# "))
    monkeypatch.chdir(tmp_path)
    codes = blocks("python")
    assert len(codes) == 3
    for code in codes:
        exec(code, {})  # noqa: S102


# --- The published list ---------------------------------------------------------------------------


@pytest.fixture
def published() -> str:
    folder = os.environ.get("SLANT_PUBLISHED_DATA")
    if not folder:
        pytest.skip("SLANT_PUBLISHED_DATA does not name the folder of published data")
    return str(Path(folder) / "globalbias" / "full_descriptors.csv")


def test_the_published_list_is_read_as_it_is(published: str) -> None:
    table = load_descriptors(published)
    assert len(table.descriptors) == 730
    assert table.notes == ()
    labels = Counter(each.label for each in table.descriptors if each.label)
    assert labels == {"hispanic": 12, "arab": 11, "white": 11, "asian": 10, "nonce": 7}
    first = table.descriptors[0]
    assert first.forms["was"] == "was a stutterer"
    assert (first.axis, first.sensitive) == ("ability", False)


def test_ours_is_no_copy_of_the_published_list(published: str) -> None:
    theirs = {bare(each.text) for each in load_descriptors(published).descriptors}
    shared = sum(bare(each.text) in theirs for each in GLOBAL)
    assert shared < 0.45 * len(GLOBAL)
    assert f"{shared} of the {len(GLOBAL)} are also" in " ".join(DOCS.read_text().split())


# --- One's own table ------------------------------------------------------------------------------


def test_every_column_is_read(tmp_path: Path) -> None:
    head = f"{HEAD},axis,bucket,label,sensitive,remark"
    row = "wear a kilt,wear a kilt,wore a kilt,wears a kilt,dress,legs,Scottish,yes,none"
    (found,) = load_descriptors(write(tmp_path, f"{head}\n{row}\n")).descriptors
    forms = {"am": "wear a kilt", "was": "wore a kilt", "is": "wears a kilt"}
    assert found == Descriptor("wear a kilt", forms, "dress", "legs", "Scottish", True)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301
    assert hash(found) == hash(pickle.loads(pickle.dumps(found)))  # noqa: S301


def test_only_the_forms_are_needed(tmp_path: Path) -> None:
    table = load_descriptors(write(tmp_path, f"{HEAD}\n{KIND}\n"))
    (found,) = table.descriptors
    assert (found.axis, found.bucket, found.label, found.sensitive) == ("", "", "", False)
    assert table.source.endswith("mine.csv")


def test_published_column_names_mean_the_same(tmp_path: Path) -> None:
    text = "partial_1,partial_2,partial_3,Descriptor,group\nam Thai,was Thai,is Thai,Thai,asian\n"
    (found,) = load_descriptors(write(tmp_path, text)).descriptors
    assert found.forms == {"am": "am Thai", "was": "was Thai", "is": "is Thai"}
    assert found.label == "asian"


@pytest.mark.parametrize("ending", ["tsv", "jsonl", "parquet"])
def test_other_kinds_of_tables_give_the_same(tmp_path: Path, ending: str) -> None:
    row = {"descriptor": "kind", "am": "am kind", "was": "was kind", "is": "is kind"}
    full = {**row, "sensitive": True}
    file = tmp_path / f"mine.{ending}"
    if ending == "tsv":
        pl.DataFrame([full]).write_csv(file, separator="\t")
    elif ending == "jsonl":
        file.write_text(json.dumps(full))
    else:
        pl.DataFrame([full]).write_parquet(file)
    (found,) = load_descriptors(file).descriptors
    assert (found.text, found.sensitive) == ("kind", True)


def test_rows_that_cannot_be_used_are_counted_and_named(tmp_path: Path) -> None:
    rows = [KIND, "tall,am tall,,is tall", ",am old,was old,is old", "odd,am odd,  ,", KIND]
    rows.append("kindly,am kind,was kind,is kind")  # the same sentences under another name
    table = load_descriptors(write(tmp_path, "\n".join([HEAD, *rows])))
    assert [each.text for each in table.descriptors] == ["kind"]
    lacking, doubles = table.notes
    assert lacking == (
        "3 rows were left out for want of a descriptor or one of its verb forms: 'tall' (line 3, "
        "no was), '' (line 4, no descriptor), 'odd' (line 5, no was and no is)"
    )
    assert doubles == (
        "2 rows were left out for being there already: 'kind' (line 6, as on line 2), "
        "'kindly' (line 7, as on line 2)"
    )


def test_a_long_note_names_ten_and_counts_the_rest(tmp_path: Path) -> None:
    rows = [KIND, *(f"d{number},,was,is" for number in range(25))]
    (note,) = load_descriptors(write(tmp_path, "\n".join([HEAD, *rows]))).notes
    assert note.startswith("25 rows were left out")
    assert note.endswith("'d9' (line 12, no am) and 15 more")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("descriptor,am,is\nkind,am kind,is kind\n", "mine.csv:1: no column was: expected"),
        ("word\nkind\n", "no column descriptor, am, was, is: .* found word"),
        (f"{HEAD}\n", "mine.csv: the table has no rows"),
        (f"{HEAD}\nkind,,,\nold,am old,,\n", "mine.csv: none of the 2 rows has a descriptor"),
        (f"{HEAD},sensitive\n{KIND},maybe\n", "mine.csv:2: sensitive: expected true .* 'maybe'"),
        (f"{HEAD}\nkind,am kind\n", "mine.csv:2: 2 cells, expected 4"),
    ],
)
def test_bad_tables_are_refused_in_a_sentence(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_descriptors(write(tmp_path, text))


def test_numbers_are_no_descriptors(tmp_path: Path) -> None:
    row = json.dumps({"descriptor": "five", "am": 5, "was": "was 5", "is": "is 5"})
    with pytest.raises(InputError, match=r"mine.jsonl:1: am: expected text, found 5"):
        load_descriptors(write(tmp_path, row, "mine.jsonl"))


def test_unknown_names_get_the_nearest() -> None:
    with pytest.raises(InputError, match=r"did you mean 'global'\? .* path of a table"):
        load_descriptors("globl")
    with pytest.raises(InputError, match=r"there is no such file"):
        load_descriptors("nowhere.csv")
    with pytest.raises(InputError, match=r"expected a file ending in \.jsonl"):
        load_descriptors("mine.xlsx")


def test_axes_are_chosen_by_name() -> None:
    chosen = load_descriptors("global").on(["nonce", "age"])
    assert {each.axis for each in chosen.descriptors} == {"nonce", "age"}
    assert chosen.descriptors[0].axis == "age"  # the order of the file
    with pytest.raises(InputError, match="did you mean 'nonce'"):
        chosen.on(["nonse"])
    with pytest.raises(InputError, match="name at least one"):
        chosen.on([])


def test_a_table_without_axes_has_none_to_choose(tmp_path: Path) -> None:
    table = load_descriptors(write(tmp_path, f"{HEAD}\n{KIND}\n"))
    with pytest.raises(InputError, match="Known: none"):
        table.on(["age"])
