"""Days, times of day and durations, read in the forms in which people write them.

Belongs here: what such a text comes to. Does not: the other types of answers (`answer_values`). Python's standard
library only: the text is part of every bundle's scripts.
"""

import contextlib
import re
from datetime import date
from decimal import Decimal

from envfactory_dagster.runtime.amounts import decimal_of

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = {name: n for n, name in enumerate(_MONTHS, start=1)} | {name[:3]: n for n, name in enumerate(_MONTHS, start=1)}
_MONTH["sept"] = 9
_DATES = (
    re.compile(
        r"(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})"
        r"(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?)?"
    ),
    re.compile(r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})"),
    re.compile(r"(?P<d>1[3-9]|2\d|3[01])/(?P<m>\d{1,2})/(?P<y>\d{4})"),
    re.compile(r"(?P<m>\d{1,2})/(?P<d>1[3-9]|2\d|3[01])/(?P<y>\d{4})"),
    re.compile(r"(?P<d>\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?(?P<m>[a-z]+)\.?,? (?P<y>\d{4})"),
    re.compile(r"(?P<m>[a-z]+)\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})"),
)
_WEEKDAY = re.compile(
    r"^(?:on )?(?:the )?(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day|\.)?,? )?(?:the )?"
)


def days_of(value: object) -> frozenset[date]:
    """`2026-05-05`, `5 May 2026`, `May 5th, 2026`, `Tuesday, 5 May 2026`, `5.5.2026`. `05/06/2026` is two, so none."""
    if not isinstance(value, str) or len(value) > 60:
        return frozenset()
    text = _WEEKDAY.sub("", " ".join(value.casefold().split()).rstrip(" .")).strip()
    days = set()
    for form in _DATES:
        if found := form.fullmatch(text):
            month = int(found["m"]) if found["m"].isdigit() else _MONTH.get(found["m"], 0)
            with contextlib.suppress(ValueError):
                days.add(date(int(found["y"]), month, int(found["d"])))
    return frozenset(days)


_TIME_OF_DAY = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?(?::(\d{2}))?\s*(a\.?m\.?|p\.?m\.?|o'?clock|h|hrs)?")


def seconds_of(value: object) -> frozenset[int]:
    """`18:30`, `18:30:00`, `6:30 pm`, `6 p.m.`, `6 in the evening`, `18 o'clock`, `noon`."""
    if not isinstance(value, str) or len(value) > 40:
        return frozenset()
    text = re.sub(r"^\d{4}-\d{2}-\d{2}[t ]", "", value.strip().casefold().replace("’", "'"))
    text = re.sub(r"(?<=:\d{2})(?:z|[+-]\d{2}:?\d{2})$", "", text)
    if part := re.fullmatch(r"((?:1[0-2]|0?[1-9])(?:[:.]\d{2})?) in the (morning|afternoon|evening)", text):
        text = f"{part[1]} {'am' if part[2] == 'morning' else 'pm'}"
    if text in ("noon", "midday", "midnight"):
        return frozenset((0 if text == "midnight" else 12 * 3600,))
    found = _TIME_OF_DAY.fullmatch(text)
    if found is None or (found[2] is None and found[4] is None):
        return frozenset()
    hour, minute, second = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    half = (found[4] or "")[:1]
    if half in ("a", "p"):
        if not 1 <= hour <= 12:
            return frozenset()
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return frozenset()
    return frozenset((hour * 3600 + minute * 60 + second,))


MINUTES = {"minute": 1, "minutes": 1, "min": 1, "mins": 1, "m": 1}
MINUTES |= {"hour": 60, "hours": 60, "hr": 60, "hrs": 60, "h": 60, "day": 1440, "days": 1440, "d": 1440}
MINUTES |= {"week": 10080, "weeks": 10080}
_PART = re.compile(r"([\w+-][\w.,+ -]*?)\s*(weeks?|days?|d|hours?|hrs?|h|minutes?|mins?|m)\b")


def minutes_of(unit: str, value: object) -> frozenset[Decimal]:
    """In minutes: `90`, `90 minutes`, `1 h 30 min`, `1.5 hours`, `an hour`; bare numbers are in this unit."""
    number = decimal_of(value)
    if number is not None:
        return frozenset((number * MINUTES[unit],))
    if not isinstance(value, str) or len(value) > 80:
        return frozenset()
    if half := re.fullmatch(r"(.+ and a half) (\w+)", value.strip().casefold()):
        number = decimal_of(half[1])
        value = f"{number} {half[2]}" if number is not None else value
    text = re.sub(r"\band\b|,(?!\d)", " ", value.casefold().replace("half an hour", "30 minutes"))
    if iso := re.fullmatch(r"\s*p(?:(\d+)d)?t?(?:(\d+)h)?(?:(\d+)m)?\s*", text):
        text = " ".join(f"{n} {unit}" for n, unit in zip(iso.groups(), ("days", "hours", "minutes"), strict=True) if n)
    if clock := re.fullmatch(r"\s*(\d{1,3})(?::|\s?h\s?)(\d{2})\s*(?:h|hours?)?\s*", text):
        text = f"{clock[1]} hours {clock[2]} minutes"
    parts = _PART.findall(text)
    if not parts or _PART.sub("", text).strip():
        return frozenset()
    amounts = [Decimal(1) if amount in ("a", "an") else decimal_of(amount) for amount, _ in parts]
    units = [MINUTES[unit] for _, unit in parts]
    if sorted(set(units), reverse=True) != units:
        return frozenset()
    known = [amount for amount in amounts if amount is not None]
    if len(known) < len(amounts):
        return frozenset()
    return frozenset((sum((amount * unit for amount, unit in zip(known, units, strict=True)), Decimal(0)),))
