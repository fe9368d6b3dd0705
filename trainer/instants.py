"""Days and hours as requests say them, and as tools do.

Belongs here: both forms, and the way from one to the other. Does not: finding them in a request (`lookups`).

A small policy is shown requests with the form of tools (`template.jinja`): then a time is copied, be it into a call or
in search of the row that has it. To write “4 March 2026 at 14:00” as `2026-03-04T14:00:00` is a craft of its own, which
costs a model of a million parameters much of what it can learn.
"""

import re
from calendar import month_name
from datetime import datetime

_INSTANT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?")
_MONTHS = list(month_name)
_SAID = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(_MONTHS[1:])}) (\d{{4}})(?: at (\d\d:\d\d))?\b")


def in_prose(value: str) -> str | None:
    """`2026-05-20T16:00:00` as “20 May 2026 at 16:00”; None for what is no day, with or without an hour."""
    try:
        when = datetime.fromisoformat(value) if _INSTANT.fullmatch(value) else None
    except ValueError:  # such as the thirtieth of February
        when = None
    if when is None:
        return None
    day = f"{when.day} {_MONTHS[when.month]} {when.year}"
    return f"{day} at {when:%H:%M}" if "T" in value else day


def as_tools_say(text: str) -> str:
    """The text with every day and moment in it in the form of tools."""
    return _SAID.sub(lambda said: _iso(said[0], said), text)


def _iso(said: str, parts: re.Match[str]) -> str:
    day, month, year, hour = parts.groups()
    iso = f"{year}-{_MONTHS.index(month):02}-{int(day):02}" + (f"T{hour}:00" if hour else "")
    return iso if in_prose(iso) == said else said
