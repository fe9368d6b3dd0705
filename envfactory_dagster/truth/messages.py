"""Whether the message to the person contradicts the report it comes with, as far as values go: `message_values` for
reports and forms as the rest of the house handles them."""

from collections.abc import Sequence

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime import message_values


def contradictions(report: Report, form: AnswerForm, asked: str, calls: Sequence[TracedStep] = ()) -> list[str]:
    """One sentence for each answer that the message contradicts. `asked`: the words of the task. An amount of money
    that a tool told may be spoken of beside the answer."""
    told = [call.value for call in calls]
    return message_values.contradictions(report.model_dump(), form.as_mappings(), asked, told)


def states(field: AnswerField, value: Json, text: str) -> bool:
    """Whether a text states this single value of a field. Of yes or no nobody can tell by code."""
    return message_values.states(field.model_dump(), value, text)
