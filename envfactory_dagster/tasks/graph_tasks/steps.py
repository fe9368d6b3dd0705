"""What a walk over the graph has come to: calls that were made, where their arguments come from, what is to be told.

Belongs here: the form. Does not: making calls (`walking`), and what is made of them (`program`, `describing`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from envfactory_dagster.contracts.base import Json

Relation = Literal["is", "least", "most"]


@dataclass(frozen=True, slots=True)
class Sign:
    """What tells an item from the others of its list."""

    field: str
    relation: Relation
    value: Json


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list in the result of an earlier step."""

    step: int
    path: str
    signs: tuple[Sign, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A value the person knows."""

    value: Json


@dataclass(frozen=True, slots=True)
class Chosen:
    """A field of an item."""

    item: Item
    field: str
    value: Json


@dataclass(frozen=True, slots=True)
class Shown:
    """A field of an earlier result that stands in no list."""

    step: int
    path: str
    value: Json


Source = Said | Chosen | Shown


def source_step(source: Source) -> int | None:
    """The step a value comes from."""
    if isinstance(source, Said):
        return None
    return source.item.step if isinstance(source, Chosen) else source.step


@dataclass(frozen=True, slots=True)
class Step:
    """One call that succeeded. Arguments are kept by the paths of their parameters."""

    number: int
    tool: str
    arguments: dict[str, Source]
    result: Json
    changes: bool
    afterwards: Json = None
    """What it shows once everything is done."""


@dataclass(frozen=True, slots=True)
class Telling:
    """Something to be told at the end: a value of a result or of an item, or a whole list counted or added up."""

    step: int
    how: Literal["value", "count", "total"]
    path: str
    """Of the value in its result; of the list, where there is one."""
    field: str
    """Of the items; empty where they are counted, and where there is no list."""
    item: Item | None
    value: Json


@dataclass(frozen=True, slots=True)
class Walked:
    """Everything a task is made from."""

    steps: tuple[Step, ...]
    tellings: tuple[Telling, ...]

    def step(self, number: int) -> Step:
        return next(step for step in self.steps if step.number == number)

    def telling_of(self, step: Step) -> Telling | None:
        return next((telling for telling in self.tellings if telling.step == step.number), None)

    @property
    def changes(self) -> bool:
        return any(step.changes for step in self.steps)

    def items(self) -> Iterator[Item]:
        """Every item that is spoken of, each once, in the order of use."""
        seen: list[Item] = []
        for item in (*_chosen(self.steps), *(t.item for t in self.tellings if t.item is not None)):
            if item not in seen:
                seen.append(item)
                yield item

    def used(self) -> set[int]:
        """The steps that others get values from."""
        sources = [source for step in self.steps for source in step.arguments.values()]
        return {number for source in sources if (number := source_step(source)) is not None}

    def gist(self) -> Json:
        """What makes it the same task as another one."""
        calls: list[Json] = [
            [step.tool, {name: source.value for name, source in step.arguments.items()}]
            for step in self.steps
            if step.changes or step.number not in self.used()
        ]
        return [calls, [[t.how, t.path, t.field, t.value] for t in self.tellings]]


def _chosen(steps: tuple[Step, ...]) -> Iterator[Item]:
    for step in steps:
        for source in step.arguments.values():
            if isinstance(source, Chosen):
                yield source.item
