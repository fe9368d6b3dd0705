"""Going through a real list: the long tasks. Something is looked up of each row that is meant, and of what that shows,
and in the end added up, counted, or done to each; it is one wish, however many calls it takes.

Belongs here: finding such loops in one state, and making sure by calls that they come to one end. Does not: saying them
(`describing`), and writing their program (`program`).

What is told must not stand in a row that is seen on the way, so that every look-up is needed; no call of a loop is made
twice; and whatever is done to each succeeds for each, in either order.
"""

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from random import Random

from envfactory_dagster.contracts.base import Json, canonical_json
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.graph import GraphParameter, GraphTool, ToolGraph
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.language.nouns import plural
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.tasks.graph_tasks.asking import PAGES
from envfactory_dagster.tasks.graph_tasks.choosing import is_name, speakable
from envfactory_dagster.tasks.graph_tasks.describing import kind_at
from envfactory_dagster.tasks.graph_tasks.dial import Dial
from envfactory_dagster.tasks.graph_tasks.reading import (
    forms,
    in_list,
    is_id,
    is_whole,
    item_noun,
    kind_of,
    lists,
    placed,
    scalars,
    schema_at,
    words,
)
from envfactory_dagster.tasks.graph_tasks.steps import (
    Here,
    Loop,
    Round,
    Said,
    Sign,
    Source,
    Step,
    Telling,
    Walked,
)
from envfactory_dagster.tasks.graph_tasks.walking import Country, Walker
from envfactory_dagster.tasks.sampling import Chain, Topology, sample_topology

MOST_ROUNDS = 3
_TRIES = 60
"""So many loops are tried over each list."""
_LEAST_ROWS = 3
_MOST_VALUES = 6
"""A field by which rows are told apart has at most so many values."""

Row = dict[str, Json]
Place = tuple[Row, ...]
"""Where a loop is: its row at every depth so far."""


@dataclass
class Found:
    """The loops that fit, and how far any went."""

    walks: list[Walked] = field(default_factory=list)
    longest: int = 0


def lists_to_go_through(graph: ToolGraph) -> list[str]:
    """The assistant's look-ups whose lists tell what another of its tools needs."""
    reading = {tool.name for tool in graph.tools if tool.read_only and tool.principal == "assistant"}
    linked = (edge.source for edge in graph.edges for link in edge.links if in_list(link.output))
    return [name for name in dict.fromkeys(linked) if name in reading]


async def loops(country: Country, dial: Dial, chance: Random, wanted: int) -> Found:
    """Loops of as many calls as the dial wants, over one list after the other."""
    found = Found()
    names = lists_to_go_through(country.graph)
    for name in chance.sample(names, len(names)):
        if len(found.walks) >= wanted:
            break
        for walked in await _over(country, dial, chance, name, found):
            found.walks.append(walked)
    return found


async def _over(country: Country, dial: Dial, chance: Random, name: str, found: Found) -> list[Walked]:
    """Loops over the lists that one tool shows."""
    if PAGES & country.tool(name).inputSchema.get("properties", {}).keys():
        return []
    async with AsyncExitStack() as sessions:
        session = await sessions.enter_async_context(await country.runtime.open(country.bundle, state=country.state))
        walker = Walker(country, dial, chance, sessions, session, session)
        for step in _up_to(country, chance, name):
            await walker.take(step)
        if not walker.steps or walker.steps[-1].tool != name:
            return []
        steps = _needed(walker.steps)
        walker.steps = steps
        shown = steps[-1]
        whole = [(path, rows) for path, rows in lists(shown.result) if is_whole(shown.result, rows)]
        looper = _Looper(country, dial, chance, sessions, walker, found)
        walks = []
        for path, rows in whole:
            if len(rows) >= _LEAST_ROWS:
                walks += await looper.over(path, rows)
        return walks


def _up_to(country: Country, chance: Random, name: str) -> Chain:
    """The tool after what it needs, all of them look-ups."""
    reading = [tool for tool in country.graph.seen_by("assistant").tools if tool.read_only]
    names = {tool.name for tool in reading}
    edges = [edge for edge in country.graph.edges if {edge.source, edge.target} <= names]
    chain = sample_topology(ToolGraph(tools=reading, edges=edges), Topology(extra=0.0), chance.getrandbits(32), name)
    return chain[: chain.index(name) + 1] if name in chain else ()


def _needed(steps: Sequence[Step]) -> list[Step]:
    """The last step, with those that it gets something from."""
    kept: list[Step] = [steps[-1]]
    for step in reversed(steps[:-1]):
        if step.number in Walked(tuple(kept), ()).used():
            kept.insert(0, step)
    return kept


