"""What changed makes exactly its own partition's downstream stale, and only when the artifact is another one."""

import itertools

import pytest

from tests.dagster.site_kit import Site

batches = itertools.count()


@pytest.fixture
def keys(site: Site) -> list[str]:
    """Three letters that went through the whole line."""
    batch = next(batches)
    keys = site.receive(**{f"batch_{batch}_{n}": f"letter number {n}" for n in range(3)})
    assert site.execute(keys).success
    assert site.stale(keys) == set()
    return keys


def rewrite(site: Site, key: str, text: str) -> None:
    site.receive(**{key: text})


def test_a_changed_artifact_makes_the_downstream_of_its_partition_stale(site: Site, keys: list[str]) -> None:
    rewrite(site, keys[1], "a letter of another kind")
    assert site.execute(keys, ["opened"]).success
    assert site.stale(keys) == {("counted", keys[1]), ("summary", keys[1])}
    before = site.work(keys)
    assert site.execute(keys).success
    assert site.stale(keys) == set()
    assert site.work(keys)[len(before) :] == [f"counted {keys[1]}", f"summary {keys[1]}"]


def test_an_artifact_that_came_out_the_same_makes_nothing_stale(site: Site, keys: list[str]) -> None:
    rewrite(site, keys[1], "  letter number 1  ")
    assert site.execute(keys, ["opened"]).success
    assert site.work(keys).count(f"opened {keys[1]}") == 2
    assert site.stale(keys) == set()


def test_what_reads_a_changed_artifact_is_stale_although_what_lies_between_came_out_the_same(
    site: Site, keys: list[str]
) -> None:
    """`summary` reads `opened` and `counted`. Without an edge from the first, only the second would be looked at."""
    rewrite(site, keys[1], "another letter 1")
    assert site.execute(keys, ["opened", "counted"]).success
    assert site.stale(keys) == {("summary", keys[1])}


def test_new_letters_in_the_pool_make_no_old_ones_stale(site: Site, keys: list[str]) -> None:
    site.receive(**{f"{keys[0]}_later": "one more"})
    assert site.stale(keys) == set()


def test_what_was_skipped_turns_stale_when_its_parent_is_mended(site: Site, keys: list[str]) -> None:
    rewrite(site, keys[2], "unreadable")
    site.execute(keys)
    assert site.looks("summary", keys)[keys[2]].check == "failedPartitions"
    rewrite(site, keys[2], "readable again")
    site.execute(keys, ["opened", "counted"])
    assert site.stale(keys) == {("summary", keys[2])}
    site.execute(keys, ["summary"])
    shown = site.looks("summary", keys)[keys[2]]
    assert (shown.check, shown.stale) == ("succeededPartitions", "FRESH")


def test_what_was_made_before_its_parents_turns_stale_when_they_are_there(site: Site) -> None:
    keys = site.receive(early="a letter")
    site.execute(keys, ["counted"])
    site.execute(keys, ["opened"])
    assert site.stale(keys) == {("counted", "early"), ("summary", "early")}
