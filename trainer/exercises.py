"""Exercises for a policy from scratch: short conversations about nothing, in words drawn by lot.

Belongs here: conversations in which a tool has to be found by its name, a row by one of its values, and a value to be
copied. Does not: episodes of environments (`examples`), or the same ones in other words (`rewording`).

Who cannot find and copy yet learns it in conversations of a hundred tokens sooner than in episodes of four hundred. No
environment is in them: what it is good for, and which verbs do what, is left to be learned.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from trainer.failures import RecipeError
from trainer.rewording import name_words

_SYSTEM: dict[str, Any] = {"role": "system", "content": "It is 2026-01-01T09:00:00 now."}
_VERBS = ("list", "search", "find")
_CHANGES = ("book", "cancel", "open", "start", "move", "close", "submit", "withdraw", "rename", "order")
WORDS = 24
"""Of one exercise, at most."""
_INVENTED = 0.25
"""Of the words, so many are in no environment: put together from the beginning of one and the end of another."""


def exercises(rows: Sequence[Mapping[str, Any]], number: int, seed: int) -> Iterator[dict[str, Any]]:
    """So many, with the words that the names in these rows consist of."""
    words = sorted({word for row in rows for word in name_words(row["tools"])}) if number else []
    if number and len(words) < WORDS:
        raise RecipeError(f"Exercises need {WORDS} different words in the names of tools; there are {len(words)}.")
    chance = Random(seed)
    for _ in range(number):
        yield _Exercise(words, chance).row()


class _Exercise:
    """Things with some fields each, tools that list them, and tools that do something with one of them."""

    def __init__(self, words: Sequence[str], chance: Random) -> None:
        self._chance = chance
        known = chance.sample(list(words), WORDS)
        self._drawn = [
            word[: (len(word) + 1) // 2] + other[len(other) // 2 :] if chance.random() < _INVENTED else word
            for word, other in zip(known, reversed(known), strict=True)
        ]
        self._words = iter(self._drawn)
        self._things = [self._name() for _ in range(chance.randint(1, 3))]
        self._change = chance.choice(_CHANGES)

    def row(self) -> dict[str, Any]:
        chance, thing = self._chance, self._things[0]
        listing, changing = f"{chance.choice(_VERBS)}_{thing}s", f"{self._change}_{thing}"
        fields = ["name", *(self._name() for _ in range(chance.randint(1, 3)))]
        ids = chance.sample(range(1, 16), chance.randint(2, 4))
        found = [{"id": one} | {name: self._value(name) for name in fields} for one in ids]
        meant, asked = chance.choice(found), chance.choice(fields[1:])
        messages = [_call(listing, {}), _result({f"{thing}s": found})]
        if chance.random() < 0.5:
            text = f"Please tell me the {_said(asked)} of the {_said(thing)} “{meant['name']}”."
            messages += [_says(f"{_said(asked)}: {meant[asked]}")]
        else:
            arguments = {f"{thing}_id": meant["id"]}
            text = f"Please {self._change} the {_said(thing)} “{meant['name']}”"
            if chance.random() < 0.5:
                arguments[asked] = self._value()
                text += f", with {_said(asked)} {arguments[asked]}"
            text += "."
            messages += [_call(changing, arguments), _result(arguments), _says("It is done.")]
        asks = {"role": "user", "content": text}
        return {"tools": self._tools(listing, changing, asked), "messages": [_SYSTEM, asks, *messages]}

    def _name(self) -> str:
        return "_".join(next(self._words) for _ in range(self._chance.choice((1, 1, 2))))

    def _value(self, name: str = "") -> Any:
        chance = self._chance
        if name == "name" or chance.random() < 0.3:
            return " ".join(chance.choices(self._drawn, k=chance.randint(1, 2))).capitalize()
        if chance.random() < 0.6:
            return chance.choice((chance.randrange(1, 100), chance.randrange(20, 1000) * 5))
        return f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"

    def _tools(self, listing: str, changing: str, asked: str) -> list[dict[str, Any]]:
        chance, thing = self._chance, self._things[0]
        tools = [_tool(listing), _tool(changing, f"{thing}_id", asked)]
        tools += [_tool(f"{chance.choice(_VERBS)}_{other}s") for other in self._things[1:]]
        others = [verb for verb in _CHANGES if verb != self._change]
        tools += [_tool(f"{chance.choice(others)}_{one}", f"{one}_id") for one in self._things]
        chance.shuffle(tools)
        return tools


def _said(name: str) -> str:
    return name.replace("_", " ")


def _tool(name: str, *parameters: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {one: {} for one in parameters}, "required": list(parameters[:1])}
    return {"type": "function", "function": {"name": name, "parameters": schema}}


def _call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


def _result(found: Mapping[str, Any]) -> dict[str, Any]:
    return {"role": "tool", "content": json.dumps(found, separators=(",", ":")), "tool_call_id": "c"}


def _says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}
