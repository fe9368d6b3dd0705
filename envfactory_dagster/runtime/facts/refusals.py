"""Why a statement is refused, in sentences a model or a person can repair it from.

Belongs here: every sentence about SQL, with the nearest names of the schema. Does not: deciding that a statement is
refused (SQLite and `binding.py` do).
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import apsw

from envfactory_dagster.runtime.facts import sqltext
from envfactory_dagster.runtime.facts.flow import StatementFlow
from envfactory_dagster.runtime.facts.schema import Schema, SchemaTable
from envfactory_dagster.runtime.sql_tokens import Token, tokens

_MOST_NAMES_LISTED = 12
_LONGEST_NAME = 64
_CLOCK_WORDS = frozenset({"current_date", "current_time", "current_timestamp"})
_RANDOM = frozenset({"random", "randomblob"})
_CONNECTION_STATE = frozenset(
    {
        "changes",
        "last_insert_rowid",
        "load_extension",
        "sqlite_compileoption_get",
        "sqlite_compileoption_used",
        "sqlite_log",
        "sqlite_offset",
        "sqlite_source_id",
        "sqlite_version",
        "total_changes",
    }
)


@dataclass(frozen=True, slots=True)
class StatementRefusal:
    """One reason; `offset` is where in the statement it lies, None where that is not known."""

    rule: str
    sentence: str
    offset: int | None = None


EMPTY = StatementRefusal("sql-syntax", "The statement is empty.")
UNREADABLE = StatementRefusal(
    "sql-syntax", "The statement holds a NUL or half a surrogate pair, which is no text for SQLite."
)
TOO_LONG = StatementRefusal("forbidden-statement", "The statement is longer than any tool needs; split the work.")
TOO_MANY = StatementRefusal(
    "forbidden-statement",
    "All statements of the tools, with what they set off, are more than is read; leave some out.",
)
MIXED_PLACEHOLDERS = StatementRefusal(
    "wrong-parameter-count", "The statement mixes `?` with `:name`; use one style, with a list or with a dict."
)


def forbidden(verb: Token) -> StatementRefusal:
    """A statement that is not data manipulation."""
    return StatementRefusal(
        "forbidden-statement",
        f"{verb.text.upper()} is not for tools: they may only SELECT, INSERT, UPDATE and DELETE "
        "(every call already runs in a transaction, and the schema is fixed).",
        verb.start,
    )


def newer(what: str) -> StatementRefusal:
    """Something that the SQLite of a bundle's own scripts need not know."""
    return StatementRefusal("newer-sql", f"SQLite 3.40, which has to understand every statement, does not know {what}.")


def several_statements(second: Token) -> StatementRefusal:
    """More than one statement in one literal."""
    return StatementRefusal(
        "several-statements",
        f"More than one statement is written here (another begins at `{second.text}`); call env once for each.",
        second.start,
    )


def impure_readings(pieces: Sequence[Token], called: Iterable[str] | None = None) -> Iterator[StatementRefusal]:
    """Readings of the clock, of chance and of the connection.

    `called` are the functions SQLite found in the text; without them every such name that is called counts.
    """
    known = None if called is None else frozenset(called)
    for at, piece in enumerate(pieces):
        is_call = pieces[at + 1 : at + 2] != [] and pieces[at + 1].text == "("
        if piece.word in _CLOCK_WORDS:
            yield _clock(piece.text, piece.start)
        elif not is_call or (known is not None and piece.word not in known):
            continue
        elif sqltext.reads_clock(pieces, at):
            yield _clock(f"{piece.text}()", piece.start)
        elif piece.word in _RANDOM:
            sentence = f"{piece.text}() gives another value on every run; results must be the same every time."
            yield StatementRefusal("sql-random", sentence, piece.start)
        elif piece.word in _CONNECTION_STATE:
            sentence = (
                f"{piece.text}() tells of the connection or the library, not of the data; "
                "env.insert and env.execute return ids and counts."
            )
            yield StatementRefusal("forbidden-function", sentence, piece.start)


def _clock(written: str, offset: int) -> StatementRefusal:
    return StatementRefusal(
        "sql-clock", f"{written} reads the machine's clock or time zone here; bind env.now as a parameter.", offset
    )


def foreign_table(name: str) -> StatementRefusal:
    """A table that SQLite brings along and the schema does not define."""
    return StatementRefusal(
        "unknown-table", f"{name} is SQLite's own; tools read the tables of the schema and json_each only."
    )


