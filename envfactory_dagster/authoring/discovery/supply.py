"""What the next round decides about: what waits in reserve, then unread sources, then new inventions.

Belongs here: the order of the three, steering inventions to categories that are thin, and the worlds that inventors
are shown. Does not: reading (`reading`), verdicts (`judging`).
"""

import asyncio
import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from envfactory_dagster.authoring.discovery import proposals as ask
from envfactory_dagster.authoring.discovery.judging import ProposalDraft, ProposalSupply, category_has_room
from envfactory_dagster.authoring.discovery.pool import Round, ThemePool
from envfactory_dagster.authoring.discovery.reading import NAMES_SHOWN, UnreadEntries, drafts_from
from envfactory_dagster.authoring.discovery.settings import DiscoverySettings
from envfactory_dagster.authoring.discovery.source_folders import KINDS
from envfactory_dagster.contracts.domain import ThemeSource
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.requests import ThemeProposal, ThemeProposalsContext
from envfactory_dagster.language.gateway import Gateway

EXAMPLES = 8
GOOD = 0.8
"""A suitability from which a world is an example to others."""


CHUNKS_AT_ONCE = len(KINDS)
"""One of every kind, so that none waits for another round."""
INVENTIONS_AT_ONCE = 5
USED_PER_SOURCE_QUESTION = 4
CATEGORIES_PER_QUESTION = 3
INVENTED_PER_QUESTION = 12
PATIENCE = 2
"""A category is dropped for the rest of the run after this many rounds that brought nothing for it."""


class Supplier:
    """Of one run. `categories`: invent in these only, and read no sources; none: wherever the pool is thin."""

    def __init__(
        self, gateway: Gateway, pool: ThemePool, settings: DiscoverySettings, categories: Sequence[str] = ()
    ) -> None:
        self._gateway = gateway
        self._pool = pool
        self._settings = settings
        self._only = tuple(categories)
        self._sources = UnreadEntries(pool)
        self._fruitless: Counter[str] = Counter()
        self._asked: set[str] = set()

    async def next(self, missing: int) -> ProposalSupply | None:
        """Something to decide about; None when there is nothing left anywhere."""
        self._asked = set()
        waiting = [c for c in self._pool.reserve.values() if self._is_wanted(c.proposal.category)]
        if waiting:
            return ProposalSupply(reserve=waiting[:missing])
        if self._settings.reads_sources and not self._only:
            chunks = self._sources.chunks(min(CHUNKS_AT_ONCE, math.ceil(missing / USED_PER_SOURCE_QUESTION)))
            if chunks:
                parts = [drafts_from(self._gateway, self._pool, self._settings, chunk) for chunk in chunks]
                return _joined(await asyncio.gather(*parts))
        return await self._inventions(missing)

    def learn(self, made: Round) -> None:
        """Note which of the categories asked for brought nothing."""
        fruitful = {pooled.proposal.category for pooled in made.taken}
        for category in self._asked:
            came = bool(fruitful) if category == "" else category in fruitful
            self._fruitless[category] = 0 if came else self._fruitless[category] + 1

    def _is_wanted(self, category: str) -> bool:
        within = not self._only or category in self._only
        return within and category_has_room(self._pool, self._settings, category)

    async def _inventions(self, missing: int) -> ProposalSupply | None:
        groups = self._gaps(min(INVENTIONS_AT_ONCE, math.ceil(missing / (INVENTED_PER_QUESTION // 2))))
        if not groups:
            return None
        self._asked = {category for group in groups for category in group or [""]}
        invented = await asyncio.gather(*(self._invent(group, missing) for group in groups))
        return ProposalSupply(drafts=[draft for drafts in invented for draft in drafts])

    def _gaps(self, questions: int) -> list[list[str]]:
        """The thinnest categories with room, a few for each question; the last question is free to find new ones."""
        known = self._only or dict.fromkeys([*self._settings.categories, *self._pool.categories])
        open_ones = [c for c in known if self._is_wanted(c) and self._fruitless[c] < PATIENCE]
        open_ones.sort(key=lambda category: (self._fruitless[category], self._pool.categories[category]))
        groups = [open_ones[i : i + CATEGORIES_PER_QUESTION] for i in range(0, len(open_ones), CATEGORIES_PER_QUESTION)]
        if self._only or self._fruitless[""] >= PATIENCE:
            return groups[:questions]
        return [*groups[: max(questions - 1, 1)], []]

    async def _invent(self, categories: list[str], missing: int) -> list[ProposalDraft]:
        context = ThemeProposalsContext(
            sources=[],
            count=min(INVENTED_PER_QUESTION, 2 * missing),
            wanted_categories=categories,
            known_categories=list(dict.fromkeys([*self._settings.categories, *self._pool.categories])),
            known_names=self._pool.names(set(categories), NAMES_SHOWN),
            round=self._pool.rounds,
            examples=examples_from(self._pool.taken, f"{self._pool.rounds} {categories}"),
        )
        try:
            snapshots = self._pool.home.snapshots
            proposals = await ask.propose(self._gateway, context, self._settings.attempts, snapshots)
        except ask.Unanswered:
            return []
        wish = f"round {self._pool.rounds + 1}: {', '.join(categories) or 'any category'}"
        return [ProposalDraft.of(proposal, ThemeSource(kind="expansion", reference=wish)) for proposal in proposals]


def _joined(parts: Sequence[ProposalSupply]) -> ProposalSupply:
    """One supply, its parts taking turns: when there is room for a few only, every kind of source has some of them."""
    turns = zip_longest(*(part.drafts for part in parts))
    return ProposalSupply(
        drafts=[draft for turn in turns for draft in turn if draft is not None],
        read=[entry for part in parts for entry in part.read],
        rejected=[rejection for part in parts for rejection in part.rejected],
    )


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
