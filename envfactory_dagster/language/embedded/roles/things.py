"""Things that a request speaks of together: "my orders that are open", "the lines of my orders".

Belongs here: which lists hold them, and which rows of these fit. Does not: what is found out about them (`figures`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from envfactory_dagster.language.embedded.roles.catalogue import Catalogue, Parameter, Tool
from envfactory_dagster.language.embedded.roles.planning import Call, signature
from envfactory_dagster.language.embedded.roles.rows import Row, Source, taken_apart
from envfactory_dagster.language.embedded.roles.transcript import Seen
from envfactory_dagster.language.embedded.roles.words import overlap, stems, thing_of

_ALIKE = 0.6
_PHRASE = re.compile(
    r"^(?:(?:all|every one|each one|each|every|both)\b(?: of)?\s*)*(?P<whose>my|the|our|these|those)?\s*"
    r"(?P<head>[a-z](?:(?! of mine\b)[\w' -])*?)(?P<mine> of mine)?(?: I (?:have|can see))?"
    r"(?P<said> (?:that|which|who|whose|with)\b.*)?$"
)
_PARTS_OF = re.compile(r"^(?P<parts>.+?) of (?P<whole>(?:all |each of )?(?:my|the|our|all) .+)$")
_COMPARED = re.compile(
    r"^(?:whose|with) (?:the )?(?P<field>.+?) (?:is |are )?"
    r"(?P<how>below|above|under|over|more than|less than|at least|at most) (?P<limit>\d+(?:\.\d+)?)"
)
_EQUAL = re.compile(r"^(?:whose (?P<field>.+?) (?:is|are)|with (?P<plain>[a-z]+)) (?P<value>.+)$")
_IS = re.compile(r"^(?:that|which|who) (?:is|are|was|were|has been|have been) (?P<value>.+)$")
_CAP = re.compile(
    r"(?:at most|up to) (?:so |this )?many\b|how many .* at most\b|(?:the )?maximum number of\b", re.IGNORECASE
)
_UNITS = frozenset(("cent", "gram", "minor"))


class UnclearError(Exception):
    """What is said cannot be understood in this way."""


class Unread(Exception):
    """Something has to be read first."""


@dataclass
class Reader:
    """What was read for a part, and what has to be read next."""

    catalogue: Catalogue
    results: Mapping[str, Seen]
    wanted: list[Call] = field(default_factory=list)

    def rows(self, phrase: str) -> list[Row]:
        """All things that a phrase means."""
        nested = _PARTS_OF.match(phrase)
        if nested is not None:
            return [row for rows in self.parts(nested["parts"], nested["whole"]).values() for row in rows[1]]
        match = _PHRASE.match(phrase.strip())
        if match is None:
            raise UnclearError(phrase)
        tool, group = self._list(match["head"], bool(match["mine"]) or match["whose"] == "my")
        rows = self._read((tool.name, _whole(tool)), group)
        said = (match["said"] or "").strip()
        if _goes_without_saying(said, tool, rows):
            return rows
        return [row for row in rows if _fits(row, rows, said)]

    def parts(self, parts: str, whole: str) -> dict[int, tuple[Row, list[Row]]]:
        """What hangs on each of some things."""
        name = _PHRASE.match(parts.strip())
        bearers = self.rows(whole)
        if name is None or not bearers:
            raise UnclearError(parts)
        tool, group, key = self._list_of(name["head"], bearers[0])
        found, unread = {}, False
        for bearer in bearers:
            try:
                rows = self._read((tool.name, _whole(tool) | {key.name: named_by(key, bearer)}), group)
                found[id(bearer)] = bearer, rows
            except Unread:
                unread = True
        if unread:
            raise Unread
        return found

    def of_one(self, parts: str, bearer: Row) -> list[Row]:
        """What hangs on one thing."""
        tool, group, key = self._list_of(parts, bearer)
        return self._read((tool.name, _whole(tool) | {key.name: named_by(key, bearer)}), group)

    def call(self, tool: Tool, arguments: dict[str, Any]) -> list[Row]:
        """Everything that a tool tells when it is asked so."""
        return self._rows((tool.name, arguments))

    def _read(self, call: Call, group: str) -> list[Row]:
        return [row for row in self._rows(call) if row.group == group]

    def _rows(self, call: Call) -> list[Row]:
        seen = self.results.get(signature(*call))
        if seen is None:
            self.wanted.append(call)
            raise Unread
        return taken_apart(seen.value, Source(call[0], call[1], False)) if seen.error is None else []

    def _list(self, head: str, mine: bool) -> tuple[Tool, str]:
        """The tool that lists these things without being told anything, and the name of the list."""
        found = [
            (alike + (0.3 if tool.is_own == mine else 0.0), tool, group) for alike, tool, group in self._lists(head)
        ]
        found = [one for one in found if not one[1].required]
        if not found:
            raise UnclearError(head)
        _, tool, group = max(found, key=lambda one: one[0])
        return tool, group

    def _list_of(self, head: str, bearer: Row) -> tuple[Tool, str, Parameter]:
        """The tool that lists what hangs on one thing."""
        found = [
            (alike, tool, group, tool.required[0])
            for alike, tool, group in self._lists(head)
            if len(tool.required) == 1 and refers_to(tool.required[0], bearer)
        ]
        if not found:
            raise UnclearError(head)
        _, tool, group, key = max(found, key=lambda one: one[0])
        return tool, group, key

    def _lists(self, head: str) -> list[tuple[float, Tool, str]]:
        found = [
            (overlap(stems(group), stems(head)), tool, group)
            for tool in self.catalogue.tools
            if tool.reads
            for group in tool.outline.groups
            if group
        ]
        return [one for one in found if one[0] >= _ALIKE]


def _whole(tool: Tool) -> dict[str, Any]:
    """Where a tool shows only so many things unless it is told otherwise: as many as it can."""
    capped = (one for one in tool.optional if one.kind == "integer" and _CAP.match(one.description))
    return {one.name: one.schema["maximum"] for one in capped if "maximum" in one.schema}


def refers_to(one: Parameter, row: Row) -> bool:
    """Whether a parameter takes what a row is known by."""
    about = set(row.about)
    return one.refers and bool(one.thing) and (overlap(one.thing, about) >= _ALIKE or set(thing_of(one.name)) == about)


def named_by(one: Parameter, row: Row) -> Any:
    return row.values.get(one.name, row.identity)


def field_of(said: str, rows: list[Row]) -> str:
    """The field with numbers that is spoken of."""
    wanted = set(stems(said)) - _UNITS
    fields = dict.fromkeys(
        name
        for row in rows
        for name, value in row.values.items()
        if isinstance(value, int | float) and not thing_of(name)
    )
    likeness = {name: overlap(_measured(name), wanted) for name in fields}
    best = max(likeness, key=lambda name: likeness[name], default="")
    if best and likeness[best] > 0.0:
        return best
    money = [name for name in fields if "cent" in stems(name)]
    if len(money) == 1 and wanted & {"cost", "sum"}:
        return money[0]
    raise UnclearError(said)


def _measured(name: str) -> set[str]:
    """What a field is a number of: plain cents are what something costs."""
    about = set(stems(name))
    return about - _UNITS or ({"cost"} if "cent" in about else set())


def amount(row: Row, name: str) -> float:
    value = row.values.get(name)
    return value if isinstance(value, int | float) else 0


def _fits(row: Row, rows: list[Row], said: str) -> bool:
    """Whether a row is as the phrase says."""
    if not said:
        return True
    if (compared := _COMPARED.match(said)) is not None:
        value, limit = amount(row, field_of(compared["field"], rows)), float(compared["limit"])
        more = compared["how"] in ("above", "over", "more than")
        if compared["how"].startswith("at"):
            return value >= limit if compared["how"] == "at least" else value <= limit
        return value > limit if more else value < limit
    if (equal := _EQUAL.match(said)) is not None:
        fields = [
            name
            for name in row.values
            if {*stems(name), *name.split("_")} & set(_words(equal["field"] or equal["plain"]))
        ]
        return any(_is(row.values[name], equal["value"]) for name in fields)
    if (state := _IS.match(said)) is not None:
        known = any(_is(value, state["value"]) for one in rows for value in one.values.values())
        flags = {name for name in row.flags if set(stems(name)) <= set(stems(state["value"])) and stems(name)}
        if not known and flags:
            return all(bool(row.values.get(name)) for name in flags)
        return any(_is(value, state["value"]) for value in row.values.values())
    raise UnclearError(said)


def _goes_without_saying(said: str, tool: Tool, rows: list[Row]) -> bool:
    """Whether the tool lists nothing else, so that no row says it."""
    state = _IS.match(said)
    if state is None or not set(stems(state["value"])) <= set(tool.head):
        return False
    return not any(_is(value, state["value"]) for row in rows for value in row.values.values())


def _words(text: str) -> list[str]:
    return stems(text) or text.split()


def _is(value: Any, said: str) -> bool:
    if not isinstance(value, str):
        return False
    plain = value.lower().replace("_", " ")
    return plain == said.lower().strip() or (bool(stems(plain)) and stems(plain) == stems(said))
