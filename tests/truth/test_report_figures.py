"""The benchmark's figures of reports: a form that tells the outcome is found, and one that tells nothing is not."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.truth_reports import interval, measure_form_leak
from envfactory_dagster.contracts.reports import AnswerForm
from tests.support.reports import form, report

NOTHING = AnswerForm()


def environments(*forms: tuple[AnswerForm, str | None]) -> Sequence[Any]:
    """Ten alike, with a task for each of these forms; of a refusal with its rule."""
    golds = {
        f"t{place}": SimpleNamespace(form=one, report=report("refused", reason=rule) if rule else report())
        for place, (one, rule) in enumerate(forms)
    }
    return [SimpleNamespace(solutions=golds) for _ in range(10)]


def test_a_form_that_tells_the_outcome_is_found() -> None:
    asked = form(price="money")
    found = measure_form_leak(environments((asked, None), (asked, None), (NOTHING, "no_refunds")))["form_leak"]
    assert (found["guessed"], found["no_better_than_the_base_rate"]) == (1.0, False)
    assert found["base_rate"] == pytest.approx(2 / 3, abs=1e-4)


def test_a_form_that_twins_share_tells_nothing() -> None:
    asked = form(price="money")
    twins = environments((asked, None), (asked, None), (asked, "no_refunds"))
    found = measure_form_leak(twins)["form_leak"]
    assert found["guessed"] == found["base_rate"]
    assert found["no_better_than_the_base_rate"]


def test_of_few_tasks_little_is_known() -> None:
    low, high = interval(8, 10)
    assert low == pytest.approx(0.490, abs=1e-3) and high == pytest.approx(0.943, abs=1e-3)
