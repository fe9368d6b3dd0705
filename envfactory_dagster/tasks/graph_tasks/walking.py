"""Walking a chain: every tool of it is called in a session, with values from the person or from what was shown before.

Before a tool that waits for the person comes what the person does, about the same thing.

Belongs here: filling arguments, making the calls, leaving out what is refused or shows nothing, and cutting the walk
down to the steps that serve one purpose. Does not: what is asked for in the end (`asking`).

The order of work must not matter to the person. So what is looked up must look the same at the start, no item may look
like another one once everything is done, and a step that changes rows counts only when it touches a row that no step
before it touched: what is taken back or overwritten at once is no wish.
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from random import Random

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.graph import GraphParameter, GraphTool, ToolGraph
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.tasks.graph_tasks.choosing import choose, meant
from envfactory_dagster.tasks.graph_tasks.dial import Dial
from envfactory_dagster.tasks.graph_tasks.reading import (
    in_list,
    is_id,
    is_whole,
    items_at,
    lists,
    placed,
    scalars,
    value_at,
)
from envfactory_dagster.tasks.graph_tasks.steps import (
    Chosen,
    Item,
    KnownValue,
    Shown,
    Source,
    Walked,
    WalkStep,
    source_step,
)
from envfactory_dagster.tasks.graph_tasks.values import Values
from envfactory_dagster.tasks.sampling import Chain

_TRIES = 8
_AFRESH = 3
"""After so many refusals, other items are chosen than those the task speaks of already."""

Arguments = dict[str, Source]
Row = tuple[str, tuple[str | int | float | bytes | None, ...]]
"""A table and a key."""


@dataclass(frozen=True, slots=True)
class WalkContext:
    """What walks lead through: an environment with its graph, in one initial state."""

    runtime: Runtime
    bundle: Bundle
    graph: ToolGraph
    values: Values
    state: str

    def tool(self, name: str) -> ToolDefinition:
        return next(tool for tool in self.bundle.tools if tool.name == name)


async def walk(context: WalkContext, chain: Chain, dial: Dial, chance: Random) -> list[WalkStep]:
    """The steps of the chain that could be made and serve one purpose, in their order. None when the deeds make the
    words ambiguous, or come out otherwise without those that serve another purpose."""
    async with AsyncExitStack() as sessions:
        start = await sessions.enter_async_context(await context.runtime.open(context.bundle, state=context.state))
        walker = Walker(context, dial, chance, sessions, start, start)
        for name in chain:
            if len(walker.steps) < dial.most_calls:
                await walker.take(name)
        kept = of_one_purpose(context.bundle, walker.steps, dial.most_ends)
        if not await walker.leave_out_all_but(kept):
            return []
        steps = [await walker.looked_up_again(step) for step in kept]
        ambiguous = any(not _still_meant(item, steps) for item in Walked(tuple(steps), ()).items())
        return [] if ambiguous else steps


@dataclass
class Walker:
    context: WalkContext
    dial: Dial
    chance: Random
    sessions: AsyncExitStack
    start: Session
    session: Session
    steps: list[WalkStep] = field(default_factory=list)
    chosen: dict[tuple[int, str], tuple[dict[str, Json], Item]] = field(default_factory=dict)
    """For a list that was shown: the item that the task is about."""
    about: Arguments = field(default_factory=dict)
    """What the person has just done something about, by parameter: what waits for that is about the same."""
    untouched: set[Row] | None = None
    """The rows that had been touched before the person did something; None where they did not."""

    async def take(self, name: str) -> None:
        """Make the step with whatever arguments work; leave it out when none do. What the person has to do for it comes
        before it, and only with it."""
        waits_for = [tool for tool in self.context.tool(name).confirmed_by if self._has(tool)]
        if not waits_for:
            await self._take(name)
            return
        for _ in range(_AFRESH):
            steps, session, chosen = list(self.steps), self.session, dict(self.chosen)
            self.untouched = await self._touched()
            for tool in waits_for:
                await self._take(tool)
            self.about = {path: one for step in self.steps[len(steps) :] for path, one in step.arguments.items()}
            done = await self._take(name)
            self.untouched, self.about = None, {}
            if done:
                return
            self.steps, self.session, self.chosen = steps, session, chosen

    def _has(self, name: str) -> bool:
        return any(tool.name == name for tool in self.context.graph.tools)

    async def _touched(self) -> set[Row]:
        return {(change.table, change.key) for change in await self.session.changes()}

    async def _take(self, name: str) -> bool:
        """Whether the step could be made."""
        node = next(tool for tool in self.context.graph.tools if tool.name == name)
        tried: list[dict[str, Json]] = []
        for number in range(_TRIES):
            known = dict(self.chosen) if number < _AFRESH else {}
            arguments = self._arguments(node, known)
            if arguments is None:
                return False
            given = placed({path: source.value for path, source in arguments.items()})
            if given in tried:
                continue
            tried.append(given)
            step = await self._made(node, arguments, given)
            if step is not None:
                self.steps.append(step)
                self.chosen |= known
                return True
        return False

    async def _made(self, node: GraphTool, arguments: Arguments, given: dict[str, Json]) -> WalkStep | None:
        number = self.steps[-1].number + 1 if self.steps else 1
        if node.read_only:
            shown, at_first = [await self._call(session, node, given) for session in (self.session, self.start)]
            usable = _shows(shown) and shown.value == at_first.value
            return WalkStep(number, node.name, arguments, shown.value, False) if usable else None
        ahead = await self.sessions.enter_async_context(await self.context.runtime.fork(self.session))
        # What the person does is there for what comes after it: together they have to touch something new.
        before = await self._touched() if self.untouched is None else self.untouched
        result = await self._call(ahead, node, given)
        if not result.ok:
            return None
        touched = {(change.table, change.key) for change in await ahead.changes()}
        if node.principal == "assistant" and not touched - before:
            return None
        self.session = ahead
        return WalkStep(number, node.name, arguments, result.value, True)

    async def _call(self, session: Session, node: GraphTool, given: dict[str, Json]) -> CallResult:
        return await session.call(node.name, given, principal=node.principal)

    async def leave_out_all_but(self, kept: Sequence[WalkStep]) -> bool:
        """Come to where these steps alone lead: what the others changed is not there. Whether it could be: not when a
        step comes out otherwise without them."""
        if all(step in kept for step in self.steps if step.changes):
            return True
        self.session = await self.sessions.enter_async_context(await self.context.runtime.fork(self.start))
        for step in kept:
            if step.changes:
                principal = self.context.tool(step.tool).principal
                result = await self.session.call(step.tool, _given(step), principal=principal)
                if not result.ok or result.value != step.result:
                    return False
        return True

    async def looked_up_again(self, step: WalkStep) -> WalkStep:
        """The step with what it shows in the end."""
        if step.changes:
            return step
        return replace(step, afterwards=(await self.session.call(step.tool, _given(step))).value)

    # -- arguments ----------------------------------------------------------------------------------------------------

    def _arguments(
        self, node: GraphTool, known: dict[tuple[int, str], tuple[dict[str, Json], Item]]
    ) -> Arguments | None:
        """A value for everything that is required and for some of the rest; None when something cannot be had. `known`
        are the items chosen so far, and gains those that are chosen here."""
        found: Arguments = {}
        for parameter in node.parameters:
            if not parameter.required and not self._is_worth_giving(node, parameter):
                continue
            source = self.source(node, parameter, known)
            if source is not None:
                found[parameter.name] = source
            elif parameter.required:
                return None
        return found

    def source(
        self, node: GraphTool, parameter: GraphParameter, known: dict[tuple[int, str], tuple[dict[str, Json], Item]]
    ) -> Source | None:
        """Where one value comes from."""
        if parameter.name in self.about:
            return self.about[parameter.name]
        if parameter.internal:
            return self._told(node, parameter, known)
        return self._seen_by_the_person(node, parameter) or self._said(node, parameter)

    def _is_worth_giving(self, node: GraphTool, parameter: GraphParameter) -> bool:
        """Now and then; of a list only what narrows it, which is not its order."""
        if self.chance.random() >= self.dial.optional:
            return False
        return not node.read_only or self.context.values.narrows(node.name, parameter.name)

    def _said(self, node: GraphTool, parameter: GraphParameter) -> Source | None:
        if is_id(parameter.name):
            return None  # no person says the number of a row
        value = self.context.values.likely(self.context.tool(node.name), parameter.name, self.chance)
        return None if value is None else KnownValue(value)

    def _seen_by_the_person(self, node: GraphTool, parameter: GraphParameter) -> Source | None:
        """What the person was shown when they did their part: a code, a receipt number."""
        for step in reversed(self.steps):
            if self.context.tool(step.tool).principal == "user":
                for output in self.outputs(step.tool, node.name, parameter):
                    value = value_at(step.result, output)
                    if value is not None:
                        return Shown(step.number, output, value)
        return None

    def _told(
        self, node: GraphTool, parameter: GraphParameter, known: dict[tuple[int, str], tuple[dict[str, Json], Item]]
    ) -> Source | None:
        """From one of the earlier steps that tell it; those before the last write only when nothing else does."""
        places = [(step, output) for step in self.steps for output in self.outputs(step.tool, node.name, parameter)]
        about = [place for place in places if (split := in_list(place[1])) and (place[0].number, split[0]) in known]
        for step, output in [*reversed(about), *self.chance.sample(places, len(places))]:
            source = self._from(step, output, known)
            if source is not None:
                return source
        return None

    def outputs(self, source: str, target: str, parameter: GraphParameter) -> Sequence[str]:
        edges = [edge for edge in self.context.graph.edges if (edge.source, edge.target) == (source, target)]
        return [link.output for edge in edges for link in edge.links if link.parameter == parameter.name]

    def _from(
        self, step: WalkStep, output: str, known: dict[tuple[int, str], tuple[dict[str, Json], Item]]
    ) -> Source | None:
        place = in_list(output)
        if place is None:
            value = value_at(step.result, output)
            return None if value is None or "[]" in output else Shown(step.number, output, value)
        path, column = place
        if (step.number, path) not in known:
            items = items_at(step.result, path)
            obscured = self.dial.obscured and is_whole(step.result, items)
            found = choose(items, obscured, self.chance) if any(row.get(column) is not None for row in items) else None
            if found is None:
                return None
            known[step.number, path] = found[0], Item(step.number, path, found[1])
        row, item = known[step.number, path]
        value = row.get(column)
        return None if value is None else Chosen(item, column, value)


def _given(step: WalkStep) -> dict[str, Json]:
    return placed({path: source.value for path, source in step.arguments.items()})


def _still_meant(item: Item, steps: Sequence[WalkStep]) -> bool:
    """Whether the signs fit no other item in the end than they did when it was looked up."""
    step = next(step for step in steps if step.number == item.step)
    before, after = (meant(item, items_at(shown, item.path)) for shown in (step.result, step.afterwards))
    return not after or [row.get("id") for row in after] == [row.get("id") for row in before]


def _shows(result: CallResult) -> bool:
    """Whether there is anything to go on with. What was cut cannot be chosen from with certainty."""
    if not result.ok or result.note is not None:
        return False
    return any(items for _, items in lists(result.value)) or any(
        value is not None for _, value in scalars(result.value)
    )


def of_one_purpose(bundle: Bundle, steps: Sequence[WalkStep], most_ends: int) -> list[WalkStep]:
    """A walk over the tool graph strings unrelated calls together.

    Keep the end that needs most steps, further ends (at most `most_ends` in all) that are about one of the same
    items, and the steps that these need."""
    led_to = {step.number: _steps_behind(bundle, step, steps) for step in _ends(steps)}
    if not led_to:
        return []
    first, *others = sorted(led_to, key=lambda number: -len(led_to[number]))
    kept, ends = led_to[first], 1
    for number in others:
        if ends < most_ends and _items(steps, led_to[number]) & _items(steps, kept):
            kept, ends = kept | led_to[number], ends + 1
    return [step for step in steps if step.number in kept]


def _ends(steps: Sequence[WalkStep]) -> list[WalkStep]:
    """The steps that change something, and those whose results no later step uses."""
    used = Walked(tuple(steps), ()).used()
    return [step for step in steps if step.changes or step.number not in used]


def _steps_behind(bundle: Bundle, end: WalkStep, steps: Sequence[WalkStep]) -> frozenset[int]:
    """The numbers of the steps that this end needs, itself included: those it takes values from, the confirmations by
    the person that its tool waits for, and the steps that these need."""
    numbered = {step.number: step for step in steps}
    waits_for = {tool.name: set(tool.confirmed_by) for tool in bundle.tools}
    found, ahead = set[int](), [end]
    while ahead:
        step = ahead.pop()
        if step.number in found:
            continue
        found.add(step.number)
        sources = {source_step(source) for source in step.arguments.values()}
        ahead += [numbered[number] for number in sources if number in numbered]
        ahead += [one for one in steps if one.number < step.number and one.tool in waits_for[step.tool]]
    return frozenset(found)


def _items(steps: Sequence[WalkStep], numbers: frozenset[int]) -> set[Item]:
    return set(Walked(tuple(step for step in steps if step.number in numbers), ()).items())
