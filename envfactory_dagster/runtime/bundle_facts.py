"""The facts of a bundle's tools, those of a workspace under the names they have there.

Belongs here: facts of whole bundles. Does not: finding facts (`facts`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.facts.results import ColumnRef, Statement, TableWrite, ToolFact, ToolFacts
from envfactory_dagster.runtime.prefixes import prefixed

_analyzed = lru_cache(maxsize=16)(analyze_tools)


def facts_of(bundle: Bundle) -> ToolFacts:
    if not bundle.servers:
        return _analyzed(bundle.tools_source, bundle.schema_sql)
    tools: dict[str, ToolFact] = {}
    for prefix, server in bundle.servers.items():
        name = partial(prefixed, prefix)
        tools |= {name(tool): _renamed(fact, name) for tool, fact in facts_of(server).tools.items()}
    return ToolFacts(tools, ())


def _renamed(fact: ToolFact, name: Callable[[str], str]) -> ToolFact:
    def columns(found: Iterable[ColumnRef]) -> tuple[ColumnRef, ...]:
        return tuple(replace(one, table=name(one.table)) for one in found)

    def read(tables: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {name(table): names for table, names in tables.items()}

    def written(writes: Iterable[TableWrite]) -> tuple[TableWrite, ...]:
        return tuple(replace(one, table=name(one.table)) for one in writes)

    def statement(one: Statement) -> Statement:
        return replace(one, reads=read(one.reads), writes=written(one.writes))

    return replace(
        fact,
        name=name(fact.name),
        statements=tuple(map(statement, fact.statements)),
        reads=read(fact.reads),
        writes=written(fact.writes),
        uses=tuple(replace(use, column=columns([use.column])[0]) for use in fact.uses),
        outputs=tuple(replace(output, columns=columns(output.columns)) for output in fact.outputs),
    )
