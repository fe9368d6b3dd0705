"""Laying one set of writes over another, whatever the created rows are called.

Belongs here: colours that tell names apart by what is written about them, and the search for names that fit. Does not:
where writes and names come from (`changesets`).

A name is an id or a code that a run made up. Two sets of writes are the same when the names of one can be exchanged
for those of the other, one for one, so that every write of one is a write of the other.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

_MOST_TRIALS = 20_000
"""How many pairs of writes a search may try. Only large sets full of look-alikes come near."""


@dataclass(frozen=True, slots=True)
class WritePattern:
    """A write as it is matched: what is fixed of it, and the names in its holes, in order."""

    fixed: Hashable
    names: tuple[int, ...]


@dataclass(frozen=True)
class Structure:
    """Facts about names; `labels` says of each name what kind of thing it names."""

    facts: Sequence[WritePattern]
    labels: Sequence[Hashable]

    @cached_property
    def colours(self) -> list[bytes]:
        """Of each name: a digest of everything written about it, about the names next to it, and so on. Names that
        correspond in equal structures have equal colours; names that do not hardly ever have."""
        colours = [_digest(label) for label in self.labels]
        kinds = len(set(colours))
        while True:
            seen: list[list[tuple[bytes, int]]] = [[] for _ in colours]
            for fact in self.facts:
                colour = _fact_colour(fact, colours) if fact.names else b""
                for place, name in enumerate(fact.names):
                    seen[name].append((colour, place))
            colours = [_digest((colour, sorted(about))) for colour, about in zip(colours, seen, strict=True)]
            before, kinds = kinds, len(set(colours))
            if kinds == before:
                return colours

    @cached_property
    def fact_colours(self) -> list[bytes]:
        return [_fact_colour(fact, self.colours) for fact in self.facts]

    @cached_property
    def certificate(self) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        """Equal for equal structures."""
        return tuple(sorted(self.fact_colours)), tuple(sorted(self.colours))

    def equals(self, other: "Structure") -> bool:
        if self.certificate != other.certificate:
            return False
        return self._colours_tell_all() or other.holds(self)

    def _colours_tell_all(self) -> bool:
        """Whether equal certificates prove equality: they do when facts and the names that share their colour with
        another name make a forest."""
        shared = Counter(self.colours)
        roots = list(range(len(self.labels) + len(self.facts)))

        def root(node: int) -> int:
            while roots[node] != node:
                roots[node] = node = roots[roots[node]]
            return node

        for number, fact in enumerate(self.facts):
            for name in fact.names:
                if shared[self.colours[name]] > 1:
                    one, other = root(name), root(len(self.labels) + number)
                    if one == other:
                        return False
                    roots[one] = other
        return True

    def holds(self, part: "Structure") -> bool:
        """Whether all facts of `part` are among these, its names exchanged for some of these. A search that grows
        without end is given up: what is not found is not there."""
        plain = Counter(fact.fixed for fact in part.facts if not fact.names)
        if plain - Counter(fact.fixed for fact in self.facts if not fact.names):
            return False
        return _Search(part, self).succeeds()


class _Search:
    """Looks for a fact of the whole for every fact of the part, going back where names do not fit."""

    def __init__(self, part: Structure, whole: Structure) -> None:
        self._part = part
        self._whole = whole
        self._order = _connected(part)
        self._alike: dict[Hashable, list[int]] = defaultdict(list)
        for number, fact in enumerate(whole.facts):
            if fact.names:
                self._alike[fact.fixed].append(number)
        self._used: set[int] = set()
        self._forth: dict[int, int] = {}
        self._back: dict[int, int] = {}
        self._trials = 0

    def succeeds(self) -> bool:
        if not self._order:
            return True
        stack: list[tuple[Iterator[int], Callable[[], None]]] = []
        choices = self._choices(self._order[0])
        while self._trials <= _MOST_TRIALS:
            undo = self._try_next(self._order[len(stack)], choices)
            if undo is not None:
                stack.append((choices, undo))
                if len(stack) == len(self._order):
                    return True
                choices = self._choices(self._order[len(stack)])
            elif stack:
                choices, undo = stack.pop()
                undo()
            else:
                return False
        return False

    def _choices(self, fact: WritePattern) -> Iterator[int]:
        """The facts that look alike, those first whose names do so in every respect."""
        mine = [self._part.colours[name] for name in fact.names]

        def differs(number: int) -> bool:
            return mine != [self._whole.colours[name] for name in self._whole.facts[number].names]

        return iter(sorted((n for n in self._alike[fact.fixed] if n not in self._used), key=differs))

    def _try_next(self, fact: WritePattern, choices: Iterator[int]) -> Callable[[], None] | None:
        """Take the next choice that fits; what is returned takes it back."""
        for number in choices:
            self._trials += 1
            added: list[int] = []
            fits = all(
                self._bind(mine, theirs, added)
                for mine, theirs in zip(fact.names, self._whole.facts[number].names, strict=True)
            )
            undo = self._undo(number, added)
            if fits:
                self._used.add(number)
                return undo
            undo()
        return None

    def _bind(self, mine: int, theirs: int, added: list[int]) -> bool:
        if mine in self._forth or theirs in self._back:
            return self._forth.get(mine) == theirs
        if self._part.labels[mine] != self._whole.labels[theirs]:
            return False
        self._forth[mine] = theirs
        self._back[theirs] = mine
        added.append(mine)
        return True

    def _undo(self, number: int, added: list[int]) -> Callable[[], None]:
        def undo() -> None:
            self._used.discard(number)
            for name in added:
                del self._back[self._forth.pop(name)]

        return undo


def _connected(structure: Structure) -> list[WritePattern]:
    """The facts that have names, each next to one it shares a name with: a wrong choice shows early."""
    of_name: dict[int, list[int]] = defaultdict(list)
    for number, fact in enumerate(structure.facts):
        for name in fact.names:
            of_name[name].append(number)
    order: dict[int, None] = {}
    for start, fact in enumerate(structure.facts):
        waiting = [start] if fact.names else []
        while waiting:
            number = waiting.pop()
            if number not in order:
                order[number] = None
                waiting += [near for name in structure.facts[number].names for near in of_name[name]]
    return [structure.facts[number] for number in order]


def _fact_colour(fact: WritePattern, colours: Sequence[bytes]) -> bytes:
    return _digest((fact.fixed, [colours[name] for name in fact.names]))


def _digest(value: object) -> bytes:
    return blake2b(repr(value).encode(), digest_size=16).digest()
