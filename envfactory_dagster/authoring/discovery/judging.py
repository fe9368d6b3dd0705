"""The gates between a proposal and the pool: its name, its suitability, its likeness to others, room for it.

Belongs here: the verdict on every proposal of a round. Does not: where proposals come from (`supply`).
"""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from envfactory_dagster.authoring.discovery import proposals as ask
from envfactory_dagster.authoring.discovery.names import BadName, cleaned, folded, key_for, known_category
from envfactory_dagster.authoring.discovery.pool import Candidate, Round, ThemePool
from envfactory_dagster.authoring.discovery.settings import DiscoverySettings
from envfactory_dagster.contracts.domain import ThemeSource
from envfactory_dagster.contracts.pool import REJECTION, PooledProposal, RejectedProposal
from envfactory_dagster.contracts.requests import CrudScore, ThemeProposal
from envfactory_dagster.contracts.sources import SourceDocument
from envfactory_dagster.language.embeddings import NearDuplicates, Neighbour
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role

EMBEDDER = Caller("theme_pool", "", Role.EMBEDDER)
JUDGED_AT_ONCE = 16
EMBEDDED_AT_ONCE = 512


class ProposalDraft(NamedTuple):
    proposal: ThemeProposal
    source: ThemeSource
    document: SourceDocument | None = None

    @classmethod
    def of(cls, proposal: ThemeProposal, source: ThemeSource, shown: SourceDocument | None = None) -> "ProposalDraft":
        """With the source that was shown, or else the one that the proposal brings along."""
        return cls(proposal.model_copy(update={"document": None}), source, shown or proposal.document)


@dataclass(frozen=True, slots=True)
class ProposalSupply:
    """What a round has to decide about."""

    drafts: list[ProposalDraft] = field(default_factory=list)
    reserve: list[Candidate] = field(default_factory=list)
    """Judged in an earlier round: only likeness and room are looked at again."""
    read: list[str] = field(default_factory=list)
    rejected: list[RejectedProposal] = field(default_factory=list)


class ProposalJudge:
    """Knows the vectors of everything in the pool. One for a run."""

    def __init__(self, gateway: Gateway, pool: ThemePool, settings: DiscoverySettings) -> None:
        self._gateway = gateway
        self._pool = pool
        self._settings = settings
        # It only remembers; what counts as a duplicate is decided here, so it must never refuse a member of the pool.
        self._near = NearDuplicates(threshold=math.inf)

    async def round(self, supply: ProposalSupply, room: int, order: str, *, capped: bool = True) -> Round:
        """The verdicts, with at most `room` proposals taken. `capped`: categories may be full."""
        rejected = list(supply.rejected)
        named = self._named(supply.drafts, rejected)
        candidates = [*supply.reserve, *await self._suitable(named, rejected)]
        vectors = await self._vectors([candidate.proposal for candidate in candidates])
        await self._catch_up()
        sitting = _Sitting(self._pool, self._settings, self._near, room, capped)
        for candidate, vector in zip(candidates, vectors, strict=True):
            sitting.decide(candidate, vector)
        return Round(
            order=order,
            read=supply.read,
            taken=sitting.taken,
            reserved=sitting.reserved,
            rejected=rejected + sitting.rejected,
        )

    def _named(self, drafts: Sequence[ProposalDraft], rejected: list[RejectedProposal]) -> list[ProposalDraft]:
        """Drafts with clean names that nobody has, in categories spelled as they are known."""
        known = [*self._settings.categories, *self._pool.categories]
        named: dict[str, ProposalDraft] = {}
        for proposal, source, document in drafts:
            try:
                proposal = cleaned(proposal)
            except BadName as problem:
                rejected.append(rejection(proposal, source, "bad_name", str(problem)))
                continue
            proposal = proposal.model_copy(update={"category": known_category(proposal.category, known)})
            known.append(proposal.category)
            key = self._pool.key_named(proposal.name)
            if key is not None or folded(proposal.name) in named:
                where = f"is in the pool already, as {key}" if key else "was proposed already"
                rejected.append(rejection(proposal, source, "duplicate", f"A theme of this name {where}."))
            else:
                named[folded(proposal.name)] = ProposalDraft(proposal, source, document)
        return list(named.values())

    async def _suitable(self, drafts: Sequence[ProposalDraft], rejected: list[RejectedProposal]) -> list[Candidate]:
        batches = [drafts[i : i + JUDGED_AT_ONCE] for i in range(0, len(drafts), JUDGED_AT_ONCE)]
        scored = await asyncio.gather(*(self._scores(batch) for batch in batches))
        good = []
        for draft, score in zip(drafts, [score for scores in scored for score in scores], strict=True):
            proposal, source, document = draft
            if isinstance(score, str):
                rejected.append(rejection(proposal, source, "unsuitable", score))
            elif score.score < self._settings.suitability:
                detail = f"Scored {score.score:.2f}, {self._settings.suitability:.2f} is needed: {score.reason}"
                rejected.append(rejection(proposal, source, "unsuitable", detail))
            else:
                candidate = Candidate(proposal=proposal, source=source, suitability=score.score, document=document)
                good.append(candidate)
        return good

    async def _scores(self, drafts: Sequence[ProposalDraft]) -> list[CrudScore | str]:
        """For each draft its score, or why it has none."""
        try:
            scores = await ask.judge(self._gateway, [draft.proposal for draft in drafts], self._settings.attempts)
        except ask.Unanswered as problem:
            return [f"It could not be judged. {problem}"] * len(drafts)
        return [scores[draft.proposal.name] for draft in drafts]

    async def _vectors(self, proposals: Sequence[ThemeProposal]) -> list[list[float]]:
        return await self._gateway.embed(caller=EMBEDDER, texts=[embedded_text(proposal) for proposal in proposals])

    async def _catch_up(self) -> None:
        """Learn the vectors of what is in the pool and not known here; the gateway has most of them from before."""
        while missing := self._pool.taken[len(self._near.names) :][:EMBEDDED_AT_ONCE]:
            vectors = await self._vectors([pooled.proposal for pooled in missing])
            self._near.admit([pooled.key for pooled in missing], vectors)


