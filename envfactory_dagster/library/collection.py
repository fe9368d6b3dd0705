"""The worlds that stand in a folder, found by their subject.

Belongs here: which worlds there are, and reading one when it is first asked for. Does not: the form of a world's folder
(`folders`), or answering questions (`app`).
"""

from functools import cached_property
from pathlib import Path

from upath import UPath

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.pool import Subject
from envfactory_dagster.library.folders import CARD, PROVENANCE, read_card, read_world
from envfactory_dagster.library.world import LibraryWorld, WorldCard
from envfactory_dagster.sources.snapshots import keep

SHIPPED = Path(__file__).parent / "worlds"


class Library:
    """Worlds of one folder: those that come with the package, or others."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        self.folder = folder
        self._read: dict[str, LibraryWorld] = {}

    @cached_property
    def cards(self) -> dict[str, WorldCard]:
        """Every world by its key, which is the name of its folder."""
        cards = {path.parent.name: read_card(path.parent) for path in sorted(self.folder.glob(f"*/{CARD}"))}
        for key, card in cards.items():
            if card.proposal.key != key:
                raise UsageError(f"{self.folder / key} holds the world {card.proposal.key!r}; name the folder so.")
        return cards

    @cached_property
    def version(self) -> str:
        """Changes with whatever these worlds would answer: callers may keep answers under it."""
        return content_hash([(self.folder / key / PROVENANCE).read_text() for key in self.cards])[:12]

    def lightest(self, size: Size) -> list[str]:
        """The titles of the worlds of a size, those that are made soonest first: their folders are the smallest."""
        bytes_of = {
            card.proposal.proposal.name: sum(path.stat().st_size for path in (self.folder / key).rglob("*.*"))
            for key, card in self.cards.items()
            if card.size == size
        }
        return sorted(bytes_of, key=lambda title: bytes_of[title])

    def world(self, key: str) -> LibraryWorld:
        if key not in self.cards:
            known = ", ".join(self.cards) or "none"
            raise UsageError(f"There is no world {key!r} in {self.folder}; there are: {known}.")
        if key not in self._read:
            self._read[key] = read_world(self.folder / key)
        return self._read[key]

    def copy_documents(self, key: str, snapshots: UPath | Path) -> None:
        """Bring what a world is mined from into the snapshots of a home. Of other worlds there is nothing to bring."""
        documents = self.world(key).documents if self.cards[key].snapshot else None
        if documents is not None:
            keep(documents, snapshots)

    def about(self, subject: Subject) -> LibraryWorld | None:
        """The world that was made from the same. One made from a document is known without it too: who takes it from
        the library by its title has no document."""
        key = self._keys.get(subject.source)
        return None if key is None else self.world(key)

    @cached_property
    def _keys(self) -> dict[str, str]:
        without = {
            card.proposal.model_copy(update={"document": None}).subject.source: key for key, card in self.cards.items()
        }
        return without | {card.proposal.subject.source: key for key, card in self.cards.items()}
