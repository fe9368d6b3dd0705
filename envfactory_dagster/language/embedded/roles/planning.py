"""What to do next about one part of a request: read something, make the change, or give it up.

Belongs here: choosing tools, and reading what a call still lacks. Does not: arguments (`binding`) and answers
(`answering`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from envfactory_dagster.language.embedded.roles.binding import Bound, bind, candidates
from envfactory_dagster.language.embedded.roles.catalogue import Catalogue, Parameter, Tool
from envfactory_dagster.language.embedded.roles.evidence import Evidence
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.words import overlap, stems, thing_of

_MOST_AT_ONCE = 4
_LIKE_ENOUGH = 0.6
"""Tools that score so near to the best one are read as well."""

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Move:
    """Calls to make next; `final` where they are what the part asks for. No calls: there is nothing more to do."""

    calls: list[Call] = field(default_factory=list)
    final: bool = False


@dataclass(frozen=True)
class Planner:
    """For one part. `made`: the calls made for it so far; `focus`: arguments of the change before it."""

    catalogue: Catalogue
    part: Part
    evidence: Evidence
    made: frozenset[str]
    focus: dict[str, Any]

    def command(self, patient: bool) -> Move:
        """The change, or what must be read before. `patient`: whether there is time to make sure."""
        ranked = self.ranked(reads=False)
        if not ranked:
            return Move()
        tool = ranked[0][0]
        bound = self._bind(tool)
        lacking = [one for one in [*bound.missing, *bound.unsure] if one.refers]
        if patient:
            lacking += [one for one in bound.indirect if len(tool.required) > 1 and self._is_listed(one)]
            lacking += self._worth_knowing(tool, bound)
            calls = [call for one in lacking for call in self._providers(one, tool)]
            if calls:
                return Move(_unlike(calls)[:_MOST_AT_ONCE])
        if bound.missing:
            return Move()
        return Move([(tool.name, bound.arguments)], final=True)

    def question(self, patient: bool) -> Move:
        """What should be read for an answer; nothing when enough was read."""
        ranked = self.ranked(reads=True)
        if not ranked or not patient:
            return Move()
        best = ranked[0][1]
        calls: list[Call] = self._own_of(ranked[0][0])
        for tool, score in ranked[:3]:
            if score < best * _LIKE_ENOUGH:
                break
            bound = self._bind(tool)
            lacking = [one for one in [*bound.missing, *bound.unsure] if one.refers]
            reading = [call for one in lacking for call in self._providers(one, tool)]
            if reading:
                calls += reading[:2]
            elif not bound.missing and self._is_new((tool.name, bound.arguments)):
                calls.append((tool.name, bound.arguments))
        return Move(_unlike(calls)[:_MOST_AT_ONCE])

    def _own_of(self, tool: Tool) -> list[Call]:
        """Where the request says "my" of things that are not the person's alone: what tells which one is meant."""
        if not self.part.is_mine or tool.is_own:
            return []
        things = {frozenset(stems(group)) for group in tool.outline.groups if group}
        calls: list[Call] = [
            (other.name, {})
            for other in self.catalogue.tools
            if other.reads and other.is_own and not other.required and self._is_new((other.name, {}))
            if any(frozenset(thing_of(name)) in things for fields in other.outline.groups.values() for name in fields)
        ]
        return calls[:1]

    def follow_ups(self) -> Move:
        """Readings of what the rows read so far name by id."""
        calls: list[Call] = []
        asked = self.part.all_stems
        for tool in self.catalogue.tools:
            if not tool.reads or len(tool.required) != 1 or not tool.required[0].refers:
                continue
            if not set(tool.required[0].thing) & asked and not set(tool.body) & asked:
                continue
            bound = self._bind(tool)
            if not bound.missing and not bound.unsure and self._is_new((tool.name, bound.arguments)):
                calls.append((tool.name, bound.arguments))
        return Move(calls[:2])

    def ranked(self, reads: bool) -> list[tuple[Tool, float]]:
        """Tools by how well they fit the part, the best first."""
        rarity = self.catalogue.rarity
        asked = self.part.stems or list(self.part.all_stems)
        verb = {self.part.verb}
        own = self.part.is_mine
        found = []
        for tool in self.catalogue.tools:
            if tool.reads == reads:
                score = rarity.likeness(asked, tool.head) + 0.4 * rarity.likeness(asked, tool.body)
                score += 2.0 if not reads and verb & {*stems(tool.name)[:1], *stems(tool.description)[:1]} else 0.0
                score += 0.8 if reads and own and tool.is_own else 0.0
                found.append((tool, score + self._values_used(tool)))
        return sorted(found, key=lambda pair: -pair[1])

    def _values_used(self, tool: Tool) -> float:
        """A tool that takes the kinds of values the request names is likelier to be meant."""
        patterns = [one for one in tool.required if one.pattern]
        phone = any(code.startswith("+") for code in self.part.codes)
        score = 1.5 if phone and any("+" in one.pattern for one in patterns) else 0.0
        if tool.reads:
            return score
        counted = any(one.kind in ("integer", "number") and not one.refers for one in tool.parameters)
        dated = any("\\d{4}" in one.pattern for one in tool.parameters)
        score += 0.7 if counted and self.part.numbers else 0.0
        return score + (0.5 if dated and self.part.days else 0.0)

    def _bind(self, tool: Tool) -> Bound:
        return bind(tool, self.part, self.evidence, self.focus)

    def _is_listed(self, wanted: Parameter) -> bool:
        """Whether some tool lists just these things."""
        groups = (group for tool in self.catalogue.tools if tool.reads for group in tool.outline.groups)
        return any(overlap(stems(group), wanted.thing) > 0.4 for group in groups)

    def _worth_knowing(self, tool: Tool, bound: Bound) -> list[Parameter]:
        """Optional references that the request speaks of."""
        asked = set(self.part.stems)
        return [
            one
            for one in tool.optional
            if one.refers and one.thing and set(one.thing) <= asked and not candidates(one, self.evidence)
        ]

    def _providers(self, wanted: Parameter, of: Tool, depth: int = 0) -> list[Call]:
        """Calls that show the things a parameter may name, those that can be made at once."""
        ranked = sorted(
            ((self._provides(tool, wanted), tool) for tool in self.catalogue.tools if tool.reads and tool is not of),
            key=lambda pair: -pair[0],
        )
        found: list[Call] = []
        for score, tool in ranked[:3]:
            if score <= 0.0 or any(one.name == wanted.name for one in tool.required):
                continue
            bound = self._bind(tool)
            if not bound.missing and self._is_new((tool.name, bound.arguments)):
                found.append((tool.name, bound.arguments))
                break
            narrowed = self._narrowed(tool, bound)
            if narrowed is not None:
                found.append(narrowed)
                break
            if bound.missing and depth < 2:
                for one in bound.missing:
                    if one.refers:
                        found += self._providers(one, tool, depth + 1)
                if found:
                    break
        return found

    def _narrowed(self, tool: Tool, bound: Bound) -> Call | None:
        """The same list once more, only of what has the name that the request says: the whole may have been cut."""
        said = [*self.part.quotes, *self.part.names]
        words = next((one for one in tool.optional if one.kind == "string" and not one.enum and not one.pattern), None)
        if bound.missing or words is None or not said or self.part.is_question:
            return None
        call = (tool.name, bound.arguments | {words.name: said[-1]})
        return call if self._is_new(call) else None

    def _provides(self, tool: Tool, wanted: Parameter) -> float:
        """How well the lists a tool shows fit what is wanted."""
        likeness = 0.0
        for group, fields in tool.outline.groups.items():
            if wanted.name in fields:
                likeness = max(likeness, 0.7)
            likeness = max(likeness, overlap(stems(group), wanted.thing))
        if likeness < 0.45:
            return 0.0
        asked = self.part.stems
        own = 0.3 if self.part.is_mine and tool.is_own else 0.0
        needs = sum(one.refers for one in tool.required)
        return 3.0 * likeness + 0.15 * self.catalogue.rarity.likeness(asked, tool.head) + own - 0.6 * needs

    def _is_new(self, call: Call) -> bool:
        return signature(*call) not in self.made


def signature(tool: str, arguments: dict[str, Any]) -> str:
    return f"{tool} {orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS).decode()}"


def _unlike(calls: Sequence[Call]) -> list[Call]:
    return list({signature(*call): call for call in calls}.values())
