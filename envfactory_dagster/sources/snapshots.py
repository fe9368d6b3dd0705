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
from envfactory_dagster.contracts.mining import DataDocument, SnapshotIndex
from envfactory_dagster.sources.documents import Fetcher
from envfactory_dagster.sources.parsing import Unreadable

INDEX = "index.json"


def snapshot_of(documents: Sequence[DataDocument]) -> str:
    """The name under which these documents are kept: it changes with any of them."""
    return content_hash([one.model_dump(mode="json", exclude={"address", "fetched_at"}) for one in documents])


def keep(fetcher: Fetcher, folder: UPath | Path) -> str:
    """Copy everything that a fetcher gives into `folder`, the snapshots of a home. The index is written last, so that
    a copy that was broken off is none."""
    documents = list(fetcher.documents())
    name = snapshot_of(documents)
    place = folder / name
    if (place / INDEX).exists():
        return name
    place.mkdir(parents=True, exist_ok=True)
    for one in documents:
        (place / one.sha256).write_bytes(fetcher.text(one.id).encode())
    index = SnapshotIndex(documents=documents)
    (place / INDEX).write_bytes(orjson.dumps(index.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
    return name


class Snapshot:
    """A fetcher over what was kept. Nothing outside is looked at."""

    def __init__(self, folder: UPath | Path, name: str) -> None:
        self._place = folder / name
        try:
            found = SnapshotIndex.model_validate_json((self._place / INDEX).read_bytes())
        except FileNotFoundError:
            raise UsageError(f"The documents {name[:12]} are not in {folder}; add their folder again.") from None
        except (OSError, ValidationError) as error:
            raise InfrastructureFault(f"The index of the documents in {self._place} cannot be read: {error}") from error
        self._documents = {one.id: one for one in found.documents}
        if snapshot_of(found.documents) != name:
            raise InfrastructureFault(f"The documents in {self._place} are not those that were kept there.")

    def documents(self) -> Sequence[DataDocument]:
        return list(self._documents.values())

    def text(self, document: str) -> str:
        known = self._documents.get(document)
        if known is None:
            raise Unreadable("is no document of this source")
        try:
            data = (self._place / known.sha256).read_bytes()
        except OSError as error:
            raise InfrastructureFault(f"{document} cannot be read in {self._place}: {error}") from error
        if hashlib.sha256(data).hexdigest() != known.sha256:
            raise InfrastructureFault(f"{document} in {self._place} is not what was kept there.")
        return data.decode()
