"""Going through a real list: the long tasks. Something is looked up of each row that is meant, and of what that shows,
and in the end added up, counted, or done to each; it is one wish, however many calls it takes.

Belongs here: finding such loops in one state, and making sure by calls that they come to one end. Does not: saying them
(`describing`), and writing their program (`program`).

What is told must not follow from the rows that are seen on the way, so that every look-up is needed; no call of a loop
is made twice; and whatever is done to each succeeds for each, in either order. For the sake of sense a loop goes from
things to their own parts; where something else is looked up for each (the hut of each booking) it goes no further, and
what is done is done to the things themselves.
"""

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from random import Random

from envfactory_dagster.contracts.base import Json, canonical_json
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.graph import GraphParameter, GraphTool, ToolGraph
from envfactory_dagster.language.nouns import plural
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.tasks.graph_tasks.asking import PAGES
from envfactory_dagster.tasks.graph_tasks.describing import is_aside, kind_at, kind_of_place, names_itself
from envfactory_dagster.tasks.graph_tasks.dial import Dial
from envfactory_dagster.tasks.graph_tasks.loop_rows import (
    LEAST_ROWS,
    Place,
    Row,
    conditions,
    fits,
    given_arguments,
    is_a_sum,
    is_an_amount,
    is_dictated,
    is_met_twice,
    known_by,
    names_of,
    narrow,
    next_places,
    plain_fields,
    value_at,
    without_lists,
)
from envfactory_dagster.tasks.graph_tasks.reading import (
    in_list,
    is_whole,
    item_noun,
    kind_of,
    lists,
    scalars,
    words,
)
from envfactory_dagster.tasks.graph_tasks.steps import (
    Here,
    KnownValue,
    Loop,
    LoopCall,
    Sign,
    Source,
    Walked,
    WalkStep,
    WantedAnswer,
)
from envfactory_dagster.tasks.graph_tasks.walking import WalkContext, Walker
from envfactory_dagster.tasks.sampling import Chain, Topology, sample_topology

MOST_ROUNDS = 3
_TRIES = 60
"""So many loops are tried over each list."""
_MOST_STEPS = 2
"""So many steps may come before the loop, the one that shows its list among them."""
_MOST_SAID = 2
"""So many values may be the person's in these steps."""


@dataclass
class KnownOfState:
    """What was found out about one state and holds for every task in it: loops over one list have much in common."""

    results: dict[bytes, CallResult] = field(default_factory=dict)
    """Of look-ups."""
    succeeded: dict[bytes, bool] = field(default_factory=dict)
    """Whether something could be done to each of some rows."""
    listed: list[tuple[str, list[Row]]] | None = None
    """The kinds of rows that one call lists, without anything being known, with those rows."""


@dataclass
class LoopWalks:
    """The loops that fit, and how far any went."""

    walks: list[Walked] = field(default_factory=list)
    longest: int = 0


def lists_to_go_through(graph: ToolGraph) -> list[str]:
    """The assistant's look-ups whose lists tell what another of its tools needs."""
    reading = {tool.name for tool in graph.tools if tool.read_only and tool.principal == "assistant"}
    linked = (edge.source for edge in graph.edges for link in edge.links if in_list(link.output))
    return [name for name in dict.fromkeys(linked) if name in reading]


async def loops(context: WalkContext, dial: Dial, chance: Random, wanted: int, known: KnownOfState) -> LoopWalks:
    """Loops of as many calls as the dial wants, over one list after the other."""
    found = LoopWalks()
    if known.listed is None:
        known.listed = await _listed_at_once(context)
    names = lists_to_go_through(context.graph)
    for name in chance.sample(names, len(names)):
        if len(found.walks) >= wanted:
            break
        found.walks += await _over(context, dial, chance, name, known, found)
    return found


async def _listed_at_once(context: WalkContext) -> list[tuple[str, list[Row]]]:
    """What a single call without arguments lists."""
    found: list[tuple[str, list[Row]]] = []
    async with await context.runtime.open(context.bundle, state=context.state) as session:
        for tool in context.bundle.tools_of("assistant"):
            if tool.annotations.readOnlyHint and not tool.inputSchema.get("required"):
                result = await session.call(tool.name, {})
                found += [(item_noun(path), rows) for path, rows in lists(result.value)] if result.ok else []
    return found


