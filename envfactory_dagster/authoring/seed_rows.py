"""The seed rows: what the database holds at the start, once for every initial state.

Belongs here: the prompt for it and its gate. Does not: reading what was accepted as somebody of the trade does
(`rows_review`), and database images (`runtime.images`).
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import ValidationError

from envfactory_dagster.authoring import file_words, file_worlds, rows_review
from envfactory_dagster.authoring import source_document as sources
from envfactory_dagster.authoring.loop import Authored, PastAnswer, Question, author, joined, outcome
from envfactory_dagster.authoring.mining.given import FOR_ROWS, Given, given_in
from envfactory_dagster.authoring.rows_review import RowsReview
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import content_hash, repeated
from envfactory_dagster.contracts.database import Cell, DatabaseSchema, InitialState, SeedRows, TableRows
from envfactory_dagster.contracts.domain import Task, TaskSet, Theme
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import SeedRowsAnswer, SeedRowsContext
from envfactory_dagster.contracts.sources import SourceShown
from envfactory_dagster.contracts.stages import MINED_DATA, SOURCE_DOCUMENT, StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime.facts import Schema, SchemaTable, load_schema
from envfactory_dagster.runtime.runtime import Runtime

INSTRUCTIONS = """\
You fill the database of the service that `theme` describes, for the initial state `state`. Every other one of `states`
is filled separately: the same service with other people, other names, other dates and another situation.

`clock`: what time it is in this state, `2026-03-02T09:00:00`. Choose one of your own for each state.

`tables`: for every table in `tables` of the context, in any order, `table`, `columns` and `rows`; each row holds one
value for each column, in that order. Leave no table empty; at least `least_rows` rows in all.

- The rules of the theme come first: the rows keep every one of them, for everybody, whatever else is asked for below.
  Where a rule allows a person three open orders, nobody has four; leave out what would break a rule.
- Every constraint holds: types, NOT NULL, UNIQUE, CHECK, and each reference points at a row that exists. Give every
  row its id, counting from 1.
- Row 1 of the first table is the user, for whom the assistant acts: the one person whose requests `tasks` are, with
  the part that they play in them and no other. Give the user several records of every kind that such a person has, at
  every stage of their life: of each status at least one as far as the rules allow, open and closed, paid and overdue,
  early enough to change and too late. Whatever such a person could do in this service, the user can do it in this
  state, whether or not a task asks. What only others do here, others have records of.
- At least four other people, with records of their own of the same kinds. What is theirs must not be the user's.
- `tasks` start from these rows. What a task mentions exists, under the names it uses, and what it asks for can be done;
  for a refusal, the rule it rests on really forbids it. Leave room for a wrong choice: two candidates that look alike,
  and a nearest one that does not qualify.
- For every rule, records of the user's right at its limit: one that just still qualifies and one that just does not, as
  a booking that starts exactly as long after `clock` as a deadline asks for, and one a little earlier. Where a rule
  limits how many records a person may have, somebody else has as many, and the user has fewer, unless a refusal in
  `tasks` rests on that rule. What `tasks` say that the user has goes before this: where one gives up "the later of
  my two bookings", there are two.
- Values are what a real service would hold: names, titles and prices that differ, no "Item 1", no lorem ipsum.
  Nobody is in two places at once or plays every part there is; what is booked fits where it is booked; what costs more
  in the trade costs more here.
- Money is in integer cents, a flag is 0 or 1, a day is `2026-03-02`, a moment is `2026-03-02T09:00:00`; one form in
  each column. What happened lies before `clock`, what is planned after it. Totals agree with the rows they add up.
