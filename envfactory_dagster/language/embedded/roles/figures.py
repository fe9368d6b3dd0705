"""Figures that a request asks for: how many there are, what is highest, what something adds up to.

Belongs here: understanding such phrases, and reckoning. Does not: reading lists (`things`), conditions (`compound`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from envfactory_dagster.language.embedded.roles.rows import LABELS, Row
from envfactory_dagster.language.embedded.roles.things import Reader, UnclearError, Unread, amount, field_of

_TAIL = re.compile(
    r"(?:,? (?:in (?:cents|grams|hours|minutes|days)|altogether|in all|one by one|looking at .*|going through .*"
    r"|counted .*)|[;,] (?:and )?go through .*|[.?])$"
)
_NEXT = re.compile(r",? and (?=how many\b|what (?:is )?the\b)")
_PARTS = re.compile(r"\bhow many (?P<parts>[\w' -]+?) (?P<whole>(?:the|my|all|our) .+?) (?:have|has)$")
_COUNT = re.compile(r"\bhow many (?P<things>.+?)(?: there are| are there| exist)?$")
_EXTREME = re.compile(
    r"\bwhat (?:is )?the (?P<way>highest|lowest|largest|smallest|greatest|biggest|least) (?P<field>.+?) "
    r"(?:among|of|over) (?P<things>.+?)(?: is)?$"
)
_SUM = re.compile(r"\bwhat the (?P<field>[\w' -]+?) of (?P<things>.+?) (?:adds?|comes?|amounts?) (?:up )?to$")
_LEAST = ("lowest", "smallest", "least")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what else is worth telling of it."""

    value: float
    told: str


def phrases(text: str) -> list[str]:
    """The figures that a question asks for, each by itself; none where it asks for something else."""
    found = [_bare(one) for one in _NEXT.split(_bare(text))]
    return found if found and all(any(way.search(one) for way in (_COUNT, _EXTREME, _SUM)) for one in found) else []


def figures(asked: Sequence[str], reader: Reader) -> list[Figure]:
    """All of them, or what is wanted of the reader first."""
    found, unread = [], False
    for phrase in asked:
        try:
            found.append(_figure(phrase, reader))
        except Unread:
            unread = True
    if unread:
        raise Unread
    return found


def number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(round(value, 4))


def _bare(text: str) -> str:
    before = ""
    while before != text:
        before, text = text, _TAIL.sub("", text.strip())
    return text


def _figure(phrase: str, reader: Reader) -> Figure:
    if (match := _PARTS.search(phrase)) is not None:
        shares = reader.parts(match["parts"], match["whole"])
        return _shared({key: float(len(rows)) for key, (_, rows) in shares.items()}, shares, "The number")
    if (match := _EXTREME.search(phrase)) is not None:
        rows = reader.rows(match["things"])
        name = field_of(match["field"], rows)
        values = [amount(row, name) for row in rows if row.values.get(name) is not None]
        value = min(values) if match["way"] in _LEAST else max(values)
        return Figure(value, f"The {match['way']} is {number(value)}.")
    if (match := _SUM.search(phrase)) is not None:
        return _sum(match["field"], match["things"], reader)
    if (match := _COUNT.search(phrase)) is not None:
        value = float(len(reader.rows(match["things"])))
        return Figure(value, f"The number is {number(value)}.")
    raise UnclearError(phrase)


def _sum(said: str, things: str, reader: Reader) -> Figure:
    """A sum; where it is over the parts of several things also the largest share, and whose that is."""
    parts, of, whole = re.sub(r"^all ", "", things).partition(" of ")
    if not of or whole == "mine" or whole.startswith("mine "):
        rows = reader.rows(things)
        value = sum(amount(row, field_of(said, rows)) for row in rows)
        return Figure(value, f"Together it is {number(value)}.")
    shares = reader.parts(parts, whole)
    name = field_of(said, [row for _, rows in shares.values() for row in rows])
    sums = {key: sum(amount(row, name) for row in rows) for key, (_, rows) in shares.items()}
    return _shared(sums, shares, "Together it")


def _shared(of_each: Mapping[int, float], shares: Mapping[int, tuple[Row, list[Row]]], said: str) -> Figure:
    """A sum over several things, the largest share of it, and whose that is."""
    value, first = sum(of_each.values()), max(of_each, key=lambda key: of_each[key])
    largest = f"the largest share is {number(of_each[first])}, of {_called(shares[first][0])}"
    return Figure(value, f"{said} is {number(value)}; {largest}.")


def _called(row: Row) -> str:
    known = [v for name, v in row.values.items() if name in (*LABELS, "code") or name.endswith(("_code", "_name"))]
    texts = [value for value in row.values.values() if isinstance(value, str)]
    return " ".join(str(value) for value in known or texts[:1])
