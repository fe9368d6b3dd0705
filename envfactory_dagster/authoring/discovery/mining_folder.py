"""The folder of `expand --data`: documents that a world is mined from, as one source document.

Belongs here: keeping a copy of the documents, and what is shown of each to who writes a theme: of texts, where rules
stand, far more than of tables. Does not: mining (`authoring.mining`).
"""

from pathlib import Path

from upath import UPath

from envfactory_dagster.contracts.mining import LeftOutDocument
from envfactory_dagster.contracts.sources import SourceDocument, SourceSection
from envfactory_dagster.sources.local_folder import DocumentFolder
from envfactory_dagster.sources.shelf import Shelf
from envfactory_dagster.sources.snapshots import keep

BEGINNING_LINES, BEGINNING_CHARS = 12, 900
TEXT_CHARS, TEXTS_CHARS = 6_000, 40_000
"""Of one text, and of all together; of what comes after these, as of tables, the beginning is shown."""
TEXT_FORMS = ("markdown", "text", "html")
SECTIONS = 60


def read_data(folder: Path, snapshots: UPath | Path) -> tuple[SourceDocument, list[LeftOutDocument]]:
    """The source document, and the files that were left out. The world is mined from the copy. Raises UsageError."""
    found = DocumentFolder(folder)
    shelf = Shelf(found)
    sections, room = list[SourceSection](), TEXTS_CHARS
    for name in list(shelf.documents)[:SECTIONS]:
        lines = shelf.lines(name)
        shown = "\n".join(lines)[:TEXT_CHARS] if shelf.documents[name].form in TEXT_FORMS else ""
        if 0 < len(shown) <= room:
            room -= len(shown)
        else:
            shown = "\n".join(lines[:BEGINNING_LINES])[:BEGINNING_CHARS]
        sections.append(SourceSection(title=name, text=shown))
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
