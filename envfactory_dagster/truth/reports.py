"""Reading the report an agent sent: a report, or the sentence that tells the agent what to correct.

Belongs here: from arguments nobody has checked to a `Report`. Does not: the form itself (`contracts.reports`), what a
value means (`runtime.answer_values`), and whether the report is true (verifiers).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.domain import TaskKind
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report, ReportOutcome, finish_schema
from envfactory_dagster.runtime.answer_values import readings, same_answer, unreadable
from envfactory_dagster.runtime.json_schema import compile_schema

OUTCOME_OF: dict[TaskKind, ReportOutcome] = {
    "action": "done",
    "information": "done",
    "no_tool": "done",
    "refusal": "refused",
    "unable": "impossible",
}
"""What a report of a task of this kind says when it is right. `needs_information` is right for none of them: where a
person can be asked, it has to be asked."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why what was sent is no report, as an observation for the agent."""

    problem: str


def read_report(arguments: Mapping[str, Json], form: AnswerForm, rules: Collection[str]) -> Report | Unreadable:
    """Every problem is one sentence; nothing of an unreadable report counts. `compile_schema` bounds sizes and refuses
    what is not plain JSON."""
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


def alike(field: AnswerField, one: Json, other: Json) -> bool:
    """Whether two values that were reported may mean the same."""
    if one is None or other is None or not field.many:
        return one is other is None or _overlap(field, one, other)
    if not isinstance(one, list) or not isinstance(other, list) or len(one) != len(other):
        return False
    rest = list(other)
    for value in one:
        found = next((n for n, candidate in enumerate(rest) if _overlap(field, value, candidate)), None)
        if found is None:
            return False
        rest.pop(found)
    return True


def _overlap(field: AnswerField, one: Json, other: Json) -> bool:
    single = field.model_dump() | {"many": False}
    return one is not None and other is not None and bool(readings(single, one) & readings(single, other))


def same_report(form: AnswerForm, one: Report | None, other: Report | None) -> bool:
    """Whether two reports say the same, whatever their messages."""
    if one is None or other is None:
        return one is other
    if (one.outcome, one.reason) != (other.outcome, other.reason):
        return False
    return all(alike(field, one.answers.get(field.name), other.answers.get(field.name)) for field in form.fields)


def wrong_answers(form: AnswerForm, expected: Mapping[str, Json], report: Report) -> list[str]:
    """The fields of the form that a report answers otherwise than expected."""
    return [
        field.name
        for field in form.fields
        if not same_answer(field.model_dump(), expected.get(field.name), report.answers.get(field.name))
    ]
