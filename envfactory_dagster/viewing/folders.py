"""Folders that are written anew as a whole, and never over anything else.

Belongs here: taking the place of an earlier one. Does not: what is in them.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from envfactory_dagster.contracts.errors import UsageError

_MARK = ".made-by-envfactory-view"
"""In every folder that was written here: only such a one is written over."""


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """A fresh folder to write in. It takes the place of `out` when that is done without a failure."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise UsageError(f"{out} is no folder; name another with --out.")
    if out.is_dir() and any(out.iterdir()) and not (out / _MARK).is_file():
        raise UsageError(f"{out} holds something that `envfactory view` did not write; name another with --out.")
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        (temporary / _MARK).touch()
        yield temporary
        temporary.chmod(0o755)
        if out.exists():
            shutil.rmtree(out)
        os.rename(temporary, out)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
