"""Opening a file of a folder, whatever somebody may have put into it.

Belongs here: which files are ours to read, and how much of them. Does not: what they say (`parsing`, `tables`).
"""

import stat
from collections.abc import Sequence
from pathlib import Path

from envfactory_dagster.sources.parsing import UnreadableFile, decoded


def text_of(path: Path, folder: Path, suffixes: Sequence[str], most_bytes: int) -> str:
    """The whole text of a file that is ours to read. Raises Unreadable."""
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise UnreadableFile("is a link to somewhere outside its folder; copy the file into the folder instead")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableFile("is not a regular file")
        if path.suffix.lower() not in suffixes:
            known = " and ".join(suffixes)
            raise UnreadableFile(f"has an unknown ending; this folder holds {known} files")
        if found.st_size > most_bytes:
            limit = most_bytes / 1e6
            raise UnreadableFile(f"has {found.st_size / 1e6:.1f} MB; at most {limit:.0f} MB are read, so split it")
        with path.open("rb") as opened:
            data = opened.read(most_bytes)
    except (OSError, RuntimeError) as error:
        raise UnreadableFile(f"cannot be opened: {error}") from error
    return decoded(data)
