"""How long to wait before trying again.

Belongs here: arithmetic on attempts and on what an endpoint asked for. Does not: deciding whether to try (`wire`).
"""

import email.utils
import random
from collections.abc import Mapping

LONGEST_BACKOFF_S = 30.0


def backoff_s(first_s: float, failures: int) -> float:
    """Doubles with every failure, and is spread over its upper half so that many callers do not return at once."""
    doublings = min(failures - 1, 60)
    return min(first_s * 2.0**doublings, LONGEST_BACKOFF_S) * random.uniform(0.5, 1.0)


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """What `Retry-After-Ms` or `Retry-After` (seconds, or a date) asks for; None if absent or unreadable."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            asked = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        return asked if 0 <= asked < float("inf") else None
    date = email.utils.parsedate_tz(headers.get("retry-after"))
    try:
        return max(0.0, email.utils.mktime_tz(date) - now) if date else None
    except (ValueError, OverflowError):
        return None  # a day that no calendar has
