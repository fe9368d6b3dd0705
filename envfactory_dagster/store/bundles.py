"""The bundles of environments: every version that was ever built, and which one is the latest.

Belongs here: the layout below `bundles/`, keeping and finding bundles wherever the home is. Does not: what is in a
bundle's folder (`contracts.bundle`).

    bundles/KEY/VERSION/   one bundle; nobody changes it once it is there, so that readers may take their time
    bundles/KEY/LATEST     the version that is meant when none is named
"""

import errno
import os
from dataclasses import dataclass
from pathlib import Path

from upath import UPath

from envfactory_dagster.contracts.bundle import MANIFEST, Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.store.files import explained, open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.keys import checked_key
from envfactory_dagster.store.objects import Objects

LATEST = "LATEST"
_VERSION_LENGTH = 16
"""Folders carry the first characters of a version: enough to be unique within one environment, short enough to type."""


class BundleStore:
    """Safe for any number of processes. Holds nothing in memory."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._root = home.bundles
        self._files = open_files(home.bundles)

    def keep(self, bundle: Bundle) -> UPath:
        """Store a bundle unless it is there and intact, and make it the latest. Returns its folder."""
        folder = self._root / checked_key(bundle.key) / bundle.version[:_VERSION_LENGTH]
        _refuse_links(folder)
        if not _is_intact(folder):
            _write(bundle, folder)
        latest = bundle.version[:_VERSION_LENGTH]
        if latest != self.latest(bundle.key):
            self._files.replace(f"{bundle.key}/{LATEST}", latest.encode())
        return folder

    def load(self, key: str, version: str | None = None) -> Bundle:
        """The named version, or the latest. Every hash is checked."""
        return _read(self.folder(key, version))

    def folder(self, key: str, version: str | None = None) -> UPath:
        chosen = version[:_VERSION_LENGTH] if version is not None else self.latest(key)
        if chosen is None:
            raise UsageError(f"there is no bundle of {key!r} under {self._root}")
        if chosen not in self.versions(key):
            raise UsageError(f"there is no version {chosen} of {key!r} under {self._root}")
        return self._root / key / chosen

    def latest(self, key: str) -> str | None:
        name = self._files.read(f"{checked_key(key)}/{LATEST}")
        return name.decode() if name else None

    def versions(self, key: str) -> list[str]:
        return [name for name in self._files.names(checked_key(key)) if name != LATEST]

    def keys(self) -> list[str]:
        return self._files.names("")


def _is_intact(folder: UPath) -> bool:
    try:
        return bool(_read(folder).version)
    except EnvironmentFault:
        return False


def _write(bundle: Bundle, folder: UPath) -> None:
    if isinstance(folder, Path):
        with explained(folder):
            _write_locally(bundle, folder)
        return
    objects = Objects(folder)
    for path, data in bundle.files().items():
        objects.put(path, data)
    # Last, because a folder without a manifest is no bundle yet.
    objects.put(MANIFEST, bundle.manifest().model_dump_json().encode())


def _write_locally(bundle: Bundle, folder: Path) -> None:
    try:
        bundle.write(folder)
    except OSError:
        # Another process may have moved the same version into place a moment before us.
        if not _is_intact(UPath(folder)):
            raise


def _refuse_links(folder: UPath) -> None:
    """What is written below the home stays there, also where others can write to the home."""
    for place in (folder.parent, folder):
        if isinstance(place, Path) and place.is_symlink():
            raise EnvironmentFault(f"bundle {folder}: {place} is a link, and nothing is written through links")


def _read(folder: UPath) -> Bundle:
    return Bundle.read(folder) if isinstance(folder, Path) else Bundle.read_from(_RemoteFolder(Objects(folder)), folder)


@dataclass(frozen=True, slots=True)
class _RemoteFolder:
    objects: Objects

    def size(self, path: str) -> int | None:
        size = self.objects.size(path)
        if size is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return size

    def read(self, path: str, size: int) -> bytes:
        found = self.objects.get(path)
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return found.data[:size]
