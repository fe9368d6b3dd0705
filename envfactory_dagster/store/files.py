"""Named files that are written all at once, in a folder of this machine or in an object store.

Belongs here: reading, atomic writing, listing, locking, and saying in a sentence what went wrong. Does not: what is in
the files.

Locally a file is written beside its place and renamed into it; in an object store it is one put. In both a
reader sees the old file, the new one or none. Data is not forced to the disk: after a power cut a file may be empty,
which readers take for absent.
"""

import asyncio
import contextlib
import errno
import fcntl
import logging
import os
import secrets
import stat
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol

from upath import UPath

from envfactory_dagster.contracts.errors import StorageFault, UsageError
from envfactory_dagster.store.home import VARIABLE
from envfactory_dagster.store.leases import leased
from envfactory_dagster.store.objects import Objects

log = logging.getLogger(__name__)

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR}
_UNFINISHED = ".unfinished"
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.005, 0.25


class Files(Protocol):
    """Names are relative paths with `/`."""

    def read(self, name: str) -> bytes | None:
        """The file's content, or None when there is no such file."""
        ...

    def read_all(self, names: Sequence[str]) -> dict[str, bytes]:
        """The content of each of these files that there is, by name."""
        ...

    def marks(self, names: Sequence[str]) -> list[str]:
        """For each file a mark that changes whenever the file is replaced; empty when there is no such file."""
        ...

    def create(self, name: str, data: bytes) -> bool:
        """Write the file unless it is there already: then it is left as it is, and the answer is False."""
        ...

    def replace(self, name: str, data: bytes) -> None: ...

    def names(self, folder: str) -> list[str]:
        """Names of the files and folders in a folder, sorted; none when there is no such folder."""
        ...

    def locked(self, folder: str) -> AbstractAsyncContextManager[None]:
        """Be the only process at work on a folder; wait for whoever is before us."""
        ...


def open_files(root: UPath) -> Files:
    return LocalFiles(Path(str(root))) if isinstance(root, Path) else RemoteFiles(root)


class LocalFiles:
    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, name: str) -> bytes | None:
        with explained(self._root):
            try:
                with open(self._root / name, "rb", opener=_open_without_waiting) as file:
                    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                        raise StorageFault(f"{self._root / name} is a pipe or a device where a file belongs; remove it")
                    return file.read()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def read_all(self, names: Sequence[str]) -> dict[str, bytes]:
        return {name: data for name in names if (data := self.read(name)) is not None}

    def marks(self, names: Sequence[str]) -> list[str]:
        root = str(self._root)
        return [_mark(f"{root}/{name}") for name in names]

    def create(self, name: str, data: bytes) -> bool:
        if (self._root / name).exists():
            return False
        self.replace(name, data)
        return True

    def replace(self, name: str, data: bytes) -> None:
        target = self._root / name
        unfinished = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}{_UNFINISHED}")
        with explained(self._root):
            try:
                try:
                    unfinished.write_bytes(data)
                except FileNotFoundError:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    unfinished.write_bytes(data)
                os.replace(unfinished, target)
            except BaseException:
                with contextlib.suppress(OSError):
                    unfinished.unlink()
                raise

    def names(self, folder: str) -> list[str]:
        with explained(self._root):
            try:
                return sorted(name for name in os.listdir(self._root / folder) if not name.startswith("."))
            except FileNotFoundError:
                return []

    @asynccontextmanager
    async def locked(self, folder: str) -> AsyncIterator[None]:
        """The lock is the kernel's: it goes when its holder does, however that ends, so that none is ever stale."""
        path = self._root / folder
        with explained(self._root):
            path.mkdir(parents=True, exist_ok=True)
            held = os.open(path / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            await _wait_for_lock(held, folder)
            for leftover in path.glob(f".*{_UNFINISHED}"):
                leftover.unlink(missing_ok=True)
            yield
        finally:
            os.close(held)


def _mark(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return f"{status.st_ino}-{status.st_mtime_ns}"


def _open_without_waiting(path: str, flags: int) -> int:
    """A pipe would be waited for until somebody writes to it."""
    return os.open(path, flags | os.O_NONBLOCK)


async def _wait_for_lock(held: int, folder: str) -> None:
    pause = _FIRST_WAIT_S
    while True:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if pause == _FIRST_WAIT_S:
                log.info("%s is being made by another run; waiting for it", folder)
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_WAIT_S)
        else:
            return


class RemoteFiles:
    """An object store."""

    def __init__(self, root: UPath) -> None:
        self._objects = Objects(root)

    def read(self, name: str) -> bytes | None:
        found = self._objects.get(name)
        return found.data if found else None

    def read_all(self, names: Sequence[str]) -> dict[str, bytes]:
        return {name: found.data for name, found in self._objects.get_all(names).items()}

    def marks(self, names: Sequence[str]) -> list[str]:
        known = self._objects.tags_of(names)
        return [known.get(name, "") for name in names]

    def create(self, name: str, data: bytes) -> bool:
        return self._objects.put_if(name, data, None) is not None

    def replace(self, name: str, data: bytes) -> None:
        self._objects.put(name, data)

    def names(self, folder: str) -> list[str]:
        return [name for name in self._objects.names(folder) if not name.startswith(".")]

    def locked(self, folder: str) -> AbstractAsyncContextManager[None]:
        return leased(self._objects, f"{folder}/.lock")


@contextmanager
def explained(root: object) -> Iterator[None]:
    """Turn what the machine says into a sentence, and into whose fault it is."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            message = (
                f"there is no room left to write under {root}; what was finished is kept. Free some space and run again"
            )
            raise StorageFault(message) from error
        if error.errno in _REFUSED or isinstance(error, PermissionError):
            message = f"{root} cannot be used ({error}); set {VARIABLE} to a folder or URL you may write to"
            raise UsageError(message) from error
        raise StorageFault(f"{root} cannot be read or written: {error}") from error
