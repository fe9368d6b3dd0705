"""Documents to look things up in: search, lines, tables.

Belongs here: reading each document once, ranking passages (BM25). Does not: where documents come from (fetchers).
"""

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from envfactory_dagster.contracts.mining import DataDocument
from envfactory_dagster.sources.documents import Fetcher
from envfactory_dagster.sources.html import HtmlPage
from envfactory_dagster.sources.parsing import UnreadableFile
from envfactory_dagster.sources.tables import FoundTable, tables_of

PASSAGE_LINES = 12
SNIPPET_CHARS = 300
_K, _B = 1.2, 0.75
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Hit:
    document: str
    line: int
    """Where the passage begins."""
    snippet: str
    score: float


class Shelf:
    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self.documents: dict[str, DataDocument] = {one.id: one for one in fetcher.documents()}
        self._lines: dict[str, list[str]] = {}
        self._tables: dict[str, list[FoundTable]] = {}

    def lines(self, document: str) -> list[str]:
        """The text of a document, line by line. Raises UnreadableFile."""
        if document not in self._lines:
            text = self._fetcher.text(document)
            is_page = self.documents[document].form == "html"
            self._lines[document] = HtmlPage(text).lines if is_page else text.splitlines()
        return self._lines[document]

    def tables(self, document: str) -> list[FoundTable]:
        """Raises UnreadableFile."""
        if document not in self._tables:
            text = self._fetcher.text(document)
            self._tables[document] = tables_of(self.documents[document].form, text)
        return self._tables[document]

    def search(self, query: str, most: int = 8) -> list[Hit]:
        """The passages that say most of what is asked for, by BM25; at most one of each place."""
        wanted = set(_words(query))
        scored = ((self._score(wanted, number), number) for number in range(len(self._passages)))
        best = sorted((one for one in scored if one[0] > 0), key=lambda one: (-one[0], one[1]))[:most]
        return [self._hit(score, number) for score, number in best]

    @cached_property
    def _passages(self) -> list[tuple[str, int, Counter[str]]]:
        found = []
        for document in self.documents:
            try:
                lines = self.lines(document)
            except UnreadableFile:
                continue
            for first in range(0, len(lines), PASSAGE_LINES):
                words = _words("\n".join([document, *lines[first : first + PASSAGE_LINES]]))
                found.append((document, first + 1, Counter(words)))
        return found

    @cached_property
    def _frequency(self) -> Counter[str]:
        """The number of passages that contain each word."""
        return Counter(word for _, _, words in self._passages for word in words)

    @cached_property
    def _mean_length(self) -> float:
        return max(1.0, sum(words.total() for _, _, words in self._passages) / max(1, len(self._passages)))

    def _score(self, wanted: set[str], number: int) -> float:
        words, count = self._passages[number][2], len(self._passages)
        room = _K * (1 - _B + _B * words.total() / self._mean_length)
        return sum(
            math.log(1 + (count - self._frequency[word] + 0.5) / (self._frequency[word] + 0.5))
            * (words[word] * (_K + 1) / (words[word] + room))
            for word in wanted
            if word in words
        )

    def _hit(self, score: float, number: int) -> Hit:
        document, line, _ = self._passages[number]
        text = " ".join("\n".join(self.lines(document)[line - 1 : line - 1 + PASSAGE_LINES]).split())
        return Hit(document, line, text[:SNIPPET_CHARS], round(score, 3))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
