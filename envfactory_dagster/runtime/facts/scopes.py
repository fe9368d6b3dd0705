"""Names inside a statement: which source a column name means, the way SQLite decides it.

Belongs here: relations, scopes and lookups. Does not: reading SQL (`lineage.py`); nothing here knows sqlglot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from envfactory_dagster.runtime.facts.flow import COMPUTED, Flow, either, only
from envfactory_dagster.runtime.facts.results import ColumnRef
from envfactory_dagster.runtime.facts.schema import SchemaTable

_ROWID_NAMES = ("rowid", "oid", "_rowid_")


class NotUnderstood(Exception):
    """The statement uses something whose lineage is not followed; caught where the reading began."""


@dataclass(frozen=True, slots=True)
class Relation:
    """The columns of a table, subquery or result, in order; `hidden` ones answer to a name but not to `*`."""

    columns: tuple[tuple[str, Flow], ...] = ()
    hidden: tuple[tuple[str, Flow], ...] = ()

    def find(self, name: str) -> Flow | None:
        """The flow of the column of that name, in any case."""
        wanted = name.lower()
        for column, flow in (*self.columns, *self.hidden):
            if column.lower() == wanted:
                return flow
        return None

    def renamed(self, names: Sequence[str]) -> "Relation":
        """The same columns under new names; none given, none changed."""
        if not names:
            return self
        if len(names) != len(self.columns):
            raise NotUnderstood
        return Relation(tuple((name, flow) for name, (_, flow) in zip(names, self.columns, strict=True)))

    def merged_with(self, other: "Relation") -> "Relation":
        """What UNION makes of the two."""
        if len(self.columns) != len(other.columns):
            raise NotUnderstood
        pairs = zip(self.columns, other.columns, strict=True)
        return Relation(tuple((name, either((mine, theirs))) for (name, mine), (_, theirs) in pairs))


def of_table(table: SchemaTable) -> Relation:
    """A table's own columns, each coming from itself."""
    rowid = only(ColumnRef(table.name, table.rowid_column)) if table.rowid_column else COMPUTED
    return Relation(
        columns=tuple((column.name, only(ColumnRef(table.name, column.name))) for column in table.columns),
        hidden=tuple((name, rowid) for name in _ROWID_NAMES),
    )


@dataclass(slots=True)
class Scope:
    """One level of a statement: common tables it names, sources it selects from, aliases it gives."""

    outer: "Scope | None" = None
    common_tables: dict[str, Relation] = field(default_factory=dict)
    sources: list[tuple[str, Relation]] = field(default_factory=list)
    shared: dict[str, Flow] = field(default_factory=dict)
    aliases: Relation = field(default_factory=Relation)

    def inner(self) -> "Scope":
        """A level inside this one."""
        return Scope(outer=self)

    def add(self, name: str, relation: Relation) -> None:
        """Select from one more source."""
        self.sources.append((name.lower(), relation))

    def join_using(self, names: Sequence[str], relation: Relation, *, right_rows_kept: bool) -> None:
        """Let `names` mean one column for this scope and `relation`, which is about to be added."""
        for name in names:
            left, right = self._find("", name), relation.find(name)
            if left is None or right is None:
                raise NotUnderstood
            self.shared[name.lower()] = either((left, right)) if right_rows_kept else left

    def common_names(self, relation: Relation) -> list[str]:
        """The columns NATURAL JOIN would use."""
        return [name for name, _ in relation.columns if any(source.find(name) for _, source in self.sources)]

    def common_table(self, name: str) -> Relation | None:
        """The common table expression of that name that is visible from here."""
        scope: Scope | None = self
        while scope is not None:
            if name.lower() in scope.common_tables:
                return scope.common_tables[name.lower()]
            scope = scope.outer
        return None

    def resolve(self, table: str, name: str) -> Flow:
        """What a column name means here; `table` is empty where it is not qualified."""
        scope: Scope | None = self
        while scope is not None:
            flow = scope._find(table.lower(), name)
            if flow is None and not table:
                flow = scope.aliases.find(name)
            if flow is not None:
                return flow
            scope = scope.outer
        return COMPUTED

    def star(self, table: str = "") -> list[tuple[str, Flow]]:
        """The columns of `*`, or of `table.*`."""
        if table:
            return [c for source, relation in self.sources if source == table.lower() for c in relation.columns]
        columns: list[tuple[str, Flow]] = []
        seen: set[str] = set()
        for _, relation in self.sources:
            for name, flow in relation.columns:
                shared = self.shared.get(name.lower())
                if shared is None:
                    columns.append((name, flow))
                elif name.lower() not in seen:
                    columns.append((name, shared))
                    seen.add(name.lower())
        return columns

    def _find(self, table: str, name: str) -> Flow | None:
        if not table and name.lower() in self.shared:
            return self.shared[name.lower()]
        for source, relation in self.sources:
            if table in ("", source):
                flow = relation.find(name)
                if flow is not None:
                    return flow
        return None