def missing_values(lineage: StatementFlow | None, schema: Schema) -> Iterator[StatementRefusal]:
    """Columns that an INSERT leaves out (or gives NULL) although the table demands them."""
    shape = lineage.insert if lineage else None
    table = schema.table(shape.table) if shape else None
    if shape is None or table is None or table.is_view:
        return
    missing = [c.name for c in table.columns if c.name not in shape.columns and table.must_be_given(c)]
    if missing:
        names = ", ".join(missing)
        yield StatementRefusal(
            "missing-not-null", f"The INSERT gives no value for {names} of {table.name}, NOT NULL without a default."
        )
    for name in shape.nulls:
        column = table.column(name)
        if column is not None and column.not_null and name != table.rowid_column:
            yield StatementRefusal(
                "missing-not-null", f"The INSERT gives NULL for {table.name}.{name}, which is NOT NULL."
            )
    for column in table.columns:
        if column.name not in shape.columns and list(impure_readings(tokens(column.default or ""))):
            sentence = (
                f"Left out, {table.name}.{column.name} takes its default {column.default}, which is another one "
                "on every run; give a value (for times env.now)."
            )
            yield StatementRefusal("sql-clock", sentence)


# -- SQLite's own words -----------------------------------------------------------------------------------------


def explain(error: apsw.Error, sql: str, pieces: Sequence[Token], schema: Schema) -> StatementRefusal:
    """SQLite's refusal, with what the schema knows added."""
    message = str(error)
    for pattern, sentence_for, rule in _KNOWN_MESSAGES:
        if match := pattern.fullmatch(message):
            where = _offset(error, sql, match.groupdict().get("name"), pieces)
            return StatementRefusal(rule, sentence_for(match, pieces, schema), where)
    return StatementRefusal(
        "refused-by-sqlite", f"SQLite refuses the statement: {message}.", _offset(error, sql, None, pieces)
    )


def _offset(error: apsw.Error, sql: str, name: str | None, pieces: Sequence[Token]) -> int | None:
    in_bytes = getattr(error, "error_offset", -1)  # only some of apsw's errors carry it
    if in_bytes >= 0:
        return len(sql.encode()[:in_bytes].decode(errors="ignore"))
    last = (name or "").rpartition(".")[2].lower()
    return next((piece.start for piece in pieces if last and piece.word == last), None)


def _unknown_table(match: re.Match[str], pieces: Sequence[Token], schema: Schema) -> str:
    name = match["name"].removeprefix("main.")
    return f"There is no table {name}. {_instead(name, schema.tables)}"


def _unknown_column(match: re.Match[str], pieces: Sequence[Token], schema: Schema) -> str:
    qualifier, _, name = match["name"].rpartition(".")
    if name.startswith('"'):
        return f"{name} in double quotes is a column name and there is none like it; write text in single quotes."
    mentioned = _mentioned_tables(pieces, schema)
    if not qualifier:
        known = list(mentioned.values())
    elif qualifier.lower() in mentioned:
        known = [mentioned[qualifier.lower()]]
    elif any(piece.word == qualifier.lower() and not _qualifies(pieces, at) for at, piece in enumerate(pieces)):
        return f"{qualifier} has no column {name}: its own SELECT does not give one of that name."
    else:
        names = [*mentioned, *("excluded" for piece in pieces if piece.word == "conflict")]
        return f"{qualifier} is neither a table nor an alias of this statement. {_instead(qualifier, names)}"
    return f"There is no column {match['name']}. {_instead_of_column(name, known, schema)}"


def _unknown_target_column(match: re.Match[str], pieces: Sequence[Token], schema: Schema) -> str:
    table = schema.table(match["table"])
    known = [table] if table else []
    return f"{match['table']} has no column {match['name']}. {_instead_of_column(match['name'], known, schema)}"


def _ambiguous_column(match: re.Match[str], pieces: Sequence[Token], schema: Schema) -> str:
    name = match["name"]
    holders = [alias for alias, table in _mentioned_tables(pieces, schema).items() if table.column(name)]
    choices = " or ".join(f"{alias}.{name}" for alias in sorted(holders)) or f"table.{name}"
    return f"The column {name} is ambiguous here; write {choices}."


def _value_count(match: re.Match[str], pieces: Sequence[Token], schema: Schema) -> str:
    return f"The INSERT does not give one value for each column: {match[0]}. Name the columns and give each a value."


