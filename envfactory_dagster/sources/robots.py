"""What the robots.txt of a host leaves to programs, as RFC 9309 has it.

The parser of Python knows no `*` and no `$`, and takes the first rule that fits where the longest one counts.

Belongs here: reading one such file. Does not: getting it, and what follows where there is none (`web`).
"""

from urllib.parse import unquote, urlsplit


class Robots:
    """The rules for one program."""

    def __init__(self, text: str, agent: str) -> None:
        own: list[tuple[str, bool]] = []
        everybodys: list[tuple[str, bool]] = []
        named, agents, in_rules = False, set[str](), False
        for line in text.splitlines():
            key, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
            if key.lower() == "user-agent":
                agents = set() if in_rules else agents
                agents.add(value.partition("/")[0].strip().lower())
                in_rules, named = False, named or agent in agents
            elif key.lower() in ("allow", "disallow"):
                in_rules = True
                rule = (value, key.lower() == "allow")
                own += [rule] if value and agent in agents else []
                everybodys += [rule] if value and "*" in agents else []
        self._rules = own if named else everybodys

    def allow(self, address: str) -> bool:
        """The longest rule that fits counts, and of two as long the one that allows."""
        path = urlsplit(address)._replace(scheme="", netloc="", fragment="").geturl() or "/"
        fitting = [(len(pattern), allowed) for pattern, allowed in self._rules if _fits(pattern, unquote(path))]
        return max(fitting, default=(0, True))[1]


def _fits(pattern: str, path: str) -> bool:
    """Without a regular expression, which a host could make endless."""
    first, *others = (unquote(part) for part in pattern.removesuffix("$").split("*"))
    if not path.startswith(first):
        return False
    at, last = len(first), others.pop() if others and pattern.endswith("$") else None
    for part in others:
        at = path.find(part, at)
        if at < 0:
            return False
        at += len(part)
    if not pattern.endswith("$"):
        return True
    return at == len(path) if last is None else len(path) - at >= len(last) and path.endswith(last)
