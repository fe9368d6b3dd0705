"""What evaluations say: rates, their intervals, and which of two policies is better."""

from collections.abc import Iterable
from itertools import combinations
from math import isclose
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.contracts.trajectory import OutcomeClass, Reward, Step, Tokens, Trajectory
from envfactory_dagster.rollouts.results import About, TaskResult, compared, interval, summary, task_results
from envfactory_dagster.rollouts.scoring import Rollout

ABOUT = {("shop", task): About("action", level, "task_set", "held_out") for level, task in enumerate("abc", 1)}


def episode(task: str, outcome: OutcomeClass, *, reward: float = 0.0, written: int | None = None) -> Rollout:
    tokens = None if written is None else Tokens(ids=[0, *[1] * written], mask=[False, *[True] * written])
    trajectory = Trajectory(
        environment="shop", bundle_version="v1", task=task, state="initial", clock="2026-01-01T00:00:00",
        protocol="native", model="somebody", seed=0, steps=[Step(number=0, text="Done.", tokens=tokens)],
        ending="answered", outcome=outcome, reward=Reward(total=reward), state_hash="",
    )  # fmt: skip
    return Rollout(trajectory, "single", "answered", "", [])


def result(passed: int, played: int, task: str = "a", environment: str = "shop", version: str = "v1") -> TaskResult:
    return TaskResult(
        environment=environment, version=version, task=task, split="held_out", kind="action", level=1,
        source="task_set", played=played, passed=passed, environment_errors=0, reward=0.0, steps=1.0, tokens=None,
        outcomes={},
    )  # fmt: skip


@given(st.integers(1, 9), st.data())
def test_pass_at_k_is_the_share_of_all_choices_of_k_tries(played: int, data: st.DataObject) -> None:
    passed, k = data.draw(st.integers(0, played)), data.draw(st.integers(1, played))
    tries = [place < passed for place in range(played)]
    expected = fmean(any(chosen) for chosen in combinations(tries, k))
    assert isclose(result(passed, played).pass_at(k), expected, abs_tol=1e-12)


def test_what_the_surroundings_spoiled_is_reported_and_counts_against_nobody() -> None:
    rollouts = [
        episode("a", "completed", reward=1.0, written=4),
        episode("a", "environment_error"),
        episode("a", "agent_error", reward=0.5, written=8),
        episode("b", "environment_error"),
    ]
    first, second = task_results(rollouts, ABOUT)
    assert (first.played, first.passed, first.environment_errors, first.reward) == (2, 1, 1, 0.75)
    assert (first.tokens, first.level, first.split) == (6, 1, "held_out")
    assert (second.played, second.environment_errors) == (0, 1)
    table = summary([first, second], 2)
    assert table["pass@1"]["mean"] == 0.5
    assert table["pass@2"]["mean"] == 1.0
    assert (table["tasks"], table["unplayed_tasks"], table["environment_errors"]) == (1, 1, 2)
    assert table["outcomes"] == {"agent_error": 0.5, "completed": 0.5}


def test_pass_at_k_leaves_out_tasks_with_fewer_tries_that_count() -> None:
    table = summary([result(1, 4, "a"), result(0, 3, "b")], 4)
    assert table["pass@4"]["mean"] == 1.0
    assert table["tasks_with_fewer_tries"] == 1
    assert table["pass@1"]["mean"] == pytest.approx(0.125)


def test_a_split_that_nobody_could_play_has_no_figures() -> None:
    table = summary(task_results([episode("a", "environment_error")], ABOUT), 1)
    assert (table["pass@1"], table["reward"], table["steps"], table["outcomes"]) == (None, None, None, {})


def test_tokens_that_nobody_counted_are_not_none_at_all() -> None:
    assert summary(task_results([episode("a", "completed")], ABOUT), 1)["tokens"] is None


def test_tables_are_broken_down_by_what_tasks_are() -> None:
    rollouts = [episode("a", "completed"), episode("b", "agent_error"), episode("c", "agent_error")]
    table = summary(task_results(rollouts, ABOUT), 1)
    assert {level: one["pass@1"]["mean"] for level, one in table["by_level"].items()} == {"1": 1, "2": 0, "3": 0}
    assert table["by_kind"]["action"]["tasks"] == table["by_source"]["task_set"]["tasks"] == 3


values = st.lists(st.tuples(st.floats(0, 1), st.sampled_from("xyz")), min_size=1, max_size=12)


@given(values)
def test_intervals_hold_what_the_values_can_mean(given_values: list[tuple[float, str]]) -> None:
    numbers = [value for value, _ in given_values]
    found = interval(numbers, [environment for _, environment in given_values])
    assert found is not None
    assert min(numbers) - 1e-9 <= found.low <= found.high <= max(numbers) + 1e-9
    assert found.mean == pytest.approx(fmean(numbers))


def test_tasks_that_share_an_environment_say_less_than_as_many_that_do_not() -> None:
    """Ten environments of which half pass everything: 100 tasks, but only ten draws."""
    rates = [float(place // 10 % 2) for place in range(100)]
    alone = interval(rates, [str(place) for place in range(100)])
    together = interval(rates, [str(place // 10) for place in range(100)])
    assert alone is not None and together is not None
    assert together.high - together.low > 2 * (alone.high - alone.low)


def tried(rates: Iterable[int], **more: str) -> list[TaskResult]:
    return [result(passed, 4, task, **more) for task, passed in zip("abcdefgh", rates, strict=False)]


def test_a_gain_is_measured_task_by_task() -> None:
    found = compared(tried([0, 1, 2, 3]), tried([1, 2, 3, 4]))
    assert found is not None
    assert (found.tasks, found.better, found.worse) == (4, 4, 0)
    assert found.gain.low == found.gain.mean == found.gain.high == pytest.approx(0.25), "every task gained the same"


def test_only_tasks_of_both_are_compared_and_another_version_is_another_task() -> None:
    found = compared(tried([4, 4, 4]), tried([0, 0]))
    assert found is not None
    assert (found.tasks, found.before, found.after, found.worse) == (2, 1.0, 0.0, 2)
    assert compared(tried([4, 4]), tried([0, 0], version="v2")) is None
    assert compared([result(0, 0)], [result(1, 1)]) is None, "what was not played is not compared"
