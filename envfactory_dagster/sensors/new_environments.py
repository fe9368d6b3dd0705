"""Builds what was discovered: one range run for every batch of partition keys that were never tried.

Belongs here: noticing keys and asking for the run, and once or twice again where the run failed. Does not: adding keys
(`theme_pool` does), and making anything again that came to an end: what was released, rejected or cancelled waits for a
person, whatever settings have changed since.

There is no cursor. What was tried is on record: a fresh Dagster instance on a home that was built elsewhere, or the
same one under another code location, must not take it for new.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence

import dagster as dg

from envfactory_dagster.jobs import LINE, build_environments
from envfactory_dagster.partitions import environment_keys, keys_of_run, range_tags, ranges
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.records import RecordStore

STAGES = tuple(asset.key.to_user_string() for asset in LINE)
FIRST, LAST = STAGES[0], STAGES[-1]
"""Every build begins with the first, so an environment that has no trace of it was never tried."""

WAITS_S = (10 * 60, 60 * 60)
"""How long after its first and its second failed run an environment is asked for again. The third run is the last."""

_SENSOR = "dagster/sensor_name"


@dg.sensor(
    job=build_environments,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Launches build_environments over the partition keys that were never tried, and over those whose run "
    "failed, twice more at most. What was released, rejected or cancelled waits for a person.",
)
def new_environments(context: dg.SensorEvaluationContext, store: StoreResource) -> dg.SensorResult | dg.SkipReason:
    keys = environment_keys(context.instance)
    runs = _runs(context.instance, keys)
    records = store.records()
    on_record = {*records.partitions(FIRST), *store.bundles().keys()}
    wanted: dict[int, set[str]] = defaultdict(set)
    for key in keys:
        if key not in runs:
            if key not in on_record:
                wanted[1].add(key)
        elif _is_due(runs[key]) and not _is_settled(records, key):
            wanted[_own(runs[key]) + 1].add(key)
    requests = [
        dg.RunRequest(run_key=_run_key(span, attempt), tags=range_tags(span))
        for attempt, those in sorted(wanted.items())
        for span in ranges(keys, those)
    ]
    if not requests:
        return dg.SkipReason("No environment is new, and none whose run failed is due.")
    return dg.SensorResult(requests)


def _runs(instance: dg.DagsterInstance, keys: Sequence[str]) -> Mapping[str, Sequence[dg.RunRecord]]:
    """Key → the runs that were about it, whoever started them, the newest first."""
    found: dict[str, list[dg.RunRecord]] = defaultdict(list)
    places = {key: place for place, key in enumerate(keys)}
    for record in instance.get_run_records():
        for key in keys_of_run(keys, places, record.dagster_run.tags):
            found[key].append(record)
    return found


def _own(runs: Sequence[dg.RunRecord]) -> int:
    """How many of them were asked for here; those that Dagster started again count too."""
    return sum(_is_own(record) for record in runs)


def _is_own(record: dg.RunRecord) -> bool:
    return record.dagster_run.tags.get(_SENSOR) == new_environments.name


def _is_due(runs: Sequence[dg.RunRecord]) -> bool:
    """Whether the newest run failed and is to be repeated now. What a person has started since is left to them."""
    newest, tries = runs[0], _own(runs)
    failed = newest.dagster_run.status == dg.DagsterRunStatus.FAILURE
    if not failed or not _is_own(newest) or tries > len(WAITS_S):
        return False
    ended = newest.end_time or newest.update_timestamp.timestamp()
    return time.time() >= ended + WAITS_S[tries - 1]


def _is_settled(records: RecordStore, key: str) -> bool:
    """Released or rejected. A run fails for one environment, while most of its range may have come out."""
    last = records.head(LAST, key)
    if last is not None and last.status == "ok":
        return True
    return any(head is not None and head.status == "rejected" for head in (records.head(one, key) for one in STAGES))


def _run_key(span: tuple[str, str], attempt: int) -> str:
    name = "...".join(span)
    return name if attempt == 1 else f"{name}, attempt {attempt}"
