"""How much mining may take, and how much has to come of it."""

from dataclasses import asdict, dataclass

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.domain import Size

LEAST: dict[Size, tuple[int, int]] = {"small": (2, 15), "full": (3, 90)}
"""Collections, and records in all of them."""


@dataclass(frozen=True, slots=True)
class MiningSettings:
    steps: int = 40
    """Of one round."""
    tokens: int = 400_000
    """Of one environment, all rounds together."""
    opened: int = 20
    """How many documents may be opened."""
    growth_rounds: int = 2
    """How often what was mined is enriched."""
    least_grounded: float = 0.9
    most_invented: float = 0.4

    def hash_with(self, authoring: AuthoringSettings) -> str:
        return content_hash([authoring.hash_for("mined_data"), asdict(self)])
