"""Tasks as a reader sees them who does not know how they are done: which tool is meant, and what are the steps for?

Belongs here: the question about the tasks of a stage, and what is dropped by its answer. Does not: whether a task
can be done (`solutions`), and whether what it does matters (`sense`).

A reader's word alone drops no task for its wording: the tool that the words fit as well is called in the place of the
other one, and has to come to something else.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from envfactory_dagster.authoring.loop import ATTEMPTS, Question, author
from envfactory_dagster.authoring.parts import batched
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.requests import CommandShown
from envfactory_dagster.contracts.task_reading import (
    ReviewedTask,
    TaskReviewAnswer,
    TaskReviewContext,
    TaskToReview,
    WishRead,
)
from envfactory_dagster.contracts.truth import Dropped, ReferenceSolution, TracedStep
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import Mask, normalize
from envfactory_dagster.truth.execution import Run, run_calls
from envfactory_dagster.truth.programs import shown_call
from envfactory_dagster.truth.start_rows import schema_of

MOST_TASKS = 12
"""In one question."""
MOST_READINGS = 3
"""Tools that one wish may mean. A reader who names more has not read it."""
MOST_PURPOSES = 2
SHOWN_CHARS = 120

INSTRUCTIONS = """\
You read requests that people bring to the service that `service` describes. `tools` are all it has. You have not seen
how the requests are carried out. Answer for every one of `tasks`, by its name.

- `wishes`: what the request asks to have done or to be told, one by one, in a few words, each with the `tools` that do
  it by themselves. As a rule that is one tool: the one that a clerk who knows them all would take. Name two only where
  the words fit both equally well and one cannot know which is meant. Tools that look up something on the way are not
  named. Where no tool does it, or several only together, `tools` is empty.
- Where `steps` are shown, they are what is done for the request, in that order. `purposes` says in a few words what
  they are for: things that belong to one errand have one purpose. `verdict` is `keep` where a person could well ask for
  all this at once; `drop` where they are errands that have nothing to do with each other, or nobody would want it; say
  why in `why`. It is `reorder` where they belong together, but anybody would do them in another order; `order` then
  gives the numbers of all steps, from 1, in that order.
