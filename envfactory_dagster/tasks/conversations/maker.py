"""One environment while its tasks become conversations and variants. What does the same as its parent has its proof.
A task that is too short is expanded first, and proved anew.

Belongs here: which tasks become what, in which order, and what is kept or given up. Does not: any step (`making`,
`variants`), and what goes in and comes out (`stage`).
"""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TypeVar

from envfactory_dagster.authoring.loop import Question
from envfactory_dagster.contracts.conversations import FurtherWishesAnswer
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.graph import ToolGraph
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.synthesis import Conversation, Difficulty, MadeTask, Turn, Variant
from envfactory_dagster.contracts.truth import Dropped, GatedVerifier, ReferenceSolution, TracedStep
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks import proving
from envfactory_dagster.tasks.conversations import expanding, impossible, underspecified, variants
from envfactory_dagster.tasks.conversations.expanding import AskedLookup, Expanded, Expander, ToExpand
from envfactory_dagster.tasks.conversations.impossible import WithoutTools
from envfactory_dagster.tasks.conversations.making import GivenUp, SpokenEnvironment, Talk, Writer, talk_of, told
from envfactory_dagster.tasks.conversations.planning import LEAST_TURNS, Planned, planned
from envfactory_dagster.tasks.conversations.settings import ConversationSettings
from envfactory_dagster.tasks.naming import renamed
from envfactory_dagster.tasks.verifier_writing import write_verifier

R = TypeVar("R")
STAGE = "conversations"
_LONGEST = 64
_FEW_PARTS = 4
"""A task with fewer parts is expanded, by as many wishes as are lacking and not by more than `_MOST_WISHES`."""
_MOST_WISHES = 2
_CHOSEN_TOGETHER = 8
"""Tasks for which further wishes are chosen in one question."""
_TOO_SHORT = f"there is not enough to it for {LEAST_TURNS} turns"
_NO_CALLS = Difficulty(level=1, calls=0, tools=0)


