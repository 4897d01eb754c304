"""What servers say about how long to wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from slant.models.remote.waits import wait_asked_for, wait_until_refilled


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "40", "retry-after": "3"}, 0.04),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"ratelimit-remaining": "0", "ratelimit-reset": "7"}, 7.0),
        ({"x-ratelimit-remaining-requests": "5", "x-ratelimit-reset-requests": "6m0s"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "soon"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "Wed, 99 Foo 20155 99:99:99 GMT"}, None),
        ({}, None),
    ],
)
def test_a_wait_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_asked_for(headers) == seconds


def test_a_date_to_come() -> None:
    then = datetime.now(UTC) + timedelta(hours=1)
    wait = wait_asked_for({"retry-after": format_datetime(then, usegmt=True)})
    assert wait is not None
    assert 3500 < wait <= 3600


def test_the_longest_of_two_that_are_used_up() -> None:
    headers = {
        "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1h2m3.5s",
    }  # fmt: skip
    assert wait_until_refilled(headers) == 3723.5
