"""Folders of a home on this machine, for processes that read and write files.

Belongs here: fetching a folder of an object store, and keeping there what has become of it. Does not: what is in it. A
home that is a folder needs neither.
"""

from pathlib import Path

from envfactory_dagster.store.home import Home
from envfactory_dagster.store.objects import UNFINISHED, Objects


def fetched(home: Home, folder: str) -> Path:
    """The folder on this machine, with every file that is in the home; those that are here already stay as they are."""
    place = home.local / folder
    if not home.is_local:
        objects = Objects(home.root / folder)
        for name in objects.all_below(""):
            if not (place / name).exists():
                objects.download(name, place / name)
    return place


def keep(home: Home, folder: str) -> None:
    """The home has of this folder what is here, and nothing else."""
    if home.is_local:
        return
    place, objects = home.local / folder, Objects(home.root / folder)
    files = [path for path in place.rglob("*") if path.is_file() and path.suffix != UNFINISHED]
    here = {path.relative_to(place).as_posix(): path for path in files}
    for name, path in here.items():
        objects.upload(path, name)
    objects.delete([name for name in objects.all_below("") if name not in here])
