"""Tables that are kept in files: which file a table is, what its records look like, and the files that rows make.

Belongs here: the way from declared tables and their rows to files. Does not: the way back (`file_images`). A table
says its file in the first line of its definition, `CREATE TABLE loans ( -- "data/loans.json"`, as `file_images`
writes it. Rows come from anywhere: ask a sandboxed worker for `files_of_rows` (`databases`).
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from envfactory_dagster.contracts.database import Cell, TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.file_layout import DOCUMENTS, FieldType, FileField, FilesLayout, RecordFile
from envfactory_dagster.contracts.file_paths import format_of
from envfactory_dagster.runtime import file_images, images
from envfactory_dagster.runtime.facts.file_calls import path_of
from envfactory_dagster.runtime.facts.schema import Column, Schema, SchemaTable
from envfactory_dagster.runtime.file_images import RECORD_FORMATS
from envfactory_dagster.runtime.file_records import column_names, record_of, unlike_cells
from envfactory_dagster.runtime.file_text import Pieces, style_of, written

_OPENING = re.compile(r"\s*CREATE\s+TABLE\s+(\w+)\s*\(\s*", re.IGNORECASE)
_TYPES: dict[str, FieldType] = {"INTEGER": "integer", "REAL": "number", "TEXT": "text"}
_AROUND = {"json": ("[\n  ", "\n]\n")}
"""What stands before the first record and after the last, where it is not just the end of a line."""
_READONLY = "*"


def in_file(ddl: str, path: str) -> str | None:
    """The definition of a table with its file in the first line. None where it does not begin as one does."""
    found = _OPENING.match(ddl)
    return found and f"CREATE TABLE {found[1]} ( -- {json.dumps(path)}\n    {ddl[found.end() :]}"


def layout_of_tables(schema: Schema) -> FilesLayout:
    """The layout of the files that these tables are kept in. Documents are not for tools to write."""
    paths = {name: path for name, table in schema.tables.items() if (path := path_of(table)) is not None}
    records = [_record_file(schema, schema.tables[name], paths) for name in paths]
    return FilesLayout(records=records, readonly=[_READONLY])


def files_of_rows(schema_sql: str, layout: FilesLayout, rows: Sequence[TableRows]) -> dict[str, str]:
    """The files that these rows make, and that make the same rows. What no file can hold raises `EnvironmentFault`."""
    columns = {one.table: column_names(one.model_dump()) for one in layout.records} | {DOCUMENTS: ["path", "text"]}
    kept = images.read_rows(images.build_image(schema_sql, rows), columns)
    files = {one.path: _text(one, kept[one.table]) for one in layout.records}
    for document in kept[DOCUMENTS]:
        path = str(document["path"])
        if path in files:
            raise EnvironmentFault(f"{path} is the file of a table, and a document cannot be called so.")
        files[path] = str(document["text"])
    image = file_images.build_files(schema_sql, layout, {path: text.encode() for path, text in files.items()})
    for table, read in images.read_rows(image, columns).items():
        if _in_order(read) != _in_order(kept[table]):
            raise EnvironmentFault(f"The rows of {table} cannot be read from its file as they were written to it.")
    return files


def _record_file(schema: Schema, table: SchemaTable, paths: Mapping[str, str]) -> RecordFile:
    [key] = table.primary_key
    path = paths[table.name]
    refers = {
        one.columns[0]: paths.get(one.parent, "")
        for one in table.foreign_keys
        if len(one.columns) == 1 and one.parent_columns == schema.tables[one.parent].primary_key
    }
    return RecordFile(
        path=path,
        format=RECORD_FORMATS[format_of(path)],
        shape="list",
        table=table.name,
        key=key,
        key_column=key,
        key_type="text" if _type(table.column(key)) == "text" else "integer",
        ascending=table.rowid_column is not None,
        fields=[_field(column, refers.get(column.name, "")) for column in table.columns],
    )


def _field(column: Column, references: str) -> FileField:
    return FileField(
        name=column.name,
        column=column.name,
        type=_type(column),
        required=column.not_null or bool(column.primary_key),
        references=references,
    )


def _type(column: Column | None) -> FieldType:
    return _TYPES[column.type.upper()] if column is not None else "text"


def _text(file: RecordFile, rows: Sequence[Mapping[str, Cell]]) -> str:
    layout: dict[str, Any] = file.model_dump()
    layout["unlike"] = unlike_cells(layout)
    names = [field.name for field in file.fields]
    head, tail = _AROUND.get(file.format, ("", "\n"))
    style = style_of(Pieces(file.shape, head, [], tail, names), file.format)

    def text(record: Any) -> str:
        said: str = written(file.format, style, names, None, record)[1]
        return said

    in_order = sorted(rows, key=lambda row: int(row[file.key_column] or 0)) if file.ascending else rows
    records = [text(record_of(layout, {field.name: row[field.column] for field in file.fields})) for row in in_order]
    if file.format in ("csv", "tsv"):
        records.insert(0, text(dict(zip(names, names, strict=True))))
    if file.format == "yaml" and not records:
        records = ["[]"]
    gap: str = style["gap"]
    return head + gap.join(records) + tail


def _in_order(rows: Iterable[Mapping[str, Cell]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)
