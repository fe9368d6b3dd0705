"""A record of a file as the columns of a row, and back. Python's standard library only: part of `server.py`.

Belongs here: one record. Does not: the file it stands in (`file_text`), and where rows are (`env_files`). A file is
described by a `RecordFile` of `contracts.file_layout`, as the dictionary that it is in JSON.
"""

import json
import math
from typing import Any

WHOLE = (-(1 << 63), (1 << 63) - 1)


def column_names(file: dict[str, Any]) -> list[str]:
    """The key first, where it is no field itself."""
    names = [field["column"] for field in file["fields"]]
    return names if file["key"] else [file["key_column"], *names]


def row_values(file: dict[str, Any], key: Any, value: Any) -> list[Any]:
    """The cells of a record, in the order of its columns. `ValueError` says why the file cannot have it."""
    if file["plain"]:
        value = {"value": value}
    if type(value) is not dict:
        raise ValueError(f"{file['path']}: a record is an object, not {_named_kind(value)}")
    cells = [field_value(file, field, value[field["name"]]) if field["name"] in value else _missing(file, field)
             for field in file["fields"]]  # fmt: skip
    if len(value) > len(file["fields"]) or not value.keys() <= {field["name"] for field in file["fields"]}:
        unknown = sorted(value.keys() - {field["name"] for field in file["fields"]})
        raise ValueError(f"{file['path']}: a record has no field {unknown[0][:80]!r}")
    if file["shape"] == "map":
        key = _text_cell(file, {"name": "key"}, key)
    return cells if file["key"] else [key, *cells]


def field_value(file: dict[str, Any], field: dict[str, Any], value: Any) -> Any:
    """The cell of one field."""
    wanted, kind = field["type"], type(value)
    if wanted == "json":
        return _json_cell(file, field, value)
    if value is None:
        if field["required"]:
            raise ValueError(f"{file['path']}: the field {field['name']!r} is never null")
        return None
    if wanted == "text" and kind is str:
        return _text_cell(file, field, value)
    if wanted == "integer" and kind is int and WHOLE[0] <= value <= WHOLE[1]:
        return value
    if wanted == "number" and (kind is int or (kind is float and math.isfinite(value))):
        return float(value) + 0.0  # SQLite has no negative zero
    if wanted == "boolean" and kind is bool:
        return int(value)
    raise ValueError(f"{file['path']}: the field {field['name']!r} takes {_NAMED[wanted]}, not {_named_kind(value)}")


def record_of(file: dict[str, Any], row: dict[str, Any]) -> Any:
    """The record that a row holds, whose cells are under the names of its fields. The row is not used any more."""
    for name, kind, is_absent in file["unlike"]:
        cell = row[name]
        if cell is None:
            if is_absent:
                del row[name]
        elif kind == "boolean":
            row[name] = bool(cell)
        elif kind == "json":
            row[name] = json.loads(cell)
    return row.get("value") if file["plain"] else row


def unlike_cells(file: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """The fields that records do not have as rows have them: name, type, and whether a record without it has no such
    field."""
    absent = {field["name"]: field["type"] == "json" or field["missing"] == "absent" for field in file["fields"]}
    return [
        (field["name"], field["type"], absent[field["name"]])
        for field in file["fields"]
        if absent[field["name"]] or field["type"] == "boolean"
    ]


def _missing(file: dict[str, Any], field: dict[str, Any]) -> Any:
    if field["required"] and not (file["key"] == field["name"] != "" and file["key_type"] == "integer"):
        raise ValueError(f"{file['path']}: a record has the field {field['name']!r}")
    return None


def _text_cell(file: dict[str, Any], field: dict[str, Any], value: str) -> str:
    if "\0" in value or not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{file['path']}: the field {field['name']!r} holds half a character") from None
        if "\0" in value:
            raise ValueError(f"{file['path']}: the field {field['name']!r} holds a NUL character")
    return value


def _json_cell(file: dict[str, Any], field: dict[str, Any], value: Any) -> str:
    """Equal values have equal cells: the order of keys does not count, nor whether 2 is spelled 2.0."""
    try:
        text = json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{file['path']}: the field {field['name']!r} takes what JSON can say: {error}") from None
    return _text_cell(file, field, text)


def _plain(value: Any) -> Any:
    if type(value) is float and value.is_integer() and abs(value) < 1 << 53:
        return int(value)
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


_NAMED = {"text": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}


def _named_kind(value: Any) -> str:
    kinds = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), f"a {type(value).__name__}")


def from_cells(file: dict[str, Any], value: dict[str, str]) -> dict[str, Any]:
    """The record of a CSV line, whose cells are all text."""
    return {field["name"]: _from_cell(file, field, value[field["name"]]) for field in file["fields"]}


def _from_cell(file: dict[str, Any], field: dict[str, Any], text: str) -> Any:
    if field["type"] == "text":
        return text
    if not text:
        return None
    try:
        return int(text) if field["type"] == "integer" else float(text)
    except ValueError:
        raise ValueError(
            f"{file['path']}: the field {field['name']!r} takes {_NAMED[field['type']]}, not {text[:80]!r}"
        ) from None
