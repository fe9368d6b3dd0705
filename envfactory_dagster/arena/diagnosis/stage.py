"""The stage `diagnosis`: what is computed of a round's failures, then what a model makes of it.

Belongs here: the order of the work, and what a person sees. Does not: its parts (the modules beside this one).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from envfactory_dagster.arena.diagnosis import asking, computed
from envfactory_dagster.arena.diagnosis.episodes import FailedEpisode, failed_episodes
from envfactory_dagster.arena.earlier import refuse_if_followed
from envfactory_dagster.arena.round_results import STAGE as RESULTS
from envfactory_dagster.arena.round_tasks import STAGE as TASKS
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.authoring.loop import Authored
from envfactory_dagster.contracts.arena import ArenaResults, ArenaTasks
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.diagnosis import ClassCount, Diagnosis, DiagnosisWritten, EvidencePointer
from envfactory_dagster.contracts.records import Attempt
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

STAGE = "diagnosis"
_METHOD = 2
"""Raised when the same episodes are classed or ranked in another way."""


@dataclass(frozen=True, slots=True)
class DiagnosisStage:
    home: Home
    gateway: Gateway
    runtime: Runtime
    model: str
    """The model of the role judge, which is asked for the diagnosis."""
    embedder: str
    share: float = 0.25
    """The largest share of a round's environments that may be called weak."""
    tasks: int = 12
    """That are to be practised in each, where no model says how many."""
    name: ClassVar[str] = STAGE
    upstream: ClassVar[tuple[str, ...]] = (TASKS, RESULTS)
    code_version: ClassVar[str] = content_hash([asking.INSTRUCTIONS, _METHOD])[:12]

    def settings_hash(self) -> str:
        return content_hash([self.model, self.embedder, self.share, self.tasks])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        tasks = ArenaTasks.model_validate(stage_input.artifact(TASKS))
        results = ArenaResults.model_validate(stage_input.artifact(RESULTS))
        this = ArenaRound.of_key(stage_input.partition)
        refuse_if_followed(RecordStore(self.home), this)
        home = this.home(self.home)
        episodes = await failed_episodes(self.runtime, home, tasks, results)
        authored = await self._asked(stage_input.partition, home, tasks, results, episodes)
        made = self._diagnosis(results, episodes, authored)
        attempts: list[Attempt] = [] if authored is None else authored.attempts
        return StageOutcome(made.model_dump(mode="json"), attempts, metadata=shown(made))

    async def _asked(
        self, key: str, home: Home, tasks: ArenaTasks, results: ArenaResults, episodes: Sequence[FailedEpisode]
    ) -> Authored[DiagnosisWritten] | None:
        """None where there is nothing to ask about."""
        if not episodes:
            return None
        bundles = {}
        for one in tasks.environments:
            if one.key not in results.unplayable:
                bundles[one.key] = await asyncio.to_thread(BundleStore(home).load, one.key, one.version)
        context = asking.context_of(results, episodes, bundles, self.share)
        caller = Caller(STAGE, key, Role.JUDGE)
        return await asking.ask(self.gateway, caller, context, episodes)

    def _diagnosis(
        self, results: ArenaResults, episodes: Sequence[FailedEpisode], authored: Authored[DiagnosisWritten] | None
    ) -> Diagnosis:
        """As a model says it where its answer stood the gate, else as it is computed."""
        failures = [one.failure for one in episodes]
        found = computed.weak_environments(results, computed.most_weak(results, self.share))
        answer = None if authored is None else authored.value
        chosen = answer or computed.written(found, episodes, self.tasks)
        return Diagnosis(
            policy=results.policy,
            author="computed" if answer is None else "model",
            model=None if authored is None else self.model,
            refused="" if authored is None or answer is not None else authored.rejection(),
            instances=results.overall.episodes,
            failed=len(failures),
            pass_rate=results.overall.value,
            spoiled=sum(one.environment_errors for one in results.tasks),
            failures=failures,
            patterns=chosen.patterns,
            weak=chosen.weak,
            clear=found.clear and {one.environment for one in chosen.weak} <= {rate.group for rate in found.rates},
            guidelines=chosen.guidelines,
        )


def shown(made: Diagnosis) -> dict[str, Json]:
    facts: dict[str, Json] = {
        "policy": made.policy,
        "by": made.author if made.model is None else f"{made.author} ({made.model} was asked)",
        "episodes": made.instances,
        "failed": made.failed,
        "spoiled": made.spoiled,
        "clearly_weaker": made.clear,
        "patterns": [
            {
                "pattern": one.id,
                "root_cause": one.root_cause,
                "share": round(one.share, 4),
                "description": one.description,
                "evidence": "; ".join(map(_said, one.evidence)),
            }
            for one in made.patterns
        ],
        "weak": [one.model_dump(mode="json") for one in made.weak],
        "guidelines": [one.model_dump(mode="json") for one in made.guidelines],
        "by_environment": _table(computed.counted(made.failures, lambda one: one.at.environment)),
        "by_category": _table(computed.counted(made.failures, lambda one: one.category)),
        "by_kind": _table(computed.counted(made.failures, lambda one: one.kind)),
        "by_level": _table(computed.counted(made.failures, lambda one: str(one.level))),
        "by_tool": _table(computed.counted(made.failures, lambda one: next(iter(one.tools), "none"))),
    }
    return facts | ({"not_taken": made.refused} if made.refused else {})


def _said(at: EvidencePointer) -> str:
    return f"{at.environment} {at.task} seed {at.seed} step {at.step}"


def _table(counts: Sequence[ClassCount]) -> list[Json]:
    return [{"group": one.group, "failed": one.failed, **one.by_class} for one in counts]
