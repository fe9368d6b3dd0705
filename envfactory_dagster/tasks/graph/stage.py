"""The stage `tool_graph`: all evidence about one environment, put together into its graph.

Belongs here: the order in which evidence is gathered, and what is shown of the graph. Does not: any evidence itself.
"""

from typing import Any

from envfactory_dagster.authoring.loop import Question, author, has_no_other_answer, outcome
from envfactory_dagster.authoring.server_code import TriedCode
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.database import DatabaseSchema
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.graph import STRONG, ToolGraph, ToolGraphRefinementAnswer
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.tools import ToolSpec
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.tasks.graph.draft import GraphDraft
from envfactory_dagster.tasks.graph.evidence import by_both
from envfactory_dagster.tasks.graph.lineage import Lineage
from envfactory_dagster.tasks.graph.refinement import INSTRUCTIONS, SCHEMA, context_of, problems_of, refined
from envfactory_dagster.tasks.graph.semantics import Likeness, semantic_links

EDGES_BY = 1
"""Raised when edges are found in another way, so that graphs are made anew."""


class ToolGraphStage:
    name = "tool_graph"
    upstream = ("theme", "database_schema", "tool_spec", "server_code")
    code_version = content_hash([INSTRUCTIONS, EDGES_BY])[:12]

    def __init__(self, gateway: Gateway, settings: AuthoringSettings, likeness: Likeness) -> None:
        self._gateway = gateway
        self._settings = settings
        self._likeness = likeness

    def settings_hash(self) -> str:
        likeness = self._likeness
        return content_hash([self._settings.hash_for(self.name), likeness.embedder, likeness.threshold])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        theme = Theme.model_validate(stage_input.artifact("theme"))
        draft = await self._draft(stage_input)

        async def gate(answer: ToolGraphRefinementAnswer) -> list[Problem]:
            return problems_of(draft, answer)

        authored = await author(
            self._gateway,
            Caller(self.name, stage_input.partition, Role.AUTHOR),
            Question(SCHEMA, ToolGraphRefinementAnswer, INSTRUCTIONS, context_of(theme, draft)),
            gate,
            attempts=self._settings.attempts,
        )
        if authored.value is None and has_no_other_answer(authored.attempts[-1]):
            graph, why = draft.graph(), authored.problems[0].message
            return StageOutcome(
                graph.model_dump(mode="json"), authored.attempts, metadata={"unrefined": why, **shown(graph)}
            )
        if authored.value is None:
            return outcome(authored, None)
        graph = refined(draft, authored.value).graph()
        return outcome(authored, graph, **shown(graph))

    async def _draft(self, stage_input: StageInput) -> GraphDraft:
        """By facts, and by likeness where they are silent."""
        tools = ToolSpec.model_validate(stage_input.artifact("tool_spec")).tools
        source = TriedCode.model_validate(stage_input.artifact("server_code")).source
        schema_sql = DatabaseSchema.model_validate(stage_input.artifact("database_schema")).sql()
        lineage = Lineage(tools, analyze_tools(source, schema_sql), load_schema(schema_sql))
        caller = Caller(self.name, stage_input.partition, Role.EMBEDDER)
        return by_both(tools, lineage, await semantic_links(self._gateway, caller, tools, self._likeness.threshold))


def shown(graph: ToolGraph) -> dict[str, Any]:
    """The graph as a table of its edges."""
    edges = [
        {
            "from": edge.source,
            "to": edge.target,
            "weight": edge.weight,
            "what passes": ", ".join(f"{link.output} → {link.parameter}" for link in edge.links) or edge.reason,
            "evidence": ", ".join(sorted({link.evidence for link in edge.links} or {"logical"})),
        }
        for edge in graph.edges
    ]
    return {"tools": len(graph.tools), "strong": sum(edge.weight == STRONG for edge in graph.edges), "edges": edges}
