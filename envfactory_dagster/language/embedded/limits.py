"""Where limits lie in a function, and which values of rows lie on them.

Belongs here: reading a function's text and rows of tables. Does not: calling anything (`rehearsal`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, product, zip_longest
from typing import Any, NamedTuple, TypeVar

from envfactory_dagster.contracts.database import Cell, TableRows

_T = TypeVar("_T")
_SLIPS = (
    (r"raise env\.Error\(.*\)$", "pass"),
    (r" >= ", " > "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" < ", " <= "),
    (r"([+-]) 1\b", r"\1 2"),
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2})?")
_NEAR = 8
"""Lines before a limit that may say what it compares."""
_MOST_ROWS, _MOST_CELLS, _MOST_DAYS, _MOST_IDS = 6, 12, 5, 4
"""To move of one table, and values to try in each of their columns."""


class Slip(NamedTuple):
    """A function with one mistake in it."""

    source: str
    near: str
    """The lines that end with the place of the mistake."""

    @property
    def names(self) -> list[str]:
        """The words near the mistake, the nearest first."""
        return list(dict.fromkeys(reversed(re.findall(r"[a-z]\w*", self.near))))


def slips_of(source: str) -> Iterator[Slip]:
    """With one refusal left out, or one comparison or step off by one, place by place."""
    for pattern, replacement in _SLIPS:
        for found in re.finditer(pattern, source, re.MULTILINE):
            end = source.find("\n", found.end())
            lines = source[:end].split("\n")
            if not lines[-1].lstrip().startswith(("while ", '"""')):
                slipped = source[: found.start()] + found.expand(replacement) + source[found.end() :]
                yield Slip(slipped, "\n".join(lines[-_NEAR:]))


Move = tuple[str, int | str, dict[str, Cell]]
"""The table and id of a row, and what some of its columns are to hold."""


def rearranged(tables: Iterable[TableRows], slip: Slip, met: Sequence[Any]) -> Iterator[Sequence[Move]]:
    """What rows might hold as well, in columns that are named near a mistake, the nearest first: something else in one
    column; something that was met in all at once that refer to rows or hold days; or both, the one column then in the
    row that has most of what was met."""
    named = [table for table in tables if "id" in table.columns]
    words = [word for word in slip.names if word != "id"]
    holders = [(table, word) for word in words for table in named if word in table.columns]
    near = [(table, [word for word in words if word in table.columns]) for table in named]
    one = ([move] for table, column in holders for move in _moves(table, column, met))
    placed = ([move] for table, columns in near for move in _placements(table, columns, met))
    both = (
        pair
        for table, columns in near
        for other, column in holders[:1]
        for pair in product(_placements(table, columns, met), _moves(other, column, met, most_rows=1))
    )
    return in_turns(one, placed, both)


def _moves(table: TableRows, column: str, met: Sequence[Any], most_rows: int = _MOST_ROWS) -> Iterator[Move]:
    values, rows = _values(table, column, met), _some(table, met)[:most_rows]
    yield from ((table.table, row, {column: value}) for row in rows for value in values)


def _placements(table: TableRows, columns: Sequence[str], met: Sequence[Any]) -> Iterator[Move]:
    values = {column: _values(table, column, met) for column in columns}
    references = {column: values[column][:2] for column in columns if column.endswith("_id")}
    dated = [column for column in table.columns if column in columns and days(values[column])][:2]
    moments = sorted(days(values[dated[0]])[:_MOST_DAYS]) if dated else []
    for row in _some(table, met) if references or dated else []:
        for referred in product(*references.values()):
            for span in combinations_with_replacement(moments, len(dated)):
                yield table.table, row, dict(zip([*references, *dated], [*referred, *span], strict=True))


def _some(table: TableRows, met: Sequence[Any]) -> list[Any]:
    """The ids of some rows, from that which has most of what was met, the user's own as a rule, to that with least."""
    rows = sorted(table.rows, key=lambda row: -sum(cell in met for cell in row))
    at = sorted({number * (len(rows) - 1) // (_MOST_ROWS - 1) for number in range(_MOST_ROWS)}) if rows else []
    return [rows[index][table.columns.index("id")] for index in at]


def _values(table: TableRows, column: str, met: Sequence[Any]) -> list[Cell]:
    """What a column might hold: of what was met whatever is like its cells, of words those that it holds elsewhere."""
    cells = list(dict.fromkeys(row[table.columns.index(column)] for row in table.rows))
    filled = [cell for cell in cells if cell is not None]
    found: list[Cell]
    if filled and days(filled) == filled:
        found = [(day + "T00:00:00")[: len(str(filled[0]))] for day in days(met)]
    elif column.endswith("_id"):
        found = [*numeric(met, ["integer"])[:_MOST_IDS], *filled]
    elif all(isinstance(cell, int) for cell in filled):
        found = [number + step for number in numeric(met, ["integer"]) for step in (0, 1, -1)]
    elif all(isinstance(cell, int | float) for cell in filled):
        found = numeric(met, ["number"])
    else:
        found = list(filled)
    return list(dict.fromkeys([*found[:_MOST_CELLS], None]))


def days(cells: Iterable[Any]) -> list[str]:
    return [cell for cell in cells if isinstance(cell, str) and _DAY.fullmatch(cell)]


def numeric(cells: Iterable[Any], kinds: Sequence[str]) -> list[Any]:
    return [cell for cell in cells if isinstance(cell, int) or ("number" in kinds and isinstance(cell, float))]


def from_both_ends(values: Iterable[Any]) -> list[Any]:
    """The last, the first, the last but one, …: a limit at an end leaves out nearly all, which is soon foretold."""
    ordered = sorted(set(values))
    ends = [value for pair in zip(reversed(ordered), ordered, strict=True) for value in pair]
    return list(dict.fromkeys(ends))


def numbers_in(source: str) -> list[int]:
    return [*dict.fromkeys(int(number) for number in re.findall(r"\b\d{1,7}\b", source))]


def in_turns(*ways: Iterable[_T]) -> Iterator[_T]:
    """The first of each, the second of each, and so on."""
    return (one for turn in zip_longest(*ways) for one in turn if one is not None)
