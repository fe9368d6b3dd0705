"""Goal expansion, as EnvFactory has it: related second wishes are added to a task, before its truth is made.

Belongs here: which look-ups go with a task, having the author choose among them, and the truth of all together. Does
not: saying it (`planning`).

A look-up is offered that the tool graph joins to a call of the task by a value, or that needs no value and follows one
of its calls; what it tells must be the same before and after the task. It becomes a field of the answer form. The new
program is the old one and the look-up after it; it is run and its verifier is tried like any other.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random

from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import (
    FurtherWishesAnswer,
    FurtherWishesContext,
    TaskToExpand,
    WishShown,
)
from envfactory_dagster.contracts.graph import GraphTool, ToolGraph
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.contracts.truth import ReferenceSolution, TracedStep
from envfactory_dagster.runtime.facts import ToolFacts
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks import proving
from envfactory_dagster.tasks.authored import difficulty
from envfactory_dagster.tasks.conversations.held_back import written_in
from envfactory_dagster.tasks.graph_tasks.asking import asked
from envfactory_dagster.tasks.graph_tasks.choosing import names_of
from envfactory_dagster.tasks.graph_tasks.dial import dial
from envfactory_dagster.tasks.graph_tasks.facts import facts_of
from envfactory_dagster.tasks.graph_tasks.fields import AskedField, fields_of, form_of
from envfactory_dagster.tasks.graph_tasks.program import program
from envfactory_dagster.tasks.graph_tasks.reading import in_list, items_at, name_of, placed, scalars
from envfactory_dagster.tasks.graph_tasks.steps import KnownValue, Walked, WalkStep
from envfactory_dagster.tasks.verifier_writing import write_verifier
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.start_rows import StartRows, schema_of

_MOST_LOOKED_UP = 6
"""Tools of which something is offered for one task."""
_MOST_TOLD = 3
"""Things offered of one look-up, which are drawn by lot so many times."""
_DRAWN = 8
_MOST_CHARS = 90
"""A thing that it takes more to name is none that a person asks about, and neither is one that a code names."""
_CODE = re.compile(r"\b[A-Z]+-\d")
_LEVELS = (2, 4)
"""Of the difficulty dial: single values, and totals."""

FURTHER_WISHES = """\
You choose what people ask besides, in a conversation with the assistant of a service, which `service` describes. Give
an entry of `tasks` for each of the `tasks`, named by its `task`.

`text` is what a person wants, and it is `clock`. `wishes` are more things that the assistant could look up in the same
conversation: `tells` is what the person would be told, `values` are the answers, `tool` and `arguments` how they are
found, `whose` the names in that record.

- `wishes`: the numbers of those that this person would well ask for too, with this in mind, in the order in which they
  would ask; at most `most`, and no two of one tool. It is something that they do not know yet, neither from `text` nor
  from what is done for it, and that is of use to them: what it costs, when it is, what goes with it. Nobody asks for a
  status, a label or a number that only the service works with, or for what they have just decided themselves. Where
  nothing of the kind is offered, choose none.
"""
_TELLING_NUMBER = 100
_BOTH = """\
def solve(tools):
    first, second = {}(tools), {}(tools)
    return {{
        **first,
        "answers": {{**first["answers"], **second["answers"]}},
        "message": first["message"] + " " + second["message"],
    }}
