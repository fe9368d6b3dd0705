"""What programs count, add up and choose from, each in four voices: words, Python over tools, SQL, and its rows.

Belongs here: measures, conditions, selections, figures. Does not: which of them are put into one request (`asking`,
`acting`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from envfactory_dagster.language.embedded.kit import Row
from envfactory_dagster.language.embedded.programs.sources import Detail, Listing, Things, words
from envfactory_dagster.language.embedded.tables import Column

_UNITS = {"cents": "amount", "grams": "weight"}
"""Unit → what it measures."""
_TIMES = ("minutes", "hours", "days", "weeks")
_ADDITIVE = re.compile(r"(^|_)(cents|grams|hours|minutes|quantity|units|pages|points|kilobytes|party_size)$")
_NO_MEASURE = re.compile(r"(^|_)(id|rank|number|step|year|priority|rating)$")
_CALLED = {
    "": "amount",
    "monthly": "monthly price",
    "hourly": "hourly price",
    "granted": "granted amount",
    "unit": "unit price",
}
"""What a column of money is called, where its name alone says too little."""
_HAPPENS = {"starts": "starts", "ends": "ends", "expires": "expires", "due": "is due", "visit": "is visited"}
_NAMES = ("name", "title", "label", "subject", "code", "purpose", "recipient", "file_name", "text", "description")


@dataclass(frozen=True)
class Measure:
    """A column of numbers."""

    column: str
    called: str
    unit: str
    additive: bool

    @property
    def words(self) -> str:
        return f"{self.called} in {self.unit}" if self.unit else self.called


def measures(things: Things, shown: Sequence[str]) -> list[Measure]:
    found = []
    for column in things.columns:
        values = {row[column.name] for row in things.rows}
        plain = column.type == "INTEGER" and not column.parent and column.name in shown
        if plain and not _NO_MEASURE.search(column.name) and None not in values and not values <= {0, 1}:
            found.append(_measure(column))
    return found


def _measure(column: Column) -> Measure:
    front, _, unit = column.key.rpartition("_")
    additive = bool(_ADDITIVE.search(column.key))
    if unit in _UNITS and front in ("most", "least"):
        called = f"{'maximum' if front == 'most' else 'minimum'} {_UNITS[unit]}"
        return Measure(column.name, called, unit, additive=False)
    if unit == "cents":
        return Measure(column.name, _CALLED.get(front, words(front)), unit, additive)
    if unit in _TIMES and front:
        return Measure(column.name, f"{words(front)} time", unit, additive)
    if unit in _UNITS and front:
        return Measure(column.name, words(front), unit, additive)
    return Measure(column.name, words(column.key), "", additive)


@dataclass(frozen=True)
class Order:
    """A column by which one of several stands out, and the words for either end."""

    column: str
    first: str
    last: str


def orders(things: Things, shown: Sequence[str]) -> list[Order]:
    found = [
        Order(m.column, f"with the lowest {m.called}", f"with the highest {m.called}") for m in measures(things, shown)
    ]
    for column in things.columns:
        front, _, ending = column.key.rpartition("_")
        if ending in ("on", "at") and column.type == "TEXT" and column.name in shown:
            clause = _HAPPENS.get(front, f"was {words(front)}")
            found.append(Order(column.name, f"that {clause} first", f"that {clause} last"))
    return found


def name_column(things: Things, shown: Sequence[str], rows: Sequence[Row]) -> str | None:
    """The column by which people tell these rows apart."""
    for key in _NAMES:
        column = next((column for column in things.columns if column.key == key and column.name in shown), None)
        if column is not None:
            values = [row[column.name] for row in rows]
            everywhere = [row[column.name] for row in things.rows]
            if None not in values and all(everywhere.count(value) == 1 for value in values):
                return column.name
    return None


@dataclass(frozen=True)
class Condition:
    """What a program asks of every row."""

    column: str
    operator: str
    """`==`, `<` or `>`."""
    value: str | int
    words: str

    @property
    def python(self) -> str:
        return f'row["{self.column}"] {self.operator} {self.value!r}'

    @property
    def sql(self) -> str:
        return f"r.{self.column} {self.operator.replace('==', '=')} ?"

    def holds(self, row: Row) -> bool:
        cell = row[self.column]
        if self.operator == "==":
            return bool(cell == self.value)
        return bool(cell < self.value if self.operator == "<" else cell > self.value)


def allowed_value(column: Column, value: str) -> Condition:
    said = words(value)
    clause = f"that are {said}" if column.key == "status" else f"whose {words(column.key)} is {said}"
    return Condition(column.name, "==", value, clause)


def limit(measure: Measure, operator: str, value: int) -> Condition:
    side = "below" if operator == "<" else "above"
    unit = f" {measure.unit}" if measure.unit else ""
    return Condition(measure.column, operator, value, f"whose {measure.called} is {side} {value}{unit}")


@dataclass(frozen=True)
class Selection:
    """The rows of a list that fit."""

    listing: Listing
    conditions: tuple[Condition, ...] = ()

    @cached_property
    def rows(self) -> list[Row]:
        return [row for row in self.listing.rows if all(condition.holds(row) for condition in self.conditions)]

    @property
    def clause(self) -> str:
        said = [condition.words for condition in self.conditions]
        if self.listing.only is not None:
            said.insert(0, allowed_value(self.listing.only.column, self.listing.only.value).words)
        return "".join(f" {'and ' * (n > 0)}{one}" for n, one in enumerate(said))

    @property
    def words(self) -> str:
        return f"{'my' if self.listing.mine else 'the'} {self.listing.things.noun.many}{self.clause}"

    @property
    def fetched(self) -> str:
        return f'tools.{self.listing.tool}()["{self.listing.field}"]'

    @property
    def test(self) -> str:
        return " and ".join(condition.python for condition in self.conditions)

    @property
    def source(self) -> str:
        return f"{self.listing.things.table} r"

    @property
    def where(self) -> str:
        return " AND ".join([self.listing.where, *(condition.sql for condition in self.conditions)])

    @property
    def values(self) -> list[str | int]:
        return [condition.value for condition in self.conditions]


def selections(listing: Listing, least: int) -> Iterator[Selection]:
    """All of a list, and the part of it with one value of a column that has a few."""
    if len(listing.rows) >= least:
        yield Selection(listing)
    for column in listing.things.columns:
        for value in column.values if column.name in listing.shown else ():
            chosen = Selection(listing, (allowed_value(column, value),))
            if least <= len(chosen.rows) < len(listing.rows):
                yield chosen


@dataclass(frozen=True)
class Figure:
    """One number that a program finds out."""

    kind: str
    """Figures of one kind can be compared: `count`, or the unit of what is added up."""
    words: str
    """What it is: "how many bookings of mine there are"."""
    code: str
    """The body of a function of `tools` that returns it."""
    sql: str
    """A query of the database at the start whose column `value` it is."""
    values: tuple[str | int, ...]
    value: int
    calls: int
    tools: frozenset[str]
    nouns: tuple[str, ...]


def of_list(selection: Selection, measure: Measure | None) -> Figure:
    """How many there are, or what their measure adds up to."""
    filtered = f"row for row in rows{' if ' + selection.test if selection.test else ''}"
    if measure is None:
        said = f"how many {selection.listing.things.noun.many}{_mine(selection)}{selection.clause} there are"
        found, value, aggregate = f"len([{filtered}])", len(selection.rows), "count(*)"
    else:
        said = f"what the {measure.called} of all {selection.words} adds up to{_in(measure)}"
        found = f'sum(row["{measure.column}"] for {filtered.removeprefix("row for ")})'
        value = sum(row[measure.column] for row in selection.rows)
        aggregate = f"coalesce(sum(r.{measure.column}), 0)"
    return Figure(
        _kind(measure),
        said,
        f"rows = {selection.fetched}\nreturn {found}",
        f"SELECT {aggregate} AS value FROM {selection.source} WHERE {selection.where}",
        tuple(selection.values),
        value,
        1,
        frozenset({selection.listing.tool}),
        (selection.listing.things.noun.one,),
    )


def of_extreme(selection: Selection, measure: Measure) -> Figure:
    """The most that one of them has."""
    values = f'row["{measure.column}"] for row in rows{" if " + selection.test if selection.test else ""}'
    return Figure(
        f"highest {_kind(measure)}",
        f"what the highest {measure.called} among {selection.words} is{_in(measure)}",
        f"rows = {selection.fetched}\nreturn max({values})",
        f"SELECT max(r.{measure.column}) AS value FROM {selection.source} WHERE {selection.where}",
        tuple(selection.values),
        max(row[measure.column] for row in selection.rows),
        1,
        frozenset({selection.listing.tool}),
        (selection.listing.things.noun.one,),
    )


def of_details(selection: Selection, detail: Detail, measure: Measure | None) -> Figure:
    """The same over the parts of every one of them."""
    ids = {row["id"] for row in selection.rows}
    parts = [row for row in detail.parts.rows if row[detail.key] in ids]
    if measure is None:
        said = f"how many {detail.parts.noun.many} {selection.words} have altogether"
        value, aggregate = len(parts), "count(*)"
    else:
        said = (
            f"what the {measure.called} of all {detail.parts.noun.many} of {selection.words} adds up to{_in(measure)}"
        )
        value, aggregate = sum(row[measure.column] for row in parts), f"coalesce(sum(p.{measure.column}), 0)"
    return Figure(
        _kind(measure),
        said,
        f"found = 0\n{each_part(selection, detail, f'found += {part_value(measure)}')}return found",
        f"SELECT {aggregate} AS value FROM {detail.parts.table} p JOIN {selection.source} ON p.{detail.key} = r.id"
        f" WHERE {selection.where}",
        tuple(selection.values),
        value,
        1 + len(selection.rows),
        frozenset({selection.listing.tool, detail.tool}),
        (selection.listing.things.noun.one, detail.parts.noun.one),
    )


def each_part(selection: Selection, detail: Detail, then: str) -> str:
    """A loop over the selection that fetches the `parts` of each `row`."""
    inner = [f'parts = tools.{detail.tool}({detail.parameter}=row["id"])["{detail.field}"]', then]
    lines = [f"for row in {selection.fetched}:"]
    if selection.test:
        lines += [f"    if not ({selection.test}):", "        continue"]
    return "\n".join([*lines, *(f"    {line}" for line in inner)]) + "\n"


def part_value(measure: Measure | None) -> str:
    return "len(parts)" if measure is None else f'sum(part["{measure.column}"] for part in parts)'


def _kind(measure: Measure | None) -> str:
    return "count" if measure is None else measure.unit or measure.called


def _mine(selection: Selection) -> str:
    return " of mine" if selection.listing.mine else ""


def _in(measure: Measure) -> str:
    return f", in {measure.unit}" if measure.unit else ""
