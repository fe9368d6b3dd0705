"""Files of others, read without trusting them.

Belongs here: sizes, links, JSON, Python source, and what is told when one is not as it has to be. Does not: what the
files say.
"""

import ast
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from envfactory_dagster.contracts.base import first_problem
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.text_bounds import TextRefused, beyond_bounds, python_tree

T = TypeVar("T")

MOST_BYTES = 64 << 20
"""How large one file may be: the largest database of a published environment that is known has 7 MB."""
_TIMES_A_TEXT = 20
"""How much more a file of JSON may hold than one answer of a model."""
MOST_SOURCE_BYTES = 1 << 20
MOST_FILES = 2_000
"""In one folder."""


class Folder:
    """A folder that somebody names, and nothing outside it."""

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser()
        if not self.root.is_dir():
            raise UsageError(f"{self.root} is no folder.")

    def has(self, path: str) -> bool:
        return (self.root / path).exists()

    def files(self, folder: str, ending: str) -> Iterator[str]:
        """The names of the files of a folder, without the ending."""
        place = self.root / folder
        if not place.is_dir():
            raise UsageError(f"{self.root}: there is no folder {folder!r} in it.")
        names = sorted(os.listdir(place))
        if len(names) > MOST_FILES:
            raise UsageError(f"{place} has {len(names)} files; {MOST_FILES} are read at most.")
        yield from (name.removesuffix(ending) for name in names if name.endswith(ending) and not name.startswith("."))

    def text(self, path: str, most: int = MOST_BYTES) -> str:
        target = self.root / path
        if not target.resolve().is_relative_to(self.root.resolve()):
            raise UsageError(f"{target} leads out of {self.root}; links are not followed.")
        try:
            descriptor = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise UsageError(f"{target} cannot be read: {error.strerror}.") from error
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise UsageError(f"{target} is no regular file.")
            data = file.read(most + 1)
        if len(data) > most:
            raise UsageError(f"{target} is larger than {most >> 20} MiB, which is the most that is read.")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(f"{target} is no UTF-8 text: {error}.") from error

    def source(self, path: str) -> str:
        text = self.text(path, MOST_SOURCE_BYTES)
        parsed(text, path)
        return text

    def json(self, path: str, form: TypeAdapter[T]) -> T:
        return _of_form(self.text(path), form, f"{self.root / path}")

    def json_lines(self, path: str, form: TypeAdapter[T]) -> list[T]:
        lines = [line for line in self.text(path).split("\n") if line.strip()]
        return [_of_form(line, form, f"{self.root / path}, line {number}") for number, line in enumerate(lines, 1)]


def parsed(source: str, place: str) -> ast.Module:
    """Python source as a tree. What cannot be parsed is refused with the place it stands at."""
    try:
        return python_tree(source)
    except TextRefused as error:
        raise UsageError(f"{place} cannot be read: {error}") from error


def _of_form(text: str, form: TypeAdapter[T], place: str) -> T:
    if (too_much := beyond_bounds(text, _TIMES_A_TEXT)) is not None:
        raise UsageError(f"{place} is not read: {too_much}.")
    try:
        return form.validate_python(_loaded(text))
    except ValidationError as error:
        raise UsageError(f"{place} is not of this form: {first_problem(error)}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place} is no JSON: {error}.") from error


def _loaded(text: str) -> Any:
    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is no JSON number")

    return json.loads(text, parse_constant=refuse)