@dataclass
class _Looper:
    """The loops over the lists of one result."""

    country: Country
    dial: Dial
    chance: Random
    sessions: AsyncExitStack
    walker: Walker
    found: Found
    results: dict[bytes, CallResult] = field(default_factory=dict)
    """Of look-ups that were made: most loops over a list begin in the same way."""

    @property
    def steps(self) -> list[Step]:
        return self.walker.steps

    async def over(self, path: str, rows: Sequence[Row]) -> list[Walked]:
        walks: dict[str, Walked] = {}
        for _ in range(_TRIES):
            only = self.chance.choice([None, *_conditions(rows, "")])
            places: list[Place] = [(row,) for row in rows if _fits(row, only)]
            loop = Loop(self.steps[-1].number + 1, self.steps[-1].number, path, only, (), None, 0)
            for walked in await self._grown(loop, places):
                walks.setdefault(repr(walked.gist()), walked)
        return list(walks.values())

    async def _grown(self, loop: Loop, places: list[Place]) -> list[Walked]:
        """Rounds are added until there are calls enough, then an end is looked for."""
        walks: list[Walked] = []
        while True:
            self.found.longest = max(self.found.longest, len(self.steps) + loop.calls)
            walks += await self._done_to_each(loop, places)
            if loop.rounds and self._is_long_enough(loop.calls):
                walks += self._told(loop, places)
            if walks or len(loop.rounds) == MOST_ROUNDS:
                return walks
            grown = await self._with_a_round(loop, places)
            if grown is None:
                return []
            loop, places = grown

    def _is_long_enough(self, calls: int) -> bool:
        return self.dial.least_calls <= len(self.steps) + calls <= self.dial.most_calls

    # -- look-ups -----------------------------------------------------------------------------------------------------

    async def _with_a_round(self, loop: Loop, places: list[Place]) -> tuple[Loop, list[Place]] | None:
        """One more call for each place: of what it shows there is a list to go on with, or itself."""
        room = self.dial.most_calls - len(self.steps) - loop.calls
        if not places or len(places) > room:
            return None
        asked = {self.steps[-1].tool, *loop.tools()}
        nodes = [node for node in self.country.graph.seen_by("assistant").tools if node.read_only]
        for node in self.chance.sample(nodes, len(nodes)):
            if node.name in asked or PAGES & self.country.tool(node.name).inputSchema.get("properties", {}).keys():
                continue
            arguments = self._arguments(node, loop, places, 0)
            if arguments is None:
                continue
            results = await self._looked_up(node, arguments, places)
            if results is None:
                continue
            calls = loop.calls + len(places)
            for path in self._paths(results):
                grown = replace(loop, rounds=(*loop.rounds, Round(node.name, arguments, path)), calls=calls)
                return grown, _next(places, results, path)
        return None

    async def _looked_up(
        self, node: GraphTool, arguments: dict[str, Source | Here], places: Sequence[Place]
    ) -> list[Row] | None:
        """What is shown of each; None where one call is made twice, is refused, or tells less than there is."""
        given = [_given(arguments, place) for place in places]
        if len({canonical_json(one) for one in given}) < len(given):
            return None
        results: list[Row] = []
        for one in given:
            key = canonical_json([node.name, one])
            if key not in self.results:
                self.results[key] = await self.walker.session.call(node.name, one)
            result = self.results[key]
            if not result.ok or result.note is not None or not isinstance(result.value, dict):
                return None
            results.append(result.value)
        return results

    def _paths(self, results: Sequence[Row]) -> list[str]:
        """The lists that all results have in whole, and the result itself, in any order."""
        paths = {path for result in results for path, rows in lists(result) if is_whole(result, rows)}
        everywhere = [path for path in sorted(paths) if all(isinstance(_at(result, path), list) for result in results)]
        return self.chance.sample(["", *everywhere], len(everywhere) + 1)

    def _arguments(
        self, node: GraphTool, loop: Loop, places: Sequence[Place], said: int
    ) -> dict[str, Source | Here] | None:
        """What the tool needs: from the rows where they tell it, else from the steps before; at most `said` values are
        the person's, the same for each. None where it has nothing to do with the innermost row."""
        found: dict[str, Source | Here] = {}
        for parameter in node.parameters:
            if not parameter.required:
                continue
            here = self._here(node, parameter, loop, places) if parameter.internal else None
            source = here or self.walker.source(node, parameter, dict(self.walker.chosen))
            if source is None:
                return None
            found[parameter.name] = source
        innermost = len(loop.rounds)
        if sum(isinstance(one, Said) for one in found.values()) > said:
            return None
        return found if any(isinstance(one, Here) and one.place == innermost for one in found.values()) else None

    def _here(self, node: GraphTool, parameter: GraphParameter, loop: Loop, places: Sequence[Place]) -> Here | None:
        """A field of one of the places, the innermost first, that every one of them has."""
        shown = [(self.steps[-1].tool, loop.path), *((one.tool, one.path) for one in loop.rounds)]
        for place in reversed(range(len(shown))):
            source, path = shown[place]
            for output in self.walker.outputs(source, node.name, parameter):
                inner = in_list(output)
                column = (inner[1] if inner and inner[0] == path else None) if path else _plain(output)
                if column and all(_at(each[place], column) is not None for each in places):
                    return Here(place, column)
        return None

    # -- what it comes to ---------------------------------------------------------------------------------------------

    def _told(self, loop: Loop, places: Sequence[Place]) -> list[Walked]:
        """What is to be told of all of them: what something adds up to, or how many are such."""
        if len(places) < _LEAST_ROWS:
            return []
        rows = [place[-1] for place in places]
        if _is_met_twice(loop, rows):
            return []
        told = [*self._totals(loop, places, rows), *self._counts(loop, places, rows)]
        return [self._walked(*self.chance.choice(told))] if told else []

    def _totals(self, loop: Loop, places: Sequence[Place], rows: Sequence[Row]) -> Iterator[tuple[Loop, Telling]]:
        things = _things(loop)
        for path in _fields(rows):
            values = [value for row in rows if isinstance(value := _at(row, path), int) and not isinstance(value, bool)]
            usual = len(values) == len(rows) and not set(values) <= {0, 1} and kind_of(path, values[0]) == "money"
            summed = usual or (len(values) == len(rows) and _is_an_amount(path) and max(values) > 1)
            if summed and self._is_news(loop, places, path, sum(values)):
                about = f"The {words(path)} of {things} together"
                yield loop, Telling(loop.number, "total", path, path, None, sum(values), about)

    def _counts(self, loop: Loop, places: Sequence[Place], rows: Sequence[Row]) -> Iterator[tuple[Loop, Telling]]:
        last = loop.rounds[-1]
        kind = plural(kind_at(last, loop)).replace(" ", "_")
        for only in _conditions(rows, last.path):
            if any(_at(place[n], only.field) is not None for place in places for n in range(len(place) - 1)):
                continue
            narrowed = replace(loop, rounds=(*loop.rounds[:-1], replace(last, only=only)))
            count = sum(_fits(row, only) for row in rows)
            if self._is_news(loop, places, "", count):
                yield (
                    narrowed,
                    Telling(
                        loop.number,
                        "count",
                        kind,
                        "",
                        None,
                        count,
                        f"How many {_things(narrowed).removeprefix('all ')} there are",
                    ),
                )

    def _is_news(self, loop: Loop, places: Sequence[Place], path: str, value: Json) -> bool:
        """Whether it has to be looked up: neither a row on the way has the field, nor does the list say the result."""
        if path and any(_at(place[n], path) is not None for place in places for n in range(len(place) - 1)):
            return False
        if path and all(
            any(_at(place[-1], path) == one for row in place[:-1] for _, one in scalars(row)) for place in places
        ):
            return False
        return all(found != value for step in self.steps for _, found in scalars(step.result))

    def _walked(self, loop: Loop, telling: Telling) -> Walked:
        return Walked(tuple(self.steps), (telling,), loop)

    async def _done_to_each(self, loop: Loop, places: Sequence[Place]) -> list[Walked]:
        """Something that can be done to every one of them that is such, and to no other by the same words."""
        innermost = [place[-1] for place in places]
        path = loop.rounds[-1].path if loop.rounds else loop.path
        already = loop.rounds[-1].only if loop.rounds else loop.only
        choices = [None, *(_conditions(innermost, path) if already is None else [])]
        fitting = [
            (only, meant)
            for only in choices
            if len(meant := [place for place in places if _fits(place[-1], only)]) >= _LEAST_ROWS
            and self._is_long_enough(loop.calls + len(meant))
            and not (loop.rounds and only is None)
        ]
        if not fitting:
            return []
        nodes = [node for node in self.country.graph.seen_by("assistant").tools if not node.read_only]
        for node in self.chance.sample(nodes, len(nodes)):
            tool = self.country.tool(node.name)
            if tool.confirmed_by or any(_is_dictated(tool, one.name) for one in node.parameters if one.required):
                continue
            for only, meant in fitting:
                arguments = self._arguments(node, loop, meant, 1)
                if arguments is None or not await self._succeeds(node, arguments, meant):
                    continue
                narrowed = _narrowed(loop, only)
                calls = loop.calls + len(meant)
                return [Walked(tuple(self.steps), (), replace(narrowed, deed=Round(node.name, arguments), calls=calls))]
        return []

    async def _succeeds(self, node: GraphTool, arguments: dict[str, Source | Here], places: Sequence[Place]) -> bool:
        """For each of them, in either order, and each changes a row that no other touched."""
        given = [_given(arguments, place) for place in places]
        if len({canonical_json(one) for one in given}) < len(given):
            return False
        for order in (given, given[::-1]):
            async with await self.country.runtime.fork(self.walker.session) as ahead:
                if not await _all_done(ahead, node.name, order):
                    return False
        return True