- Where no `steps` are shown, `verdict` is `keep`, and `purposes` and `order` are empty.
"""


@dataclass(frozen=True)
class Reviewed:
    """The tasks that are dropped, and every answer that was asked for. A task of which nothing sound is said stays."""

    dropped: list[Dropped] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def tasks(self) -> set[str]:
        return {one.task for one in self.dropped}


async def review(
    gateway: Gateway,
    runtime: Runtime,
    bundle: Bundle,
    stage: str,
    solved: Sequence[tuple[Task, ReferenceSolution]],
    *,
    chains: bool = False,
    attempts: int = ATTEMPTS,
) -> Reviewed:
    """`chains`: the steps of these tasks were found along a graph, and may have nothing to do with each other."""
    golds = {task.id: (task, gold) for task, gold in solved if task.kind in ("action", "information")}
    if not golds:
        return Reviewed()
    readers = [
        _Reader(gateway, Caller(stage, bundle.key, Role.JUDGE), bundle, {name: golds[name] for name in names}, chains)
        for names in batched(list(golds), MOST_TASKS)
    ]
    asked = await asyncio.gather(*(reader.attempts(attempts) for reader in readers))
    dropped = []
    for reader in readers:
        for name, said in reader.said.items():
            if reason := await _against(_Checking(runtime, bundle, *golds[name]), said, reader.steps[name]):
                dropped.append(Dropped(task=name, reason=reason, stage=stage))
    return Reviewed(dropped, [attempt for of_reader in asked for attempt in of_reader])


async def _against(checking: "_Checking", said: ReviewedTask, steps: "_Steps") -> str:
    """Why a task is dropped; empty where it is not."""
    try:
        return await checking.against_the_words(said.wishes) or (
            await checking.against_the_chain(said, steps) if steps else ""
        )
    except EnvironmentFault:  # tools that break when they are called in another way say nothing of the task
        return ""


_Steps = list[list[TracedStep]]


@dataclass
class _Reader:
    """Some of the tasks in one question."""

    gateway: Gateway
    caller: Caller
    bundle: Bundle
    golds: Mapping[str, tuple[Task, ReferenceSolution]]
    chains: bool
    said: dict[str, ReviewedTask] = field(default_factory=dict)
    """What was said last of each task, and can be right."""

    @property
    def steps(self) -> dict[str, _Steps]:
        return {name: _steps(gold.calls) if self.chains else [] for name, (_, gold) in self.golds.items()}

    async def attempts(self, most: int) -> list[Attempt]:
        question = Question("task_review", TaskReviewAnswer, INSTRUCTIONS, self._context())
        return (await author(self.gateway, self.caller, question, self._problems, attempts=most)).attempts

    def _context(self) -> TaskReviewContext:
        theme, steps = self.bundle.theme, self.steps
        return TaskReviewContext(
            service=f"{theme.name}: {theme.description}",
            tools=[CommandShown(name=tool.name, description=tool.description) for tool in self.bundle.tools],
            tasks=[
                TaskToReview(task=name, text=task.text, steps=[_shown(step) for step in steps[name]])
                for name, (task, _) in self.golds.items()
            ],
        )

    async def _problems(self, answer: TaskReviewAnswer) -> list[Problem]:
        given, found = Counter(one.task for one in answer.tasks), list[str]()
        for one in answer.tasks:
            problems = list(self._problems_of(one, given))
            if not problems:
                self.said[one.task] = one
            found += problems
        found += [f"Nothing is said of the task {name}." for name in self.golds if name not in given]
        return [Problem(fault="answer", message=message) for message in dict.fromkeys(found)]

    def _problems_of(self, one: ReviewedTask, given: Mapping[str, int]) -> Iterator[str]:
        if one.task not in self.golds:
            yield f"There is no task {one.task}."
            return
        if given[one.task] > 1:
            yield f"The task {one.task} stands there twice."
        named, steps = {tool for wish in one.wishes for tool in wish.tools}, len(self.steps[one.task])
        if unknown := sorted(named - {tool.name for tool in self.bundle.tools}):
            yield f"{one.task}: there is no tool {', '.join(unknown)}."
        for wish in (wish for wish in one.wishes if len(set(wish.tools)) > MOST_READINGS):
            yield f"{one.task}: no wish means {len(set(wish.tools))} tools ({wish.wish}); name the one that does it."
        if one.verdict == "drop" and not one.why.strip():
            yield f"{one.task}: say why it is to be dropped."
        if one.verdict == "reorder" and sorted(one.order) != list(range(1, steps + 1)):
            yield f"{one.task}: `order` has to give each of the numbers 1 to {steps} once."


def _steps(calls: Sequence[TracedStep]) -> list[list[TracedStep]]:
    """The calls; those of one tool in a row are one step."""
    return [list(together) for _, together in groupby(calls, key=lambda call: call.tool)]


def _shown(step: Sequence[TracedStep]) -> str:
    first = step[0]
    times = f"{len(step)} times, the first: " if len(step) > 1 else ""
    return times + shown_call(first.tool, first.arguments, SHOWN_CHARS)


@dataclass(frozen=True)
class _Checking:
    """One task, whose calls can be made in another way."""

    runtime: Runtime
    bundle: Bundle
    task: Task
    gold: ReferenceSolution

    async def against_the_words(self, wishes: Sequence[WishRead]) -> str:
        """Why the words do not say what is meant; empty where they do. A reader who names another command than the one
        that is used has understood something else; what is looked up can be found in several places."""
        used = {call.tool for call in self.gold.calls}
        named = {tool for wish in wishes for tool in wish.tools}
        reading = {tool.name for tool in self.bundle.tools if tool.annotations.readOnlyHint}
        for wish in wishes:
            for other in (tool for tool in wish.tools if tool not in used):
                fitting = used & set(wish.tools) or used - named - reading
                for number, call in enumerate(self.gold.calls):
                    if call.tool in fitting and await self._differs(number, other):
                        return (
                            f"its words fit {call.tool} and {other} alike ({wish.wish}), and these do not do the same"
                        )
        return ""

    async def _differs(self, number: int, other: str) -> bool:
        """Whether another tool, called in the place of that call, does something else, or tells another value under the
        same name. Where it cannot be called with what is known there, or refuses, it is no second way to understand the
        words; and what is told under another name may come to the same."""
        tools = {tool.name: tool for tool in self.bundle.tools}
        call, schema = self.gold.calls[number], tools[other].inputSchema
        reads = tools[call.tool].annotations.readOnlyHint
        known = {name: value for name, value in call.arguments.items() if name in schema.get("properties", {})}
        if tools[other].annotations.readOnlyHint is not reads or set(schema.get("required", [])) - known.keys():
            return False
        instead = TracedStep(tool=other, principal=tools[other].principal, arguments=known)
        run = await self._run([*self.gold.calls[:number], instead, *self.gold.calls[number + 1 :]])
        if run.calls[number].outcome != "ok":
            return False
        if not reads:
            return not self._same_changes(run)
        told = {value for _, value in _leaves("", list(self.gold.report.answers.values()))}
        here, there = set(_leaves("", call.value)), set(_leaves("", run.calls[number].value))
        return any(value in told and name in dict(there) and (name, value) not in there for name, value in here)

    async def against_the_chain(self, said: ReviewedTask, steps: Sequence[Sequence[TracedStep]]) -> str:
        """Why the steps do not belong together; empty where they do."""
        if said.verdict == "drop":
            return f"its steps serve no common purpose: {said.why}"
        if len(said.purposes) > MOST_PURPOSES:
            return f"its steps serve {len(said.purposes)} purposes: {', '.join(said.purposes)}"
        if said.verdict == "reorder":
            wanted = [call for number in said.order for call in steps[number - 1]]
            run = await self._run(wanted)
            is_same = self._same_changes(run) and all(call.outcome == "ok" for call in run.calls)
            if not is_same and not _takes_other_ids(wanted, run.calls):
                return "in the order in which anybody would take them, its steps come to another end"
        return ""

    async def _run(self, calls: Sequence[TracedStep]) -> Run:
        return await run_calls(self.runtime, self.bundle, self.task, calls, self.gold.report)

    def _same_changes(self, run: Run) -> bool:
        schema, mask = schema_of(self.bundle.schema_sql), Mask.of(self.gold)
        gold, other = (normalize(changes, schema, run.clock, mask) for changes in (self.gold.changes, run.changes))
        return gold == other


def _takes_other_ids(before: Sequence[TracedStep], after: Sequence[TracedStep]) -> bool:
    """Whether a call was answered with another value than before that some call is given, such as the number of a new
    row: then calls that are given the former ones mean something else, which says nothing of their order."""
    given = {value for call in before for _, value in _leaves("", call.arguments)}
    answered = ((was, now) for was, now in zip(before, after, strict=True) if now.outcome == "ok")
    gone = (set(_leaves("", was.value)) - set(_leaves("", now.value)) for was, now in answered)
    return any(value in given for leaves in gone for _, value in leaves)


def _leaves(name: str, value: Json) -> Iterator[tuple[str, str]]:
    """The single values in a result, as text, each with the name of its field."""
    if isinstance(value, dict):
        for inner, part in value.items():
            yield from _leaves(inner, part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(name, part)
    elif value is not None and not isinstance(value, bool):
        yield name, value if isinstance(value, str) else f"{value:.12g}"
