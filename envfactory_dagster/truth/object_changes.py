"""Which changes of an imported object count: not those of attributes whose names begin with an underscore, such as
caches, which are nobody's but the published code's own.

Belongs here: the changes without them. Does not: what a row of an object is (`runtime.object_state`).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.truth import RowChange, TracedStep

AnyChange = Change | RowChange


def public_values(changes: Sequence[AnyChange]) -> dict[str, Json]:
    """Path → its value now, for each path with another value than before; None where the path is gone."""
    return {path: after for _, path, _, after in _public_changes(changes)}


def public_changes(changes: Sequence[AnyChange]) -> list[Change]:
    """The same as changes of rows."""
    return [
        Change(change.table, tuple(change.key), _row(path, change.before, before), _row(path, change.after, after))
        for change, path, before, after in _public_changes(changes)
    ]


def _public_changes(changes: Sequence[AnyChange]) -> Iterator[tuple[AnyChange, str, Json, Json]]:
    """The changes that count, each with its path and what was and is there."""
    for change in changes:
        path, before, after = str(change.key[0]), _value(change.before), _value(change.after)
        if "/_" not in path and before != after:
            yield change, path, before, after


def _row(path: str, row: Mapping[str, Any] | None, value: Json) -> dict[str, Any] | None:
    return None if row is None else {"path": path, "value": json.dumps(value, ensure_ascii=False)}


def _value(row: Mapping[str, Any] | None) -> Json:
    return None if row is None else _public(json.loads(row["value"]))


def _public(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _public(value) for key, value in node.items() if not key.startswith(("_", "$id", "$keys"))}
    return [_public(value) for value in node] if isinstance(node, list) else node


def shows_all_of(calls: Sequence[TracedStep], others: Sequence[TracedStep]) -> bool:
    """Whether these calls return everything that the others return, in any order. Failed ones do not count."""
    return _brought(calls) >= _brought(others)


def changeable_alone(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of which one may be changed to make a wrong end: not those that list the keys of others, nor those whose
    changes do not count."""
    return [row for row in rows if '"$keys"' not in str(row["value"]) and "/_" not in str(row["path"])]


def _brought(calls: Sequence[TracedStep]) -> "Counter[str]":
    return Counter(json.dumps(call.value, sort_keys=True) for call in calls if call.outcome == "ok")
