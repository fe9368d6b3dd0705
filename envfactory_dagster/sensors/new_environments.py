"""Builds what was discovered: one range run for every batch of partition keys that were added since the last tick.

Belongs here: noticing keys and asking for the run, and once or twice again where the run failed. Does not: adding keys
(`theme_pool` does), and making anything again that came to an end: what was released, rejected or cancelled waits for a
person, whatever settings have changed since.

The cursor begins at the keys that are there at the first tick: these wait for a person, so that nothing is spent
because somebody opened the UI. Each key added after that is looked at once, and so is each failed run when it is due. A
tick therefore reads a few runs, however many there are.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

import dagster as dg
from pydantic import ValidationError

from envfactory_dagster.contracts.base import Contract
from envfactory_dagster.jobs import LINE, build_environments
from envfactory_dagster.partitions import environment_keys, keys_of_run, range_tags, ranges, tags_of_runs_about
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.records import RecordStore

STAGES = tuple(asset.key.to_user_string() for asset in LINE)
FIRST, LAST = STAGES[0], STAGES[-1]
"""Every build begins with the first, so an environment that has no trace of it was never tried."""

WAITS_S = (10 * 60, 60 * 60)
"""How long after its first and its second failed run an environment is asked for again. The third run is the last."""

LOOKS_BACK = timedelta(days=7)
"""A run that failed longer ago waits for a person."""

KeysOf = Callable[[Mapping[str, str]], Sequence[str]]
"""From the tags of a run to the keys that it is about."""

_SENSOR = "dagster/sensor_name"
_CLOCKS_DIFFER_BY = timedelta(minutes=1)


class Cursor(Contract):
    last_key: str
    """The latest key that was looked at; empty when there was none yet."""
    done_with: tuple[str, ...] = ()
    """The failed runs of the last days that were looked at when they were due."""


@dg.sensor(
    job=build_environments,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Launches build_environments over the partition keys that were added since the last tick, and over "
    "those whose run failed, twice more at most. The keys that are there at the first tick wait for a person, and so "
    "does what was released, rejected or cancelled.",
)
def new_environments(context: dg.SensorEvaluationContext, store: StoreResource) -> dg.SensorResult:
    keys = environment_keys(context.instance)
    cursor = _cursor(context.cursor)
    places = {key: place for place, key in enumerate(keys)}
    keys_of = partial(keys_of_run, keys, places)
    if cursor is None or (cursor.last_key and cursor.last_key not in places):
        return _begin_after(keys)
    wanted: dict[int, set[str]] = defaultdict(set)
    new = keys[places[cursor.last_key] + 1 :] if cursor.last_key else keys
    if new:
        wanted[1] |= set(new) - _tried(context.instance, store, new, keys_of)
    done_with = []
    own = _own_runs(context.instance)
    for record in own:
        if record.dagster_run.status != dg.DagsterRunStatus.FAILURE:
            continue
        if record.dagster_run.run_id in cursor.done_with:
            done_with.append(record.dagster_run.run_id)
            continue
        tries = _tries(record, own, keys_of)
        if tries <= len(WAITS_S) and not _is_due(record, tries):
            continue
        done_with.append(record.dagster_run.run_id)
        if tries <= len(WAITS_S):
            wanted[tries + 1] |= _unfinished(context.instance, store.records(), record, keys_of)
    requests = [
        dg.RunRequest(run_key=_run_key(span, attempt), tags=range_tags(span))
        for attempt, those in sorted(wanted.items())
        for span in ranges(keys, those)
    ]
    after = Cursor(last_key=keys[-1] if keys else "", done_with=tuple(done_with)).model_dump_json()
    if not requests:
        nothing = "No environment is new, and none whose run failed is due."
        return dg.SensorResult(skip_reason=nothing, cursor=after)
    return dg.SensorResult(requests, cursor=after)


def _cursor(text: str | None) -> Cursor | None:
    try:
        return Cursor.model_validate_json(text or "")
    except ValidationError:
        return None


def _begin_after(keys: Sequence[str]) -> dg.SensorResult:
    waiting = (
        f" {len(keys)} were there before and wait for a person: `envfactory build`, or Materialize." if keys else ""
    )
    return dg.SensorResult(
        skip_reason=f"Environments that are added from now on are built.{waiting}",
        cursor=Cursor(last_key=keys[-1] if keys else "").model_dump_json(),
    )


def _tried(instance: dg.DagsterInstance, store: StoreResource, new: Sequence[str], keys_of: KeysOf) -> set[str]:
    """Those of the new keys that have a record, or that any run is about, whoever started it."""
    tried = {*store.records().partitions(FIRST), *store.bundles().keys()}
    for tags in tags_of_runs_about(new):
        for record in instance.get_run_records(dg.RunsFilter(tags=tags)):
            tried.update(keys_of(record.dagster_run.tags))
    return tried


def _own_runs(instance: dg.DagsterInstance) -> Sequence[dg.RunRecord]:
    """Those of the last days that were asked for here; those that Dagster started again count too."""
    since = _now() - LOOKS_BACK
    return instance.get_run_records(dg.RunsFilter(tags={_SENSOR: new_environments.name}, updated_after=since))


def _tries(failed: dg.RunRecord, own: Sequence[dg.RunRecord], keys_of: KeysOf) -> int:
    """How many runs were asked for here up to this one, about any of the same keys."""
    about = {*keys_of(failed.dagster_run.tags)}
    earlier = (record for record in own if record.storage_id <= failed.storage_id)
    return sum(not about.isdisjoint(keys_of(record.dagster_run.tags)) for record in earlier)


def _is_due(failed: dg.RunRecord, tries: int) -> bool:
    ended = failed.end_time or failed.update_timestamp.timestamp()
    return time.time() >= ended + WAITS_S[tries - 1]


def _unfinished(instance: dg.DagsterInstance, records: RecordStore, failed: dg.RunRecord, keys_of: KeysOf) -> set[str]:
    """What the run has left to do. What a person, or Dagster, has started since is left to them."""
    since = dg.RunsFilter(created_after=failed.create_timestamp - _CLOCKS_DIFFER_BY)
    taken_over = {
        key
        for record in instance.get_run_records(since)
        if record.storage_id > failed.storage_id
        for key in keys_of(record.dagster_run.tags)
    }
    about = keys_of(failed.dagster_run.tags)
    return {key for key in about if key not in taken_over and not _is_settled(records, key)}


def _now() -> datetime:
    return datetime.fromtimestamp(time.time(), UTC)


def _is_settled(records: RecordStore, key: str) -> bool:
    """Released or rejected. A run fails for one environment, while most of its range may have come out."""
    last = records.head(LAST, key)
    if last is not None and last.status == "ok":
        return True
    return any(head is not None and head.status == "rejected" for head in (records.head(one, key) for one in STAGES))


def _run_key(span: tuple[str, str], attempt: int) -> str:
    name = "...".join(span)
    return name if attempt == 1 else f"{name}, attempt {attempt}"
