"""The stage `graph_tasks`: tasks of every wanted level, made along the tool graph of one environment.

Belongs here: how many of which level, and what is shown of them. Does not: making one (`making`).
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph import ToolGraph
from envfactory_dagster.contracts.records import Attempt
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTask, MadeTasks
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.tasks.graph_tasks.dial import LEVELS
from envfactory_dagster.tasks.graph_tasks.making import STAGE, Maker, Wanted
from envfactory_dagster.tasks.graph_tasks.wanted_drafts import INSTRUCTIONS as CHOICE
from envfactory_dagster.tasks.graph_tasks.wanted_drafts import choose_drafts
from envfactory_dagster.tasks.graph_tasks.wording import INSTRUCTIONS
from envfactory_dagster.tasks.task_reading import INSTRUCTIONS as READING
from envfactory_dagster.truth.review import INSTRUCTIONS as REVIEW
from envfactory_dagster.truth.review import review
from envfactory_dagster.truth.task_by_task import listing

MADE_BY = 8
"""Raised when tasks are made in another way, so that they are made anew."""


@dataclass(frozen=True, slots=True)
class GraphTaskSettings:
    """The dial is set to each of the levels in turn."""

    count: int = 8
    levels: tuple[int, ...] = LEVELS
    seed: int = 0


class GraphTasksStage:
    name = STAGE
    upstream = ("environment", "tool_graph")
    code_version = content_hash([INSTRUCTIONS, CHOICE, REVIEW, READING, MADE_BY])[:12]

    def __init__(
        self,
        gateway: Gateway,
        runtime: Runtime,
        settings: AuthoringSettings,
        bundles: BundleStore,
        wanted: GraphTaskSettings | None = None,
    ) -> None:
        self._gateway = gateway
        self._runtime = runtime
        self._settings = settings
        self._bundles = bundles
        self._wanted = wanted or GraphTaskSettings()

    def settings_hash(self) -> str:
        return content_hash([self._settings.hash_for(self.name), asdict(self._wanted)])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        version = stage_input.artifact("environment")["version"]
        bundle = await asyncio.to_thread(self._bundles.load, stage_input.partition, version)
        graph = ToolGraph.model_validate(stage_input.artifact("tool_graph"))
        facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
        maker = Maker(self._gateway, self._runtime, self._settings, bundle, graph, facts)
        try:
            wanted = self._tasks(bundle)
            walks = {one.id: (one.state, await maker.drafts(one, self._wanted.seed)) for one in wanted}
            caller = Caller(STAGE, bundle.key, Role.AUTHOR)
            choice = await choose_drafts(self._gateway, caller, bundle, walks, self._settings.attempts)
            chosen = [one for one in wanted if one.id not in choice.unwanted]
            tried = await asyncio.gather(*(maker.make(one, choice.drafts[one.id]) for one in chosen))
            solved = [(one.made.task, one.made.solution) for one in tried if one.made is not None]
            reviewed = await review(
                self._gateway,
                self._runtime,
                bundle,
                self.name,
                solved,
                chains=True,
                attempts=self._settings.attempts,
            )
        finally:
            self._runtime.retire(bundle)
        made = [one.made for one in tried if one.made is not None and one.made.task.id not in reviewed.tasks]
        dropped = [Dropped(task=name, reason="nobody would ask for it", stage=STAGE) for name in choice.unwanted]
        dropped += [each for one in tried for each in one.dropped] + reviewed.dropped
        attempts = [*choice.attempts, *(attempt for one in tried for attempt in one.attempts), *reviewed.attempts]
        return outcome_of(made, dropped, attempts)

    def _tasks(self, bundle: Bundle) -> list[Wanted]:
        """Levels and states in turn; the person does a part of every second one, where they can."""
        states, levels = sorted(bundle.states), self._wanted.levels
        return [
            Wanted(f"graph_{number + 1}_level_{level}", level, states[number % len(states)], number % 2 == 1)
            for number in range(self._wanted.count)
            for level in [levels[number % len(levels)]]
        ]


def outcome_of(tasks: Sequence[MadeTask], dropped: Sequence[Dropped], attempts: Sequence[Attempt]) -> StageOutcome:
    """Never a rejection: an environment whose graph gives no tasks is none the worse for it."""
    metadata: dict[str, Json] = {
        "made": len(tasks),
        "kinds": dict(Counter(made.task.kind for made in tasks)),
        "tasks": [_row(made) for made in tasks],
        "dropped": [one.model_dump(mode="json") for one in dropped],
        "solutions.py": listing((made.task.id, made.solution.source) for made in tasks),
        "verifiers.py": listing((made.task.id, made.verifier.verifier.source) for made in tasks),
    }
    artifact = MadeTasks(tasks=list(tasks), dropped=list(dropped)).model_dump(mode="json")
    return StageOutcome(artifact, sorted(attempts, key=lambda attempt: attempt.number), "", metadata)


def _row(made: MadeTask) -> Json:
    measured = made.difficulty
    return {
        "task": made.task.id,
        "level": measured.level,
        "kind": made.task.kind,
        "text": made.task.text,
        "calls": measured.calls,
        "tools": measured.tools,
        "tables": measured.tables,
        "weak_edges": measured.weak_edges,
        "independent_steps": measured.independent_steps,
        "message": made.solution.report.message,
    }
