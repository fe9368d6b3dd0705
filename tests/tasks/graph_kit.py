"""Small tools and graphs for the tests of this room, and who makes tasks along a graph."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Rule, Theme, ThemeSource
from envfactory_dagster.contracts.graph import GraphEdge, GraphParameter, GraphTool, ParameterLink, ToolGraph
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import StageInput
from envfactory_dagster.contracts.synthesis import MadeTasks
from envfactory_dagster.contracts.tools import Principal, ToolAnnotations, ToolDefinition
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.graph.evidence import by_facts
from envfactory_dagster.tasks.graph.lineage import Lineage
from envfactory_dagster.tasks.graph_tasks.making import Maker
from envfactory_dagster.tasks.graph_tasks.stage import GraphTaskSettings, GraphTasksStage
from tests.tasks.labelled import Labelled

THEME = Theme(
    key="hut-desk",
    name="Hut desk",
    category="Travel",
    description="A desk where people book huts.",
    entities=["hut"],
    rules=[Rule(id="own", text="People change only what is theirs.")],
    source=ThemeSource(kind="hand"),
)


def tool(
    name: str,
    takes: dict[str, Any] | None = None,
    gives: Sequence[str] = (),
    *,
    optional: Sequence[str] = (),
    principal: Principal = "assistant",
    read_only: bool = True,
) -> ToolDefinition:
    """A tool with the parameters' schemas, and plain fields in its result."""
    takes = takes or {}
    return ToolDefinition(
        name=name,
        description=f"{name.replace('_', ' ')}.",
        inputSchema={"type": "object", "properties": takes, "required": [p for p in takes if p not in optional]},
        outputSchema={"type": "object", "properties": {field: {"type": "integer"} for field in gives}},
        annotations=ToolAnnotations(readOnlyHint=read_only),
        principal=principal,
    )


def huts_graph(huts: Bundle) -> ToolGraph:
    """The graph of an environment by its facts alone."""
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    return by_facts(huts.tools, Lineage(huts.tools, facts, load_schema(huts.schema_sql))).graph()


def lineage_of(environment: Labelled) -> Lineage:
    facts = analyze_tools(environment.source, environment.schema_sql)
    return Lineage(environment.tools, facts, load_schema(environment.schema_sql))


def node(
    name: str, *needs: str, optional: Sequence[str] = (), said: Sequence[str] = (), outputs: Sequence[str] = ("value",)
) -> GraphTool:
    """A tool that requires the internal parameters `needs`; `said` are known to the user."""
    parameters = [
        *(GraphParameter(name=each, required=True, internal=True) for each in needs),
        *(GraphParameter(name=each, required=False, internal=True) for each in optional),
        *(GraphParameter(name=each, required=True, internal=False) for each in said),
    ]
    return GraphTool(name=name, principal="assistant", read_only=True, parameters=parameters, outputs=list(outputs))


def edge(source: str, target: str, *parameters: str, weight: Any = 3) -> GraphEdge:
    links = [ParameterLink(output="value", parameter=parameter, evidence="lineage") for parameter in parameters]
    return GraphEdge(source=source, target=target, weight=weight if parameters else 2, links=links)


def graph(tools: Sequence[GraphTool], *edges: GraphEdge) -> ToolGraph:
    return ToolGraph(tools=list(tools), edges=list(edges))


def maker_of(gateway: Gateway, runtime: Runtime, huts: Bundle) -> Maker:
    """Makes tasks for the assistant alone."""
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    return Maker(gateway, runtime, AuthoringSettings(), huts, huts_graph(huts).seen_by("assistant"), facts)


def stage_over(bundle: Bundle, gateway: Gateway, runtime: Runtime, home: Path, **wanted: object) -> GraphTasksStage:
    store = BundleStore(Home.resolve(home))
    store.keep(bundle)
    settings = replace(GraphTaskSettings(), **wanted)  # type: ignore[arg-type]
    return GraphTasksStage(gateway, runtime, AuthoringSettings(), store, settings)


async def made_by(stage: GraphTasksStage, bundle: Bundle) -> MadeTasks:
    """What the stage makes of an environment with the graph of its facts."""
    parents = {
        "environment": {"version": bundle.version},
        "tool_graph": huts_graph(bundle).model_dump(mode="json"),
    }
    records = {
        name: StageRecord(stage=name, partition="x", status="ok", inputs="", version="1", artifact=artifact)
        for name, artifact in parents.items()
    }
    outcome = await stage.make(StageInput(bundle.key, records))
    return MadeTasks.model_validate(outcome.artifact)
