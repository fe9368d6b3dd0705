"""What a walk over the graph has come to: calls that were made, where their arguments come from, what is to be told.

Belongs here: the form. Does not: making calls (`walking`), and what is made of them (`program`, `describing`).
"""

from collections.abc import Iterable, Iterator
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
class KnownValue:
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


Source = KnownValue | Chosen | Shown


@dataclass(frozen=True, slots=True)
class Here:
    """A field of what a loop is at: of a row, or of what was shown of it. Places are counted from the outermost rows,
    which are 0."""

    place: int
    path: str


def source_step(source: Source) -> int | None:
    """The step a value comes from."""
    if isinstance(source, KnownValue):
        return None
    return source.item.step if isinstance(source, Chosen) else source.step


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One call that succeeded. Arguments are kept by the paths of their parameters."""

    number: int
    tool: str
    arguments: dict[str, Source]
    result: Json
    changes: bool
    afterwards: Json = None
    """What it shows once everything is done."""


@dataclass(frozen=True, slots=True)
class LoopCall:
    """A call that is made for each row. What it shows is the next place of the loop: its list, row by row, or, where
    `path` is empty, itself."""

    tool: str
    arguments: dict[str, Source | Here]
    path: str = ""
    only: Sign | None = None
    """What has to be so of the next place for the loop to go on with it."""

    def places(self) -> list[Here]:
        return [source for source in self.arguments.values() if isinstance(source, Here)]


@dataclass(frozen=True, slots=True)
class Loop:
    """Going through a whole list that an earlier step shows: something is looked up of each row that is meant, and in
    the end added up, counted, or done to each."""

    number: int
    listed: int
    path: str
    only: Sign | None
    rounds: tuple[LoopCall, ...]
    deed: LoopCall | None
    """None where something is to be told."""
    calls: int
    """All that are made for it, the step before it aside."""

    def all(self) -> list[LoopCall]:
        return [*self.rounds, *([self.deed] if self.deed is not None else [])]

    def tools(self) -> list[str]:
        return [one.tool for one in self.all()]

    def sources(self) -> Iterator[Source]:
        for one in self.all():
            yield from (source for source in one.arguments.values() if not isinstance(source, Here))


@dataclass(frozen=True, slots=True)
class WantedAnswer:
    """Something to be told at the end: a value of a result or of an item, or a whole list counted or added up."""

    step: int
    how: Literal["value", "count", "total"]
    path: str
    """Of the value in its result; of the list, where there is one."""
    field: str
    """Of the items; empty where they are counted, and where there is no list."""
    item: Item | None
    value: Json
    about: str = ""
    """What is to be told, in plain words, where a loop finds it out."""


@dataclass(frozen=True, slots=True)
class Walked:
    """Everything a task is made from."""

    steps: tuple[WalkStep, ...]
    tellings: tuple[WantedAnswer, ...]
    loop: Loop | None = None
    """What comes after the steps, where it is a task of many calls."""

    @property
    def calls(self) -> int:
        return len(self.steps) + (self.loop.calls if self.loop is not None else 0)

    def step(self, number: int) -> WalkStep:
        return next(step for step in self.steps if step.number == number)

    def telling_of(self, step: WalkStep) -> WantedAnswer | None:
        return next((telling for telling in self.tellings if telling.step == step.number), None)

    @property
    def changes(self) -> bool:
        return any(step.changes for step in self.steps) or (self.loop is not None and self.loop.deed is not None)

    def items(self) -> Iterator[Item]:
        """Every item that is spoken of, each once, in the order of use."""
        seen: list[Item] = []
        for item in (*_chosen(self._sources()), *(t.item for t in self.tellings if t.item is not None)):
            if item not in seen:
                seen.append(item)
                yield item

    def used(self) -> set[int]:
        """The steps that others get values from."""
        used = {number for source in self._sources() if (number := source_step(source)) is not None}
        return used if self.loop is None else used | {self.loop.listed}

    def _sources(self) -> Iterator[Source]:
        for step in self.steps:
            yield from step.arguments.values()
        if self.loop is not None:
            yield from self.loop.sources()

    def gist(self) -> Json:
        """What makes it the same task as another one."""
        calls: list[Json] = [
            [step.tool, {name: source.value for name, source in step.arguments.items()}]
            for step in self.steps
            if step.changes or step.number not in self.used()
        ]
        loop = self.loop
        rounds = [(one.tool, one.path, one.only) for one in loop.all()] if loop is not None else []
        gone_through = None if loop is None else repr((loop.path, loop.only, rounds))
        return [calls, [[t.how, t.path, t.field, t.value] for t in self.tellings], gone_through]


def _chosen(sources: Iterable[Source]) -> Iterator[Item]:
    yield from (source.item for source in sources if isinstance(source, Chosen))
