"""The text of a file with records in it, taken apart so that what nobody touches stays as it is, and put together.

Belongs here: JSON, JSON lines, CSV and TSV in both directions, YAML in one (reading it: `file_images`). Python's
standard library only: the text is part of `server.py`. Does not: where records are kept (`env_files`).
"""

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

MOST_RECORDS = 100_000
MOST_DEPTH = 40
MOST_CELL_CHARS = 131_072
MOST_COLUMNS = 200
BYTE_ORDER_MARK = "\ufeff"

_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_YAML_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))
_YAML_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


class Piece(NamedTuple):
    """One record: what stands between it and the one before, what introduces it, its own text, key and value."""

    gap: str
    lead: str
    text: str
    key: str | None
    value: Any


class Pieces(NamedTuple):
    shape: str
    head: str
    items: list[Piece]
    tail: str
    fields: list[str]
    """Those that a header names."""


def read_pieces(text: str, form: str) -> Pieces:
    """`ValueError` says what is wrong with the text. Joined, the pieces are the text."""
    try:
        pieces = with_mark(_TEXT_READERS[form], text)
        for piece in pieces.items:
            check_depth(piece.value, MOST_DEPTH)
    except RecursionError:
        raise ValueError(f"it is nested deeper than {MOST_DEPTH} levels") from None
    return pieces


def with_mark(read: Callable[[str], Pieces], text: str) -> Pieces:
    """A byte order mark belongs to the head."""
    pieces = read(text.removeprefix(BYTE_ORDER_MARK))
    return pieces._replace(head=BYTE_ORDER_MARK + pieces.head) if text.startswith(BYTE_ORDER_MARK) else pieces


def read_json(text: str) -> Any:
    """JSON as strictly as records are read; `ValueError` says what is wrong."""
    try:
        value = _decoder().decode(text)
        check_depth(value, MOST_DEPTH)
    except RecursionError:
        raise ValueError(f"it is nested deeper than {MOST_DEPTH} levels") from None
    return value


def check_depth(value: Any, left: int) -> None:
    if not left:
        raise ValueError(f"it is nested deeper than {MOST_DEPTH} levels")
    if type(value) is dict:
        for item in value.values():
            check_depth(item, left - 1)
    elif type(value) is list:
        for item in value:
            check_depth(item, left - 1)


def _check_count(items: list[Piece]) -> None:
    if len(items) > MOST_RECORDS:
        raise ValueError(f"it has more than {MOST_RECORDS} records")


# -- JSON --------------------------------------------------------------------------------------------------------------


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_without_repeats, parse_constant=_no_constant, parse_float=_finite)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        repeated = next(name for index, (name, _) in enumerate(pairs) if name in dict(pairs[:index]))
        raise ValueError(f"an object has the key {repeated[:80]!r} twice")
    return made


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:20]} is too large for a number")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _json_pieces(text: str) -> Pieces:
    start = _after_space(text, 0)
    opening = text[start : start + 1]
    if opening not in ("[", "{"):
        raise ValueError("it is neither a list nor an object")
    closing = "]" if opening == "[" else "}"
    decode = _decoder().raw_decode
    place = _after_space(text, start + 1)
    head, gap_from = text[:place], place
    items: list[Piece] = []
    keys = set[str]()
    while text[place : place + 1] != closing or items:
        key, lead_from = None, place
        if opening == "{":
            key, place = _json_key(text, place, decode)
            if key in keys:
                raise ValueError(f"an object has the key {key[:80]!r} twice")
            keys.add(key)
        value, end = _json_value(text, place, decode)
        items.append(Piece(text[gap_from:lead_from], text[lead_from:place], text[place:end], key, value))
        _check_count(items)
        place = _after_space(text, end)
        if text[place : place + 1] != ",":
            gap_from = end
            break
        gap_from, place = end, _after_space(text, place + 1)
    if text[place : place + 1] != closing:
        raise ValueError(f"character {place}: {closing!r} or a comma is missing")
    if (rest := _after_space(text, place + 1)) != len(text):
        raise ValueError(f"character {rest}: something follows the end")
    return Pieces("list" if opening == "[" else "map", head, items, text[gap_from:], [])


