"""Exercises for a policy from scratch: short conversations about nothing, in words drawn by lot.

Belongs here: conversations in which a tool has to be found by its name, a row by one of its values, and a value to be
copied. Does not: episodes of environments (`examples`), or the same ones in other words (`rewording`).

Who cannot find and copy yet learns it where there is little else: first with a row or two of short words that it knows,
in the end with rows like those of environments and words it has never seen. Several requests are about the same rows,
since reading them is most of the work. No environment is in them: what it is good for, and which verbs do what, is
left to be learned.
"""

import json
from collections.abc import Mapping, Sequence
from random import Random
from string import ascii_uppercase
from typing import Any

from trainer.failures import RecipeError
from trainer.instants import in_prose
from trainer.plurals import plural, singular
from trainer.rewording import name_words

_SYSTEM: dict[str, Any] = {"role": "system", "content": "It is 2026-01-01T09:00:00 now."}
_LISTS = ("list", "list_my", "search", "find")
_CHANGES = ("book", "cancel", "open", "start", "move", "close", "submit", "withdraw", "rename", "order")
WORDS = 28
"""Different ones, at least, that exercises are made of."""
_EASY = 0.25
"""Harder than that, a policy that knows nothing learns nothing."""
_NAMED_LATE = 0.3
"""So often the name of a row may stand anywhere in it."""
_PIECES = (2, 2, 3)
"""Of so many pieces, of two to four letters, a word is put together that is in no environment."""


