"""A report is read as it was meant, or its agent is told in a sentence what to correct."""

from typing import Any

import pytest

from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report, finish_schema
from envfactory_dagster.runtime.reports import UnreadableReport, read_report
from envfactory_dagster.truth.reports import wrong_answers

FORM = AnswerForm(
    fields=[
        AnswerField(name="nights", type="integer", description="How many nights are free", unit="nights"),
        AnswerField(name="price", type="money", description="What they cost together", unit="EUR"),
        AnswerField(name="hut", type="choice", description="The cheapest hut", choices=["Steinkar", "Murmelgrund"]),
    ]
)
RULES = ["members_only", "two_weeks_ahead"]
DONE: dict[str, Any] = {
    "outcome": "done",
    "answers": {"nights": "three", "price": "€42.00", "hut": "Steinkar"},
    "reason": None,
    "message": "Three nights are free at the Steinkar, for 42 euros.",
}


def test_a_report_in_a_persons_own_forms_is_read() -> None:
    report = read_report(DONE, FORM, RULES)
    assert isinstance(report, Report) and report.answers["nights"] == "three"
    assert wrong_answers(FORM, {"nights": 3, "price": 4200, "hut": "Steinkar"}, report) == []
    assert wrong_answers(FORM, {"nights": 2, "price": 4200, "hut": "Murmelgrund"}, report) == ["nights", "hut"]


def test_what_is_not_due_is_null() -> None:
    refused = DONE | {
        "outcome": "refused",
        "reason": "members_only",
        "answers": dict.fromkeys(["nights", "price", "hut"]),
    }
    report = read_report(refused, FORM, RULES)
    assert isinstance(report, Report)
    assert wrong_answers(FORM, {}, report) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"outcome": "finished"}, "outcome"),
        ({"outcome": "refused"}, "names the rule that forbids it"),
        ({"outcome": "refused", "reason": "no_such_rule"}, "reason"),
        ({"reason": "members_only"}, "only a refused request names a rule"),
        ({"message": ""}, "message"),
        ({"message": "  \n"}, "the person is told nothing"),
        ({"message": " … "}, "the person is told nothing"),
        ({"message": "x" * 1_000_000}, "message"),
        ({"message": 7}, "message"),
        ({"answers": {"nights": 3, "price": 42, "hut": "Steinkar", "colour": "red"}}, "colour"),
        ({"answers": {"nights": 3, "price": 42}}, "hut"),
        ({"answers": {"nights": "2 or 3", "price": 42, "hut": "Steinkar"}}, "`nights` must be a whole number"),
        ({"answers": {"nights": 3, "price": float("nan"), "hut": "Steinkar"}}, "finite number"),
        ({"answers": {"nights": 3, "price": 42, "hut": "Steinkar or Murmelgrund"}}, "is one of Steinkar, Murmelgrund"),
        ({"answers": [1]}, "answers"),
        ({"confidence": 1}, "confidence"),
    ],
)
def test_a_bad_report_is_answered_with_its_problem(change: dict[str, Any], says: str) -> None:
    read = read_report(DONE | change, FORM, RULES)
    assert isinstance(read, UnreadableReport) and says in read.problem and len(read.problem) < 600


def test_the_outer_form_does_not_tell_what_is_due() -> None:
    """Two tasks of one environment differ in their answers only."""
    first, second = finish_schema(FORM, RULES), finish_schema(AnswerForm(), RULES)
    for schema in (first, second):
        del schema["properties"]["answers"]
    assert first == second


@pytest.mark.parametrize(
    "field",
    [
        {"type": "choice"},
        {"type": "text", "choices": ["a"]},
        {"type": "money"},
        {"type": "duration", "unit": "fortnights"},
    ],
)
def test_a_field_says_what_its_type_needs(field: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        AnswerField.model_validate({"name": "it", "description": "It"} | field)