async def _all_done(session: Session, tool: str, calls: Sequence[Row]) -> bool:
    touched: set[object] = set()
    for call in calls:
        if not (await session.call(tool, call)).ok:
            return False
        now: set[object] = {(change.table, change.key) for change in await session.changes()}
        if not now - touched:
            return False
        touched = now
    return True


# -- rows --------------------------------------------------------------------------------------------------------------


def _given(arguments: dict[str, Source | Here], place: Place) -> Row:
    return placed(
        {
            path: _at(place[source.place], source.path) if isinstance(source, Here) else source.value
            for path, source in arguments.items()
        }
    )


def _next(places: Sequence[Place], results: Sequence[Row], path: str) -> list[Place]:
    if not path:
        return [(*place, result) for place, result in zip(places, results, strict=True)]
    inner = ((place, _at(result, path)) for place, result in zip(places, results, strict=True))
    return [(*place, row) for place, rows in inner if isinstance(rows, list) for row in rows if isinstance(row, dict)]


def _narrowed(loop: Loop, only: Sign | None) -> Loop:
    """What has to be so of the innermost rows."""
    if only is None:
        return loop
    if not loop.rounds:
        return replace(loop, only=only)
    return replace(loop, rounds=(*loop.rounds[:-1], replace(loop.rounds[-1], only=only)))


