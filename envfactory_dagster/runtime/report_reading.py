"""Reading the report an agent sent: its plain values, or the sentence that tells the agent what to correct.

Belongs here: from arguments nobody has checked to a report. Does not: the form itself, what a value means
(`answer_values`), and whether the report is true (verifiers). Python's standard library only: the text is part of every
bundle's `judge.py`; a field of an answer form is the mapping that `AnswerField` dumps.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from envfactory_dagster.contracts.finish_tool import report_schema
from envfactory_dagster.runtime.answer_values import Field, readings, unreadable
from envfactory_dagster.runtime.json_schema import compile_schema


def report_of(arguments: Mapping[str, Any], fields: Sequence[Field], rules: Collection[str]) -> dict[str, Any] | str:
    """Every problem is one sentence; nothing of an unreadable report counts. `compile_schema` bounds sizes and refuses
    what is not plain JSON."""
    arguments = _tidied(arguments, fields)
    problem = compile_schema(report_schema(fields, sorted(rules)))(dict(arguments))
    if problem is not None:
        return problem
    outcome, reason, message = arguments["outcome"], arguments["reason"], str(arguments["message"]).strip()
    if not any(map(str.isalnum, message)):
        return "arguments.message: the person is told nothing"
    if outcome == "refused" and reason is None:
        return "arguments.reason: a refused request names the rule that forbids it"
    if outcome != "refused" and reason is not None:
        return f"arguments.reason: only a refused request names a rule, and the outcome is {outcome}"
    answers = arguments["answers"]
    assert isinstance(answers, dict)
    for field in fields:
        if why := unreadable(field, answers[field["name"]]):
            return f"arguments.answers: {why}"
    return {"outcome": outcome, "answers": answers, "reason": reason, "message": message}


_NOT_GIVEN = frozenset(("", "-", "–", "—", "n/a", "null", "not applicable"))


def _tidied(arguments: Mapping[str, Any], fields: Sequence[Field]) -> Mapping[str, Any]:
    """The answers in the types that the schema asks for, where it is plain what they are: a list as one text, a number
    in a text field, a whole number with a decimal point, `n/a` for what is not given."""
    answers = arguments.get("answers")
    if not isinstance(answers, dict):
        return arguments
    named = {field["name"]: field for field in fields}
    tidied = {name: _tidied_value(named[name], value) if name in named else value for name, value in answers.items()}
    return {**arguments, "answers": tidied}


def _is_not_given(field: Field, text: str) -> bool:
    """`none` is nothing of a name or a day, and a number of anything that is counted."""
    named = field["type"] in ("text", "choice", "date", "time", "yes_no") and text in ("none", "nothing", "not due")
    return text in _NOT_GIVEN or text.startswith("n/a") or (named and "none" not in map(str.casefold, field["choices"]))


def _tidied_value(field: Field, value: Any) -> Any:
    single = {**field, "many": False, "ordered": False}
    if isinstance(value, str) and value.strip().casefold() in map(str.casefold, field["choices"]):
        return [value] if field["many"] else value
    if isinstance(value, str) and _is_not_given(field, value.strip().casefold()):
        return None
    if field["many"] and isinstance(value, str) and field["type"] != "text" and readings(single, value):
        return [value]
    if field["many"] and isinstance(value, str):
        apart = r"[;\n]" if field["type"] == "text" else r"[;\n]|,\s+|\band\b"
        return [part.strip() for part in re.split(apart, value) if part.strip()]
    if field["many"] and isinstance(value, list):
        return [_tidied_value(single, one) for one in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if field["type"] in ("choice", "text") and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value
