"""Making the tasks of one environment: draft walks, have one worded, prove it; take the next where that fails.

Belongs here: which walks are tried for a task, and in what order it becomes one. Does not: any single step of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.loop import Authored, Question, author
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task, TaskKind
from envfactory_dagster.contracts.graph import WEAK, ToolGraph
from envfactory_dagster.contracts.graph_tasks import GraphTaskWordingAnswer
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.facts import ToolFacts
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.authored import difficulty
from envfactory_dagster.tasks.graph_tasks.asking import asked
from envfactory_dagster.tasks.graph_tasks.describing import context_of
from envfactory_dagster.tasks.graph_tasks.dial import Dial, dial
from envfactory_dagster.tasks.graph_tasks.facts import facts_of
from envfactory_dagster.tasks.graph_tasks.fields import fields_of, form_of
from envfactory_dagster.tasks.graph_tasks.looping import KnownOfState, loops
from envfactory_dagster.tasks.graph_tasks.program import program
from envfactory_dagster.tasks.graph_tasks.steps import Walked
from envfactory_dagster.tasks.graph_tasks.values import Values
from envfactory_dagster.tasks.graph_tasks.walking import WalkContext, walk
from envfactory_dagster.tasks.graph_tasks.wanted_drafts import WalkDraft
from envfactory_dagster.tasks.graph_tasks.wording import INSTRUCTIONS, SCHEMA, problems_of
from envfactory_dagster.tasks.proving import solve, verify
from envfactory_dagster.tasks.task_reading import TaskReader, ToRead
from envfactory_dagster.tasks.verifier_writing import write_verifier
from envfactory_dagster.truth.start_rows import StartRows, schema_of

STAGE = "graph_tasks"
WALKS = 48
"""This many chains are walked for a task; those that are long enough become drafts."""
DRAFTS = 6
"""So many of them are shown to who chooses."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A task to be made."""

    id: str
    level: int
    state: str
    with_person: bool = False
    """Whether the person is to do a part of it, where they can."""

    @property
    def dial(self) -> Dial:
        return dial(self.level)


@dataclass(frozen=True, slots=True)
class TriedTask:
    """What became of one wanted task."""

    made: MadeTask | None
    dropped: list[Dropped]
    attempts: list[Attempt]


