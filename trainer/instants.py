"""Days and hours as requests say them.

Belongs here: that. Does not: finding them in a request (`lookups`).
"""

import re
from datetime import datetime

_INSTANT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?")


def in_prose(value: str) -> str | None:
    """`2026-05-20T16:00:00` as “20 May 2026 at 16:00”; None for what is no day, with or without an hour."""
    try:
        when = datetime.fromisoformat(value) if _INSTANT.fullmatch(value) else None
    except ValueError:  # such as the thirtieth of February
        when = None
    if when is None:
        return None
    day = f"{when.day} {when:%B %Y}"
    return f"{day} at {when:%H:%M}" if "T" in value else day
