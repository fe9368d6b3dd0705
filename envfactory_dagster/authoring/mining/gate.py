"""The gate on what was mined: it holds together, and says nothing that its documents do not say.

Belongs here: every check, and the shares that are reported. Does not: finding a value in a text (`grounding`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from envfactory_dagster.authoring.mining.derived import Circular, column_of, tables_of
from envfactory_dagster.authoring.mining.grounding import cited, is_grounded
from envfactory_dagster.authoring.mining.settings import MiningSettings
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.mining import Collection, MinedRecord
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.sources.parsing import UnreadableFile
from envfactory_dagster.sources.shelf import Shelf

MOST_PROBLEMS = 12
LEAST_GROWTH = 0.25
"""A round of enrichment adds this share of records, or something that was not there: a collection, a relation."""


@dataclass(slots=True)
class Grounding:
    """Cells of everything that was mined, counted."""

    grounded: int = 0
    claimed: int = 0
    """Those that are not invented."""
    invented: int = 0

    @property
    def grounded_share(self) -> float:
        return self.grounded / self.claimed if self.claimed else 0.0

    @property
    def invented_share(self) -> float:
        return self.invented / (self.claimed + self.invented) if self.invented else 0.0


async def problems_of(
    runtime: Runtime,
    collections: Sequence[Collection],
    shelf: Shelf,
    settings: MiningSettings,
    least: tuple[int, int],
) -> tuple[list[Problem], Grounding]:
    grounding, ungrounded, uncited = Grounding(), list[str](), list[str]()
    for one in collections:
        for record in one.records:
            _count(one, record, shelf, grounding, ungrounded, uncited)
    problems = [*_of_the_size(collections, least), *_of_the_keys(collections), *_of_the_references(collections)]
    problems += [_problem(text) for text in uncited]
    if grounding.grounded_share < settings.least_grounded:
        share = f"{grounding.grounded_share:.0%} of the values stand where their records say"
        problems.append(_problem(f"{share}; {settings.least_grounded:.0%} have to. {' '.join(ungrounded[:6])}"))
    if grounding.invented_share > settings.most_invented:
        share = f"{grounding.invented_share:.0%} of all values are invented"
        problems.append(_problem(f"{share}; at most {settings.most_invented:.0%} may be."))
    if not problems:
        problems += await _of_the_tables(runtime, collections)
    return problems[:MOST_PROBLEMS], grounding


def problems_of_growth(before: Sequence[Collection], after: Sequence[Collection]) -> Iterator[Problem]:
    """Nothing that was there may be gone or changed, or tasks that rest on it would no longer hold; and there must be
    something new."""
    later = {one.name: one for one in after}
    for one in before:
        kept = {record.values[one.key]: record for record in later[one.name].records} if one.name in later else {}
        for record in one.records:
            still = kept.get(record.values[one.key])
            if still is None or not record.values.items() <= still.values.items():
                yield _problem(f"{one.name} {record.values[one.key]!r} is not as it was before.")
                return
    had, has = sum(len(one.records) for one in before), sum(len(one.records) for one in after)
    new_collection = len(after) > len(before)
    if has < had * (1 + LEAST_GROWTH) and not new_collection and _relations(after) <= _relations(before):
        wanted = f"at least {LEAST_GROWTH:.0%} more records, or a new collection or relation"
        yield _problem(f"There are {has} records where there were {had}; add {wanted}.")


def _relations(collections: Sequence[Collection]) -> int:
    return sum(field.refers_to is not None for one in collections for field in one.fields)


def _count(
    collection: Collection,
    record: MinedRecord,
    shelf: Shelf,
    grounding: Grounding,
    ungrounded: list[str],
    uncited: list[str],
) -> None:
    name = f"{collection.name} {record.values.get(collection.key)!r}"
    texts: list[str] = []
    for span in record.sources:
        try:
            texts.append(cited(shelf, span))
        except UnreadableFile as problem:
            uncited.append(f"{name} cites what is not there: {problem}.")
    claimed = 0
    for field in collection.fields:
        value = record.values.get(field.name)
        if value is None:
            continue
        if field.invented:
            grounding.invented += 1
            continue
        claimed += 1
        if is_grounded(value, field.type, texts):
            grounding.grounded += 1
        else:
            ungrounded.append(f"{name}: {field.name} is {value!r}, which is not there.")
    grounding.claimed += claimed
    if not record.sources:
        uncited.append(f"{name} cites no document.")
    elif not claimed:
        uncited.append(f"{name} holds nothing that a document says.")


def _of_the_size(collections: Sequence[Collection], least: tuple[int, int]) -> Iterator[Problem]:
    if len(collections) < least[0]:
        yield _problem(f"There are {len(collections)} collections; write at least {least[0]}.")
    if (count := sum(len(one.records) for one in collections)) < least[1]:
        yield _problem(f"There are {count} records; write at least {least[1]}.")
    for one in collections:
        if not one.records:
            yield _problem(f"{one.name} holds no record.")


def _of_the_keys(collections: Sequence[Collection]) -> Iterator[Problem]:
    for one in collections:
        keys = Counter(record.values.get(one.key) for record in one.records)
        for key in [key for key, number in keys.items() if key is None or number > 1][:2]:
            yield _problem(f"Records of {one.name} have the same {one.key}, {key!r}.")
        columns = Counter(map(column_of, one.fields))
        for column in [column for column, number in columns.items() if number > 1 or column == "id"]:
            yield _problem(f"Two fields of {one.name} would be the column {column}.")


def _of_the_references(collections: Sequence[Collection]) -> Iterator[Problem]:
    keys = {one.name: {record.values.get(one.key) for record in one.records} for one in collections}
    for one in collections:
        for field in one.fields:
            if field.refers_to is None:
                continue
            if field.refers_to not in keys:
                yield _problem(f"{one.name}.{field.name} refers to {field.refers_to}, which is no collection.")
                continue
            values = dict.fromkeys(record.values.get(field.name) for record in one.records)
            lost = [value for value in values if value is not None and value not in keys[field.refers_to]]
            for value in lost[:3]:
                more = f" (and {len(lost) - 3} more)" if len(lost) > 3 else ""
                yield _problem(f"{one.name}.{field.name} is {value!r}, no key of {field.refers_to}{more}.")


async def _of_the_tables(runtime: Runtime, collections: Sequence[Collection]) -> list[Problem]:
    """What SQLite refuses of the tables that they become, such as a field that is called `order`."""
    try:
        statements = [(table.name, table.ddl) for table in tables_of(collections)]
        refused = await databases.refused_statements(runtime, statements)
    except (Circular, EnvironmentFault) as fault:
        return [_problem(f"The collections cannot become tables: {fault}.")]
    return [_problem(f"{statements[index][0]} cannot become a table: {why}") for index, why in refused]


def _problem(message: str) -> Problem:
    return Problem(fault="rows", message=message)
