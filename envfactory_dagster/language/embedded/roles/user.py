"""The embedded person: brings up what it wants part by part, says a detail again when asked, and stops.

Belongs here: one message of the simulated user, from what it was told and what was said. Does not: the assistant
(`solver`).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from envfactory_dagster.language.embedded.roles.request import parts
from envfactory_dagster.language.embedded.roles.words import stems

SCHEMA = "simulated_user"
_BLOCK = re.compile(r"```json[^\n]*\n(.*?)\n?```", re.DOTALL)
_QUESTION = re.compile(r"\?\s*$")
_MOST_ASKED_BACK = 2


def goal_of(messages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """What a chat says that its person knows; None when no person is to be played."""
    for message in messages:
        if message.get("role") == "system" and isinstance(message.get("content"), str):
            block = _BLOCK.search(message["content"])
            told = _json(block[1]) if block else None
            if isinstance(told, dict) and told.get("schema") == SCHEMA and isinstance(told.get("context"), dict):
                return dict(told["context"])
    return None


def speak(messages: Sequence[Mapping[str, Any]], goal: Mapping[str, Any]) -> dict[str, Any]:
    """The next message of the person."""
    said = [str(message.get("content") or "") for message in messages if message.get("role") == "assistant"]
    heard = [str(message.get("content") or "") for message in messages if message.get("role") == "user"]
    turns = [one for one in goal.get("turns") or [] if isinstance(one, dict)]
    requests = [_brought_up(str(one.get("goal"))) for one in turns if one.get("when") != "asked"]
    kept = [str(one) for one in goal.get("answers") or []]
    kept += [_brought_up(str(one.get("goal"))) for one in turns if one.get("when") == "asked"]
    todo = requests or [part.text for part in parts(str(goal.get("goal", "")), str(goal.get("now", "")))]
    brought_up = sum(any(wish in one for one in said) for wish in todo)
    questions = sum(_QUESTION.search(one) is not None for one in heard)
    if heard and _QUESTION.search(heard[-1]) and said:
        answer = _answer(heard[-1], kept, said)
        if answer is not None:
            return _message(answer)
        if questions <= _MOST_ASKED_BACK + 1:
            return _message(f"Yes, please: {todo[brought_up - 1]}." if brought_up else "Yes, please.")
    if brought_up >= len(todo):
        return _message(str(goal.get("stop", "")))
    return _message(todo[brought_up] if requests else _sentence(todo[brought_up], first=brought_up == 0))


def _answer(question: str, answers: Sequence[str], said: Sequence[str]) -> str | None:
    """What has been kept back and was not said yet: that which has most words in common with the question, of equals
    the last. Details of what was said come before a value that was left out, and it is values that are asked for."""
    left = [answer for answer in answers if not any(answer in one for one in said)]
    asked = set(stems(question))
    return max(reversed(left), key=lambda answer: len(asked & set(stems(answer))), default=None)


def _brought_up(goal: str) -> str:
    return goal if goal.endswith((".", "?", "!")) else f"Please {goal}."


def _sentence(wish: str, first: bool) -> str:
    return f"Hello! Please {wish}." if first else f"Thank you. Next, please {wish}."


def _message(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def _json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
