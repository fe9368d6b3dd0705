"""What a fetcher gives: documents by name, each the same whenever it is read.

Belongs here: the interface, the forms of documents that can be read, and opening a file of somebody's folder. Does not:
any one fetcher (`local_folder`, `snapshots`), or what a document says (`tables`, `texts`).
"""

import stat
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

from envfactory_dagster.contracts.mining import DataDocument
from envfactory_dagster.sources.parsing import UnreadableFile, decoded

FORMS: dict[str, str] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
}
"""By the ending of a document's name."""
LARGEST_BYTES = 5_000_000
MOST_BYTES = 50_000_000
"""All documents of a source together."""
MOST_DOCUMENTS = 200


class Fetcher(Protocol):
    """Documents that can be read. What it gives does not change while it is in use."""

    def documents(self) -> Sequence[DataDocument]: ...

    def text(self, document: str) -> str:
        """The text of one of them. Raises UnreadableFile."""
        ...


def form_of(name: str) -> str:
    """The form that the ending of a name promises; empty where it promises none that can be read."""
    return FORMS.get(PurePosixPath(name).suffix.lower(), "")


def text_of(path: Path, folder: Path, suffixes: Sequence[str], most_bytes: int) -> str:
    """The whole text of a file that is ours to read. Raises UnreadableFile."""
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise UnreadableFile("is a link to somewhere outside its folder; copy the file into the folder instead")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableFile("is not a regular file")
        if path.suffix.lower() not in suffixes:
            known = " and ".join(suffixes)
            raise UnreadableFile(f"has an unknown ending; this folder holds {known} files")
        if found.st_size > most_bytes:
            limit = most_bytes / 1e6
            raise UnreadableFile(f"has {found.st_size / 1e6:.1f} MB; at most {limit:.0f} MB are read, so split it")
        with path.open("rb") as opened:
            data = opened.read(most_bytes)
    except (OSError, RuntimeError) as error:
        raise UnreadableFile(f"cannot be opened: {error}") from error
    return decoded(data)
