"""Wishes are said as a person would say them."""

import pytest

from envfactory_dagster.contracts.graph_tasks import GraphTaskWordingContext, SaidSign, Telling, Thing, Wish
from envfactory_dagster.language.embedded.wording import word

_BILL = Thing(kind="bill", signs=[SaidSign(what="name", kind="text", relation="is", forms=["Water"])])


def _said(*wishes: Wish) -> str:
    context = GraphTaskWordingContext(
        service="Bills.", clock="2026-01-01T09:00:00", kind="information", obscured=False, wishes=list(wishes),
        unspeakable=[],
    )  # fmt: skip
    return word(context, 0).text


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("starts at", "starts"),
        ("created at", "was created"),
        ("taken on", "was taken"),
        ("paid at", "was paid"),
        ("sent at", "was sent"),
        ("due on", "is due"),
    ],
)
def test_a_time_is_asked_for_by_what_is_done_then(what: str, said: str) -> None:
    telling = Telling(what=what, kind="moment", how="value", thing=_BILL)
    assert _said(Wish(purpose="List the bills.", telling=telling)) == f"Please tell me when the bill “Water” {said}."


def test_a_time_that_says_of_nothing_what_is_done_is_asked_for_by_its_name() -> None:
    telling = Telling(what="plan since", kind="day", how="value", thing=_BILL)
    assert (
        _said(Wish(purpose="List the bills.", telling=telling)) == "Please tell me the plan since of the bill “Water”."
    )


def test_a_thing_is_known_by_when_it_is_due() -> None:
    due = SaidSign(what="due on", kind="day", relation="is", forms=["3 March 2026"])
    telling = Telling(what="total", kind="money", how="value", thing=Thing(kind="bill", signs=[due]))
    said = _said(Wish(purpose="List the bills.", telling=telling))
    assert said == "Please tell me the total of the bill that is due on 3 March 2026 in cents."
