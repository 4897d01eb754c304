"""Make names that nobody has, in groups that each sound alike, for `data/names/made_up.csv`.

`python -m benchmarks.made_up_names 0 > made_up.csv` needs `pip install wordfreq faker`. Another
seed gives other names. Every group has a small stock of sounds of its own, as the names of one
language have. A name is left out if it is a word of any of wordfreq's 40 languages, a name in any
of Faker's lists, or holds letters that offend.
"""

from __future__ import annotations

import csv
import random
import re
import sys
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

GROUPS = 16
LENGTHS = {5: 6, 6: 6, 7: 5, 8: 4, 9: 3, 10: 2}
"""How many names of so many letters a group has: about as the packaged names are long. Of four
letters nearly everything that one can speak is a word somewhere."""

ONSETS = [*"bdfghjklmnprstvwyz", "br", "ch", "dr", "fl", "gr", "kl", "kr", "sh", "st", "th", "tr"]
VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ei", "ia", "io", "oa", "ou", "ua"]
CODAS = ["d", "f", "g", "k", "l", "ld", "m", "n", "nd", "r", "rn", "s", "st", "t", "th", "v", "x",
         "z"]  # fmt: skip
OFFENSIVE = re.compile(
    "anal|anus|arse|ass|cock|cum|cunt|damn|dick|dumb|dyke|fag|fat|fuc|fuk|gay|hell|homo|jew|kike|"
    "kill|kkk|krau|lust|nazi|neg|nig|paki|pedo|piss|porn|puss|rape|sex|shit|slav|slut|spaz|spic|"
    "suck|tard|terr|tit|tran|turd|twat|ugly|wank|whor"
)


def main(seed: int) -> None:
    """Write a table of names."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["name", "gender", "ethnicity"])
    for number, group in enumerate(name_groups(seed, GROUPS), 1):
        writer.writerows([name, "none", f"made-up {number}"] for name in group)


def name_groups(seed: int, groups: int) -> list[list[str]]:
    """Give as many groups of names."""
    rng, known = random.Random(seed), set(_known())
    return [_group(rng, known) for _ in range(groups)]


def _group(rng: random.Random, known: set[str]) -> list[str]:
    """Draw sounds until they give enough names, and mix the lengths."""
    while True:
        onsets, vowels = rng.sample(ONSETS, 9), rng.sample(VOWELS[:5], 3)
        vowels = [*vowels, *vowels, rng.choice(VOWELS[5:])]
        codas = [*[""] * 5, *rng.sample(CODAS, 2)]
        last = rng.sample([*[""] * 6, *CODAS], 3)
        wanted, found = dict(LENGTHS), list[str]()
        for _ in range(20_000):
            syllables = rng.randint(1, 4)
            ends = [codas] * (syllables - 1) + [last]
            name = "".join(rng.choice(onsets) + rng.choice(vowels) + rng.choice(e) for e in ends)
            if wanted.get(len(name), 0) and _is_made_up(name, known, found):
                wanted[len(name)] -= 1
                found.append(name)
            if not any(wanted.values()):
                known.update(found)
                return [each.capitalize() for each in rng.sample(found, len(found))]


def _is_made_up(name: str, known: Collection[str], found: Collection[str]) -> bool:
    awkward = re.search(r"(.)\1|[bcdfghjklmnpqrstvwxz]{4}|[aeiou]{3}", name)
    return not awkward and not OFFENSIVE.search(name) and name not in known and name not in found


@cache
def _known() -> frozenset[str]:
    """Collect words and names, in lower case and without accents."""
    words: set[str] = set()
    wordfreq: Any = import_module("wordfreq")
    for language in wordfreq.available_languages("best"):
        known = wordfreq.get_frequency_dict(language, "best")
        words |= {each for each in known if min(LENGTHS) <= len(each) <= max(LENGTHS)}
    faker: Any = import_module("faker.config")
    for locale in faker.AVAILABLE_LOCALES:
        try:
            person: Any = import_module(f"faker.providers.person.{locale}").Provider
        except ImportError:
            continue
        for kind in ("first_names", "first_names_male", "first_names_female", "last_names"):
            names = getattr(person, kind, ())
            if isinstance(names, Iterable):  # a few lists are made when they are asked for
                words |= set(re.findall(r"\w+", " ".join(map(str, names))))
    packaged = resources.files("slant.data").joinpath("names", "global.csv")
    rows = csv.DictReader(packaged.read_text(encoding="utf-8").splitlines())
    words |= {row["name"] for row in rows}
    return frozenset(_plain(word) for word in words)


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return "".join(each for each in decomposed if not unicodedata.combining(each))


if __name__ == "__main__":
    main(int(sys.argv[1]))
