"""The report that the solver hands in: what came of the request, taken from the words it has for it.

Belongs here: the outcome, the rule and the answers in what was told. Does not: finding anything out (`solver`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from envfactory_dagster.language.embedded.roles.words import stems

CANNOT, NO_WAY = "I cannot do that: ", "I found no way to do this: "
"""How the solver begins to tell that a tool has declined, and that there is no tool."""
NOTHING = "There is nothing that I could do."

_FIELDS = frozenset(("outcome", "answers", "reason", "message"))
_RULE = re.compile(r"^- ([a-z][a-z0-9_]*): (.+)$", re.MULTILINE)
_STATED = re.compile(
    r"\b(?:the (?P<label>[a-z][\w ]*?)|together it|it) is (?P<value>.+?)(?=, the [a-z][\w ]*? is |;|\.(?:\s|$)|$)",
    re.IGNORECASE,
)
_APART = re.compile(r"\bThey are (-?[\d.]+) and (-?[\d.]+), (-?[\d.]+) apart\b")
_OWNED = re.compile(r"^(-?\d+(?:\.\d+)?), of (.+)$")
_CASE = re.compile(r"\bThat is (not )?the case\b")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?: at (\d{2}:\d{2}))?")
_MOST_CHARACTERS = 4_000


@dataclass(slots=True)
class _Found:
    """A value that was told, with the words it was told by."""

    label: str
    value: str
    taken: bool = False


@dataclass(slots=True)
class _Answers:
    """What can be answered from some words; every value answers one field."""

    told: str
    found: list[_Found] = field(default_factory=list)

    def __post_init__(self) -> None:
        for match in _STATED.finditer(self.told):
            label, value = match["label"] or "together", match["value"].strip()
            owned = _OWNED.match(value)
            self.found += [_Found(label, owned[1]), _Found(f"{label} of which", owned[2])] if owned else []
            self.found += [] if owned else [_Found(label, value)]
        for first, second, difference in _APART.findall(self.told):
            self.found += [_Found("first", first), _Found("second", second), _Found("difference", difference)]
        if not self.found:
            self.found += [_Found("", value) for value in _NUMBER.findall(self.told)]

    def answer(self, name: str, schema: Mapping[str, Any]) -> Any:
        """The value for a field: of those that can be one, the one whose words fit best, or else the first."""
        described = str(schema.get("description") or "")
        if "(one of: " in described:
            return self._choice(described)
        if "boolean" in _types(schema):
            cases = _CASE.findall(self.told)
            return cases[-1] == "" if cases else None
        wanted = set(stems(f"{name} {described}"))
        fitting = [(one, value) for one in self.found if not one.taken and (value := _as(one, described)) is not None]
        if not fitting:
            return None
        best, value = max(fitting, key=lambda pair: len(wanted & set(stems(pair[0].label))))
        if "array" not in _types(schema):
            best.taken = True
            return value
        alike = [(one, value) for one, value in fitting if one.label == best.label]
        for one, _ in alike:
            one.taken = True
        return [value for _, value in alike]

    def _choice(self, described: str) -> str | None:
        choices = described.partition("(one of: ")[2].rstrip(")").split(", ")
        said = self.told.casefold()
        named = [choice for choice in choices if choice.casefold() in said]
        return named[0] if len(named) == 1 else None


def finish_in(tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The tool that takes a report: the one that asks for just what a report holds."""
    for tool in tools:
        parameters = (tool.get("function") or {}).get("parameters") or {}
        if (parameters.get("properties") or {}).keys() == _FIELDS:
            return tool
    return None


def report(told: Sequence[str], finish: Mapping[str, Any], system: str) -> dict[str, Any]:
    """The arguments for `finish`. `told`: what there is to say, in its order; `system`: what the service says."""
    properties = finish["function"]["parameters"]["properties"]
    rules = dict(_RULE.findall(system))
    known = [rule for rule in properties["reason"]["enum"] if rule in rules]
    declined = [one for one in told if CANNOT in one]
    reason = _rule(" ".join(declined), {rule: rules[rule] for rule in known}) if declined else None
    outcome = "needs_information" if not told else "done"
    if reason is not None:
        outcome = "refused"
    elif declined or any(NO_WAY in one or NOTHING in one for one in told):
        outcome = "impossible"
    answers = _Answers(" ".join(one for one in told if CANNOT not in one and NO_WAY not in one))
    fields = properties["answers"]["properties"]
    return {
        "outcome": outcome,
        "answers": {name: answers.answer(name, schema) for name, schema in fields.items()},
        "reason": reason,
        "message": (" ".join(told) or "I would have to ask you something first.")[:_MOST_CHARACTERS],
    }


def _rule(said: str, rules: Mapping[str, str]) -> str | None:
    """The rule that has most words in common with what a tool said when it declined."""
    words = set(stems(said))
    return max(rules, key=lambda rule: len(words & set(stems(f"{rule} {rules[rule]}"))), default=None)


def _types(schema: Mapping[str, Any]) -> list[str]:
    given = schema.get("type") or []
    return [given] if isinstance(given, str) else list(given)


def _as(one: _Found, described: str) -> Any:
    """A value in the form that a field asks for in its description; None where it cannot be one."""
    day, number = _DAY.fullmatch(one.value), _NUMBER.fullmatch(one.value)
    if "(a date " in described:
        return day[1] if day else None
    if "(a time of day " in described:
        return (day[2] if day else None) or (one.value if re.fullmatch(r"\d{2}:\d{2}", one.value) else None)
    if "(a short text" in described:
        return None if number or (day and not day[2]) else one.value
    if number is None:
        return None
    if "(an amount of money " in described and "cent" in stems(one.label):
        return f"{float(one.value) / 100:.2f}"
    value = float(one.value)
    return int(value) if value.is_integer() else value
