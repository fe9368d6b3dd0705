"""The reserved tool that takes a report: its name, and its input schema for one task. Python's standard library only.

Belongs here: what an agent is shown of it. Does not: the report itself (`reports`), and reading one
(`runtime.report_reading`). The text is part of every bundle's `server.py` and `judge.py`; a field of an answer form is
the mapping that `AnswerField` dumps.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

FINISH = "finish"
FINISH_DESCRIPTION = (
    "Hand in your report, which ends the work. Call it once, by itself, when everything is done or cannot be done."
)
MOST_MESSAGE_CHARACTERS = 4_000
MOST_TEXT_CHARACTERS = 1_000
MOST_LISTED = 200


def finish_name(tools: Collection[str]) -> str:
    """What the reserved tool is called beside the tools of an environment, whose names stay as they are."""
    name = FINISH
    while name in tools:
        name += "_task"
    return name


def report_schema(fields: Sequence[Mapping[str, Any]], rules: Sequence[str]) -> dict[str, Any]:
    """The input schema of `finish` for one task."""
    answers: dict[str, Any] = {
        "type": "object",
        "properties": {field["name"]: _field_schema(field) for field in fields},
        "required": [field["name"] for field in fields],
        "additionalProperties": False,
        "description": "What the person asked to be told. Give null for a field that is not due.",
    }
    return {
        "type": "object",
        "properties": {
            "outcome": {
                "enum": ["done", "refused", "impossible", "needs_information"],
                "description": "done: everything asked for is done and told; refused: a rule forbids it; impossible: "
                "no tool can do it or it is not there; needs_information: something only the person knows is missing.",
            },
            "answers": answers,
            "reason": {
                "enum": [*rules, None],
                "description": "The id of the rule that forbids it when the outcome is refused, otherwise null.",
            },
            "message": {
                "type": "string",
                "minLength": 1,
                "maxLength": MOST_MESSAGE_CHARACTERS,
                "description": "What the person reads.",
            },
        },
        "required": ["outcome", "answers", "reason", "message"],
        "additionalProperties": False,
    }


_JSON_TYPES: dict[str, list[str]] = {
    "integer": ["integer", "string"],
    "number": ["number", "string"],
    "money": ["number", "string"],
    "date": ["string"],
    "time": ["string"],
    "duration": ["number", "string"],
    "text": ["string"],
    "yes_no": ["boolean", "string"],
    "choice": ["string"],
}

_ANSWER_FORMATS: dict[str, str] = {
    "integer": "a whole number",
    "number": "a number",
    "date": "a date such as 2026-03-14",
    "time": "a time of day such as 18:30",
    "text": "a short text",
    "yes_no": "true or false",
}


def _field_schema(field: Mapping[str, Any]) -> dict[str, Any]:
    one: dict[str, Any] = {"type": [*_JSON_TYPES[field["type"]], "null"]}
    if "string" in _JSON_TYPES[field["type"]]:
        one["maxLength"] = MOST_TEXT_CHARACTERS
    description = f"{field['description']} ({_format_of(field)})"
    if not field["many"]:
        return one | {"description": description}
    listed = "listed in this order" if field["ordered"] else "listed"
    items = one | {"type": _JSON_TYPES[field["type"]]}
    return {
        "type": ["array", "null"],
        "items": items,
        "maxItems": MOST_LISTED,
        "description": f"{description}, {listed}",
    }


def _format_of(field: Mapping[str, Any]) -> str:
    if field["type"] == "money":
        return f"an amount of money in {field['unit']}, such as 12.50"
    if field["type"] == "duration":
        return f"a number of {field['unit']}"
    if field["type"] == "choice":
        return f"one of: {', '.join(field['choices'])}"
    described = _ANSWER_FORMATS[field["type"]]
    return f"{described}, in {field['unit']}" if field["unit"] else described
