"""How the files of an environment are kept: which are lists of records, and what a record of each looks like.

Belongs here: the layout that a bundle of kind `files` has beside its files, and what a path may be. Does not: reading
files (`runtime.file_images`), and what tools do with them (`runtime.env_files`).
"""

import unicodedata
from collections.abc import Iterable
from typing import Literal

from pydantic import Field, field_validator

from envfactory_dagster.contracts.base import Contract, Identifier
from envfactory_dagster.contracts.file_paths import path_problem

MOST_FILES = 2_000
MOST_BYTES = 48 << 20
"""Of all files of a state together."""
MOST_DOCUMENT_BYTES = 500_000
MOST_FIELDS = 200
DOCUMENTS = "documents"
DOCUMENTS_TABLE = "CREATE TABLE documents (path TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT"
"""The table of the files that are no lists of records; an environment need not have any."""

RecordFormat = Literal["json", "jsonl", "csv", "tsv", "yaml"]
FieldType = Literal["text", "integer", "number", "boolean", "json"]
"""`json`: whatever JSON can say, as its text."""


class FileField(Contract):
    """One field of the records of a file, and the column that holds it."""

    name: str
    column: Identifier
    type: FieldType
    required: bool = False
    missing: Literal["null", "absent"] = "null"
    """What a record says that has no value here."""
    references: str = ""
    """Path of the file whose key this is."""


class RecordFile(Contract):
    """A file that is a list or a mapping of records. Each is a row of `table`."""

    path: str
    format: RecordFormat
    shape: Literal["list", "map"]
    table: Identifier
    key: str = ""
    """The field by which records are found. Empty in a mapping, and where records are only numbered, from 1."""
    key_column: Identifier
    key_type: Literal["text", "integer"]
    ascending: bool = True
    """Whether records stand in the order of their keys, which are whole numbers."""
    plain: bool = False
    """Records are values by themselves, not objects with fields."""
    fields: list[FileField]
    readonly: bool = False


class FilesLayout(Contract):
    """All other files are documents: text, kept as it is."""

    records: list[RecordFile] = Field(default_factory=list)
    readonly: list[str] = Field(default_factory=list)
    """Patterns of documents that no tool writes, such as `papers/*`."""

    def of(self, path: str) -> RecordFile | None:
        return next((one for one in self.records if one.path == path), None)


class FileHint(Contract):
    """What a file does not say of itself."""

    document: bool = False
    """Keep it as text, though it could be read as records."""
    key: str | None = None
    """The field by which records are found; empty: they are only numbered."""
    fields: dict[str, FieldType] = Field(default_factory=dict)
    """Of a file without records, or beside those that its records have."""
    references: dict[str, str] = Field(default_factory=dict)
    """Field → path of the file whose key it is."""
    readonly: bool = False


class FileHints(Contract):
    files: dict[str, FileHint] = Field(default_factory=dict)
    readonly: list[str] = Field(default_factory=list)
    """Patterns of documents that no tool writes."""

    @field_validator("files")
    @classmethod
    def _are_paths(cls, files: dict[str, FileHint]) -> dict[str, FileHint]:
        for path in files:
            if problem := path_problem(path):
                raise ValueError(problem)
        return files


def problem_of_paths(paths: Iterable[str]) -> str | None:
    """Why these cannot be the files of one state; None where they can."""
    known: dict[str, str] = {}
    folders: dict[str, str] = {}
    for number, path in enumerate(paths, 1):
        if problem := path_problem(path):
            return problem
        if number > MOST_FILES:
            return f"there are more than {MOST_FILES} files"
        folded = _folded(path)
        if folded in known:
            return f"{path!r} and {known[folded]!r} are one file where upper and lower case are the same"
        known[folded] = path
        parts = path.split("/")
        for end in range(1, len(parts)):
            folder = "/".join(parts[:end])
            other = folders.setdefault(_folded(folder), folder)
            if other != folder:
                return f"{folder!r} and {other!r} are one folder where upper and lower case are the same"
    both = known.keys() & folders.keys()
    return f"{known[min(both)]!r} is a file and a folder" if both else None


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path.casefold())
