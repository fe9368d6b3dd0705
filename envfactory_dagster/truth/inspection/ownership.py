"""Whether a tool takes, or shows, rows that belong to somebody else.

Belongs here: calls with other people's rows, compared with what the other tools do with such rows. Does not: the guards
that a tool itself shows to have (`authoring.trials`).
"""

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.trials.calls import Arguments
from envfactory_dagster.authoring.trials.world import RowId, WorldRows
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.inspection import Finding
from envfactory_dagster.runtime.facts import USER
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.inspection.exploration import Called, Exploration, ExploredCall, call, first_good
from envfactory_dagster.truth.inspection.inspected import Inspected

MOST_STRANGERS = 6
LEAST_OTHERS = 2
_THE_USERS = re.compile(r"\b((signed-in|logged-in)( \w+){1,3}'s|my|user's) (\S+ ){0,4}\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Met:
    """A tool that was given rows of one table that are not the user's."""

    tool: str
    table: str
    took: Arguments | None
    """The arguments with which it took one; None where it refused all of them."""


async def findings(inspected: Inspected, exploration: Exploration) -> list[Finding]:
    runtime, met = inspected.under_trial.runtime, list[Met]()
    async with await runtime.open(inspected.under_trial.bundle, state=INITIAL_STATE) as session:
        for tool in inspected.tools:
            good = [c for c in first_good(exploration, tool) if c.state == INITIAL_STATE and not c.before]
            for one in good[:1]:
                met.extend([m async for m in _meetings(inspected, session, one)])
    return [*_of_what_is_taken(inspected, met), *_of_what_is_shown(inspected, exploration)]


async def _meetings(inspected: Inspected, session: Session, good: Called) -> AsyncIterator[Met]:
    """The call that works, with each row of the user's changed for one of somebody else's."""
    world = inspected.worlds[INITIAL_STATE]
    parameters = inspected.parameters(good.tool, world)
    for name, value in good.arguments.items():
        key = parameters.key(name)
        if key is None or not world.keys.names_one_row(key) or isinstance(value, list):
            continue
        rows = {row[key.column]: world.id_of(key.table, row) for row in world.of(key.table)}
        if value not in rows or not world.belongs(rows[value], inspected.under_trial.owners):
            continue
        foreign = [k for k, row in rows.items() if not _belongs(inspected, world, row) and parameters.fits(name, k)]
        took = None
        for other in foreign[:MOST_STRANGERS]:
            arguments = {**good.arguments, name: other}
            result, _ = await call(inspected, session, ExploredCall(good.tool, arguments), (), [])
            took = arguments if result.ok and _tells(result.value) else took
        if foreign:
            yield Met(good.tool, key.table, took)


def _belongs(inspected: Inspected, world: WorldRows, row: RowId) -> bool:
    """Whether the row is the user's, or the user has a part in it."""
    if world.belongs(row, inspected.under_trial.owners):
        return True
    below = world.below([row])
    parts = ((table, one) for table in {table for table, _ in below} for one in world.of(table))
    return any(world.is_users(table, one) and world.id_of(table, one) in below for table, one in parts)


def _tells(value: object) -> bool:
    """Whether a result holds anything but empty lists."""
    return any(value.values()) if isinstance(value, dict) else bool(value)


def _of_what_is_taken(inspected: Inspected, met: list[Met]) -> Iterator[Finding]:
    """One tool takes what no other tool takes, or what its own words call the user's. Where only commands are careful,
    what is shown may be everybody's: a programme that all may read, and only its maker may move."""
    for one in (one for one in met if one.took is not None):
        others = [other for other in met if other.table == one.table and other.tool != one.tool]
        if _only_reads(inspected, one):
            others = [other for other in others if _only_reads(inspected, other) or _speaks_of_own(inspected, one)]
        careful = [other.tool for other in others if other.took is None]
        alone = len(careful) >= LEAST_OTHERS and len(careful) == len(others)
        if alone or (careful and _speaks_of_own(inspected, one)):
            message = f"{one.tool}: it takes a row of {one.table} that is not the user's; {careful[0]} does not."
            yield _finding(one.tool, message, f"called with {dict(one.took or {})!r}")


def _only_reads(inspected: Inspected, met: Met) -> bool:
    return inspected.tools[met.tool].annotations.readOnlyHint


def _speaks_of_own(inspected: Inspected, met: Met) -> bool:
    """Whether the tool's words call the rows of that table the user's: "one of the signed-in reader's loans"."""
    own = _THE_USERS.search(f"{met.tool.replace('_', ' ')}. {inspected.tools[met.tool].description}")
    return own is not None and texts.words(met.table.replace("_", " ")) <= texts.words(own.group())


def _of_what_is_shown(inspected: Inspected, exploration: Exploration) -> Iterator[Finding]:
    """What speaks of the user's own rows shows no others."""
    for tool, definition in inspected.tools.items():
        if not definition.annotations.readOnlyHint or "_my_" not in f"_{tool}_" or _knows_the_user(inspected, tool):
            continue
        outputs = [
            o for o in inspected.facts.tools[tool].outputs if o.exact and len(o.columns) == 1 and not o.parameters
        ]
        for output in outputs:
            column, field = output.columns[0], output.path.rpartition(".")[2]
            if not inspected.keys.names_one_row(column) or column.table not in inspected.under_trial.owners:
                continue
            if column.table == inspected.keys.people.table:
                continue
            for one in exploration.good(tool):
                world = inspected.worlds[one.state]
                for value in _values(one.result.value, output.path):
                    rows = world.with_value(column, [value])
                    if rows and not one.before and not _belongs(inspected, world, world.id_of(column.table, rows[0])):
                        message = (
                            f"{tool}: it shows {field} = {value!r}, a row of {column.table} that is not the user's."
                        )
                        yield _finding(tool, message, f"called with {one.arguments!r}")
                        break


def _knows_the_user(inspected: Inspected, tool: str) -> bool:
    return any(use.source == USER for use in inspected.facts.tools[tool].uses)


def _values(value: object, path: str) -> list[object]:
    found = [value]
    for part in path.split("."):
        name, many = part.removesuffix("[]"), part.endswith("[]")
        found = [one[name] for one in found if isinstance(one, dict) and name in one]
        found = [item for one in found if isinstance(one, list) for item in one] if many else found
    return [one for one in found if not isinstance(one, dict | list)]


def _finding(tool: str, message: str, snippet: str) -> Finding:
    return Finding(tool=tool, criterion="results", severity="fail", message=message, snippet=snippet)
