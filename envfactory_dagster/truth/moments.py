"""Days and moments in a text, as distances to a clock.

Belongs here: finding them and measuring them. Does not: which columns are looked at in this way (`masks`).
"""

import re
from datetime import datetime

MOMENT = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?!\d)")
_DAY_LENGTH = len("2026-03-02")


def distance(token: str, clock: datetime) -> tuple[str, int] | None:
    """How far a day or moment is from the clock in seconds, and how it is written; None when there is no such day. A
    day is measured from midnight: it moves with the date of the clock, not with its time."""
    try:
        moment = datetime.fromisoformat(token)
    except ValueError:
        return None
    since = clock.replace(hour=0, minute=0, second=0) if len(token) == _DAY_LENGTH else clock
    return re.sub(r"\d", "0", token), round((moment - since).total_seconds())
