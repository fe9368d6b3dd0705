"""`open`, `pathlib.Path`, `os` and `glob` for tools that were written for a folder: they read and write `env.files`.

Python's standard library only: the text is part of `server.py`. Belongs here: the stand-ins. Nothing in them opens
anything: a sandboxed worker could not, and the environment's own server does not either. Does not: what a file is.

A path is relative, or below `/app/database`, where published environments keep their files.
"""

import io
import posixpath
import types
from collections.abc import Callable, Iterator
from typing import Any

from envfactory_dagster.runtime.env_files import SessionFiles
from envfactory_dagster.runtime.facade import import_allowed

FOLDER = "/app/database"
FILE_IMPORTS = frozenset(("csv", "textwrap", "unicodedata"))
"""What tools over files may import besides what all tools may."""
STAND_INS = {
    "os": frozenset(("getcwd", "listdir", "remove", "path", "sep")),
    "os.path": frozenset(
        ("join", "basename", "dirname", "splitext", "normpath", "exists", "isfile", "isdir", "getsize")
    ),
    "pathlib": frozenset(("Path",)),
    "glob": frozenset(("glob",)),
}
"""By module: what it has here."""


def builtins_for(files: Callable[[], SessionFiles]) -> dict[str, Any]:
    """What a tool module is given in the place of Python's own: `files` are those of its session."""
    folder = _Folder(files)
    modules = _modules(folder)

    def imported(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level == 0 and name in modules:
            return modules[name] if fromlist else modules[name.partition(".")[0]]
        if level == 0 and name in FILE_IMPORTS:
            return __import__(name, None, None, fromlist)
        return import_allowed(name, globals, locals, fromlist, level)

    return {"open": folder.open, "__import__": imported}


class _Folder:
    def __init__(self, files: Callable[[], SessionFiles]) -> None:
        self._files = files

    @property
    def files(self) -> SessionFiles:
        return self._files()

    def open(
        self, file: Any, mode: str = "r", buffering: int = -1, encoding: Any = None, errors: Any = None,
        newline: str | None = None,
    ) -> io.StringIO:  # fmt: skip
        """Text to read, or to be written when it is closed."""
        way = mode.replace("t", "")
        if way not in ("r", "w", "a", "x"):
            raise ValueError(f"files are text here, to be read, written or added to; not {mode!r}")
        path, there = inner_path(file), self.exists(file)
        if way == "r" and not there:
            raise FileNotFoundError(f"there is no file {str(file)[:200]!r}")
        if way == "x" and there:
            raise FileExistsError(f"there is a file {str(file)[:200]!r} already")
        text = self.files.read_text(path) if there and way in "ra" else ""
        return _OpenFile(text, newline, None if way == "r" else lambda written: self.files.write_text(path, written))

    def exists(self, path: Any) -> bool:
        inner = inner_path(path)
        return bool(inner) and self.files.exists(inner)

    def is_folder(self, path: Any) -> bool:
        return not inner_path(path) or bool(self.names(path))

    def names(self, path: Any) -> list[str]:
        """What is in a folder."""
        inner = inner_path(path)
        start = f"{inner}/" if inner else ""
        below = [name.removeprefix(start) for name in self.files.paths() if name.startswith(start)]
        return sorted({name.partition("/")[0] for name in below})

    def listed(self, path: Any = ".") -> list[str]:
        if not self.is_folder(path):
            raise FileNotFoundError(f"there is no folder {str(path)[:200]!r}")
        return self.names(path)

    def matching(self, pattern: str) -> list[str]:
        """As `glob.glob`: a star ends at a slash, and what is found is spelled as the pattern is."""
        wanted = inner_path(pattern)
        start = pattern[: len(pattern) - len(wanted)] if pattern.endswith(wanted) else ""
        depth = wanted.count("/")
        return [start + name for name in self.files.paths(wanted) if name.count("/") == depth]

    def remove(self, path: Any) -> None:
        if not self.files.remove(inner_path(path)):
            raise FileNotFoundError(f"there is no file {str(path)[:200]!r}")


def inner_path(path: Any) -> str:
    """The path as `env.files` has it; the folder itself is empty."""
    whole = posixpath.normpath(posixpath.join(FOLDER, str(path)))
    if whole != FOLDER and not whole.startswith(f"{FOLDER}/"):
        raise FileNotFoundError(f"there is nothing at {str(path)[:200]!r}: it is outside of {FOLDER}")
    return whole[len(FOLDER) + 1 :]


class _OpenFile(io.StringIO):
    def __init__(self, text: str, newline: str | None, write: Callable[[str], None] | None) -> None:
        super().__init__(text, newline=newline)
        self._write = write
        if write is not None:
            self.seek(0, io.SEEK_END)

    def write(self, text: str) -> int:
        if self._write is None:
            raise io.UnsupportedOperation("this file is only read")
        return super().write(text)

    def close(self) -> None:
        write, self._write = self._write, None
        if write is not None and not self.closed:
            write(self.getvalue())
        super().close()


class _Path:
    """As much of `pathlib.Path` as reading and writing takes."""

    __slots__ = ("_folder", "_text")

    def __init__(self, folder: _Folder, *parts: Any) -> None:
        self._folder = folder
        self._text = posixpath.normpath(posixpath.join(*map(str, parts))) if parts else "."

    def __truediv__(self, part: Any) -> "_Path":
        return _Path(self._folder, self._text, part)

    def __str__(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Path) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __lt__(self, other: "_Path") -> bool:
        return self._text < other._text

    @property
    def name(self) -> str:
        return posixpath.basename(self._text)

    @property
    def stem(self) -> str:
        return posixpath.splitext(self.name)[0]

    @property
    def suffix(self) -> str:
        return posixpath.splitext(self.name)[1]

    @property
    def parent(self) -> "_Path":
        return _Path(self._folder, posixpath.dirname(self._text) or ".")

    def exists(self) -> bool:
        return self._folder.exists(self) or self._folder.is_folder(self)

    def is_file(self) -> bool:
        return self._folder.exists(self)

    def is_dir(self) -> bool:
        return self._folder.is_folder(self)

    def open(self, mode: str = "r", encoding: Any = None, newline: str | None = None) -> io.StringIO:
        return self._folder.open(self, mode, encoding=encoding, newline=newline)

    def read_text(self, encoding: Any = None) -> str:
        with self.open() as file:
            return file.read()

    def write_text(self, text: str, encoding: Any = None) -> int:
        with self.open("w") as file:
            return file.write(text)

    def iterdir(self) -> "Iterator[_Path]":
        return iter([self / name for name in self._folder.listed(self)])

    def glob(self, pattern: str) -> "Iterator[_Path]":
        return iter([_Path(self._folder, name) for name in self._folder.matching(posixpath.join(self._text, pattern))])

    def unlink(self) -> None:
        self._folder.remove(self)


def _modules(folder: _Folder) -> dict[str, types.ModuleType]:
    pure = {name: getattr(posixpath, name) for name in ("join", "basename", "dirname", "splitext", "normpath")}
    path = _stand_in(
        "os.path", **pure, exists=lambda p: folder.exists(p) or folder.is_folder(p), isfile=folder.exists,
        isdir=folder.is_folder, getsize=lambda p: len(folder.files.read_text(inner_path(p)).encode()),
    )  # fmt: skip
    return {
        "os": _stand_in("os", getcwd=lambda: FOLDER, listdir=folder.listed, remove=folder.remove, path=path, sep="/"),
        "os.path": path,
        "pathlib": _stand_in("pathlib", Path=lambda *parts: _Path(folder, *parts)),
        "glob": _stand_in("glob", glob=folder.matching),
    }


def _stand_in(name: str, **content: Any) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__.update(content)
    return module
