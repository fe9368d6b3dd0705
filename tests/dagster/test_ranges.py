"""How a run says which environments it is about: ranges of keys in the order in which they were added."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.partitions import MOST_IN_A_RUN, range_tags, ranges

KEYS = [f"key-{number}" for number in range(3 * MOST_IN_A_RUN)]


def stretch(first: str, last: str) -> list[str]:
    return KEYS[KEYS.index(first) : KEYS.index(last) + 1]


@given(st.sets(st.sampled_from(KEYS)))
def test_ranges_hold_what_is_wanted_and_nothing_else(wanted: set[str]) -> None:
    stretches = [stretch(first, last) for first, last in ranges(KEYS, wanted)]
    assert [key for found in stretches for key in found] == [key for key in KEYS if key in wanted]


def test_neighbours_go_into_one_run_as_far_as_it_can_take_them() -> None:
    assert list(ranges(KEYS, KEYS[3:7])) == [("key-3", "key-6")]
    assert list(ranges(KEYS, {"key-1", "key-3", "key-4"})) == [("key-1", "key-1"), ("key-3", "key-4")]
    assert [len(stretch(*found)) for found in ranges(KEYS, KEYS[: MOST_IN_A_RUN + 1])] == [MOST_IN_A_RUN, 1]


def test_keys_that_are_not_there_belong_to_no_range() -> None:
    assert list(ranges(KEYS, {"another"})) == []


def test_tags_name_both_ends() -> None:
    assert list(range_tags(("a", "b")).values()) == ["a", "b"]


@pytest.mark.parametrize(("given", "said"), [("3", "3 3"), ("0", "has to be a whole number"), ("few", "has to be")])
def test_the_length_of_a_range_is_a_setting(given: str, said: str) -> None:
    program = (
        "from envfactory_dagster.partitions import MOST_IN_A_RUN\n"
        "from envfactory_dagster.assets.environment import theme\n"
        "print(MOST_IN_A_RUN, theme.backfill_policy.max_partitions_per_run)"
    )
    environment = os.environ | {"ENVFACTORY_RANGE": given}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert said in done.stdout + done.stderr
