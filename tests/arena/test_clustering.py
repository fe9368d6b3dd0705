"""Clustering and agreement: the arithmetic of the taxonomy, held against slower ways to the same result."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.arena.taxonomy.agreement import (
    adjusted_rand,
    consensus,
    contested,
    fleiss_kappa,
    mean_adjusted_rand,
    together,
)
from envfactory_dagster.arena.taxonomy.clustering import Matrix, agglomerate, cut, joins_above, members, ward


def by_variance(points: Matrix, clusters: int) -> set[frozenset[int]]:
    """Ward's method word for word: join the two clusters whose union adds least to the sum of squares."""
    found = [frozenset([n]) for n in range(len(points))]

    def spread(places: frozenset[int]) -> float:
        own = points[sorted(places)]
        return float(((own - own.mean(axis=0)) ** 2).sum())

    while len(found) > clusters:
        one, other = min(
            combinations(found, 2), key=lambda two: spread(two[0] | two[1]) - spread(two[0]) - spread(two[1])
        )
        found = [each for each in found if each not in (one, other)] + [one | other]
    return set(found)


@pytest.mark.parametrize("seed", range(6))
def test_wards_clusters_are_those_of_least_variance(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(24, 5))
    joins = ward(points)
    for clusters in (1, 2, 5, 12, 24):
        assert {frozenset(places) for places in members(cut(joins, clusters))} == by_variance(points, clusters)


def test_heights_of_joins_are_as_others_define_them() -> None:
    """Two points are joined at their distance; a pair and a third point at √(2·2·1/3) times that of their centres."""
    first, second = ward(np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 6.0]]))
    assert (first.left, first.right, first.height) == (0, 1, 1.0)
    assert second.height == pytest.approx(np.sqrt(4 / 3) * 6.0)


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 2), min_size=2, max_size=30))
def test_points_that_coincide_are_no_trouble(points: list[tuple[int, int]]) -> None:
    joins = ward(np.array(points, dtype=float))
    assert [one.height for one in joins] == sorted(one.height for one in joins)
    for clusters in range(1, len(points) + 1):
        numbers = cut(joins, clusters)
        assert list(dict.fromkeys(numbers)) == list(range(clusters))
        assert len(joins_above(joins, numbers)) == clusters - 1


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_the_adjusted_rand_index_is_what_pairs_say(one: list[int], more: list[int]) -> None:
    """By its other formula, from the four counts of pairs."""
    other = more[: len(one)]
    pairs = list(combinations(range(len(one)), 2))
    a = sum(one[i] == one[j] and other[i] == other[j] for i, j in pairs)
    b = sum(one[i] == one[j] and other[i] != other[j] for i, j in pairs)
    c = sum(one[i] != one[j] and other[i] == other[j] for i, j in pairs)
    d = len(pairs) - a - b - c
    below = (a + b) * (b + d) + (a + c) * (c + d)
    assert adjusted_rand(one, other) == pytest.approx(2 * (a * d - b * c) / below if below else 1.0)
    assert adjusted_rand(one, other) == pytest.approx(adjusted_rand(other, one))


def test_raters_who_agree_have_a_kappa_of_one_and_those_who_never_do_one_below_zero() -> None:
    assert fleiss_kappa([[0, 0, 1, 1]] * 3) == mean_adjusted_rand([[0, 0, 1, 1]] * 3) == 1.0
    never = fleiss_kappa([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]])
    assert never is not None and never < 0
    assert fleiss_kappa([[0, 0, 1]]) is mean_adjusted_rand([[0, 0, 1]]) is None


def test_the_consensus_is_what_most_have_together() -> None:
    votes = [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1]]
    apart = np.zeros((5, 5))
    assert consensus(votes, apart, 2) == [0, 0, 0, 1, 1]
    assert consensus(votes[1:2], apart, 2) == votes[1], "a single one is taken as it is"


def test_where_all_disagree_there_is_a_partition_all_the_same_and_likeness_decides() -> None:
    votes = [[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]]
    points = np.array([[0.0], [1.0], [1.1], [0.1]])
    apart = np.abs(points - points.T)
    groups = consensus(votes, apart, 2)
    assert groups == [0, 1, 1, 0]
    assert contested(together(votes), groups) == [0, 1, 2, 3]


def test_agglomeration_takes_a_single_point() -> None:
    assert agglomerate(np.zeros((1, 1)), "average") == []
    assert cut([], 1) == [0]
