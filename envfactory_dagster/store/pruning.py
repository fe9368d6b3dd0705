"""What a home keeps and nothing refers to any more: old versions of bundles, records that are not the latest, and files
that were never finished.

Belongs here: finding it, removing it. Does not: episodes and datasets, which are nobody's to throw away but their
owner's, and a home in an object store, where nothing is removed.

Where a stage was rejected, all its records stay: what was made again after that is found through the rejected one, and
nothing tells which it is. What is younger than the age that is given stays: a run may be about to refer to it.
"""

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import orjson

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import VARIABLE, Home
from envfactory_dagster.store.records import RecordStore

Kind = Literal["bundle", "record", "unfinished"]
_NAMED_BY_VERSION = ("taxonomy",)
"""Stages whose earlier records are named by what was made with them."""
_OF_MANY = ("arena_draw",)
"""Stages whose records name bundles of many environments."""
_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Unneeded:
    kind: Kind
    path: Path
    size: int
    """In bytes, of all files in it."""


def unneeded(home: Home, days: float) -> list[Unneeded]:
    """List what can be removed and was last changed more than this many days ago."""
    if not home.is_local:
        raise UsageError(
            f"{VARIABLE} is {home.root}: in an object store nothing is pruned. Set no lifecycle rules there either: "
            "they go by age, and remove what is needed too."
        )
    root, before = Path(str(home.root)), time.time() - days * _DAY_S
    records = list(_records(home, root))
    kept = set((root / "records").glob("*/*/*.json")) - {one.path for one in records}
    found = [*_bundles(home, root, kept), *records, *_unfinished(root)]
    return [one for one in found if _changed(one.path) < before]


def remove(found: list[Unneeded]) -> None:
    """A folder vanishes at once, under a name that nobody reads, before its files do."""
    for one in found:
        if one.path.is_dir():
            hidden = one.path.with_name(f".{one.path.name}.{secrets.token_hex(4)}.unfinished")
            os.rename(one.path, hidden)
            shutil.rmtree(hidden)
        else:
            one.path.unlink(missing_ok=True)


def _bundles(home: Home, root: Path, records: set[Path]) -> Iterator[Unneeded]:
    """Versions that are not the latest, that none of these records and no dataset names, and in which nobody has
    played."""
    store = BundleStore(home)
    datasets = "".join(path.read_text() for path in (root / "datasets").glob("*/*/*.json"))
    of_many = "".join(path.read_text() for path in records if path.parent.parent.name in _OF_MANY)
    keys = store.keys()
    for key in keys:
        played = {path.name for path in (root / "trajectories" / key).glob("*")}
        named = datasets + of_many + "".join(path.read_text() for path in records if path.parent.name == key)
        for version in store.versions(key):
            if version not in played | {store.latest(key)} and version not in named:
                yield _unneeded("bundle", root / "bundles" / key / version)


def _records(home: Home, root: Path) -> Iterator[Unneeded]:
    records = RecordStore(home)
    for folder in (root / "records").glob("*/*"):
        if folder.parent.name in _NAMED_BY_VERSION:
            continue
        head = records.head(folder.parent.name, folder.name)
        if head is not None:
            others = [path for path in folder.glob("*.json") if path.stem not in (head.inputs, "head")]
            if not any(map(_is_rejected, others)):
                yield from (_unneeded("record", path) for path in others)


def _is_rejected(record: Path) -> bool:
    with suppress(orjson.JSONDecodeError):  # what cannot be read counts as not made
        return bool(orjson.loads(record.read_bytes())["status"] == "rejected")
    return False


def _unfinished(root: Path) -> Iterator[Unneeded]:
    """Files left by a process that was killed while it wrote them."""
    for room in ("bundles", "records", "datasets", "trajectories"):
        yield from (_unneeded("unfinished", path) for path in (root / room).rglob(".*.unfinished"))


def _unneeded(kind: Kind, path: Path) -> Unneeded:
    files = [path, *path.rglob("*")] if path.is_dir() else [path]
    return Unneeded(kind, path, sum(file.lstat().st_size for file in files if not file.is_dir()))


def _changed(path: Path) -> float:
    return max(file.lstat().st_mtime for file in ([path, *path.rglob("*")] if path.is_dir() else [path]))
