"""Questions that need no tool: the service has said the answer in its rules.

Belongs here: finding the rule that a question is about, and what it says. Does not: whether a rule forbids anything
(the tools say so).
"""

import re

from envfactory_dagster.language.embedded.roles.words import stems

_GAP = re.compile(r"[\"“”]([^\"“”]*?)(?:…|\.\.\.|_{2,})([^\"“”]*?)[\"“”]")
_ABOUT_RULES = re.compile(
    r"\b(?:(?:your|the|a|any|house|service's) (?:rules?|terms|policy|policies|conditions)|(?:is it|am i) allowed)\b",
    re.I,
)
_BEFORE = re.compile(r"^- (?:[a-z][a-z0-9_]*: )?")
"""A rule is told after its id."""
_LIKE_ENOUGH = 2


def from_rules(request: str, told: str) -> str | None:
    """The answer, where the request asks about what the service says of itself in `told`; else None."""
    gap = _GAP.search(request)
    if gap is not None:
        return _filled(gap[1].strip(), gap[2].strip(), told)
    if _ABOUT_RULES.search(request) is None:
        return None
    wanted = set(stems(request))
    rules = [_BEFORE.sub("", line) for line in told.splitlines() if line.startswith("- ")]
    best = max(rules, key=lambda rule: len(wanted & set(stems(rule))), default="")
    return best if len(wanted & set(stems(best))) >= _LIKE_ENOUGH else None


def _filled(before: str, after: str, told: str) -> str | None:
    """What stands between these words."""
    found = re.search(
        rf"{re.escape(before)}\s*(\S.*?)\s*{re.escape(after)}" + ("" if after else "$"), told, re.I | re.M
    )
    return f"It is {found[1].rstrip('.')}." if found is not None else None