def _conditions(rows: Sequence[Row], path: str) -> list[Sign]:
    """What is so of several rows and not of all, and can be said: one of few values, no name."""
    if not rows:
        return []
    found: list[Sign] = []
    for name in rows[0]:
        values = [row.get(name) for row in rows]
        known = list(dict.fromkeys(value for value in values if isinstance(value, str)))
        if not (2 <= len(known) <= _MOST_VALUES) or is_name(name) or not speakable(list(rows), name):
            continue
        found += [Sign(name, "is", one) for one in known if values.count(one) >= _LEAST_ROWS]
    return found


def _fits(row: Row, only: Sign | None) -> bool:
    return only is None or _at(row, only.field) == only.value


def _is_met_twice(loop: Loop, rows: Sequence[Row]) -> bool:
    """Whether a thing belongs to two of those it is listed with: nobody knows how often it counts."""
    last = loop.rounds[-1]
    if not last.path:
        return False  # no call is made twice
    keys = [name for name in rows[0] if name in ("id", "code", f"{kind_at(last, loop).replace(' ', '_')}_id")]
    told = [canonical_json([row.get(name) for name in keys] if keys else row) for row in rows]
    return len(set(told)) < len(told)


def _fields(rows: Sequence[Row]) -> list[str]:
    """The plain fields that all rows have."""
    paths = [path for path, _ in scalars(rows[0])]
    return [path for path in paths if not is_id(path) and all(_at(row, path) is not None for row in rows)]


def _at(row: Json, path: str) -> Json:
    for part in path.split("."):
        row = row.get(part) if isinstance(row, dict) else None
    return row


def _is_dictated(tool: ToolDefinition, parameter: str) -> bool:
    """Whether it is a text in the person's own words: nobody has the same to say of each."""
    schema = schema_at(tool.inputSchema, parameter)
    return schema.get("type") == "string" and not is_id(parameter) and not {"enum", "format", "pattern"} & schema.keys()


def _plain(output: str) -> str | None:
    return None if "[]" in output else output


def _is_an_amount(path: str) -> bool:
    """Whether it makes sense to add it up: so many of something, not a year, a number or a limit."""
    last = path.rsplit(".", 1)[-1]
    return last.endswith(_AMOUNTS) and not last.startswith(("max_", "min_", "least_", "most_"))


_AMOUNTS = (
    "count", "quantity", "hours", "minutes", "nights", "days", "weight_g", "weight_kg", "distance_km", "points",
    "places", "pieces", "copies", "units", "people", "guests", "seats", "sessions", "pages", "metres", "ascent_m",
)  # fmt: skip


def _things(loop: Loop) -> str:
    """All things of the innermost place, as words: “all lines of all orders with the status open”."""
    said = [f"all {plural(item_noun(loop.path))}{_known_by(loop.only)}"]
    for one in loop.rounds:
        kind = plural(kind_at(one, loop))
        if f"all {kind}" == said[0].partition(" with ")[0] and not one.path:
            said[0] += _known_by(one.only)
        else:
            said.insert(0, f"all {kind}{_known_by(one.only)}")
    return " of ".join(said)


def _known_by(only: Sign | None) -> str:
    return f" with the {words(only.field)} {forms(only.field, only.value)[0]}" if only is not None else ""
