r"""Regular expressions that are matched in one pass over the text, for patterns that somebody else wrote.

Python's own matcher goes back and tries again, which for some patterns takes years. Here all ways through a pattern
are followed at once. Belongs here: reading a pattern, and the search. Does not: files, imports of ours or of a third
party; the text of this module is also embedded in every bundle's stand-alone server.

Understood: characters, escaped characters, `\d`, `\w`, `\s` and their opposites, classes in brackets, `.`, groups,
choices, the repeats `*`, `+`, `?` and `{m,n}`, `^` and `$`. They mean what they mean in Python with ASCII classes, but
`$` matches only at the very end. Refused: looking ahead or behind, references to groups, `\b`, flags and possessive
repeats.
"""

import re
from collections.abc import Callable
from functools import lru_cache

_MOST_PATTERN_CHARS = 500
_MOST_PLACES = 500
"""Where a match can stand: one for every character of a pattern whose counted repeats are written out."""
_MOST_REMEMBERED = 1_000

_ATOM = re.compile(
    r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[dDwWsSafnrtv]|[^0-9A-Za-z])"
    r"|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|[^\\()\[|*+?{^$]",
    re.DOTALL,
)
_GROUP = re.compile(r"\((?:\?(?::|P<\w+>))?(?!\?)")
_START = re.compile(r"\^|\\A")
_END = re.compile(r"\$|\\Z")
_REPEAT = re.compile(r"(?:([*+?])|\{(?=[\d,])(\d*)(?:(,)(\d*))?\})\??(?!\+)")

_FORK, _AT_START, _AT_END, _READ, _DONE = range(5)
_FOUND, _FOUND_AT_END = 1, 2
"""The lowest bits of a set of places."""
_FIRST_PLACE = 2

_Make = Callable[[int], int]
"""Adds the nodes of a part that goes on at the given node, and returns the node where the part starts."""


class PatternError(ValueError):
    """A text is no regular expression, or one that is not matched here."""


@lru_cache(maxsize=256)
def search(pattern: str) -> Callable[[str], bool]:
    """Whether the pattern is found anywhere in a text."""
    if len(pattern) > _MOST_PATTERN_CHARS:
        raise PatternError(f"longer than {_MOST_PATTERN_CHARS} characters")
    try:
        re.compile(pattern, re.ASCII)  # whatever is wrong in Python is wrong here
        return _Automaton(pattern).search
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(str(error)) from error


class _Automaton:
    """A graph: nodes that read a character, and nodes that lead on without one. A set of places is an integer."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0
        self._nodes: list[tuple[int, tuple[int, ...]]] = [(_DONE, ())]
        self._made = 0
        self._places: list[int] = []
        """The node behind every place."""
        self._atoms: dict[str, int] = {}
        """Which places read what: an atom, and its places."""
        make = self._choice()
        if self._at < len(pattern):
            raise PatternError(f"{pattern[self._at :][:10]!r} cannot be matched here")
        first = make(0)
        self._at_first = self._reached(first, at_start=True)
        self._later = self._reached(first, at_start=False)
        self._tests = [(re.compile(atom, re.ASCII).fullmatch, places) for atom, places in self._atoms.items()]
        self._behind: dict[int, int] = {}
        self._readers: dict[str, int] = {}
        self._steps: dict[int, int] = {}

    def search(self, text: str) -> bool:
        here = self._at_first
        for character in text:
            if here & _FOUND:
                return True
            here = self._step(here & self._reading(character)) | self._later
        return here & (_FOUND | _FOUND_AT_END) != 0

    def _reading(self, character: str) -> int:
        """All places that read this character."""
        places = self._readers.get(character)
        if places is None:
            if len(self._readers) == _MOST_REMEMBERED:
                self._readers.clear()
            places = self._readers[character] = sum(of for test, of in self._tests if test(character))
        return places

    def _step(self, places: int) -> int:
        """Where a match can stand after a character that these places read."""
        after = self._steps.get(places)
        if after is None:
            if len(self._steps) == _MOST_REMEMBERED:
                self._steps.clear()
            after, left = 0, places
            while left:
                place = left.bit_length() - 1
                left ^= 1 << place
                if place not in self._behind:
                    self._behind[place] = self._reached(self._places[place - _FIRST_PLACE], at_start=False)
                after |= self._behind[place]
            self._steps[places] = after
        return after

    def _reached(self, node: int, at_start: bool) -> int:
        """The places that lie behind a node, without reading anything."""
        found, seen, todo = 0, set(), [(node, False)]
        while todo:
            step = number, at_end = todo.pop()
            if step in seen:
                continue
            seen.add(step)
            kind, following = self._nodes[number]
            if kind == _DONE:
                found |= _FOUND_AT_END if at_end else _FOUND
            elif kind == _READ:
                found |= 0 if at_end else 1 << following[0]
            elif kind != _AT_START or at_start:
                todo += [(behind, at_end or kind == _AT_END) for behind in following]
        return found

    # Reading the pattern. A part is kept as a function, since a counted repeat needs its nodes several times.

    def _choice(self) -> _Make:
        ways = [self._sequence()]
        while self._text[self._at : self._at + 1] == "|":
            self._at += 1
            ways.append(self._sequence())
        return ways[0] if len(ways) == 1 else lambda after: self._add(_FORK, *(way(after) for way in ways))

    def _sequence(self) -> _Make:
        parts: list[_Make] = []
        while (part := self._part()) is not None:
            parts.append(self._repeated(part))

        def make(after: int) -> int:
            for part in reversed(parts):
                after = part(after)
            return after

        return make

    def _part(self) -> _Make | None:
        if self._take(_GROUP):
            inside = self._choice()
            self._at += 1  # the bracket that closes it: Python has seen that there is one
            return inside
        if self._take(_START):
            return lambda after: self._add(_AT_START, after)
        if self._take(_END):
            return lambda after: self._add(_AT_END, after)
        if atom := self._take(_ATOM):
            return lambda after: self._read(atom[0], after)
        return None

    def _repeated(self, part: _Make) -> _Make:
        repeat = self._take(_REPEAT)
        if repeat is None:
            return part
        sign, low, comma, high = repeat.groups()
        least = {"*": 0, "+": 1, "?": 0}[sign] if sign else int(low or 0)
        most = {"*": None, "+": None, "?": 1}[sign] if sign else int(high) if high else None if comma else least

        def make(after: int) -> int:
            end = after
            if most is None:
                after = loop = self._add(_FORK)
                self._nodes[loop] = (_FORK, (part(loop), end))
            for _ in range(0 if most is None else most - least):
                after = self._add(_FORK, part(after), end)
            for _ in range(least):
                self._count()
                after = part(after)
            return after

        return make

    def _take(self, token: re.Pattern[str]) -> re.Match[str] | None:
        found = token.match(self._text, self._at)
        if found is not None:
            self._at = found.end()
        return found

    def _read(self, atom: str, after: int) -> int:
        place = len(self._places) + _FIRST_PLACE
        self._places.append(after)
        self._atoms[atom] = self._atoms.get(atom, 0) | 1 << place
        return self._add(_READ, place)

    def _add(self, kind: int, *following: int) -> int:
        self._count()
        self._nodes.append((kind, following))
        return len(self._nodes) - 1

    def _count(self) -> None:
        self._made += 1
        if self._made > 4 * _MOST_PLACES or len(self._places) > _MOST_PLACES:
            raise PatternError(f"more than {_MOST_PLACES} characters when its counted repeats are written out")
