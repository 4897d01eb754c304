import pytest

from slant.reports.palette import DARK, LIGHT

TEXTS = [
    ("ink", "paper"), ("ink", "panel"), ("muted", "paper"), ("muted", "panel"),
    ("above-text", "paper"), ("below-text", "paper"), ("link", "paper"),
    ("on-mark", "mark"), ("on-answered", "answered"),
    ("above-text", "panel"), ("below-text", "panel"),
]  # fmt: skip
MARKS = ["above", "below", "within", "tick", "answered", "error", "focus"]


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_text_meets_wcag_aa(palette: dict[str, str], text: str, ground: str) -> None:
    assert contrast(palette[text], palette[ground]) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("mark", MARKS)
def test_marks_meet_wcag_for_graphics(palette: dict[str, str], mark: str) -> None:
    assert contrast(palette[mark], palette["paper"]) >= 3


def test_every_light_colour_stands_for_one_name() -> None:
    assert len(set(LIGHT.values())) == len(LIGHT)
    assert set(LIGHT) == set(DARK)
