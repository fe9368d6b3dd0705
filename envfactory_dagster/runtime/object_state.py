"""A Python object as rows of one table: a session over objects forks, resets, compares and hashes like any other.

Belongs here: the table, and both directions between objects and its rows. Does not: where the objects' classes come
from (`published_modules`), and what tools do with them (`object_tools`).

A row holds JSON. Dictionaries and attributes of the first three levels have rows of their own, named by their path.
JSON alone says what JSON can say; everything else is an object whose first key begins with `$`:

    $class, $model   an instance of a published class, a Pydantic model: its attributes follow
    $keys            a dictionary or instance whose values stand in rows of their own
    $map             a dictionary with keys that are not text
    $list, $tuple, $set, $frozenset, $bytes, $float, $name
    $make            what Python's pickle protocol says of anything else: how it is made, and its state
    $id, $ref        one object in several places
"""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

TABLE = "state"
COLUMNS = ("path", "value")
SCHEMA = f"CREATE TABLE {TABLE} (path TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;\n"
ROOT = "."
LEVELS = 3
_SCALARS = frozenset((str, int, bool, type(None)))
_MOST_DEPTH = 200
_RANKED_DEPTH = 4

Name = Callable[[Any], str]
Find = Callable[[str], Any]
"""From a class or function to `module:name`, and back. Both raise `LookupError` where there is no way."""


class NotStorable(TypeError):
    """The object holds something that no row can: a file, a lock, a generator, a function of a function."""


def rows_of_json(root: Any) -> dict[str, str]:
    """The rows of plain JSON, several times as fast. They are the same but for keys that begin with `$`, which are keys
    like any other here."""
    return {path: text_of(node) for path, node in split_json(root, ROOT, LEVELS)}


def rows_of(root: object, name: Name) -> dict[str, str]:
    """Path → JSON text, in the order of the object's own parts. Equal objects give equal rows."""
    holder: list[Any] = [None]
    _RowWriter(name).write(root, holder, 0, ROOT, 0)
    return {path: text_of(node) for path, node in _split(holder[0], ROOT, LEVELS)}


def object_of(rows: dict[str, str], find: Find) -> Any:
    deep = any('"$' in text for text in rows.values() if '"$keys":[' not in text)
    return _Reader(find).read(_joined(rows, ROOT), deep)


