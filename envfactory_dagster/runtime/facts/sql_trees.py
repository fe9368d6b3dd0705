"""SQL of tools as sqlglot reads it: SQLite's, in which a placeholder may be called by any word.

Belongs here: the dialect, its bounds, and the tree of a statement. Does not: what is read from trees. Importing this
module imports sqlglot.
"""

from functools import lru_cache
from typing import Any

from sqlglot import TokenType, exp
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.parsers.sqlite import SQLiteParser

_MOST_STEPS_PER_TOKEN = 10
_FEWEST_STEPS = 2_000
"""sqlglot tries several readings of some words, and each of them for what is inside again: a dozen levels deep that
takes years. It goes over a common one once."""


class SQLiteOfTools(SQLite):
    """`:on` and `:from` are placeholders like all others."""

    class Parser(SQLiteParser):
        _steps_left = 0

        def _advance_chunk(self) -> None:
            self._steps_left = _FEWEST_STEPS + _MOST_STEPS_PER_TOKEN * len(self._chunks[self._chunk_index])
            super()._advance_chunk()

        def _advance(self, times: Any = 1) -> None:
            self._steps_left -= 1
            if self._steps_left < 0:
                raise ParseError("Too many readings of the statement are possible.")
            super()._advance(times)

        PLACEHOLDER_PARSERS = {  # noqa: RUF012
            **SQLiteParser.PLACEHOLDER_PARSERS,
            TokenType.COLON: lambda self: (
                self.expression(exp.Placeholder(this=self._prev.text))
                if self._advance_any(ignore_reserved=True)
                else None
            ),
        }


@lru_cache(maxsize=4096)
def tree_of(sql: str) -> exp.Expr:
    """The tree of a statement, or an empty one where sqlglot cannot read it. It is shared, so nobody may change it."""
    try:
        trees = SQLiteOfTools().parse(sql)
    except (SqlglotError, RecursionError):
        return exp.Select()
    return trees[0] if len(trees) == 1 and trees[0] is not None else exp.Select()
