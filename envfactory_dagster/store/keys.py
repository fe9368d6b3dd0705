"""Checking the names that become folders, before anything is read or written under them."""

import re

from envfactory_dagster.contracts.base import SLUG_PATTERN
from envfactory_dagster.contracts.errors import UsageError

_LONGEST = 64


def checked_key(key: str) -> str:
    """The key of an environment, as it was given; anything else is refused."""
    if len(key) > _LONGEST or not re.fullmatch(SLUG_PATTERN, key):
        rule = f"a key is lower-case letters and digits joined by single hyphens, {_LONGEST} characters at most"
        raise UsageError(f"{key[:80]!r} is no key of an environment: {rule}")
    return key


def checked_stage(name: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise UsageError(f"{name!r} is no name of a stage: a letter, then letters, digits and underscores, lower case")
    return name
