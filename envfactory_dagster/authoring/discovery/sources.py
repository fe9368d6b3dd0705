"""The entries of all source folders, each with an identity by which it is read only once.

Belongs here: going through the folders, what became of what could not be read. Does not: formats (`documents`), or
which entries are already known (`pool`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from envfactory_dagster.authoring.discovery.documents import Entry, entries_of
from envfactory_dagster.authoring.discovery.folders import SourceFile, read_text, source_files
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.domain import ThemeSource
from envfactory_dagster.contracts.pool import RejectedProposal
from envfactory_dagster.contracts.requests import SourceExcerpt
from envfactory_dagster.contracts.sources import FolderKind, SourceDocument
from envfactory_dagster.sources.parsing import Unreadable

ID_LENGTH = 20


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """`id` is of the content: an entry that was changed is read again, one that was only moved is not."""

    id: str
    excerpt: SourceExcerpt
    document: SourceDocument | None = None


@dataclass(frozen=True, slots=True)
class UnreadableEntry:
    """`id` is of the place and the problem: it is reported once, and again when the problem is another."""

    id: str
    rejection: RejectedProposal


def read_sources(kind: FolderKind, folder: Path) -> Iterator[SourceEntry | UnreadableEntry]:
    """Every entry of one folder, one file at a time. What cannot be read is told of, and the rest goes on."""
    for file in source_files(kind, folder):
        try:
            for where, found in entries_of(kind, file.name, read_text(file, folder)):
                reference = f"{file.name} {where}".strip()
                yield (
                    _unreadable(file, reference, found)
                    if isinstance(found, Unreadable)
                    else _entry(kind, reference, found)
                )
        except Unreadable as problem:
            yield _unreadable(file, file.name, problem)


def _entry(kind: FolderKind, reference: str, found: Entry) -> SourceEntry:
    identity = content_hash([kind, found.text])[:ID_LENGTH]
    return SourceEntry(identity, SourceExcerpt(reference=reference, kind=kind, text=found.text), found.document)


def _unreadable(file: SourceFile, reference: str, problem: Unreadable) -> UnreadableEntry:
    rejection = RejectedProposal(
        name=file.path.name,
        source=ThemeSource(kind=file.kind, reference=reference),
        reason="unreadable",
        detail=f"{file.name} {problem}",
    )
    return UnreadableEntry(content_hash([reference, rejection.detail])[:ID_LENGTH], rejection)
