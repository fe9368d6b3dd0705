"""Calls that a tool accepts although a careful clerk might not: on rows whose time is over, whose status is decided,
that are somebody else's, or that rest on such a row.

Belongs here: finding such calls and making them. Does not: whether the service would take them (`clerk`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any, Literal, get_args

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.trials.calls import Parameters
from envfactory_dagster.authoring.trials.world import USER_ID, Row, RowId, WorldRows
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.tools import GivenRow
from envfactory_dagster.runtime.databases import with_rows_given
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.inspection.exploration import Called, Exploration, ExploredCall, call, first_good
from envfactory_dagster.truth.inspection.inspected import Inspected

MOST = 12
"""Of all commands of an environment together."""
MOST_OF_A_COMMAND = 2
BASES = 2
"""Calls of a command that work, and of which variations are made in one state: those with least to doubt."""
TRIES = 30
"""Variations of one call."""
OF_A_KIND = 3
"""Rows that are tried for one doubt."""
LATER = timedelta(days=400)
"""By then most of what a state knows as to come is over."""
SHOWN_ROWS = 3

Kind = Literal[
    "somebody_elses", "decided", "over", "papers", "rests_on_decided", "rests_on_over", "past_argument", "later"
]
"""What makes a call doubtful; in this order they are put before the clerk."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?")
_LISTED = r"\b{column}\s+IN\s*\(([^()]*)\)"
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_ENDS = re.compile(r"(^|_)(expir\w*|valid\w*|until|renew\w*|lapses?)(_|$)")
"""The end of a licence, a membership, a certificate."""
_STATUS = re.compile(r"(^|_)(status|state|standing|condition|phase)$")
_FLAG = re.compile(
    r"(^|_)(active|open|available|enabled|valid|bookable|usable|current|suspended|blocked|banned|barred|closed|archived"
    r"|retired|cancelled|locked|frozen|lapsed|expired|withdrawn)$"
)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a call is doubtful."""

    kind: Kind
    about: str
    """A column, an argument, or the table of somebody else's row."""
    rank: int
    """How late the value is: what a row begins with, and what is to come, has 0."""
    why: str

    @property
    def sign(self) -> tuple[Kind, str, int]:
        return self.kind, self.about, self.rank


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A call that was accepted, and why it is doubtful."""

    doubt: Doubt
    state: str
    clock: str
    before: tuple[ExploredCall, ...]
    step: ExploredCall
    changes: list[Change]
    rows: Sequence[tuple[str, Mapping[str, Json]]]
    """Table and row as it was: what the call is about, and what that rests on."""
    of_the_person: Sequence[tuple[str, Mapping[str, Json]]]
    """The person, and the rows that refer to both the person and one of `rows`."""
    given: GivenRow | None = None
    """A row that was changed beforehand, to see what comes of it."""


async def accepted(inspected: Inspected, exploration: Exploration) -> list[Doubtful]:
    """Accepted calls, at most `MOST`: one of each command before a second one of any."""
    commands = [name for name, tool in inspected.tools.items() if not tool.annotations.readOnlyHint]
    of_commands = [await _of_command(inspected, exploration, name) for name in commands]
    first = (of_one[:MOST_OF_A_COMMAND] for of_one in of_commands)
    rounds = ([one for one in round if one is not None] for round in zip_longest(*first))
    in_turn = chain.from_iterable(sorted(round, key=lambda one: _ORDER.index(one.doubt.kind)) for round in rounds)
    return list(in_turn)[:MOST]


async def still_accepted(inspected: Inspected, known: Doubtful) -> bool:
    """Whether the same call goes through on other code."""
    runtime, bundle, state = inspected.under_trial.runtime, inspected.under_trial.bundle, known.state
    if known.given is not None:
        bundle = await _given(inspected, state, known.clock, known.given)
    try:
        async with await runtime.open(bundle, state=state, clock=known.clock) as session:
            await _prepare(inspected, session, known.before)
            step = known.step
            return (await session.call(step.tool, step.arguments, principal=inspected.tools[step.tool].principal)).ok
    finally:
        if known.given is not None:
            runtime.retire(bundle)


async def _of_command(inspected: Inspected, exploration: Exploration, tool: str) -> list[Doubtful]:
    """One call for each doubt about a command, the worst first."""
    found: _Found = {}
    for state, world in inspected.worlds.items():
        good = [one for one in first_good(exploration, tool) if one.state == state and one.changes]
        if not good:
            continue
        look = _Look(inspected, world, state, inspected.bundle.states[state].clock)
        for one in (one for one in good if not one.before):
            for doubt in look.doubts(tool, one.arguments):
                found.setdefault(doubt.sign, look.doubtful(doubt, one, one.arguments, one.changes))
        plain = sorted(good, key=lambda one: sum(doubt.rank > 0 for doubt in look.doubts(tool, one.arguments)))
        for one in plain[:BASES]:
            await _try(inspected, look, one, found)
        await _try_without_papers(inspected, look, plain[0], found)
        if not any(kind == "later" for kind, _, _ in found):
            await _try_later(inspected, look, plain[0], found)
    return sorted(_worth_asking(found), key=lambda one: (_ORDER.index(one.doubt.kind), -one.doubt.rank))


def _worth_asking(found: "_Found") -> Iterator[Doubtful]:
    """A command that takes rows of one status alone looks at the status, and one that takes only what is over is made
    for that: what is doubtful are the later ones of several."""
    for (kind, about, rank), one in found.items():
        others = [other for k, a, other in found if (k, a) == (kind, about)]
        if kind in ("somebody_elses", "papers", "later") or rank > min(others):
            yield one


async def _try(inspected: Inspected, look: "_Look", good: Called, found: "_Found") -> None:
    """The call that works, with one of its rows or dates changed for a doubtful one."""
    runtime, tries = inspected.under_trial.runtime, 0
    async with await runtime.open(inspected.under_trial.bundle, state=look.state) as session:
        await _prepare(inspected, session, good.before)
        for arguments in look.changed(good):
            doubts = [one for one in look.doubts(good.tool, arguments) if one.sign not in found]
            if not doubts:
                continue
            tries += 1
            if tries > TRIES:
                return
            result, changes = await call(
                inspected, session, ExploredCall(good.tool, arguments), good.before, good.start
            )
            if result.ok and changes:
                for doubt in doubts:
                    found[doubt.sign] = look.doubtful(doubt, good, arguments, changes)


async def _try_later(inspected: Inspected, look: "_Look", good: Called, found: "_Found") -> None:
    """The call that works, made when what it is about is long over."""
    later = (datetime.fromisoformat(look.clock) + LATER).isoformat()
    about = look.over_by(later, good.tool, good.arguments)
    if good.before or about is None:
        return
    async with await inspected.under_trial.runtime.open(
        inspected.under_trial.bundle, state=look.state, clock=later
    ) as session:
        result, changes = await call(inspected, session, ExploredCall(good.tool, good.arguments), (), [])
    if result.ok and changes:
        doubt = Doubt("later", about, 1, f"It is {later[:10]} here: {about} is over.")
        then = _Look(inspected, look.world, look.state, later)
        found[doubt.sign] = then.doubtful(doubt, good, good.arguments, changes)


async def _try_without_papers(inspected: Inspected, look: "_Look", good: Called, found: "_Found") -> None:
    """The call that works, made by somebody whose licence or membership has run out."""
    named = look.named(good.tool, good.arguments)
    for table, key in (row for row in look.papers(good.tool) if row not in named):
        if good.before or any(kind == "papers" and about == table for kind, about, _ in found):
            continue
        past = (datetime.fromisoformat(look.clock) - timedelta(days=1)).isoformat()
        ends = {name: past[: len(value)] for name, value in look.ends_of((table, key)).items()}
        given = GivenRow.model_validate({"table": table, "id": key[0], "values": ends})
        try:
            bundle = await _given(inspected, look.state, look.clock, given)
        except EnvironmentFault:
            continue
        try:
            async with await inspected.under_trial.runtime.open(bundle, state=look.state) as session:
                result, changes = await call(inspected, session, ExploredCall(good.tool, good.arguments), (), [])
        finally:
            inspected.under_trial.runtime.retire(bundle)
        if result.ok and changes:
            why = f"The person's row of {table} is over: {', '.join(f'{n} = {v}' for n, v in ends.items())}."
            doubt = Doubt("papers", table, 1, why)
            one = look.doubtful(doubt, good, good.arguments, changes)
            before, over = dict(look.row((table, key))), {**look.row((table, key)), **ends}
            found[doubt.sign] = replace(
                one,
                given=given,
                rows=[(table, over), *one.rows][:SHOWN_ROWS],
                of_the_person=[shown for shown in one.of_the_person if shown != (table, before)],
            )


async def _given(inspected: Inspected, state: str, clock: str, given: GivenRow) -> Bundle:
    """The bundle with one row of a state changed."""
    bundle = inspected.under_trial.bundle
    image = await with_rows_given(inspected.under_trial.runtime, bundle.states[state].image, [given])
    return replace(bundle, states={**bundle.states, state: State(image, clock)})


async def _prepare(inspected: Inspected, session: Session, steps: tuple[ExploredCall, ...]) -> None:
    for step in steps:
        await session.call(step.tool, step.arguments, principal=inspected.tools[step.tool].principal)


_Found = dict[tuple[Kind, str, int], Doubtful]
"""By the sign of the doubt. What is not doubtful yet, of rank 0, is among them: see `_worth_asking`."""
_ORDER: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class _Look:
    """One state, seen by somebody who looks for what is over, decided or somebody else's."""

    inspected: Inspected
    world: WorldRows
    state: str
    clock: str

    def doubtful(self, doubt: Doubt, good: Called, arguments: dict[str, Json], changes: list[Change]) -> Doubtful:
        named = self.named(good.tool, arguments)
        around = [*named, *(row for one in named for row in self._rests_on(one))]
        about = list(dict.fromkeys(around))[:SHOWN_ROWS]
        beside = sorted(self.world.beside(about) - {*about}, key=repr)
        joining = [row for row in beside if self.world.is_users(row[0], self.row(row))][:SHOWN_ROWS]
        return Doubtful(
            doubt, self.state, self.clock, good.before, ExploredCall(good.tool, arguments), changes,
            rows=[(row[0], dict(self.row(row))) for row in about],
            of_the_person=[(row[0], dict(self.row(row))) for row in (self.world.user, *joining)],
        )  # fmt: skip

    def doubts(self, tool: str, arguments: Mapping[str, Json]) -> Iterator[Doubt]:
        for row in self.named(tool, arguments):
            if self._is_somebody_elses(row):
                yield Doubt("somebody_elses", row[0], 1, f"This row of {row[0]} is not that of the person served.")
            yield from self._of_row(row, "decided", "over")
            for other in self._rests_on(row):
                yield from self._of_row(other, "rests_on_decided", "rests_on_over")
        for name, value in arguments.items():
            if isinstance(value, str) and _MOMENT.fullmatch(value) and value[:10] != self.clock[:10]:
                over = self._is_over(value, self.clock)
                yield Doubt("past_argument", name, int(over), f"The {name} that is asked for is over.")

    def changed(self, good: Called) -> Iterator[dict[str, Json]]:
        """The arguments with one of the rows they name changed for another one, or one of their dates for a past one.
        No more rows than a few are alike."""
        parameters = self._parameters(good.tool)
        for name, value in good.arguments.items():
            key = parameters.key(name)
            if key is not None and key.table != self.world.keys.people.table:
                seen: dict[str, int] = {}
                for row in self.world.of(key.table):
                    arguments = good.arguments | {
                        name: [row[key.column]] if isinstance(value, list) else row[key.column]
                    }
                    if not parameters.fits(name, arguments[name]):
                        continue
                    signs = repr(sorted(one.sign for one in self.doubts(good.tool, arguments)))
                    seen[signs] = seen.get(signs, 0) + 1
                    if seen[signs] <= OF_A_KIND:
                        yield arguments
            elif isinstance(value, str) and _MOMENT.fullmatch(value):
                past = (datetime.fromisoformat(self.clock) - timedelta(days=14)).isoformat()
                if parameters.fits(name, past[: len(value)]):
                    yield good.arguments | {name: past[: len(value)]}

    def over_by(self, later: str, tool: str, arguments: Mapping[str, Json]) -> str | None:
        """What the call is about that is to come now, and over by then."""
        for name, value in arguments.items():
            if isinstance(value, str) and _MOMENT.fullmatch(value) and not self._is_over(value, self.clock):
                return f"the {name}, {value}," if self._is_over(value, later) else None
        for row in self.named(tool, arguments):
            for column in self._scheduled.get(row[0], ()):
                value = self.row(row)[column]
                if isinstance(value, str) and not self._is_over(value, self.clock) and self._is_over(value, later):
                    return f"{row[0]}.{column}, {value},"
        return None

    # -- rows ---------------------------------------------------------------------------------------------------------

    def _of_row(self, row: RowId, decided: Kind, over: Kind) -> Iterator[Doubt]:
        table, cells = row[0], self.row(row)
        for column, listed in self._statuses.get(table, {}).items():
            if (value := cells[column]) in listed:
                yield Doubt(decided, f"{table}.{column}", listed.index(value), f"{table}.{column} is {value!r}.")
        for column in self._scheduled.get(table, ()):
            if isinstance(value := cells[column], str):
                is_over = self._is_over(value, self.clock)
                yield Doubt(over, f"{table}.{column}", int(is_over), f"{table}.{column}, {value}, is over.")

    def named(self, tool: str, arguments: Mapping[str, Json]) -> list[RowId]:
        """The rows that the arguments name, people aside."""
        parameters = self._parameters(tool)
        found = (row for name, value in arguments.items() for row in parameters.named(name, value)[:1])
        return [row for row in found if row[0] != self.world.keys.people.table]

    def _rests_on(self, row: RowId) -> list[RowId]:
        people = self.world.keys.people.table
        return sorted((one for one in self.world.above([row]) - {row} if one[0] != people), key=repr)

    def _is_somebody_elses(self, row: RowId) -> bool:
        owners = self.inspected.under_trial.owners
        is_owned = any(table in owners for table, _ in self.world.above([row]))
        return is_owned and not self.world.belongs(row, owners)

    def _parameters(self, tool: str) -> Parameters:
        return self.inspected.parameters(tool, self.world)

    def row(self, row: RowId) -> Row:
        return self.world.by_id[row]

    def papers(self, tool: str) -> list[RowId]:
        """The person's own rows that run out at some time to come, of a kind that the rules or the tool speak of. Of a
        row that somebody of the staff wrote down (`recorded_by`) they are not the owner."""
        tables = self.inspected.schema.tables
        said = " ".join(
            [self.inspected.tools[tool].description, *(rule.text for rule in self.inspected.bundle.theme.rules)]
        )
        known = texts.words(said)
        return [
            row
            for row, cells in self.world.by_id.items()
            if tables[row[0]].primary_key == ("id",) and self._is_own(row[0], cells)
            if texts.words(row[0].replace("_", " ")) & known and self.ends_of(row)
        ]

    def _is_own(self, table: str, cells: Row) -> bool:
        people = [one.column for one in self.world.keys.references_to_people() if one.table == table]
        return any(cells[column] == USER_ID and not column.endswith("_by") for column in people)

    def ends_of(self, row: RowId) -> dict[str, str]:
        """The columns of the row that say when it runs out, where that is still to come."""
        ends = [column for column in self._scheduled.get(row[0], ()) if _ENDS.search(column)]
        found = {name: str(value) for name in ends if (value := self.row(row)[name])}
        return {name: value for name, value in found.items() if not self._is_over(value, self.clock)}

    # -- columns ------------------------------------------------------------------------------------------------------

    @cached_property
    def _scheduled(self) -> dict[str, list[str]]:
        """Table → the columns that hold days or moments of which some, in some state, are still to come."""
        found: dict[str, list[str]] = {}
        for table in self.inspected.schema.tables.values():
            for column in table.columns:
                if any(self._is_to_come(table.name, column.name, state) for state in self.inspected.worlds):
                    found.setdefault(table.name, []).append(column.name)
        return found

    def _is_to_come(self, table: str, column: str, state: str) -> bool:
        values = [row[column] for row in self.inspected.worlds[state].of(table) if row[column] is not None]
        if not all(isinstance(value, str) and _MOMENT.fullmatch(value) for value in values):
            return False
        clock = self.inspected.bundle.states[state].clock
        return any(not self._is_over(str(value), clock) for value in values)

    @cached_property
    def _statuses(self) -> dict[str, dict[str, list[Any]]]:
        """Table → columns that say how far something has come, with their values in the order they are listed; of a
        flag the commoner one first. What a person chooses, such as a language, says nothing of that."""
        found: dict[str, dict[str, list[Any]]] = {}
        updated = self.inspected.written("update") - self.inspected.chosen
        for table in self.inspected.schema.tables.values():
            for column in table.columns:
                listed = re.search(_LISTED.format(column=re.escape(column.name)), table.sql, re.IGNORECASE)
                if listed is None:
                    continue
                values, changes = _TEXT.findall(listed[1]), (table.name, column.name) in updated
                if values and (changes or _STATUS.search(column.name)):
                    found.setdefault(table.name, {})[column.name] = values
                elif listed[1].replace(" ", "") in ("0,1", "1,0") and (changes or _FLAG.search(column.name)):
                    held = [row[column.name] for row in self.world.of(table.name)]
                    found.setdefault(table.name, {})[column.name] = sorted((1, 0), key=held.count, reverse=True)
        return found

    @staticmethod
    def _is_over(value: str, clock: str) -> bool:
        """Days count to their end."""
        return value.replace(" ", "T") < (clock[:10] if _DAY.fullmatch(value) else clock)
