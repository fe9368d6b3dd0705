"""The stage `conversations`: an environment's gated tasks as conversations, with their variants, each with its truth.

Belongs here: what goes in and comes out, and what is shown of it. Does not: making it (`maker`).
"""

import asyncio
from collections import Counter
from dataclasses import asdict

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph import ToolGraph
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTask, MadeTasks
from envfactory_dagster.contracts.truth import SolutionSet, VerifierSet
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.tasks.authored import authored_tasks
from envfactory_dagster.tasks.conversations import expanding, planning, refinements, variants
from envfactory_dagster.tasks.conversations.identifiers import Internals, names_inside
from envfactory_dagster.tasks.conversations.maker import STAGE, ConversationMaker
from envfactory_dagster.tasks.conversations.making import SpokenEnvironment
from envfactory_dagster.tasks.conversations.settings import ConversationSettings

MADE_BY = 7
"""Raised when conversations are made in another way, so that they are made anew."""
_PROMPTS = (
    expanding.FURTHER_WISHES,
    planning.instructions(refinements.OF_WORDS),
    variants.MISSING_PARAMETER,
    variants.RULES_QUESTION,
)
_OTHER_SOURCES = ("graph_tasks", "program_tasks")


class ConversationsStage:
    name = STAGE
    upstream = ("environment", "reference_solutions", "verifiers", "tool_graph", "graph_tasks", "program_tasks")
    code_version = content_hash([*_PROMPTS, MADE_BY])[:12]

    def __init__(
        self,
        gateway: Gateway,
        runtime: Runtime,
        settings: AuthoringSettings,
        bundles: BundleStore,
        conversations: ConversationSettings | None = None,
    ) -> None:
        self._gateway = gateway
        self._runtime = runtime
        self._settings = settings
        self._bundles = bundles
        self._conversations = conversations or ConversationSettings()

    def settings_hash(self) -> str:
        return content_hash([self._settings.hash_for(self.name), asdict(self._conversations)])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        version = stage_input.artifact("environment")["version"]
        bundle = await asyncio.to_thread(self._bundles.load, stage_input.partition, version)
        graph = ToolGraph.model_validate(stage_input.artifact("tool_graph"))
        spoken = ground_of(bundle, graph)
        maker = ConversationMaker(
            self._gateway, self._runtime, spoken, graph, self._settings.attempts, self._conversations
        )
        try:
            await maker.work(gated_tasks(stage_input, spoken))
        finally:
            self._runtime.retire(bundle)
        made = MadeTasks(tasks=maker.made, dropped=maker.dropped)
        return StageOutcome(made.model_dump(mode="json"), maker.attempts, metadata=_shown(made))


def ground_of(bundle: Bundle, graph: ToolGraph) -> SpokenEnvironment:
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    tables = list(load_schema(bundle.schema_sql).tables)
    return SpokenEnvironment(bundle, Internals.of_graph(graph), facts, names_inside(bundle, tables))


def gated_tasks(stage_input: StageInput, spoken: SpokenEnvironment) -> list[MadeTask]:
    """Every task of the environment that has its truth: the author's own, then those of the other sources."""
    solved = SolutionSet.model_validate(stage_input.artifact("reference_solutions"))
    verified = VerifierSet.model_validate(stage_input.artifact("verifiers"))
    own = authored_tasks(spoken.bundle, solved.solutions, verified.verifiers, spoken.facts)
    others = [MadeTasks.model_validate(stage_input.artifact(source)).tasks for source in _OTHER_SOURCES]
    return [*own, *(made for tasks in others for made in tasks)]


def _shown(made: MadeTasks) -> dict[str, Json]:
    talks = [(one.task.id, one.conversation) for one in made.tasks if one.conversation is not None]
    counted = Counter(talk.variant for _, talk in talks)
    return {
        "conversations": len(talks),
        "turns": sum(len(talk.turns) for _, talk in talks),
        "refined": dict(Counter(one for _, talk in talks for one in talk.refinements)),
        "variants": [{"variant": variant, "tasks": number} for variant, number in sorted(counted.items())],
        "requests": [
            {"task": task, "variant": talk.variant, "turn": number, "request": turn.request}
            for task, talk in talks
            for number, turn in enumerate(talk.turns, 1)
        ],
        "dropped": [one.model_dump(mode="json") for one in made.dropped],
    }