class _Sitting:
    """The part of a round that must go one by one: each proposal is held against those taken before it."""

    def __init__(
        self, pool: ThemePool, settings: DiscoverySettings, near: NearDuplicates, room: int, capped: bool
    ) -> None:
        self._pool = pool
        self._settings = settings
        self._near = near
        self._room = room
        self._capped = capped
        self.taken: list[PooledProposal] = []
        self.reserved: list[Candidate] = []
        self.rejected: list[RejectedProposal] = []

    def decide(self, candidate: Candidate, vector: list[float]) -> None:
        proposal, source = candidate.proposal, candidate.source
        neighbour = self._near.nearest([vector])[0] or Neighbour("", 0.0)
        is_waiting = proposal.name in self._pool.reserve
        if neighbour.cosine >= self._settings.similarity:
            detail = f"Too much like {neighbour.name}: cosine {neighbour.cosine:.2f}."
            self.rejected.append(rejection(proposal, source, "duplicate", detail))
        elif self._capped and not self._has_room(proposal.category):
            if not is_waiting:
                detail = f"{proposal.category} has its share of the pool; this one waits until there is room."
                self.rejected.append(rejection(proposal, source, "category_full", detail))
                self.reserved.append(candidate)
        elif len(self.taken) >= self._room:
            if not is_waiting:
                self.reserved.append(candidate)
        else:
            self._take(candidate, vector, neighbour)

    def _has_room(self, category: str) -> bool:
        mine = sum(pooled.proposal.category == category for pooled in self.taken)
        return category_has_room(self._pool, self._settings, category, mine, len(self.taken))

    def _take(self, candidate: Candidate, vector: list[float], neighbour: Neighbour) -> None:
        new_keys = {pooled.key for pooled in self.taken}
        key = key_for(candidate.proposal.name, lambda key: self._pool.is_taken(key) or key in new_keys)
        self._near.admit([key], [vector])
        self.taken.append(
            PooledProposal(
                key=key,
                proposal=candidate.proposal,
                source=candidate.source,
                suitability=candidate.suitability,
                nearest=neighbour.name,
                similarity=neighbour.cosine,
                document=candidate.document,
                storage=candidate.proposal.storage,
            )
        )


def category_has_room(
    pool: ThemePool, settings: DiscoverySettings, category: str, more_of_it: int = 0, more: int = 0
) -> bool:
    """Whether one more theme of the category keeps it within its share, after so many more were taken."""
    size = len(pool.taken) + more + 1
    most = max(settings.category_floor, math.floor(settings.category_share * size))
    return pool.categories[category] + more_of_it < most


def embedded_text(proposal: ThemeProposal) -> str:
    """What likeness is judged by."""
    return f"{proposal.name}. {proposal.description} {', '.join(proposal.entities)}"


def rejection(proposal: ThemeProposal, source: ThemeSource, reason: REJECTION, detail: str) -> RejectedProposal:
    return RejectedProposal(
        name=proposal.name[:200], category=proposal.category[:200], source=source, reason=reason, detail=detail
    )
