"""The smallest parts of answers: one function, one state's rows, one verifier; and how a question asks for them.

Belongs here: for every kind of question, which parts it asks for, cutting an answer into parts and joining them again.
Does not: what a part says, or how it is written down (`folders`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from envfactory_dagster.contracts import requests
from envfactory_dagster.contracts.base import content_hash

WHOLE = "whole"
"""The one part of an answer that is not cut."""
SUBJECT = "subject"

Context = Mapping[str, Any]
Part = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer that is one part, whatever the question shows: a world has one of them."""

    model: type[BaseModel] | None = None

    def asked(self, context: Context) -> list[str]:
        return [WHOLE]

    def cut(self, context: Context, answer: Part) -> dict[str, Part]:
        return {self.asked(context)[0]: answer}

    def joined(self, parts: Mapping[str, Part]) -> Part:
        (answer,) = parts.values()
        return answer


@dataclass(frozen=True, slots=True)
class Named(Whole):
    """An answer that is one part, named by a text of the context: `path` leads to it."""

    path: tuple[str, ...] = ()

    def asked(self, context: Context) -> list[str]:
        value: Any = context
        for name in self.path:
            value = value[name]
        return [str(value)]


@dataclass(frozen=True, slots=True)
class AnyOther(Whole):
    """An answer of which nothing is known: it belongs to exactly this context."""

    def asked(self, context: Context) -> list[str]:
        shown = {name: value for name, value in context.items() if name != SUBJECT}
        return [content_hash(shown)[:16]]


@dataclass(frozen=True, slots=True)
class Each(Whole):
    """An answer that lists parts, each named by one of its own fields; the context lists what is asked for."""

    wanted: str = "wanted"
    """The list of the context: of names, or of objects."""
    id: str = "name"
    """The field that names an object of the context."""
    listed: str = ""
    """The list of the answer."""
    key: str = "name"
    """The field that names a part of the answer."""

    def asked(self, context: Context) -> list[str]:
        return [str(one[self.id]) if isinstance(one, Mapping) else str(one) for one in context[self.wanted]]

    def cut(self, context: Context, answer: Part) -> dict[str, Part]:
        asked = set(self.asked(context))
        return {str(one[self.key]): one for one in answer[self.listed] if str(one[self.key]) in asked}

    def joined(self, parts: Mapping[str, Part]) -> Part:
        return {self.listed: list(parts.values())}


KINDS: Mapping[str, Sequence[Whole]] = {
    "theme": [Whole(requests.ThemeAnswer)],
    "task_set": [Whole(requests.TaskSetAnswer)],
    "database_schema": [Whole(requests.DatabaseSchemaAnswer)],
    "seed_rows": [Named(requests.SeedRowsAnswer, ("state",))],
    "tool_spec": [Whole()],
    "mirrored_tools": [Each(requests.MirroredTool, listed="tools")],
    "server_code": [Each(requests.ToolFunction, listed="functions")],
    "reference_solution": [
        Named(requests.ReferenceSolutionAnswer, ("task", "id")),
    ],
    "verifier": [
        Named(requests.VerifierAnswer, ("task", "id")),
    ],
    "inspection_ratings": [Whole(requests.InspectionRatingsAnswer)],
    "tool_graph_refinement": [Whole()],
}
"""Schema name → the forms in which it is asked; the first one that fits a context is meant. Of schemas that are not
here, whole answers are kept for exactly the context that they were given to."""


def kind_of(schema: str, context: Context) -> Whole:
    """How a question of this schema with this context is cut."""
    for kind in KINDS.get(schema, []):
        try:
            kind.asked(context)
        except (KeyError, TypeError):
            continue
        return kind
    return AnyOther()


def check_part(schema: str, part: Part) -> None:
    """Raises ValidationError when it is no part of an answer of this schema."""
    for kind in KINDS.get(schema, [])[:1]:
        if kind.model is not None:
            kind.model.model_validate(part)