async def _over(
    context: WalkContext, dial: Dial, chance: Random, name: str, known: KnownOfState, found: LoopWalks
) -> list[Walked]:
    """Loops over the lists that one tool shows."""
    if PAGES & context.tool(name).inputSchema.get("properties", {}).keys():
        return []
    async with AsyncExitStack() as sessions:
        session = await sessions.enter_async_context(await context.runtime.open(context.bundle, state=context.state))
        walker = Walker(context, dial, chance, sessions, session, session)
        before = _up_to(context, chance, name)
        if len(before) > _MOST_STEPS + 1:
            return []  # most of so many are needed
        for step in before:
            await walker.take(step)
        if not walker.steps or walker.steps[-1].tool != name:
            return []
        steps = _needed(walker.steps)
        said = [source for step in steps for source in step.arguments.values() if isinstance(source, KnownValue)]
        if len(steps) > _MOST_STEPS or len(said) > _MOST_SAID:
            return []
        walker.steps = steps
        shown = steps[-1]
        whole = [(path, rows) for path, rows in lists(shown.result) if is_whole(shown.result, rows)]
        looper = _Looper(context, dial, chance, walker, known, found)
        walks = []
        for path, rows in whole:
            if len(rows) >= LEAST_ROWS:
                walks += await looper.over(path, rows)
        return walks


def _up_to(context: WalkContext, chance: Random, name: str) -> Chain:
    """The tool after what it needs, all of them look-ups."""
    reading = [tool for tool in context.graph.seen_by("assistant").tools if tool.read_only]
    names = {tool.name for tool in reading}
    edges = [edge for edge in context.graph.edges if {edge.source, edge.target} <= names]
    chain = sample_topology(ToolGraph(tools=reading, edges=edges), Topology(extra=0.0), chance.getrandbits(32), name)
    return chain[: chain.index(name) + 1] if name in chain else ()


def _needed(steps: Sequence[WalkStep]) -> list[WalkStep]:
    """The last step, with those that it gets something from."""
    kept: list[WalkStep] = [steps[-1]]
    for step in reversed(steps[:-1]):
        if step.number in Walked(tuple(kept), ()).used():
            kept.insert(0, step)
    return kept


