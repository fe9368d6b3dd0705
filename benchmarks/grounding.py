"""The share of mined values that stand in their documents, counted apart from the gate.

Everything is read anew from the folder, by other means than the package's: nothing of its rooms `sources` and
`authoring` is used, so that a mistake there would show. It knows the forms of the samples and no others.
"""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import yaml


def grounded_share(data: Mapping[str, Any], folder: Path) -> float:
    """`data`: the artifact of `mined_data`."""
    found = claimed = 0
    for collection in data["collections"]:
        types = {field["name"]: field["type"] for field in collection["fields"] if not field["invented"]}
        for record in collection["records"]:
            said = [cell for span in record["sources"] for cell in _cells(folder, span)]
            for name, type_ in types.items():
                value = record["values"].get(name)
                if value is not None:
                    claimed += 1
                    found += any(_is(cell, value, type_) for cell in said)
    return found / claimed if claimed else 0.0


def _cells(folder: Path, span: Mapping[str, Any]) -> list[str]:
    """Each cell of the rows, or each line of the text."""
    path = folder / span["document"]
    text = path.read_text()
    if not span["table"]:
        lines: list[str] = text.splitlines()[span["first"] - 1 : span["last"]]
        return lines
    rows = _rows(path.suffix, text)[span["first"] - 1 : span["last"]]
    return [str(cell) for row in rows for cell in row]


def _rows(suffix: str, text: str) -> Sequence[Sequence[object]]:
    """Of the one table that each sample has."""
    match suffix:
        case ".csv":
            return list(csv.reader(text.splitlines()))[1:]
        case ".tsv":
            return [line.split("\t") for line in text.splitlines()[1:]]
        case ".jsonl":
            return [list(json.loads(line).values()) for line in text.splitlines()]
        case ".json" | ".yaml":
            loaded = json.loads(text) if suffix == ".json" else yaml.safe_load(text)
            (listed,) = [value for value in loaded.values() if isinstance(value, list)]
            return [["yes" if cell is True else "no" if cell is False else cell for cell in one.values()]
                    for one in listed]  # fmt: skip
        case ".html":
            rows = re.findall(r"<tr>(.*?)</tr>", text)
            return [[unescape(cell) for cell in re.findall(r"<td>(.*?)</td>", row)] for row in rows[1:]]
        case ".md":
            lines = [line for line in text.splitlines() if line.startswith("|")]
            return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    raise ValueError(f"no sample has the ending {suffix}")


def _is(cell: str, value: object, type_: str) -> bool:
    """A whole cell is compared as what it is; in a line of text the value stands as it is spelled."""
    if type_ == "flag":
        return cell == ("yes" if value else "no")
    if type_ in ("integer", "number", "money"):
        try:
            return round(float(cell) * (100 if type_ == "money" else 1), 6) == value
        except ValueError:
            return re.search(rf"(?<![\w.]){re.escape(str(value))}(?![\w]|\.\d)", cell) is not None
    return str(value) == cell or (" " in cell and str(value) in cell)
