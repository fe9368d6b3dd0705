"""How many tasks are made from programs, and how hard they are to be.

Belongs here: the numbers. Does not: models and attempts (`authoring.settings`).
"""

from dataclasses import dataclass
from typing import get_args

from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.contracts.program_tasks import Pattern

PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
LEAST = {1: (2, 1), 2: (3, 2), 3: (4, 2), 4: (6, 3), 5: (9, 3)}
"""Level → calls that the solution makes at least, and different tools among them."""


TASKS: dict[Size, int] = {"small": 3, "full": 5}
LEVELS: dict[Size, tuple[int, ...]] = {"small": (1, 2), "full": (2, 3, 3, 4)}


@dataclass(frozen=True, slots=True)
class ProgramTaskSettings:
    """None: as many, and as hard, as suits the size of an environment."""

    tasks: int | None = None
    """So many are asked for; some of them are given up."""
    levels: tuple[int, ...] | None = None
    """The levels of the tasks, in turn."""

    def count(self, size: Size) -> int:
        return TASKS[size] if self.tasks is None else self.tasks

    def level(self, number: int, size: Size) -> int:
        levels = self.levels or LEVELS[size]
        return levels[(number - 1) % len(levels)]
