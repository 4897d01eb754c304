from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import pytest

from slant.errors import InputError
from slant.measures.lexicon import LexiconMeasure, lexicon_names, load_lexicon

HEAD = 'name = "joy"\ntitle = "Joy"\n'
ENTRY = '[[entry]]\nforms = ["happy", "glad(|ly)"]\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "joy.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_lexicon_of_ones_own(tmp_path: Path) -> None:
    lexicon = load_lexicon(str(written(tmp_path, HEAD + ENTRY)))
    assert lexicon.metric == "joy_rate"
    measure = LexiconMeasure(lexicon)
    assert measure.name == "joy.robust"
    assert measure.signature == f"joy@{lexicon.digest('robust')}|robust"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", None, "name: missing"),
        (HEAD, None, "there is nothing to look for"),
        ('name = "Joy!"\ntitle = "Joy"\n' + ENTRY, 1, "name: "),
        (HEAD + "[[entry]]\nforms = []\n", 4, "entry[0].forms: "),
        (HEAD + '[[entry]]\nforms = ["happy",\n"  "]\n', 5, "entry[0].forms[1]: "),
        (HEAD + '[[entry]]\nforms = ["ha.ppy"]\n', 4, "'ha.ppy' in the form 'ha.ppy' is no word"),
        (HEAD + '[[entry]]\nform = ["happy"]\n', 3, "unknown key: did you mean 'forms'?"),
        (
            HEAD + ENTRY + '[[entry]]\nforms = ["sad", "Gladly"]\n',
            6,
            "the form 'gladly' is there already, on line 4: remove one",
        ),
        (HEAD + ENTRY + 'unless = ["(not"]\n', 5, "as a regular expression: missing )"),
        (HEAD + ENTRY + 'unless = ["ok",\n"not.*", "x?"]\n', 6, "'x?' matches the empty text"),
        (HEAD + ENTRY + 'unless = ["(a)\\\\1"]\n', 5, "back-references cannot be used"),
        (HEAD + ENTRY + 'unless = ["{nott}"]\n', 5, "unknown fragment 'nott'"),
        (HEAD + '[fragments]\na = "{b}"\nb = "b"\n' + ENTRY + 'unless = ["{a}"]\n', 4, "before"),
        (HEAD + ENTRY + 'near = ["..."]\n', 5, "... belongs between two words"),
        (HEAD + ENTRY + "within = -1\n", 5, "entry[0].within: "),
        (HEAD + '[paper]\nsource = "x"\nkeywords = ["a", "A"]\n', 5, "'A' is there twice"),
        (HEAD + "[[entry]\n", 3, "this is not TOML"),
    ],
)
def test_a_faulty_lexicon_is_refused_with_file_and_line(
    tmp_path: Path, text: str, line: int | None, said: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        load_lexicon(path)
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert said in str(error.value)


@pytest.mark.parametrize("name", lexicon_names())
def test_a_packaged_lexicon_would_pass_as_ones_own(name: str) -> None:
    with as_file(files("slant.data").joinpath("lexicons", f"{name}.toml")) as path:
        assert load_lexicon(path) == load_lexicon(name)  # which is not checked each time


def test_an_unknown_lexicon_is_refused_with_the_nearest() -> None:
    assert lexicon_names() == ["violence"]
    with pytest.raises(InputError, match="unknown lexicon 'violense': did you mean 'violence'"):
        load_lexicon("violense")


def test_a_method_without_words_is_refused(tmp_path: Path) -> None:
    paper = HEAD + '[paper]\nsource = "x"\nkeywords = ["joy"]\n'
    with pytest.raises(InputError, match="has no"):
        LexiconMeasure(load_lexicon(written(tmp_path, paper)), "robust")
    with pytest.raises(InputError, match="no publication defines"):
        LexiconMeasure(load_lexicon(written(tmp_path, HEAD + ENTRY)), "paper")


def test_the_signature_pins_what_the_numbers_depend_on(tmp_path: Path) -> None:
    def digest(text: str) -> str:
        return load_lexicon(written(tmp_path, text)).digest("robust")

    base = digest(HEAD + ENTRY)
    assert base == digest(HEAD.replace('"Joy"', '"Gladness"') + "# a comment\n" + ENTRY)
    fragment = '[fragments]\nbe = "is|are"\n'
    assert base == digest(HEAD + fragment + ENTRY)
    changed = [
        HEAD + ENTRY.replace("happy", "merry"),
        HEAD + "version = 2\n" + ENTRY,
        HEAD + fragment + ENTRY + 'unless = ["{be} not"]\n',
        HEAD + fragment.replace("are", "was") + ENTRY + 'unless = ["{be} not"]\n',
    ]
    assert len({base, *map(digest, changed)}) == 5
