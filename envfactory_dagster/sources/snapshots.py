"""Documents as they were when they were read, kept in the home under the hash of what they say.

Belongs here: keeping them, reading them back. Does not: fetching them (`local_folder`).
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import orjson
from pydantic import ValidationError
from upath import UPath

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.contracts.mining import DataDocument, SnapshotIndex, WholeSnapshot
from envfactory_dagster.sources.parsing import UnreadableFile

INDEX = "index.json"


def snapshot_of(documents: Sequence[DataDocument]) -> str:
    """The name under which these documents are kept: it changes with any of them."""
    return content_hash([one.model_dump(mode="json", exclude={"address", "fetched_at"}) for one in documents])


def keep(snapshot: WholeSnapshot, folder: UPath | Path) -> str:
    """Copy documents into `folder`, the snapshots of a home. The index is written last, so that a copy that was broken
    off is none. A copy that lacks the licence gets it."""
    name = snapshot_of(snapshot.index.documents)
    place = folder / name
    if (place / INDEX).exists() and (snapshot.index.licence is None or _index(place).licence is not None):
        return name
    place.mkdir(parents=True, exist_ok=True)
    for one in snapshot.index.files:
        (place / one.sha256).write_bytes(snapshot.texts[one.id].encode())
    (place / INDEX).write_bytes(orjson.dumps(snapshot.index.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
    return name


def _index(place: UPath | Path) -> SnapshotIndex:
    """Raises FileNotFoundError."""
    try:
        return SnapshotIndex.model_validate_json((place / INDEX).read_bytes())
    except FileNotFoundError:
        raise
    except (OSError, ValidationError) as error:
        raise InfrastructureFault(f"The index of the documents in {place} cannot be read: {error}") from error


class Snapshot:
    """A fetcher over what was kept. Nothing outside is looked at."""

    def __init__(self, folder: UPath | Path, name: str) -> None:
        self._place = folder / name
        try:
            self._index = _index(self._place)
        except FileNotFoundError:
            raise UsageError(f"The documents {name[:12]} are not in {folder}; add their folder again.") from None
        self._documents = {one.id: one for one in self._index.documents}
        if snapshot_of(self._index.documents) != name:
            raise InfrastructureFault(f"The documents in {self._place} are not those that were kept there.")

    def documents(self) -> Sequence[DataDocument]:
        return list(self._documents.values())

    def text(self, document: str) -> str:
        known = self._documents.get(document)
        if known is None:
            raise UnreadableFile("is no document of this source")
        return self._text(known)

    def whole(self) -> WholeSnapshot:
        return WholeSnapshot(index=self._index, texts={one.id: self._text(one) for one in self._index.files})

    def _text(self, kept: DataDocument) -> str:
        try:
            data = (self._place / kept.sha256).read_bytes()
        except OSError as error:
            raise InfrastructureFault(f"{kept.id} cannot be read in {self._place}: {error}") from error
        if hashlib.sha256(data).hexdigest() != kept.sha256:
            raise InfrastructureFault(f"{kept.id} in {self._place} is not what was kept there.")
        return data.decode()
