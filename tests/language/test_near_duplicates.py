"""Keeping a pool free of near duplicates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.embeddings import NearDuplicates, Neighbour

EAST, NORTH, NORTHEAST = [1.0, 0.0], [0.0, 2.0], [3.0, 3.0]

vectors = st.lists(st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=3, max_size=3), max_size=25)


def test_the_first_of_two_alike_is_kept():
    pool = NearDuplicates(threshold=0.7)
    assert pool.admit(["east", "north", "northeast"], [EAST, NORTH, NORTHEAST]) == [
        None,
        None,
        Neighbour("east", pytest.approx(0.707107)),
    ]
    assert pool.names == ["east", "north"]


def test_each_is_held_against_the_pool_as_well_as_its_neighbours():
    pool = NearDuplicates(threshold=0.9)
    pool.admit(["east"], [EAST])
    assert pool.admit(["further east", "north"], [[5.0, 0.1], NORTH])[0] == Neighbour("east", pytest.approx(0.9998))
    assert pool.names == ["east", "north"]


def test_the_nearest_is_told_however_far():
    pool = NearDuplicates()
    assert pool.nearest([EAST]) == [None]
    pool.admit(["east", "north"], [EAST, NORTH])
    assert pool.nearest([[1.0, 2.0], [2.0, -1.0]]) == [
        Neighbour("north", pytest.approx(0.894427)),
        Neighbour("east", pytest.approx(0.894427)),
    ]
    assert pool.nearest([]) == [] and pool.admit([], []) == []


def test_a_vector_without_direction_is_like_nothing():
    pool = NearDuplicates()
    assert pool.admit(["empty", "also empty"], [[0.0, 0.0], [0.0, 0.0]]) == [None, None]


def test_vectors_of_another_embedder_are_refused():
    pool = NearDuplicates()
    pool.admit(["east"], [EAST])
    with pytest.raises(UsageError, match="differ in length"):
        pool.admit(["deep"], [[1.0, 0.0, 0.0]])


@given(vectors)
def test_no_two_members_are_near_and_every_rejected_one_is_near_a_member(given_vectors):
    pool = NearDuplicates(threshold=0.85)
    names = [str(i) for i in range(len(given_vectors))]
    verdicts = pool.admit(names, given_vectors)
    members = [v for v, verdict in zip(given_vectors, verdicts, strict=True) if verdict is None]
    units = np.array([np.array(v) / (np.linalg.norm(v) or 1) for v in members]).reshape(-1, 3)
    cosines = units @ units.T - np.eye(len(units))
    assert (cosines < 0.85 + 1e-6).all()
    assert all(verdict.name in pool.names and verdict.cosine >= 0.85 for verdict in verdicts if verdict)


@given(vectors, st.integers(1, 25))
def test_the_verdicts_do_not_depend_on_how_the_vectors_were_batched(given_vectors, size):
    names = [str(i) for i in range(len(given_vectors))]
    at_once, in_parts = NearDuplicates(), NearDuplicates()
    verdicts = at_once.admit(names, given_vectors)
    parts = []
    for i in range(0, len(names), size):
        parts += in_parts.admit(names[i : i + size], given_vectors[i : i + size])
    assert parts == verdicts
    assert at_once.names == in_parts.names
