"""The report that ends an episode: what came of the request, in a form that code can judge.

Belongs here: the report, the form of its answers, and the JSON schema of the tool `finish` that takes it. Does not:
comparing values (`runtime.answer_values`), reading what an agent sent (`truth.reports`), and verdicts (`truth`).

The outer form is the same for every task of an environment: all four outcomes and all rules, whether they are due or
not. The answer form belongs to the task as it would be if it could be done, so that a form never tells the outcome.
"""

from collections.abc import Collection
from typing import Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Contract, Identifier, Json, NonEmpty, unique

ReportOutcome = Literal["done", "refused", "impossible", "needs_information"]
"""`done`: everything that was asked for is done and told. `refused`: a rule forbids it. `impossible`: no tool can do
it, or what it is about does not exist. `needs_information`: the person has to be asked, and cannot be."""

AnswerType = Literal["integer", "number", "money", "date", "time", "duration", "text", "yes_no", "choice"]

FINISH = "finish"
MOST_MESSAGE_CHARACTERS = 4_000
MOST_TEXT_CHARACTERS = 1_000
MOST_LISTED = 200


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


def finish_name(tools: Collection[str]) -> str:
    """What the reserved tool is called beside the tools of an environment, whose names stay as they are."""
    name = FINISH
    while name in tools:
        name += "_task"
    return name


def finish_schema(form: AnswerForm, rules: list[str]) -> dict[str, Json]:
    """The input schema of `finish` for one task."""
    answers: dict[str, Json] = {
        "type": "object",
        "properties": {field.name: _field_schema(field) for field in form.fields},
        "required": [field.name for field in form.fields],
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


_JSON_TYPES: dict[AnswerType, list[Json]] = {
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

_FORMATS: dict[AnswerType, str] = {
    "integer": "a whole number",
    "number": "a number",
    "date": "a date such as 2026-03-14",
    "time": "a time of day such as 18:30",
    "text": "a short text",
    "yes_no": "true or false",
}


def _field_schema(field: AnswerField) -> dict[str, Json]:
    one: dict[str, Json] = {"type": [*_JSON_TYPES[field.type], "null"]}
    if "string" in _JSON_TYPES[field.type]:
        one["maxLength"] = MOST_TEXT_CHARACTERS
    description = f"{field.description} ({_format_of(field)})"
    if not field.many:
        return one | {"description": description}
    listed = "listed in this order" if field.ordered else "listed"
    items = one | {"type": _JSON_TYPES[field.type]}
    return {
        "type": ["array", "null"],
        "items": items,
        "maxItems": MOST_LISTED,
        "description": f"{description}, {listed}",
    }


def _format_of(field: AnswerField) -> str:
    if field.type == "money":
        return f"an amount of money in {field.unit}, such as 12.50"
    if field.type == "duration":
        return f"a number of {field.unit}"
    if field.type == "choice":
        return f"one of: {', '.join(field.choices)}"
    return f"{_FORMATS[field.type]}, in {field.unit}" if field.unit else _FORMATS[field.type]
