"""SQL that the runtime's SQLite understands and SQLite 3.40 does not. A bundle's `server.py` and `judge.py` run on 3.40
and newer ones. Python's standard library only.

Belongs here: newer functions by name, newer syntax and newer words in literals, by the tokens of a statement. It does
not see what a statement is given only when it runs: modifiers and formats of dates that are bound or put together, and
JSON with comments or unquoted keys, which 3.40 refuses. Does not: refusing a statement (`overlay`, `facts.binding`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from envfactory_dagster.runtime.sql_tokens import Token, tokens

NEWER_FUNCTIONS = (
    *("unhex", "json_error_position", "octet_length", "timediff", "concat", "concat_ws", "string_agg", "json_pretty"),
    *("jsonb", "jsonb_array", "jsonb_extract", "jsonb_group_array", "jsonb_group_object", "jsonb_insert"),
    *("jsonb_object", "jsonb_patch", "jsonb_remove", "jsonb_replace", "jsonb_set", "jsonb_each", "jsonb_tree"),
    *("if", "unistr", "unistr_quote", "median", "percentile", "percentile_cont", "percentile_disc"),
)
"""Functions that 3.40 does not have."""

_OF_DATES = frozenset({"date", "time", "datetime", "julianday", "unixepoch", "strftime"})
_NEWER_MODIFIER = re.compile(r"'(subsec|subsecond|floor|ceiling|[+-]\d{4}-\d\d-\d\d.*)'", re.IGNORECASE | re.DOTALL)
_NEWER_FORMAT = re.compile(r"%[eFIklpPRTuGgUV]")
_DIGITS_APART = re.compile(r"[0-9a-fA-F]_[0-9a-fA-F]")
_NO_CALL = frozenset({"over", "as", "in", "exists"})
"""Words before a parenthesis that may hold an ORDER BY and is no list of arguments."""
_QUERY = frozenset({"select", "with", "values"})


@dataclass(slots=True)
class _Parenthesis:
    """`before`: the word in front of it. `first`: the first token in it."""

    before: str
    first: Token | None = None
    commas: int = 0


@lru_cache(maxsize=4_096)
def newer_than_oldest(sql: str) -> str | None:
    """What in the statement SQLite 3.40 does not understand, or understands otherwise; None if nothing is seen."""
    return next(_newer(tokens(sql)), None)


def _newer(pieces: Sequence[Token]) -> Iterator[str]:
    opened: list[_Parenthesis] = []
    for at, piece in enumerate(pieces):
        inside = opened[-1] if opened else None
        if inside is not None and inside.first is None:
            inside.first = piece
        if piece.text == "(":
            opened.append(_Parenthesis(pieces[at - 1].word if at else ""))
        elif piece.text == ")" and inside is not None:
            opened.pop()
            if inside.before == "iif" and inside.commas != 2:
                yield "iif() with other than three arguments"
        elif piece.text == "," and inside is not None:
            inside.commas += 1
        elif piece.kind == "number" and _DIGITS_APART.search(piece.text):
            yield f"the number {piece.text}"
        elif piece.word == "order" and inside is not None and _is_call(inside):
            yield f"ORDER BY among the arguments of {inside.before}()"
        elif piece.kind == "string" and inside is not None and inside.before in _OF_DATES:
            if _NEWER_MODIFIER.fullmatch(piece.text):
                yield f"the modifier {piece.text}"
            elif inside.before == "strftime" and inside.first is piece:
                yield from (f"strftime's {found}" for found in _NEWER_FORMAT.findall(piece.text.replace("%%", "")))
        elif piece.text == ">" and _points_to_the_end(pieces, at):
            yield "-> with a negative index"


def _is_call(inside: _Parenthesis) -> bool:
    begins = inside.first.word if inside.first is not None else ""
    return bool(inside.before) and inside.before not in _NO_CALL and begins not in _QUERY


def _points_to_the_end(pieces: Sequence[Token], at: int) -> bool:
    """Whether `->` or `->>`, which ends here, stands before a negative number."""
    arrow = "".join(piece.text for piece in pieces[max(at - 2, 0) : at + 1])
    after = pieces[at + 1 : at + 3]
    return arrow.endswith(("->", "->>")) and len(after) == 2 and after[0].text == "-" and after[1].kind == "number"
