"""From the files of an initial state to the database image that a session starts from.

Belongs here: which files are records and what their fields are, the tables, the image. Does not: taking text apart
(`file_text`, `yaml_text`), and what tools do with the tables (`env_files`). Files come from anywhere: ask a sandboxed
worker for these functions (`databases`).
"""

import json
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from xml.parsers import expat

import apsw

from envfactory_dagster.contracts.database import Cell, TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.file_layout import (
    DOCUMENTS,
    DOCUMENTS_TABLE,
    MOST_BYTES,
    MOST_DOCUMENT_BYTES,
    MOST_FIELDS,
    FieldType,
    FileField,
    FileHint,
    FileHints,
    FilesLayout,
    RecordFile,
    RecordFormat,
    problem_of_paths,
)
from envfactory_dagster.contracts.file_paths import format_of
from envfactory_dagster.runtime import images
from envfactory_dagster.runtime.file_records import WHOLE, column_names, from_cells, row_values
from envfactory_dagster.runtime.file_text import Pieces, read_pieces, style_of
from envfactory_dagster.runtime.yaml_text import read_yaml_pieces

RECORD_FORMATS: dict[str, RecordFormat] = {
    "json": "json", "jsonl": "jsonl", "csv": "csv", "tsv": "tsv", "yaml": "yaml", "yml": "yaml"
}  # fmt: skip
_CHUNK = 65_536
_OF_CELLS = ("csv", "tsv")
_TYPES = {"text": "TEXT", "integer": "INTEGER", "number": "REAL", "boolean": "INTEGER", "json": "TEXT"}
_TAKEN = frozenset(word.lower() for word in apsw.keywords) | {"rowid", "oid", "_rowid_"}
_KEY_ENDINGS = ("id", "_id", "code", "key", "email", "slug", "number")
_WHOLE_TEXT, _NUMBER_TEXT = re.compile(r"-?(0|[1-9][0-9]{0,17})"), re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_INTERNAL = """\
CREATE TABLE file__frames (path TEXT PRIMARY KEY, head TEXT NOT NULL, tail TEXT NOT NULL, style TEXT NOT NULL) STRICT;
CREATE TABLE file__pieces (path TEXT, key ANY, gap TEXT NOT NULL, lead TEXT NOT NULL, text TEXT NOT NULL,
    cells TEXT NOT NULL, PRIMARY KEY (path, key)) STRICT, WITHOUT ROWID;
"""
Files = Mapping[str, bytes]


def layout_of(states: Mapping[str, Files], hints: FileHints) -> FilesLayout:
    """What the files of all initial states have in common. Whatever is wrong with one raises `EnvironmentFault`."""
    read = {name: _read(files, hints) for name, files in states.items()}
    paths = dict.fromkeys(path for state in read.values() for path in state)
    if missing := sorted(set(hints.files) - {path for files in states.values() for path in files}):
        raise EnvironmentFault(f"There is no file {missing[0]!r}.")
    for path, hint in hints.files.items():
        if path not in paths and hint != FileHint(document=True):
            raise EnvironmentFault(f"{path} is a document; of one, a hint says nothing but that.")
    layout: list[RecordFile] = []
    for path in sorted(paths):
        found = [state[path] for state in read.values() if path in state]
        if len(found) < len(states):
            raise EnvironmentFault(f"{path}: a file of records is there in every state.")
        hint = hints.files.get(path, FileHint())
        layout.append(_record_file(path, found, hint, {one.table for one in layout}))
    _check_references(layout)
    return FilesLayout(records=_parents_first(layout), readonly=hints.readonly)


def schema_of_files(layout: FilesLayout) -> str:
    """The tables that tools, verifiers and tasks see. Comments name the file, and a field that is spelled otherwise."""
    tables = {file.path: file for file in layout.records}
    return "".join(_ddl(file, tables) for file in layout.records) + (f"{DOCUMENTS_TABLE};\n")


