"""pass^k, max@k and intervals, held against counting every way of drawing tries."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.contracts.benchmarks import Try
from envfactory_dagster.measuring.figures import best_of, measured_tasks, pass_all, scores_of


def tried(task: str, seed: int, score: float, category: str = "all of them") -> Try:
    outcome = "completed" if score == 1.0 else "agent_error"
    return Try(
        task=task,
        category=category,
        group=task,
        seed=seed,
        score=score,
        passed=score == 1.0,
        outcome=outcome,
        messages=1,
    )


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=7), st.data())
def test_figures_are_means_over_all_ways_to_draw_k_tries(scores: list[float], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(scores)))
    drawn = [*combinations(scores, k)]
    assert best_of(scores, k) == pytest.approx(fmean(max(some) for some in drawn))
    passed = sum(score == 1.0 for score in scores)
    expected = fmean(all(score == 1.0 for score in some) for some in drawn)
    assert pass_all(passed, len(scores), k) == pytest.approx(expected)


def test_a_set_of_tasks() -> None:
    tries = [tried("b", seed, score) for seed, score in enumerate([1.0, 0.0])]
    tries += [tried("a", seed, score) for seed, score in ((4, 0.5), (0, 1.0), (2, 1.0))]
    tasks = measured_tasks(tries, 2)
    assert [(one.task, one.scores, one.passed) for one in tasks] == [("a", [1.0, 1.0], 2), ("b", [1.0, 0.0], 1)]
    assert tasks[1].outcomes == {"completed": 1, "agent_error": 1}
    scores = scores_of(tasks)
    assert (scores.tasks, scores.score.mean) == (2, 0.75)
    assert {k: one.mean for k, one in scores.pass_all.items()} == {1: 0.75, 2: 0.5}
    assert {k: one.mean for k, one in scores.best.items()} == {1: 0.75, 2: 1.0}
    assert 0.5 <= scores.score.low < scores.score.mean < scores.score.high <= 1.0


def test_there_is_no_figure_of_nothing() -> None:
    with pytest.raises(ValueError, match="no task"):
        scores_of([])
