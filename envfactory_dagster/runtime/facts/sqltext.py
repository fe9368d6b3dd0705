"""SQL as text: what can be told from words alone, before anybody prepares the statement.

Belongs here: the kind of a statement, how many there are, readings of the clock, and the plain spelling
that `lineage.py` parses. Does not: anything that needs the schema.
"""

from collections.abc import Iterator, Sequence

from envfactory_dagster.runtime.facts.results import StatementKind
from envfactory_dagster.runtime.sql_tokens import Token

_DATA_VERBS: dict[str, StatementKind] = {
    "select": "select",
    "values": "select",
    "insert": "insert",
    "replace": "insert",
    "update": "update",
    "delete": "delete",
}
FORBIDDEN_VERBS = frozenset(
    (
        *("alter", "analyze", "attach", "begin", "commit", "create", "detach", "drop", "end", "explain", "pragma"),
        *("reindex", "release", "rollback", "savepoint", "vacuum"),
    )
)

# A clock function reads the clock where its time value is missing; this many arguments come with one.
_CLOCK_ARGUMENTS = {"date": 1, "time": 1, "datetime": 1, "julianday": 1, "unixepoch": 1, "strftime": 2, "timediff": 2}
_CLOCK_VALUES = frozenset({"'now'", "'subsec'", "'subsecond'"})
_TIMEZONE_MODIFIERS = frozenset({"'localtime'", "'utc'"})


def second_statement(pieces: Sequence[Token]) -> Token | None:
    """The token at which another statement begins, if more than one was written."""
    ended = False
    for piece in pieces:
        if ended and piece.text != ";":
            return piece
        ended = ended or piece.text == ";"
    return None


def statement_kind(pieces: Sequence[Token]) -> StatementKind | None:
    """What the statement does; None where no data verb leads it."""
    return _DATA_VERBS.get(_verb(pieces))


def _verb(pieces: Sequence[Token]) -> str:
    """The first data verb outside parentheses, so the one that follows the common table expressions."""
    depth = 0
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        depth += {"(": 1, ")": -1}.get(piece.text, 0)
        is_name = piece.word == "replace" and (following is None or following.word != "into")
        if depth == 0 and piece.word in _DATA_VERBS and not is_name:
            return piece.word
    return ""


def replaces_rows(pieces: Sequence[Token]) -> bool:
    """Whether the statement says REPLACE, which deletes the rows in its way."""
    words = [piece.word for piece in pieces]
    return _verb(pieces) == "replace" or any(
        words[at : at + 3] in (["insert", "or", "replace"], ["update", "or", "replace"]) for at in range(len(words))
    )


def reads_clock(pieces: Sequence[Token], at: int) -> bool:
    """Whether the call at `at` is a date or time function that reads the machine's clock or time zone."""
    name = pieces[at].word
    needed = _CLOCK_ARGUMENTS.get(name)
    if needed is None:
        return False
    arguments = list(_arguments(pieces, at + 1))
    literals = [argument[0].text.lower() if len(argument) == 1 else "" for argument in arguments]
    time_values = literals[:needed] if name == "timediff" else literals[needed - 1 : needed]
    return (
        len(arguments) < needed
        or not _CLOCK_VALUES.isdisjoint(time_values)
        or not _TIMEZONE_MODIFIERS.isdisjoint(literals)
    )


def _arguments(pieces: Sequence[Token], opening: int) -> Iterator[list[Token]]:
    """The arguments between the parenthesis at `opening` and its partner."""
    depth, argument = 0, list[Token]()
    for piece in pieces[opening:]:
        depth += {"(": 1, ")": -1}.get(piece.text, 0)
        if depth == 0 or (depth == 1 and piece.text == ","):
            if argument:
                yield argument
            argument = []
            if depth == 0:
                return
        elif depth > 1 or piece.text != "(":
            argument.append(piece)


def plain_spelling(pieces: Sequence[Token]) -> str:
    """The same statement for a parser that knows less of SQLite.

    Comments are gone, what to do on conflict too (it changes no lineage), and every placeholder is `:name`:
    `placeholder_name` says which name a positional one gets.
    """
    written: list[str] = []
    last_position = end = 0
    for at, piece in enumerate(pieces):
        written.append(" " if piece.start > end else "")
        end = piece.start + len(piece.text)
        if piece.text.startswith("?"):
            position = int(piece.text[1:] or last_position + 1)
            last_position = max(last_position, position)
            written.append(f":{placeholder_name(position)}")
        elif piece.kind == "placeholder":
            written.append(f":{piece.text[1:]}")
        elif piece.word == "replace" and pieces[at + 1 : at + 2] and pieces[at + 1].word == "into":
            written.append("INSERT")
        elif not _in_conflict_action(pieces, at):
            written.append(piece.text)
    return "".join(written).rstrip("; ")


def _in_conflict_action(pieces: Sequence[Token], at: int) -> bool:
    """Whether the token is part of the `OR ROLLBACK|ABORT|REPLACE|FAIL|IGNORE` that may follow INSERT and UPDATE."""
    word = pieces[at].word
    before = pieces[at - 1].word if at else ""
    if word == "or":
        return before in ("insert", "update")
    return before == "or" and at > 1 and pieces[at - 2].word in ("insert", "update")


def placeholder_name(position: int) -> str:
    """The name that the placeholder at a position (from 1) goes by."""
    return f"p{position}"
