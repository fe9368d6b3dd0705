"""Finding and opening the files of a source folder, whatever somebody may have put into it.

Belongs here: where the folders are, which files are looked at, how much of them, what is wrong with one. Does not: what
a readable file says (`documents`).
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import orjson
import yaml

from envfactory_dagster.store.home import DEFAULT, Home

Kind = Literal["name_seed", "mcp_spec", "tool_docs", "prd", "task_set"]
KINDS: tuple[Kind, ...] = get_args(Kind)

FOLDERS: dict[Kind, str] = {
    "name_seed": "name_seeds",
    "mcp_spec": "mcp_specs",
    "tool_docs": "tool_docs",
    "prd": "prds",
    "task_set": "task_sets",
}
SUFFIXES: dict[Kind, tuple[str, ...]] = {
    "name_seed": (".txt", ".csv"),
    "mcp_spec": (".json",),
    "tool_docs": (".json", ".yaml", ".yml"),
    "prd": (".md", ".markdown"),
    "task_set": (".jsonl", ".json"),
}
SAMPLES = Path(__file__).parent / "samples"
LARGEST_BYTES = 2_000_000
DEEPEST = 100
MOST_VALUES = 300_000
YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Unreadable(Exception):
    """A file or an entry cannot be read. The message tells the person who put it there what is wrong."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    kind: Kind
    path: Path
    name: str
    """Kind's folder and path below it, with `/`: what references and rejections call it."""


def source_folders(home: Home) -> dict[Kind, Path]:
    """The user's folder of each kind where there is one, else the samples that come with this package."""
    own = (Path(str(home.root)) if home.is_local else Path(DEFAULT).absolute()) / "sources"
    return {kind: own / name if (own / name).is_dir() else SAMPLES / name for kind, name in FOLDERS.items()}


def source_files(kind: Kind, folder: Path) -> Iterator[SourceFile]:
    """Every file below the folder in a settled order. Hidden ones and the insides of linked folders are not ours."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in sorted([*files, *links]):
            if not name.startswith("."):
                path = Path(parent) / name
                yield SourceFile(kind, path, f"{FOLDERS[kind]}/{path.relative_to(folder).as_posix()}")


def read_text(file: SourceFile, folder: Path) -> str:
    """The whole text of a file that is ours to read. Raises Unreadable."""
    path = file.path
    try:
        if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
            raise Unreadable("is a link to somewhere outside its folder; copy the file into the folder instead")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise Unreadable("is not a regular file")
        if path.suffix.lower() not in SUFFIXES[file.kind]:
            raise Unreadable(f"has an unknown ending; this folder holds {' and '.join(SUFFIXES[file.kind])} files")
        if found.st_size > LARGEST_BYTES:
            limit = LARGEST_BYTES / 1e6
            raise Unreadable(f"has {found.st_size / 1e6:.1f} MB; at most {limit:.0f} MB are read, so split it")
        with path.open("rb") as opened:
            data = opened.read(LARGEST_BYTES)
    except (OSError, RuntimeError) as error:
        raise Unreadable(f"cannot be opened: {error}") from error
    return _decoded(data)


def parse_json(text: str, what: str = "") -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise Unreadable(f"{what}is not valid JSON: {error}") from error


def parse_yaml(text: str) -> Any:
    try:
        _refuse_depth(text)
        return yaml.load(text, Loader=YAML)
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise Unreadable(f"is not valid YAML: {' '.join(str(error).split())[:200]}") from error


def as_json(document: Any) -> Any:
    """What YAML gave as JSON would have it: keys are texts, so are dates, every alias is written out, and one that
    stands within itself is nothing."""
    left = MOST_VALUES

    def plain(value: Any, around: tuple[int, ...]) -> Any:
        nonlocal left
        left -= 1
        if left < 0 or len(around) > DEEPEST:
            raise Unreadable(f"is too large: it has more than {MOST_VALUES:,} values once its aliases are written out")
        if not isinstance(value, dict | list):
            return value if value is None or isinstance(value, str | bool | int | float) else str(value)
        if id(value) in around:
            return None
        inside = (*around, id(value))
        if isinstance(value, dict):
            return {str(key): plain(inner, inside) for key, inner in value.items()}
        return [plain(inner, inside) for inner in value]

    return plain(document, ())


def _refuse_depth(text: str) -> None:
    """The loader written in C ends the whole process when a document is nested too deeply, so look before."""
    depth = 0
    for event in yaml.parse(text, Loader=YAML):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise Unreadable(f"is not valid YAML: it is nested more than {DEEPEST} levels deep")


def _decoded(data: bytes) -> str:
    if b"\0" in data:
        raise Unreadable("is binary, not text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not UTF-8 text: byte {error.start} cannot be decoded") from error
    if not text.strip():
        raise Unreadable("is empty")
    return text
