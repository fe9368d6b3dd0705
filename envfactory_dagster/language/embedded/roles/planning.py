"""What to do next about one part of a request: read something, make the change, or give it up.

Belongs here: choosing tools, and reading what a call still lacks. Does not: arguments (`binding`) and answers
(`answering`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from envfactory_dagster.language.embedded.roles.binding import Bound, bind, candidates
from envfactory_dagster.language.embedded.roles.catalogue import Catalogue, Parameter, Tool
from envfactory_dagster.language.embedded.roles.details import filled, kept_back, said_of
from envfactory_dagster.language.embedded.roles.evidence import Evidence
from envfactory_dagster.language.embedded.roles.fitting import named
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.suiting import suits
from envfactory_dagster.language.embedded.roles.words import overlap, stems, thing_of

_MOST_AT_ONCE = 4
_FOR_A_NAME = 2.0
"""What a name of the request that a call has nothing to do with takes from it."""
_NEAR_ENOUGH = 0.5
"""Changes that score so near to the best one may be meant as well."""
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
    """For one part. `made`: the calls made for it so far; `focus`: arguments of the change before it; `can_ask`:
    whether a person may yet be asked for details."""

    catalogue: Catalogue
    part: Part
    evidence: Evidence
    made: frozenset[str]
    focus: dict[str, Any]
    added: Mapping[str, str] = field(default_factory=dict)
    """What the person added when asked, by what it was asked for."""
    can_ask: bool = False

    def command(self, patient: bool) -> Move:
        """The change, or what must be read before. `patient`: whether there is time to make sure."""
        ranked = self.ranked(reads=False)
        if not ranked:
            return Move()
        tool, bound = self._likeliest(ranked)
        if not suits(tool, bound, self.part, self.catalogue):
            return Move()
        lacking = [one for one in [*bound.missing, *bound.unsure] if one.refers]
        narrow = self.part.is_free and (self.part.wants_new or self.part.limit is not None)
        if patient and narrow and (calls := [call for call in self._choices() if self._is_new(call)]):
            return Move(calls[:_MOST_AT_ONCE])
        if patient:
            lacking += [one for one in bound.indirect if self._is_listed(one)]
            lacking += self._worth_knowing(tool, bound)
            calls = [call for one in lacking for call in self._providers(one, tool)]
            calls = _without(calls, bound.arguments) or self._searches(tool, bound)
            if calls := [call for call in calls if self._is_new(call)]:
                return Move(_unlike(calls)[:_MOST_AT_ONCE])
        kept_back = self.can_ask and self._kept_back(tool, bound)
        if bound.missing or kept_back or not self._is_new((tool.name, bound.arguments)):
            return Move()
        return Move([(tool.name, bound.arguments)], final=True)

    def lacking(self) -> list[str]:
        """What only the person can tell before the change can be made."""
        ranked = self.ranked(reads=False)
        if self.part.is_question or not ranked:
            return []
        tool, bound = self._likeliest(ranked)
        if not suits(tool, bound, self.part, self.catalogue):
            return []
        return [said_of(one) for one in [*bound.missing, *self._kept_back(tool, bound)] if not one.refers]

    def _kept_back(self, tool: Tool, bound: Bound) -> list[Parameter]:
        return [] if self.added else kept_back(bound, tool, self.part)

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
        if not calls and self.part.attribute is not None:
            return replace(self, part=self.part.attribute[1]).question(patient)
        if self.part.names and self.evidence.rows and not self._names_a_row():
            calls += self._look_ups(self._unknown(ranked[0][0], Bound()))
        if not calls:
            calls = self._searches(ranked[0][0], Bound())
        return Move(_unlike(calls)[: _MOST_AT_ONCE + 1])

    def _names_a_row(self) -> bool:
        return any(named(row, self.part) for row in self.evidence.rows)

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
        person = bool({"who", "whom"} & self.part.spoken)
        for tool in self.catalogue.tools:
            if not tool.reads or len(tool.required) != 1 or not tool.required[0].refers:
                continue
            if not person and not set(tool.required[0].thing) & asked and not set(tool.body) & asked:
                continue
            bound = self._bind(tool)
            if not bound.missing and not bound.unsure and self._is_new((tool.name, bound.arguments)):
                calls.append((tool.name, bound.arguments))
        return Move(calls[:_MOST_AT_ONCE] if person else calls[:2])

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
                score += (
                    1.2 if not reads and self.part.particle and self.part.particle in tool.description.lower() else 0.0
                )
                score += 0.8 if reads and own and tool.is_own else 0.0
                score += 2.0 if self.part.about_before and any(one.name in self.focus for one in tool.required) else 0.0
                found.append((tool, score + self._values_used(tool)))
        return sorted(found, key=lambda pair: -pair[1])

    def _values_used(self, tool: Tool) -> float:
        """A tool that takes the kinds of values the request names is likelier to be meant."""
        patterns = [one for one in tool.required if one.pattern]
        phone = any(code.startswith("+") for code in self.part.codes)
        score = 1.5 if phone and any("+" in one.pattern for one in patterns) else 0.0
        placed = self.part.address is not None
        score += 1.5 if placed and any("address" in one.words for one in tool.required) else 0.0
        if tool.reads:
            return score
        counted = any(one.kind in ("integer", "number") and not one.refers for one in tool.parameters)
        dated = any("\\d{4}" in one.pattern for one in tool.parameters)
        score += 0.7 if counted and self.part.numbers else 0.0
        return score + (0.5 if dated and self.part.days else 0.0)

    def _bind(self, tool: Tool) -> Bound:
        """Arguments; where the person does not mind which thing it is, of one that was not tried yet."""
        barred: set[tuple[str, Any]] = set()
        while True:
            bound = filled(bind(tool, self.part, self.evidence, self.focus, barred), tool, self.added, self.part)
            if bound.missing or not self.part.is_free or self._is_new((tool.name, bound.arguments)):
                return bound
            free = [name for name, row in bound.chosen.items() if not named(row, self.part)]
            if not free:
                return bound
            barred.add((free[-1], bound.arguments[free[-1]]))

    def _likeliest(self, ranked: Sequence[tuple[Tool, float]]) -> tuple[Tool, Bound]:
        """Of the tools that fit nearly as well as the best one, the one that leaves least of the request over."""
        best: tuple[float, Tool, Bound] | None = None
        for tool, score in ranked[:_MOST_AT_ONCE]:
            if best is not None and score < ranked[0][1] * _NEAR_ENOUGH:
                break
            bound = self._bind(tool)
            unused = sum(self._unused(name, bound) for name in self.part.called)
            value = score - _FOR_A_NAME * unused - sum(not one.refers for one in bound.missing)
            if best is None or value > best[0]:
                best = value, tool, bound
        assert best is not None
        return best[1], best[2]

    def _unused(self, name: str, bound: Bound) -> float:
        """How far a call has nothing to do with what is called so: 0 where its arguments or their rows say the name, a
        half where rows that hang together with those do."""
        said = [str(value) for value in bound.arguments.values()]
        own = [str(value) for row in bound.rows for value in row.values.values()]
        if name.casefold() in " ".join([*said, *own]).casefold():
            return 0.0
        near = [str(v) for row in bound.rows for one in self.evidence.around(row) for v in one.values.values()]
        return 0.5 if name.casefold() in " ".join(near).casefold() else 1.0

    def _choices(self) -> list[Call]:
        """Lists of what the person leaves open, with what they have of it already."""
        match = re.search(r"\b(?:any|some|whichever|whatever)(?: one)?(?: of the)? ((?:[a-z]+ ?){1,3})", self.part.text)
        wanted = set(stems(match[1])) if match is not None else set()
        return [
            (tool.name, bind(tool, self.part, self.evidence, {}).arguments)
            for tool in self.catalogue.tools
            if tool.reads and not tool.required
            if any(group and set(stems(group)) <= wanted for group in tool.outline.groups)
        ]

    def _unknown(self, tool: Tool, bound: Bound) -> list[str]:
        """What the request names and nothing that was read is called; quotes aside where they are to be written."""
        writes = any(one.is_words for one in tool.parameters) and not tool.reads
        said = " ".join(str(value) for value in bound.arguments.values()).casefold()
        texts = set(self.part.quotes) - set(self.part.titles) if writes else set()
        called = [name for name in self.part.called if name not in texts]
        return [name for name in called if name.casefold() not in said and not self.evidence.says(name)]

    def _searches(self, tool: Tool, bound: Bound) -> list[Call]:
        unknown = self._unknown(tool, bound)
        return self._look_ups(unknown) if unknown else []

    def _look_ups(self, unknown: Sequence[str]) -> list[Call]:
        """Searches for names, the likeliest places first; where there is nothing to search by, whole lists."""
        searches: list[Call] = []
        lists: list[Call] = []
        for tool, _ in self.ranked(reads=True):
            words = next((one for one in tool.parameters if one.is_words), None)
            if unknown and words is not None and all(one is words for one in tool.required):
                searches += [(tool.name, {words.name: name}) for name in unknown]
            elif not tool.required:
                lists.append((tool.name, {}))
        searches, lists = [[call for call in calls if self._is_new(call)] for calls in (searches, lists)]
        return [*searches[: _MOST_AT_ONCE - 1], *lists[: _MOST_AT_ONCE - len(searches[: _MOST_AT_ONCE - 1])]]

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
            meant = self if tool.is_own or self.part.target is None else replace(self, part=self.part.target)
            bound = meant._bind(tool)
            if not bound.missing and self._is_new((tool.name, bound.arguments)):
                found += self._several(tool, bound)
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

    def _several(self, tool: Tool, bound: Bound) -> list[Call]:
        """The call; where the person does not mind which thing it is, the same about the next ones as well."""
        calls: list[Call] = [(tool.name, bound.arguments)]
        barred: set[tuple[str, Any]] = set()
        while self.part.is_free and len(calls) < _MOST_AT_ONCE:
            free = [name for name, row in bound.chosen.items() if not named(row, self.part)]
            if not free:
                break
            barred.add((free[-1], bound.arguments[free[-1]]))
            bound = bind(tool, self.part, self.evidence, self.focus, barred)
            if bound.missing:
                break
            calls.append((tool.name, bound.arguments))
        return calls

    def _narrowed(self, tool: Tool, bound: Bound) -> Call | None:
        """The same list once more, only of what has the name that the request says: the whole may have been cut."""
        said = [*self.part.quotes, *self.part.names]
        words = next((one for one in tool.optional if one.is_words), None)
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


def _without(calls: Sequence[Call], meant: dict[str, Any]) -> list[Call]:
    """The same readings, not narrowed down to what a change is only about to bring."""
    values = {name: value for name, value in meant.items() if isinstance(value, str)}
    return [
        (tool, {name: value for name, value in arguments.items() if values.get(name) != value})
        for tool, arguments in calls
    ]


def _unlike(calls: Sequence[Call]) -> list[Call]:
    return list({signature(*call): call for call in calls}.values())
