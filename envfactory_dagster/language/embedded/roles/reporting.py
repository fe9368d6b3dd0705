"""The report that the solver hands in: what came of the request, taken from the words it has for it.

Belongs here: the outcome, the rule and the answers in what was told. Does not: finding anything out (`solver`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
_PART_OF = re.compile(r"\(([^()]+)\) \((?:an? |one of: |true or false)")
"""A field that is one of several answers says to what, before it says of which type it is."""
_SENTENCE = re.compile(r"(?<=[.])\s+(?=[A-Z])")
_MONEY = "(an amount of money "
_SKIPPED = 0.4
"""What a sentence that answers nothing costs."""
_MOST_CHARACTERS = 4_000


@dataclass(slots=True)
class _Found:
    """A value that was told, with the words it was told by. Every value answers one field."""

    label: str
    value: str
    taken: bool = False


@dataclass(slots=True)
class _Field:
    name: str
    schema: Mapping[str, Any]

    @property
    def described(self) -> str:
        return str(self.schema.get("description") or "")

    @property
    def question(self) -> str:
        """What it is one of several answers to; where it stands alone, itself."""
        match = _PART_OF.search(self.described)
        return match[1] if match is not None else self.name

    @property
    def is_list(self) -> bool:
        return "array" in _types(self.schema)

    def best_of(self, found: Sequence[_Found]) -> tuple[float, _Found, Any] | None:
        """Of the values that can answer it, the one whose words fit best, or else the first."""
        wanted = set(stems(f"{self.name} {self.described}"))
        wanted |= {"cent", *stems("cost price fee")} if _MONEY in self.described else set()
        fitting = [
            (_likeness(wanted, one.label), one, value)
            for one in found
            if not one.taken and (value := _as(one, self.described)) is not None
        ]
        return max(fitting, key=lambda fit: fit[0], default=None)


def _likeness(wanted: set[str], label: str) -> float:
    words = set(stems(label))
    return len(wanted & words) / len(words) if words else 0.0


def _values(sentence: str) -> list[_Found]:
    found: list[_Found] = []
    for match in _STATED.finditer(sentence):
        label, value = match["label"] or "together", match["value"].strip()
        owned = _OWNED.match(value)
        found += [_Found(label, owned[1]), _Found(f"{label} of which", owned[2])] if owned else [_Found(label, value)]
    for first, second, difference in _APART.findall(sentence):
        found += [_Found("first", first), _Found("second", second), _Found("difference", difference)]
    return found


def _answers(told: Sequence[str], fields: Sequence[_Field]) -> dict[str, Any]:
    """The fields and what was told come in the order in which the person asked."""
    said = [one for one in told if CANNOT not in one]
    sentences = [sentence for one in said for sentence in _SENTENCE.split(one)]
    text = " ".join(one for one in sentences if NO_WAY not in one)
    units = [_values(sentence) for sentence in sentences if NO_WAY in sentence or _values(sentence)]
    if not any(units):
        units = [[_Found("", value) for value in _NUMBER.findall(text)]]
    questions: dict[str, list[_Field]] = {}
    for one in fields:
        questions.setdefault(one.question, []).append(one)
    if len(units) != len(questions):
        units = [unit for unit in units if unit]
    in_step, answers, place = len(units) == len(questions), dict[str, Any](), 0
    for number, asked in enumerate(questions.values()):
        place = number if in_step else _place_of(asked, units, place)
        for one in asked:
            here = units[place] if units else []
            answers[one.name] = _answer(one, here, [found for unit in units for found in unit], text)
    return answers


def _place_of(asked: Sequence[_Field], units: Sequence[Sequence[_Found]], after: int) -> int:
    """The sentence that answers a question best, of those that are not before the one that answered the last."""

    def fit(place: int) -> float:
        fits = [one.best_of(units[place]) for one in asked]
        return sum(-1.0 if one is None else one[0] for one in fits) - _SKIPPED * (place - after)

    return max(range(after, len(units)), key=fit, default=after)


def _answer(one: _Field, here: Sequence[_Found], anywhere: Sequence[_Found], text: str) -> Any:
    if "(one of: " in one.described:
        return _choice(one.described, text)
    if "boolean" in _types(one.schema):
        cases = _CASE.findall(text)
        return cases[-1] == "" if cases else None
    best = one.best_of(here) or one.best_of(anywhere)
    if best is None:
        return None
    _, found, value = best
    found.taken = True
    if not one.is_list:
        return value
    alike = [other for other in here if other.label == found.label and not other.taken]
    for other in alike:
        other.taken = True
    return [value, *(_as(other, one.described) for other in alike)]


def _choice(described: str, text: str) -> str | None:
    choices = described.partition("(one of: ")[2].removesuffix(", listed").rstrip(")").split(", ")
    named = [choice for choice in choices if choice.casefold() in text.casefold()]
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
    fields = [_Field(name, schema) for name, schema in properties["answers"]["properties"].items()]
    return {
        "outcome": outcome,
        "answers": _answers(told, fields),
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
    if _MONEY in described and "cent" in stems(one.label):
        return f"{float(one.value) / 100:.2f}"
    value = float(one.value)
    return int(value) if value.is_integer() else value
