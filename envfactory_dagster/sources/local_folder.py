"""A folder of this machine as a source.

Belongs here: which of its files are documents, and why others are none. Does not: keeping what was read (`snapshots`).
"""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from envfactory_dagster.contracts.base import Contract, NonEmpty
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.mining import DataDocument, LeftOutDocument, SnapshotIndex, WholeSnapshot
from envfactory_dagster.sources.documents import FORMS, LARGEST_BYTES, MOST_BYTES, MOST_DOCUMENTS, form_of, text_of
from envfactory_dagster.sources.mcp_servers import called
from envfactory_dagster.sources.parsing import UnreadableFile

FETCHED = ".fetched.json"
"""Where `fetching` keeps which file of a folder came from where, and when."""
LICENCES = ("LICENSE", "LICENCE", "LICENSE.txt", "LICENCE.txt", "LICENSE.md", "LICENCE.md")
"""A file of this name holds the terms of everything in its folder; its first line is what they are called."""


class FetchedFile(Contract):
    """A file of a folder that was fetched."""

    file: NonEmpty
    address: NonEmpty
    server: str = ""
    """The MCP server that offered it, which can give its resources any address. Empty for pages of the web."""
    fetched_at: NonEmpty
    bytes: int
    sha256: NonEmpty

    @property
    def key(self) -> str:
        return f"{self.server} {self.address}".strip()

    @property
    def origin(self) -> str:
        return f"{called(self.address)} of {self.server}" if self.server else called(self.address)


class DocumentFolder:
    """All documents below a folder, read once and held."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise UsageError(f"{folder} is no folder.")
        self.folder = folder
        self.left_out: list[LeftOutDocument] = []
        self._texts: dict[str, str] = {}
        self._bytes = 0
        for path in _files(folder):
            if path.name not in LICENCES:
                self._take(path)
        if not self._texts:
            reasons = "; ".join(f"{one.document} {one.reason}" for one in self.left_out[:5])
            raise UsageError(f"{folder} holds no document that can be read. {reasons}".strip())
        self._terms = _terms(folder)
        self._fetched = {one.file: one for one in fetched_files(folder).values()}

    def documents(self) -> Sequence[DataDocument]:
        return [self._document(name, text) for name, text in self._texts.items()]

    def whole(self) -> WholeSnapshot:
        """The documents with their texts, and with the file that says under which terms they stand."""
        terms = self._terms
        licence = None if terms is None else self._document(*terms)
        texts = self._texts if terms is None else self._texts | dict([terms])
        return WholeSnapshot(index=SnapshotIndex(documents=list(self.documents()), licence=licence), texts=texts)

    def _document(self, name: str, text: str) -> DataDocument:
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        fetched = self._fetched.get(name)
        return DataDocument(
            id=name,
            form=form_of(name) or "text",
            bytes=len(text.encode()),
            sha256=sha256,
            licence=self._terms[1].strip().splitlines()[0][:200] if self._terms else "",
            address=fetched.origin if fetched else "",
            fetched_at=fetched.fetched_at if fetched else "",
        )

    def text(self, document: str) -> str:
        if document not in self._texts:
            raise UnreadableFile("is no document of this source")
        return self._texts[document]

    def _take(self, path: Path) -> None:
        name = path.relative_to(self.folder).as_posix()
        try:
            if len(self._texts) == MOST_DOCUMENTS:
                raise UnreadableFile(f"is one too many: {MOST_DOCUMENTS} documents are read")
            _refuse_odd_name(name)
            text = text_of(path, self.folder, tuple(FORMS), LARGEST_BYTES)
            if self._bytes + len(text.encode()) > MOST_BYTES:
                raise UnreadableFile(
                    f"is more than is read: all documents together may have {MOST_BYTES // 1_000_000} MB"
                )
            self._texts[name] = text
            self._bytes += len(text.encode())
        except UnreadableFile as problem:
            self.left_out.append(LeftOutDocument(document=_printable(name), reason=str(problem)))


def _files(folder: Path) -> list[Path]:
    """Every file below the folder in a settled order. Hidden ones and the insides of linked folders are not ours."""
    found = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        found += [Path(parent) / name for name in sorted([*files, *links]) if not name.startswith(".")]
    return found


def _refuse_odd_name(name: str) -> None:
    if name != _printable(name) or len(name) > 200:
        raise UnreadableFile("has a name that cannot be shown; give it a short one in plain characters")


def _printable(name: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in name)[:200]


def _terms(folder: Path) -> tuple[str, str] | None:
    """The name and the text of the file that holds them."""
    for name in LICENCES:
        if (folder / name).is_file():
            try:
                return name, text_of(folder / name, folder, ("", ".txt", ".md"), 100_000)
            except UnreadableFile:
                return None
    return None


def fetched_files(folder: Path) -> dict[str, FetchedFile]:
    """By key, what was fetched into a folder. Raises UsageError."""
    try:
        listed = _FETCHED.validate_json((folder / FETCHED).read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError):
        raise UsageError(f"{folder / FETCHED} cannot be read; remove it to fetch everything again.") from None
    return {one.key: one for one in listed}


_FETCHED = TypeAdapter(list[FetchedFile])
