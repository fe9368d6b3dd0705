"""SQL as a list of tokens. Python's standard library only.

Belongs here: the lexer. Does not: what the tokens say (`facts.sqltext`, `newer_sql`).
"""

import re
from dataclasses import dataclass

# SQLite's own idea of characters: five blanks (and a byte-order mark), and everything beyond ASCII is a letter.
_LETTER = r"A-Za-z_\x80-\U0010ffff"
_TOKEN = re.compile(
    rf"""
    (?P<blank>[ \t\n\f\r\ufeff]+|--[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<string>'(?:[^']|'')*(?:'|\Z))
    |(?P<name>"(?:[^"]|"")*(?:"|\Z)|\[[^\]]*(?:\]|\Z)|`(?:[^`]|``)*(?:`|\Z))
    |(?P<placeholder>\?[0-9]*|[:@$][{_LETTER}0-9$]+)
    |(?P<number>[0-9][\w.]*(?:(?<=[eE])[+-][0-9]+)?|\.[0-9]\w*)
    |(?P<word>[{_LETTER}][{_LETTER}0-9$]*)
    |(?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of SQL that is neither space nor comment."""

    kind: str
    text: str
    start: int

    @property
    def word(self) -> str:
        """The keyword or bare name, lower case; empty for anything else."""
        return self.text.lower() if self.kind == "word" else ""


def tokens(sql: str) -> list[Token]:
    """The statement in pieces, as SQLite's own lexer cuts them."""
    return [
        Token(match.lastgroup or "", match.group(), match.start())
        for match in _TOKEN.finditer(sql)
        if match.lastgroup != "blank"
    ]
