"""Tables made of what was mined: the same collections as strict SQLite, with numbers for keys.

Belongs here: names and types of columns, rows. Does not: tables that nobody publishes, which an author adds
(`authoring.database_schema`).
"""

from collections.abc import Iterator, Mapping, Sequence

from envfactory_dagster.contracts.database import Cell, Table, TableRows
from envfactory_dagster.contracts.mining import Collection, FieldType, MinedField

_TYPES: dict[FieldType, str] = {
    "text": "TEXT",
    "integer": "INTEGER",
    "number": "REAL",
    "money": "INTEGER",
    "flag": "INTEGER",
    "day": "TEXT",
    "moment": "TEXT",
}


class Circular(ValueError):
    """Collections refer to each other in a circle, so that none can be a table before the others."""


def tables_of(collections: Sequence[Collection]) -> list[Table]:
    """Parents before children. Raises Circular."""
    ordered = _parents_first(collections)
    return [Table(name=one.name, ddl=_ddl(one), purpose=one.purpose) for one in ordered]


def rows_of(collections: Sequence[Collection]) -> list[TableRows]:
    """The records in the order in which they were found: what is added later leaves all numbers as they are."""
    numbers = {
        one.name: {record.values[one.key]: number for number, record in enumerate(one.records, 1)}
        for one in collections
    }
    return [
        TableRows(
            table=one.name,
            columns=["id", *map(column_of, one.fields)],
            rows=[
                [number, *(_cell(record.values.get(field.name), field, numbers) for field in one.fields)]
                for number, record in enumerate(one.records, 1)
            ],
        )
        for one in collections
    ]


def column_of(field: MinedField) -> str:
    """A reference is named after what it refers to, and money says that it is in cents."""
    ending = "_id" if field.refers_to else "_cents" if field.type == "money" else ""
    return field.name if field.name.endswith(ending) else field.name + ending


def _cell(value: Cell, field: MinedField, numbers: Mapping[str, Mapping[Cell, int]]) -> Cell:
    return value if field.refers_to is None or value is None else numbers[field.refers_to][value]


def _parents_first(collections: Sequence[Collection]) -> list[Collection]:
    left, done = list(collections), list[Collection]()
    while left:
        there = {one.name for one in done}
        ready = [one for one in left if _parents(one) <= there]
        if not ready:
            raise Circular(f"{', '.join(one.name for one in left)} refer to each other in a circle")
        done += ready
        left = [one for one in left if one not in ready]
    return done


def _parents(collection: Collection) -> set[str]:
    return {field.refers_to for field in collection.fields if field.refers_to and field.refers_to != collection.name}


def _ddl(collection: Collection) -> str:
    columns = ["id INTEGER PRIMARY KEY", *(" ".join(_column(field, collection)) for field in collection.fields)]
    return f"CREATE TABLE {collection.name} (\n    " + ",\n    ".join(columns) + "\n) STRICT"


def _column(field: MinedField, collection: Collection) -> Iterator[str]:
    name = column_of(field)
    yield f"{name} {'INTEGER' if field.refers_to else _TYPES[field.type]}"
    if all(record.values.get(field.name) is not None for record in collection.records):
        yield "NOT NULL"
    if field.name == collection.key:
        yield "UNIQUE"
    if field.refers_to:
        yield f"REFERENCES {field.refers_to} (id)"
    elif field.type == "flag":
        yield f"CHECK ({name} IN (0, 1))"
    elif field.one_of:
        listed = ", ".join("'" + value.replace("'", "''") + "'" for value in field.one_of)
        yield f"CHECK ({name} IN ({listed}))"
