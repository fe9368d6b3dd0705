"""The worlds that are shown to whoever invents others: good ones, and as different as the pool has them.

Belongs here: the choice. Does not: the question they are shown in (`proposals`, `supply`).
"""

import random
from collections import Counter
from collections.abc import Sequence

from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.requests import ThemeProposal

EXAMPLES = 8
GOOD = 0.8
"""A suitability from which a world is an example to others."""


def examples_from(taken: Sequence[PooledProposal], turn: str) -> list[ThemeProposal]:
    """Eight at most. First one of each category and kind of source, then others; other ones at every `turn`, and the
    same ones whenever a turn is repeated, so that the question has its stored answer."""
    good = [one for one in taken if one.suitability >= GOOD and not (one.document and one.document.mirror)]
    chance = random.Random(turn)
    chance.shuffle(good)
    chosen: list[PooledProposal] = []
    categories, kinds = Counter[str](), Counter[str]()
    while good and len(chosen) < EXAMPLES:
        # Ties go to the better one, and among equals to chance.
        best = min(good, key=lambda one: (categories[one.proposal.category], kinds[one.source.kind], -one.suitability))
        good.remove(best)
        chosen.append(best)
        categories[best.proposal.category] += 1
        kinds[best.source.kind] += 1
    return [one.proposal.model_copy(update={"reference": ""}) for one in chosen]
