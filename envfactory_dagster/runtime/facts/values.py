"""What the data flow of a tool knows about a Python value without running it.

Belongs here: abstract values, records and sequences, and how they combine. Does not: walking Python (`dataflow.py`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from envfactory_dagster.runtime.facts.flow import COMPUTED, NOTHING, Flow, either, made_of, only

_DEEPEST_PATH = 6
_MOST_ALTERNATIVES = 200
"""Objects that a value may be, and places that it may come from; in a rich tool there are a dozen."""
_MOST_LEAVES = 20_000
"""Scalars and objects inside a result, counted by path: two objects that hold each other twice have many."""


class TooComplex(Exception):
    """Following this tool takes more steps than a tool is worth."""


@dataclass(slots=True, eq=False)
class Record:
    """A dict made at one place of the program: a row, or a literal.

    `closed` means that `fields` are all it has; once the analysis loses track of it, nothing in it is certain.
    """

    fields: "dict[str, Value]" = field(default_factory=dict)
    closed: bool = True

    def put(self, name: str, value: "Value") -> None:
        """Assign a field; what stood there before may still stand there on another path."""
        before = self.fields.get(name)
        self.fields[name] = value if before is None else any_of((before, value))


@dataclass(slots=True, eq=False)
class Sequence:
    """A list made at one place of the program; `items` are its members while they are exactly known."""

    element: "Value"
    items: "tuple[Value, ...] | None" = None

    def put(self, value: "Value") -> None:
        """Add or replace a member."""
        self.element = any_of((self.element, value))
        self.items = None


@dataclass(frozen=True, slots=True)
class Value:
    """What a value may be: something with a flow, one of several objects, or (`known` False) anything.

    `text` is the string itself where it is a literal, because literals name fields.
    """

    flow: Flow = NOTHING
    objects: frozenset[Record | Sequence] = frozenset()
    known: bool = True
    text: str | None = None

    @property
    def records(self) -> list[Record]:
        """The dicts it may be."""
        return [found for found in self.objects if isinstance(found, Record)]

    @property
    def sequences(self) -> list[Sequence]:
        """The lists it may be."""
        return [found for found in self.objects if isinstance(found, Sequence)]

    def member(self) -> "Value":
        """An element of it."""
        elements = [sequence.element for sequence in self.sequences]
        if self.records or not self.known:
            return UNKNOWN
        if self.flow.origins:
            parts = (f"{o}[]" if isinstance(o, str) and not o.startswith("@") else o for o in self.flow.origins)
            elements.append(Value(_same_exactness(self.flow, either(only(part) for part in parts))))
        return any_of(elements) if elements else Value(self.flow)

    def item(self, name: str) -> "Value":
        """The field `name` of it; a part of a parameter is `parameter.name`."""
        if self.sequences or not self.known:
            return UNKNOWN
        found = [record.fields.get(name, ABSENT) if record.closed else UNKNOWN for record in self.records]
        if self.flow.origins:
            if self.flow.columns or any(source.startswith("@") for source in self.flow.sources):
                return UNKNOWN
            parts = either(only(f"{source}.{name}") for source in self.flow.sources)
            found.append(Value(_same_exactness(self.flow, parts)))
        return any_of(found)

    def lacks(self, name: str) -> bool:
        """Whether it surely has no field `name`: every dict it may be is known not to."""
        sure = self.known and not self.sequences and not self.flow.origins
        return sure and bool(self.records) and all(r.closed and name not in r.fields for r in self.records)

    def lose_track(self) -> None:
        """Somebody else may change it, and what is in it, from here on."""
        waiting, lost = [*self.objects], set[Record | Sequence]()
        while waiting:
            found = waiting.pop()
            if found in lost:
                continue
            lost.add(found)
            if isinstance(found, Record):
                found.closed = False
            else:
                waiting += found.element.objects
                found.put(UNKNOWN)


UNKNOWN = Value(known=False)
ABSENT = Value()
"""None: no value on this path."""
CONSTANT = Value(COMPUTED)


def _same_exactness(model: Flow, flow: Flow) -> Flow:
    return flow if model.exact else made_of((flow,))


def any_of(values: Iterable[Value]) -> Value:
    """A value that is one of several."""
    alternatives = list(values)
    flow = either(value.flow for value in alternatives)
    objects = frozenset[Record | Sequence]().union(*(value.objects for value in alternatives))
    if len(objects) > _MOST_ALTERNATIVES or len(flow.origins) > _MOST_ALTERNATIVES:
        raise TooComplex
    return Value(
        flow,
        objects,
        all(value.known for value in alternatives),
        alternatives[0].text if len({value.text for value in alternatives}) == 1 else None,
    )


def computed_from(values: Iterable[Value]) -> Value:
    """A scalar computed from several values, members of lists included."""
    level, flows = list(values), list[Flow]()
    for _ in range(_DEEPEST_PATH):
        if not all(value.known and not value.records for value in level):
            return UNKNOWN
        flows += [value.flow for value in level]
        level = [found.element for found in {found for value in level for found in value.sequences}]
    return Value(made_of(flows)) if not level else UNKNOWN


def leaves(value: Value) -> Iterator[tuple[str, Value]]:
    """Every scalar inside a value with its path, like `items[].price`. Raises TooComplex."""
    waiting, seen = [("", value, _DEEPEST_PATH)], 0
    while waiting:
        path, found, depth = waiting.pop()
        seen += 1
        if seen > _MOST_LEAVES:
            raise TooComplex
        if found.flow.origins or not found.objects:
            yield path, Value(found.flow, known=found.known)
        if depth == 0 or not found.known:
            continue
        for record in found.records:
            for name, inner in record.fields.items() if record.closed else ():
                waiting.append((f"{path}.{name}" if path else name, inner, depth - 1))
        waiting += [(f"{path}[]", sequence.element, depth - 1) for sequence in found.sequences]