@dataclass
class Maker:
    """Everything needed for the tasks of one environment."""

    gateway: Gateway
    runtime: Runtime
    settings: AuthoringSettings
    bundle: Bundle
    graph: ToolGraph
    """Of all tools: chains lead over the assistant's, and take in those of the person that they wait for."""
    facts: ToolFacts
    _known: set[str] = field(default_factory=set)
    """The gists of all drafts: what is nearly the same is made once."""
    _states: dict[str, KnownOfState] = field(default_factory=dict)
    _longest: dict[str, int] = field(default_factory=dict)
    """Task → the most calls that a loop in its state takes, where it was to be one."""

    async def drafts(self, wanted: Wanted, seed: int) -> list[Walked]:
        """Walks that fit the dial. Called for one task after the other, so that
        the same seed gives the same tasks."""
        start_rows = self._start_rows(wanted.state)
        values = Values(self.bundle, self.facts, start_rows, wanted.state)
        context = WalkContext(self.runtime, self.bundle, self.graph, values, wanted.state)
        if wanted.dial.loops:
            return await self._loops(context, wanted, seed)
        assistants = self.graph.seen_by("assistant")
        waiting = self.waiting() if wanted.with_person else []
        found: list[Walked] = []
        for number in range(WALKS):
            own = int(content_hash([seed, self.bundle.key, wanted.id, number])[:12], 16)
            chance = Random(own)
            start = chance.choice(waiting) if waiting and number % 4 else None
            steps = await walk(context, wanted.dial.chain(assistants, own, start), wanted.dial, chance)
            walked = asked(self.bundle, steps, wanted.dial, chance)
            gist = content_hash([wanted.state, walked.gist()])
            is_long_enough = len(walked.steps) >= wanted.dial.least_calls
            if is_long_enough and (walked.changes or walked.tellings) and gist not in self._known:
                self._known.add(gist)
                found.append(walked)
        persons = {tool.name for tool in self.bundle.tools_of("user")}

        def is_alone(walked: Walked) -> bool:
            return wanted.with_person and not any(step.tool in persons for step in walked.steps)

        return sorted(found, key=is_alone)[:DRAFTS]

    async def _loops(self, context: WalkContext, wanted: Wanted, seed: int) -> list[Walked]:
        """Loops over the lists of this state, as far as they are long enough: deeds first, or questions."""
        chance = Random(int(content_hash([seed, self.bundle.key, wanted.id])[:12], 16))
        found = await loops(context, wanted.dial, chance, WALKS, self._states.setdefault(wanted.state, KnownOfState()))
        self._longest[wanted.id] = found.longest
        acting = chance.random() < 0.5
        fresh: list[Walked] = []
        for walked in sorted(chance.sample(found.walks, len(found.walks)), key=lambda one: one.changes != acting):
            gist = content_hash([wanted.state, walked.gist()])
            if gist not in self._known and len(fresh) < DRAFTS:
                self._known.add(gist)
                fresh.append(walked)
        return fresh

    def waiting(self) -> list[str]:
        """The assistant's tools that wait for what the person does."""
        known = {tool.name for tool in self.graph.tools}
        return [tool.name for tool in self.bundle.tools if tool.name in known and known & set(tool.confirmed_by)]

    async def make(self, wanted: Wanted, drafts: Sequence[WalkDraft]) -> TriedTask:
        """The first of the drafts that can be proven."""
        attempts: list[Attempt] = []
        dropped: list[Dropped] = []
        for number, draft in enumerate(drafts, 1):
            made, tried = await self._proven(wanted, draft)
            attempts += tried
            if isinstance(made, MadeTask):
                return TriedTask(made, dropped, attempts)
            dropped.append(Dropped(task=f"{wanted.id}_{number}", reason=_reason(made), stage=STAGE))
        if not drafts:
            reason = self._why_nothing(wanted)
            dropped.append(Dropped(task=wanted.id, reason=reason, stage=STAGE))
        return TriedTask(None, dropped, attempts)

    def _why_nothing(self, wanted: Wanted) -> str:
        if not wanted.dial.loops:
            return f"no chain of {wanted.dial.least_calls} or more calls with one purpose does or tells anything new"
        longest, least = self._longest[wanted.id], wanted.dial.least_calls
        if longest < least:
            return f"no list is long enough: going through one takes {longest} calls at most, {least} are wanted"
        return f"nothing can be told of a whole list, or done to each of it, that takes {least} calls or more"

    async def _proven(self, wanted: Wanted, draft: WalkDraft) -> tuple[MadeTask | list[Problem], list[Attempt]]:
        """What costs nothing comes first: the solution; then the words, then the verifier, which needs them."""
        walked = draft.walked
        kind: TaskKind = "action" if walked.changes else "information"
        task = Task(id=wanted.id, text="To be worded.", kind=kind, state=wanted.state)
        start_rows = self._start_rows(wanted.state)
        fields = fields_of(walked, self.bundle, self.facts, start_rows)
        gold = await solve(self.runtime, self.bundle, task, program(walked, fields), form_of(fields))
        if isinstance(gold, list):
            return gold, []
        worded = await self._worded(wanted, draft, ToRead(task, gold))
        if worded.value is None:
            return worded.problems, worded.attempts
        task = task.model_copy(update={"text": worded.value.text})
        clock = self.bundle.states[wanted.state].clock
        source = write_verifier(gold, start_rows.schema, clock, facts_of(fields, walked, self.facts, start_rows))
        gated = await verify(self.runtime, self.bundle, task, gold, source)
        if isinstance(gated, list):
            return gated, worded.attempts
        weak, independent = loose_steps(self.graph, walked)
        measured = difficulty(gold.calls, self.facts).model_copy(
            update={
                "level": wanted.level,
                "weak_edges": weak,
                "independent_steps": independent,
                "obscured": wanted.dial.obscured,
            }
        )
        made = MadeTask(
            task=task,
            source="graph",
            solution=gold,
            verifier=gated,
            rubric=worded.value.rubric,
            difficulty=measured,
        )
        return made, worded.attempts

    async def _worded(self, wanted: Wanted, draft: WalkDraft, solved: ToRead) -> Authored[GraphTaskWordingAnswer]:
        """Words that say everything. A draft whose second wording still reads wrong is given up."""
        reader = TaskReader[GraphTaskWordingAnswer](self.gateway, STAGE, self.bundle, self.settings.attempts)
        obscured = wanted.dial.obscured
        context = context_of(self.bundle, draft.walked, wanted.state, obscured=obscured, motive=draft.motive)

        trade = texts.trade_of(self.bundle.theme, self.bundle.schema_sql)

        async def gate(answer: GraphTaskWordingAnswer) -> list[Problem]:
            if problems := problems_of(context, draft.walked, answer, trade):
                return problems
            first = not reader.attempts
            shown = replace(solved, task=solved.task.model_copy(update={"text": answer.text}))
            told = await reader.problems(answer, shown)
            return [problem.model_copy(update={"mendable": first}) for problem in told]

        worded = await author(
            self.gateway,
            Caller(STAGE, self.bundle.key, Role.AUTHOR),
            Question(SCHEMA, GraphTaskWordingAnswer, INSTRUCTIONS, context),
            gate,
            attempts=self.settings.attempts,
        )
        return Authored(reader.best, [*reader.attempts, *worded.attempts])

    def _start_rows(self, state: str) -> StartRows:
        return StartRows(schema_of(self.bundle.schema_sql), self.bundle.states[state].image)


def loose_steps(graph: ToolGraph, walked: Walked) -> tuple[int, int]:
    """The steps that no strong dependency on an earlier one suggests, the first one aside: those that a weak one does,
    and those that none does. What a loop does with each row is one step."""
    tools = [*(step.tool for step in walked.steps), *(walked.loop.tools() if walked.loop is not None else [])]
    best = [max(graph.weight(before, tool) for before in tools[:n]) for n, tool in enumerate(tools) if n]
    return best.count(WEAK), sum(weight < WEAK for weight in best)


def _reason(problems: Sequence[Problem]) -> str:
    first = problems[0].snippet.partition("\n")[0][:200] if problems else ""
    return f"{problems[0].message} {first}".strip() if problems else "nothing came of it"
