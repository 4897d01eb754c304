"""Corpora in every form, broken ones among them: what is lost is counted, the rest is read."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from slant.corpora import Article, read_corpus
from slant.errors import InputError


def read(path: Path) -> tuple[list[Article], Counter[str]]:
    lost: Counter[str] = Counter()
    return list(read_corpus(path).articles(lambda reason: lost.update([reason]))), lost


ROWS = [
    {"id": "a", "title": "Bridge reopens", "text": "It is open.\u0007", "source": "Post"},
    {"id": "b", "title": "", "text": "No headline."},
    {"id": "c", "title": "Empty", "text": "  "},
    {"id": "a", "title": "Again", "text": "The same id."},
    {"title": "No id", "text": "Has a number."},
]


def test_tables_are_read_and_what_is_left_out_is_counted(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    found, lost = read(tmp_path / "x.jsonl")

    assert [each.id for each in found] == ["a", "5"]
    assert (found[0].source, found[0].text) == ("Post", "It is open.")
    assert lost == {"have no headline": 1, "have no text": 1,
                    "have an id that another article has": 1}  # fmt: skip


def test_folders_of_texts_are_read(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("Second\n\nText two.")
    (tmp_path / "a.txt").write_text("First\nText one.")
    (tmp_path / "c.txt").write_bytes(b"Bad \xff bytes\nText")
    found, lost = read(tmp_path)

    assert [(each.id, each.title, each.text) for each in found] == [
        ("a", "First", "Text one."), ("b", "Second", "Text two."),
    ]  # fmt: skip
    assert lost == {"are not UTF-8": 1}


REUTERS = """<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="7">
<DATE>26-FEB-1987</DATE>
<TEXT>&#2;
<TITLE>TEA PRICES &lt;UP></TITLE>
<DATELINE>  HILLTOWN - </DATELINE><BODY>Prices of tea rose &amp; fell.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
<REUTERS NEWID="8"><TEXT><TITLE>BROKEN<BODY>Never closed</TEXT></REUTERS>
<REUTERS NEWID="9"><TEXT><TITLE>LAST</TITLE><BODY>Caf\xe9 opens.</BODY></TEXT></REUTERS>
"""


def test_newswire_in_sgml_is_read_and_broken_items_lose_themselves_only(tmp_path: Path) -> None:
    (tmp_path / "reut2-000.sgm").write_bytes(REUTERS.encode("latin-1"))
    found, lost = read(tmp_path / "reut2-000.sgm")

    assert [(each.id, each.title) for each in found] == [("7", "TEA PRICES <UP>"), ("9", "LAST")]
    assert found[0].text.startswith("Prices of tea rose & fell.")
    assert (found[0].date, found[1].text) == ("26-FEB-1987", "Café opens.")
    assert lost == {"have no headline": 1}


def test_xml_with_other_names_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(
        '<feed><article id="n1"><headline>Hi</headline><text><p>One.</p><p>Two.</p></text>'
        "</article></feed>"
    )
    (article,), _ = read(tmp_path / "x.xml")

    assert (article.id, article.title, article.text.split()) == ("n1", "Hi", ["One.", "Two."])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", "headline,text\na,b\n", "there is no column 'title'"),
        ("x.xml", "<a>nothing</a>", "there is no article in it"),
        ("x.pdf", "", "expected a file ending in"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        read(tmp_path / name)


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown corpus 'sampel'"):
        read_corpus("sampel")
    with pytest.raises(InputError, match="no such file"):
        read_corpus(tmp_path / "x.jsonl")
    with pytest.raises(InputError, match=r"no \.txt file"):
        read_corpus(tmp_path)
