"""JSON in the rows of an object, read where it is asked for and written where it was changed.

Belongs here: dictionaries over rows. Does not: objects that are more than JSON, and what a row looks like
(`object_state`).
"""

import json
from collections.abc import Iterator, MutableMapping
from typing import Any

from envfactory_dagster.runtime.facade import QueryableDatabase
from envfactory_dagster.runtime.object_state import LEVELS, ROOT, escaped, split_json, text_of


class StoredDict(MutableMapping[str, Any]):
    """A dictionary whose values stand in rows of their own. What was asked for is kept, and may be changed in place."""

    def __init__(self, database: QueryableDatabase, path: str, keys: list[str], level: int) -> None:
        self._database = database
        self._path = path
        self._level = level
        self._before = keys
        self._keys = dict.fromkeys(keys)
        self._values: dict[str, Any] = {}
        self._texts: dict[str, str] = {}
        """Of values that were read, as they were."""

    def __getitem__(self, key: str) -> Any:
        if key not in self._values:
            if key not in self._keys:
                raise KeyError(key)
            path = self._place(key)
            text = self._texts[key] = _read(self._database, path)
            self._values[key] = _value(self._database, path, text, self._level + 1)
        return self._values[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        self._values[key] = value

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        self._values.pop(key, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def save(self) -> None:
        """Write the rows that are not as they were."""
        for key in self._before:
            if key not in self._keys:
                self._remove(key)
        if (keys := list(self._keys)) != self._before:
            _write(self._database, self._path, text_of({"$keys": keys} if keys else {}))
        for key, value in self._values.items():
            if isinstance(value, StoredDict):
                value.save()
            else:
                self._save(key, value)

    def _save(self, key: str, value: Any) -> None:
        rows = [(path, text_of(node)) for path, node in split_json(value, self._place(key), LEVELS - self._level - 1)]
        if len(rows) == 1 and self._texts.get(key) == rows[0][1]:
            return
        self._remove(key)
        for path, text in rows:
            _write(self._database, path, text)

    def _remove(self, key: str) -> None:
        path = self._place(key)
        self._database.change(
            "DELETE FROM state WHERE path = ? OR (path >= ? AND path < ?)", (path, f"{path}/", f"{path}0")
        )

    def _place(self, key: str) -> str:
        return f"{self._path}/{escaped(key)}"


def stored(database: QueryableDatabase) -> Any:
    """What the rows hold altogether."""
    return _value(database, ROOT, _read(database, ROOT), 0)


def _value(database: QueryableDatabase, path: str, text: str, level: int) -> Any:
    node = json.loads(text)
    if level < LEVELS and type(node) is dict and "$keys" in node:
        return StoredDict(database, path, node["$keys"], level)
    return node


def _read(database: QueryableDatabase, path: str) -> str:
    [row] = database.rows("SELECT value FROM state WHERE path = ?", (path,), 1)
    text: str = row["value"]
    return text


def _write(database: QueryableDatabase, path: str, text: str) -> None:
    database.change(
        "INSERT INTO state (path, value) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET value = excluded.value",
        (path, text),
    )
