"""What a fetcher gives: documents by name, each the same whenever it is read.

Belongs here: the interface, and the forms of documents that can be read. Does not: any one fetcher (`local_folder`,
`snapshots`), or what a document says (`tables`, `texts`).
"""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Protocol

from envfactory_dagster.contracts.mining import DataDocument

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
        """The text of one of them. Raises Unreadable."""
        ...


def form_of(name: str) -> str:
    """The form that the ending of a name promises; empty where it promises none that can be read."""
    return FORMS.get(PurePosixPath(name).suffix.lower(), "")
