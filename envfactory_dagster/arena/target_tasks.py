"""The stage `target_tasks`: fresh tasks that practise what a diagnosis names, ready to be trained on.

Belongs here: which draws of a weak environment's families fit a guideline, and keeping them as a release with rows.
Does not: drawing and gates (`tasks.families`), guidelines (`diagnosis`), and training on them (`trainer`).

They lie in a home below that of the round, so that the trainer reads them like any others:

    arena/ROUND/targets/VERSION/records, bundles     a release for each environment
    arena/ROUND/targets/VERSION/datasets/rl          what the trainer is given as `--data`, with that home as `--home`
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from envfactory_dagster.arena.diagnosis.stage import STAGE as DIAGNOSIS
from envfactory_dagster.arena.earlier import ARENA_TASKS, TARGET_TASKS, refuse_if_followed, target_texts, tasks_of
from envfactory_dagster.arena.freshness import TakenTexts
from envfactory_dagster.arena.richer_worlds import STAGE as RICHER_WORLDS
from envfactory_dagster.arena.richer_worlds import richer_state
from envfactory_dagster.arena.round_tasks import trained_texts, with_these_tasks
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.arena.training_home import keep_release, keep_rows, rows_of, version_of
from envfactory_dagster.contracts.arena import ArenaTasks, TargetEnvironment, TargetTask, TargetTasks
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.diagnosis import Diagnosis, Guideline
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.evolution import RicherWorlds
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.datasets.duplicates import asked
from envfactory_dagster.datasets.gathering import placed_as_before
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.families.sampling import fresh_tasks

STAGE = TARGET_TASKS
_CODE = "1"
_SURPLUS = 3
"""This many times the tasks that are wanted are drawn, since not all of them practise what a guideline names."""


@dataclass(frozen=True, slots=True)
class Practice:
    """A task, with the guideline that it follows."""

    guideline: int
    made: MadeTask
    practises: list[str]


@dataclass(frozen=True, slots=True)
class TargetTasksStage:
    home: Home
    gateway: Gateway
    runtime: Runtime
    likeness: float
    """From this cosine on a task says what is trained on or held out."""
    embedder: str
    protocol: Protocol
    """Of the policy that practises."""
    name: ClassVar[str] = STAGE
    upstream: ClassVar[tuple[str, ...]] = (ARENA_TASKS, DIAGNOSIS, RICHER_WORLDS)
    code_version: ClassVar[str] = _CODE

    def settings_hash(self) -> str:
        return content_hash([self.likeness, self.embedder, self.protocol])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        this = ArenaRound.of_key(stage_input.partition)
        played = ArenaTasks.model_validate(stage_input.artifact(ARENA_TASKS))
        diagnosis = Diagnosis.model_validate(stage_input.artifact(DIAGNOSIS))
        records, caller = RecordStore(self.home), Caller(STAGE, this.key, Role.EMBEDDER)
        refuse_if_followed(records, this)
        taken = await not_to_be_practised(self.home, TakenTexts(self.gateway, caller, self.likeness), this, played)
        versions = {one.key: one.version for one in played.draw.environments}
        if strange := [one.environment for one in diagnosis.weak if one.environment not in versions]:
            raise UsageError(f"The diagnosis of {this.key} is about {strange[0]}, which is not in the round.")
        worlds = RicherWorlds.model_validate(stage_input.artifact(RICHER_WORLDS)).worlds
        richer = {one.environment: one.version for one in worlds if one.version}
        found: list[TargetEnvironment] = []
        released: list[tuple[Bundle, list[MadeTask]]] = []
        rows: dict[str, Sequence[RlRow]] = {}
        missing: dict[str, int] = {}
        for weak in diagnosis.weak:
            key = weak.environment
            if key in richer:
                bundle = await asyncio.to_thread(BundleStore(this.home(self.home)).load, key, richer[key])
            else:
                bundle = await asyncio.to_thread(BundleStore(self.home).load, key, versions[key])
            wanted = {n: one for n, one in enumerate(diagnosis.guidelines) if one.environment == key}
            try:
                practice, states = await self._practice(this, bundle, wanted, weak.pass_rate, taken)
            finally:
                self.runtime.retire(bundle)
            for number, guideline in wanted.items():
                if (lacking := guideline.tasks - sum(one.guideline == number for one in practice)) > 0:
                    missing[f"{key} {number}"] = lacking
            if practice:
                tasks = [one.made for one in practice]
                sealed = await asyncio.to_thread(with_these_tasks, bundle, tasks, states)
                rows[key] = rows_of(sealed, tasks, self.protocol)
                found.append(_environment(sealed, practice))
                released.append((sealed, tasks))
        version = version_of(rows)
        home = this.targets(self.home, version)
        for sealed, tasks in released:
            await asyncio.to_thread(keep_release, home, sealed, tasks)
        await asyncio.to_thread(keep_rows, home, rows)
        made = TargetTasks(environments=found, dataset=version, missing=missing)
        return StageOutcome(made.model_dump(mode="json"), metadata=_shown(this, made, diagnosis))

    async def _practice(
        self,
        this: ArenaRound,
        bundle: Bundle,
        wanted: dict[int, Guideline],
        pass_rate: float,
        taken: TakenTexts,
    ) -> tuple[list[Practice], Mapping[str, State]]:
        """The tasks, and every state that one of them may begin in."""
        facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
        chosen: list[Practice] = []
        states = dict(bundle.states)
        for number, guideline in wanted.items() if bundle.families else ():
            begun = _where_it_is_rich(this, bundle) if guideline.needs else bundle
            fresh = await fresh_tasks(self.runtime, begun, _SURPLUS * guideline.tasks, _seed(this, number))
            known = await taken.not_new({one.task.id: asked(one) for one in fresh.tasks})
            new = [one for one in fresh.tasks if one.task.id not in known]
            fitting = [Practice(number, one, found) for one in new if (found := practised(one, guideline, facts))]
            level = min(8, guideline.level + (pass_rate > 0))
            fitting.sort(key=lambda one: _distance(one, guideline, level))
            chosen += fitting[: guideline.tasks]
            taken.asked(asked(one.made) for one in fitting[: guideline.tasks])
            states |= fresh.bundle.states
        return chosen, states


def _environment(sealed: Bundle, practice: Sequence[Practice]) -> TargetEnvironment:
    return TargetEnvironment(
        key=sealed.key,
        version=sealed.version,
        tasks=[
            TargetTask(
                id=one.made.task.id,
                source=one.made.source,
                kind=one.made.task.kind,
                level=one.made.difficulty.level,
                text=asked(one.made),
                guideline=one.guideline,
                practises=one.practises,
            )
            for one in practice
        ],
    )


async def not_to_be_practised(home: Home, taken: TakenTexts, this: ArenaRound, played: ArenaTasks) -> TakenTexts:
    """With what is held out or trained on as it is, and what was played to examine."""
    records = RecordStore(home)
    await taken.trained(dict(trained_texts(await placed_as_before(home))))
    rounds = [*(tasks_of(records, one) for one in this.before), played]
    taken.asked(task.text for made in rounds for one in made.environments for task in one.tasks)
    taken.asked(text for before in this.before for text in target_texts(records, before).values())
    return taken


def practised(made: MadeTask, guideline: Guideline, facts: ToolFacts) -> list[str]:
    """Of the tools, tables and rules that a guideline names, those that the task needs."""
    called = {call.tool for call in made.solution.calls}
    touched = {table for name in called & facts.tools.keys() for table in facts.tools[name].reads}
    touched |= {write.table for name in called & facts.tools.keys() for write in facts.tools[name].writes}
    needed = called | touched | {made.task.rule}
    return [name for name in guideline.practise if name in needed]


def _where_it_is_rich(this: ArenaRound, bundle: Bundle) -> Bundle:
    """With the state alone that was made richer in this round, where there is one."""
    richer = {name: state for name, state in bundle.states.items() if name == richer_state(this)}
    return replace(bundle, states=richer) if richer else bundle


def _seed(this: ArenaRound, guideline: int) -> int:
    return int(content_hash(["targets", this.key, guideline])[:12], 16) % 1_000_000


def _distance(one: Practice, guideline: Guideline, level: int) -> tuple[bool, int, int]:
    """How far a task is from what is wanted: the kind first, then what it practises, then how hard it is."""
    other_kind = guideline.kind is not None and one.made.task.kind != guideline.kind
    too_short = len(one.made.solution.calls) < guideline.least_calls
    return other_kind, -len(one.practises), abs(one.made.difficulty.level - level) + too_short


def _shown(this: ArenaRound, made: TargetTasks, diagnosis: Diagnosis) -> dict[str, Json]:
    return {
        "environments": len(made.environments),
        "tasks": sum(len(one.tasks) for one in made.environments),
        "path": f"arena/{this.key}/targets/{made.dataset}",
        "by_task": [
            {
                "environment": one.key,
                "task": task.id,
                "level": task.level,
                "practises": ", ".join(task.practises),
                "because": diagnosis.guidelines[task.guideline].missing_capability,
            }
            for one in made.environments
            for task in one.tasks
        ],
        "missing": [{"guideline": name, "tasks": count} for name, count in made.missing.items()],
    }
