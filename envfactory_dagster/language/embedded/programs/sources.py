"""What a program can go over in one state of an environment: lists, the parts of what is listed, and deeds.

Every source was tried: the rows that its tool tells are known to be exactly those that a condition in SQL gives, so
that a verifier can say of the database what a program finds out through tools. Belongs here: finding and trying
sources. Does not: what is asked about them (`asking`, `acting`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from envfactory_dagster.language.embedded.kit import Row, RowOf, Tool
from envfactory_dagster.language.embedded.plan import Binding, Plan
from envfactory_dagster.language.embedded.programs.practice import Practice
from envfactory_dagster.language.embedded.tables import Column, columns_of, table_name
from envfactory_dagster.language.embedded.text import Noun, identifier
from envfactory_dagster.language.embedded.world import World

USER = 1
MOST_HOPS = 3


@dataclass(frozen=True)
class Things:
    """One table with its rows, and the words for them."""

    table: str
    noun: Noun
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    """By the columns' names in the database."""

    @property
    def owner(self) -> str | None:
        """The column that says whose a row is."""
        return next((column.name for column in self.columns if column.key == "person_id"), None)

    def column(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)


@dataclass(frozen=True)
class Equal:
    """A column with one of the values that its table allows."""

    column: Column
    value: str


@dataclass(frozen=True)
class Listing:
    """A tool that lists things without having to be told anything."""

    tool: str
    field: str
    things: Things
    shown: tuple[str, ...]
    where: str
    """Which rows it lists, in SQL."""
    rows: tuple[Row, ...]
    mine: bool
    only: Equal | None
    """What all rows it lists have in common, where it leaves others out."""


@dataclass(frozen=True)
class Detail:
    """A tool that lists the parts of one thing, and does so completely for each."""

    tool: str
    parameter: str
    field: str
    parts: Things
    key: str
    """The column of the parts that refers to the thing."""
    shown: tuple[str, ...]


@dataclass(frozen=True)
class Deed:
    """A tool that does something to one thing, and the words for it."""

    tool: str
    parameter: str
    verb: str


