"""How environments are authored: sizes, counts, how often a model may try again.

Belongs here: the numbers every stage reads. Does not: models, keys and budgets (`language.settings`).
"""

from dataclasses import asdict, dataclass, field

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.domain import Size

LEAST = {
    # size: tables, rows in each state, tools
    "small": (3, 15, 5),
    "full": (12, 90, 20),
}
"""What a single environment must have; the means over many are higher."""


RULES = {"small": 4, "full": 5}


@dataclass(frozen=True, slots=True)
class AuthoringSettings:
    size: Size = "full"
    tasks: int = 10
    rules_asked: int | None = None
    """None: as many as usual for the size."""
    states: tuple[str, ...] = ("initial", "second")
    attempts: int = 5
    models: dict[str, str] = field(default_factory=dict)
    """Role → model: another model makes another artifact, so it is part of every stage's memo."""
    least_tasks: int = 5
    """The environment is rejected when fewer tasks than this have a reference solution and a verifier."""

    @property
    def rules(self) -> int:
        return RULES[self.size] if self.rules_asked is None else self.rules_asked

    @property
    def least_tables(self) -> int:
        return LEAST[self.size][0]

    @property
    def least_rows(self) -> int:
        return LEAST[self.size][1]

    @property
    def least_tools(self) -> int:
        return LEAST[self.size][2]

    def hash_for(self, stage: str, *, drops_tasks: bool = False) -> str:
        """`drops_tasks`: whether the stage gives up single tasks, so that it matters how many must be left."""
        settings = asdict(self)
        if not drops_tasks:
            del settings["least_tasks"]
        return content_hash([stage, settings])
