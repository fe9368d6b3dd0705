"""Showing text on a terminal without letting the text control it.

Belongs here: `say` in place of `print`, and what it makes of control characters. Does not: tables and colours
(`console`). Much of what commands show was written by a model or lies in somebody else's bundle, and a terminal obeys
escape sequences: they set its title, fill the clipboard, and delete what stands above them.
"""

from typing import TextIO

_SHOWN_AS = {code: f"\\u{code:04x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}
"""Written as JSON writes them, so that JSON stays the same JSON."""


def printable(text: str) -> str:
    """The text with every control character written out, except tabs and ends of lines."""
    return text.translate(_SHOWN_AS)


def say(text: object = "", file: TextIO | None = None, flush: bool = False) -> None:
    print(printable(str(text)), file=file, flush=flush)
