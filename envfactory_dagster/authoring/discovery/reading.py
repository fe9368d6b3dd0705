"""From source entries to drafts: chunks of unread entries, and what the model proposes from them.

Belongs here: how entries are bundled into questions, and what becomes of those without a proposal. Does not: formats
(`source_formats`), inventing (`supply`), verdicts on drafts (`judging`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType

from envfactory_dagster.authoring.discovery import proposals as ask
from envfactory_dagster.authoring.discovery.judging import ProposalDraft, ProposalSupply
from envfactory_dagster.authoring.discovery.pool import ThemePool
from envfactory_dagster.authoring.discovery.settings import DiscoverySettings
from envfactory_dagster.authoring.discovery.source_folders import KINDS, source_folders
from envfactory_dagster.authoring.discovery.sources import SourceEntry, UnreadableEntry, read_sources
from envfactory_dagster.contracts.domain import ThemeSource
from envfactory_dagster.contracts.pool import REJECTION, RejectedProposal
from envfactory_dagster.contracts.requests import SourceExcerpt, ThemeProposalsContext
from envfactory_dagster.contracts.sources import FolderKind, SourceDocument
from envfactory_dagster.language.gateway import Gateway

ENTRIES_AT_ONCE = 8
TASKS_AT_ONCE = 24
NAMES_SHOWN = 40
NAME_CHARS = 80


@dataclass(frozen=True, slots=True)
class Chunk:
    """Entries of one kind that are shown to the model together."""

    kind: FolderKind
    entries: list[SourceEntry] = field(default_factory=list)
    unreadable: list[UnreadableEntry] = field(default_factory=list)

    def ids(self) -> list[str]:
        return [*(entry.id for entry in self.unreadable), *(entry.id for entry in self.entries)]


class UnreadEntries:
    """The entries of all source folders that were not read yet. Each file is opened when its turn comes."""

    def __init__(self, pool: ThemePool) -> None:
        self._pool = pool
        folders = source_folders(pool.home)
        self._left = {kind: self._unread(read_sources(kind, folders[kind])) for kind in KINDS}

    def chunks(self, most: int) -> list[Chunk]:
        """The next chunks, of as many kinds as possible. Empty when everything was read."""
        found: list[Chunk] = []
        for kind in list(self._left):
            if len(found) == most:
                break
            # Kinds take turns, so that a short order sees them all in time.
            left = self._left.pop(kind)
            if (chunk := _chunk(kind, left)).ids():
                self._left[kind] = left
                found.append(chunk)
        return found

    def _unread(self, entries: Iterator[SourceEntry | UnreadableEntry]) -> Iterator[SourceEntry | UnreadableEntry]:
        seen: set[str] = set()
        for entry in entries:
            if entry.id not in self._pool.read and entry.id not in seen:
                seen.add(entry.id)
                yield entry


def _chunk(kind: FolderKind, left: Iterator[SourceEntry | UnreadableEntry]) -> Chunk:
    chunk = Chunk(kind)
    for entry in islice(left, TASKS_AT_ONCE if kind == "task_set" else ENTRIES_AT_ONCE):
        if isinstance(entry, SourceEntry):
            chunk.entries.append(entry)
        else:
            chunk.unreadable.append(entry)
    return chunk


async def drafts_from(gateway: Gateway, pool: ThemePool, settings: DiscoverySettings, chunk: Chunk) -> ProposalSupply:
    """What the model proposes for the entries of a chunk. Every entry ends as a draft or as a rejection."""
    rejected = [entry.rejection for entry in chunk.unreadable]
    excerpts = [entry.excerpt for entry in chunk.entries]
    documents = {entry.excerpt.reference: entry.document for entry in chunk.entries}
    if chunk.kind == "task_set" and excerpts:
        excerpts, documents, unasked = await _worlds_of_tasks(gateway, settings, chunk.entries)
        rejected += unasked
    drafts: list[ProposalDraft] = []
    if excerpts:
        drafts, silent = await propose_from(gateway, pool, settings, excerpts, documents)
        rejected += silent
    return ProposalSupply(drafts=drafts, read=chunk.ids(), rejected=rejected)


async def propose_from(
    gateway: Gateway,
    pool: ThemePool,
    settings: DiscoverySettings,
    excerpts: Sequence[SourceExcerpt],
    documents: Mapping[str, SourceDocument | None] = MappingProxyType({}),
) -> tuple[list[ProposalDraft], list[RejectedProposal]]:
    """A draft for each excerpt, or the reason why there is none. `documents`: the whole sources, by reference."""
    context = ThemeProposalsContext(
        sources=list(excerpts),
        count=len(excerpts),
        wanted_categories=[],
        known_categories=list(dict.fromkeys([*settings.categories, *pool.categories])),
        known_names=pool.names(set(), NAMES_SHOWN),
        round=pool.rounds,
    )
    try:
        proposals = await ask.propose(gateway, context, settings.attempts, pool.home.snapshots)
    except ask.Unanswered as problem:
        return [], [_rejected(excerpt, "unreadable", str(problem)) for excerpt in excerpts]
    by_reference = {proposal.reference: proposal for proposal in proposals}
    drafts = [
        ProposalDraft.of(by_reference[e.reference], _source(e), documents.get(e.reference))
        for e in excerpts
        if e.reference in by_reference
    ]
    silent = [
        _rejected(excerpt, "unsuitable", "The model sees no world in this source.")
        for excerpt in excerpts
        if excerpt.reference not in by_reference
    ]
    return drafts, silent


async def _worlds_of_tasks(
    gateway: Gateway, settings: DiscoverySettings, entries: Sequence[SourceEntry]
) -> tuple[list[SourceExcerpt], dict[str, SourceDocument | None], list[RejectedProposal]]:
    """The tasks that need a world, gathered by the world they need, whole too; and the others with the reason."""
    excerpts = [entry.excerpt for entry in entries]
    try:
        verdicts = await ask.sort_tasks(gateway, excerpts, settings.attempts)
    except ask.Unanswered as problem:
        return [], {}, [_rejected(excerpt, "unreadable", str(problem)) for excerpt in excerpts]
    worlds: dict[str, list[SourceEntry]] = {}
    scores: dict[str, list[int]] = {}
    rejected = []
    for entry in entries:
        excerpt = entry.excerpt
        verdict = verdicts[excerpt.reference]
        lowest = min(verdict.usefulness, verdict.modelability)
        if verdict.stateful and verdict.domain_specific and lowest < settings.task_score:
            scored = f"Scored {verdict.usefulness} for usefulness and {verdict.modelability} for modelability"
            rejected.append(
                _rejected(excerpt, "unsuitable", f"{scored}; {settings.task_score} of 10 is needed for both.")
            )
        elif verdict.stateful and verdict.domain_specific:
            name = verdict.environment.strip()
            worlds.setdefault(name, []).append(entry)
            scores.setdefault(name, []).append(verdict.usefulness + verdict.modelability)
        else:
            lack = "belongs to no particular kind of service" if verdict.stateful else "keeps and changes no records"
            rejected.append(_rejected(excerpt, "not_stateful", f"The task {lack}."))
    # The best first: of two that turn out to be duplicates, the first is kept.
    best_first = sorted(worlds, key=lambda name: -sum(scores[name]) / len(scores[name]))
    gathered = {name: _gathered(name, [task.excerpt for task in worlds[name]]) for name in best_first}
    documents = {
        gathered[name].reference: joined(gathered[name].reference, name, [task.document for task in tasks])
        for name, tasks in worlds.items()
    }
    return list(gathered.values()), documents, rejected


def joined(reference: str, title: str, documents: Sequence[SourceDocument | None]) -> SourceDocument | None:
    """All tasks of a world in one document, with the tools that were given for any of them, each name once."""
    known = [document for document in documents if document is not None]
    if not known:
        return None
    tools = {tool.name: tool for document in known for tool in document.tools}
    unusable = {tool.name: tool for document in known for tool in document.unusable}
    return SourceDocument(
        kind="task_set",
        reference=reference,
        title=title,
        tasks=[task for document in known for task in document.tasks],
        tools=list(tools.values()),
        unusable=[tool for name, tool in unusable.items() if name not in tools],
    )


def _gathered(name: str, tasks: Sequence[SourceExcerpt]) -> SourceExcerpt:
    """One excerpt for a world: its name, and the tasks that people bring to it."""
    first = tasks[0]
    others = f" and {len(tasks) - 1} more" if len(tasks) > 1 else ""
    lines = [f"name: {name}", *(task.text for task in tasks)]
    return SourceExcerpt(reference=first.reference + others, kind=first.kind, text="\n".join(lines))


def _source(excerpt: SourceExcerpt) -> ThemeSource:
    return ThemeSource.model_validate({"kind": excerpt.kind, "reference": excerpt.reference})


def _rejected(excerpt: SourceExcerpt, reason: REJECTION, detail: str) -> RejectedProposal:
    name = excerpt.text.partition("\n")[0].partition(": ")[2] or excerpt.reference
    return RejectedProposal(name=name[:NAME_CHARS], source=_source(excerpt), reason=reason, detail=detail)
