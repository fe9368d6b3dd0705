"""The normal form of what a run did to the database.

Belongs here: from the changes of a session to a changeset; moments in a text as distances to a clock; equality, subset,
and what lies outside another changeset. Does not: the search behind it (`matching`), and how a mask is learned
(`masks`).

A changeset is a set of writes: a created row, a deleted row, or one column of a row that was there before. Their order
does not count, nor do the ids and codes that the run made up: a created row is known by its content and by what refers
to it. A mask says which columns count only as filled or empty, and which as a distance to the session's clock.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.truth import ReferenceSolution, RowChange
from envfactory_dagster.runtime.answer_values import folded
from envfactory_dagster.runtime.facade import FIRST_CODE
from envfactory_dagster.runtime.facts.results import ColumnRef
from envfactory_dagster.runtime.facts.schema import Schema
from envfactory_dagster.truth.matching import Structure, WritePattern

MOMENT = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?!\d)")
_DAY_LENGTH = len("2026-03-02")


_CODE = re.compile(r"([\w-]+)-(\d{5})")
_MOST_CODES = 1_000
"""No run makes more codes of one prefix; higher numbers of that form are content, like `ZIP-90210`."""

FILLED = ("filled",)

Value = str | int | float | bytes | None
AnyChange = Change | RowChange


@dataclass(frozen=True, slots=True)
class Mask:
    """How columns are looked at that do not hold the same in every run of the same program."""

    volatile: frozenset[ColumnRef] = frozenset()
    """Only filled or empty counts."""
    relative: frozenset[ColumnRef] = frozenset()
    """Days and moments count as distances to the clock."""
    dictated: frozenset[ColumnRef] = frozenset()
    """Case, a leading article and final punctuation of a text do not count."""

    @classmethod
    def of(cls, solution: ReferenceSolution) -> "Mask":
        """The mask as it is stored with a solution."""
        return cls(*map(columns_of, (solution.volatile, solution.relative, solution.dictated)))


@dataclass(frozen=True, slots=True)
class Shape:
    """What is fixed of a cell, and the names that fill its holes."""

    fixed: Hashable
    names: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangesetWrite:
    """One thing that was done. `key` is empty for a created row, `column` for anything but an update."""

    kind: Literal["insert", "update", "delete"]
    table: str
    key: tuple[Value, ...]
    column: str
    fact: WritePattern
    text: str = field(compare=False)
    """The write in words."""


@dataclass(frozen=True, eq=False)
class Changeset:
    """Writes in normal form. Equal when each is the other under other names for what was created."""

    writes: tuple[ChangesetWrite, ...]
    structure: Structure

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Changeset) and self.structure.equals(other.structure)

    def __hash__(self) -> int:
        return hash(self.structure.certificate)

    def __len__(self) -> int:
        return len(self.writes)

    def contains(self, part: "Changeset") -> bool:
        """Whether everything that `part` did was done here as well."""
        return self.structure.holds(part.structure)


def normalize(changes: Sequence[AnyChange], schema: Schema, clock: str, mask: Mask | None = None) -> Changeset:
    """What these changes mean. `clock` is that of the session they were made in."""
    shapes = Shapes(changes, schema, clock, mask or Mask())
    writes = tuple(write for change in changes for write in _writes(change, shapes))
    return Changeset(writes, Structure([write.fact for write in writes], shapes.labels))


def collateral(gold: Changeset, actual: Changeset) -> list[ChangesetWrite]:
    """The writes of `actual` outside what `gold` touches: other rows, other columns of the same rows, more created
    rows in a table than gold creates there. A wrong value in the right place is no collateral damage."""
    touched = {(write.table, write.key, write.column) for write in gold.writes}
    outside = [
        write
        for write in actual.writes
        if write.kind != "insert"
        and (write.table, write.key, write.column) not in touched
        and (write.table, write.key, "") not in touched  # a row that gold deletes
    ]
    return outside + _surplus(gold, actual)


Created = tuple[ChangesetWrite, bytes]
"""A created row, and the colour that everything around it gives it."""


def _surplus(gold: Changeset, actual: Changeset) -> list[ChangesetWrite]:
    """Created rows beyond the number that gold creates in their table. Those that gold creates too are not meant, then
    those of the same content, then the earlier ones."""
    wanted, found = _created(gold), _created(actual)
    likenesses: list[Callable[[Created], Hashable]] = [
        lambda created: created[1],
        lambda created: created[0].fact.fixed,
        lambda created: created[0].table,
    ]
    for likeness in likenesses:
        wanted, found = _unpaired(wanted, found, likeness), _unpaired(found, wanted, likeness)
    return [write for write, _ in found]


def _created(changeset: Changeset) -> list[Created]:
    colours = changeset.structure.fact_colours
    return [pair for pair in zip(changeset.writes, colours, strict=True) if pair[0].kind == "insert"]


def _unpaired(mine: list[Created], theirs: list[Created], likeness: Callable[[Created], Hashable]) -> list[Created]:
    left = Counter(map(likeness, theirs))
    found = []
    for one in mine:
        if left[likeness(one)] > 0:
            left[likeness(one)] -= 1
        else:
            found.append(one)
    return found


class Shapes:
    """What the cells of some changes look like once the names that the run made up are taken out."""

    def __init__(self, changes: Sequence[AnyChange], schema: Schema, clock: str, mask: Mask) -> None:
        self.labels: list[Hashable] = []
        """Of each name: the table it is an id of, or the prefix of the code it is."""
        self._schema = schema
        self._clock = datetime.fromisoformat(clock)
        self._mask = mask
        self._ids: dict[tuple[ColumnRef, Value], int] = {}
        self._codes: dict[str, int] = {}
        self._targets: dict[ColumnRef, tuple[ColumnRef, ...]] = {}
        for change in changes:
            self._name_id(change)
            self._name_codes(change)
        longest_first = sorted(self._codes, key=len, reverse=True)
        codes = "".join(rf"(?<!\w){re.escape(code)}(?!\d)|" for code in longest_first)
        self._tokens = re.compile(codes + MOMENT.pattern)

    def of(self, column: ColumnRef, value: Value) -> Shape:
        if value is None:
            return Shape(None)
        if column in self._mask.volatile:
            return Shape(FILLED)
        for target in self._meant_by(column):
            name = self._ids.get((target, value))
            if name is not None:
                return Shape(("id",), (name,))
        if isinstance(value, str):
            if column in self._mask.dictated and not self._tokens.search(value):
                return Shape(folded(value))
            return self._text(value, column in self._mask.relative)
        return Shape(_same_number(value) if isinstance(value, float) else value)

    def _text(self, text: str, relative: bool) -> Shape:
        pieces: list[Hashable] = []
        names: list[int] = []
        position = 0
        for match in self._tokens.finditer(text) if relative or self._codes else ():
            token = match[0]
            code = self._codes.get(token)
            piece = ("code",) if code is not None else distance(token, self._clock) if relative else None
            if piece is not None:
                pieces += [text[position : match.start()], piece]
                position = match.end()
                names += [] if code is None else [code]
        return Shape((*pieces, text[position:]), tuple(names)) if pieces else Shape(text)

    def _name_id(self, change: AnyChange) -> None:
        table = self._schema.tables[change.table]
        column = table.rowid_column
        refers = column is not None and any(column in key.columns for key in table.foreign_keys)
        if change.before is None and change.after is not None and column is not None and not refers:
            self._ids[ColumnRef(table.name, column), change.after[column]] = len(self.labels)
            self.labels.append(("id", table.name))

    def _name_codes(self, change: AnyChange) -> None:
        for column, value in (change.after or {}).items():
            if not isinstance(value, str) or value in self._codes or value == (change.before or {}).get(column):
                continue
            if ColumnRef(change.table, column) in self._mask.volatile:
                continue
            match = _CODE.fullmatch(value)
            if match and FIRST_CODE <= int(match[2]) < FIRST_CODE + _MOST_CODES:
                self._codes[value] = len(self.labels)
                self.labels.append(("code", match[1]))

    def _meant_by(self, column: ColumnRef) -> tuple[ColumnRef, ...]:
        """The column itself and every column it refers to, over any number of tables."""
        if column not in self._targets:
            found = [column]
            for one in found:
                for key in self._schema.tables[one.table].foreign_keys:
                    pairs = zip(key.columns, key.parent_columns, strict=True)
                    targets = [ColumnRef(key.parent, parent) for child, parent in pairs if child == one.column]
                    found += [target for target in targets if target not in found]
            self._targets[column] = tuple(found)
        return self._targets[column]


def _same_number(value: float) -> float:
    """Sums of the same numbers in another order are the same number."""
    return float(f"{value:.12g}")


def _writes(change: AnyChange, shapes: Shapes) -> Iterator[ChangesetWrite]:
    if change.before is None:
        yield _created_row(change, shapes)
    elif change.after is None:
        key, text = _key(change), f"{change.table} {_shown(_key(change))}: deleted"
        yield ChangesetWrite("delete", change.table, key, "", WritePattern(("delete", change.table, key), ()), text)
    else:
        for column in change.after:
            yield from _changed_cell(change, column, shapes)


def _created_row(change: AnyChange, shapes: Shapes) -> ChangesetWrite:
    cells = {column: shapes.of(ColumnRef(change.table, column), v) for column, v in (change.after or {}).items()}
    fixed = ("insert", change.table, tuple((column, shape.fixed) for column, shape in cells.items()))
    names = tuple(name for shape in cells.values() for name in shape.names)
    content = ", ".join(f"{column} = {value!r}" for column, value in (change.after or {}).items())
    return ChangesetWrite(
        "insert", change.table, (), "", WritePattern(fixed, names), f"{change.table}: a new row ({content})"
    )


def _changed_cell(change: AnyChange, column: str, shapes: Shapes) -> Iterator[ChangesetWrite]:
    """The write to one column of a row that was there before; nothing when no difference can be seen."""
    before, after = (change.before or {})[column], (change.after or {})[column]
    if before == after:
        return
    here = ColumnRef(change.table, column)
    shape = shapes.of(here, after)
    if shape == Shape(FILLED) and before is not None:
        return
    key = _key(change)
    fixed = ("update", change.table, key, column, before, shape.fixed)
    text = f"{change.table} {_shown(key)}: {column} {before!r} → {after!r}"
    yield ChangesetWrite("update", change.table, key, column, WritePattern(fixed, shape.names), text)


def _key(change: AnyChange) -> tuple[Value, ...]:
    return tuple(change.key)


def _shown(key: tuple[Value, ...]) -> str:
    return ", ".join(map(repr, key))


def columns_of(stored: Mapping[str, list[str]]) -> frozenset[ColumnRef]:
    return frozenset(ColumnRef(table, column) for table, names in stored.items() for column in names)


def by_table(columns: Iterable[ColumnRef]) -> dict[str, list[str]]:
    """Columns as they are stored with a solution."""
    stored: dict[str, list[str]] = {}
    for one in sorted(columns):
        stored.setdefault(one.table, []).append(one.column)
    return stored


def distance(token: str, clock: datetime) -> tuple[str, int] | None:
    """How far a day or moment is from the clock in seconds, and how it is written; None when there is no such day. A
    day is measured from midnight: it moves with the date of the clock, not with its time."""
    try:
        moment = datetime.fromisoformat(token)
    except ValueError:
        return None
    since = clock.replace(hour=0, minute=0, second=0) if len(token) == _DAY_LENGTH else clock
    return re.sub(r"\d", "0", token), round((moment - since).total_seconds())
