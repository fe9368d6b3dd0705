"""What a tool is about, in the words a request would have for it: for a policy from scratch.

Belongs here: these words. Does not: showing them (`template.jinja`), or writing them down before a call (`lookups`).

    list_my_stock_moves   →   stock move
    book_room             →   book room

A request says what it is about, and of an action also what is to be done; it does not say whether the tool that tells
lists, searches or finds. A small model copies what once followed the same words: so a tool is shown behind these words,
and its name is read off. Two tools may have the same words, one's own and all; then their names tell. Where a name is
not English in lower case with underscores, the words are near it, and nothing is lost: the name stands behind them.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from trainer.plurals import singular

_UNSAID = re.compile(r"^(list|search|find)_|(?<![^_])my_")


def about(name: str) -> str:
    words = _UNSAID.sub("", name).split("_")
    return " ".join(singular(word) for word in words)


def about_each(tools: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    names = [str(tool["function"]["name"]) for tool in tools]
    return {name: about(name) for name in names}
