"""What assets are partitioned by, and how a run says which partitions it is about.

Belongs here: partitions definitions, ranges of keys and the tags that name them. Does not: deciding which keys there
are (`theme_pool` adds them).
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence

import dagster as dg

from envfactory_dagster.contracts.errors import UsageError

ENVIRONMENTS = "environments"
environments = dg.DynamicPartitionsDefinition(name=ENVIRONMENTS)
"""One key per environment, a slug, in the order of making, so that new ones are contiguous: one range takes them."""

ROUNDS = "rounds"
rounds = dg.DynamicPartitionsDefinition(name=ROUNDS)
"""One key per round of an experiment, `EXPERIMENT-r00` and so on. Each round goes on from the one before, so that a run
takes one."""

RANGE_VARIABLE = "ENVFACTORY_RANGE"


def _most_in_a_run() -> int:
    given = os.environ.get(RANGE_VARIABLE) or "200"
    if not given.isdecimal() or int(given) == 0:
        raise UsageError(f"{RANGE_VARIABLE} is {given!r}; it has to be a whole number of partitions, at least 1.")
    return int(given)


MOST_IN_A_RUN = _most_in_a_run()
"""Dagster plans a check for every partition of a run, at a cost that grows with the square of their number."""

_ONE = "dagster/partition"
_FIRST, _LAST = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end"

Range = tuple[str, str]
"""The first and the last key; every key that was added between them belongs to it."""


def environment_keys(instance: dg.DagsterInstance) -> list[str]:
    return list(instance.get_dynamic_partitions(ENVIRONMENTS))


def range_tags(keys: Range) -> dict[str, str]:
    """The run tags by which the UI, `dagster job execute`, sensors and the command line ask for a range."""
    first, last = keys
    return {_FIRST: first, _LAST: last}


def one_tag(key: str) -> dict[str, str]:
    """The run tag that asks for one partition."""
    return {_ONE: key}


def one_key(tags: Mapping[str, str]) -> str | None:
    """The one partition that a run is about."""
    return tags.get(_ONE)


def keys_of_run(keys: Sequence[str], places: Mapping[str, int], tags: Mapping[str, str]) -> Sequence[str]:
    """Those of all keys that a run with these tags is about. `places` says where in `keys` each of them is."""
    one = tags.get(_ONE, "")
    first, last = places.get(tags.get(_FIRST, one)), places.get(tags.get(_LAST, one))
    return keys[first : last + 1] if first is not None and last is not None else ()


def tags_of_runs_about(latest: Sequence[str]) -> list[dict[str, Sequence[str]]]:
    """The tags by which the runs about the latest keys are found: a range that holds any of them ends at one."""
    return [{_ONE: latest}, {_LAST: latest}]


def ranges(keys: Sequence[str], wanted: Collection[str]) -> Iterator[Range]:
    """The fewest ranges that hold the wanted ones among all keys and no others, none longer than a run can take."""
    stretch: list[str] = []
    for key in keys:
        if key in wanted:
            stretch.append(key)
        if stretch and (key not in wanted or len(stretch) == MOST_IN_A_RUN):
            yield stretch[0], stretch[-1]
            stretch = []
    if stretch:
        yield stretch[0], stretch[-1]
