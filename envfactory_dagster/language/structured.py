"""Questions that are answered by JSON of a given shape: writing them, and reading the answers.

Every prompt has the same form: the instructions with the answer's JSON Schema; one user message that holds the
schema's name and the typed context as one JSON block; then the earlier attempts and what was wrong with them.
Belongs here: that form, and strict reading. Does not: instructions (`authoring`), or the way to the model (`exchange`).
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.text_bounds import beyond_bounds
from envfactory_dagster.language import thoughts
from envfactory_dagster.language.messages import Message

M = TypeVar("M", bound=BaseModel)

SNIPPET_CHARS = 160
PROBLEMS_SHOWN = 8
MOST_BROKEN = 20
"""Objects in an answer that are no JSON."""

_BEGINNING = re.compile(
    rf"{thoughts.PATTERN}|(?P<end>{thoughts.END})|^[ \t]*```[a-zA-Z]*\s*(?=\{{)|(?=\{{\s*\")", re.DOTALL | re.MULTILINE
)
"""Of a thought, of what follows a thought that began in the prompt, of an object in a code fence, or of an object in
prose, which may well hold `{}`."""
_AFTER_BROKEN = re.compile(rf"^[ \t]*```|{thoughts.END}", re.MULTILINE)
"""Where reading goes on after a broken object. Only a fence at the beginning of a line: one in the middle of a line may
be part of a string, in which no line begins."""


class UnreadableAnswer(ValueError):
    """An answer that cannot be read. The message tells its author what to change."""


def question(
    *,
    schema_name: str,
    answer: type[BaseModel],
    instructions: str,
    context: Mapping[str, Json],
    conversation: Sequence[Message],
) -> list[dict[str, Any]]:
    """The messages of a structured question."""
    schema = orjson.dumps(_schema(answer)).decode()
    system = (
        f"{instructions.strip()}\n\n"
        f"Answer with one JSON object and nothing else. It must match this JSON Schema, named {schema_name}:\n{schema}"
    )
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": context_block(schema_name, context)},
        *(dict(message) for message in conversation),
    ]


def context_block(schema_name: str, context: Mapping[str, Json]) -> str:
    """The fenced JSON block. Backticks inside are escaped, so that the fence ends where the block ends."""
    block = orjson.dumps({"schema": schema_name, "context": dict(context)}).decode().replace("`", "\\u0060")
    return f"```json\n{block}\n```"


def response_format(schema_name: str, answer: type[BaseModel]) -> dict[str, Any]:
    """Not `strict`: that mode has no optional fields and no free-form objects; Pydantic judges the answer anyway."""
    return {
        "type": "json_schema",
        "json_schema": {"name": schema_name, "schema": _schema(answer), "strict": False},
    }


@lru_cache(maxsize=256)
def _schema(answer: type[BaseModel]) -> dict[str, Any]:
    return answer.model_json_schema()


def read(text: str, answer: type[M]) -> M:
    """The value that the text is, or else the last JSON object in it that has a field of the answer. Prose, code fences
    and thoughts around the object are forgiven, nothing inside it is."""
    text = _within_bounds(text)
    try:
        return _storable(answer.model_validate_json(text, strict=True))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] != "json_invalid" or first["loc"]:
            raise UnreadableAnswer(_shape_problem(error)) from None
    found = _objects(text)
    fields = answer.model_fields.keys()
    last = next((one for one, value in reversed(found) if fields & value.keys()), found[-1][0])
    try:
        return _storable(answer.model_validate_json(last, strict=True))
    except ValidationError as error:
        raise UnreadableAnswer(_shape_problem(error)) from None


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that the text is, or else the last one in it, whatever its shape."""
    text = _within_bounds(text)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        _, found = _objects(text)[-1]
    if not isinstance(found, dict):
        raise UnreadableAnswer("The answer holds no JSON object.")
    return found


def _storable(value: M) -> M:
    """The same: what can be parsed and not be written again would stop whoever keeps it."""
    try:
        orjson.dumps(value.model_dump(mode="json"))
    except TypeError as error:
        raise UnreadableAnswer(f"The answer cannot be kept: {error}. Write smaller numbers and fewer levels.") from None
    return value


def _within_bounds(text: str) -> str:
    """The answer, without its thoughts where these make it too long to be parsed."""
    if beyond_bounds(text) is None:
        return text
    without, _ = thoughts.split(text)
    if (too_much := beyond_bounds(without)) is not None:
        raise UnreadableAnswer(f"The answer is not read: {too_much}. Answer more briefly.")
    return without


def misfit(value: Mapping[str, Json], wanted: type[BaseModel]) -> str:
    """What keeps a part of an answer from being what was asked for; empty when nothing does."""
    try:
        wanted.model_validate_json(json.dumps(dict(value)), strict=True)
    except ValidationError as error:
        return _shape_problem(error)
    return ""


def _objects(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The JSON objects that stand in the text, outside of thoughts and of each other, as text and as values. Where a
    broken one ends cannot be told, so what follows it is passed over up to the next code fence or the end of a thought.
    The last one must not be broken."""
    found, problem, place, broken = list[tuple[str, dict[str, Any]]](), "", 0, 0
    while beginning := _BEGINNING.search(text, place):
        place = start = beginning.end()
        if beginning["thought"] is not None:
            continue
        if beginning["end"] is not None:
            found, problem = [], ""
            continue
        try:
            value, place = json.JSONDecoder().raw_decode(text, start)
            found.append((text[start:place], value))
            problem = ""
        except (ValueError, RecursionError) as error:
            problem, broken = _syntax_problem(text, error), broken + 1
            if broken == MOST_BROKEN:  # telling where each is broken means counting all lines before it
                break
            after = _AFTER_BROKEN.search(text, start)
            place = after.start() if after else len(text)
    if found and not problem:
        return found
    raise UnreadableAnswer(problem or f"The answer holds no JSON object. It begins: {_shorten(text.strip())}")


def _syntax_problem(text: str, error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "The answer cannot be read: its JSON is nested too deeply."
    if not isinstance(error, json.JSONDecodeError):
        return "The answer cannot be read: it holds a number of too many digits."
    around = text[max(0, error.pos - SNIPPET_CHARS // 2) : error.pos + SNIPPET_CHARS // 2]
    return f"The answer is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}, near: {around}"


def _shape_problem(error: ValidationError) -> str:
    problems = error.errors(include_url=False)
    lines = [
        f"- {'.'.join(map(str, p['loc'])) or 'the answer'}: {p['msg']}, got {_shorten(_as_json(p['input']))}"
        for p in problems[:PROBLEMS_SHOWN]
    ]
    if len(problems) > PROBLEMS_SHOWN:
        lines.append(f"- and {len(problems) - PROBLEMS_SHOWN} more")
    return "The answer is JSON but not of the shape the schema asks for:\n" + "\n".join(lines)


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _shorten(text: str) -> str:
    return text if len(text) <= SNIPPET_CHARS else text[:SNIPPET_CHARS] + "…"