def _json_key(text: str, place: int, decode: Any) -> tuple[str, int]:
    if text[place : place + 1] != '"':
        raise ValueError(f"character {place}: a key in quotes is missing")
    key, end = _json_value(text, place, decode)
    end = _after_space(text, end)
    if text[end : end + 1] != ":":
        raise ValueError(f"character {end}: a colon is missing")
    return key, _after_space(text, end + 1)


def _json_value(text: str, place: int, decode: Any) -> tuple[Any, int]:
    found: tuple[Any, int] = decode(text, place)
    return found


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _line_pieces(text: str) -> Pieces:
    items: list[Piece] = []
    head = gap = ""
    decode = _decoder().decode
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        content = line.strip(" \t\r\n")
        if not content:
            gap += line
            continue
        before, after = line.split(content, 1)
        try:
            value = decode(content)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
        if items:
            items.append(Piece(gap + before, "", content, None, value))
        else:
            head = gap + before
            items.append(Piece("", "", content, None, value))
        gap = after
        _check_count(items)
    return Pieces("list", head if items else gap, items, gap if items else "", [])


# -- CSV ---------------------------------------------------------------------------------------------------------------


def _table_pieces(text: str, delimiter: str) -> Pieces:
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    csv.field_size_limit(MOST_CELL_CHARS)
    fields: list[str] = []
    head = gap = ""
    items: list[Piece] = []
    read = 0
    for row, number in _rows(reader):
        raw = "".join(lines[read:number])
        read = number
        content = raw.rstrip("\r\n")
        if not row:
            gap += raw
        elif not fields:
            fields = _header(row)
            head, gap = gap + content, raw[len(content) :]
        elif len(row) != len(fields):
            raise ValueError(f"line {number}: {len(row)} cells under a header of {len(fields)}")
        else:
            items.append(Piece(gap, "", content, None, dict(zip(fields, row, strict=True))))
            gap = raw[len(content) :]
            _check_count(items)
    if not fields:
        raise ValueError("it has no header")
    return Pieces("list", head, items, gap, fields)


def _rows(reader: Any) -> Iterator[tuple[list[str], int]]:
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise ValueError(f"line {reader.line_num}: {error}") from error
        if row is None:
            return
        yield row, reader.line_num


def _header(row: list[str]) -> list[str]:
    if len(row) > MOST_COLUMNS:
        raise ValueError(f"its header has {len(row)} columns; {MOST_COLUMNS} are read")
    if "" in row or len(set(row)) != len(row) or not all(name.isprintable() for name in row):
        raise ValueError("its header has an empty name, one twice, or one on two lines")
    return row


_TEXT_READERS = {
    "json": _json_pieces,
    "jsonl": _line_pieces,
    "csv": lambda text: _table_pieces(text, ","),
    "tsv": lambda text: _table_pieces(text, "\t"),
}


# -- writing -----------------------------------------------------------------------------------------------------------


def style_of(pieces: Pieces, form: str) -> dict[str, Any]:
    """How the file is written, as far as its records show it: what records that change are written by."""
    joined = "".join((pieces.head, *(piece.gap + piece.lead + piece.text for piece in pieces.items[:50]), pieces.tail))
    newline = "\r\n" if "\r\n" in joined else "\n"
    gaps = [piece.gap for piece in pieces.items[1:50]]
    usual = max(set(gaps), key=gaps.count) if gaps else ""
    style: dict[str, Any] = {"newline": newline}
    if form == "json":
        base = re.search(r"\n([ \t]*)$", pieces.head)
        style |= _json_style(pieces) | {"base": base[1] if base else ""}
        style["gap"] = usual or ("," + newline + base[1] if base else ", ")
    elif form == "yaml":
        column = len(pieces.head) - len(pieces.head.rstrip(" "))
        style |= {"column": column, "gap": newline + " " * column}
    else:
        style["gap"] = newline
        texts = [piece.text for piece in pieces.items[:50]]
        style["quoted"] = bool(texts) and all(text.startswith('"') and text.endswith('"') for text in texts)
        style |= _json_style(pieces) if form == "jsonl" else {}
    return style


