"""Where the calls of a solution may be divided into turns.

Belongs here: which calls belong together. Does not: choosing turns (`planning`, where a model does).

A call belongs to the one whose answer it uses, and what was looked up to the change it was looked up for: where no
value tells, a reading call belongs to the change of the same tables beside it. People ask to see something before they
decide, so a turn may also end after a call that only reads; it never ends within a condition or a loop.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.tasks.conversations.conditions import held_together
from envfactory_dagster.tasks.conversations.identifiers import Internals, scalars

MOST_TOOLS = 5
"""Different ones in one turn. A loop may call one of them many times."""


@dataclass(frozen=True, slots=True)
class TurnCut:
    """The calls `begin` to `end` of a solution, which belong to one turn. `goes_on`: they use what was told before."""

    begin: int
    end: int
    goes_on: bool


def parts_of(
    source: str, text: str, calls: Sequence[TracedStep], internals: Internals, facts: ToolFacts
) -> list[TurnCut]:
    """The smallest pieces that turns can be made of. `source` is the program that made the calls, `text` the task."""
    apart = set(cuts(calls, internals, facts))
    held = held_together(source, calls, text)
    ends = [
        place
        for place in range(1, len(calls))
        if place not in held and (place in apart or _only_looks(calls[place - 1], facts))
    ]
    return [TurnCut(begin, end, begin not in {0, *apart}) for begin, end in pairwise([0, *ends, len(calls)])]


def _only_looks(call: TracedStep, facts: ToolFacts) -> bool:
    return call.outcome == "ok" and call.tool in facts.tools and not facts.tools[call.tool].writes


def cuts(calls: Sequence[TracedStep], internals: Internals, facts: ToolFacts) -> list[int]:
    """After how many calls a turn may end, the end of all included. A stretch that is too long for one turn may be
    divided anywhere: that tears something apart, and no division would not."""
    joined = _joined(calls, internals, facts)
    clean = [place for place in range(1, len(calls)) if not joined[place]] + [len(calls)]
    begins = [0, *clean]
    torn = [
        place
        for begin, end in zip(begins, clean, strict=False)
        if len({call.tool for call in calls[begin:end]}) > MOST_TOOLS
        for place in range(begin + 1, end)
    ]
    return sorted({*clean, *torn})


def _joined(calls: Sequence[TracedStep], internals: Internals, facts: ToolFacts) -> list[bool]:
    """For every call whether it belongs to the one before it."""
    joined = [False] * len(calls)
    used: set[int] = set()
    for place, call in enumerate(calls):
        for value in internals.of(call):
            source = _source(calls[:place], value)
            if source is not None:
                used.add(source)
                joined[source + 1 : place + 1] = [True] * (place - source)
    for place in reversed(range(len(calls) - 1)):
        if place not in used and not joined[place + 1] and not _written(calls[place], facts):
            joined[place + 1] = _serves(place, calls, joined, facts)
    for place in range(1, len(calls)):
        read = set() if _written(calls[place], facts) else _read(calls[place], facts)
        if place not in used and not joined[place] and read & _written(calls[place - 1], facts):
            joined[place] = True
    return joined


def _serves(place: int, calls: Sequence[TracedStep], joined: Sequence[bool], facts: ToolFacts) -> bool:
    """Whether the stretch that follows changes a table that this call read."""
    written = _written(calls[place + 1], facts)
    for later in range(place + 2, len(calls)):
        if not joined[later]:
            break
        written = written | _written(calls[later], facts)
    return bool(written & _read(calls[place], facts))


def _source(earlier: Sequence[TracedStep], value: Json) -> int | None:
    """The latest call that told this value."""
    places = (place for place in reversed(range(len(earlier))) if value in scalars(earlier[place].value))
    return next(places, None)


def _read(call: TracedStep, facts: ToolFacts) -> set[str]:
    fact = facts.tools.get(call.tool)
    return set(fact.reads) if fact is not None else set()


def _written(call: TracedStep, facts: ToolFacts) -> set[str]:
    fact = facts.tools.get(call.tool)
    return {write.table for write in fact.writes} if fact is not None else set()