def build_files(schema_sql: str, layout: FilesLayout, files: Files) -> bytes:
    """The image of one state, with the tables that the layout speaks of. The same files give the same bytes."""
    read = _read(files, FileHints(files={path: FileHint(document=True) for path in files if not layout.of(path)}))
    rows: dict[str, list[list[Cell]]] = {DOCUMENTS: []}
    frames: list[list[Cell]] = []
    texts: list[list[Cell]] = []
    for path, data in sorted(files.items()):
        if layout.of(path) is None:
            rows[DOCUMENTS].append([path, _document(path, data)])
    for one in layout.records:
        if one.path not in read:
            raise EnvironmentFault(f"There is no file {one.path!r} that can be read as records.")
        pieces = read[one.path]
        style = json.dumps(style_of(pieces, one.format))
        rows[one.table], kept = _rows(one, pieces)
        if one.readonly:
            frames.append([one.path, "", "", style])
            kept = _whole(_text(one.path, files[one.path]))
        else:
            frames.append([one.path, pieces.head, pieces.tail, style])
        texts += [[one.path, *piece] for piece in kept]
    tables = [_table(one.table, column_names(one.model_dump()), rows[one.table]) for one in layout.records]
    tables.append(_table(DOCUMENTS, ["path", "text"], rows[DOCUMENTS]))
    tables.append(_table("file__frames", ["path", "head", "tail", "style"], frames))
    tables.append(_table("file__pieces", ["path", "key", "gap", "lead", "text", "cells"], texts))
    return images.build_image(schema_sql + _INTERNAL, tables)


# -- reading -----------------------------------------------------------------------------------------------------------


def _read(files: Files, hints: FileHints) -> dict[str, Pieces]:
    """The files that are records."""
    if problem := problem_of_paths(sorted(files)):
        raise EnvironmentFault(f"{problem[0].upper()}{problem[1:]}.")
    if (size := sum(map(len, files.values()))) > MOST_BYTES:
        raise EnvironmentFault(f"The files take {size} bytes together; they may take {MOST_BYTES}.")
    read: dict[str, Pieces] = {}
    for path, data in files.items():
        text = _text(path, data)
        form = RECORD_FORMATS.get(format_of(path))
        if form is None or hints.files.get(path, FileHint()).document:
            _document(path, data)
            continue
        try:
            read[path] = read_yaml_pieces(text) if form == "yaml" else read_pieces(text, form)
        except ValueError as error:
            raise EnvironmentFault(f"{path}: {error}.") from error
    return read