@dataclass
class ConversationMaker:
    """One environment while its tasks become conversations."""

    gateway: Gateway
    runtime: Runtime
    spoken: SpokenEnvironment
    graph: ToolGraph
    most_attempts: int
    settings: ConversationSettings
    made: list[MadeTask] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    _writes: dict[str, list[tuple[str, TracedStep]]] = field(default_factory=dict)
    """State → the changes that tasks make there, each with the task."""

    async def work(self, parents: Sequence[MadeTask]) -> None:
        """Conversations first, several in one question and kept in the order of their tasks; then what is made from
        them."""
        self._remember_writes(parents)
        at_once = asyncio.Semaphore(self.settings.at_once)
        plans = [self._plan(one) for one in await self._expanded(at_once, parents[: self.settings.most])]
        enough = [plan for plan in plans if plan.most_turns >= LEAST_TURNS]
        size = self.settings.together
        batches = [enough[begin : begin + size] for begin in range(0, len(enough), size)]
        told_so_far = await asyncio.gather(*(_in_turn(at_once, self._told(batch)) for batch in batches))
        results = [pair for found in told_so_far for pair in found]
        results += [(plan, GivenUp(_TOO_SHORT)) for plan in plans if plan not in enough]
        talks = []
        for plan, result in results:
            task, name = plan.parent.task, _named(plan.parent.task.id, "talk")
            if isinstance(result, GivenUp):
                self._keep(_dropped(name, result))
                continue
            talks.append(result)
            variant: Variant = "missing_parameter" if result.asks_back else "plain"
            self._keep(self._as_the_parent(result, name, "refusal" if task.kind == "refusal" else variant))
        await self._underspecified([*filter(_asks_back, talks), *await self._missing_parameters(talks)])
        await self._missing_functions(talks)
        await self._rules_questions()

    # -- what is made -------------------------------------------------------------------------------------------------

    async def _expanded(self, at_once: asyncio.Semaphore, parents: Sequence[MadeTask]) -> list[Expanded]:
        """The tasks, those that have few parts with a second wish or two."""
        plain = [Expanded(parent, parent) for parent in parents]
        if "goal_expansion" not in self.settings.refinements:
            return plain
        expander = Expander(self.runtime, self.spoken.bundle, self.graph, self.spoken.facts)
        lacking = {one.first.task.id: min(_MOST_WISHES, _FEW_PARTS - len(self._plan(one).parts)) for one in plain}
        short = [parent for parent in parents if lacking[parent.task.id] > 0]
        offers = await asyncio.gather(
            *(_in_turn(at_once, expander.to_expand(one, lacking[one.task.id])) for one in short)
        )
        offered = [one for one in offers if one.wishes]
        batches = [offered[begin : begin + _CHOSEN_TOGETHER] for begin in range(0, len(offered), _CHOSEN_TOGETHER)]
        chosen = await asyncio.gather(*(_in_turn(at_once, self._chosen(batch)) for batch in batches))
        wishes = {task: found for batch in chosen for task, found in batch.items()}
        return list(
            await asyncio.gather(
                *(_in_turn(at_once, expander.expanded(one, wishes.get(one.task.id, []))) for one in parents)
            )
        )

    async def _chosen(self, tasks: Sequence[ToExpand]) -> dict[str, list[AskedLookup]]:
        """Of each task the wishes that somebody would have besides."""

        async def gate(answer: FurtherWishesAnswer) -> list[Problem]:
            return expanding.problems_of_choice(tasks, answer)

        writer, offered = self._writer(), {one.parent.task.id: one.wishes for one in tasks}
        context = expanding.context_of(self.spoken.bundle, tasks)
        question = Question("further_wishes", FurtherWishesAnswer, expanding.FURTHER_WISHES, context)
        try:
            answer = await writer.write(question, gate)
        except GivenUp:
            return {}
        finally:
            self._remember_attempts("further_wishes", writer)
        return {one.task: [offered[one.task][number - 1] for number in one.wishes] for one in answer.tasks}

    def _plan(self, expanded: Expanded) -> Planned:
        spoken = self.spoken
        return planned(spoken.bundle, spoken.internals, spoken.facts, spoken.names, expanded, self.settings.refinements)

    async def _told(self, plans: Sequence[Planned]) -> list[tuple[Planned, Talk | GivenUp]]:
        writer = self._writer()
        found = await told(writer, self.spoken, plans)
        self.attempts += writer.attempts
        given = [(plan, found[plan.parent.task.id]) for plan in plans]
        return [(plan, one if isinstance(one, GivenUp) else talk_of(plan, one)) for plan, one in given]

    async def _missing_parameters(self, talks: Sequence[Talk]) -> list[Talk]:
        """Those that were made."""
        wanted = [(talk, written) for talk in talks if talk.parent.task.kind == "action"
                  for written in variants.askable(self.spoken, talk)[:1]]  # fmt: skip
        asking_already, made = sum(map(_asks_back, talks)), []
        for talk, written in wanted[: max(0, self.settings.missing_parameter - asking_already)]:
            name, writer = _named(talk.parent.task.id, "left_out"), self._writer()
            try:
                without = await variants.missing_parameter(writer, talk, written)
                self._keep(self._as_the_parent(without, name, "missing_parameter"))
                made.append(without)
            except GivenUp as reason:
                self._keep(_dropped(name, reason))
            self._remember_attempts(name, writer)
        return made

    async def _underspecified(self, talks: Sequence[Talk]) -> None:
        """First messages that cannot be done without asking, as tasks for who cannot ask."""
        found = [(talk, underspecified.first_message(self.spoken, talk)) for talk in talks]
        wanted = [(talk.parent.task, message) for talk, message in found if message is not None]
        for parent, message in wanted[: self.settings.missing_parameter]:
            task = Task(
                id=_named(parent.id, "open"),
                text=message,
                kind="underspecified",
                state=parent.state,
                entities=parent.entities,
            )
            await self._reported_only(task, None, underspecified.FORM, underspecified.REPORT, parent.id)

    async def _missing_functions(self, talks: Sequence[Talk]) -> None:
        """Turns that ask to be told something and turns that do not, by turns: what is impossible has forms as
        different as what can be done."""
        found = [(talk, one) for talk in talks if talk.parent.task.kind in ("action", "information")
                 for one in impossible.without_tools(self.spoken, talk)]  # fmt: skip
        telling = _of_each_once([pair for pair in found if pair[1].form.fields])
        doing = _of_each_once([pair for pair in found if not pair[1].form.fields])
        wanted = [pair for both in zip_longest(telling, doing) for pair in both if pair is not None]
        for talk, one in _of_each_once(wanted)[: self.settings.missing_function]:
            parent = talk.parent.task
            task = Task(
                id=_named(parent.id, "unable"),
                text=one.turn.request,
                kind="unable",
                state=parent.state,
                entities=parent.entities,
                withheld=one.withheld,
            )
            turn = Turn(goal=one.turn.goal, request=one.turn.request, calls=0)
            wording = talk.conversation("missing_function").model_copy(
                update={"turns": [turn], "answers": impossible.answers_for(talk, one.turn)}
            )
            await self._reported_only(task, wording, one.form, one.report, parent.id)

    async def _rules_questions(self) -> None:
        states = sorted(self.spoken.bundle.states)
        asked: list[str] = []
        for number in range(1, self.settings.no_tool + 1):
            state = states[number % len(states)]
            clock, writer = self.spoken.bundle.states[state].clock, self._writer()
            name = f"rules_question_{number}"
            try:
                context = variants.rules_context(self.spoken.bundle, clock, asked)
                question = await variants.rules_question(writer, context, self.spoken.names)
            except GivenUp as reason:
                return self._keep(_dropped(name, reason))
            finally:
                self._remember_attempts(name, writer)
            asked.append(question.request)
            turn = Turn(goal=question.request, request=question.request, calls=0)
            wording = Conversation(
                scenario=question.scenario, persona=question.persona, turns=[turn], variant="no_tool"
            )
            task = Task(id=name, text=question.request, kind="no_tool", state=state)
            form = AnswerForm(fields=question.answer_form)
            await self._reported_only(task, wording, form, variants.answered(question), None)

    # -- the truth ----------------------------------------------------------------------------------------------------

    def _as_the_parent(self, talk: Talk, name: str, variant: Variant) -> MadeTask:
        """The same deeds and checks as before, under other words: what was proved of them holds. In these words nobody
        has played it yet."""
        made = renamed(talk.parent, name)
        return made.model_copy(
            update={
                "difficulty": made.difficulty.model_copy(update={"pass_rate": None}),
                "task": made.task.model_copy(update={"text": talk.text}),
                "source": "conversation",
                "parent": talk.parent.task.id,
                "conversation": talk.conversation(variant),
            }
        )

    async def _reported_only(
        self, task: Task, wording: Conversation | None, form: AnswerForm, report: Report, parent: str | None
    ) -> None:
        """A task that is reported on without any call."""
        try:
            solution, gated = await self._proved(task, form, report)
        except GivenUp as reason:
            return self._keep(_dropped(task.id, reason))
        self._keep(
            MadeTask(
                task=task,
                source="conversation",
                parent=parent,
                solution=solution,
                verifier=gated,
                difficulty=_NO_CALLS,
                conversation=wording,
            )
        )

    async def _proved(self, task: Task, form: AnswerForm, report: Report) -> tuple[ReferenceSolution, GatedVerifier]:
        bundle = self.spoken.bundle
        solution = await proving.solve(self.runtime, bundle, task, variants.reporting(report), form)
        if isinstance(solution, list):
            raise GivenUp(_first(solution))
        clock = bundle.states[task.state].clock
        verifier = write_verifier(solution, load_schema(bundle.schema_sql), clock)
        gated = await proving.verify(self.runtime, bundle, task, solution, verifier, self._donors(task))
        if isinstance(gated, list):
            raise GivenUp(_first(gated))
        return solution, gated

    # -- what is known and kept ---------------------------------------------------------------------------------------

    def _writer(self) -> Writer:
        caller = Caller(STAGE, self.spoken.bundle.key, Role.AUTHOR)
        return Writer(self.gateway, caller, self.most_attempts)

    def _remember_attempts(self, name: str, writer: Writer) -> None:
        for attempt in writer.attempts:
            named = [p.model_copy(update={"message": f"{name}: {p.message}"}) for p in attempt.problems]
            self.attempts.append(attempt.model_copy(update={"problems": named}))

    def _remember_writes(self, parents: Sequence[MadeTask]) -> None:
        reading = {tool.name for tool in self.spoken.bundle.tools if tool.annotations.readOnlyHint}
        for parent in parents:
            writes = [c for c in parent.solution.calls if c.outcome == "ok" and c.tool not in reading]
            self._writes.setdefault(parent.task.state, []).extend((parent.task.id, call) for call in writes)

    def _donors(self, task: Task) -> list[TracedStep]:
        """What other tasks change in the same state."""
        return [call for owner, call in self._writes.get(task.state, []) if owner != task.id]

    def _keep(self, result: MadeTask | Dropped) -> None:
        if isinstance(result, MadeTask):
            self.made.append(result)
        else:
            self.dropped.append(result)


async def _in_turn(at_once: asyncio.Semaphore, work: Awaitable[R]) -> R:
    async with at_once:
        return await work


def _asks_back(talk: Talk) -> bool:
    return talk.asks_back


def _of_each_once(pairs: Sequence[tuple[Talk, WithoutTools]]) -> list[tuple[Talk, WithoutTools]]:
    """The first of each conversation."""
    first: dict[str, tuple[Talk, WithoutTools]] = {}
    for pair in pairs:
        first.setdefault(pair[0].parent.task.id, pair)
    return list(first.values())


def _named(parent: str, what: str) -> str:
    return f"{parent[: _LONGEST - len(what) - 1]}_{what}"


def _dropped(name: str, reason: GivenUp) -> Dropped:
    return Dropped(task=name, reason=str(reason), stage=STAGE)


def _first(problems: Sequence[Problem]) -> str:
    return " ".join(filter(None, (problems[0].message, problems[0].snippet)))[:400]
