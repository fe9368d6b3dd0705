"""What an episode changed, held against what the reference solution changes.

Belongs here: what is missing, what is too much, and what is meant by it. Does not: what else an episode does wrong
(`classes`), and the normal form of changes (`truth.changesets`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.truth import ReferenceSolution, RowChange, TracedStep
from envfactory_dagster.runtime.facts.schema import Schema
from envfactory_dagster.truth.changesets import ChangesetWrite, Mask, normalize
from envfactory_dagster.truth.traces import leaves, name_of

Wrong = Literal["wrong_entity", "wrong_value"]


@dataclass(frozen=True, slots=True)
class Deeds:
    missing: list[ChangesetWrite]
    """What the reference solution writes, and the episode does not."""
    extra: list[ChangesetWrite]


def deeds(gold: ReferenceSolution, changes: Sequence[RowChange], schema: Schema, clock: str) -> Deeds:
    mask = Mask.of(gold)
    wanted = normalize(gold.changes, schema, clock, mask).writes
    found = normalize(changes, schema, clock, mask).writes
    return Deeds(_without(wanted, found), _without(found, wanted))


def _without(some: Sequence[ChangesetWrite], others: Sequence[ChangesetWrite]) -> list[ChangesetWrite]:
    left = Counter(map(_content, others))
    kept = []
    for one in some:
        if left[_content(one)]:
            left[_content(one)] -= 1
        else:
            kept.append(one)
    return kept


def _content(write: ChangesetWrite) -> tuple[object, ...]:
    return write.kind, write.table, write.key, write.column, write.fact.fixed


def misplaced(found: Deeds, schema: Schema) -> Wrong | None:
    """Compare what was left out with what was changed instead: the wrong row, or the wrong value. None if neither."""
    kinds = {_of_pair(missing, extra, schema) for missing in found.missing for extra in found.extra} - {None}
    return "wrong_entity" if "wrong_entity" in kinds else "wrong_value" if kinds else None


def _of_pair(missing: ChangesetWrite, extra: ChangesetWrite, schema: Schema) -> Wrong | None:
    if (missing.kind, missing.table) != (extra.kind, extra.table):
        return None
    if missing.kind == "insert":
        table = schema.tables[missing.table]
        references = {column for key in table.foreign_keys for column in key.columns}
        return "wrong_entity" if references & _different_cells(missing, extra) else "wrong_value"
    if missing.key == extra.key:
        return "wrong_value" if missing.column == extra.column else None
    return "wrong_entity" if missing.column == extra.column else None


def _different_cells(one: ChangesetWrite, other: ChangesetWrite) -> set[str]:
    [mine, theirs] = [dict(write.fact.fixed[2]) for write in (one, other)]  # type: ignore[index]
    return {column for column in mine if mine[column] != theirs.get(column)}


def misdirected(call: TracedStep, left_out: Sequence[TracedStep]) -> Wrong | None:
    """Compare a writing call with the calls to the same tool that the episode left out: the wrong row, or the wrong
    value. None if it left out no call to this tool. An argument called `id` or `…_id` names a row."""
    differences = [_different_arguments(call, gold) for gold in left_out if gold.tool == call.tool]
    if not differences:
        return None
    nearest = min(differences, key=len)
    return "wrong_entity" if any(name.lower().endswith("id") for name in nearest) else "wrong_value"


def _different_arguments(one: TracedStep, other: TracedStep) -> set[str]:
    mine, theirs = _leaves(one.arguments), _leaves(other.arguments)
    return {name_of(path) for path in mine.keys() | theirs.keys() if mine.get(path) != theirs.get(path)}


def _leaves(arguments: dict[str, Json]) -> dict[tuple[str | int, ...], Json]:
    return {path: value for path, value, _ in leaves(arguments, {})}
