"""The database schema: the tables that the tasks and rules of a world need, as SQLite DDL that builds.

Belongs here: the prompt for it and its gate. Does not: rows (`seed_rows`), or reading a schema (`runtime.facts`).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from envfactory_dagster.authoring import file_words, file_worlds, texts
from envfactory_dagster.authoring import source_document as sources
from envfactory_dagster.authoring.loop import Authored, Question, author, outcome
from envfactory_dagster.authoring.mining import given
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash, repeated
from envfactory_dagster.contracts.database import DatabaseSchema, Table
from envfactory_dagster.contracts.domain import Task, TaskSet, Theme
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import DatabaseSchemaAnswer, DatabaseSchemaContext, FilesSchemaAnswer
from envfactory_dagster.contracts.stages import MINED_DATA, SOURCE_DOCUMENT, StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime.facts import Schema, SchemaTable, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.sql_tokens import Token, tokens

INSTRUCTIONS = """\
You design the SQLite database of the service that `theme` describes. It must hold everything that the rules and
`tasks` speak of, and nothing that none of them needs.

`tables`: at least `least_tables` of them. The first holds the people the service serves, of whom row 1 is the user.
Every other one comes after those it refers to. Each has
- `name`: snake_case, plural, taken from the entities of the theme;
- `ddl`: exactly one `CREATE TABLE name (…) STRICT`, names without quotes;
- `indexes`: `CREATE INDEX` or `CREATE UNIQUE INDEX` statements on that table; usually none;
- `purpose`: one sentence on what a row is. It names every entity of the theme that the table keeps.

The assistant always acts for the user, and what belongs to a person refers to the first table. There are no accounts,
passwords, tokens or sessions of log-ins.

Conventions
- `id INTEGER PRIMARY KEY AUTOINCREMENT` for tables whose rows are created while the service is used. Reference data
  may have `id INTEGER PRIMARY KEY`, a table that only links two others the pair of their ids as its key.
- Types are INTEGER, REAL and TEXT. Money is INTEGER cents (`price_cents`), and whole pesos or yen (`price_clp`) where a
  currency has no cents. A flag is INTEGER `CHECK (x IN (0, 1))`, a day is TEXT `2026-03-02`, a moment is TEXT
  `2026-03-02T09:00:00`.
- Real constraints: NOT NULL unless a value may truly be missing, UNIQUE where the world says so, CHECK for every
  status (`CHECK (status IN ('open', 'paid'))`), every amount and every order of two dates.
- Every reference is a foreign key, `REFERENCES parent (id)`, and points at a primary key or unique columns. No table
  stands alone. A reference is named after what it refers to: `booking_id`, `from_account_id`.
