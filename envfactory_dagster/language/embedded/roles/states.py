"""How far along a thing is, by the words people use for it: waiting, under way, over, called off.

Belongs here: English words for states, and what a request says about them. Does not: the states of any environment.
"""

import re

from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.rows import Row

_STAGES = (
    "draft unsent",
    "placed booked open new requested ordered submitted filed registered pending waiting queued planned scheduled "
    "confirmed assigned reserved unpaid due raised reported offered available",
    "progress review running active started ongoing processing approved accepted acknowledged picked packed ready "
    "working underway",
    "shipped dispatched sent left gone departed transit travelling delivery held",
    "delivered received arrived resolved solved done completed finished closed settled paid attended returned used "
    "graded answered fixed handled worked over passed",
)
"""From what is not yet handed in to what is over."""
_CALLED_OFF = (
    "cancelled canceled withdrawn retracted void refused rejected declined missed failed expired released lapsed"
)
_OFF = frozenset(_CALLED_OFF.split())
_STAGE_OF = {word: stage for stage, words in enumerate(_STAGES) for word in words.split()}
_LAST = len(_STAGES) - 1
_MOVING = 3
_UNDER_WAY = re.compile(r"\b(?:under ?way|on (?:its|the|their) way|in the works)\b")
_DENIED = re.compile(
    r"\b(?:not|n't|never|without being)\s+(?:been |be |yet |already |fully )*([a-z]+)|\bun([a-z]{4,})\b"
)


def state_fit(state: str, part: Part) -> float:
    """How well a state fits what the request says of how far along the thing is; 0 where it says nothing."""
    words = state.lower().replace("_", " ").split()
    stage = next((_STAGE_OF[word] for word in words if word in _STAGE_OF), None)
    off = bool(_OFF & set(words))
    if stage is None and not off:
        return 0.0
    said = part.text.lower()
    if _UNDER_WAY.search(said) is not None:
        return _as_under_way(stage, off)
    reached = [_STAGE_OF[word] for word in _denied(said) if word in _STAGE_OF]
    if reached:
        return _as_unreached(stage, off, min(reached))
    if stage in (_MOVING, _LAST) and stage in {_STAGE_OF.get(word) for word in part.spoken}:
        return 1.5
    return -0.6 if off and not _OFF & part.spoken and not set(words) & part.spoken else 0.0


def is_off(row: Row) -> bool:
    """Whether a thing was called off, or came to nothing."""
    states = (value for value in row.values.values() if isinstance(value, str) and value.islower() and len(value) < 24)
    return any(_OFF & set(state.replace("_", " ").split()) for state in states)


def _as_under_way(stage: int | None, off: bool) -> float:
    """Best for what is moving; where nothing moves, for what was begun."""
    if off or stage is None or stage in (0, _LAST):
        return -2.0
    return 2.5 if stage == _MOVING else 1.0


def _as_unreached(stage: int | None, off: bool, reached: int) -> float:
    """Fits what is on the way there; less what was not even handed in; not what is past it or was called off."""
    if off or stage is None or stage >= reached:
        return -3.0
    return 0.5 if stage == 0 else 2.0


def _denied(said: str) -> list[str]:
    return [match[1] or match[2] for match in _DENIED.finditer(said)]
