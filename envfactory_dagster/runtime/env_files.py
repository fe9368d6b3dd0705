"""`env.files`: what a tool does with the files of its environment, which lie in the session's database.

Belongs here: reading, finding and writing files and records, and rendering a file from its rows. Python's standard
library only: the text is part of every bundle's `server.py`. Does not: how a database is made from files
(`file_images`).

Every file that is a list of records is a table, and its text is a function of the rows: a record that is as it was at
the start is written as it was, byte for byte; one that changed is written as its neighbours are. All other files are
rows of `documents`. What the file was at the start stands in tables that begin with `file__`, which nothing writes.
"""

import json
import random
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from envfactory_dagster.contracts.file_paths import format_of, path_problem
from envfactory_dagster.runtime.facade import MAX_ROWS_FETCHED, QueryableDatabase, Refusal
from envfactory_dagster.runtime.file_records import (
    column_names,
    field_value,
    from_cells,
    record_of,
    row_values,
    unlike_cells,
)
from envfactory_dagster.runtime.file_text import blank_frame, read_json, read_pieces, written

MOST_WRITTEN_BYTES = 500_000
MOST_FOUND = 200
_ALL = 1_000_000


class SessionFiles:
    """The files of one session. `known` is shared by the sessions of one initial state: what never changes in it."""

    __slots__ = ("_count", "_database", "_known")

    def __init__(self, database: QueryableDatabase, known: dict[str, Any], count: Callable[[], None]) -> None:
        self._database = database
        self._known = known
        self._count = count

    # -- what there is ----------------------------------------------------------------------------------------------

    def paths(self, pattern: str = "*") -> list[str]:
        """The paths of all files that fit the pattern, sorted."""
        paths = [*self._files(), *(row["path"] for row in self._rows("SELECT path FROM documents"))]
        return sorted(path for path in paths if fnmatchcase(path, pattern))

    def exists(self, path: str) -> bool:
        return path in self._files() or bool(self._rows("SELECT 1 FROM documents WHERE path = ?", path))

    # -- reading ----------------------------------------------------------------------------------------------------

    def read_text(self, path: str, start: int = 0, most: int | None = None) -> str:
        """The text of a file, or of `most` characters from `start` on."""
        file = self._files().get(path)
        text = self._document(path) if file is None else self._rendered(file)
        return text[start:] if most is None else text[start : start + most]

    def read_data(self, path: str) -> Any:
        """What a JSON, YAML or CSV file says: a list of records, a dictionary of them, or any JSON."""
        file = self._files().get(path)
        if file is None:
            if format_of(path) != "json":
                raise ValueError(f"{path} is a document; read_text reads it")
            return _told(path, read_json, self._document(path))
        if file["shape"] == "list":
            return self.records(path)
        rows = self._rows(f"{file['rows']} ORDER BY {file['rowid']}")
        return {row[file["key_column"]]: _record_of_row(file, row) for row in rows}

    def records(
        self, path: str, where: Mapping[str, Any] | None = None, start: int = 0, most: int = MAX_ROWS_FETCHED
    ) -> list[Any]:
        """The records of a file in its order; only those whose fields have these values."""
        file = self._file(path)
        sql, values = _filtered(file, file["records"], where)
        order = "" if start == 0 and most == MAX_ROWS_FETCHED else " LIMIT ? OFFSET ?"
        rows = self._rows(f"{sql} ORDER BY {file['rowid']}{order}", *values, *((most, start) if order else ()))
        return [record_of(file, row) for row in rows]

    def count(self, path: str, where: Mapping[str, Any] | None = None) -> int:
        file = self._file(path)
        sql, values = _filtered(file, f'SELECT count(*) AS n FROM "{file["table"]}"', where)
        number: int = self._rows(sql, *values)[0]["n"]
        return number

    def get(self, path: str, key: str | int) -> Any:
        """The record with this key, or None."""
        file = self._file(path)
        rows = self._rows(f'{file["records"]} WHERE "{file["key_column"]}" = ?', key)
        return record_of(file, rows[0]) if rows else None

    def sample(self, path: str, most: int, where: Mapping[str, Any] | None = None) -> list[Any]:
        """So many records, drawn by chance: the same ones whenever the file is the same."""
        file = self._file(path)
        sql, values = _filtered(file, f'SELECT {file["rowid"]} AS n FROM "{file["table"]}"', where)
        numbers = [row["n"] for row in self._rows(f"{sql} ORDER BY {file['rowid']}", *values, most=_ALL)]
        drawn = random.Random(f"{path} {len(numbers)}").sample(numbers, min(most, len(numbers)))
        sql = f"{file['records']} WHERE {file['rowid']} = ?"
        rows = [self._rows(sql, number)[0] for number in sorted(drawn)]
        return [record_of(file, row) for row in rows]

    def search(self, text: str, pattern: str = "*", most: int = 20) -> list[dict[str, Any]]:
        """The lines of documents that have this text in them, in any case: path, number and text of each."""
        wanted = text.casefold()
        found: list[dict[str, Any]] = []
        for row in self._rows("SELECT path, text FROM documents ORDER BY path"):
            if not wanted or not fnmatchcase(row["path"], pattern) or wanted not in row["text"].casefold():
                continue
            for number, line in enumerate(row["text"].splitlines(), 1):
                if wanted in line.casefold():
                    found.append({"path": row["path"], "line": number, "text": line})
                    if len(found) >= min(most, MOST_FOUND):
                        return found
        return found

    # -- writing ----------------------------------------------------------------------------------------------------

    def append(self, path: str, record: Any, key: str | None = None) -> Any:
        """Add a record at the end of a file; gives its key. In a mapping the key is named; a whole number that is the
        key of a record is made where it is missing."""
        file = self._writable(path)
        if file["shape"] == "map" and type(key) is not str:
            raise ValueError(f"{path} is a mapping: append(path, record, key)")
        values = row_values(file, key if file["shape"] == "map" else None, record)
        names = column_names(file)
        place = names.index(file["key_column"])
        if values[place] is None and not file["ascending"]:
            values[place] = self._rows(f'SELECT max("{names[place]}") + 1 AS n FROM "{file["table"]}"')[0]["n"] or 1
        made = values[place]
        if made is not None and self._has(file, made):
            raise ValueError(f"{path} has a record with the key {made!r} already")
        number = self._insert(file, names, values)
        return number if made is None else made

    def update(self, path: str, key: str | int, changes: Mapping[str, Any]) -> bool:
        """Change fields of a record; whether there is one."""
        file = self._writable(path)
        fields = file["named"]
        unknown = next((name for name in changes if name not in fields), None)
        if unknown is not None:
            raise ValueError(f"{path}: a record has no field {unknown[:80]!r}")
        cells = {fields[name]["column"]: field_value(file, fields[name], value) for name, value in changes.items()}
        if not cells:
            return self._has(file, key)
        columns = ", ".join(f'"{column}" = ?' for column in cells)
        sql = f'UPDATE "{file["table"]}" SET {columns} WHERE "{file["key_column"]}" = ?'
        return self._change(sql, *cells.values(), key) > 0

    def remove(self, path: str, key: str | int | None = None) -> bool:
        """Take a record out of a file, or a document away; whether it was there."""
        if key is None:
            if path in self._files():
                raise ValueError(f"{path} has records; only documents are removed")
            self._refuse_readonly(path)
            return self._change("DELETE FROM documents WHERE path = ?", path) > 0
        file = self._writable(path)
        return self._change(f'DELETE FROM "{file["table"]}" WHERE "{file["key_column"]}" = ?', key) > 0

    def write_text(self, path: str, text: str) -> None:
        """Write a whole file. Of a file with records it is the records that are kept."""
        file = self._files().get(path)
        if type(text) is not str or "\0" in text or len(text.encode("utf-8", "surrogatepass")) > MOST_WRITTEN_BYTES:
            raise ValueError(f"{path}: a file is text without NUL characters, of {MOST_WRITTEN_BYTES} bytes at most")
        if file is not None:
            if file["format"] == "yaml":
                raise ValueError(f"{path}: write its records with append, update and remove, or all with write_data")
            pieces = _told(path, read_pieces, text, file["format"])
            if pieces.shape != file["shape"] or (pieces.fields and pieces.fields != _names(file)):
                raise ValueError(f"{path} is a {file['shape']} of records with the fields {', '.join(_names(file))}")
            of_cells = file["format"] in ("csv", "tsv")
            self._replace(path, [(p.key, from_cells(file, p.value) if of_cells else p.value) for p in pieces.items])
            return
        if problem := path_problem(path):
            raise Refusal(problem)
        self._refuse_readonly(path)
        sql = "INSERT INTO documents (path, text) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET text = excluded.text"
        self._change(sql, path, text)

    def write_data(self, path: str, value: Any) -> None:
        """Write all records of a file, or a JSON document."""
        file = self._files().get(path)
        if file is None:
            if format_of(path) != "json":
                raise ValueError(f"{path} is a document; write_text writes it")
            self.write_text(path, json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
        elif not isinstance(value, list if file["shape"] == "list" else dict):
            raise ValueError(f"{path} is a {file['shape']} of records")
        else:
            self._replace(path, [(None, item) for item in value] if isinstance(value, list) else list(value.items()))

    # -- inside -----------------------------------------------------------------------------------------------------

    def _replace(self, path: str, records: list[tuple[Any, Any]]) -> None:
        """Make these the records of a file. Those that stay as they are are not touched."""
        file = self._writable(path)
        names = column_names(file)
        place = names.index(file["key_column"])
        rows = [row_values(file, key, record) for key, record in records]
        if not file["key"] and file["shape"] == "list":
            for number, row in enumerate(rows, 1):
                row[place] = number
        wanted = {row[place]: row for row in rows}
        if len(wanted) != len(rows):
            raise ValueError(f"{path}: two records have one key")
        before = {row[file["key_column"]]: row for row in self._rows(file["rows"], most=_ALL)}
        for key in before.keys() - wanted.keys():
            self._change(f'DELETE FROM "{file["table"]}" WHERE "{file["key_column"]}" = ?', key)
        for key, row in wanted.items():
            old = before.get(key)
            if old is None:
                self._insert(file, names, row)
                continue
            changed = {name: cell for name, cell in zip(names, row, strict=True) if old[name] != cell}
            if changed:
                columns = ", ".join(f'"{name}" = ?' for name in changed)
                sql = f'UPDATE "{file["table"]}" SET {columns} WHERE "{file["key_column"]}" = ?'
                self._change(sql, *changed.values(), key)

    def _rendered(self, file: dict[str, Any]) -> str:
        if file["readonly"] and self._is_made_from_files():
            sql = "SELECT text FROM file__pieces WHERE path = ? ORDER BY key"
            return "".join(row["text"] for row in self._rows(sql, file["path"]))
        frame, pieces = self._at_start(file)
        names = column_names(file)
        style, form, key_column = frame["style"], file["format"], file["key_column"]
        fields = _names(file)
        parts = [frame["head"]]
        is_first = form not in ("csv", "tsv")
        rows = self._rows(f"{file['rows']} ORDER BY {file['rowid']}", most=_ALL)
        for row in rows:
            key = row[key_column]
            gap, lead, text, cells = pieces.get(key, ("", "", "", ""))
            if cells != json.dumps([row[name] for name in names], ensure_ascii=False):
                named = key if file["shape"] == "map" else None
                lead, text = written(form, style, fields, named, _record_of_row(file, row))
            parts += ("" if is_first else gap or style["gap"], lead, text)
            is_first = False
        parts.append(_yaml_tail(file, frame, bool(pieces), bool(rows)) if form == "yaml" else frame["tail"])
        return "".join(parts)

    def _at_start(self, file: dict[str, Any]) -> tuple[dict[str, Any], dict[Any, tuple[str, str, str, str]]]:
        path = file["path"]
        known: dict[str, Any] = self._known.setdefault("frames", {})
        if path not in known and not self._is_made_from_files():
            known[path] = blank_frame(file["format"], file["shape"], _names(file)), {}
        elif path not in known:
            [frame] = self._rows("SELECT head, tail, style FROM file__frames WHERE path = ?", path)
            frame["style"] = json.loads(frame["style"])
            rows = self._rows("SELECT key, gap, lead, text, cells FROM file__pieces WHERE path = ?", path, most=_ALL)
            pieces = {row["key"]: (row["gap"], row["lead"], row["text"], row["cells"]) for row in rows}
            known[path] = frame, pieces
        found: tuple[dict[str, Any], dict[Any, tuple[str, str, str, str]]] = known[path]
        return found

    def _files(self) -> dict[str, dict[str, Any]]:
        if "files" not in self._known:
            layout = json.loads(self._known["layout"])
            self._known["readonly"] = layout["readonly"]
            self._known["files"] = {file["path"]: _described(file) for file in layout["records"]}
        files: dict[str, dict[str, Any]] = self._known["files"]
        return files

    def _is_made_from_files(self) -> bool:
        """Not where somebody made a database of the same tables, as trials of tools do."""
        if "made_from_files" not in self._known:
            found = self._rows("SELECT 1 FROM sqlite_schema WHERE name = 'file__frames'")
            self._known["made_from_files"] = bool(found)
        return bool(self._known["made_from_files"])

    def _file(self, path: str) -> dict[str, Any]:
        file = self._files().get(path)
        if file is None:
            if self.exists(path):
                raise ValueError(f"{path} is a document, and has no records")
            raise Refusal(f"there is no file {path[:200]!r}")
        return file

    def _writable(self, path: str) -> dict[str, Any]:
        file = self._file(path)
        if file["readonly"]:
            raise ValueError(f"{path} is not to be written")
        return file

    def _refuse_readonly(self, path: str) -> None:
        self._files()
        if any(fnmatchcase(path, pattern) for pattern in self._known["readonly"]):
            raise ValueError(f"{path} is not to be written")

    def _document(self, path: str) -> str:
        rows = self._rows("SELECT text FROM documents WHERE path = ?", path)
        if not rows:
            raise Refusal(path_problem(path) or f"there is no file {path!r}")
        text: str = rows[0]["text"]
        return text

    def _has(self, file: dict[str, Any], key: Any) -> bool:
        return bool(self._rows(f'SELECT 1 FROM "{file["table"]}" WHERE "{file["key_column"]}" = ?', key))

    def _insert(self, file: dict[str, Any], names: list[str], values: list[Any]) -> int:
        self._count()
        columns = ", ".join(f'"{name}"' for name in names)
        places = ", ".join("?" * len(names))
        return self._database.insert(f'INSERT INTO "{file["table"]}" ({columns}) VALUES ({places})', values)

    def _rows(self, sql: str, *values: Any, most: int = MAX_ROWS_FETCHED) -> list[dict[str, Any]]:
        self._count()
        return self._database.rows(sql, values, most)

    def _change(self, sql: str, *values: Any) -> int:
        self._count()
        return self._database.change(sql, values)


def files_of(layout: str) -> Callable[[QueryableDatabase, Callable[[], None]], SessionFiles]:
    """What `Env` makes its files with, for one initial state. `layout`: of the bundle, as JSON."""
    known = {"layout": layout}
    return lambda database, count: SessionFiles(database, known, count)


def _described(file: dict[str, Any]) -> dict[str, Any]:
    """The layout of a file, and what follows from it for every call."""
    columns = ", ".join(f'"{name}"' for name in column_names(file))
    fields = ", ".join(f'"{field["column"]}" AS {_quoted(field["name"])}' for field in file["fields"])
    return file | {
        "rows": f'SELECT {columns} FROM "{file["table"]}"',
        "records": f'SELECT {fields} FROM "{file["table"]}"',
        "rowid": f'"{file["table"]}".rowid',
        "unlike": unlike_cells(file),
        "named": {field["name"]: field for field in file["fields"]},
    }


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _record_of_row(file: dict[str, Any], row: dict[str, Any]) -> Any:
    return record_of(file, {field["name"]: row[field["column"]] for field in file["fields"]})


def _yaml_tail(file: dict[str, Any], frame: dict[str, Any], had_records: bool, has_records: bool) -> str:
    """A block list cannot be empty: without records it is `[]`, which stands in the tail of one that had none."""
    tail: str = frame["tail"]
    newline: str = frame["style"]["newline"]
    is_said = tail[:1] in ("[", "{")
    if has_records:
        return newline if is_said else tail
    nothing = "[]" if file["shape"] == "list" else "{}"
    return tail if is_said else nothing + (tail if tail and not had_records else newline)


def _filtered(file: dict[str, Any], sql: str, where: Mapping[str, Any] | None) -> tuple[str, list[Any]]:
    if not where:
        return sql, []
    columns = file["named"]
    unknown = next((name for name in where if name not in columns), None)
    if unknown is not None:
        raise ValueError(f"{file['path']}: a record has no field {unknown[:80]!r}")
    asked = [(columns[name], value) for name, value in where.items()]
    parts = [f'"{field["column"]}" IS ?' for field, _ in asked]
    values = [None if value is None and field["type"] != "json" else field_value(file, field, value)
              for field, value in asked]  # fmt: skip
    return f"{sql} WHERE {' AND '.join(parts)}", values


def _names(file: dict[str, Any]) -> list[str]:
    return [field["name"] for field in file["fields"]]


def _told(path: str, read: Callable[..., Any], *given: Any) -> Any:
    try:
        return read(*given)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
