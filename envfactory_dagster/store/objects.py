"""Objects in an object store, and the conditions under which one is written.

Belongs here: reading, writing, writing only where nothing is there yet or nothing has changed, listing. Does not: what
is in the objects, and who may work on what (`leases`).

The conditions are what processes on several machines agree by: of two that write one object at once, one is told that
it came too late.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from upath import UPath

from envfactory_dagster.contracts.errors import StorageFault, UsageError
from envfactory_dagster.store.home import VARIABLE

if TYPE_CHECKING:
    from obstore import ObjectMeta, UpdateVersion
    from obstore.store import ObjectStore


AT_ONCE = 16
"""Requests of one thread that asks for many objects."""
_FEW = 10
"""So many objects of a folder are asked for one by one rather than listing it."""
UNFINISHED = ".unfinished"
"""How the name of a file ends that is being downloaded."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    data: bytes
    version: "UpdateVersion"
    """What tells this state of the object from those before and after."""


class Objects:
    """All that lies below a URL. Names are relative paths with `/`. Safe for any number of threads and processes."""

    def __init__(self, root: UPath) -> None:
        parts = urlsplit(str(root))
        self._root = str(root)
        self._store = _opened(f"{parts.scheme}://{parts.netloc}")
        self._prefix = parts.path.strip("/")

    def get(self, name: str) -> StoredObject | None:
        with _explained(self._root):
            try:
                found = self._store.get(self._path(name))
            except FileNotFoundError:
                return None
            return StoredObject(bytes(found.bytes()), _version(found.meta["e_tag"], found.meta["version"]))

    def get_all(self, names: Sequence[str]) -> dict[str, StoredObject]:
        """Those that are there, many at once."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return {name: found for name, found in zip(names, pool.map(self.get, names), strict=True) if found}

    def size(self, name: str) -> int | None:
        meta = self._meta(name)
        return None if meta is None else meta["size"]

    def _meta(self, name: str) -> "ObjectMeta | None":
        with _explained(self._root):
            try:
                return self._store.head(self._path(name))
            except FileNotFoundError:
                return None

    def put(self, name: str, data: bytes) -> None:
        with _explained(self._root):
            self._store.put(self._path(name), data)

    def put_if(self, name: str, data: bytes, before: "UpdateVersion | None") -> "UpdateVersion | None":
        """Write the object if it is still as it was `before`; None: if it is not there. The version that was written,
        or None where another was."""
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        with _explained(self._root):
            try:
                written = self._store.put(self._path(name), data, mode=before or "create")
            except (AlreadyExistsError, PreconditionError):
                # A write whose answer was lost is tried again below us, and then finds itself in its way.
                found = self.get(name)
                return found.version if found is not None and found.data == data else None
            return _version(written["e_tag"], written["version"])

    def download(self, name: str, path: Path) -> None:
        """Into a file that appears when it is whole."""
        unfinished = path.with_name(f".{path.name}.{token_hex(8)}{UNFINISHED}")
        path.parent.mkdir(parents=True, exist_ok=True)
        with _explained(self._root), unfinished.open("wb") as file:
            for piece in self._store.get(self._path(name)).stream():
                file.write(piece)
        unfinished.replace(path)

    def upload(self, path: Path, name: str) -> None:
        with _explained(self._root):
            self._store.put(self._path(name), path)

    def create_all(self, objects: Mapping[str, bytes]) -> None:
        """Write those that are not there yet, many at once."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda name: self.put_if(name, objects[name], None), objects))

    def delete(self, names: list[str]) -> None:
        with _explained(self._root):
            if names:
                self._store.delete([self._path(name) for name in names])

    def names(self, folder: str) -> list[str]:
        """Names of the objects and folders in a folder, sorted."""
        with _explained(self._root):
            found = self._store.list_with_delimiter(self._path(folder) or None)
            paths = [*found["common_prefixes"], *(one["path"] for one in found["objects"])]
        return sorted(str(path).rstrip("/").rsplit("/", 1)[-1] for path in paths)

    def names_in(self, folder: str) -> list[str]:
        """The same with the folder before each."""
        return [f"{folder}/{name}" for name in self.names(folder)]

    def all_below(self, folder: str) -> list[str]:
        """Names of all objects below a folder, relative to it, sorted."""
        path = self._path(folder)
        with _explained(self._root):
            return sorted(one["path"][len(path) + 1 :] for batch in self._store.list(path) for one in batch)

    def tags_of(self, names: Sequence[str]) -> dict[str, str]:
        """The entity tags of those that are there. Of many in one folder the whole folder is listed, a thousand objects
        with each request."""
        folders: dict[str, list[str]] = {}
        for name in names:
            folders.setdefault(name.partition("/")[0], []).append(name)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = pool.map(lambda item: self._tags_below(*item), folders.items())
            return {name: tag for tags in found for name, tag in tags.items()}

    def _tags_below(self, folder: str, names: Sequence[str]) -> dict[str, str]:
        if len(names) > _FEW:
            with _explained(self._root):
                listed = [one for batch in self._store.list(self._path(folder)) for one in batch]
        else:
            listed = [one for name in names if (one := self._meta(name)) is not None]
        tags = {one["path"]: one["e_tag"] or str(one["last_modified"]) for one in listed}
        return {name: tags[self._path(name)] for name in names if self._path(name) in tags}

    def _path(self, name: str) -> str:
        return "/".join(part for part in (self._prefix, name.strip("/")) if part)


def _version(e_tag: str | None, version: str | None) -> "UpdateVersion":
    """Some stores tell the one, some the other."""
    told: UpdateVersion = {}
    if e_tag is not None:
        told["e_tag"] = e_tag
    if version is not None:
        told["version"] = version
    return told


@cache
def _opened(url: str) -> "ObjectStore":
    """One client for each bucket, with its connections."""
    from obstore.exceptions import BaseError
    from obstore.store import from_url

    try:
        return from_url(url)
    except (BaseError, ValueError) as error:
        raise UsageError(f"{url} cannot be opened as an object store: {error}") from error


@contextmanager
def _explained(root: str) -> Iterator[None]:
    from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

    try:
        yield
    except (PermissionDeniedError, UnauthenticatedError, PermissionError) as error:
        message = f"{root} cannot be used ({_first_line(error)}); set {VARIABLE} to a folder or URL you may write to"
        raise UsageError(message) from error
    except (BaseError, OSError) as error:
        raise StorageFault(f"{root} cannot be read or written: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    """What follows is meant for the authors of the client."""
    return str(error).strip().partition("\n")[0]
