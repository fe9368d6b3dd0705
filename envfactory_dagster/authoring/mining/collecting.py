"""What a miner has written down so far: collections that grow, and are taken back only whole, by who began them.

Belongs here: adding records and fields, and what is refused. What is there stays as it is, whoever writes after it.
Does not: whether all of it is enough (`gate`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.mining import (
    Collection,
    CollectionPlan,
    FieldType,
    MinedField,
    MinedRecord,
    Sizes,
    Span,
)

MOST_COLLECTIONS = 30
MOST_FIELDS = 40
MOST_RECORDS = 4_000
MOST_TEXT_CHARS = 4_000
RESERVED = "id"
_INTEGER = re.compile(r"[+-]?(?:\d{1,3}(?:[,']\d{3})+|\d+)")
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:[,']\d{3})+|\d+)(?:\.\d+)?")
_FORMS = {"day": re.compile(r"\d{4}-\d{2}-\d{2}"), "moment": re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}")}
_FLAGS = {"1": 1, "yes": 1, "true": 1, "x": 1, "0": 0, "no": 0, "false": 0, "-": 0}


class NotTaken(Exception):
    """Raised when records cannot be taken. The text tells the miner why; nothing was written."""


class Collecting:
    def __init__(self, collections: Sequence[Collection] = ()) -> None:
        self._plans: dict[str, CollectionPlan] = {}
        self._records: dict[str, dict[Cell, MinedRecord]] = {}
        for one in collections:
            self._plans[one.name] = _plan_of(one)
            self._records[one.name] = {record.values[one.key]: record for record in one.records}

        self._from_before = frozenset(self._plans)

    @property
    def collections(self) -> list[Collection]:
        return [
            Collection(**plan.model_dump(), records=list(self._records[name].values()))
            for name, plan in self._plans.items()
        ]

    def add(self, plan: CollectionPlan, records: Sequence[MinedRecord]) -> str:
        """Add records, or further fields to those that are there. Says what was added."""
        before = self._plans.get(plan.name)
        merged = plan if before is None else _merged(before, plan)
        self._check(merged, before)
        fields = {field.name: field for field in merged.fields}
        known = dict(self._records.get(plan.name, {}))
        new = 0
        for number, record in enumerate(records, 1):
            try:
                made = _of_form(record, fields)
                key = made.values.get(merged.key)
                if key is None:
                    raise NotTaken(f"it has no {merged.key}, which is the key")
                new += key not in known
                known[key] = _together(known[key], made) if key in known else made
            except NotTaken as problem:
                raise NotTaken(f"Record {number} of {plan.name}: {problem}. Nothing was written.") from None
        others = sum(len(kept) for name, kept in self._records.items() if name != plan.name)
        if others + len(known) > MOST_RECORDS:
            raise NotTaken(f"There may be {MOST_RECORDS} records in all. Nothing was written.")
        self._plans[plan.name], self._records[plan.name] = merged, known
        return f"{plan.name}: {new} new records, {len(known)} in all."

    def drop(self, name: str) -> str:
        """Take back a collection. What was there before this round stays."""
        if name not in self._plans:
            raise NotTaken(f"There is no collection {name}.")
        if name in self._from_before:
            raise NotTaken(f"{name} was there before this round, and stays.")
        del self._plans[name]
        return f"{name} is gone, with its {len(self._records.pop(name))} records."

    def _check(self, plan: CollectionPlan, before: CollectionPlan | None) -> None:
        if before is None and len(self._plans) == MOST_COLLECTIONS:
            raise NotTaken(f"There may be {MOST_COLLECTIONS} collections. Nothing was written.")
        if len(plan.fields) > MOST_FIELDS:
            raise NotTaken(f"A collection may have {MOST_FIELDS} fields. Nothing was written.")
        if any(field.name == RESERVED for field in plan.fields):
            raise NotTaken(f"No field is called {RESERVED}: choose what the documents call it. Nothing was written.")


def sizes_of(collections: Sequence[Collection]) -> Sizes:
    fields = [field for one in collections for field in one.fields]
    return Sizes(
        collections=len(collections),
        fields=len(fields),
        records=sum(len(one.records) for one in collections),
        relations=sum(field.refers_to is not None for field in fields),
    )


def _plan_of(collection: Collection) -> CollectionPlan:
    return CollectionPlan.model_validate(collection.model_dump(exclude={"records"}))


def _merged(before: CollectionPlan, plan: CollectionPlan) -> CollectionPlan:
    """The plan as it was first written, with new fields added at its end."""
    if plan.key != before.key:
        raise NotTaken(f"The key of {plan.name} is {before.key}, not {plan.key}. Nothing was written.")
    there = {field.name: field for field in before.fields}
    for field in plan.fields:
        known = there.setdefault(field.name, field)
        if _essence(known) != _essence(field):
            raise NotTaken(f"{plan.name}.{field.name} is there already, and is another. Nothing was written.")
    return before.model_copy(update={"fields": list(there.values())})


def _essence(field: MinedField) -> tuple[object, ...]:
    return field.type, field.refers_to, field.one_of, field.invented


def _of_form(record: MinedRecord, fields: Mapping[str, MinedField]) -> MinedRecord:
    values: dict[str, Cell] = {}
    for name, value in record.values.items():
        if name not in fields:
            raise NotTaken(f"{name} is no field of it")
        if (cell := cell_of(value, fields[name].type)) is not None:
            values[name] = cell
            if fields[name].one_of and cell not in fields[name].one_of:
                raise NotTaken(f"{name} is {cell!r}, none of {', '.join(fields[name].one_of)}")
    return MinedRecord(values=values, sources=record.sources)


def _together(before: MinedRecord, added: MinedRecord) -> MinedRecord:
    for name, value in added.values.items():
        if name in before.values and before.values[name] != value:
            raise NotTaken(f"{name} is there already, and is {before.values[name]!r}, not {value!r}")
    sources = list(dict.fromkeys(map(Span.model_dump_json, [*before.sources, *added.sources])))
    return MinedRecord(values=before.values | added.values, sources=[*map(Span.model_validate_json, sources)])


def cell_of(value: object, type: FieldType) -> Cell:
    """A value as its type has it; None for what is empty. Raises NotTaken."""
    if isinstance(value, str):
        value = value.strip()
    if value is None or value == "":
        return None
    return next(_converted(value, type))


def _converted(value: object, type: FieldType) -> Iterator[Cell]:
    text = str(value)
    if len(text) > MOST_TEXT_CHARS:
        raise NotTaken(f"a value of {len(text):,} characters is too long; {MOST_TEXT_CHARS:,} are taken")
    plain = text.replace(",", "").replace("'", "")
    if type == "text" or (type in _FORMS and _FORMS[type].fullmatch(text)):
        yield text
    elif type == "flag" and text.lower() in _FLAGS:
        yield _FLAGS[text.lower()]
    elif type in ("integer", "money") and _INTEGER.fullmatch(text) and abs(int(plain)) < 2**62:
        yield int(plain)
    elif type == "number" and _NUMBER.fullmatch(text):
        yield float(plain)
    raise NotTaken(f"{text[:80]!r} is no {type}")
