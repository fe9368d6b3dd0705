"""The source folders: one for each kind of source, and which of their files are read.

Belongs here: where the folders are, which endings and sizes are read, opening a file. Does not: what a file says
(`source_formats`).
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from envfactory_dagster.contracts.sources import FolderKind
from envfactory_dagster.sources.documents import text_of
from envfactory_dagster.store.home import DEFAULT, Home

KINDS: tuple[FolderKind, ...] = get_args(FolderKind)

FOLDERS: dict[FolderKind, str] = {
    "name_seed": "name_seeds",
    "mcp_spec": "mcp_specs",
    "tool_docs": "tool_docs",
    "prd": "prds",
    "task_set": "task_sets",
}
SUFFIXES: dict[FolderKind, tuple[str, ...]] = {
    "name_seed": (".txt", ".csv"),
    "mcp_spec": (".json",),
    "tool_docs": (".json", ".yaml", ".yml"),
    "prd": (".md", ".markdown"),
    "task_set": (".jsonl", ".json"),
}
SAMPLES = Path(__file__).parent / "samples"
LARGEST_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class SourceFile:
    kind: FolderKind
    path: Path
    name: str
    """The folder of the kind and the path below it, such as `prds/alps/huts.md`. References and rejections use it."""


def source_folders(home: Home) -> dict[FolderKind, Path]:
    """The user's folder of each kind where there is one, else the samples that come with this package."""
    own = (Path(str(home.root)) if home.is_local else Path(DEFAULT).absolute()) / "sources"
    return {kind: own / name if (own / name).is_dir() else SAMPLES / name for kind, name in FOLDERS.items()}


def source_files(kind: FolderKind, folder: Path) -> Iterator[SourceFile]:
    """Every file below the folder, sorted by name, without hidden ones. A link to a folder counts as a file."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in sorted([*files, *links]):
            if not name.startswith("."):
                path = Path(parent) / name
                yield SourceFile(kind, path, f"{FOLDERS[kind]}/{path.relative_to(folder).as_posix()}")


def read_text(file: SourceFile, folder: Path) -> str:
    """The whole text of a file. Raises UnreadableFile where it has another ending, is too large or lies elsewhere."""
    return text_of(file.path, folder, SUFFIXES[file.kind], LARGEST_BYTES)
