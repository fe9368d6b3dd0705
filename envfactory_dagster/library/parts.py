"""The smallest parts of answers: one function, one state's rows, one verifier; and how a question asks for them.

Belongs here: for every kind of question, which parts it asks for, cutting an answer into parts and joining them again.
Does not: what a part says, or how it is written down (`folders`).
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel

from envfactory_dagster.contracts import judge_requests, requests
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.mining_requests import ComplexifyAnswer

WHOLE = "whole"
"""The one part of an answer that is not cut."""
SUBJECT = "subject"

Context = Mapping[str, Any]
Part = dict[str, Any]
Items = Callable[[Context], Iterator[tuple[str, Any]]]
"""The parts that a context asks for: the name of each, and how the answer names it."""


class Cut(Protocol):
    """How the answers to a kind of question are cut."""

    def asked(self, context: Context, known: Collection[str]) -> list[str]:
        """The parts that the question asks for. `known`: those that there are, where the question does not say."""
        ...

    def cut(self, context: Context, answer: Part) -> dict[str, Part]: ...

    def joined(self, context: Context, parts: Mapping[str, Part]) -> Part: ...


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer is one part. `name` says which, of a context."""

    name: Callable[[Context], str] = lambda context: WHOLE

    def asked(self, context: Context, known: Collection[str]) -> list[str]:
        return [self.name(context)]

    def cut(self, context: Context, answer: Part) -> dict[str, Part]:
        return {self.name(context): answer}

    def joined(self, context: Context, parts: Mapping[str, Part]) -> Part:
        (answer,) = parts.values()
        return answer


@dataclass(frozen=True, slots=True)
class Listed:
    """An answer lists one part for each thing that the context lists."""

    field: str
    """The list of the answer."""
    key: str
    """How a part of it says what it belongs to."""
    items: Items
    keeps_key: bool = False

    def asked(self, context: Context, known: Collection[str]) -> list[str]:
        return [name for name, _ in self.items(context)]

    def cut(self, context: Context, answer: Part) -> dict[str, Part]:
        given = {one[self.key]: one for one in answer[self.field]}
        return {name: self._stored(given[id]) for name, id in self.items(context) if id in given}

    def joined(self, context: Context, parts: Mapping[str, Part]) -> Part:
        return {self.field: [{self.key: id} | parts[name] for name, id in self.items(context)]}

    def _stored(self, part: Part) -> Part:
        return part if self.keeps_key else {name: value for name, value in part.items() if name != self.key}


@dataclass(frozen=True, slots=True)
class Grouped:
    """An answer lists parts of its own choice. They are named after the question, and after what they say they are."""

    field: str
    key: str
    name: Callable[[Context], str]
    several: bool = False
    """Whether an answer may list several with one name, which are one part together."""

    def asked(self, context: Context, known: Collection[str]) -> list[str]:
        begins = f"{self.name(context)}."
        return [name for name in known if name.startswith(begins)] or [self.name(context)]

    def cut(self, context: Context, answer: Part) -> dict[str, Part]:
        groups: dict[str, list[Part]] = {}
        for one in answer[self.field]:
            groups.setdefault(f"{self.name(context)}.{one[self.key]}", []).append(one)
        return {name: {self.field: group} if self.several else group[0] for name, group in groups.items()}

    def joined(self, context: Context, parts: Mapping[str, Part]) -> Part:
        groups = [part[self.field] if self.several else [part] for part in parts.values()]
        return {self.field: [one for group in groups for one in group]}


@dataclass(frozen=True, slots=True)
class ToldOrLeftOut:
    """An answer describes each tool that is wanted, or leaves it out with a reason. A part is about one tool."""

    def asked(self, context: Context, known: Collection[str]) -> list[str]:
        return list(context["wanted"])

    def cut(self, context: Context, answer: Part) -> dict[str, Part]:
        return {
            one["name"]: {"tools": [], "left_out": []} | {field: [one]}
            for field in ("tools", "left_out")
            for one in answer[field]
            if one["name"] in context["wanted"]
        }

    def joined(self, context: Context, parts: Mapping[str, Part]) -> Part:
        return {field: [one for part in parts.values() for one in part[field]] for field in ("tools", "left_out")}


@dataclass(frozen=True, slots=True)
class StepOfMining:
    """An answer is one part, named by round and step. The program of a step is kept as other code is."""

    def asked(self, context: Context, known: Collection[str]) -> list[str]:
        return [step_name(context["round"], context["step"])]

    def cut(self, context: Context, answer: Part) -> dict[str, Part]:
        action = dict(answer["action"])
        program = {"source": action.pop("source")} if "source" in action else {}
        return {step_name(context["round"], context["step"]): answer | {"action": action} | program}

    def joined(self, context: Context, parts: Mapping[str, Part]) -> Part:
        (part,) = parts.values()
        program = {"source": part["source"]} if "source" in part else {}
        return {"thought": part["thought"], "action": part["action"] | program}


def step_name(number: int, step: int) -> str:
    """`number`: of the round; the first is 0, those of growth count from 1."""
    return f"{number}.{step:02}"


# -- what is asked for -------------------------------------------------------------------------------------------------


def _wanted(context: Context) -> Iterator[tuple[str, Any]]:
    return ((name, name) for name in context["wanted"])


def _tasks(context: Context) -> Iterator[tuple[str, Any]]:
    return ((task["id"], task["id"]) for task in context["tasks"])


