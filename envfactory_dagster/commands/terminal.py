"""Showing text on a terminal without letting the text control it.

Belongs here: `say` in place of `print`, numbers with their nouns. Does not: tables and colours (`console`), and what
becomes of control characters (`contracts.printable`). Much of what commands show was written by a model or lies in
somebody else's bundle, and a terminal obeys escape sequences: they set its title, fill the clipboard, and delete what
stands above them.
"""

from typing import TextIO

from envfactory_dagster.contracts.printable import printable


def say(text: object = "", file: TextIO | None = None, flush: bool = False) -> None:
    print(printable(str(text)), file=file, flush=flush)


def how_many(number: int, noun: str) -> str:
    """`1 call`, `1,200 calls`."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"
