"""Reading the report an agent sent: a report, or the sentence that tells the agent what to correct.

Belongs here: from arguments nobody has checked to a `Report`, and the reserved tool as MCP lists it. Does not: the form
itself (`contracts.reports`), what a value means (`answer_values`), and whether the report is true (verifiers).
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report, finish_name, finish_schema
from envfactory_dagster.runtime.answer_values import readings, unreadable
from envfactory_dagster.runtime.json_schema import compile_schema

FINISH_DESCRIPTION = (
    "Hand in your report, which ends the work. Call it once, by itself, when everything is done or cannot be done."
)
TAKEN: Json = {"report": "taken"}
"""What an agent is told whose report can be read."""


def finish_as_mcp(bundle: Bundle, form: AnswerForm) -> dict[str, Any]:
    """The reserved tool of one task, as `tools/list` shows it."""
    return {
        "name": finish_name({tool.name for tool in bundle.tools}),
        "description": FINISH_DESCRIPTION,
        "inputSchema": finish_schema(form, [rule.id for rule in bundle.theme.rules]),
        "outputSchema": {"type": "object", "properties": {"report": {"const": "taken"}}, "required": ["report"]},
        "annotations": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False},
    }


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why what was sent is no report, as an observation for the agent."""

    problem: str


def read_report(arguments: Mapping[str, Json], form: AnswerForm, rules: Collection[str]) -> Report | Unreadable:
    """Every problem is one sentence; nothing of an unreadable report counts. `compile_schema` bounds sizes and refuses
    what is not plain JSON."""
    arguments = _tidied(arguments, form)
    problem = compile_schema(finish_schema(form, sorted(rules)))(dict(arguments))
    if problem is not None:
        return Unreadable(problem)
    outcome, reason, message = arguments["outcome"], arguments["reason"], str(arguments["message"]).strip()
    if not message:
        return Unreadable("arguments.message: the person is told nothing")
    if outcome == "refused" and reason is None:
        return Unreadable("arguments.reason: a refused request names the rule that forbids it")
    if outcome != "refused" and reason is not None:
        return Unreadable(f"arguments.reason: only a refused request names a rule, and the outcome is {outcome}")
    answers = arguments["answers"]
    assert isinstance(answers, dict)
    for field in form.fields:
        if why := unreadable(field.model_dump(), answers[field.name]):
            return Unreadable(f"arguments.answers: {why}")
    return Report.model_validate({"outcome": outcome, "answers": answers, "reason": reason, "message": message})


_NOT_GIVEN = frozenset(("", "-", "–", "—", "n/a", "null", "not applicable"))


def _tidied(arguments: Mapping[str, Json], form: AnswerForm) -> Mapping[str, Json]:
    """The answers in the types that the schema asks for, where it is plain what they are: a list as one text, a number
    in a text field, a whole number with a decimal point, `n/a` for what is not given."""
    answers = arguments.get("answers")
    if not isinstance(answers, dict):
        return arguments
    fields = {field.name: field for field in form.fields}
    tidied = {name: _tidied_value(fields[name], value) if name in fields else value for name, value in answers.items()}
    return {**arguments, "answers": tidied}


def _is_not_given(field: AnswerField, text: str) -> bool:
    """`none` is nothing of a name or a day, and a number of anything that is counted."""
    named = field.type in ("text", "choice", "date", "time", "yes_no") and text in ("none", "nothing", "not due")
    return text in _NOT_GIVEN or text.startswith("n/a") or (named and "none" not in map(str.casefold, field.choices))


def _tidied_value(field: AnswerField, value: Json) -> Json:
    single = field.model_copy(update={"many": False, "ordered": False})
    if isinstance(value, str) and value.strip().casefold() in map(str.casefold, field.choices):
        return [value] if field.many else value
    if isinstance(value, str) and _is_not_given(field, value.strip().casefold()):
        return None
    if field.many and isinstance(value, str) and field.type != "text" and readings(single.model_dump(), value):
        return [value]
    if field.many and isinstance(value, str):
        apart = r"[;\n]" if field.type == "text" else r"[;\n]|,\s+|\band\b"
        return [part.strip() for part in re.split(apart, value) if part.strip()]
    if field.many and isinstance(value, list):
        return [_tidied_value(single, one) for one in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if field.type in ("choice", "text") and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value
