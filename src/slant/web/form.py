"""Reading forms that a page of the dashboard sends."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from slant.errors import InputError

if TYPE_CHECKING:
    from starlette.requests import Request

_FIELDS = 1000


async def form(request: Request) -> dict[str, list[str]]:
    """Read the fields of a form: the values of each, in order.

    The guard has seen to it that the form is not endless and comes from one of our pages.

    Raises
    ------
    InputError
        It is no form.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise InputError("a form was expected (application/x-www-form-urlencoded)")
    try:
        text = (await request.body()).decode()
        return parse_qs(text, keep_blank_values=True, max_num_fields=_FIELDS)
    except ValueError as error:
        raise InputError(f"the form cannot be read: {error}") from error


def one(fields: dict[str, list[str]], name: str) -> str:
    """Give the last value of a field; empty where there is none."""
    return fields.get(name, [""])[-1]