def _unknown_function(match: re.Match[str], pieces: Sequence[Token], schema: Schema) -> str:
    if match["name"].lower() in ("now", "getdate", "sysdate", "curdate"):
        return f"SQLite has no function {match['name']}, and the clock is env.now; bind it as a parameter."
    return f"SQLite has no function {match['name']}."


def _too_large(match: re.Match[str], pieces: Sequence[Token], schema: Schema) -> str:
    return "The statement is too large once all that it reads and sets off is written out; split the work."


def _syntax(match: re.Match[str], pieces: Sequence[Token], schema: Schema) -> str:
    return f"This is not SQLite's SQL: {match[0]}."


_KNOWN_MESSAGES = tuple(
    (re.compile(pattern, re.DOTALL), sentence_for, rule)
    for pattern, sentence_for, rule in (
        (r"no such table: (?P<name>.+)", _unknown_table, "unknown-table"),
        (r"no such column: (?P<name>.+?)( - should this be .*)?", _unknown_column, "unknown-column"),
        (r"table (?P<table>.+) has no column named (?P<name>.+)", _unknown_target_column, "unknown-column"),
        (r"ambiguous column name: (?:.+\.)?(?P<name>.+)", _ambiguous_column, "ambiguous-column"),
        (r"table .+ has \d+ columns but \d+ values were supplied", _value_count, "wrong-value-count"),
        (r"\d+ values for \d+ columns", _value_count, "wrong-value-count"),
        (r"all VALUES must have the same number of terms", _value_count, "wrong-value-count"),
        (r"no such function: (?P<name>.+)", _unknown_function, "unknown-function"),
        (r"out of memory", _too_large, "forbidden-statement"),
        (r"near .*: syntax error|incomplete input|unrecognized token: .*", _syntax, "sql-syntax"),
    )
)


def _mentioned_tables(pieces: Sequence[Token], schema: Schema) -> dict[str, SchemaTable]:
    """The schema's tables that the statement names, by alias and by name."""
    found: dict[str, SchemaTable] = {}
    for at, piece in enumerate(pieces):
        table = schema.table(piece.text.strip('"`[]')) if piece.kind in ("word", "name") else None
        if table is None or (pieces[at + 1 : at + 2] and pieces[at + 1].text == "."):
            continue
        following = [later for later in pieces[at + 1 : at + 3] if later.word != "as"][:1]
        has_alias = following and following[0].kind in ("word", "name") and following[0].word not in _CLAUSE_WORDS
        found[following[0].text.lower() if has_alias else table.name.lower()] = table
    return found


def _qualifies(pieces: Sequence[Token], at: int) -> bool:
    """Whether the name at `at` stands before a dot."""
    return at + 1 < len(pieces) and pieces[at + 1].text == "."


_CLAUSE_WORDS = frozenset(
    (
        *("where", "join", "left", "right", "full", "inner", "cross", "natural", "on", "using", "group", "order"),
        *("limit", "set", "values", "select", "default", "returning", "union", "except", "intersect", "having"),
        *("indexed", "not", "window", "offset", "from"),
    )
)
"""Words that follow a table's name without being its alias."""


def _instead(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    if close := _closest(name, names):
        return f"Did you mean {close}?"
    return f"Known here: {_listed(names)}."


def _instead_of_column(name: str, tables: Sequence[SchemaTable], schema: Schema) -> str:
    hidden = [table.name for table in tables if table.column(name)]
    if hidden:
        return f"{_listed(hidden)} has it, but what is selected from here does not pass it on."
    names = {column.name for table in tables for column in table.columns}
    if close := _closest(name, names):
        return f"Did you mean {close}?"
    if holders := [table.name for table in schema.tables.values() if table.column(name)]:
        return f"It is a column of {_listed(holders)}; join what you need."
    return " ".join(f"{table.name} has {_listed(column.name for column in table.columns)}." for table in tables)


def _closest(name: str, names: Iterable[str]) -> str | None:
    """Nobody mistypes what is much longer than a name, and comparing such texts takes long."""
    if len(name) > _LONGEST_NAME:
        return None
    known = [one for one in names if len(one) <= _LONGEST_NAME]
    return next(iter(difflib.get_close_matches(name.lower(), known, n=1)), None)


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    more = ", …" if len(listed) > _MOST_NAMES_LISTED else ""
    return ", ".join(listed[:_MOST_NAMES_LISTED]) + more
