"""What discovery is held to: thresholds, caps, and the categories it tries to cover.

Belongs here: numbers and names a user may change. Does not: models and budgets (`language.settings`).
"""

from dataclasses import dataclass

from envfactory_dagster.contracts.errors import UsageError

CATEGORIES = (
    "Agriculture and gardens",
    "Arts and culture",
    "Automotive and mobility",
    "Banking and payments",
    "Business services",
    "Care and volunteering",
    "Charities and civic groups",
    "Construction and trades",
    "Culture, events and venues",
    "Education and training",
    "Energy and utilities",
    "Environment and nature",
    "Government and permits",
    "Health and clinics",
    "Home and garden",
    "Hospitality and food",
    "Insurance",
    "Legal",
    "Logistics and delivery",
    "Manufacturing",
    "Media and publishing",
    "Pets and veterinary",
    "Real estate",
    "Retail and marketplaces",
    "Science and laboratories",
    "Smart buildings and homes",
    "Sports and fitness",
    "Technology",
    "Travel and transport",
)
"""First-tier categories. A pool may come to hold others too; these are the ones whose absence counts as a gap."""


@dataclass(frozen=True, slots=True)
class DiscoverySettings:
    suitability: float = 0.6
    """Proposals that score less are not taken."""
    task_score: int = 5
    """Tasks whose service scores less, from 1 to 10, for usefulness or for modelability make no world."""
    similarity: float = 0.85
    """Cosine from which a proposal is a near duplicate."""
    category_share: float = 0.08
    """The most that one category may hold of the pool."""
    category_floor: int = 5
    """What a category may hold in any case, so that a small pool can start."""
    attempts: int = 3
    """How often a model may answer one question."""
    categories: tuple[str, ...] = CATEGORIES
    reads_sources: bool = True
    """False: whoever proposes worlds reads none, so that they wait for somebody who does."""

    def __post_init__(self) -> None:
        for name in ("suitability", "similarity", "category_share"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise UsageError(f"{name} of discovery is {getattr(self, name)}; it must lie between 0 and 1")
        if self.category_floor < 1 or self.attempts < 1:
            raise UsageError("category_floor and attempts of discovery must be 1 or more")
