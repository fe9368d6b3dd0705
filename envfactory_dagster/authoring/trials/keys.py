"""What keys mean in a schema: which columns hold the same kind of id, and which say whose a row is.

Belongs here: questions to the schema and the facts of the tools. Does not: rows (`world`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.trials.statements import demands
from envfactory_dagster.runtime.facts import USER, ColumnRef, ParameterUse, Schema, ToolFact, fk_graph


@dataclass(frozen=True)
class Keys:
    """The keys of one schema."""

    schema: Schema

    @cached_property
    def people(self) -> ColumnRef:
        """The id of the people: the user is row 1 of the first table."""
        table = next(iter(self.schema.tables.values()))
        return ColumnRef(table.name, table.primary_key[0])

    @cached_property
    def _parents(self) -> dict[ColumnRef, tuple[ColumnRef, ...]]:
        return fk_graph(self.schema)

    @cached_property
    def _domains(self) -> dict[ColumnRef, ColumnRef]:
        """Every id column, with the key that its references end at."""
        found = {}
        for table in self.schema.tables.values():
            for column in table.columns:
                here = ColumnRef(table.name, column.name)
                if here in self._parents or table.primary_key == (column.name,):
                    found[here] = self._end(here, ())
        return found

    def _end(self, column: ColumnRef, passed: tuple[ColumnRef, ...]) -> ColumnRef:
        parents = [parent for parent in self._parents.get(column, ()) if parent != column and parent not in passed]
        return self._end(parents[0], (*passed, column)) if parents else column

    def domain(self, column: ColumnRef) -> ColumnRef | None:
        """The key whose values the column holds; None for a column that holds no ids."""
        return self._domains.get(column)

    def is_a_person(self, column: ColumnRef) -> bool:
        return self.domain(column) == self.people

    def names_one_row(self, column: ColumnRef) -> bool:
        """Whether a value of the column belongs to at most one row."""
        table = self.schema.tables[column.table]
        return table.primary_key == (column.column,) or (column.column,) in table.unique

    def refers(self, column: ColumnRef) -> bool:
        return column in self._parents

    def references_to_people(self) -> Iterator[ColumnRef]:
        return (column for column in self._parents if self.is_a_person(column))

    def table_called(self, name: str) -> ColumnRef | None:
        """The key of the one table that `name` is the singular of; None when no table is called so, or several are."""
        wanted = texts.words(name.replace("_", " "))
        called = [t for t in self.schema.tables.values() if texts.words(t.name.replace("_", " ")) == wanted]
        if len(called) != 1 or len(called[0].primary_key) != 1:
            return None
        return self.domain(ColumnRef(called[0].name, called[0].primary_key[0]))


def owner_columns(facts: Mapping[str, ToolFact], keys: Keys) -> dict[str, set[ColumnRef]]:
    """Table → the columns that some tool holds against the user's id to know the user's own rows."""
    owners: dict[str, set[ColumnRef]] = {}
    for fact in facts.values():
        for column in own_columns(fact, keys):
            owners.setdefault(column.table, set()).add(column)
    return owners


def guards(fact: ToolFact, keys: Keys) -> set[ColumnRef]:
    """The references to people that a row has to hold the user's id in before this tool does anything with it: a
    condition of its SQL, or in a command a comparison in Python."""
    demanded = {demand for statement in fact.statements for demand in demands(statement.sql)}
    own = own_columns(fact, keys)
    in_sql = {column for column in own if {(column.table, column.column), ("", column.column)} & demanded}
    in_python = {use.column for use in fact.uses if _is_of_the_user(use) and use.use == "check"} & own
    return in_sql | in_python if fact.writes else in_sql


def private_tables(fact: ToolFact, keys: Keys) -> set[str]:
    """The tables of which this tool reads the user's own rows and no others."""
    found = set()
    for column in own_columns(fact, keys):
        reading = [demands(statement.sql) for statement in fact.statements if column.table in statement.reads]
        if all({(column.table, column.column), ("", column.column)} & demanded for demanded in reading):
            found.add(column.table)
    return found


def own_columns(fact: ToolFact, keys: Keys) -> set[ColumnRef]:
    """The references to people that this tool compares with the user's id, for whatever reason."""
    compared = {use.column for use in fact.uses if _is_of_the_user(use) and use.use != "value"}
    return {column for column in compared if keys.refers(column) and keys.is_a_person(column)}


def _is_of_the_user(use: ParameterUse) -> bool:
    return use.source == USER and use.operator in ("=", "!=")
