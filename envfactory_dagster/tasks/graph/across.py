"""The tool graph of a workspace: those of its servers, and edges from one server to another.

Belongs here: which values of one server can be of use at another, which knows nothing of it. Does not: edges within a
server (`lineage`).

No id of one server means anything at another. What passes are days and sums of money: when something of the person's
own is at one place says when to look or book at the other, and what it costs there what is left for here. So an edge
leads from what a tool tells of the person's own rows to parameters of the same kind. Of the days only those count of
which the rows know some to come: a day of birth, or one on which something ended, is no reason to book anything. All of
these edges are weak: the person may know the value.
"""

from collections.abc import Iterator, Mapping

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.graph import ToolGraph
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.bundle_facts import facts_of
from envfactory_dagster.runtime.facts import ColumnRef, ToolFact, load_schema
from envfactory_dagster.runtime.images import read_rows
from envfactory_dagster.runtime.prefixes import prefixed
from envfactory_dagster.tasks.graph.draft import GraphDraft, GraphLink
from envfactory_dagster.tasks.graph.evidence import by_both
from envfactory_dagster.tasks.graph.lineage import Lineage
from envfactory_dagster.tasks.graph.schema_paths import Leaf, inputs, outputs
from envfactory_dagster.truth.changesets import MOMENT


def workspace_graph(bundle: Bundle) -> ToolGraph:
    """By facts alone: no model and no embedder is asked."""
    facts = facts_of(bundle)
    within = by_both(bundle.tools, Lineage(bundle.tools, facts, load_schema(bundle.schema_sql)), [])
    return GraphDraft(within.tools, [*within.links, *links_across(bundle, facts.tools)], within.internal).graph()


def links_across(bundle: Bundle, facts: Mapping[str, ToolFact]) -> list[GraphLink]:
    server_of = {
        prefixed(prefix, tool.name): prefix for prefix, server in bundle.servers.items() for tool in server.tools
    }
    past = _never_to_come(bundle)
    told = [leaf for tool in bundle.tools for leaf in _of_the_person(tool, facts.get(tool.name), past)]
    wanted = [leaf for tool in bundle.tools for leaf in _asked(tool, facts.get(tool.name), past)]
    return [
        GraphLink(output.tool, output.path, parameter.tool, parameter.path, "semantic")
        for parameter in wanted
        for output in told
        if server_of[output.tool] != server_of[parameter.tool] and _kind(output) == _kind(parameter) is not None
    ]


def _of_the_person(tool: ToolDefinition, fact: ToolFact | None, past: set[ColumnRef]) -> Iterator[Leaf]:
    """What a reading tool tells of rows that are the person's."""
    if fact is None or not tool.annotations.readOnlyHint or not fact.own_row_columns():
        return
    over = {field.path for field in fact.outputs if field.columns and past.issuperset(field.columns)}
    yield from (leaf for leaf in outputs(tool) if leaf.path not in over)


def _asked(tool: ToolDefinition, fact: ToolFact | None, past: set[ColumnRef]) -> Iterator[Leaf]:
    """What a tool takes that somebody could have read elsewhere."""
    columns: dict[str, set[ColumnRef]] = {}
    for use in fact.uses if fact is not None else ():
        columns.setdefault(use.source, set()).add(use.column)
    for leaf in inputs(tool):
        held_against = columns.get(leaf.path, set())
        if not leaf.enumerated and not (held_against and past >= held_against):
            yield leaf


def _never_to_come(bundle: Bundle) -> set[ColumnRef]:
    """The columns of days and moments of which no row has one that is still to come."""
    state = bundle.states[INITIAL_STATE]
    columns = {
        name: [column.name for column in table.columns if column.type == "TEXT"]
        for name, table in load_schema(bundle.schema_sql).tables.items()
    }
    found = set[ColumnRef]()
    texts = {table: names for table, names in columns.items() if names}
    for table, rows in read_rows(state.image, texts).items():
        for column in columns[table]:
            days = [str(row[column]) for row in rows if row[column] is not None]
            if all(MOMENT.fullmatch(day) for day in days) and all(day <= state.clock for day in days):
                found.add(ColumnRef(table, column))
    return found


def _kind(leaf: Leaf) -> str | None:
    if leaf.format in ("date", "date-time"):
        return "time"
    return "money" if leaf.name.endswith("_cents") else None