def _text(path: str, data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise EnvironmentFault(f"{path} is not UTF-8: {error.reason} at byte {error.start}.") from error
    if "\0" in text:
        raise EnvironmentFault(f"{path} holds a NUL character.")
    return text


def _document(path: str, data: bytes) -> str:
    if len(data) > MOST_DOCUMENT_BYTES:
        raise EnvironmentFault(f"{path} has {len(data)} bytes; a document may have {MOST_DOCUMENT_BYTES}.")
    if format_of(path) == "xml":
        _check_xml(path, data)
    return _text(path, data)


def _check_xml(path: str, data: bytes) -> None:
    parser = expat.ParserCreate()

    def refuse(*_: Any) -> None:
        raise EnvironmentFault(f"{path} declares a document type, which can define entities; write it without.")

    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise EnvironmentFault(f"{path} is not well-formed: {error}.") from error


# -- layout ------------------------------------------------------------------------------------------------------------


def _record_file(path: str, found: list[Pieces], hint: FileHint, tables: set[str]) -> RecordFile:
    form = RECORD_FORMATS[format_of(path)]
    shapes = {pieces.shape for pieces in found}
    if len(shapes) > 1:
        raise EnvironmentFault(f"{path} is a list in one state and a mapping in another.")
    table = _identifier(path, tables)
    values = [piece.value for pieces in found for piece in pieces.items]
    names = list(dict.fromkeys([*(name for pieces in found for name in pieces.fields),
                                *(name for value in values if type(value) is dict for name in value),
                                *hint.fields]))  # fmt: skip
    plain = _has_no_fields(names, values)
    if plain and hint.fields:
        raise EnvironmentFault(f"{path}: its records have no common fields, as the hint says they have.")
    if plain:
        fields = [_field("value", "value", [{"value": value} for value in values], "json" if not values else None)]
    else:
        columns: dict[str, str] = {}
        for name in names:
            columns[name] = _identifier(name, set(columns.values()))
        told = _cell_types(names, values) if form in _OF_CELLS else {}
        fields = [_field(name, columns[name], values, hint.fields.get(name) or told.get(name)) for name in names]
        fields = [field.model_copy(update={"references": hint.references.get(field.name, "")}) for field in fields]
    for name in (*hint.references, *([hint.key] if hint.key else [])):
        if plain or name not in names:
            raise EnvironmentFault(f"{path}: no record has the field {name!r}.")
    key = None if plain or "map" in shapes else _key(path, fields, [p.items for p in found], hint, form)
    key_column = (
        key.column if key else _identifier("entry" if "map" in shapes else "position", {f.column for f in fields})
    )
    numbered = "list" in shapes and key is None
    return RecordFile.model_validate({
        "path": path, "format": form, "shape": shapes.pop(), "table": table, "key": key.name if key else "",
        "key_column": key_column, "key_type": "integer" if numbered or (key and key.type == "integer") else "text",
        "ascending": numbered or (key is not None and all(_ascends(p.items, key.name, form) for p in found)),
        "plain": plain, "fields": fields, "readonly": hint.readonly,
    })  # fmt: skip


def _has_no_fields(names: list[str], values: list[Any]) -> bool:
    """Whether records are kept as values: they are no objects, or have fields that no column can be called."""
    odd = any("\0" in name or not name.isprintable() for name in names)
    return odd or not names or len(names) > MOST_FIELDS or any(type(value) is not dict for value in values)


def _field(name: str, column: str, values: list[dict[str, Any]], told: FieldType | None) -> FileField:
    present = [value[name] for value in values if name in value]
    absent = len(present) < len(values)
    has_null = any(value is None for value in present)
    kind = told or _type_of([value for value in present if value is not None])
    if absent and has_null:
        kind = "json"  # the only one that tells them apart
    required = bool(values) and not absent and not has_null and kind != "json"
    if told is not None and kind != "text" and any(value == "" for value in present):
        required = False
    missing = "absent" if absent or (kind == "json" and not values) else "null"
    return FileField(name=name, column=column, type=kind, required=required, missing=missing)  # type: ignore[arg-type]


def _type_of(values: list[Any]) -> FieldType:
    kinds = {type(value) for value in values}
    if kinds == {str}:
        return "text"
    if kinds == {bool}:
        return "boolean"
    if kinds == {int} and all(WHOLE[0] <= value <= WHOLE[1] for value in values):
        return "integer"
    if kinds and kinds <= {int, float} and all(float(value) == value for value in values):
        return "number"
    return "json"


def _cell_types(names: list[str], values: list[dict[str, str]]) -> dict[str, FieldType]:
    """What the cells of a CSV file are. Text whose spelling a number would not keep stays text."""
    types: dict[str, FieldType] = {}
    for name in names:
        cells = [value[name] for value in values if value[name]]
        is_whole = bool(cells) and all(_WHOLE_TEXT.fullmatch(cell) and cell != "-0" for cell in cells)
        is_number = bool(cells) and all(_NUMBER_TEXT.fullmatch(cell) for cell in cells)
        types[name] = "integer" if is_whole else "number" if is_number else "text"
    return types


def _key(
    path: str, fields: list[FileField], items: list[list[Any]], hint: FileHint, form: RecordFormat
) -> FileField | None:
    def tells_apart(field: FileField) -> bool:
        seen = [[piece.value.get(field.name) for piece in pieces] for pieces in items]
        return all(None not in one and "" not in one and len(set(map(str, one))) == len(one) for one in seen)

    if hint.key == "":
        return None
    if hint.key is not None:
        field = next(field for field in fields if field.name == hint.key)
        if field.type not in ("text", "integer") or not tells_apart(field):
            raise EnvironmentFault(f"{path}: {hint.key!r} is no key: it is missing somewhere, the same twice, or "
                                   "neither text nor a whole number.")  # fmt: skip
        return field
    usable = [field for field in fields if field.type in ("text", "integer")]
    for ending in _KEY_ENDINGS:
        for field in usable:
            named = field.column == ending if ending == "id" else field.column.endswith(ending)
            if named and tells_apart(field):
                return field
    return None


def _ascends(items: list[Any], key: str, form: RecordFormat) -> bool:
    keys = [piece.value[key] for piece in items]
    numbers = [int(one) for one in keys] if all(_WHOLE_TEXT.fullmatch(str(one)) for one in keys) else None
    return numbers is not None and all(one < other for one, other in pairwise(numbers))


def _identifier(name: str, taken: set[str]) -> str:
    """How a path or a field is called in SQL."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()
    made = re.sub(r"[^a-z0-9]+", "_", words).strip("_")[:48] or "field"
    made = made if made[0].isalpha() else f"f_{made}"
    while made in _TAKEN or made in taken or made == DOCUMENTS:
        made += "_"
    return made


def _check_references(layout: list[RecordFile]) -> None:
    files = {file.path: file for file in layout}
    for file in layout:
        for field in file.fields:
            if not field.references:
                continue
            parent = files.get(field.references)
            if parent is None:
                raise EnvironmentFault(f"{file.path}: {field.name!r} refers to {field.references!r}, which is no file "
                                       "of records.")  # fmt: skip
            if field.type != parent.key_type:
                raise EnvironmentFault(f"{file.path}: {field.name!r} is no {parent.key_type}, as the keys of "
                                       f"{parent.path} are.")  # fmt: skip


def _parents_first(layout: list[RecordFile]) -> list[RecordFile]:
    """SQLite creates tables in any order; people read parents first."""
    placed: dict[str, RecordFile] = {}
    waiting = list(layout)
    while waiting:
        ready = [one for one in waiting
                 if all(f.references in ("", one.path, *placed) for f in one.fields)] or waiting[:1]  # fmt: skip
        placed |= {one.path: one for one in ready}
        waiting = [one for one in waiting if one.path not in placed]
    return list(placed.values())


# -- tables ------------------------------------------------------------------------------------------------------------


def _ddl(file: RecordFile, files: Mapping[str, RecordFile]) -> str:
    whole = "INTEGER PRIMARY KEY AUTOINCREMENT" if file.ascending else "INT PRIMARY KEY"
    key = whole if file.key_type == "integer" else "TEXT PRIMARY KEY"
    lines = [] if file.key else [(f"{file.key_column} {key}", "")]
    for field in file.fields:
        if file.key and file.key == field.name:
            declared = f"{field.column} {key}"
        else:
            declared = f"{field.column} {_TYPES[field.type]}{' NOT NULL' if field.required else ''}"
        if field.type == "boolean":
            declared += f" CHECK ({field.column} IN (0, 1))"
        if field.references:
            parent = files[field.references]
            declared += f" REFERENCES {parent.table} ({parent.key_column})"
        lines.append((declared, "" if field.name == field.column else f" -- {json.dumps(field.name)}"))
    last = len(lines) - 1
    body = "".join(f"    {text}{'' if i == last else ','}{note}\n" for i, (text, note) in enumerate(lines))
    return f"CREATE TABLE {file.table} ( -- {json.dumps(file.path)}\n{body}) STRICT;\n"


def _rows(file: RecordFile, pieces: Pieces) -> tuple[list[list[Cell]], list[list[Cell]]]:
    """Of a file: the rows of its table, and what each was written as."""
    layout = file.model_dump()
    names = column_names(layout)
    place = names.index(file.key_column)
    rows: list[list[Cell]] = []
    kept: list[list[Cell]] = []
    for number, piece in enumerate(pieces.items, 1):
        try:
            value = from_cells(layout, piece.value) if file.format in _OF_CELLS else piece.value
            row = row_values(layout, piece.key if file.shape == "map" else number, value)
        except ValueError as error:
            raise EnvironmentFault(f"Record {number} of {error}.") from error
        rows.append(row)
        kept.append([row[place], piece.gap, piece.lead, piece.text, json.dumps(row, ensure_ascii=False)])
    return rows, kept


def _whole(text: str) -> list[list[Cell]]:
    """Of a file that never changes, what it was written as: not by records, which would take twice the room."""
    starts = range(0, len(text), _CHUNK)
    return [[number, "", "", text[start : start + _CHUNK], ""] for number, start in enumerate(starts)]


def _table(name: str, columns: list[str], rows: list[list[Cell]]) -> TableRows:
    return TableRows(table=name, columns=columns, rows=rows)
