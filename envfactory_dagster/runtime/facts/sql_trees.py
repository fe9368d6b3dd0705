"""SQL of tools as sqlglot reads it: SQLite's, in which a placeholder may be called by any word.

Belongs here: the dialect, and the tree of a statement. Does not: what is read from trees. Importing this module imports
sqlglot.
"""

from functools import lru_cache

from sqlglot import TokenType, exp
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import SqlglotError
from sqlglot.parsers.sqlite import SQLiteParser


class SQLiteOfTools(SQLite):
    """`:on` and `:from` are placeholders like all others."""

    class Parser(SQLiteParser):
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
