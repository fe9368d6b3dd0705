"""Comparing reports: with what a task of some kind is to report, and with each other.

Belongs here: outcomes by kind of task, and when two reports say the same. Does not: reading one (`runtime.reports`),
what a value means (`runtime.answer_values`), and whether a report is true (verifiers).
"""

from collections.abc import Mapping

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.domain import TaskKind
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report, ReportOutcome
from envfactory_dagster.runtime import answer_values
from envfactory_dagster.runtime.answer_values import same_answer

OUTCOME_OF: dict[TaskKind, ReportOutcome] = {
    "action": "done",
    "information": "done",
    "no_tool": "done",
    "refusal": "refused",
    "unable": "impossible",
    "underspecified": "needs_information",
}
"""What a report of a task of this kind says when it is right. `needs_information` is right only where nobody can be
asked: a person has to be asked."""


def alike(field: AnswerField, one: Json, other: Json) -> bool:
    """Whether two values that were reported may mean the same."""
    return answer_values.alike(field.model_dump(), one, other)


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
