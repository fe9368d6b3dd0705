"""Where one value comes from: the small algebra that SQL lineage and Python data flow share.

Belongs here: `Flow`, its two combinations, and the lineage of one statement expressed with it. Does not: finding
flows (`lineage.py` for SQL, `dataflow.py` for Python).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from envfactory_dagster.runtime.facts.results import ColumnRef, Use

Origin = ColumnRef | str
"""A column, or the name of a source: a placeholder inside SQL, a parameter (or `@user`, `@now`) inside Python."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The origins of a value; `exact` means that it is one of them unchanged (or NULL)."""

    origins: frozenset[Origin] = frozenset()
    exact: bool = True

    @property
    def columns(self) -> frozenset[ColumnRef]:
        """The origins that are columns."""
        return frozenset(origin for origin in self.origins if isinstance(origin, ColumnRef))

    @property
    def sources(self) -> frozenset[str]:
        """The origins that are not columns."""
        return frozenset(origin for origin in self.origins if isinstance(origin, str))

    @property
    def definite_columns(self) -> frozenset[ColumnRef]:
        """The columns that may be claimed: the value is one of them, or made from a single one."""
        return self.columns if self.exact or len(self.columns) == 1 else frozenset()

    @property
    def definite_sources(self) -> frozenset[str]:
        """The sources that may be claimed: the value is one of them, or made from a single one."""
        return self.sources if self.exact or len(self.sources) == 1 else frozenset()


NOTHING = Flow()
"""NULL: it comes from nowhere and spoils nothing it is an alternative to."""
COMPUTED = Flow(exact=False)
"""A constant or a count: it comes from no column and no source."""


def only(origin: Origin) -> Flow:
    """The origin itself."""
    return Flow(frozenset((origin,)))


def either(flows: Iterable[Flow]) -> Flow:
    """A value that is one of several."""
    alternatives = list(flows)
    origins = frozenset[Origin]().union(*(flow.origins for flow in alternatives))
    return Flow(origins, all(flow.exact for flow in alternatives))


def made_of(flows: Iterable[Flow]) -> Flow:
    """A value computed from several."""
    return Flow(frozenset[Origin]().union(*(flow.origins for flow in flows)), exact=False)


@dataclass(frozen=True, slots=True)
class PlaceholderUse:
    """What one statement does with the value bound to a placeholder."""

    placeholder: str
    column: ColumnRef
    use: Use
    operator: str
    exact: bool


@dataclass(frozen=True, slots=True)
class InsertShape:
    """The columns an INSERT gives, and those of them that it gives a literal NULL."""

    table: str
    columns: tuple[str, ...]
    nulls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StatementFlow:
    """One statement's placeholders, its result columns from left to right, and what it inserts."""

    uses: frozenset[PlaceholderUse]
    results: tuple[Flow, ...]
    insert: InsertShape | None
