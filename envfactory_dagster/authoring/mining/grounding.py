"""Whether a value stands where its record says: in the lines or the rows that it cites.

Belongs here: what a citation shows, and finding a value in it. Does not: how much has to be found (`gate`).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.mining import FieldType, Span
from envfactory_dagster.sources.parsing import UnreadableFile
from envfactory_dagster.sources.shelf import Shelf

MOST_CITED = 20
"""Lines or rows in one citation. Whatever is looked for would be found in a whole document."""

WEEKDAYS = [
    "mon(?:day)?", "tue(?:s|sday)?", "wed(?:nesday)?", "thu(?:r|rs|rsday)?", "fri(?:day)?", "sat(?:urday)?",
    "sun(?:day)?",
]  # fmt: skip
MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_NUMBER = re.compile(r"-?\d{1,3}(?:[,'\u00a0\u202f ]\d{3})+(?:\.\d+)?|-?\d+(?:[.,]\d+)?")
_YES = ("1", "yes", "true", "x", "✓")
_NO = ("0", "no", "false", "-", "–")


def cited(shelf: Shelf, span: Span) -> str:
    """The text of the place that is cited. Raises UnreadableFile where there is no such place."""
    if span.document not in shelf.documents:
        raise UnreadableFile(f"{span.document} is no document")
    if not span.first <= span.last < span.first + MOST_CITED:
        raise UnreadableFile(f"a citation takes 1 to {MOST_CITED} lines or rows, not {span.first} to {span.last}")
    if not span.table:
        lines = shelf.lines(span.document)
        _refuse_beyond(span, len(lines), "lines")
        return "\n".join(lines[span.first - 1 : span.last])
    tables = shelf.tables(span.document)
    if span.table > len(tables):
        raise UnreadableFile(f"{span.document} has {len(tables)} tables, none with the number {span.table}")
    rows = tables[span.table - 1].rows
    _refuse_beyond(span, len(rows), "rows")
    return "\n".join(" | ".join(_shown(cell) for cell in row) for row in rows[span.first - 1 : span.last])


def _refuse_beyond(span: Span, count: int, what: str) -> None:
    if span.last > count:
        raise UnreadableFile(f"{span.document} has {count} {what} there, and {span.first} to {span.last} are cited")


def _shown(cell: object) -> str:
    return "" if cell is None else "yes" if cell is True else "no" if cell is False else str(cell)


def is_grounded(value: Cell, type: FieldType, texts: Sequence[str]) -> bool:
    """Whether one of the texts says it: numbers and days by what they are, words as they are spelled."""
    return any(_says(text, value, type) for text in texts)


def _says(text: str, value: Cell, type: FieldType) -> bool:
    if type == "flag":
        return any(_contains(text, word) for word in (_YES if value else _NO))
    if type in ("integer", "number", "money") and isinstance(value, int | float):
        wanted = value / 100 if type == "money" else value
        return any(abs(number - wanted) < 1e-9 * max(1.0, abs(wanted)) for number in numbers_in(text))
    if _contains(text, str(value)):
        return True
    return type in ("day", "moment") and _tells_the_day(text, str(value))


def _contains(text: str, wanted: str) -> bool:
    words = _tidied(wanted)
    return bool(words) and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", _tidied(text)) is not None


@lru_cache(maxsize=4096)
def _tidied(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def numbers_in(text: str) -> Iterator[float]:
    for found in _NUMBER.findall(text):
        plain = re.sub(r"[,'\u00a0\u202f ](?=\d{3}(\D|$))", "", found)
        yield float(plain.replace(",", "."))


def _tells_the_day(text: str, moment: str) -> bool:
    """A day in words or with dots, and the hour where there is one: 2 March 2026, 2.3.2026, Mon 2 March, at 9:30."""
    found = re.fullmatch(r"(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2}).*)?", moment)
    try:
        wanted = date.fromisoformat(found[1]) if found else None
    except ValueError:
        wanted = None
    if found is None or wanted is None:
        return False
    year, month, day = found[1][:4], wanted.month, wanted.day
    name = f"(?:{MONTHS[month - 1]}|{MONTHS[month - 1][:3]}\\.?)"
    weekday = rf"(?<!\w){WEEKDAYS[wanted.weekday()]}\.?,?\s+(?:the\s+)?"
    no_year = r"(?![\w]|[.,(/\s]*\d{4})"
    forms = (
        rf"(?<!\d){day}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{name},?\s+{year}",
        rf"{name}\s+{day}(?:st|nd|rd|th)?,?\s+{year}",
        rf"(?<!\d)0?{day}\.\s?0?{month}\.\s?{year}",
        re.escape(found[1]),
        rf"{weekday}0?{day}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{name}{no_year}",
        rf"{weekday}{name}\s+0?{day}(?:st|nd|rd|th)?(?!\d){no_year}",
    )
    tidied = _tidied(text)
    hour = found[2] is None or re.search(rf"(?<!\d)0?{int(found[2])}[:.]{found[3]}(?!\d)", tidied) is not None
    return hour and any(re.search(form, tidied) for form in forms)
