"""What all trials of one module share: the sandbox, the bundle in it, the rows, and what the other tools do.

Belongs here: the states that trials start from, and what one tool may be expected to do because its siblings do it.
Does not: any trial (`trial`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from envfactory_dagster.authoring.trials.keys import Keys, guards, owner_columns
from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import GivenRow, ToolDefinition, ToolEdge, ToolTest
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime.facts import ColumnRef, Schema, ToolFact
from envfactory_dagster.runtime.runtime import Runtime

EXCHANGED = "exchanged"
"""The state in which the user's rows belong to somebody else."""
MOST_EDGES = 24
"""Of a tool that are tried: each may ask for a state of its own. Authors are asked for half as many."""
_LONGEST_NAMED = 30
LEAST_SIBLINGS = 2
"""How many other tools must guard a table's rows before one that does not is taken to have forgotten it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A state that calls of a tool are made in, and the same state where the user's rows belong to somebody else."""

    state: str
    world: WorldRows
    exchanged_state: str
    exchanged: WorldRows | None


@dataclass(frozen=True)
class ModuleUnderTrial:
    """One module on its bench."""

    runtime: Runtime
    bundle: Bundle
    """With more states than the author gave it: see `of`."""
    world: WorldRows
    exchanged: WorldRows | None
    facts: Mapping[str, ToolFact]
    other_states: Sequence[str]
    """Those that the author gave, but for the first."""
    impossible: Mapping[str, str]
    """The states of tools and edges that the database refuses, and why."""
    places: Mapping[str, Place]
    """Tool → where its good call is made, for tools whose author gave other rows for it."""

    @classmethod
    async def of(
        cls,
        runtime: Runtime,
        bundle: Bundle,
        schema: Schema,
        facts: Mapping[str, ToolFact],
        tests: Mapping[str, ToolTest | ToolFunction],
    ) -> "ModuleUnderTrial":
        """With one more state in which the user is somebody else, and one for each good call and each edge that asks
        for other rows."""
        initial = bundle.states[INITIAL_STATE]
        world = WorldRows(Keys(schema), initial.image)
        exchanged, states, impossible = await world.exchanged(runtime), dict(bundle.states), dict[str, str]()
        if exchanged is not None:
            states[EXCHANGED] = State(exchanged.image, initial.clock)
        places = dict[str, Place]()

        async def give(name: str, given: Sequence[GivenRow]) -> State | None:
            try:
                image = await databases.with_rows_given(runtime, initial.image, given)
            except EnvironmentFault as fault:
                impossible[name] = str(fault)
                return None
            states[name] = State(image, initial.clock)
            return states[name]

        for tool, test in tests.items():
            name = state_of_test(tool, test)
            if name not in states and (state := await give(name, test.given)) is not None:
                its = WorldRows(world.keys, state.image)
                other = await its.exchanged(runtime)
                if other is not None:
                    states[f"{name}_{EXCHANGED}"] = State(other.image, initial.clock)
                places[tool] = Place(name, its, f"{name}_{EXCHANGED}", other)
            for number, edge in enumerate(test.edges[:MOST_EDGES]):
                name = state_of_edge(tool, number, edge)
                if name not in states:
                    await give(name, edge.given)
        others = [name for name in bundle.states if name != INITIAL_STATE]
        return cls(runtime, replace(bundle, states=states), world, exchanged, facts, others, impossible, places)

    @cached_property
    def start(self) -> Place:
        """Where the good calls of all other tools are made: the first state as it is."""
        return Place(INITIAL_STATE, self.world, EXCHANGED, self.exchanged)

    @cached_property
    def owners(self) -> dict[str, set[ColumnRef]]:
        return owner_columns(self.facts, self.world.keys)

    def guarded(self, tool: ToolDefinition) -> set[ColumnRef]:
        """The owners that every other tool of this kind looks at that takes a row of the same table."""
        keys, found = self.world.keys, set[ColumnRef]()
        for owners in self.owners.values():
            owner = min(owners)
            others = [other for other in self._taking(owner.table, tool.annotations.readOnlyHint) if other != tool.name]
            alike = len(others) >= LEAST_SIBLINGS and len(owners) == 1
            if alike and all(owner in guards(self.facts[other], keys) for other in others):
                found.add(owner)
        return found

    def _taking(self, table: str, reads: bool) -> list[str]:
        """The tools that name one row of the table by its key."""
        return [
            tool.name
            for tool in self.bundle.tools
            if tool.annotations.readOnlyHint is reads and _takes(self.facts[tool.name], table, self.world.keys)
        ]


def state_of_test(tool: str, test: ToolTest | ToolFunction) -> str:
    """The name of the state in which the good call of a tool is made."""
    return f"{_named(tool)}_at_its_call" if test.given else INITIAL_STATE


def state_of_edge(tool: str, number: int, edge: ToolEdge) -> str:
    """The name of the state in which the call at an edge is made."""
    return f"{_named(tool)}_at_edge_{number}" if edge.given else INITIAL_STATE


def _named(tool: str) -> str:
    """A tool in the name of a state. A name such as `getHut` cannot be part of one as it is."""
    named = tool.lower()[:_LONGEST_NAMED]
    return named if named == tool else f"{named}_{content_hash(tool)[:8]}"


def _takes(fact: ToolFact, table: str, keys: Keys) -> bool:
    chosen = (use.column for use in fact.uses if use.use == "filter" and not use.source.startswith("@"))
    return any(column.table == table and keys.names_one_row(column) for column in chosen)
