"""ENVFACTORY_HOME: where everything this project makes is kept, and the names of its sub-folders.

Belongs here: resolving the home, the one place that spells its layout. Does not: reading or writing anything in it.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from upath import UPath

from envfactory_dagster.contracts.errors import UsageError

VARIABLE = "ENVFACTORY_HOME"
DEFAULT = ".envfactory"
OBJECT_STORES = ("s3", "gs", "az")


@dataclass(frozen=True, slots=True)
class Home:
    """A folder of this machine, or a URL of an object store."""

    root: UPath

    @classmethod
    def resolve(cls, location: str | os.PathLike[str] | None = None) -> "Home":
        """The given location, else ENVFACTORY_HOME, else `./.envfactory`."""
        chosen = os.fspath(location) if location is not None else os.environ.get(VARIABLE) or DEFAULT
        try:
            path = UPath(chosen)
        except ValueError as error:
            raise UsageError(f"{VARIABLE} is {chosen!r}, which is no folder and no URL we can open: {error}") from error
        if path.protocol in ("", "file", "local"):
            return cls(UPath(path.path).expanduser().absolute())
        if path.protocol not in OBJECT_STORES:
            known = ", ".join(f"{protocol}://" for protocol in OBJECT_STORES)
            raise UsageError(f"{VARIABLE} is {chosen!r}, which is no folder and no URL of an object store ({known})")
        _open_with_obstore(path.protocol)
        return cls(path)

    @property
    def is_local(self) -> bool:
        return isinstance(self.root, Path)

    @property
    def local(self) -> Path:
        """For what must be on a disk of this machine: the home itself, or the default folder beside a URL."""
        return Path(str(self.root)) if self.is_local else Path(DEFAULT).absolute()

    @property
    def records(self) -> UPath:
        """One folder per stage, one per partition in it: see `store.records`."""
        return self.root / "records"

    @property
    def bundles(self) -> UPath:
        """One folder per environment, one per version in it: see `store.bundles`."""
        return self.root / "bundles"

    @property
    def datasets(self) -> UPath:
        """One folder per dataset, one per version in it, and the ledger of splits: see `datasets.building`."""
        return self.root / "datasets"

    @property
    def snapshots(self) -> UPath:
        """Documents that worlds are mined from, one folder per collection of them: see `sources.snapshots`."""
        return self.root / "snapshots"

    @property
    def failures(self) -> UPath:
        """What failed and why, one file per failed run."""
        return self.root / "failures"

    @property
    def site(self) -> Path:
        """Where `envfactory view` writes pages about all of it. Always a folder of this machine."""
        return self.local / "site"

    @property
    def dagster(self) -> Path:
        """DAGSTER_HOME: the variable when it is set, else beside the artifacts. Always a folder of this machine."""
        chosen = os.environ.get("DAGSTER_HOME")
        if chosen:
            return Path(chosen).expanduser().absolute()
        return self.local / "dagster"


def _open_with_obstore(protocol: str) -> None:
    """So that paths and the catalogue read through the client that `store.objects` writes with."""
    try:
        from obstore.fsspec import register
    except ImportError as error:
        raise UsageError(
            f"{VARIABLE} in an object store needs the extra `s3`: pip install -c constraints.txt -e '.[s3]'"
        ) from error
    register(protocol)