class Exercises:
    """In the words that the names in these rows consist of. The same every time, from the same seed."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], seed: int) -> None:
        self._words = sorted({word for row in rows for word in name_words(row["tools"])} - {"name"})
        if len(self._words) < WORDS:
            raise RecipeError(
                f"Exercises need {WORDS} different words in the names of tools; there are {len(self._words)}."
            )
        self._chance = Random(seed)

    def another(self, done: float) -> dict[str, Any]:
        """`done`: how much of its time for exercises a policy has behind it, from 0 to 1. The first half is easy."""
        return _Exercise(self._words, max(_EASY, 1.5 * done - 0.5), self._chance).row()


class _Exercise:
    """A thing with some fields, a tool that lists it, one that does something with it, later one that tells more of it,
    and tools that have to be told from these. `hard`: up to 1."""

    def __init__(self, words: Sequence[str], hard: float, chance: Random) -> None:
        self._words, self._hard, self._chance = words, hard, chance
        self._invented = hard / 2
        self._two_words = min(0.4, 0.8 * hard)
        self._drawn = list[str]()
        while len(self._drawn) < WORDS:
            self._drawn += [word for word in (self._word(),) if word not in self._drawn]
        self._things = [self._name() for _ in range(self._most(3))]
        self._verb = self._another_verb()
        self._fields = [self._name() for _ in range(self._most(6))]
        self._more = self._name()
        """What only another tool tells: of the thing itself, or of something that belongs to it."""
        self._belongs = self._name() if chance.random() < 0.5 else None
        self._joined = self._name() if chance.random() < hard / 2 else None
        """Something else that each row is said to be of."""
        self._shown = dict[int, dict[str, Any]]()
        self._closer = self._closer_name()

    def row(self) -> dict[str, Any]:
        chance, thing = self._chance, self._things[0]
        listing = f"{chance.choice(_LISTS)}_{plural(thing)}"
        named = "name" if chance.random() < 0.6 else f"{self._fields[0]}_name"
        found = self._rows(named)
        shown = _result({plural(thing): found})
        messages = list[dict[str, Any]]()
        for _ in range(max(2, self._most(4))):
            asks, *more = self._request(chance.choice(found), found, named, known=bool(messages))
            first = [] if messages else [_call(listing, {}), shown]
            messages += [asks, *first, *more]
        return {"tools": self._tools(listing), "messages": [_SYSTEM, *messages]}

    def _request(
        self, meant: dict[str, Any], found: Sequence[dict[str, Any]], named: str, *, known: bool
    ) -> list[dict[str, Any]]:
        """What is asked about a row, and what is done once the rows are known. Before that, nobody can tell which of
        its fields only another tool tells."""
        kind = self._chance.random()
        if kind < 0.5:
            return self._told([meant, self._chance.choice(found)] if kind < self._hard / 5 else [meant], found, named)
        if self._hard > _EASY and kind > 1 - self._hard / 4 and (known or self._belongs):
            return self._told_more(meant, self._which(meant, found, named))
        return self._done(meant, self._which(meant, found, named))

    def _told(
        self, rows: Sequence[dict[str, Any]], found: Sequence[dict[str, Any]], named: str
    ) -> list[dict[str, Any]]:
        fields = self._chance.sample(self._fields, min(len(rows), len(self._fields)))  # nothing is asked twice
        asked = list(zip(fields, rows, strict=False))
        wanted = [f"tell me the {_said(field)} of the {self._which(row, found, named, field)}." for field, row in asked]
        answers = [f"{_said(field)}: {row[field]}" for field, row in asked]
        return [_asks(f"Please {' Finally, '.join(wanted)}"), _says("; ".join(answers))]

    def _told_more(self, meant: Mapping[str, Any], which: str) -> list[dict[str, Any]]:
        thing, field = self._things[0], _said(self._more)
        of = f"{_said(self._belongs)} of the {which}" if self._belongs else which
        if meant["id"] not in self._shown:
            one = self._chance.randrange(1, 16) if self._belongs else meant["id"]
            self._shown[meant["id"]] = {"id": one, self._more: self._value([])}
        row = self._shown[meant["id"]]
        shown = {plural(self._belongs): [row]} if self._belongs else {thing: row}
        called = [_call(self._closer, {f"{thing}_id": meant["id"]}), _result(shown)]
        return [_asks(f"Please tell me the {field} of the {of}."), *called, _says(f"{field}: {row[self._more]}")]

    def _done(self, meant: dict[str, Any], which: str) -> list[dict[str, Any]]:
        chance, thing = self._chance, self._things[0]
        arguments, more = {f"{thing}_id": meant["id"]}, ""
        if chance.random() < self._hard / 2:
            arguments[self._fields[-1]] = meant[self._fields[-1]] = value = self._value([])
            more = f", with {_said(self._fields[-1])} {_asked(value)}"
        done = [_call(f"{self._verb}_{thing}", arguments), _result({"ok": 1}), _says("It is done.")]
        return [_asks(f"Please {_said(self._verb)} the {which}{more}."), *done]

    def _which(
        self, meant: Mapping[str, Any], found: Sequence[Mapping[str, Any]], named: str, asked: str | None = None
    ) -> str:
        """What it is called, or now and then another value that no other row has, and that is not asked for."""
        thing, by = _said(self._things[0]), self._chance.choice(self._fields)
        lasting = by in self._fields[:-1]
        if lasting and _only(by, meant, found) and by != asked and self._chance.random() < self._hard / 3:
            return f"{thing} with {_said(by)} {_asked(meant[by])}"
        if self._joined and _only(f"{self._joined}_name", meant, found) and self._chance.random() < self._hard / 2:
            return f"{thing} of the {_said(self._joined)} “{meant[f'{self._joined}_name']}”"
        return f"{thing} “{meant[named]}”"

    def _rows(self, named: str) -> list[dict[str, Any]]:
        """Each with another id and another text to be known by, the fields in one order."""
        chance, number = self._chance, self._most(6)
        fields = chance.sample(self._fields, len(self._fields))
        # Mostly the name comes first, as in environments: who reads a value knows already whose it is.
        fields.insert(chance.randint(0, len(fields)) if chance.random() < _NAMED_LATE else 0, named)
        fields += [f"{self._joined}_name"] if self._joined else []
        names = list[str]()
        while len(names) < number:
            names += [name for name in (self._text(),) if name not in names]
        return [
            {"id": one} | {field: name if field == named else self._of_field(field, names) for field in fields}
            for one, name in zip(chance.sample(range(1, 16), number), names, strict=True)
        ]

    def _tools(self, listing: str) -> list[dict[str, Any]]:
        chance, thing = self._chance, self._things[0]
        tools = {}
        for other in chance.choices(self._things, k=self._most(5) - 1):
            name = f"{self._another_verb()}_{other}"
            tools[name] = _tool(name, f"{other}_id")
        for other in self._things[1:]:
            name = f"{chance.choice(_LISTS)}_{plural(other)}"
            tools[name] = _tool(name)
        tools[listing] = _tool(listing)
        if self._hard > _EASY:
            tools[self._closer] = _tool(self._closer, f"{thing}_id")
        tools[f"{self._verb}_{thing}"] = _tool(f"{self._verb}_{thing}", f"{thing}_id", self._fields[-1])
        return chance.sample(list(tools.values()), len(tools))

    def _closer_name(self) -> str:
        """It may be named after the thing as well, and still is not the tool that lists it."""
        thing = self._things[0]
        if self._belongs is None:
            return f"get_{thing}"
        return f"{self._chance.choice(_LISTS)}_{plural(self._belongs)}" + self._chance.choice(("", f"_of_{thing}"))

    def _most(self, number: int) -> int:
        """One at first, up to so many in the end."""
        return self._chance.randint(1, 1 + round((number - 1) * self._hard))

    def _another_verb(self) -> str:
        verb = self._chance.choice(_CHANGES) if self._chance.random() < 0.5 else self._word()
        return verb if verb not in ("get", *_LISTS) else self._another_verb()  # those tell

    def _name(self) -> str:
        """Of a thing or a field: each word belongs to one only."""
        words = [self._drawn.pop()]
        if self._chance.random() < self._two_words:
            words.append(self._drawn.pop())
        return "_".join(words)

    def _text(self) -> str:
        number = 1 + (self._chance.random() < 0.2 + self._two_words)
        return " ".join(self._chance.choices(self._drawn, k=number)).capitalize()

    def _of_field(self, field: str, names: Sequence[str]) -> Any:
        if self._joined is None or field != f"{self._joined}_name":
            return self._value(names)
        text = self._text()
        return text if text not in names else self._of_field(field, names)

    def _value(self, names: Sequence[str]) -> Any:
        """None of those that rows are known by."""
        chance = self._chance
        if chance.random() < 0.3 and (text := self._text()) not in names:
            return text
        if chance.random() < self._hard / 2:
            return chance.choice((self._code, self._measured, self._instant))()
        if chance.random() < 0.6:
            return chance.choice((chance.randrange(1, 100), chance.randrange(20, 1000) * 5))
        return f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"

    def _code(self) -> str:
        letters = "".join(self._chance.choices(ascii_uppercase, k=self._chance.randint(1, 3)))
        return f"{letters}-{self._chance.randrange(10_000)}"

    def _measured(self) -> float:
        return self._chance.randrange(10_000) / 10

    def _instant(self) -> str:
        chance = self._chance
        day = f"{chance.randint(2025, 2026)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        return f"{day}T{chance.randrange(24):02}:{chance.randrange(60):02}:00"

    def _word(self) -> str:
        """One that has a plural, which is another word."""
        word = self._any_word()
        return word if singular(word) == word == singular(plural(word)) else self._word()

    def _any_word(self) -> str:
        chance = self._chance
        if chance.random() >= self._invented:
            return chance.choice(self._words)
        pieces = list[str]()
        for word in chance.choices(self._words, k=chance.choice(_PIECES)):
            begin = chance.randrange(max(1, len(word) - 2))
            pieces.append(word[begin : begin + chance.randint(2, 4)])
        return "".join(pieces)


def _only(field: str, meant: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> bool:
    """Whether no other row has its value there."""
    return [row[field] for row in found].count(meant[field]) == 1


def _asked(value: Any) -> Any:
    return (in_prose(value) if isinstance(value, str) else None) or value


def _said(name: str) -> str:
    return name.replace("_", " ")


def _tool(name: str, *parameters: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {one: {} for one in parameters}, "required": list(parameters[:1])}
    return {"type": "function", "function": {"name": name, "parameters": schema}}


def _asks(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def _call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


def _result(found: Mapping[str, Any]) -> dict[str, Any]:
    return {"role": "tool", "content": json.dumps(found, separators=(",", ":")), "tool_call_id": "c"}


def _says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}
