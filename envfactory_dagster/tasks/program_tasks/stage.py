"""The stage `program_tasks`: one task after the other is asked for, with its programs, until it stands its trials.

Belongs here: the order of asking, the gate from end to end, and what is kept. Does not: the prompt (`instructions`),
what is asked of text and program by themselves (`gate`), the trials (`tasks.proving`).

Tasks are asked for one by one, because each is to differ from those before it. Environments run side by side.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import ValidationError

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.loop import Authored, Question, author
from envfactory_dagster.authoring.samples import sample_rows
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema, SeedRows, Table
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.program_tasks import ProgramTaskAnswer, ProgramTaskContext
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.reports import form_with_its_order
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTask, MadeTasks
from envfactory_dagster.contracts.tool_signatures import ToolSignature
from envfactory_dagster.contracts.truth import Dropped, TracedStep
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.tasks import proving
from envfactory_dagster.tasks.authored import difficulty
from envfactory_dagster.tasks.program_tasks.gate import problems_of_shape, problems_of_size, problems_of_text
from envfactory_dagster.tasks.program_tasks.instructions import INSTRUCTIONS, SCHEMA
from envfactory_dagster.tasks.program_tasks.settings import LEAST, PATTERNS, ProgramTaskSettings
from envfactory_dagster.tasks.task_reading import INSTRUCTIONS as READING
from envfactory_dagster.tasks.task_reading import TaskReader, ToRead
from envfactory_dagster.truth.review import INSTRUCTIONS as REVIEW
from envfactory_dagster.truth.review import review

GATE = 3
"""Raised when tasks are judged in another way, so that they are made anew."""
_NAME_CHARS = 56


class ProgramTasksStage:
    name = "program_tasks"
    upstream = ("database_schema", "seed_rows", "environment")
    code_version = content_hash([INSTRUCTIONS, REVIEW, READING, GATE])[:12]

    def __init__(
        self,
        gateway: Gateway,
        runtime: Runtime,
        settings: AuthoringSettings,
        bundles: BundleStore,
        wanted: ProgramTaskSettings,
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
        environment = TaskEnvironment(
            await asyncio.to_thread(self._bundles.load, stage_input.partition, version),
            DatabaseSchema.model_validate(stage_input.artifact("database_schema")).tables,
            SeedRows.model_validate(stage_input.artifact("seed_rows")),
        )
        attempts: list[Attempt] = []
        made: list[MadeTask] = []
        dropped: list[Dropped] = []
        try:
            for number in range(1, self._wanted.count(environment.bundle.theme.size) + 1):
                name = f"program_{number:02d}"
                authored = await self._one(environment, number, name, made)
                attempts += authored.attempts
                if authored.value is not None:
                    made.append(authored.value)
                else:
                    dropped.append(Dropped(task=name, reason=authored.rejection(), stage=self.name))
            solved = [(one.task, one.solution) for one in made]
            reviewed = await review(
                self._gateway, self._runtime, environment.bundle, self.name, solved, attempts=self._settings.attempts
            )
        finally:
            self._runtime.retire(environment.bundle)
        made = [one for one in made if one.task.id not in reviewed.tasks]
        dropped, attempts = [*dropped, *reviewed.dropped], [*attempts, *reviewed.attempts]
        return _outcome(made, dropped, attempts)

    async def _one(
        self, environment: "TaskEnvironment", number: int, name: str, made: Sequence[MadeTask]
    ) -> Authored[MadeTask]:
        context = environment.context(number, self._wanted.level(number, environment.bundle.theme.size), made)
        in_progress = TaskInProgress(self._gateway, self._runtime, self._settings, environment, context, name, made)
        authored = await author(
            self._gateway,
            Caller(self.name, environment.bundle.key, Role.AUTHOR),
            Question(SCHEMA, ProgramTaskAnswer, INSTRUCTIONS, context),
            in_progress.problems,
            attempts=self._settings.attempts,
        )
        reader = in_progress.reader
        return Authored(reader.best, [*reader.attempts, *authored.attempts])


@dataclass(frozen=True, slots=True)
class TaskEnvironment:
    """The environment that tasks are made of."""

    bundle: Bundle
    tables: list[Table]
    seed: SeedRows

    def context(self, number: int, level: int, made: Sequence[MadeTask]) -> ProgramTaskContext:
        states = [state.name for state in self.seed.states]
        state = states[(number - 1) % len(states)]
        calls, tools = LEAST[level]
        return ProgramTaskContext(
            theme=self.bundle.theme,
            tables=self.tables,
            tools=[ToolSignature.of(tool) for tool in self.bundle.tools],
            state=state,
            sample_rows=sample_rows(self.seed, state),
            clock=self.bundle.states[state].clock,
            taken=[task.text for task in [*self.bundle.tasks, *(one.task for one in made)]],
            number=number,
            pattern=PATTERNS[(number - 1) % len(PATTERNS)],
            level=level,
            least_calls=calls,
            least_tools=tools,
        )


class TaskInProgress:
    """One task while it is made. Its `reader` keeps the last version that stood everything and reads odd at worst."""

    def __init__(
        self,
        gateway: Gateway,
        runtime: Runtime,
        settings: AuthoringSettings,
        environment: TaskEnvironment,
        context: ProgramTaskContext,
        name: str,
        others: Sequence[MadeTask],
    ) -> None:
        self._runtime = runtime
        self._bundle = environment.bundle
        self.reader = TaskReader[MadeTask](gateway, ProgramTasksStage.name, self._bundle, settings.attempts)
        self._context = context
        self._name = name
        self._others = others

    async def problems(self, answer: ProgramTaskAnswer) -> list[Problem]:
        """What is wrong, the cheapest questions first."""
        trade = texts.trade_of(self._bundle.theme, self._bundle.schema_sql)
        shape = problems_of_shape(answer.solution, self._context.level)
        problems = [*problems_of_text(answer, self._context.taken, trade), *shape]
        return problems or await self._problems_of_running(answer)

    async def _problems_of_running(self, answer: ProgramTaskAnswer) -> list[Problem]:
        task = self._task(answer)
        try:
            form = form_with_its_order(answer.answer_form)
        except ValidationError as error:
            return [Problem(fault="solution", message=f"The answer form is none: {error.errors()[0]['msg']}.")]
        solution = await proving.solve(self._runtime, self._bundle, task, answer.solution, form)
        if isinstance(solution, list):
            return [problem.model_copy(update={"mendable": True}) for problem in solution]  # so is the text
        context = self._context
        called = {call.tool for call in solution.calls if call.outcome == "ok"}
        waited_for = {name for tool in self._bundle.tools if tool.name in called for name in tool.confirmed_by}
        others = {tool.name for tool in self._bundle.tools_of("user")} - waited_for
        problems = problems_of_size(solution, context.least_calls, context.least_tools, others)
        if problems:
            return problems
        donors = self._donors()
        verifier = await proving.verify(self._runtime, self._bundle, task, solution, answer.verifier, donors)
        if isinstance(verifier, list):
            return verifier
        facts = analyze_tools(self._bundle.tools_source, self._bundle.schema_sql)
        made = MadeTask(
            task=task,
            source="program",
            solution=solution,
            verifier=verifier,
            difficulty=difficulty(solution.calls, facts).model_copy(update={"level": context.level}),
        )
        return await self.reader.problems(made, ToRead(made.task, made.solution))

    def _task(self, answer: ProgramTaskAnswer) -> Task:
        return Task(
            id=f"{self._name}_{answer.id}"[:_NAME_CHARS].rstrip("_"),
            text=answer.text,
            kind=answer.kind,
            state=self._context.state,
            entities=answer.entities,
        )

    def _donors(self) -> list[TracedStep]:
        """What other tasks write in this state: right there, and wrong here."""
        reading = {tool.name for tool in self._bundle.tools if tool.annotations.readOnlyHint}
        here = [one for one in self._others if one.task.state == self._context.state]
        return [c for one in here for c in one.solution.calls if c.outcome == "ok" and c.tool not in reading]


def _outcome(made: Sequence[MadeTask], dropped: Sequence[Dropped], attempts: list[Attempt]) -> StageOutcome:
    artifact = MadeTasks(tasks=list(made), dropped=list(dropped))
    metadata: dict[str, Json] = {
        "made": len(made),
        "tasks": [_row(one) for one in made],
        "dropped": [one.model_dump(mode="json") for one in dropped],
    }
    return StageOutcome(artifact.model_dump(mode="json"), attempts, metadata=metadata)


def _row(one: MadeTask) -> dict[str, Any]:
    measured = one.difficulty.model_dump(mode="json", include={"level", "calls", "tools", "tables"})
    return {"task": one.task.id, "kind": one.task.kind, "state": one.task.state, **measured, "text": one.task.text}
