"""Reports for tests."""

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, AnswerType, Report, ReportOutcome

RETURNED = """{"outcome": "done", "answers": {}, "reason": None, "message": "It is done."}"""
"""What a program returns that is only to do something."""


def report(
    outcome: ReportOutcome = "done", message: str = "It is done.", reason: str | None = None, **answers: Json
) -> Report:
    return Report(outcome=outcome, message=message, reason=reason, answers=answers)


def form(**fields: AnswerType) -> AnswerForm:
    """A form of fields that need no more than a type."""
    units = {"money": "EUR", "duration": "hours"}
    return AnswerForm(
        fields=[
            AnswerField(name=name, type=kind, description=name.replace("_", " "), unit=units.get(kind, ""))
            for name, kind in fields.items()
        ]
    )
