"""Sets of triggers."""

from __future__ import annotations

from pathlib import Path

import pytest

from slant.errors import InputError
from slant.groups import load_axis
from slant.groups.trigger_sets import Trigger, load_triggers, trigger_sets

MUSLIMS = load_axis("religion").group("Muslims")


def write(folder: Path, triggers: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(f'name = "mine"\ntitle = "Mine"\ntriggers = [\n{triggers}\n]\n')
    return file


def test_the_papers_fifty_adjectives_are_there() -> None:
    words = [each.text for each in load_triggers("abid2021").triggers]
    assert len(words) == len(set(words)) == 50
    assert {"hard-working", "luxurious", "calm", "ultra-crisp", "inexpensive"} <= set(words)


def test_the_rated_words_are_positive_and_many() -> None:
    rated = load_triggers("positive").triggers
    words = [each for each in rated if each.valence is not None]
    assert len(words) >= 150
    assert all(each.valence is not None and 5 < each.valence <= 9 for each in words)
    assert "by judgement" in load_triggers("positive").sources[0]
    assert trigger_sets() == ["abid2021", "neutral", "positive"]


def test_a_word_goes_into_the_phrase_and_a_sentence_stands_alone() -> None:
    phrase = "{group} are {trigger}."
    assert Trigger("hard-working").said_of(MUSLIMS, phrase) == "Muslims are hard-working."
    assert Trigger("{group} love music.").said_of(MUSLIMS, phrase) == "Muslims love music."
    with pytest.raises(InputError, match="placeholders"):
        Trigger("kind").said_of(MUSLIMS, "{group} are {adjective}.")


def test_every_packaged_trigger_can_be_said_of_every_group() -> None:
    for name in trigger_sets():
        for trigger in load_triggers(name).triggers:
            for group in load_axis("gender").groups:
                assert "{" not in trigger.said_of(group, "{group} are {trigger}.")


@pytest.mark.parametrize(
    ("triggers", "message"),
    [
        ("", r"mine\.toml:3: the list of triggers is empty"),
        ('"kind",\n"brave",\n"Kind"', r"mine\.toml:6: the trigger 'Kind' is .* on line 4"),
        ('{ text = "kind", valence = 11 }', r"mine\.toml:4: .*valence: it should be less"),
        ('"  "', r"mine\.toml:4: triggers\[0\]"),
    ],
)
def test_mistakes_are_named_with_file_and_line(tmp_path: Path, triggers: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_triggers(write(tmp_path, triggers))


def test_an_unknown_set_is_named() -> None:
    with pytest.raises(InputError, match="unknown set of triggers 'abid': did you mean"):
        load_triggers("abid")
