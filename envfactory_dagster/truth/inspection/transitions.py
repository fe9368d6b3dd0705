"""Whether tools look at the state of a row before they change it.

Belongs here: the same call with rows of every status that the user has. Does not: other rules.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterator
from dataclasses import dataclass, field

from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.inspection import Finding
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.inspection.exploration import Called, Exploration, ExploredCall, call, first_good
from envfactory_dagster.truth.inspection.inspected import Inspected

STATUS = "status"
EACH = 3
"""Rows of one status that a tool is tried with."""
LEAST_REFUSING = 2
"""How many other commands must refuse a status before one that takes every status is taken to have forgotten it."""


@dataclass(slots=True)
class Seen:
    """What a command did with rows of one table, status by status."""

    tool: str
    table: str
    took: dict[str, ExploredCall] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    again: list[tuple[str, ExploredCall]] = field(default_factory=list)
    """Statuses that it gave to rows that had them already."""
    moved: set[str] = field(default_factory=set)
    """Statuses of rows in which it changed something else that was asked for."""


async def findings(inspected: Inspected, exploration: Exploration) -> list[Finding]:
    seen = list[Seen]()
    for state in inspected.bundle.shared_states:
        async with await inspected.under_trial.runtime.open(inspected.under_trial.bundle, state=state) as session:
            for tool, definition in inspected.tools.items():
                if definition.annotations.readOnlyHint:
                    continue
                for good in [c for c in first_good(exploration, tool) if c.state == state and not c.before][:1]:
                    seen += [one async for one in _tried(inspected, session, inspected.worlds[state], good)]
    return list(_judged(inspected, _joined(seen)))


async def _tried(inspected: Inspected, session: Session, world: WorldRows, good: Called) -> AsyncIterator[Seen]:
    parameters = inspected.parameters(good.tool, world)
    for name in good.arguments:
        key = parameters.key(name)
        if (
            key is None
            or not world.keys.names_one_row(key)
            or inspected.schema.tables[key.table].column(STATUS) is None
        ):
            continue
        found, tries = Seen(good.tool, key.table), defaultdict[str, int](int)
        for row in world.of(key.table):
            status, value = str(row[STATUS]), row[key.column]
            is_own = world.belongs(world.id_of(key.table, row), inspected.under_trial.owners)
            if (
                tries[status] >= EACH
                or not parameters.fits(name, value)
                or not (is_own or not _is_owned(inspected, key.table))
            ):
                continue
            tries[status] += 1
            step = ExploredCall(good.tool, {**good.arguments, name: value})
            result, changes = await call(inspected, session, step, (), [])
            if result.ok:
                found.took.setdefault(status, step)
                asked = [value for other, value in good.arguments.items() if other != name]
                own = [change for change in changes if change.table == key.table]
                if any(_did_something_else(change, asked) for change in own):
                    found.moved.add(status)
                # What else happens may follow from it: whoever waits next is offered what this one leaves.
                of_it = [change for change in own if change.key == world.id_of(key.table, row)[1]]
                same = any(c.before and c.after and c.after[STATUS] == status for c in of_it)
                nothing = not of_it and len(own) == len(changes)
                if _sets(inspected, good.tool, key.table) and (same or nothing):
                    found.again.append((status, step))
            else:
                found.refused.add(status)
        yield found


def _did_something_else(change: Change, asked: Collection[object]) -> bool:
    """Whether the row holds something else that the call asked for: what is applied for may be applied for on another
    day."""
    before, after = change.before, change.after
    if before is None or after is None:
        return False
    return any(after[name] != before[name] and after[name] in asked for name in after if name != STATUS)


def _is_owned(inspected: Inspected, table: str) -> bool:
    return table in inspected.under_trial.owners


def _sets(inspected: Inspected, tool: str, table: str) -> bool:
    """Whether the tool gives rows of the table a status."""
    return any(
        w.table == table and w.kind == "update" and STATUS in w.columns for w in inspected.facts.tools[tool].writes
    )


def _joined(seen: list[Seen]) -> list[Seen]:
    """The states together."""
    found: dict[tuple[str, str], Seen] = {}
    for one in seen:
        known = found.setdefault((one.tool, one.table), Seen(one.tool, one.table))
        known.took |= one.took
        known.refused |= one.refused
        known.again += one.again
        known.moved |= one.moved
    return list(found.values())


def _judged(inspected: Inspected, seen: list[Seen]) -> Iterator[Finding]:
    for one in seen:
        again = [found for found in one.again if found[0] not in one.moved]
        if again and not inspected.tools[one.tool].annotations.idempotentHint:
            status, step = again[0]
            message = (
                f"{one.tool}: it makes a row of {one.table} {status} that is {status} already, and says all is well."
            )
            yield _finding(one.tool, message, step)
            continue
        others = [o for o in seen if o.table == one.table and o.tool != one.tool]
        strict = [
            status for status in one.took if sum(status in o.refused - o.took.keys() for o in others) >= LEAST_REFUSING
        ]
        if strict and len(one.took) >= 3 and not one.refused and _sets(inspected, one.tool, one.table):
            taken = ", ".join(sorted(one.took))
            message = f"{one.tool}: it takes rows of {one.table} in every status, {taken}; others refuse."
            yield _finding(one.tool, message, one.took[strict[0]])


def _finding(tool: str, message: str, step: ExploredCall) -> Finding:
    return Finding(
        tool=tool, criterion="state", severity="fail", message=message, snippet=f"called with {step.arguments!r}"
    )
