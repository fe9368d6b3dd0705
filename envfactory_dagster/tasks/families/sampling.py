"""Fresh tasks: as many as are wanted, of a chosen difficulty, each gated when it is drawn.

Belongs here: whose turn it is, which gate a draw goes through, and counting what was left out. Does not: drawing and
gates (`drawing`, `gate`).
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.families import TaskFamily
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.runtime.bundle_facts import facts_of
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.authored import difficulty
from envfactory_dagster.tasks.families.acceptance import problems_of_module
from envfactory_dagster.tasks.families.drawing import STAGE, DrawnTask, draw, with_states
from envfactory_dagster.tasks.families.gate import PROVEN_INSTANCES, check_when_drawn, prove
from envfactory_dagster.truth.execution import run_solution

WHOLLY_EVERY = 20
"""One draw in so many goes through the whole gate, whatever its family has stood."""
AT_ONCE = 8
_LEAST_TRIED = 200
_GIVEN_UP_AFTER = 20
"""A family whose draws fail so often in a row is not drawn from any more."""
_TRIED_FOR_EACH = 10
"""So many draws are tried for each task that is wanted, before there are said to be no more."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """Tasks that were drawn, and the bundle that they can be played in: its own tasks are these."""

    bundle: Bundle
    tasks: list[MadeTask]
    dropped: list[Dropped]
    """Draws that stood no gate, with the reason."""
    of_other_levels: int
    wholly: int
    """How many of the draws went through the whole gate."""
    escapes: list[str]
    """Draws of the whole gate that the short one would have let through, and that did not stand it."""

    def summary(self) -> dict[str, int]:
        return {
            "tasks": len(self.tasks),
            "dropped": len(self.dropped),
            "of_other_levels": self.of_other_levels,
            "wholly_gated": self.wholly,
            "draw_gate_escapes": len(self.escapes),
        }


async def fresh_tasks(
    runtime: Runtime,
    bundle: Bundle,
    count: int,
    seed: int = 0,
    *,
    families: Sequence[str] = (),
    level: int | None = None,
    wholly: bool = False,
) -> Fresh:
    """Tasks of these families (by default of all), as many of each. The same arguments give the same tasks. There are
    fewer where the families have no more, or hardly any of this level. `wholly`: all go through the whole gate."""
    if count < 1 or seed < 0:
        raise UsageError("At least one task is drawn, and a seed is 0 or more.")
    if level is not None and not 1 <= level <= 8:
        raise UsageError(f"Levels of difficulty go from 1 to 8; {level} is none.")
    drawing = _Drawing(runtime, bundle, [_family(bundle, name) for name in families or bundle.families], seed, level)
    if not drawing.families:
        raise UsageError(
            f"{bundle.key} has no task families to draw from: `envfactory show {bundle.key} --stage task_families` "
            "says why. The example alpine-huts has ten."
        )
    try:
        return await drawing.run(count, wholly)
    finally:
        drawing.retire()


def _family(bundle: Bundle, name: str) -> TaskFamily:
    if name not in bundle.families:
        known = ", ".join(bundle.families) or "none"
        raise UsageError(f"{bundle.key} has no task family {name!r}; it has: {known}.")
    family = bundle.families[name]
    if problems := problems_of_module(family):
        raise UsageError(f"The task family {name} of {bundle.key} is none: {problems[0].message}")
    return family


@dataclass(frozen=True, slots=True)
class _Tried:
    """What became of one draw."""

    drawn: DrawnTask
    made: MadeTask | list[Problem] | None
    wholly: bool
    escaped: bool


@dataclass
class _Drawing:
    """Draws of several families in turn, a few of them in the gates at once."""

    runtime: Runtime
    bundle: Bundle
    families: list[TaskFamily]
    seed: int
    level: int | None
    tasks: list[MadeTask] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    of_other_levels: int = 0
    wholly: int = 0
    escapes: list[str] = field(default_factory=list)
    opened: list[Bundle] = field(default_factory=list)
    failed_in_a_row: Counter[str] = field(default_factory=Counter)

    async def run(self, count: int, wholly: bool) -> Fresh:
        facts = facts_of(self.bundle)
        most = max(_LEAST_TRIED, _TRIED_FOR_EACH * count)
        bundle = self.bundle
        tried = 0
        async for draws in self._chunks(count):
            tasks = [one for one in draws if isinstance(one, DrawnTask) and not self._is_given_up(one.family)]
            self._drop([one for one in draws if isinstance(one, Dropped)])
            here, ready, refused = await with_states(self.runtime, self.bundle, tasks)
            self._drop(refused)
            if here is not self.bundle:
                self.opened.append(here)
            found = await asyncio.gather(*(self._try(here, one, facts, wholly) for one in ready))
            for one in found:
                self._take(one, count)
            states = {
                one.task.state: here.states[one.task.state] for one in self.tasks if one.task.state in here.states
            }
            bundle = bundle.with_states(states)
            tried += len(draws)
            if len(self.tasks) >= count or tried >= most:
                break
        return Fresh(
            bundle=playable(bundle, self.tasks),
            tasks=self.tasks,
            dropped=self.dropped,
            of_other_levels=self.of_other_levels,
            wholly=self.wholly,
            escapes=self.escapes,
        )

    async def _chunks(self, count: int) -> AsyncIterator[list[DrawnTask | Dropped]]:
        """The draws of all families in turn, a few at a time. Each time more are drawn than before, of which the first
        are those that were seen."""
        seen: Counter[str] = Counter()
        most = -(-count // len(self.families)) + 4
        left = list(self.families)
        while left:
            streams: list[list[DrawnTask | Dropped]] = []
            for family in list(left):
                try:
                    drawn = await draw(self.runtime, self.bundle, family, self.seed, most)
                except EnvironmentFault as fault:
                    self.dropped.append(Dropped(task=family.name, reason=str(fault), stage=STAGE))
                    left.remove(family)
                    continue
                streams.append(drawn.draws[seen[family.name] :])
                seen[family.name] = len(drawn.draws)
                if drawn.ended:
                    left.remove(family)
            waiting = list(_in_turn(streams))
            start = 0
            while start < len(waiting):
                missing = count - len(self.tasks) if self.level is None else AT_ONCE
                yield waiting[start : (start := start + max(1, min(AT_ONCE, missing)))]
            left = [family for family in left if not self._is_given_up(family)]
            most *= 2

    def _is_given_up(self, family: TaskFamily) -> bool:
        return self.failed_in_a_row[family.name] >= _GIVEN_UP_AFTER

    async def _try(self, bundle: Bundle, drawn: DrawnTask, facts: ToolFacts, wholly: bool) -> _Tried:
        proven = drawn.family.proven
        trusted = proven is not None and proven.instances >= PROVEN_INSTANCES and not wholly
        if proven is None or not trusted:
            return await self._wholly(bundle, drawn, facts, False)
        short = await check_when_drawn(self.runtime, bundle, drawn, proven, facts, self.level)
        if drawn.number % WHOLLY_EVERY != 1 or not isinstance(short, MadeTask):
            return _Tried(drawn, short, False, False)
        return await self._wholly(bundle, drawn, facts, True)

    async def _wholly(self, bundle: Bundle, drawn: DrawnTask, facts: ToolFacts, passed_short: bool) -> _Tried:
        if self.level is not None and not passed_short:
            run = await run_solution(self.runtime, bundle, drawn.task, drawn.solution, drawn.form)
            if run.error is None and difficulty(run.calls, facts).level != self.level:
                return _Tried(drawn, None, False, False)
        made = await prove(self.runtime, bundle, drawn, facts)
        return _Tried(drawn, made, True, passed_short and isinstance(made, list))

    def _take(self, one: _Tried, count: int) -> None:
        self.wholly += one.wholly
        if one.escaped:
            self.escapes.append(one.drawn.task.id)
        failed = isinstance(one.made, list)
        self.failed_in_a_row[one.drawn.family.name] = failed * (self.failed_in_a_row[one.drawn.family.name] + 1)
        if isinstance(one.made, list):
            reason = one.made[0].message
            self.dropped.append(Dropped(task=one.drawn.task.id, reason=reason, stage=STAGE))
        elif one.made is None:
            self.of_other_levels += 1
        elif len(self.tasks) < count:
            self.tasks.append(one.made)

    def _drop(self, dropped: Sequence[Dropped]) -> None:
        """Draws that are no task at all."""
        self.dropped += dropped
        for one in dropped:
            self.failed_in_a_row[one.task.rsplit(f"_s{self.seed}_", 1)[0]] += 1

    def retire(self) -> None:
        for bundle in self.opened:
            self.runtime.retire(bundle)


def _in_turn(streams: Sequence[Sequence[DrawnTask | Dropped]]) -> Iterator[DrawnTask | Dropped]:
    for place in range(max(map(len, streams), default=0)):
        yield from (stream[place] for stream in streams if place < len(stream))


def playable(bundle: Bundle, tasks: Sequence[MadeTask]) -> Bundle:
    """The bundle with these tasks instead of its own."""
    return replace(
        bundle,
        tasks=[one.task for one in tasks],
        solutions={one.task.id: one.solution.source for one in tasks},
        verifiers={one.task.id: one.verifier.verifier.source for one in tasks},
        answer_forms={one.task.id: one.solution.form for one in tasks},
        conversations={},
    )