"""


@dataclass(frozen=True, slots=True)
class Expanded:
    """A task with its further wishes."""

    first: MadeTask
    """The task as it was."""
    made: MadeTask
    also: list[tuple[str, ...]] = field(default_factory=list)
    """What each further wish asks to be told; each takes one call."""


@dataclass(frozen=True, slots=True)
class AskedLookup:
    """A look-up that goes with a task, and what it is to tell."""

    walked: Walked
    fields: tuple[AskedField, ...]

    @property
    def step(self) -> WalkStep:
        return self.walked.steps[0]

    @property
    def tells(self) -> list[str]:
        return [one.field.description for one in self.fields]

    def shown(self, number: int) -> WishShown:
        arguments = {name: given.value for name, given in self.step.arguments.items() if isinstance(given, KnownValue)}
        values = [one.value for one in self.fields]
        whose = names_of({name_of(path): value for path, value in scalars(self.step.result)})
        return WishShown(
            number=number, tool=self.step.tool, arguments=arguments, whose=whose, tells=self.tells, values=values
        )


@dataclass(frozen=True, slots=True)
class ToExpand:
    """A task that is short, and the wishes that could be added to it."""

    parent: MadeTask
    most: int
    wishes: tuple[AskedLookup, ...]


def context_of(bundle: Bundle, tasks: Sequence[ToExpand]) -> FurtherWishesContext:
    return FurtherWishesContext(
        service=f"{bundle.theme.name}. {bundle.theme.description}",
        tasks=[
            TaskToExpand(
                task=one.parent.task.id,
                clock=bundle.states[one.parent.task.state].clock,
                text=one.parent.task.text,
                most=one.most,
                wishes=[wish.shown(number) for number, wish in enumerate(one.wishes, 1)],
            )
            for one in tasks
        ],
    )


def problems_of_choice(tasks: Sequence[ToExpand], answer: FurtherWishesAnswer) -> list[Problem]:
    """What is wrong with the choice. A task that is not named has no further wish."""
    known = {one.parent.task.id: one for one in tasks}
    found = []
    for chosen in answer.tasks:
        one = known.get(chosen.task)
        if one is None:
            found.append(f"There is no task {chosen.task!r} to choose for.")
            continue
        unknown = [number for number in chosen.wishes if not 1 <= number <= len(one.wishes)]
        tools = [one.wishes[number - 1].step.tool for number in chosen.wishes if number not in unknown]
        if unknown:
            found.append(f"{chosen.task} has no wish {unknown[0]}.")
        if len(chosen.wishes) > one.most:
            found.append(f"{chosen.task} gets {len(chosen.wishes)} further wishes; at most {one.most}.")
        if len(set(tools)) < len(tools):
            found.append(f"{chosen.task} gets two wishes of one tool.")
    return [Problem(fault="tasks", message=message) for message in found]


@dataclass(frozen=True, slots=True)
class Expander:
    """The environment in which further wishes are looked for."""

    runtime: Runtime
    bundle: Bundle
    graph: ToolGraph
    facts: ToolFacts

    async def to_expand(self, parent: MadeTask, most: int) -> ToExpand:
        """What could be added to a task. To one that is refused nothing can."""
        if parent.solution.report.outcome != "done":
            return ToExpand(parent, most, ())
        chance = Random(int(content_hash([self.bundle.key, parent.task.id])[:12], 16))
        related = list(self._related(parent.solution, chance))[:_MOST_LOOKED_UP]
        wishes: list[AskedLookup] = []
        for step in await self._looked_up(parent, related):
            wishes += self._telling(parent, step, chance)
        return ToExpand(parent, most, tuple(wishes))

    async def expanded(self, parent: MadeTask, wishes: Sequence[AskedLookup]) -> Expanded:
        """The task with these further wishes, or with those of them that can be proven."""
        found = Expanded(parent, parent)
        for wish in wishes:
            made = await self._proven(found.made, wish)
            if made is not None:
                found = Expanded(parent, made, [*found.also, tuple(wish.tells)])
        return found

    def _related(self, solution: ReferenceSolution, chance: Random) -> Iterator[tuple[GraphTool, dict[str, Json]]]:
        """The look-ups that can follow, with the values that they get from the calls; strong dependencies first."""
        called = {call.tool for call in solution.calls}
        tools = {tool.name: tool for tool in self.graph.seen_by("assistant").tools}
        edges = [edge for edge in self.graph.edges if edge.source in called and edge.target in tools.keys() - called]
        chance.shuffle(edges)
        seen: set[str] = set()
        for edge in sorted(edges, key=lambda edge: -edge.weight):
            tool = tools[edge.target]
            if tool.name in seen or not tool.read_only:
                continue
            given = {link.parameter: _meant(solution, edge.source, link.output) for link in edge.links}
            needed = {parameter.name for parameter in tool.parameters if parameter.required}
            known = {name: value for name, value in given.items() if value is not None}
            if needed <= known.keys():
                seen.add(tool.name)
                yield tool, {name: value for name, value in known.items() if name in needed or not needed}

    async def _looked_up(self, parent: MadeTask, tools: Sequence[tuple[GraphTool, dict[str, Json]]]) -> list[WalkStep]:
        """The steps as they look at the start and once the task is done."""
        wanted = [TracedStep(tool=tool.name, arguments=placed(given)) for tool, given in tools]
        at_start = []
        async with await self.runtime.open(self.bundle, state=parent.task.state) as session:
            for call in wanted:
                at_start.append(await session.call(call.tool, call.arguments))
        done = await run_calls(self.runtime, self.bundle, parent.task, [*parent.solution.calls, *wanted], None)
        at_end = done.calls[len(parent.solution.calls) :]
        return [
            WalkStep(
                1,
                tool.name,
                {name: KnownValue(value) for name, value in given.items()},
                before.value,
                changes=False,
                afterwards=after.value,
            )
            for (tool, given), before, after in zip(tools, at_start, at_end, strict=True)
            if before.ok and before.note is None and after.outcome == "ok"
        ]

    def _telling(self, parent: MadeTask, step: WalkStep, chance: Random) -> list[AskedLookup]:
        """Some of the things that a look-up could tell: none that the task asks for already, or says itself."""
        spoken = StartRows(schema_of(self.bundle.schema_sql), self.bundle.states[parent.task.state].image)
        taken = {field.name for field in parent.solution.form.fields}
        text, told = parent.task.text, list(parent.solution.report.answers.values())
        found: dict[tuple[str, ...], AskedLookup] = {}
        for number in range(_DRAWN):
            walked = asked(self.bundle, [step], dial(_LEVELS[number % len(_LEVELS)]), chance)
            fields = tuple(fields_of(walked, self.bundle, self.facts, spoken)) if walked.steps else ()
            if not fields or any(
                one.field.name in taken or one.value in told or written_in(text, one.value) for one in fields
            ):
                continue
            wish = AskedLookup(walked, fields)
            if any(len(what) > _MOST_CHARS or _CODE.search(what) for what in wish.tells):
                continue
            found.setdefault(tuple(wish.tells), wish)
        return list(found.values())[:_MOST_TOLD]

    async def _proven(self, parent: MadeTask, wish: AskedLookup) -> MadeTask | None:
        """The truth of both wishes together."""
        solution, fields, walked = parent.solution, wish.fields, wish.walked
        if {one.field.name for one in fields} & {field.name for field in solution.form.fields}:
            return None
        form = AnswerForm(fields=[*solution.form.fields, *form_of(fields).fields])
        source = together(solution.source, program(walked, fields))
        others = [together(other, program(walked, fields)) for other in solution.alternatives]
        gold = await proving.solve(self.runtime, self.bundle, parent.task, source, form, others)
        if isinstance(gold, list) or gold.state_hash != solution.state_hash:
            return None
        spoken = StartRows(schema_of(self.bundle.schema_sql), self.bundle.states[parent.task.state].image)
        clock = self.bundle.states[parent.task.state].clock
        second = gold.model_copy(update={"form": form_of(fields), "changes": []})
        written = write_verifier(second, spoken.schema, clock, facts_of(fields, walked, self.facts, spoken))
        verifier = f"{parent.verifier.verifier.source}\n\n{goals_of(written)}"
        gated = await proving.verify(self.runtime, self.bundle, parent.task, gold, verifier)
        if isinstance(gated, list):
            return None
        measured = difficulty(gold.calls, self.facts)
        return parent.model_copy(update={"solution": gold, "verifier": gated, "difficulty": measured})


def _meant(solution: ReferenceSolution, source: str, output: str) -> Json:
    """The value that the task is about, of those that a tool told in one of its fields: the only one, the one that a
    later call was given, or the one of the row that holds most of what the person is told in the end."""
    calls, answers = solution.calls, list(solution.report.answers.values())
    for place, call in enumerate(calls):
        if call.tool != source or call.outcome != "ok":
            continue
        told = list(dict.fromkeys(_at(call.value, output.split("."))))
        used = [value for other in calls[place + 1 :] for value in other.arguments.values() if value in told]
        if used or len(told) == 1:
            return used[0] if used else told[0]
        path, column = in_list(output) or ("", "")
        rows = items_at(call.value, path)
        held = [sum(_is_told(value, answers) for value in row.values()) for row in rows]
        if held and max(held) > 0 and held.count(max(held)) == 1:
            return rows[held.index(max(held))].get(column)
    return None


def _is_told(value: Json, answers: Sequence[Json]) -> bool:
    """Small numbers stand everywhere."""
    small = isinstance(value, int | float) and value < _TELLING_NUMBER
    return value is not None and not small and value in answers


def _at(value: Json, path: Sequence[str]) -> Iterator[str | int]:
    """The ids and codes that stand at a path like `huts[].hut_id`."""
    if not path:
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            yield value
        return
    inner = value.get(path[0].removesuffix("[]")) if isinstance(value, dict) else None
    for one in inner if isinstance(inner, list) and path[0].endswith("[]") else [inner]:
        yield from _at(one, path[1:])


def together(first: str, second: str) -> str:
    """The program of both wishes: each has its `solve` under a name of its own."""
    number = next(number for number in count(1) if f"wish_{number}" not in first)
    names = f"wish_{number}", f"wish_{number + 1}"
    both = (_renamed(source, name) for source, name in zip((first, second), names, strict=True))
    return "\n\n\n".join([*both, _BOTH.format(*names)])


def _renamed(source: str, name: str) -> str:
    module = python_tree(source)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name == "solve":
            node.name = name
        elif isinstance(node, ast.Name) and node.id == "solve":
            node.id = name
    return ast.unparse(module)


def goals_of(verifier: str) -> str:
    """The checks of a verifier that say what must have become true, without its guards."""
    module = python_tree(verifier)
    kept = [node for node in module.body if isinstance(node, ast.FunctionDef) and node.name.startswith("goal_")]
    return "\n\n\n".join(ast.unparse(node) for node in kept)
