"""What the data flow of a tool knows about a Python value without running it.

Belongs here: abstract values, records and sequences, and how they combine. Does not: walking Python (`dataflow.py`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from envfactory_dagster.runtime.facts.flow import COMPUTED, NOTHING, Flow, either, made_of, only

_DEEPEST_PATH = 6


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

    def lose_track(self, depth: int = _DEEPEST_PATH) -> None:
        """Somebody else may change it, and what is in it, from here on."""
        for record in self.records:
            record.closed = False
        for sequence in self.sequences if depth else ():
            sequence.put(UNKNOWN)
            sequence.element.lose_track(depth - 1)


UNKNOWN = Value(known=False)
ABSENT = Value()
"""None: no value on this path."""
CONSTANT = Value(COMPUTED)


def _same_exactness(model: Flow, flow: Flow) -> Flow:
    return flow if model.exact else made_of((flow,))


def any_of(values: Iterable[Value]) -> Value:
    """A value that is one of several."""
    alternatives = list(values)
    return Value(
        either(value.flow for value in alternatives),
        frozenset[Record | Sequence]().union(*(value.objects for value in alternatives)),
        all(value.known for value in alternatives),
        alternatives[0].text if len({value.text for value in alternatives}) == 1 else None,
    )


def computed_from(values: Iterable[Value]) -> Value:
    """A scalar computed from several values, members of lists included."""
    parts = [_flattened(value, _DEEPEST_PATH) for value in values]
    if not all(part.known for part in parts):
        return UNKNOWN
    return Value(made_of(part.flow for part in parts))


def _flattened(value: Value, depth: int) -> Value:
    if value.records or depth == 0:
        return UNKNOWN
    return any_of((Value(value.flow, known=value.known), *(_flattened(s.element, depth - 1) for s in value.sequences)))


def leaves(value: Value, path: str = "", depth: int = _DEEPEST_PATH) -> Iterator[tuple[str, Value]]:
    """Every scalar inside a value with its path, like `items[].price`."""
    if value.flow.origins or not value.objects:
        yield path, Value(value.flow, known=value.known)
    if depth == 0 or not value.known:
        return
    for record in value.records:
        for name, inner in record.fields.items() if record.closed else ():
            yield from leaves(inner, f"{path}.{name}" if path else name, depth - 1)
    for sequence in value.sequences:
        yield from leaves(sequence.element, f"{path}[]", depth - 1)
