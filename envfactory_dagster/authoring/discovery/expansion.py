"""Growing the pool: rounds until as many themes are taken as were wanted, or nothing more can be found.

Belongs here: the loop, and the report of it. Does not: any single step of a round (`supply`, `judging`, `pool`).
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from envfactory_dagster.authoring.discovery.judging import ProposalDraft, ProposalJudge, ProposalSupply
from envfactory_dagster.authoring.discovery.names import BadName, cleaned, key_for
from envfactory_dagster.authoring.discovery.pool import Round, ThemePool
from envfactory_dagster.authoring.discovery.reading import propose_from
from envfactory_dagster.authoring.discovery.settings import DiscoverySettings
from envfactory_dagster.authoring.discovery.source_formats import excerpt_of
from envfactory_dagster.authoring.discovery.supply import Supplier
from envfactory_dagster.authoring.source_document import SourceDocumentStage
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.domain import StateStorage, ThemeSource
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.pool import PooledProposal, RejectedProposal
from envfactory_dagster.contracts.requests import SourceExcerpt
from envfactory_dagster.contracts.sources import SourceDocument, SourceSection
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore

LONGEST_TYPED = 4_000
_LONGEST_NAME = 120
"""Characters. A longer text describes a world; a shorter one only names it."""


@dataclass(slots=True)
class PoolReport:
    """What a run added to the pool, and what it turned away."""

    wanted: int
    taken: list[PooledProposal] = field(default_factory=list)
    rejected: list[RejectedProposal] = field(default_factory=list)
    rounds: int = 0
    exhausted: bool = False
    """Nothing more was to be found: sources are read, and inventing brought nothing new."""

    def rejections(self) -> dict[str, int]:
        """How many for which reason."""
        return dict(Counter(rejection.reason for rejection in self.rejected).most_common())

    def add(self, made: Round) -> None:
        self.rounds += 1
        self.taken += made.taken
        self.rejected += made.rejected


async def expand_pool(
    gateway: Gateway,
    pool: ThemePool,
    wanted: int,
    settings: DiscoverySettings,
    *,
    categories: Sequence[str] = (),
    order: str = "",
    on_round: Callable[[Round], None] | None = None,
) -> PoolReport:
    """Take `wanted` new themes into the pool.

    `order`: a name for this wish. Themes taken under the same name before count towards it, so that a run that was
    interrupted is completed and not begun anew.
    """
    if wanted < 1:
        raise UsageError(f"{wanted} themes were wanted; it must be 1 or more.")
    report = PoolReport(wanted)
    supplier, judge = Supplier(gateway, pool, settings, categories), ProposalJudge(gateway, pool, settings)
    while True:
        # The lock is held for one round, so that a theme somebody typed does not wait for the whole expansion.
        async with pool.locked():
            await asyncio.to_thread(pool.refresh)
            missing = wanted - (pool.taken_for(order) if order else len(report.taken))
            if missing <= 0:
                return report
            supply = await supplier.next(missing)
            if supply is None:
                report.exhausted = True
                return report
            made = await judge.round(supply, missing, order)
            await _commit(pool, made)
        supplier.learn(made)
        report.add(made)
        if on_round is not None:
            on_round(made)


async def add_document(
    gateway: Gateway, pool: ThemePool, document: SourceDocument, settings: DiscoverySettings
) -> PooledProposal | RejectedProposal:
    """Take a service that is to be mirrored, or documents to mine. Whoever names them wants them: they are
    neither scored nor compared."""
    excerpt = SourceExcerpt(reference=document.reference, kind=document.kind, text=excerpt_of(document))
    async with pool.locked():
        await asyncio.to_thread(pool.refresh)
        source = ThemeSource.model_validate({"kind": document.kind, "reference": document.reference})
        known = next((one.key for one in pool.taken if _is_of(one, document)), None)
        if known is not None:
            detail = f"There is a world of it already, {known}."
            refused = RejectedProposal(name=document.title[:200], source=source, reason="duplicate", detail=detail)
            made = Round(rejected=[refused])
        else:
            drafts, silent = await propose_from(gateway, pool, settings, [excerpt], {excerpt.reference: document})
            made = Round(taken=[_taken(pool, draft) for draft in drafts], rejected=silent)
        await _commit(pool, made)
    return made.taken[0] if made.taken else made.rejected[0]


def _is_of(pooled: PooledProposal, document: SourceDocument) -> bool:
    known = pooled.document
    if known is None or (known.kind == "data") != (document.kind == "data"):
        return False
    return known.snapshot == document.snapshot if document.snapshot else known.mirror and known.tools == document.tools


def _taken(pool: ThemePool, draft: ProposalDraft) -> PooledProposal:
    """A name that the model gave badly, or that somebody has, gives way to one that is surely none."""
    try:
        proposal = cleaned(draft.proposal)
    except BadName:
        proposal = draft.proposal.model_copy(update={"name": f"World {content_hash(draft.source.reference)[:6]}"})
    name, number = proposal.name, 1
    while pool.key_named(proposal.name) is not None:
        number += 1
        proposal = proposal.model_copy(update={"name": f"{name} {number}"})
    return PooledProposal(
        key=key_for(proposal.name, pool.is_taken),
        proposal=proposal,
        source=draft.source,
        suitability=1.0,
        document=draft.document,
        storage=draft.proposal.storage,
    )


async def _commit(pool: ThemePool, made: Round) -> None:
    """With the source document of every theme that has one: it is there before anything is made from it."""
    await asyncio.to_thread(pool.commit, made)
    records = RecordStore(pool.home)
    for pooled in made.taken:
        if pooled.document is not None:
            await run_stage(records, SourceDocumentStage(), pooled.key)


async def add_theme(
    gateway: Gateway, pool: ThemePool, text: str, settings: DiscoverySettings, storage: StateStorage = "sqlite"
) -> PooledProposal | RejectedProposal:
    """Take a theme that somebody typed: a name, a description, or both. Every gate but the cap of categories holds.
    `storage`: what the state of its environment is to be."""
    text = text.strip()
    if not text:
        raise UsageError("The theme is empty: give it a name, or describe it in a few sentences.")
    if len(text) > LONGEST_TYPED:
        raise UsageError(f"The theme has {len(text):,} characters; describe it in at most {LONGEST_TYPED:,}.")
    excerpt = SourceExcerpt(reference="typed", kind="user", text=text)
    documents = {excerpt.reference: _typed(text)} if len(text) > _LONGEST_NAME else {}
    async with pool.locked():
        await asyncio.to_thread(pool.refresh)
        drafts, silent = await propose_from(gateway, pool, settings, [excerpt], documents)
        made = await ProposalJudge(gateway, pool, settings).round(
            ProposalSupply(drafts=drafts, rejected=silent), room=1, order="", capped=False
        )
        if storage != "sqlite":
            taken = [one.model_copy(update={"storage": storage}) for one in made.taken]
            made = made.model_copy(update={"taken": taken})
        await _commit(pool, made)
    return made.taken[0] if made.taken else made.rejected[0]


def _typed(text: str) -> SourceDocument:
    """A description is kept whole, as a document is, and shown to everything that is asked about the world."""
    wanted = SourceSection(title="What is wanted", text=text)
    return SourceDocument(kind="typed", reference="typed", sections=[wanted])