def text_of(node: Any) -> str:
    return json.dumps(node, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def escaped(key: object) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


# -- rows --------------------------------------------------------------------------------------------------------------


def split_json(node: Any, path: str, levels: int) -> Iterator[tuple[str, Any]]:
    if not levels or type(node) is not dict or not node:
        yield path, node
        return
    if any(type(key) is not str for key in node):
        raise NotStorable(f"{path}: JSON has no keys that are not text")
    yield path, {"$keys": list(node)}
    for key in node:
        yield from split_json(node[key], f"{path}/{escaped(key)}", levels - 1)


def _split(node: Any, path: str, levels: int) -> Iterator[tuple[str, Any]]:
    inner = [key for key in node if not key.startswith("$")] if levels and type(node) is dict else []
    if not inner or "$map" in node or "$make" in node:
        yield path, node
        return
    yield path, {key: node[key] for key in node if key.startswith("$")} | {"$keys": inner}
    for key in inner:
        yield from _split(node[key], f"{path}/{escaped(key)}", levels - 1)


def _joined(rows: dict[str, str], path: str) -> Any:
    node = json.loads(rows[path])
    if type(node) is dict and "$keys" in node:
        keys = node.pop("$keys")
        node |= {key: _joined(rows, f"{path}/{escaped(key)}") for key in keys}
    return node


# -- from objects ------------------------------------------------------------------------------------------------------


class _RowWriter:
    def __init__(self, name: Name) -> None:
        self._name = name
        self._seen: dict[int, tuple[Any, Any, str, Any]] = {}
        """By identity: where a mutable object was written, its path, and the object itself, which keeps its id."""

    def write(self, value: Any, holder: Any, key: Any, path: str, depth: int) -> None:
        """Write the value's node into `holder[key]`."""
        kind = type(value)
        if kind in _SCALARS:
            holder[key] = value
            return
        if depth > _MOST_DEPTH:
            raise NotStorable(f"{path}: nested deeper than {_MOST_DEPTH} levels")
        if kind is float:
            holder[key] = value if math.isfinite(value) else {"$float": repr(value)}
        elif kind is tuple:
            self._items("$tuple", value, holder, key, path, depth)
        elif kind is bytes:
            holder[key] = {"$bytes": value.hex()}
        elif kind is frozenset:
            self._unordered("$frozenset", value, holder, key, path, depth)
        elif isinstance(value, type) or kind in (_FUNCTION, _BUILTIN):
            holder[key] = {"$name": self._named(value, path)}
        elif id(value) in self._seen:
            self._again(value, holder, key)
        else:
            self._seen[id(value)] = (holder, key, path, value)
            self._mutable(value, kind, holder, key, path, depth)

    def _mutable(self, value: Any, kind: type, holder: Any, key: Any, path: str, depth: int) -> None:
        if kind is list:
            node: Any = [None] * len(value)
            holder[key] = node
            for index, item in enumerate(value):
                self.write(item, node, index, f"{path}/{index}", depth + 1)
        elif kind is dict:
            self._dictionary(value, holder, key, path, depth)
        elif kind is set:
            self._unordered("$set", value, holder, key, path, depth)
        elif (head := self._plain(value, kind, path)) is not None:
            holder[key] = head
            for name, item in vars(value).items():
                self.write(item, head, name, f"{path}/{escaped(name)}", depth + 1)
        else:
            self._made(value, holder, key, path, depth)

    def _again(self, value: Any, holder: Any, key: Any) -> None:
        first, place, path, _ = self._seen[id(value)]
        node = first[place]
        if type(node) is list:
            first[place] = {"$id": path, "$list": node}
        elif "$id" not in node:
            inner = dict(node)
            node.clear()  # and no new one: what is still being written goes into this
            node.update({"$id": path} | inner)
        holder[key] = {"$ref": path}

    def _items(self, word: str, items: Any, holder: Any, key: Any, path: str, depth: int) -> None:
        nodes: list[Any] = [None] * len(items)
        holder[key] = {word: nodes}
        for index, item in enumerate(items):
            self.write(item, nodes, index, f"{path}/{index}", depth + 1)

    def _unordered(self, word: str, items: Any, holder: Any, key: Any, path: str, depth: int) -> None:
        """Sorted before they are written: what stands in several places is written in full where it comes first."""
        ranked = sorted(items, key=lambda item: self._rank(item, path))
        self._items(word, ranked, holder, key, path, depth)

    def _rank(self, item: Any, path: str) -> str:
        if type(item) in _SCALARS:
            return text_of(item)
        alone: list[Any] = [None]
        _Ranker(self._name).write(item, alone, 0, path, 0)
        return text_of(alone[0])

    def _dictionary(self, value: dict[Any, Any], holder: Any, key: Any, path: str, depth: int) -> None:
        if all(type(name) is str and not name.startswith("$") for name in value):
            node: Any = dict.fromkeys(value)
            holder[key] = node
            for name, item in value.items():
                self.write(item, node, name, f"{path}/{escaped(name)}", depth + 1)
            return
        pairs: list[list[Any]] = [[None, None] for _ in value]
        holder[key] = {"$map": pairs}
        for pair, (name, item) in zip(pairs, value.items(), strict=True):
            self.write(name, pair, 0, f"{path}/{escaped(name)}", depth + 1)
            self.write(item, pair, 1, f"{path}/{escaped(name)}", depth + 1)

    def _plain(self, value: Any, kind: type, path: str) -> dict[str, Any] | None:
        """The head of an instance that is nothing but its attributes."""
        attributes = getattr(value, "__dict__", None)
        if type(attributes) is not dict or any(name.startswith("$") for name in attributes):
            return None
        fields = getattr(value, "__pydantic_fields_set__", None)
        if type(fields) is set:
            if getattr(value, "__pydantic_extra__", None) or getattr(value, "__pydantic_private__", None):
                return None
            unset = sorted(attributes.keys() - fields)
            return {"$model": self._named(kind, path)} | ({"$unset": unset} if unset else {})
        methods: Any = vars(object)
        ordinary = all(getattr(kind, name) is methods[name] for name in ("__reduce_ex__", "__reduce__"))
        bare = all(not isinstance(value, base) for base in (dict, list, set, str, int, float, tuple, BaseException))
        slots = any(getattr(base, "__slots__", ()) for base in kind.__mro__)
        state = getattr(kind, "__getstate__", None) is not getattr(object, "__getstate__", None)
        if not ordinary or not bare or slots or state or hasattr(kind, "__setstate__"):
            return None
        return {"$class": self._named(kind, path)}

    def _made(self, value: Any, holder: Any, key: Any, path: str, depth: int) -> None:
        try:
            reduced = value.__reduce_ex__(2)
        except TypeError as error:
            raise NotStorable(f"{path}: a {type(value).__name__} cannot be kept from call to call") from error
        if isinstance(reduced, str):
            holder[key] = {"$name": self._named(value, path)}
            return
        how, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
        node: dict[str, Any] = {"$make": self._named(how, path), "$args": None}
        holder[key] = node
        self.write(list(arguments), node, "$args", f"{path}/$args", depth + 1)
        if state is not None:
            self.write(state, node, "$state", f"{path}/$state", depth + 1)
        if items is not None and (items := list(items)):
            self.write(items, node, "$items", f"{path}/$items", depth + 1)
        if pairs is not None and (pairs := [list(pair) for pair in pairs]):
            self.write(pairs, node, "$pairs", f"{path}/$pairs", depth + 1)

    def _named(self, value: Any, path: str) -> str:
        try:
            return self._name(value)
        except LookupError as error:
            raise NotStorable(f"{path}: {error}") from error


class _Ranker(_RowWriter):
    """Writes what an item of a set is sorted by: itself, without the others, to a depth that bounds the work."""

    def write(self, value: Any, holder: Any, key: Any, path: str, depth: int) -> None:
        if depth <= _RANKED_DEPTH:
            super().write(value, holder, key, path, depth)

    def _again(self, value: Any, holder: Any, key: Any) -> None:
        holder[key] = {"$ref": ""}

    def _unordered(self, word: str, items: Any, holder: Any, key: Any, path: str, depth: int) -> None:
        self._items(word, items, holder, key, path, depth)
        holder[key][word].sort(key=text_of)


_FUNCTION = type(text_of)
_BUILTIN = type(len)


# -- to objects --------------------------------------------------------------------------------------------------------


class _Reader:
    def __init__(self, find: Find) -> None:
        self._find = find
        self._known: dict[str, Any] = {}

    def read(self, node: Any, deep: bool = True, level: int = 0) -> Any:
        """Unless it is `deep`, nothing below the first levels says more than JSON says."""
        kind = type(node)
        if kind is list:
            return [self.read(item) for item in node] if deep else node
        if kind is not dict:
            return node
        first = next(iter(node), "")
        if first.startswith("$"):
            return self._special(node, node.pop("$id", None), deep, level)
        if not deep and level >= LEVELS:
            return node
        for key, item in node.items():
            node[key] = self.read(item, deep, level + 1)
        return node

    def _special(self, node: dict[str, Any], place: str | None, deep: bool, level: int) -> Any:
        word = next(iter(node), "")
        if not word.startswith("$"):
            return self._filled(self._keep(place, {}), node, deep, level)
        if word == "$ref":
            return self._known[node["$ref"]]
        if word == "$list":
            kept: list[Any] = self._keep(place, [])
            kept += [self.read(item) for item in node["$list"]]
            return kept
        if word == "$map":
            pairs: dict[Any, Any] = self._keep(place, {})
            for key, item in node["$map"]:
                pairs[self.read(key)] = self.read(item)
            return pairs
        if word == "$set":
            members: set[Any] = self._keep(place, set())
            members.update([self.read(item) for item in node["$set"]])
            return members
        if word in ("$class", "$model"):
            return self._instance(node, place, deep, level)
        if word == "$make":
            return self._made(node, place)
        return self._immutable(word, node[word])

    def _immutable(self, word: str, inner: Any) -> Any:
        if word == "$tuple":
            return tuple([self.read(item) for item in inner])
        if word == "$frozenset":
            return frozenset([self.read(item) for item in inner])
        if word == "$bytes":
            return bytes.fromhex(inner)
        if word == "$float":
            return float(inner)
        if word == "$name":
            return self._find(inner)
        raise ValueError(f"no row of an object holds {word!r}")

    def _keep(self, place: str | None, made: Any) -> Any:
        if place is not None:
            self._known[place] = made
        return made

    def _filled(self, made: dict[str, Any], node: dict[str, Any], deep: bool, level: int) -> dict[str, Any]:
        for key, item in node.items():
            made[key] = self.read(item, deep, level + 1)
        return made

    def _instance(self, node: dict[str, Any], place: str | None, deep: bool, level: int) -> Any:
        of_model = "$model" in node
        kind = self._find(node.pop("$model" if of_model else "$class"))
        unset = node.pop("$unset", [])
        made = self._keep(place, kind.__new__(kind))
        if of_model:
            attributes: dict[str, Any] = dict.fromkeys(node)
            object.__setattr__(made, "__dict__", attributes)
            object.__setattr__(made, "__pydantic_fields_set__", node.keys() - set(unset))
            object.__setattr__(made, "__pydantic_extra__", None)
            object.__setattr__(made, "__pydantic_private__", None)
        else:
            attributes = made.__dict__
        self._filled(attributes, node, deep, level)
        return made

    def _made(self, node: dict[str, Any], place: str | None) -> Any:
        made = self._keep(place, self._find(node["$make"])(*self.read(node["$args"])))
        if "$items" in node:
            for item in self.read(node["$items"]):
                made.add(item) if isinstance(made, set) else made.append(item)
        for key, item in self.read(node.get("$pairs", [])):
            made[key] = item
        if "$state" in node:
            self._restore(made, self.read(node["$state"]))
        return made

    def _restore(self, made: Any, state: Any) -> None:
        if hasattr(made, "__setstate__"):
            made.__setstate__(state)
            return
        attributes, slots = state if isinstance(state, tuple) else (state, None)
        if attributes:
            made.__dict__.update(attributes)
        for name, item in (slots or {}).items():
            setattr(made, name, item)