class Sources:
    """Everything to make programs of in one state."""

    def __init__(self, world: World) -> None:
        self.practice = Practice(world)
        self._plan = world.plan
        self._world = world
        self._things = {
            (binding.module.name, entity.role): self._table(binding, entity.role)
            for binding in world.plan.bindings
            for entity in binding.entities()
        }
        self.listings = [*self._listings()]

    def details(self, listing: Listing) -> list[Detail]:
        """What can be asked of each thing of a list, and is told completely."""
        parameter = f"{identifier(listing.things.noun.one)}_id"
        found = []
        for binding, tool in _tools(self._plan, "read"):
            if _required(binding, tool) == [parameter]:
                for field, row in _lists(binding, tool):
                    detail = self._detail(binding, binding.prose(tool.name), parameter, field, row, listing)
                    found += [detail] if detail is not None else []
        return found

    def deeds(self, listing: Listing) -> list[Deed]:
        noun = identifier(listing.things.noun.one)
        found = []
        for effect in ("change", "delete"):
            for binding, tool in _tools(self._plan, effect):
                name = binding.prose(tool.name)
                if _required(binding, tool) == [f"{noun}_id"] and name.endswith(f"_{noun}"):
                    found.append(Deed(name, f"{noun}_id", name.removesuffix(f"_{noun}").replace("_", " ")))
        return found

    def _table(self, binding: Binding, role: str) -> Things:
        entity = next(entity for entity in binding.entities() if entity.role == role)
        columns = tuple(columns_of(binding, entity))
        rows = self._world.tables[binding.module.name, role]
        named = tuple({column.name: row[column.key] for column in columns} for row in rows)
        return Things(table_name(binding, role), binding.nouns[role], columns, named)

    def _listings(self) -> Iterator[Listing]:
        for binding, tool in _tools(self._plan, "read"):
            if _required(binding, tool):
                continue
            name = binding.prose(tool.name)
            told = self.practice.call(name)
            for field, row in _lists(binding, tool):
                things = self._things[binding.owners[row.role]]
                shown = _shown(things, row)
                if told is not None and "id" in shown:
                    yield from self._tried(name, field, things, shown, told[field])

    def _tried(
        self, tool: str, field: str, things: Things, shown: tuple[str, ...], told: Sequence[Row]
    ) -> Iterator[Listing]:
        """The list with the condition that gives exactly its rows, if there is one."""
        for where, rows, mine, only in self._conditions(things):
            if rows and _same(told, rows, shown):
                yield Listing(tool, field, things, shown, where, tuple(rows), mine, only)
                return

    def _conditions(self, things: Things) -> Iterator[tuple[str, list[Row], bool, Equal | None]]:
        plain = [*self._scopes(things)]
        yield from ((where, rows, mine, None) for where, rows, mine in plain)
        for where, rows, mine in plain:
            for column in things.columns:
                for value in column.values:
                    some = [row for row in rows if row[column.name] == value]
                    yield f"{where} AND r.{column.name} = '{value}'", some, mine, Equal(column, value)

    def _scopes(self, things: Things) -> Iterator[tuple[str, list[Row], bool]]:
        """The user's own rows, those that belong to something of the user, and all rows."""
        for where, own in self._owned(things, MOST_HOPS):
            yield where, [row for row in things.rows if row["id"] in own], True
        yield "1 = 1", list(things.rows), False

    def _owned(self, things: Things, hops: int, name: str = "r") -> Iterator[tuple[str, set[int]]]:
        """Conditions by which rows are the user's, by their own column or by what they belong to, with the rows."""
        if things.owner is not None:
            yield f"{name}.{things.owner} = {USER}", {r["id"] for r in things.rows if r[things.owner] == USER}
            return
        for column in things.columns:
            parent = next((other for other in self._things.values() if other.table == column.parent), None)
            if parent is not None and parent is not things and hops:
                inner = f"{name}{name[0]}"
                for where, own in self._owned(parent, hops - 1, inner):
                    chosen = f"SELECT {inner}.id FROM {parent.table} {inner} WHERE {where}"
                    belonging = {row["id"] for row in things.rows if row[column.name] in own}
                    yield f"{name}.{column.name} IN ({chosen})", belonging

    def _detail(
        self, binding: Binding, tool: str, parameter: str, field: str, row: RowOf, listing: Listing
    ) -> Detail | None:
        parts = self._things[binding.owners[row.role]]
        shown = _shown(parts, row)
        key = next((column.name for column in parts.columns if column.parent == listing.things.table), None)
        if key is None or not shown:
            return None
        for thing in listing.rows:
            told = self.practice.call(tool, **{parameter: thing["id"]})
            if told is None or not _same(told[field], [part for part in parts.rows if part[key] == thing["id"]], shown):
                return None
        return Detail(tool, parameter, field, parts, key, shown)


def _tools(plan: Plan, effect: str) -> Iterator[tuple[Binding, Tool]]:
    for binding in plan.bindings:
        yield from ((binding, t) for t in binding.tools() if t.effect == effect and t.principal == "assistant")


def _required(binding: Binding, tool: Tool) -> list[str]:
    return [binding.prose(name) for name, schema in tool.params.items() if "default" not in schema]


def _lists(binding: Binding, tool: Tool) -> Iterator[tuple[str, RowOf]]:
    """The fields of a result that are lists of rows of a table."""
    for name, schema in tool.returns.items():
        if isinstance(schema, dict) and isinstance(schema.get("items"), RowOf):
            yield binding.prose(name), schema["items"]


def _shown(things: Things, row: RowOf) -> tuple[str, ...]:
    """The columns of the table that a result shows, under their names there."""
    return tuple(column.name for column in things.columns if column.key in row.columns)


def _same(told: Sequence[Row], rows: Sequence[Row], shown: Sequence[str]) -> bool:
    def contents(found: Sequence[Row]) -> Counter[Any]:
        return Counter(tuple(row.get(name) for name in shown) for row in found)

    return len(told) == len(rows) and contents(told) == contents(rows)


def words(name: str) -> str:
    return re.sub(r"[_\s]+", " ", name).strip()
