"""The report that ends an episode: what came of the request, in a form that code can judge.

Belongs here: the report and the form of its answers. Does not: the tool that takes it (`finish_tool`), comparing values
(`runtime.answer_values`), reading what an agent sent (`runtime.report_reading`), and verdicts (`truth`).

The outer form is the same for every task of an environment: all four outcomes and all rules, whether they are due or
not. The answer form belongs to the task as it would be if it could be done, so that a form never tells the outcome.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Contract, Identifier, Json, NonEmpty, unique
from envfactory_dagster.contracts.finish_tool import MOST_MESSAGE_CHARACTERS, report_schema

ReportOutcome = Literal["done", "refused", "impossible", "needs_information"]
"""`done`: everything that was asked for is done and told. `refused`: a rule forbids it. `impossible`: no tool can do
it, or what it is about does not exist. `needs_information`: the person has to be asked, and cannot be."""

AnswerType = Literal["integer", "number", "money", "date", "time", "duration", "text", "yes_no", "choice"]


class AnswerField(Contract):
    """One thing the person wants to be told."""

    name: Identifier
    type: AnswerType
    description: NonEmpty
    unit: str = ""
    """Of a number: what is counted or measured. Of money: the currency. Of a duration: minutes, hours or days."""
    choices: list[NonEmpty] = Field(default_factory=list)
    """Of a choice: everything the answer may be chosen from, by name."""
    many: bool = False
    """Whether the answer is a list."""
    ordered: bool = False
    """Of a list: whether its order counts, as of a ranking, and of lists that belong together."""

    @model_validator(mode="after")
    def _says_what_its_type_needs(self) -> Self:
        if (self.type == "choice") != bool(self.choices):
            raise ValueError("a choice lists what can be chosen, and no other type does")
        if self.type == "money" and not self.unit:
            raise ValueError("money names its currency as unit")
        if self.type == "duration" and self.unit not in ("minutes", "hours", "days"):
            raise ValueError("a duration is in minutes, hours or days")
        if self.ordered and not self.many:
            raise ValueError("only a list is ordered")
        unique(self.choices, "choices")
        return self


class AnswerForm(Contract):
    """Everything a task asks to be told. Empty where the task only asks for something to be done."""

    fields: list[AnswerField] = Field(default_factory=list, max_length=20)

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        unique([field.name for field in self.fields], "answer fields")
        return self

    def as_mappings(self) -> list[dict[str, Any]]:
        """For what runs without this package as well."""
        return [field.model_dump() for field in self.fields]


_AN_ORDER = re.compile(
    r"\bin (?:the same order\b(?! as\b)|order of\b|the order (?:of|they|in which)\b|order\s*(?:[.,;)]|$))",
    re.IGNORECASE,
)


def form_with_its_order(fields: Sequence[AnswerField]) -> AnswerForm:
    """The form that an author wrote: a list whose description speaks of its order is ordered, marked or not."""
    return AnswerForm(
        fields=[
            field.model_copy(update={"ordered": True}) if field.many and _AN_ORDER.search(field.description) else field
            for field in fields
        ]
    )


class Report(Contract):
    """What an agent reports when it is finished. `answers` has every field of the form; one that is not due is None."""

    outcome: ReportOutcome
    answers: dict[Identifier, Json] = Field(default_factory=dict)
    reason: Identifier | None = None
    """The id of the rule, where a rule forbids it."""
    message: NonEmpty = Field(max_length=MOST_MESSAGE_CHARACTERS)
    """What the person reads."""

    @model_validator(mode="after")
    def _a_refusal_names_its_rule(self) -> Self:
        if (self.outcome == "refused") != (self.reason is not None):
            raise ValueError("a refused request names the rule as reason, and no other outcome has one")
        return self


def finish_schema(form: AnswerForm, rules: list[str]) -> dict[str, Json]:
    """The input schema of the tool `finish` for one task."""
    return report_schema(form.as_mappings(), rules)
