"""The stage `task_families`: families are asked for a few at a time, each is tried by itself, and mended by itself.

Belongs here: the order of asking, and what is kept. Does not: the prompt (`instructions`), and what a family has to
stand (`acceptance`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from envfactory_dagster.authoring.loop import Question, author, has_no_other_answer
from envfactory_dagster.authoring.samples import sample_rows
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema, SeedRows, Table
from envfactory_dagster.contracts.families import (
    FamilyRecord,
    FamilyWritten,
    TaskFamilies,
    TaskFamiliesAnswer,
    TaskFamiliesContext,
    TaskFamily,
)
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.tool_signatures import ToolSignature
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.tasks.families.acceptance import TriedFamily, problems_of_module, problems_of_place, try_family
from envfactory_dagster.tasks.families.drawing import STAGE
from envfactory_dagster.tasks.families.instructions import INSTRUCTIONS, SCHEMA
from envfactory_dagster.tasks.families.settings import FamilySettings
from envfactory_dagster.tasks.task_reading import INSTRUCTIONS as READING
from envfactory_dagster.tasks.task_reading import Readings, ToRead, read_tasks
from envfactory_dagster.truth.task_by_task import listing

GATE = 3
"""Raised when families are judged in another way, so that they are made anew."""
MOST_WRONG = 1
"""The most wrong tasks that an accepted family may have; they are left out."""


class TaskFamiliesStage:
    name = STAGE
    upstream = ("database_schema", "seed_rows", "environment", "inspection")
    code_version = content_hash([INSTRUCTIONS, READING, GATE])[:12]

    def __init__(
        self,
        gateway: Gateway,
        runtime: Runtime,
        settings: AuthoringSettings,
        bundles: BundleStore,
        wanted: FamilySettings,
    ) -> None:
        self._gateway = gateway
        self._runtime = runtime
        self._settings = settings
        self._bundles = bundles
        self._wanted = wanted

    def settings_hash(self) -> str:
        return content_hash([self._settings.hash_for(self.name), asdict(self._wanted)])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        version = stage_input.artifact("environment")["version"]
        built = await asyncio.to_thread(self._bundles.load, stage_input.partition, version)
        inspection = Inspection.model_validate(stage_input.artifact("inspection"))
        bundle = replace(built, tools_source=inspection.revised_source or built.tools_source)
        tables = DatabaseSchema.model_validate(stage_input.artifact("database_schema")).tables
        seed = SeedRows.model_validate(stage_input.artifact("seed_rows"))
        facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
        attempts: list[Attempt] = []

        async def read(tasks: Sequence[MadeTask]) -> Readings:
            shown = [ToRead(one.task, one.solution, one.own_rows) for one in tasks]
            readings = await read_tasks(self._gateway, self.name, bundle, shown, self._settings.attempts)
            attempts.extend(readings.attempts)
            return readings

        maker = FamilyMaker(self._runtime, bundle, facts, self._wanted, read)
        try:
            for number, count in enumerate(self._wanted.batches(bundle.theme.size), 1):
                maker.begin(count)
                authored = await author(
                    self._gateway,
                    Caller(self.name, bundle.key, Role.AUTHOR),
                    Question(SCHEMA, TaskFamiliesAnswer, INSTRUCTIONS, maker.context(tables, seed, number)),
                    maker.problems,
                    attempts=self._settings.attempts,
                )
                attempts += authored.attempts
                maker.end()
                if has_no_other_answer(authored.attempts[-1]):
                    maker.declined = authored.problems[0].message
                if maker.declined:
                    break
        finally:
            self._runtime.retire(bundle)
        return _outcome(maker.families(), attempts)


@dataclass(frozen=True, slots=True)
class _Stood:
    """A family that passed the gate, with its instances."""

    family: TaskFamily
    tried: TriedFamily


@dataclass
class FamilyMaker:
    """Families of one environment while they are written: what was accepted stays, the others are asked for again."""

    runtime: Runtime
    bundle: Bundle
    facts: ToolFacts
    wanted: FamilySettings
    read: Callable[[Sequence[MadeTask]], Awaitable[Readings]]
    """Has a judge read the tasks that would be kept of families (`task_reading`)."""
    accepted: dict[str, FamilyRecord] = field(default_factory=dict)
    tasks: list[MadeTask] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    declined: str = ""
    _count: int = 0
    _here: list[str] = field(default_factory=list)
    """Of those that were accepted: what the question in hand has brought."""
    _failing: dict[str, list[Problem]] = field(default_factory=dict)
    _read_before: set[str] = field(default_factory=set)
    """Families of which the judge has read some version."""
    _odd: dict[str, tuple[_Stood, list[MadeTask]]] = field(default_factory=dict)
    """Families that were sent back and could be accepted as they are, with their tasks that are not wrong."""

    def begin(self, count: int) -> None:
        """For the next question, which asks for so many."""
        self._count, self._here, self._failing, self._odd = count, [], {}, {}

    def end(self) -> None:
        """There are no more attempts: accept families that read odd at worst, and drop the others that failed."""
        for name, (stood, tasks) in self._odd.items():
            if len(self._here) < self._count and not self._problems_of_place(stood.family):
                self._accept(name, stood, tasks)
                self._failing.pop(name, None)
        self.dropped += [
            Dropped(task=name, reason=problems[0].message, stage=STAGE) for name, problems in self._failing.items()
        ]

    def context(self, tables: list[Table], seed: SeedRows, number: int) -> TaskFamiliesContext:
        states = {name: state.clock for name, state in self.bundle.states.items()}
        return TaskFamiliesContext(
            theme=self.bundle.theme,
            tables=tables,
            tools=[ToolSignature.of(tool) for tool in self.bundle.tools],
            states=states,
            sample_rows=sample_rows(seed, next(iter(states))),
            tasks=[task.text for task in self.bundle.tasks],
            taken=[f"{name}: {record.family.about}" for name, record in self.accepted.items()],
            number=number,
            count=self._count,
        )

    async def problems(self, answer: TaskFamiliesAnswer) -> list[Problem]:
        if answer.declined and not answer.families:
            self.declined = answer.declined
            return []
        stood: dict[str, _Stood] = {}
        self._failing = {}
        for written in answer.families:
            if written.name in self._here or written.name in stood:
                continue
            if len(self._here) + len(stood) == self._count:
                break
            tried = await self._try(written, [one.family for one in stood.values()])
            if isinstance(tried, _Stood):
                stood[written.name] = tried
            else:
                self._failing[written.name] = tried
        await self._have_read(stood)
        found = [
            one.model_copy(update={"message": f"The family {name}: {one.message}"})
            for name, problems in self._failing.items()
            for one in problems
        ]
        missing = self._count - len(self._here) - len(self._failing)
        if missing > 0:
            message = f"{missing} families are missing: {self._count} are asked for."
            found.append(Problem(fault="tasks", message=message))
        if found and self._here:
            kept = ", ".join(self._here)
            found.append(Problem(fault="tasks", message=f"Accepted already, and not to be given again: {kept}."))
        return found

    async def _try(self, written: FamilyWritten, beside: Sequence[TaskFamily]) -> _Stood | list[Problem]:
        family = TaskFamily(**written.model_dump())
        if problems := problems_of_module(family) or self._problems_of_place(family, beside):
            return problems
        tried: TriedFamily = await try_family(self.runtime, self.bundle, family, self.facts, self.wanted.instances)
        return tried.problems or _Stood(family, tried)

    def _problems_of_place(self, family: TaskFamily, beside: Sequence[TaskFamily] = ()) -> list[Problem]:
        """`beside`: families that may be accepted with it."""
        others = [*(record.family for record in self.accepted.values()), *beside]
        rules = [rule.id for rule in self.bundle.theme.rules]
        return problems_of_place(family, rules, others, [task.text for task in self.bundle.tasks])

    async def _have_read(self, stood: Mapping[str, _Stood]) -> None:
        """Have the tasks of these families read. A family with two or more wrong tasks is sent back; a single one may
        be drawn unluckily, and is left out. The first time a family is read, odd tasks count like wrong ones."""
        kept = {name: one.tried.kept() for name, one in stood.items()}
        readings = await self.read([task for tasks in kept.values() for task in tasks])
        for name, one in stood.items():
            first = name not in self._read_before
            self._read_before.add(name)
            right = [task for task in kept[name] if not readings.is_wrong(task.task.id)]
            remarks = [
                Problem(fault="tasks", message=remark, snippet=task.task.text)
                for task in kept[name]
                if (first or task not in right) and (remark := readings.remark(task.task.id))
            ]
            passes = len(kept[name]) - len(right) <= MOST_WRONG
            if len(remarks) > MOST_WRONG:
                self._failing[name] = remarks
                if passes:
                    self._odd[name] = (one, right)
            else:
                self._accept(name, one, right)

    def _accept(self, name: str, stood: _Stood, tasks: Sequence[MadeTask]) -> None:
        self.accepted[name] = stood.tried.record(stood.family)
        self.tasks += tasks
        self._here.append(name)

    def families(self) -> TaskFamilies:
        return TaskFamilies(
            families=list(self.accepted.values()), tasks=self.tasks, dropped=self.dropped, declined=self.declined
        )


def _outcome(made: TaskFamilies, attempts: list[Attempt]) -> StageOutcome:
    metadata: dict[str, Json] = {
        "families": len(made.families),
        "instances_accepted": _share(made.families),
        "skeletons": sum(record.skeletons for record in made.families),
        "accepted": [_row(record) for record in made.families],
        "dropped": [one.model_dump(mode="json") for one in made.dropped],
        "families.py": listing((record.family.name, record.family.source) for record in made.families),
    }
    if made.declined:
        metadata["skipped"] = made.declined
    return StageOutcome(made.model_dump(mode="json"), attempts, metadata=metadata)


def _share(families: Sequence[FamilyRecord]) -> float | None:
    tried = sum(record.tried for record in families)
    failed = sum(len(record.dropped) for record in families)
    return round((tried - failed) / tried, 3) if tried else None


def _row(record: FamilyRecord) -> Json:
    return {
        "family": record.family.name,
        "kind": record.family.kind,
        "tried": record.tried,
        "accepted": record.tried - len(record.dropped),
        "skeletons": record.skeletons,
        "levels": ", ".join(f"{level}: {count}" for level, count in record.levels.items()),
        "about": record.family.about,
    }