- Codes such as `ORD-00017` stay below 50000: higher ones are given to what is created later.
"""

GATE = 1

LEAST_PEOPLE = 3
ENOUGH_TO_BE_SHARED = 4
"""A table with so many rows that refer to people must not hold the rows of one person alone."""
MOST_PROBLEMS = 40
ALIKE = 0.5
"""Two states may share this part of their people, and of all their rows."""

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?")
_EARLIEST, _LATEST = "1990", "2100"


class SeedRowsStage:
    name = "seed_rows"
    upstream = ("theme", "task_set", "database_schema", MINED_DATA, SOURCE_DOCUMENT)
    code_version = content_hash([INSTRUCTIONS, FOR_ROWS, rows_review.INSTRUCTIONS, GATE])[:12]

    def __init__(self, gateway: Gateway, runtime: Runtime, settings: AuthoringSettings) -> None:
        self._gateway = gateway
        self._runtime = runtime
        self._settings = settings

    def settings_hash(self) -> str:
        return self._settings.hash_for(self.name)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        rows_of = StateAuthor.of(self._gateway, self._runtime, self._settings, stage_input, self.name)
        states = self._settings.states
        parts = await asyncio.gather(*(rows_of.ask(state) for state in states))
        authored = joined(parts)
        if authored.value is None:
            return outcome(authored, None)
        rows = SeedRows(states=[rows_of.accepted[state] for state in states])
        counts = {state.name: {table.table: len(table.rows) for table in state.tables} for state in rows.states}
        return outcome(
            authored,
            rows,
            rows={state: sum(count.values()) for state, count in counts.items()},
            clocks={state.name: state.clock for state in rows.states},
            tables=[
                {"table": table, **{state: counts[state].get(table, 0) for state in counts}}
                for table in counts[states[0]]
            ],
            **rows_review.as_metadata(rows_of.reviews, rows.states),
        )


@dataclass(frozen=True)
class StateAuthor:
    """Asks for the rows of one state after the other, or of all at once."""

    gateway: Gateway
    runtime: Runtime
    settings: AuthoringSettings
    caller: Caller
    theme: Theme
    tasks: Sequence[Task]
    tables: DatabaseSchema
    given: Given
    documents: SourceShown | None
    """Of a mined world: what its documents record has happened in every state."""
    accepted: dict[str, InitialState] = field(default_factory=dict)
    """Whichever state passes later is compared with those before it."""
    reviews: dict[str, RowsReview] = field(default_factory=dict)

    @classmethod
    def of(
        cls, gateway: Gateway, runtime: Runtime, settings: AuthoringSettings, stage_input: StageInput, stage: str
    ) -> "StateAuthor":
        given = given_in(stage_input)
        return cls(
            gateway,
            runtime,
            settings,
            Caller(stage, stage_input.partition, Role.AUTHOR),
            Theme.model_validate(stage_input.artifact("theme")),
            TaskSet.model_validate(stage_input.artifact("task_set")).tasks,
            DatabaseSchema.model_validate(stage_input.artifact("database_schema")),
            given,
            sources.shown_to(stage_input) if given.tables else None,
        )

    async def ask(self, state: str, mend: tuple[InitialState, str] | None = None) -> Authored[SeedRowsAnswer]:
        """`mend`: rows that were accepted once, and why they cannot stay. What is mended so is not reviewed again."""
        schema = load_schema(self.tables.sql())
        context = SeedRowsContext(
            theme=self.theme,
            tasks=[task for task in self.tasks if task.state == state],
            tables=self.tables.tables,
            state=state,
            states=list(self.settings.states),
            least_rows=self.settings.least_rows,
            mined=self.given.shown_to_refer_to(),
            source=self.documents,
        )
        refused = None
        if mend is not None:
            given = SeedRowsAnswer(clock=mend[0].clock, tables=self.given.without(mend[0].tables))
            refused = PastAnswer(given.model_dump_json(), [_problem(mend[1])])

        async def gate(answer: SeedRowsAnswer) -> list[Problem]:
            try:
                given = InitialState(name=state, clock=answer.clock, tables=self.given.rows_with(answer.tables))
            except ValidationError as error:
                return [_problem(f"{e['loc']}: {e['msg']}") for e in error.errors()]
            if mend is not None and given == mend[0]:
                return [_problem(f"These are the rows that cannot stay. {mend[1]}")]
            problems = await problems_of(self.runtime, given, schema, context.least_rows)
            if not problems and self.theme.storage == "files":
                problems = await file_worlds.problems_of_rows(self.runtime, self.tables, given.tables)
            problems += self._alike(given, schema)
            if not problems:
                self.accepted[state] = given
            return problems[:MOST_PROBLEMS]

        instructions = INSTRUCTIONS + (FOR_ROWS if self.given.tables else "")
        if self.theme.storage == "files":
            instructions += file_words.FOR_ROWS
        question = Question("seed_rows", SeedRowsAnswer, instructions, context)
        attempts = self.settings.attempts
        authored = await author(self.gateway, self.caller, question, gate, attempts=attempts, refused=refused)
        if mend is not None:
            return authored
        review = self.reviews[state] = RowsReview(self.gateway, self.caller, attempts, context, schema)
        return await review.mended(question, gate, authored)

    def _alike(self, state: InitialState, schema: Schema) -> list[Problem]:
        """What was mined is the same in every state, and so is what only joins it: neither is compared."""
        joined = {name for name, table in schema.tables.items() if _only_joins(table, self.given.names)}
        others = [other for name, other in self.accepted.items() if name != state.name]
        mine, *theirs = (
            one.model_copy(
                update={"tables": [rows for rows in self.given.without(one.tables) if rows.table not in joined]}
            )
            for one in (state, *others)
        )
        documents = "" if self.documents is None else "\n".join(one.text for one in self.documents.sections)
        return [problem for other in theirs for problem in problems_of_likeness(mine, other, schema, documents)]


def _only_joins(table: SchemaTable, mined: Collection[str]) -> bool:
    """Whether each of its rows says only that some things that were mined belong together."""
    referring = {column for key in table.foreign_keys if key.parent in mined for column in key.columns}
    return bool(referring) and {column.name for column in table.columns} <= referring | set(table.primary_key)


async def problems_of(runtime: Runtime, state: InitialState, schema: Schema, least_rows: int) -> list[Problem]:
    """Everything that keeps these rows from being an initial state of this schema."""
    problems = [*_of_the_clock(state), *_of_the_tables(state.tables, schema, least_rows)]
    try:
        unfit = await _of_inserting(runtime, state.tables, schema)
        if unfit:
            return problems + unfit
        await databases.build_image(runtime, schema.sql, state.tables)
    except EnvironmentFault as fault:
        return [*problems, _problem(str(fault))]
    return [*problems, *_of_the_people(state.tables, schema), *_of_the_forms(state.tables, schema)]


def _of_the_clock(state: InitialState) -> Iterator[Problem]:
    try:
        datetime.fromisoformat(state.clock)
    except ValueError:
        yield _problem(f"The clock {state.clock!r} is no moment in time.")
        return
    if not _EARLIEST < state.clock < _LATEST:
        yield _problem(f"The clock {state.clock!r} is not of our time.")
    years = {str(cell)[:4] for table in state.tables for row in table.rows for cell in row if _is_moment(cell)}
    if years and state.clock[:4] not in years:
        seen = f"{min(years)} to {max(years)}"
        yield _problem(f"The clock says {state.clock}, and no row is of that year; the rows are of {seen}.")


def _of_the_tables(given: Sequence[TableRows], schema: Schema, least_rows: int) -> Iterator[Problem]:
    names = [table.table for table in given]
    for name in repeated(names):
        yield _problem(f"The table {name} is given twice; put its rows together.")
    for name in sorted(set(names) - schema.tables.keys()):
        yield _problem(f"There is no table {name}; the tables are {', '.join(schema.tables)}.")
    filled = {table.table for table in given if table.rows}
    for name in schema.tables:
        if name not in filled:
            yield _problem(f"The table {name} is empty.")
    people = next(iter(schema.tables.values()))
    ids = [cell for table in given if table.table == people.name for cell in _column(table, people.primary_key[0])]
    if 1 not in ids:
        yield _problem(f"Row 1 of {people.name}, the user, is missing.")
    count = sum(len(table.rows) for table in given)
    if count < least_rows:
        yield _problem(f"There are {count} rows in all; give at least {least_rows}.")


async def _of_inserting(runtime: Runtime, given: Sequence[TableRows], schema: Schema) -> list[Problem]:
    """Every row that the database refuses, each with its reason, so that one report is enough."""
    known = [table for table in given if table.table in schema.tables]
    unfit = {table.table: found for table in known if (found := _of_the_columns(table, schema.tables[table.table]))}
    refused = await databases.refused_rows(runtime, schema.sql, [table for table in known if table.table not in unfit])
    return [*map(_problem, unfit.values()), *(_problem(message, shown) for message, shown in refused)]


def _of_the_columns(given: TableRows, table: SchemaTable) -> str | None:
    """Describe the first problem with the given columns, or return None."""
    known = {column.name for column in table.columns}
    if unknown := [column for column in given.columns if column not in known]:
        names = ", ".join(column.name for column in table.columns)
        return f"Table {table.name} has no column {', '.join(unknown)}; it has {names}."
    if twice := repeated(given.columns):
        return f"Table {table.name}: {', '.join(twice)} is given twice."
    return None


def _of_the_people(given: Sequence[TableRows], schema: Schema) -> Iterator[Problem]:
    """The user is not alone, and owns something but not everything."""
    people = next(iter(schema.tables.values()))
    rows = {table.table: table for table in given}
    if people.name not in rows:
        return
    ids = _column(rows[people.name], people.primary_key[0])
    if len(ids) < LEAST_PEOPLE:
        yield _problem(f"{people.name} holds {len(ids)} rows; give at least {LEAST_PEOPLE} people.")
    holders = {
        (table.name, key.columns[0]): _column(rows[table.name], key.columns[0])
        for table in schema.tables.values()
        for key in table.foreign_keys
        if key.parent == people.name and table.name != people.name and table.name in rows
    }
    for (table, column), persons in holders.items():
        is_authorship = "by" in column.split("_")  # who wrote a row down need not be whose it is
        if len(persons) >= ENOUGH_TO_BE_SHARED and set(persons) == {1} and not is_authorship:
            yield _problem(f"All rows of {table} belong to the user ({column} = 1); give other people some too.")
    if holders and not any(1 in persons for persons in holders.values()):
        yield _problem(f"Nothing belongs to the user: no table refers to row 1 of {people.name}.")


def _of_the_forms(given: Sequence[TableRows], schema: Schema) -> Iterator[Problem]:
    """A column of days and moments keeps to one form, or comparisons in SQL go wrong without a word. Where it cannot be
    null, as in a csv file, an empty text stands for none."""
    for table in given:
        for column in table.columns:
            known = schema.tables[table.table].column(column)
            none = "" if known is not None and known.not_null else None
            cells = [cell for cell in _column(table, column) if isinstance(cell, str) and cell != none]
            moments = [cell for cell in cells if _is_moment(cell)]
            if len(moments) * 2 <= len(cells):
                continue
            lengths = {len(cell) for cell in moments}
            usual = max(lengths, key=lambda length: sum(len(cell) == length for cell in moments))
            for odd in [cell for cell in cells if not _is_moment(cell) or len(cell) != usual][:2]:
                like = next(cell for cell in moments if len(cell) == usual)
                yield _problem(f"{table.table}.{column} holds {odd!r}, where other rows look like {like!r}.")


def problems_of_likeness(
    state: InitialState, other: InitialState, schema: Schema, documents: str = ""
) -> list[Problem]:
    """Another state is another world, not the same one with a few rows changed. People whom the `documents` of the
    place name are the same in both."""
    people = next(iter(schema.tables))
    for tables, what in (([people], f"people in {people}"), (list(schema.tables), "rows")):
        mine, theirs = (
            {row for row in _rows_of(one, tables) if not (row[0] == people and _is_named(row[1:], documents))}
            for one in (state, other)
        )
        share = len(mine & theirs) / max(1, len(mine))
        if share > ALIKE:
            shared = f"{share:.0%} of the {what} are the same as in the state {other.name}"
            return [_problem(f"{shared}; this state needs other people and other data.")]
    return []


def _is_named(row: Iterable[object], documents: str) -> bool:
    """Whether the documents have a name of two words that is in the row."""
    return any(isinstance(cell, str) and " " in cell and cell in documents for cell in row)


def _rows_of(state: InitialState, tables: Sequence[str]) -> set[tuple[object, ...]]:
    """The rows without their ids, which are the same in every state."""
    return {
        (table.table, *(cell for column, cell in zip(table.columns, row, strict=True) if column != "id"))
        for table in state.tables
        if table.table in tables
        for row in table.rows
    }


def _column(table: TableRows, name: str) -> list[Cell]:
    if name not in table.columns:
        return []
    index = table.columns.index(name)
    return [row[index] for row in table.rows]


def _is_moment(cell: object) -> bool:
    return isinstance(cell, str) and _MOMENT.fullmatch(cell) is not None


def _problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="rows", message=message, snippet=snippet)