def _json_style(pieces: Pieces) -> dict[str, Any]:
    sample = next((piece for piece in pieces.items if type(piece.value) in (dict, list) and piece.value), None)
    text = sample.text if sample else ""
    whole = "".join(piece.lead + piece.text for piece in pieces.items[:50])
    inner, outer = re.match(r".\r?\n([ \t]+)", text), re.search(r"\n([ \t]*)$", pieces.head)
    base = outer[1] if outer else ""
    indent = inner[1].removeprefix(base) if inner else None
    return {
        "indent": indent,
        "ascii": whole.isascii() and bool(re.search(r"\\u[0-9a-fA-F]{4}", whole)),
        "comma": "," if not re.search(r",[ \n\r]", whole) and "," in whole else ", ",
        "colon": ":" if re.search(r'":[^ ]', whole) else ": ",
    }


def blank_frame(form: str, shape: str, fields: list[str]) -> dict[str, Any]:
    """Of a file that never was one: what stands around its records, and how they are written."""
    head, tail = {"json": ("[", "]\n") if shape == "list" else ("{", "}\n")}.get(form, ("", "\n"))
    style = style_of(Pieces(shape, head, [], tail, fields), form)
    if form in ("csv", "tsv"):
        head = _csv_text(form, style, fields, dict(zip(fields, fields, strict=True)))
    return {"head": head, "tail": tail, "style": style}


def written(form: str, style: dict[str, Any], fields: list[str], key: str | None, value: Any) -> tuple[str, str]:
    """What introduces a record that changed, and its text."""
    if form in ("csv", "tsv"):
        return "", _csv_text(form, style, fields, value)
    if form == "yaml":
        return "", _yaml_text(style, key, value)
    lead = "" if key is None else json.dumps(key, ensure_ascii=style["ascii"]) + style["colon"]
    return lead, _json_text(style, value)


def _json_text(style: dict[str, Any], value: Any) -> str:
    indent = style.get("indent")
    separators = ("," if indent is not None else style["comma"], style["colon"])
    text = json.dumps(value, ensure_ascii=style["ascii"], indent=indent, separators=separators, allow_nan=False)
    return text if indent is None else text.replace("\n", style["newline"] + style.get("base", ""))


def _csv_text(form: str, style: dict[str, Any], fields: list[str], value: Any) -> str:
    buffer = io.StringIO(newline="")
    delimiter = "," if form == "csv" else "\t"
    if style["quoted"]:
        writer = csv.writer(buffer, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    else:
        writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow([_cell_text(value.get(name)) for name in fields])
    return buffer.getvalue().removesuffix("\r\n")


def _cell_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


def _yaml_text(style: dict[str, Any], key: str | None, value: Any) -> str:
    lead = "-" if key is None else _yaml_key(key) + ":"
    if type(value) is not dict or not value:
        return f"{lead} {_yaml_value(value)}"
    lines = [f"{_yaml_key(name)}: {_yaml_value(item)}" for name, item in value.items()]
    inner: str = style["newline"] + " " * (style["column"] + 2)
    return lead + (" " if key is None else inner) + inner.join(lines)


def _yaml_key(key: str) -> str:
    is_plain = _PLAIN_KEY.fullmatch(key) is not None and key.lower() not in _YAML_WORDS
    return key if is_plain else _yaml_value(key)


def _yaml_value(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _YAML_ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
