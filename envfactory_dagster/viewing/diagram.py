"""The tables of an environment as a drawing: boxes in layers, those that are referred to on the left.

Belongs here: where everything stands. Does not: drawing it (the template `diagram.svg.jinja`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from envfactory_dagster.runtime.facts import Schema, SchemaTable

_CHARACTER, _LINE, _HEAD, _PADDING = 7.3, 19, 26, 10
_BETWEEN_LAYERS, _BETWEEN_BOXES = 76, 24
_MOST_COLUMNS, _LONGEST_NAME = 16, 30


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    name: str
    type: str
    mark: str
    """`key`, `reference`, or nothing."""
    y: float


@dataclass(frozen=True, slots=True)
class Box:
    name: str
    x: float
    y: float
    width: float
    height: float
    columns: list[DrawnColumn]
    left_out: int
    """Columns that are not drawn."""


@dataclass(frozen=True, slots=True)
class Edge:
    path: str
    says: str
    tables: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Diagram:
    width: float
    height: float
    boxes: list[Box]
    edges: list[Edge]


def diagram(schema: Schema) -> Diagram:
    tables = {table.name: table for table in schema.tables.values() if not table.is_view}
    layers = _layers(tables)
    boxes: dict[str, Box] = {}
    x = float(_PADDING)
    for layer in layers:
        y, width = float(_PADDING), max(_width(tables[name]) for name in layer)
        for name in _in_order(layer, tables, boxes):
            boxes[name] = _box(tables[name], x, y, width)
            y += boxes[name].height + _BETWEEN_BOXES
        x += width + _BETWEEN_LAYERS
    edges = [edge for table in tables.values() for edge in _edges(table, boxes)]
    height = max((box.y + box.height for box in boxes.values()), default=0.0) + _PADDING
    return Diagram(x - _BETWEEN_LAYERS + _PADDING + 24, height, list(boxes.values()), edges)


def _layers(tables: Mapping[str, SchemaTable]) -> list[list[str]]:
    """Each table one layer behind the last of those that it refers to. In a circle the first that is met goes first."""
    depths: dict[str, int] = {}

    def depth(name: str, on_the_way: frozenset[str]) -> int:
        if name not in depths:
            parents = {key.parent for key in tables[name].foreign_keys} & tables.keys() - on_the_way - {name}
            depths[name] = max((depth(one, on_the_way | {name}) + 1 for one in sorted(parents)), default=0)
        return depths[name]

    layers: dict[int, list[str]] = {}
    for name in tables:
        layers.setdefault(depth(name, frozenset()), []).append(name)
    return [layers[number] for number in sorted(layers)]


def _in_order(layer: list[str], tables: Mapping[str, SchemaTable], boxes: Mapping[str, Box]) -> list[str]:
    """From top to bottom as what they refer to stands."""

    def height(name: str) -> float:
        parents = [boxes[key.parent] for key in tables[name].foreign_keys if key.parent in boxes]
        return sum(box.y + box.height / 2 for box in parents) / len(parents) if parents else 0.0

    return sorted(layer, key=height)


def _width(table: SchemaTable) -> float:
    longest = max(len(_short(column.name)) + len(column.type) + 5 for column in table.columns)
    return max(longest, len(_short(table.name)) + 2) * _CHARACTER + 2 * _PADDING


def _box(table: SchemaTable, x: float, y: float, width: float) -> Box:
    references = {name for key in table.foreign_keys for name in key.columns}
    important = [column for column in table.columns if column.primary_key or column.name in references]
    first = dict.fromkeys(column.name for column in [*important, *table.columns])
    shown = list(first)[:_MOST_COLUMNS]
    drawn = [column for column in table.columns if column.name in shown]
    columns = [
        DrawnColumn(
            _short(column.name),
            column.type,
            "key" if column.primary_key else "reference" if column.name in references else "",
            y + _HEAD + number * _LINE + _LINE - 5,
        )
        for number, column in enumerate(drawn)
    ]
    left_out = len(table.columns) - len(drawn)
    height = _HEAD + (len(columns) + bool(left_out)) * _LINE + 6
    return Box(_short(table.name), x, y, width, height, columns, left_out)


def _edges(table: SchemaTable, boxes: Mapping[str, Box]) -> list[Edge]:
    found = []
    for key in table.foreign_keys:
        child, parent = boxes[table.name], boxes.get(key.parent)
        if parent is None:
            continue
        start, end = _level(child, key.columns[0]), _level(parent, key.parent_columns[0] if key.parent_columns else "")
        if parent.x < child.x:
            x1, x2 = child.x, parent.x + parent.width
            bend = max((x1 - x2) / 2, 30)
            path = f"M{x1:.0f} {start:.0f}C{x1 - bend:.0f} {start:.0f} {x2 + bend:.0f} {end:.0f} {x2:.0f} {end:.0f}"
        else:
            x1, x2 = child.x + child.width, parent.x + parent.width
            out = max(x1, x2) + 24
            path = f"M{x1:.0f} {start:.0f}C{out:.0f} {start:.0f} {out:.0f} {end:.0f} {x2:.0f} {end:.0f}"
        says = f"{table.name}.{', '.join(key.columns)} → {key.parent}"
        found.append(Edge(path, says, (child.name, parent.name)))
    return found


def _level(box: Box, column: str) -> float:
    return next((one.y - 4 for one in box.columns if one.name == _short(column)), box.y + _HEAD / 2)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
