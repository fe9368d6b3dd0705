"""Making a workspace: the bundles of its servers become one, which is played, judged and served like any other.

    workspace = Workspace(key=…, servers=[WorkspaceServer(prefix="barber", environment=…), …], …)
    bundle = await workspace_bundle(runtime, workspace, {key: bundle, …})

Belongs here: what the servers' tools, tables, rules and rows are called in it, and its clock. Does not: tasks
(`tasks.workspaces`), and what a session of one does (`workspace_session`).

There is one clock, the latest of the servers' states. Rows are written around the time of their state, so states that
lie more than a day apart are refused: a world that is opened months later has nothing to come.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from pydantic import ValidationError

from envfactory_dagster.contracts.bundle import Bundle, Provenance, State
from envfactory_dagster.contracts.domain import INITIAL_STATE, Rule, Theme, ThemeSource
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.workspace import Workspace, WorkspaceServer
from envfactory_dagster.runtime.bundle_scripts import judge_source, server_source
from envfactory_dagster.runtime.databases import joined, with_rows_given
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.prefixes import prefixed, renamed_texts, renaming
from envfactory_dagster.runtime.runtime import Runtime

MOST_BETWEEN_CLOCKS = timedelta(days=1)
_TOOLS_SOURCE = '"""The code of the tools lies with their servers: `servers/PREFIX/tools.py`."""\n'


async def workspace_bundle(runtime: Runtime, workspace: Workspace, bundles: Mapping[str, Bundle]) -> Bundle:
    """The workspace without tasks. `bundles` are those of its environments, by key."""
    chosen = {server.prefix: _chosen(server, bundles) for server in workspace.servers}
    clock = _clock(workspace, chosen)
    in_order = sorted(workspace.servers, key=lambda one: one.prefix)  # as they are read from a folder
    servers = {one.prefix: await _server(runtime, one, chosen[one.prefix], clock) for one in in_order}
    _refuse_clashes(servers)
    images = {prefix: server.states[INITIAL_STATE].image for prefix, server in servers.items()}
    schema_sql, image = await joined(runtime, images)
    return Bundle(
        theme=_theme(workspace, servers),
        tasks=[],
        schema_sql=schema_sql,
        seed_sql="",
        states={INITIAL_STATE: State(image, clock)},
        tools=[tool for prefix, server in servers.items() for tool in _tools(prefix, server)],
        tools_source=_TOOLS_SOURCE,
        server_source=server_source(),
        storage="workspace",
        servers=servers,
        judge_source=judge_source(),
        provenance=Provenance(parents={prefix: bundle.version for prefix, bundle in chosen.items()}),
    )


def _chosen(server: WorkspaceServer, bundles: Mapping[str, Bundle]) -> Bundle:
    bundle = bundles.get(server.environment)
    if bundle is None:
        raise UsageError(f"The workspace asks for {server.environment!r}, which was not given.")
    if bundle.storage != "sqlite":
        raise UsageError(f"{bundle.key} cannot be part of a workspace: it has no tables of its own ({bundle.storage}).")
    if bundle.made_before_reports:
        raise UsageError(f"{bundle.key} was made before reports: rebuild it (`envfactory build {bundle.key}`).")
    if server.state not in bundle.states:
        known = ", ".join(sorted(bundle.shared_states))
        raise UsageError(f"The environment {bundle.key} has no state {server.state!r}; it has: {known}.")
    return bundle


def _clock(workspace: Workspace, chosen: Mapping[str, Bundle]) -> str:
    clocks = {one.prefix: chosen[one.prefix].states[one.state].clock for one in workspace.servers}
    first, last = min(clocks.values()), max(clocks.values())
    if datetime.fromisoformat(last) - datetime.fromisoformat(first) > MOST_BETWEEN_CLOCKS:
        said = ", ".join(f"{prefix} at {clock}" for prefix, clock in clocks.items())
        raise UsageError(f"The states of {workspace.key} lie more than a day apart ({said}): choose others.")
    return last


async def _server(runtime: Runtime, server: WorkspaceServer, bundle: Bundle, clock: str) -> Bundle:
    """The environment as it is in the workspace: one state, and nothing of its own tasks."""
    image = bundle.states[server.state].image
    if server.given:
        image = await with_rows_given(runtime, image, server.given)
    return replace(
        bundle,
        states={INITIAL_STATE: State(image, clock)},
        seed_sql="",
        tasks=[],
        solutions={},
        verifiers={},
        answer_forms={},
        families={},
        conversations={},
        words={},
        tool_tests={},
        inspection=None,
        judge_source="",
    )


def _refuse_clashes(servers: Mapping[str, Bundle]) -> None:
    """`a` with `b_c` and `a_b` with `c` would be one name; prefixes have no underscore, so only odd names get here."""
    tools = [name for prefix, server in servers.items() for name in _names(prefix, server)]
    if clashing := sorted(name for name, count in Counter(name.lower() for name in tools).items() if count > 1):
        raise UsageError(f"Two servers would have a tool or a table of the same name: {', '.join(clashing)}.")


def _names(prefix: str, server: Bundle) -> Iterator[str]:
    yield from (f"tool {prefixed(prefix, tool.name)}" for tool in server.tools)
    yield from (f"table {prefixed(prefix, table)}" for table in load_schema(server.schema_sql).tables)


def _theme(workspace: Workspace, servers: Mapping[str, Bundle]) -> Theme:
    places = [
        f"Names that begin with `{prefix}_` are of: {server.theme.name}. {server.theme.description}"
        for prefix, server in servers.items()
    ]
    rules = [
        Rule(id=prefixed(prefix, rule.id), text=f"{server.theme.name}: {rule.text}")
        for prefix, server in servers.items()
        for rule in server.theme.rules
    ]
    return Theme(
        key=workspace.key,
        name=workspace.name,
        category=workspace.category,
        description="\n".join([workspace.description, *places]),
        entities=list(dict.fromkeys(entity for server in servers.values() for entity in server.theme.entities)),
        rules=rules,
        source=ThemeSource(kind="hand"),
    )


def _tools(prefix: str, server: Bundle) -> Iterator[ToolDefinition]:
    rename = renaming(prefix, [tool.name for tool in server.tools])
    for tool in server.tools:
        try:
            yield ToolDefinition(
                name=prefixed(prefix, tool.name),
                description=f"{server.theme.name}: {rename(tool.description)}",
                inputSchema=renamed_texts(tool.inputSchema, rename),
                outputSchema=renamed_texts(tool.outputSchema, rename),
                annotations=tool.annotations,
                principal=tool.principal,
                confirmed_by=[prefixed(prefix, name) for name in tool.confirmed_by],
            )
        except ValidationError as error:
            raise UsageError(f"{tool.name} has too long a name for the prefix {prefix!r}.") from error
