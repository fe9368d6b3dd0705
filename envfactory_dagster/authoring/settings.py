"""How environments are authored: sizes, counts, how often a model may try again.

Belongs here: the numbers every stage reads. Does not: models, keys and budgets (`language.settings`).
"""

from dataclasses import asdict, dataclass, field

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.domain import Size

LEAST = {
    # size: tables, rows in each state, tools
    "small": (3, 20, 5),
    "full": (12, 90, 20),
}
"""What a single environment must have; the means over many are higher."""


@dataclass(frozen=True, slots=True)
class AuthoringSettings:
    size: Size = "full"
    tasks: int = 10
    rules: int = 5
    states: tuple[str, ...] = ("initial", "second")
    attempts: int = 5
    models: dict[str, str] = field(default_factory=dict)
    """Role → model: another model makes another artifact, so it is part of every stage's memo."""

    @property
    def least_tables(self) -> int:
        return LEAST[self.size][0]

    @property
    def least_rows(self) -> int:
        return LEAST[self.size][1]

    @property
    def least_tools(self) -> int:
        return LEAST[self.size][2]

    def hash_for(self, stage: str) -> str:
        return content_hash([stage, asdict(self)])
