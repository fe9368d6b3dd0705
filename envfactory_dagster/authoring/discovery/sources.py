"""The entries of a source folder, each with an id so that it is read only once.

Belongs here: going through a folder, ids, and reporting what cannot be read. Does not: formats (`source_formats`), or
which entries were read before (`pool`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from envfactory_dagster.authoring.discovery.source_folders import SourceFile, read_text, source_files
from envfactory_dagster.authoring.discovery.source_formats import FileEntry, entries_of
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.domain import ThemeSource
from envfactory_dagster.contracts.pool import RejectedProposal
from envfactory_dagster.contracts.requests import SourceExcerpt
from envfactory_dagster.contracts.sources import FolderKind, SourceDocument
from envfactory_dagster.sources.parsing import UnreadableFile

ID_LENGTH = 20


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """`id` is a hash of kind and content: an entry that changed is read again, one that only moved is not."""

    id: str
    excerpt: SourceExcerpt
    document: SourceDocument | None = None


@dataclass(frozen=True, slots=True)
class UnreadableEntry:
    """`id` is a hash of path and error message, so the same error is reported once."""

    id: str
    rejection: RejectedProposal


def read_sources(kind: FolderKind, folder: Path) -> Iterator[SourceEntry | UnreadableEntry]:
    """Every entry of one folder, file by file. What cannot be read is reported, and reading goes on."""
    for file in source_files(kind, folder):
        try:
            for where, found in entries_of(kind, file.name, read_text(file, folder)):
                reference = f"{file.name} {where}".strip()
                yield (
                    _unreadable(file, reference, found)
                    if isinstance(found, UnreadableFile)
                    else _entry(kind, reference, found)
                )
        except UnreadableFile as problem:
            yield _unreadable(file, file.name, problem)


def _entry(kind: FolderKind, reference: str, found: FileEntry) -> SourceEntry:
    identity = content_hash([kind, found.text])[:ID_LENGTH]
    return SourceEntry(identity, SourceExcerpt(reference=reference, kind=kind, text=found.text), found.document)


def _unreadable(file: SourceFile, reference: str, problem: UnreadableFile) -> UnreadableEntry:
    rejection = RejectedProposal(
        name=file.path.name,
        source=ThemeSource(kind=file.kind, reference=reference),
        reason="unreadable",
        detail=f"{file.name} {problem}",
    )
    return UnreadableEntry(content_hash([reference, rejection.detail])[:ID_LENGTH], rejection)
