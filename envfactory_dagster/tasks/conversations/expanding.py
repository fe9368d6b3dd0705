"""Goal expansion, as EnvFactory has it: a related second wish is added to a task, before its truth is made.

Belongs here: choosing a step that goes with what the task is about, and the truth of the two together. Does not: saying
it (`planning`).

The step is a look-up that the tool graph joins to a call of the task by a value: about the same thing, then. Something
that it shows becomes one more field of the answer form. The new program is the old one and the step after it; it is run
and its verifier is tried like any other.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random

from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph import GraphTool, ToolGraph
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.runtime.facts import ToolFacts
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks import proving
from envfactory_dagster.tasks.authored import difficulty
from envfactory_dagster.tasks.graph_tasks.asking import asked
from envfactory_dagster.tasks.graph_tasks.dial import dial
from envfactory_dagster.tasks.graph_tasks.facts import facts_of
from envfactory_dagster.tasks.graph_tasks.fields import AskedField, fields_of, form_of
from envfactory_dagster.tasks.graph_tasks.program import program
from envfactory_dagster.tasks.graph_tasks.reading import in_list, items_at, placed
from envfactory_dagster.tasks.graph_tasks.steps import Said, Step, Walked
from envfactory_dagster.tasks.verifier_writing import write_verifier
from envfactory_dagster.truth.ground import Ground, schema_of

_MOST_TRIED = 4
"""Steps tried for one wish; of a task where none of them can be proven, there is no second wish."""
_LEVEL = 2
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
class Expander:
    """The ground on which second wishes grow."""

    runtime: Runtime
    bundle: Bundle
    graph: ToolGraph
    facts: ToolFacts

    async def expanded(self, parent: MadeTask, wishes: int) -> Expanded:
        """The task with so many further wishes, or as many as can be proven. A task that is refused has none."""
        found = Expanded(parent, parent)
        if parent.solution.report.outcome == "done":
            for _ in range(wishes):
                found = await self._one_more(found) or found
        return found

    async def _one_more(self, so_far: Expanded) -> Expanded | None:
        parent = so_far.made
        chance = Random(int(content_hash([self.bundle.key, parent.task.id, so_far.also])[:12], 16))
        for tool, given in list(self._related(parent.solution, chance))[:_MOST_TRIED]:
            step = await self._looked_up(parent, tool, given)
            if step is None:
                continue
            walked = asked(self.bundle, [step], dial(_LEVEL), chance)
            ground = Ground(schema_of(self.bundle.schema_sql), self.bundle.states[parent.task.state].image)
            fields = fields_of(walked, self.bundle, self.facts, ground)
            taken = {field.name for field in parent.solution.form.fields}
            if not fields or taken & {one.field.name for one in fields}:
                continue
            made = await self._proven(parent, step, walked, fields, ground)
            if made is not None:
                return Expanded(so_far.first, made, [*so_far.also, tuple(one.field.description for one in fields)])
        return None

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
            known: dict[str, Json] = {
                name: value for name, value in given.items() if name in needed and value is not None
            }
            if needed and known.keys() == needed:
                seen.add(tool.name)
                yield tool, known

    async def _looked_up(self, parent: MadeTask, tool: GraphTool, given: dict[str, Json]) -> Step | None:
        """The step as it looks at the start. What it shows once the task is done is compared with that later."""
        session = await self.runtime.open(self.bundle, state=parent.task.state)
        async with session:
            result = await session.call(tool.name, placed(given))
        if not result.ok or result.note is not None:
            return None
        arguments = {name: Said(value) for name, value in given.items()}
        return Step(1, tool.name, dict(arguments), result.value, changes=False, afterwards=result.value)

    async def _proven(
        self, parent: MadeTask, step: Step, walked: Walked, fields: Sequence[AskedField], ground: Ground
    ) -> MadeTask | None:
        """The truth of both wishes together."""
        solution = parent.solution
        form = AnswerForm(fields=[*solution.form.fields, *form_of(fields).fields])
        source = together(solution.source, program(walked, fields))
        others = [together(other, program(walked, fields)) for other in solution.alternatives]
        gold = await proving.solve(self.runtime, self.bundle, parent.task, source, form, others)
        if isinstance(gold, list) or not _is_unchanged(gold, solution, step):
            return None
        clock = self.bundle.states[parent.task.state].clock
        second = gold.model_copy(update={"form": form_of(fields), "changes": []})
        written = write_verifier(second, ground.schema, clock, facts_of(fields, walked, self.facts, ground))
        verifier = f"{parent.verifier.verifier.source}\n\n{goals_of(written)}"
        gated = await proving.verify(self.runtime, self.bundle, parent.task, gold, verifier)
        if isinstance(gated, list):
            return None
        measured = difficulty(gold.calls, self.facts)
        return parent.model_copy(update={"solution": gold, "verifier": gated, "difficulty": measured})


def _meant(solution: ReferenceSolution, source: str, output: str) -> Json:
    """The value that the task is about, of those that a tool told in one of its fields: the only one, the one that a
    later call was given, or the one beside what the person is told in the end."""
    calls, answers = solution.calls, list(solution.report.answers.values())
    for place, call in enumerate(calls):
        if call.tool != source or call.outcome != "ok":
            continue
        told = list(dict.fromkeys(_at(call.value, output.split("."))))
        used = [value for other in calls[place + 1 :] for value in other.arguments.values() if value in told]
        if used or len(told) == 1:
            return used[0] if used else told[0]
        path, column = in_list(output) or ("", "")
        rows = [row for row in items_at(call.value, path) if any(_is_word(row[name], answers) for name in row)]
        if len(rows) == 1:
            return rows[0].get(column)
    return None


def _is_word(value: Json, answers: Sequence[Json]) -> bool:
    return isinstance(value, str) and value in answers


def _at(value: Json, path: Sequence[str]) -> Iterator[str | int]:
    """The ids and codes that stand at a path like `huts[].hut_id`."""
    if not path:
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            yield value
        return
    inner = value.get(path[0].removesuffix("[]")) if isinstance(value, dict) else None
    for one in inner if isinstance(inner, list) and path[0].endswith("[]") else [inner]:
        yield from _at(one, path[1:])


def _is_unchanged(gold: ReferenceSolution, before: ReferenceSolution, step: Step) -> bool:
    """Whether the second wish left everything as the first one did, and found what there was at the start."""
    return gold.state_hash == before.state_hash and gold.calls[-1].value == step.result


def together(first: str, second: str) -> str:
    """The program of both wishes: each has its `solve` under a name of its own."""
    number = next(number for number in count(1) if f"wish_{number}" not in first)
    names = f"wish_{number}", f"wish_{number + 1}"
    both = (_renamed(source, name) for source, name in zip((first, second), names, strict=True))
    return "\n\n\n".join([*both, _BOTH.format(*names)])


def _renamed(source: str, name: str) -> str:
    module = ast.parse(source)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name == "solve":
            node.name = name
        elif isinstance(node, ast.Name) and node.id == "solve":
            node.id = name
    return ast.unparse(module)


def goals_of(verifier: str) -> str:
    """The checks of a verifier that say what must have become true, without its guards."""
    module = ast.parse(verifier)
    kept = [node for node in module.body if isinstance(node, ast.FunctionDef) and node.name.startswith("goal_")]
    return "\n\n\n".join(ast.unparse(node) for node in kept)
