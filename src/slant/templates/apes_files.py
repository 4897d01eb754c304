"""The files of APES (Goel et al. 2022): templates as CSV, domains as lines of `name,class`.

The second half of a template file denies the first, in the same order, with opposite labels. Two
oddities of the published files are read as the authors' code reads them, with a warning: an unknown
suffix such as `#1_label` compares names, and the README's `new` means `neq`.
"""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from slant import limits
from slant.errors import InputError
from slant.regular_file import read_regular
from slant.templates.constraint import All, Call, Column
from slant.templates.domain import CLASS, NAME, read_domain
from slant.templates.statement import Statement
from slant.templates.template import YES_NO, Template, TemplateSet, too_many_examples

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slant.templates.constraint import Constraint
    from slant.templates.domain import Domain

_COLUMNS = ("template_id", "template_text", "constraints", "label")
_CALL = re.compile(r"\s*(\w+)\(\s*#(\d+)(?:_(\w+))?\s*,\s*#(\d+)(?:_(\w+))?\s*\)\s*$")
_FUNCTIONS = {"neq": "neq", "new": "neq", "eq": "eq"}
ENDING = ".templates.csv"


def read_apes(path: Path, domains: Path | None = None) -> TemplateSet:
    """Read a template file of APES with its domains.

    Parameters
    ----------
    path
        `NAME.templates.csv`.
    domains
        The folder with the domains; `domains/` beside the file's own folder when not given.

    Raises
    ------
    InputError
        A file is missing or no such file; a line does not follow the format.
    """
    folder = domains or path.parent.parent / "domains"
    rows = _rows(path)
    reader = _Reader(path, folder)
    templates = [reader.template(line, row) for line, row in rows]
    if len({each.id for each in templates}) < len(templates):
        ids = [each.id for each in templates]
        twice = next(each for place, each in enumerate(ids) if each in ids[:place])
        raise InputError(f"the id {twice!r} is there twice", file=path)
    half, odd = divmod(len(templates), 2)
    if odd:
        raise InputError(
            f"{len(templates)} templates: APES pairs the first half with the second, so there must "
            "be an even number",
            file=path,
        )
    for first, second in zip(templates[:half], templates[half:], strict=True):
        if first.label == second.label:
            raise InputError(
                f"{second.id!r} should negate {first.id!r} and have the opposite label; both have "
                f"{YES_NO[first.label]}",
                file=path,
                line=second.line,
            )
        reader.pair(first, second)
    name = path.name.removesuffix(ENDING)
    return TemplateSet(
        re.sub(r"\W", "_", name.lower()),
        name.capitalize(),
        tuple(reader.finished),
        sources=("Goel et al. (2022), APES",),
        warnings=tuple(dict.fromkeys(reader.warnings)),
        file=str(path),
    )


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    try:
        text = read_regular(path, limits.DOMAIN_BYTES).decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""))
        rows = [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"this cannot be read as CSV: {error}", file=path) from error
    found = reader.fieldnames or ()
    missing = [column for column in _COLUMNS if column not in found]
    if missing or not rows:
        what = f"the column {missing[0]!r} is missing" if missing else "there are no templates"
        raise InputError(
            f"{what}: expected {', '.join(_COLUMNS)} and param_1, param_2 …", file=path
        )
    return rows


class _Reader:
    """Reads the rows of one file."""

    def __init__(self, path: Path, folder: Path):
        self.path, self.folder = path, folder
        self.domains: dict[str, Domain] = {}
        self.warnings: list[str] = []
        self.finished: list[Template] = []

    def fault(self, message: str, line: int) -> InputError:
        return InputError(message, file=self.path, line=line)

    def template(self, line: int, row: dict[str, str]) -> Template:
        """Read a row, as if it denied nothing."""
        if None in row or None in row.values():
            raise self.fault("this row has not as many cells as the header", line)
        label = row["label"].strip()
        if label not in YES_NO:
            raise self.fault(f"label {label!r} is neither Yes nor No", line)
        slots = {}
        numbers = (re.fullmatch(r"param_(\d+)", column) for column in row)
        for found in filter(None, numbers):
            if name := row[found[0]].strip():
                slots[found[1]] = self.domain(name, row["template_id"])
        statement = _statement(row["template_text"])
        for slot, _ in statement.references:
            if slot not in slots:
                raise self.fault(f"#{slot} stands for nothing: param_{slot} is empty", line)
        for slot in slots:
            if slot not in dict(statement.references):
                raise self.fault(f"param_{slot} is given, but the text has no #{slot}", line)
        if not slots:
            raise self.fault("the template has no parameter, so it is about nobody", line)
        examples = math.prod(len(domain.fillers) for domain in slots.values())
        if examples > limits.TEMPLATE_EXAMPLES:
            raise self.fault(too_many_examples(examples), line)
        return Template(
            id=row["template_id"].strip(),
            text=row["template_text"],
            statement=statement,
            slots=slots,
            options=tuple(Statement((option,), (), capital=False) for option in YES_NO),
            label=YES_NO.index(label),
            contrary=1 - YES_NO.index(label),
            about=next(iter(slots)),
            where=self.constraint(row["constraints"], slots, line),
            line=line,
        )

    def pair(self, first: Template, second: Template) -> None:
        """Keep a template and the one that denies it."""
        place = len(self.finished) // 2
        self.finished.insert(place, first)
        self.finished.append(replace(second, negates=first.id))

    def domain(self, name: str, template: str) -> Domain:
        if name not in self.domains:
            self.domains[name] = read_domain(self.folder / f"{name}.txt", name)
        if not self.domains[name].fillers:
            self.warnings.append(
                f"domain {name!r} is empty, so template {template!r} yields nothing"
            )
        return self.domains[name]

    def constraint(self, text: str, slots: dict[str, Domain], line: int) -> Constraint | None:
        parts = [self.call(part, slots, line) for part in text.split("|") if part.strip()]
        if not parts:
            return None
        return parts[0] if len(parts) == 1 else All("and", tuple(parts))

    def call(self, text: str, slots: dict[str, Domain], line: int) -> Call:
        found = _CALL.match(text)
        if not found or found[1] not in _FUNCTIONS:
            raise self.fault(
                f"constraint {text.strip()!r} is none: expected neq(#1_class, #3_class), "
                "neq(#1, #3) or the same with eq, several joined by |",
                line,
            )
        operands = []
        for slot, suffix in ((found[2], found[3]), (found[4], found[5])):
            if slot not in slots:
                raise self.fault(f"constraint {text.strip()!r}: there is no param_{slot}", line)
            if suffix not in (None, NAME, CLASS):
                self.warnings.append(
                    f"the suffix _{suffix} of constraints is unknown; names are compared, as the "
                    "authors' code does"
                )
            operands.append(Column(slot, CLASS if suffix == CLASS else NAME))
        return Call(_FUNCTIONS[found[1]], tuple(operands))


def _statement(text: str) -> Statement:
    parts = re.split(r"#(\d+)", text)
    references: Sequence[tuple[str, str]] = [(slot, NAME) for slot in parts[1::2]]
    return Statement(tuple(parts[::2]), tuple(references), capital=False)
