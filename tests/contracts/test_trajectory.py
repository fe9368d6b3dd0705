"""A recorded episode survives the way through JSON unchanged, whatever its agent wrote."""

import pytest
from pydantic import ValidationError

from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.trajectory import (
    Observation,
    Reward,
    Step,
    Timing,
    Tokens,
    ToolRequest,
    Trajectory,
)
from envfactory_dagster.contracts.truth import Signal, Verdict

FIRST = Step(
    number=0,
    reasoning="Let me see.",
    calls=[
        ToolRequest(id="1", name="get_item", arguments={"item_id": 2, "sizes": [1, 2.5], "note": None}),
        ToolRequest(id="2", name="open the shop!", arguments='{"item_id": 2'),
        ToolRequest(id="3", name="confirm_order", arguments={}, principal="user"),
    ],
    observations=[
        Observation(call="1", outcome="ok", value={"name": "Ärmel"}, note="cut to fit"),
        Observation(call="2", outcome="agent", error="the arguments are no JSON object"),
    ],
    tokens=Tokens(ids=[5, 6], logprobs=[-0.25, -1.5], mask=[False, True]),
    timing=Timing(model_s=0.5, tools_s=0.25),
)
TRAJECTORY = Trajectory(
    environment="shop",
    bundle_version="9f",
    task="buy",
    state="initial",
    clock="2026-03-02T09:00:00",
    protocol="native",
    model="some/model",
    seed=3,
    steps=[FIRST, Step(number=1, text=" Ordered. ")],
    ending="answered",
    outcome="completed",
    verdict=Verdict(score=0.5, signals=[Signal(name="goal_a", value=True)], reasons=["goal not reached: b"]),
    reward=Reward(total=-1.0, components={"checks": 0.5}, steps=[0.0, -1.0], reasons=["so"]),
    state_hash="ab",
)


def test_json_round_trip() -> None:
    again = Trajectory.model_validate_json(TRAJECTORY.model_dump_json())
    assert again == TRAJECTORY
    assert again.content_hash() == TRAJECTORY.content_hash()


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(ValidationError):
        Trajectory.model_validate(TRAJECTORY.model_dump() | {"surprise": 1})


def test_the_answer_is_the_last_word_without_a_call() -> None:
    assert TRAJECTORY.answer == "Ordered."
    assert TRAJECTORY.model_copy(update={"steps": [FIRST]}).answer == ""
    assert TRAJECTORY.model_copy(update={"steps": []}).answer == ""


def test_the_message_of_the_report_is_told_as_well() -> None:
    handed_in = Step(number=2, calls=[ToolRequest(id="4", name="finish", arguments={}, is_report=True)])
    told = TRAJECTORY.model_copy(update={"steps": [*TRAJECTORY.steps, handed_in]})
    for message, answer in (("It costs 3 euros.", "Ordered.\nIt costs 3 euros."), ("Ordered.", "Ordered.")):
        assert told.model_copy(update={"report": Report(outcome="done", message=message)}).answer == answer


def test_every_token_has_its_probability_and_its_mask() -> None:
    with pytest.raises(ValidationError, match="2 tokens, but 1 values"):
        Tokens(ids=[1, 2], logprobs=[-0.5])
    with pytest.raises(ValidationError, match="mask"):
        Tokens(ids=[1, 2], mask=[True, False, True])
