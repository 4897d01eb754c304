from __future__ import annotations

import pytest

from slant.errors import InputError
from slant.models.model_spec import ModelSpec, parse_model_spec


@pytest.mark.parametrize(
    ("text", "scheme", "argument", "options"),
    [
        ("embedded", "embedded", "", {}),
        ("embedded?dtype=float32", "embedded", "", {"dtype": "float32"}),
        ("hf:org/name?dtype=float32&x=1", "hf", "org/name", {"dtype": "float32", "x": "1"}),
        ("openai:gpt-4o?price=0.15,0.60", "openai", "gpt-4o", {"price": "0.15,0.60"}),
        ("openai:ft:gpt-4o:me", "openai", "ft:gpt-4o:me", {}),
        ("mock:a dir/planted.toml", "mock", "a dir/planted.toml", {}),
        ("mock:", "mock", "", {}),
        ("http://h:1/v1#org/name:8b", "http", "http://h:1/v1#org/name:8b", {}),
        ("https://h/v1?api=chat#n", "https", "https://h/v1#n", {"api": "chat"}),
        ("http://h/v1?api=chat", "http", "http://h/v1", {"api": "chat"}),
        ("my.module:Class", "my.module", "Class", {}),
    ],
)
def test_taken_apart(text: str, scheme: str, argument: str, options: dict[str, str]) -> None:
    assert parse_model_spec(text) == ModelSpec(text, scheme, argument, options)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "spelling is empty"),
        ("  ", "spelling is empty"),
        ("hf:name?dtype", "options are written [?]name=value"),
        ("http://h/v1?api#n", "options are written [?]name=value"),
    ],
)
def test_mistakes(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse_model_spec(text)


def test_unknown_options_are_refused() -> None:
    spelling = parse_model_spec("hf:name?dtpye=float32")
    spelling.check_options(["dtpye"])
    with pytest.raises(InputError, match="unknown option of 'hf' models, 'dtpye': did you mean"):
        spelling.check_options(["dtype", "device"])


def test_price() -> None:
    assert parse_model_spec("openai:x").price() is None
    assert parse_model_spec("openai:x?price=0.15,0.60").price() == (0.15, 0.6)


@pytest.mark.parametrize("price", ["1", "1,2,3", "a,b", "-1,2", "nan,1", ","])
def test_bad_prices(price: str) -> None:
    with pytest.raises(InputError, match="is not two amounts such as"):
        parse_model_spec(f"openai:x?price={price}").price()
