"""Which environments a round is about: as many of each category, drawn by the name of the round.

Belongs here: the draw. Does not: what the category of an environment is, and its tasks (both `round_tasks`).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from envfactory_dagster.contracts.base import content_hash

SEEDS = 1_000_000


@dataclass(frozen=True, slots=True)
class DrawSettings:
    per_category: int = 5
    """K; a category with fewer is taken whole."""
    carried: int = 1
    """The number taken over from the round before, so that rounds can be compared."""


def drawn(
    round_key: str, category_of: Mapping[str, str], before: Collection[str], settings: DrawSettings
) -> dict[str, Sequence[str]]:
    """Category → the environments that are drawn. `before`: those of the round before."""
    members: defaultdict[str, list[str]] = defaultdict(list)
    for key in sorted(category_of, key=lambda key: content_hash([round_key, key])):
        members[category_of[key]].append(key)
    return {category: _of_one(members[category], before, settings) for category in sorted(members)}


def _of_one(keys: Sequence[str], before: Collection[str], settings: DrawSettings) -> list[str]:
    carried = [key for key in keys if key in before][: settings.carried]
    others = [key for key in keys if key not in carried]
    return [*carried, *others][: settings.per_category]


def seed_of(round_key: str) -> int:
    """Of the tasks that are drawn for a round."""
    return int(content_hash(["tasks", round_key])[:12], 16) % SEEDS