def _solved_tasks(context: Context) -> Iterator[tuple[str, Any]]:
    return ((one["task"]["id"], one["task"]["id"]) for one in context["tasks"])


def _tasks_with_words(context: Context) -> Iterator[tuple[str, Any]]:
    """A task that was drawn may be another one under the same name: its words and steps tell."""
    for one in context["tasks"]:
        yield f"{one['task']}.{_short_hash([one['text'], one.get('steps', [])])}", one["task"]


def _tasks_with_drafts(context: Context) -> Iterator[tuple[str, Any]]:
    for one in context["tasks"]:
        yield f"{one['task']}.{_short_hash([one['clock'], one['drafts']])}", one["task"]


def _tests_of_tools(context: Context) -> Iterator[tuple[str, Any]]:
    """Tests are known by what they call; their numbers follow from the order in which they are listed."""
    for one in context["tools"]:
        for test in one["observed"]:
            yield f"{one['tool']['name']}.{_short_hash([test['state'], test['case']])}", test["number"]


def _calls(context: Context) -> Iterator[tuple[str, Any]]:
    for call in context["calls"]:
        shown = {name: value for name, value in call.items() if name != "number"}
        yield f"{call['tool']}.{_short_hash(shown)}", call["number"]


def _round(context: Context) -> str:
    return f"round_{context['round']}" + (".limits" if context.get("limits") else "")


def _exactly_this(context: Context) -> str:
    return _short_hash({name: value for name, value in context.items() if name != SUBJECT})


_HINTS = frozenset(("called", "whose", "rows_of_the_person"))
"""What helps whoever answers, and was not shown yet when worlds were recorded: it is left out of hashes. Where nothing
else of a question changes, its old answer is given."""


def _short_hash(value: Any) -> str:
    return content_hash(_without_hints(value))[:16]


def _without_hints(value: Any) -> Any:
    """A copy of a question without the fields that are only hints to its author."""
    if isinstance(value, dict):
        return {name: _without_hints(inner) for name, inner in value.items() if name not in _HINTS}
    return [_without_hints(one) for one in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: under which name its parts are kept, how they are cut, and what each of them is."""

    question: str
    cut: Cut
    part: type[BaseModel] | None = None


KINDS: Mapping[str, Kind] = {
    "theme": Kind("theme", Whole(), requests.ThemeAnswer),
    "mining_step": Kind("mining_step", StepOfMining()),
    "complexify": Kind("complexify", Whole(lambda context: f"{context['round']}"), ComplexifyAnswer),
    "task_set": Kind("task_set", Whole(), requests.TaskSetAnswer),
    "database_schema": Kind("database_schema", Whole(), requests.DatabaseSchemaAnswer),
    "seed_rows": Kind("seed_rows", Whole(lambda context: str(context["state"])), requests.SeedRowsAnswer),
    "tool_spec": Kind("tool_spec", Whole()),
    "mirrored_tools": Kind("mirrored_tools", ToldOrLeftOut(), requests.MirroredToolsAnswer),
    "server_code": Kind("server_code", Listed("functions", "name", _wanted, keeps_key=True), requests.ToolFunction),
    "reference_solution": Kind(
        "reference_solution", Whole(lambda context: str(context["task"]["id"])), requests.ReferenceSolutionAnswer
    ),
    "reference_solutions": Kind(
        "reference_solution", Listed("solutions", "task", _tasks), requests.ReferenceSolutionAnswer
    ),
    "verifier": Kind("verifier", Whole(lambda context: str(context["task"]["id"])), requests.VerifierAnswer),
    "verifiers": Kind("verifier", Listed("verifiers", "task", _solved_tasks), requests.VerifierAnswer),
    "inspection_tests": Kind("inspection_tests", Grouped("tests", "tool", _round, several=True)),
    "inspection_check": Kind("inspection_check", Listed("tests", "number", _tests_of_tools)),
    "inspection_ratings": Kind("inspection_ratings", Whole(), judge_requests.InspectionRatingsAnswer),
    "clerk_review": Kind("clerk_review", Listed("calls", "number", _calls)),
    "graph_task_choice": Kind("graph_task_choice", Listed("tasks", "task", _tasks_with_drafts)),
    "task_review": Kind("task_review", Listed("tasks", "task", _tasks_with_words)),
    "task_reading": Kind("task_reading", Listed("tasks", "task", _tasks_with_words)),
    "tool_graph_refinement": Kind("tool_graph_refinement", Whole()),
    "program_task": Kind("program_task", Whole(lambda context: f"{context['number']}")),
    "task_families": Kind("task_families", Grouped("families", "name", lambda context: f"{context['number']}")),
    "conversation": Kind("conversation", Listed("conversations", "task", _tasks_with_words)),
}
"""By schema name. Of schemas that are not here, whole answers are kept for exactly the context they were given to."""


def kind_of(schema: str) -> Kind:
    return KINDS.get(schema) or Kind(schema, Whole(_exactly_this))


_PARTS = {kind.question: kind.part for kind in KINDS.values()}


def check_part(question: str, part: Part) -> None:
    """Raises ValidationError when it is no part of an answer to such a question."""
    model = (
        requests.FilesSchemaAnswer if question == "database_schema" and "documents" in part else _PARTS.get(question)
    )
    if model is not None:
        model.model_validate(part)
