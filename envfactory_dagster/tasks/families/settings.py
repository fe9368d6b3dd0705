"""How many task families an environment is to have.

Belongs here: the numbers. Does not: models and attempts (`authoring.settings`).
"""

from dataclasses import dataclass

from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.tasks.families.gate import PROVEN_INSTANCES

FAMILIES: dict[Size, int] = {"small": 4, "full": 12}
ASKED_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class FamilySettings:
    families: int | None = None
    """So many are asked for; None: as many as suits the size of an environment."""
    instances: int = PROVEN_INSTANCES
    """So many of each are tried."""

    def batches(self, size: Size) -> list[int]:
        """How many are asked for in each question."""
        left = FAMILIES[size] if self.families is None else self.families
        return [min(ASKED_AT_ONCE, left - start) for start in range(0, left, ASKED_AT_ONCE)]
