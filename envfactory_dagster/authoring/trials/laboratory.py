"""What all trials of one module share: the sandbox, the bundle in it, the rows, and what the other tools do.

Belongs here: what one tool may be expected to do because its siblings do it. Does not: any trial (`trial`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from envfactory_dagster.authoring.trials.keys import Keys, guards, owner_columns
from envfactory_dagster.authoring.trials.world import World
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.facts import ColumnRef, ToolFact
from envfactory_dagster.runtime.runtime import Runtime

EXCHANGED = "exchanged"
"""The state in which the user's rows belong to somebody else."""
LEAST_SIBLINGS = 2
"""How many other tools must guard a table's rows before one that does not is taken to have forgotten it."""


@dataclass(frozen=True)
class Laboratory:
    """One module on its bench."""

    runtime: Runtime
    bundle: Bundle
    world: World
    exchanged: World | None
    facts: Mapping[str, ToolFact]

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


def _takes(fact: ToolFact, table: str, keys: Keys) -> bool:
    chosen = (use.column for use in fact.uses if use.use == "filter" and not use.source.startswith("@"))
    return any(column.table == table and keys.names_one_row(column) for column in chosen)
