"""What a result says of a row that the call has just written."""

from typing import Any

import pytest

from envfactory_dagster.authoring.trials.changes import of_the_echo
from envfactory_dagster.contracts.calls import Change

MOVED = Change(
    "session_places",
    (71,),
    {"id": 71, "bell_id": 3, "status": "taken"},
    {"id": 71, "bell_id": 5, "status": "taken"},
)


@pytest.mark.parametrize("result", [{"bell_id": 3}, {"session_place": {"id": 71, "bell_id": 3}}])
def test_a_result_that_says_otherwise_is_named_however_deep(result: dict[str, Any]) -> None:
    assert [problem.message for problem in of_the_echo("move_place", {}, result, [MOVED])] == [
        "move_place: its result says bell_id = 3; what it wrote to session_places says 5."
    ]


@pytest.mark.parametrize(
    "result",
    [
        {"session_place": {"id": 71, "bell_id": 5, "status": "taken"}},
        {"session_place": {"id": 70, "bell_id": 3}},
        {"bell": {"id": 71, "bell_id": 3}},
        {"place_before": {"id": 71, "bell_id": 3}},
    ],
    ids=["right", "another row", "another table", "how it was"],
)
def test_other_things_are_left_alone(result: dict[str, Any]) -> None:
    assert list(of_the_echo("move_place", {}, result, [MOVED])) == []


RELEASED = Change(
    "session_places", (71,), {"id": 71, "bell_id": 3, "status": "taken"}, {"id": 71, "bell_id": None, "status": "free"}
)


def test_a_field_that_repeats_the_argument_says_nothing_of_a_link_that_was_cut() -> None:
    assert list(of_the_echo("release_place", {"bell_id": 3}, {"bell_id": 3, "status": "free"}, [RELEASED])) == []


@pytest.mark.parametrize("result", [{"bell_id": 4}, {"session_place": {"id": 71, "bell_id": 3}}])
def test_a_link_that_was_cut_is_not_shown_in_the_row_nor_another_one_told(result: dict[str, Any]) -> None:
    [problem] = of_the_echo("release_place", {"bell_id": 3}, result, [RELEASED])
    assert "what it wrote to session_places says None" in problem.message