- What people are told, such as an order number, may be a TEXT code of its own, UNIQUE.
- No DEFAULT that reads a clock or chance, no generated columns, no views, no triggers. The service passes the time in.
- Keep what can be computed out of the tables, unless a rule needs it frozen (the price at the time of sale).
- Give each life cycle its column (`status`) and the moments that matter (`cancelled_at`).
"""

GATE = 1
"""Counts up whenever the gate asks for more or less: what it let through before is judged anew."""

MOST_TABLES = 60
MOST_DDL_CHARS = 8_000
MOST_INDEXES = 20
"""On one table."""
TYPES = ("INTEGER", "REAL", "TEXT")

_CLOCK_OR_CHANCE = re.compile(
    r"\b(current_(date|time|timestamp)|(date|time|datetime|julianday|unixepoch|strftime)\s*\(|random)", re.IGNORECASE
)
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class DatabaseSchemaStage:
    name = "database_schema"
    upstream = ("theme", "task_set", SOURCE_DOCUMENT, MINED_DATA)
    code_version = content_hash([INSTRUCTIONS, GATE])[:12]

    def __init__(self, gateway: Gateway, runtime: Runtime, settings: AuthoringSettings) -> None:
        self._gateway = gateway
        self._runtime = runtime
        self._settings = settings

    def settings_hash(self) -> str:
        return self._settings.hash_for(self.name)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        theme = Theme.model_validate(stage_input.artifact("theme"))
        tasks = TaskSet.model_validate(stage_input.artifact("task_set")).tasks
        document = sources.document_of(stage_input)
        least = sources.least_tables(document, self._settings.least_tables)
        source = sources.shown_to(stage_input)
        there = given.given_in(stage_input)
        mined = there.shown()
        context = DatabaseSchemaContext(theme=theme, tasks=tasks, least_tables=least, source=source, mined=mined)
        instructions = sources.with_source(INSTRUCTIONS, source, sources.FOR_SCHEMA) + (
            given.FOR_SCHEMA if mined else ""
        )
        caller = Caller(self.name, stage_input.partition, Role.AUTHOR)
        if theme.storage == "files":
            return _outcome(await self._author_files(caller, instructions + file_words.FOR_SCHEMA, context))

        async def gate(answer: DatabaseSchemaAnswer) -> list[Problem]:
            return await problems_of(self._runtime, there.tables_with(answer.tables), tasks, least)

        question = Question("database_schema", DatabaseSchemaAnswer, instructions, context)
        authored = await author(self._gateway, caller, question, gate, attempts=self._settings.attempts)
        made = None if authored.value is None else DatabaseSchema(tables=there.tables_with(authored.value.tables))
        return _outcome(Authored(made, authored.attempts))

    async def _author_files(
        self, caller: Caller, instructions: str, context: DatabaseSchemaContext
    ) -> Authored[DatabaseSchema]:
        """With the file that each table is, and the documents beside them."""

        async def gate(answer: FilesSchemaAnswer) -> list[Problem]:
            tables = file_worlds.plain(answer.tables)
            found = await problems_of(self._runtime, tables, context.tasks, context.least_tables)
            return [*found, *file_worlds.problems_of_tables(answer.tables, answer.documents)]

        question = Question("database_schema", FilesSchemaAnswer, instructions, context)
        authored = await author(self._gateway, caller, question, gate, attempts=self._settings.attempts)
        answer = authored.value
        made = None if answer is None else file_worlds.filed(answer.tables, answer.documents)
        return Authored(made, authored.attempts)


def _outcome(authored: Authored[DatabaseSchema]) -> StageOutcome:
    if authored.value is None:
        return outcome(authored, None)
    schema = authored.value
    built = load_schema(schema.sql())
    return outcome(
        authored,
        schema,
        table_count=len(built.tables),
        foreign_key_count=sum(len(table.foreign_keys) for table in built.tables.values()),
        tables=[_shown(text, built.tables[text.name]) for text in schema.tables],
        **{"schema.sql": schema.sql()},
    )


async def problems_of(
    runtime: Runtime, tables: Sequence[Table], tasks: Sequence[Task], least_tables: int
) -> list[Problem]:
    """Everything that keeps these tables from being the database of this world."""
    problems = [*_of_the_list(tables, least_tables), *_of_coverage(tables, tasks)]
    if len(tables) > MOST_TABLES:
        return problems
    unbuilt = [*chain.from_iterable(map(_of_the_form, tables))] or await _of_building(runtime, tables)
    if unbuilt or not tables:
        return problems + unbuilt
    try:
        schema = load_schema("".join(_sql(table) for table in tables))
    except EnvironmentFault as fault:
        return [*problems, _problem(str(fault))]
    return [*problems, *_of_the_tables(schema), *_of_the_references(schema)]


def _of_the_list(tables: Sequence[Table], least_tables: int) -> Iterator[Problem]:
    if not least_tables <= len(tables) <= MOST_TABLES:
        yield _problem(f"There are {len(tables)} tables; give {least_tables} to {MOST_TABLES}.")
    for name in repeated(table.name for table in tables):
        yield _problem(f"Two tables are called {name}.")


def _of_coverage(tables: Sequence[Table], tasks: Sequence[Task]) -> Iterator[Problem]:
    """What the tasks touch is kept; what the theme speaks of beyond that need not be."""
    said = [_words_of(table) for table in tables]
    for entity in dict.fromkeys(entity for task in tasks for entity in task.entities):
        wanted = texts.words(entity)
        if not any(wanted <= words for words in said):
            yield _problem(
                f"No table keeps {entity!r}: name one after it, or name it in the purpose of the one that does."
            )


def keeps(table: Table, entity: str) -> bool:
    """Whether a table is about an entity, by its name, its purpose or its columns."""
    return texts.words(entity) <= _words_of(table)


def _words_of(table: Table) -> set[str]:
    return texts.words(f"{table.name} {table.purpose} {table.ddl}")


def _of_the_form(table: Table) -> Iterator[Problem]:
    """One CREATE TABLE of that name, and indexes on it, by their words: SQLite parses them afterwards, in a worker."""
    if len(table.indexes) > MOST_INDEXES:
        yield _problem(f"{table.name} has {len(table.indexes)} indexes; {MOST_INDEXES} is the most.")
        return
    for text, kind in [(table.ddl, "TABLE"), *((index, "INDEX") for index in table.indexes)]:
        if len(text) > MOST_DDL_CHARS:
            yield _problem(
                f"A statement of {table.name} has more than {MOST_DDL_CHARS} characters; split the table up."
            )
            continue
        pieces = tokens(text.rstrip("; \n"))
        named = _named(pieces, kind)
        if named is None:
            yield _problem(f"{table.name}: expected exactly one CREATE {kind} statement.", text)
            continue
        if kind == "TABLE" and any(_is_query(pieces, at) for at in range(len(pieces))):
            yield _problem(f"{table.name}: list its columns; CREATE TABLE … AS SELECT defines no table.", text)
            continue
        if named != table.name:
            yield _problem(f"The CREATE {kind} of {table.name} is about {named}.", text)
        if any(piece.kind == "name" for piece in pieces):
            yield _problem(f"{table.name}: write names without quotes; choose others for names that need them.", text)


def _named(pieces: Sequence[Token], kind: str) -> str | None:
    """The table that a definition is about; None where it is none of that kind, or where more than one stand here."""
    words = [piece.word for piece in pieces]
    if words[:1] != ["create"] or any(piece.text == ";" for piece in pieces):
        return None
    at = 2 if kind == "INDEX" and words[1:2] == ["unique"] else 1
    if words[at : at + 1] != [kind.lower()]:
        return None
    at += 4 if words[at + 1 : at + 4] == ["if", "not", "exists"] else 1
    if kind == "INDEX":
        at = words.index("on", at) + 1 if "on" in words[at:] else len(words)
    at += 2 if at + 1 < len(pieces) and pieces[at + 1].text == "." else 0
    if at >= len(pieces) or pieces[at].kind not in ("word", "name"):
        return None
    return pieces[at].text.strip('"`[]')


def _is_query(pieces: Sequence[Token], at: int) -> bool:
    return pieces[at].word == "as" and [piece.word for piece in pieces[at + 1 : at + 2]] in (
        *(["select"], ["values"], ["with"]),
    )


async def _of_building(runtime: Runtime, tables: Sequence[Table]) -> list[Problem]:
    """Each table by itself, so that one report names all that SQLite refuses."""
    statements = [(table.name, text) for table in tables for text in (table.ddl, *table.indexes)]
    try:
        refused = await databases.refused_statements(runtime, statements)
    except EnvironmentFault as fault:
        return [_problem(str(fault))]
    return [_problem(message, statements[index][1]) for index, message in refused]


def _of_the_tables(schema: Schema) -> Iterator[Problem]:
    for table in schema.tables.values():
        yield from _of_one_table(table)
        for name in (table.name, *(column.name for column in table.columns)):
            if texts.SECRET.search(name):
                yield _problem(f"{table.name}: leave out {name!r}; the person is already known, there is no log-in.")
    if not any("AUTOINCREMENT" in table.sql.upper() for table in schema.tables.values()):
        yield _problem("No table takes new rows: `id INTEGER PRIMARY KEY AUTOINCREMENT` where tools create rows.")


def _of_one_table(table: SchemaTable) -> Iterator[Problem]:
    if not table.strict:
        yield _problem(f"{table.name} is not STRICT.", table.sql)
    if not table.primary_key:
        yield _problem(f"{table.name} has no primary key.", table.sql)
    for column in table.columns:
        if not _NAME.fullmatch(column.name):
            yield _problem(f"{table.name}.{column.name}: column names are snake_case.")
        if column.type.upper() not in TYPES:
            yield _problem(f"{table.name}.{column.name} is {column.type}; the types are {', '.join(TYPES)}.")
        if column.generated:
            yield _problem(f"{table.name}.{column.name} is generated; tools compute what they need.")
        if column.default and _CLOCK_OR_CHANCE.search(column.default):
            yield _problem(f"{table.name}.{column.name}: no default from a clock or chance; tools pass the time in.")


def _of_the_references(schema: Schema) -> Iterator[Problem]:
    tables = list(schema.tables.values())
    position = {table.name: index for index, table in enumerate(tables)}
    referred = {key.parent for table in tables for key in table.foreign_keys if key.parent != table.name}
    for table in tables:
        for key in table.foreign_keys:
            here, there = f"{table.name} ({', '.join(key.columns)})", f"{key.parent} ({', '.join(key.parent_columns)})"
            parent = schema.tables[key.parent]
            if position[key.parent] > position[table.name] > 0:
                yield _problem(f"{table.name} refers to {key.parent}, which comes later: put parents first.")
            if set(key.parent_columns) not in [set(parent.primary_key), *map(set, parent.unique)]:
                yield _problem(f"{here} refers to {there}, which is no key.", table.sql)
            elif _types(table, key.columns) != _types(parent, key.parent_columns):
                yield _problem(f"{here} and {there} are of different types.", table.sql)
    if tables[0].name not in referred:
        people = f"The first table, {tables[0].name}, must hold the people, user 1 among them"
        yield _problem(f"{people}; yet no other table refers to it.")
    alone = [table.name for table in tables if not table.foreign_keys and table.name not in referred]
    if len(alone) > 1:
        yield _problem(f"These tables have no reference to or from another: {', '.join(alone)}. Connect or drop them.")


def _types(table: SchemaTable, columns: Sequence[str]) -> list[str]:
    return [column.type.upper() for name in columns if (column := table.column(name)) is not None]


def _sql(table: Table) -> str:
    return DatabaseSchema(tables=[table]).sql()


def _shown(text: Table, table: SchemaTable) -> Json:
    references = [f"{', '.join(key.columns)} → {key.parent}" for key in table.foreign_keys]
    columns = ", ".join(column.name for column in table.columns)
    return {"table": text.name, "purpose": text.purpose, "columns": columns, "references": "; ".join(references)}


def _problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="schema", message=message, snippet=snippet)
