"""Tasks as somebody of the trade reads them: would a person ask this, in these words, and can it be so?

Belongs here: the question to the judge, and which tasks it speaks against. Does not: whether a task's words fit two
tools (`truth.review`), and mending, which is for whoever asked the author.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from envfactory_dagster.authoring.loop import Question, author
from envfactory_dagster.authoring.parts import batched
from envfactory_dagster.contracts.base import repeated
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.synthesis import OwnRows
from envfactory_dagster.contracts.task_reading import TaskRead, TaskReadingAnswer, TaskReadingContext, TaskToRead
from envfactory_dagster.contracts.truth import ReferenceSolution, TracedStep
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.truth.programs import shown_call

V = TypeVar("V")

SCHEMA = "task_reading"
MOST_TASKS = 12
"""In one question."""
ROWS_SHOWN = 12
"""Of each table."""
CALLS_SHOWN = 12
CALL_CHARS = 500

INSTRUCTIONS = """\
You have worked for years at the desk of a service like the one that `service` describes, and know the people who come
there. `tasks` are requests as they came in, each at the time `clock`. `rows` are what the database holds for this
request beside everything else, `calls` what was looked up and done for it, with the beginning of each answer, `told`
what the person was told at last. Say for each request, by its name, what somebody who works there would find odd.

`verdict`:
- `natural`: somebody could well ask this here, in such words, on that day.
- `odd`: there is a slip in it: a stiff phrase, something said twice, an unlikely amount. It passes.
- `wrong`: nobody would ask this, or it cannot be so.
  - The wish is a calculation that nobody needs, two errands that have nothing to do with each other, or about days that
    are over. A condition has no reason, or what is to be done does not follow from it. The person asks for what they
    must know themselves, or tells the desk its own procedure.
  - The words can be read in two ways that come to different ends, or cannot be followed when read once. Things are
    named by a column or by their rank in a list where everybody would use their name or their day.
  - What the rows and answers say cannot be: somebody in two places at once or holding far more than anybody does, more
    guests than seats, prices upside down, an offer that no such house makes on that day.

`oddity` says in one sentence what it is, and quotes it; it is empty for `natural`. `instead` says how such a person
would put it, or what they would really ask for; it is empty for `natural`.

Be strict and fair. That a request is long, has several parts of one errand, or meets a rule that forbids it is nothing
odd: people with real trouble bring such things. Nor is an easy one: the same thing done to all that fit. Invented names
and codes are nothing odd either. Judge what is asked, and whether it can be; not what was done about it.
"""


@dataclass(frozen=True, slots=True)
class ToRead:
    """A task, and what a reader is shown beside its words: its solution and the rows that it brings."""

    task: Task
    solution: ReferenceSolution
    own_rows: OwnRows | None = None


@dataclass(frozen=True)
class Readings:
    """A reader's remarks on tasks, and the attempts it took. A task without a usable answer has no remark."""

    said: dict[str, TaskRead] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)

    def is_wrong(self, task: str) -> bool:
        return task in self.said and self.said[task].verdict == "wrong"

    def remark(self, task: str) -> str:
        """The fault that the reader sees in it; empty if there is none."""
        read = self.said.get(task)
        if read is None or read.verdict == "natural":
            return ""
        instead = f" Rather: {read.instead}" if read.instead else ""
        return f"somebody of the trade finds it {read.verdict}: {read.oddity}{instead}"


async def read_tasks(gateway: Gateway, stage: str, bundle: Bundle, tasks: Sequence[ToRead], attempts: int) -> Readings:
    caller, readings = Caller(stage, bundle.key, Role.JUDGE), Readings()
    by_name = {one.task.id: one for one in tasks}
    for names in batched(list(by_name), MOST_TASKS):

        async def gate(answer: TaskReadingAnswer, names: Sequence[str] = names) -> list[Problem]:
            found = dict.fromkeys(_problems_of(answer.tasks, names))
            return [Problem(fault="answer", message=message) for message in found]

        context = TaskReadingContext(
            service=f"{bundle.theme.name}: {bundle.theme.description}",
            rules=[rule.text for rule in bundle.theme.rules],
            tasks=[_shown(bundle, by_name[name]) for name in names],
        )
        question = Question(SCHEMA, TaskReadingAnswer, INSTRUCTIONS, context)
        asked = await author(gateway, caller, question, gate, attempts=attempts)
        readings.attempts.extend(asked.attempts)
        if asked.value is not None:
            readings.said.update((one.task, one) for one in asked.value.tasks)
    return readings


@dataclass
class TaskReader(Generic[V]):
    """Reads the versions of one task. Its author is told the first remark; after that only what is wrong counts."""

    gateway: Gateway
    stage: str
    bundle: Bundle
    attempts_each: int
    best: V | None = None
    """The last version that reads odd at worst: it passes if nothing better comes."""
    attempts: list[Attempt] = field(default_factory=list)

    async def problems(self, version: V, shown: ToRead) -> list[Problem]:
        readings = await read_tasks(self.gateway, self.stage, self.bundle, [shown], self.attempts_each)
        first, wrong = not self.attempts, readings.is_wrong(shown.task.id)
        self.attempts += readings.attempts
        if not wrong:
            self.best = version
        remark = readings.remark(shown.task.id) if wrong or first else ""
        return [Problem(fault="tasks", message=remark, snippet=shown.task.text)] if remark else []


def _problems_of(said: Sequence[TaskRead], names: Sequence[str]) -> Iterator[str]:
    given = [one.task for one in said]
    twice = set(repeated(given))
    yield from (f"Nothing is said of the task {name}." for name in names if name not in given)
    for one in said:
        if one.task not in names:
            yield f"There is no task {one.task}."
        elif one.task in twice:
            yield f"The task {one.task} stands there twice."
        if one.verdict == "wrong" and not one.oddity.strip():
            yield f"{one.task}: say what is wrong with it."


def _shown(bundle: Bundle, one: ToRead) -> TaskToRead:
    own = one.own_rows
    rows = own.rows if own is not None else []
    return TaskToRead(
        task=one.task.id,
        clock=bundle.states[own.state if own is not None else one.task.state].clock,
        text=one.task.text,
        rows=[TableRows(table=of.table, columns=of.columns, rows=of.rows[:ROWS_SHOWN]) for of in rows],
        calls=[_line(call) for call in one.solution.calls[:CALLS_SHOWN]],
        told=one.solution.report.message,
    )


def _line(call: TracedStep) -> str:
    came = call.error if call.outcome != "ok" else json.dumps(call.value, ensure_ascii=False)
    line = f"{shown_call(call.tool, call.arguments)}: {came}"
    return line if len(line) <= CALL_CHARS else f"{line[:CALL_CHARS]}…"