@dataclass
class _Looper:
    """The loops over the lists of one result."""

    context: WalkContext
    dial: Dial
    chance: Random
    walker: Walker
    known: KnownOfState
    found: LoopWalks

    @property
    def steps(self) -> list[WalkStep]:
        return self.walker.steps

    async def over(self, path: str, rows: Sequence[Row]) -> list[Walked]:
        walks: dict[str, Walked] = {}
        for _ in range(_TRIES):
            only = self.chance.choice([None, *conditions(rows, "")])
            places: list[Place] = [(row,) for row in rows if fits(row, only)]
            loop = Loop(self.steps[-1].number + 1, self.steps[-1].number, path, only, (), None, 0)
            for walked in await self._grown(loop, places):
                walks.setdefault(repr(walked.gist()), walked)
        return list(walks.values())

    async def _grown(self, loop: Loop, places: list[Place]) -> list[Walked]:
        """Rounds are added until there are calls enough, then an end is looked for: a deed or, as often, a question."""
        acting = self.chance.random() < 0.5
        while True:
            self.found.longest = max(self.found.longest, len(self.steps) + loop.calls)
            walks = await self._done_to_each(loop, places) if acting else self._told(loop, places)
            if walks or len(loop.rounds) == MOST_ROUNDS or (loop.rounds and is_aside(loop.rounds[-1], loop)):
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
        nodes = [node for node in self.context.graph.seen_by("assistant").tools if node.read_only]
        for node in self.chance.sample(nodes, len(nodes)):
            if node.name in asked or PAGES & self.context.tool(node.name).inputSchema.get("properties", {}).keys():
                continue
            arguments = self._arguments(node, loop, places, 0)
            if arguments is None or self._does_without(node, loop, places):
                continue
            results = await self._looked_up(node, arguments, places)
            if results is None:
                continue
            calls = loop.calls + len(places)
            aside = is_aside(LoopCall(node.name, arguments), loop)
            path = "" if aside else self.chance.choice(self._paths(results))
            grown = replace(loop, rounds=(*loop.rounds, LoopCall(node.name, arguments, path)), calls=calls)
            return grown, next_places(places, results, path)
        return None

    def _does_without(self, node: GraphTool, loop: Loop, places: Sequence[Place]) -> bool:
        """Whether the call could be made without the one before it, which shows nothing but more of the same row."""
        if not loop.rounds or loop.rounds[-1].path:
            return False
        shorter = replace(loop, rounds=loop.rounds[:-1])
        return self._arguments(node, shorter, [place[:-1] for place in places], 0) is not None

    async def _looked_up(
        self, node: GraphTool, arguments: dict[str, Source | Here], places: Sequence[Place]
    ) -> list[Row] | None:
        """What is shown of each; None where one call is made twice, is refused, or tells less than there is."""
        given = [given_arguments(arguments, place) for place in places]
        if len({canonical_json(one) for one in given}) < len(given):
            return None
        results: list[Row] = []
        for one in given:
            key = canonical_json([node.name, one])
            if key not in self.known.results:
                self.known.results[key] = await self.walker.session.call(node.name, one)
            result = self.known.results[key]
            if not result.ok or result.note is not None or not isinstance(result.value, dict):
                return None
            results.append(result.value)
        return results

    def _paths(self, results: Sequence[Row]) -> list[str]:
        """The lists that all results have in whole, and the result itself."""
        paths = {path for result in results for path, rows in lists(result) if is_whole(result, rows)}
        everywhere = [
            path for path in sorted(paths) if all(isinstance(value_at(result, path), list) for result in results)
        ]
        return ["", *everywhere]

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
        if sum(isinstance(one, KnownValue) for one in found.values()) > said:
            return None
        return found if any(isinstance(one, Here) and one.place == innermost for one in found.values()) else None

    def _here(self, node: GraphTool, parameter: GraphParameter, loop: Loop, places: Sequence[Place]) -> Here | None:
        """A field of one of the places, the innermost first, that every one of them has."""
        shown = [(self.steps[-1].tool, loop.path), *((one.tool, one.path) for one in loop.rounds)]
        for place in reversed(range(len(shown))):
            source, path = shown[place]
            columns: list[str] = []
            for output in self.walker.outputs(source, node.name, parameter):
                inner = in_list(output)
                column = (inner[1] if inner and inner[0] == path else None) if path else without_lists(output)
                if column and all(value_at(each[place], column) is not None for each in places):
                    columns.append(column)
            if columns:
                kind = kind_of_place(place, loop)
                return Here(place, min(columns, key=lambda column: not names_itself(column, kind)))
        return None

    # -- what it comes to ---------------------------------------------------------------------------------------------

    def _told(self, loop: Loop, places: Sequence[Place]) -> list[Walked]:
        """What is to be told of all of them: what something adds up to, or how many are such."""
        if not loop.rounds or not self._is_long_enough(loop.calls) or len(places) < LEAST_ROWS:
            return []
        if is_met_twice(loop, places):
            return []
        rows = [place[-1] for place in places]
        told = [*self._totals(loop, places, rows), *self._counts(loop, places, rows)]
        return [self._walked(*self.chance.choice(told))] if told else []

    def _totals(self, loop: Loop, places: Sequence[Place], rows: Sequence[Row]) -> Iterator[tuple[Loop, WantedAnswer]]:
        if is_aside(loop.rounds[-1], loop):
            return  # what belongs to something else is not added up
        things = self._things(loop)
        for path in plain_fields(rows):
            values = [
                value for row in rows if isinstance(value := value_at(row, path), int) and not isinstance(value, bool)
            ]
            if len(values) < len(rows) or max(values) <= 1:
                continue
            summed = is_a_sum(path) if kind_of(path, values[0]) == "money" else is_an_amount(path)
            if summed and self._is_news(loop, places, path, sum(values)):
                about = f"The {words(path)} of {things} together"
                yield loop, WantedAnswer(loop.number, "total", path, path, None, sum(values), about)

    def _counts(self, loop: Loop, places: Sequence[Place], rows: Sequence[Row]) -> Iterator[tuple[Loop, WantedAnswer]]:
        last = loop.rounds[-1]
        of_parts: list[Sign | None] = [None] if last.path else []
        for only in [*of_parts, *conditions(rows, last.path)]:
            narrowed = narrow(loop, only)
            count = sum(fits(row, only) for row in rows)
            if not self._is_news(loop, places, only.field if only is not None else "", count):
                continue
            counted = plural(kind_of_place(len(loop.rounds), loop)).replace(" ", "_")
            all_of_them = self._things(narrowed)
            of_mine = all_of_them.startswith("all my ")
            about = f"How many {'of ' if of_mine else ''}{all_of_them.removeprefix('all ')} there are"
            yield narrowed, WantedAnswer(loop.number, "count", counted, "", None, count, about)

    def _is_news(self, loop: Loop, places: Sequence[Place], path: str, value: Json) -> bool:
        """Whether it has to be looked up: nothing that is seen before shows it, or what all of it comes to."""
        if self._is_seen_before(loop, places, path):
            return False
        for depth in range(len(loop.rounds)):
            rows = list({canonical_json(place[depth]): place[depth] for place in places}.values())
            for column in rows[0]:
                numbers = [one for row in rows if isinstance(one := row.get(column), int)]
                if len(numbers) == len(rows) and sum(numbers) == value:
                    return False
        return all(found != value for step in self.steps for _, found in scalars(step.result))

    def _is_seen_before(self, loop: Loop, places: Sequence[Place], path: str) -> bool:
        """Whether the rows themselves, or this field of them, are shown on the way, or by one call that lists them."""
        last, name = loop.rounds[-1], path.rsplit(".", 1)[-1]
        if not last.path and all(
            any(row.get(name) == value_at(place[-1], path) for row in place[:-1]) for place in places
        ):
            return True
        kind = kind_at(last, loop)
        fields = [*names_of(places[0][-1], kind), *([path] if path else [])]
        wanted = {canonical_json([value_at(place[-1], one) for one in fields]) for place in places}
        last_parts = [one.rsplit(".", 1)[-1] for one in fields]
        return len(fields) > bool(path) and any(
            wanted <= {canonical_json([row.get(one) for one in last_parts]) for row in rows}
            for listed, rows in self.known.listed or []
            if listed.endswith(kind) or kind.endswith(listed)
        )

    def _walked(self, loop: Loop, telling: WantedAnswer) -> Walked:
        return Walked(tuple(self.steps), (telling,), loop)

    async def _done_to_each(self, loop: Loop, places: Sequence[Place]) -> list[Walked]:
        """Something that can be done to every one of them that is such, and to no other by the same words."""
        innermost = [place[-1] for place in places]
        path = loop.rounds[-1].path if loop.rounds else loop.path
        already = loop.rounds[-1].only if loop.rounds else loop.only
        choices = [None, *(conditions(innermost, path) if already is None else [])]
        if loop.rounds:
            choices = [only for only in choices if only and not self._is_seen_before(loop, places, only.field)]
        fitting = [
            (only, meant)
            for only in choices
            if len(meant := [place for place in places if fits(place[-1], only)]) >= LEAST_ROWS
            and self._is_long_enough(loop.calls + len(meant))
        ]
        if not fitting or (loop.rounds and is_aside(loop.rounds[-1], loop)):
            return []
        nodes = [node for node in self.context.graph.seen_by("assistant").tools if not node.read_only]
        for node in self.chance.sample(nodes, len(nodes)):
            tool = self.context.tool(node.name)
            if tool.confirmed_by or any(is_dictated(tool, one.name) for one in node.parameters if one.required):
                continue
            for only, meant in fitting:
                arguments = self._arguments(node, loop, meant, 1 if self._is_mine() else 0)
                if arguments is None or is_aside(LoopCall(node.name, arguments), loop):
                    continue
                if not await self._succeeds(node, arguments, meant):
                    continue
                narrowed = narrow(loop, only)
                calls = loop.calls + len(meant)
                return [
                    Walked(tuple(self.steps), (), replace(narrowed, deed=LoopCall(node.name, arguments), calls=calls))
                ]
        return []

    def _things(self, loop: Loop) -> str:
        """All things of the innermost place, as words: “all lines of all orders with the status open”."""
        whose = "my " if self._is_mine() else ""
        said = f"all {whose}{plural(item_noun(loop.path).removeprefix('my '))}{known_by(loop.only, '')}"
        for one in loop.rounds:
            if is_aside(one, loop):
                said += known_by(one.only, f" of the {kind_at(one, loop)}")
            elif one.path:
                said = f"all {plural(kind_at(one, loop))}{known_by(one.only, '')} of {said}"
            else:
                said += known_by(one.only, "")
        return said

    def _is_mine(self) -> bool:
        """Whether the list is of the person's own things: of others nobody has the same to say of each."""
        return "my" in self.steps[-1].tool.split("_")

    async def _succeeds(self, node: GraphTool, arguments: dict[str, Source | Here], places: Sequence[Place]) -> bool:
        """For each of them, in either order, and each changes a row that no other touched."""
        given = [given_arguments(arguments, place) for place in places]
        if len({canonical_json(one) for one in given}) < len(given):
            return False
        key = canonical_json([node.name, given])
        if key not in self.known.succeeded:
            orders = (given, given[::-1])
            self.known.succeeded[key] = all([await self._all_done(node.name, order) for order in orders])
        return self.known.succeeded[key]

    async def _all_done(self, tool: str, calls: Sequence[Row]) -> bool:
        async with await self.context.runtime.fork(self.walker.session) as ahead:
            return await _all_done(ahead, tool, calls)


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
