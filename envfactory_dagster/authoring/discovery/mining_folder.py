"""The folder of `expand --data`: documents that a world is mined from, as one source document.

Belongs here: keeping a copy of the documents, and showing how each begins. Does not: mining (`authoring.mining`).
"""

from pathlib import Path

from upath import UPath

from envfactory_dagster.contracts.mining import LeftOutDocument
from envfactory_dagster.contracts.sources import SourceDocument, SourceSection
from envfactory_dagster.sources.local_folder import LocalFolder
from envfactory_dagster.sources.shelf import Shelf
from envfactory_dagster.sources.snapshots import keep

BEGINNING_LINES, BEGINNING_CHARS = 12, 900
SECTIONS = 60


def read_data(folder: Path, snapshots: UPath | Path) -> tuple[SourceDocument, list[LeftOutDocument]]:
    """The source document, and the files that were left out. The world is mined from the copy. Raises UsageError."""
    found = LocalFolder(folder)
    shelf = Shelf(found)
    sections = [
        SourceSection(title=name, text="\n".join(shelf.lines(name)[:BEGINNING_LINES])[:BEGINNING_CHARS])
        for name in list(shelf.documents)[:SECTIONS]
    ]
    title = " ".join(folder.resolve().name.replace("-", " ").replace("_", " ").split()) or "documents"
    document = SourceDocument(
        kind="data",
        reference=folder.resolve().name,
        title=title,
        description=f"{len(shelf.documents)} documents that a service could keep its records by.",
        sections=sections,
        snapshot=keep(found.whole(), snapshots),
    )
    return document, found.left_out
