"""Builds what was discovered: one range run for every batch of new partition keys.

Belongs here: noticing keys that were never tried and asking for the run. Does not: adding keys (`theme_pool` does), and
making anything again: what was tried waits for a person, whatever came of it and whatever settings have changed since.
"""

from collections.abc import Sequence

import dagster as dg

from envfactory_dagster.jobs import build_environments
from envfactory_dagster.partitions import environment_keys, range_tags, ranges
from envfactory_dagster.resources.store import StoreResource

FIRST_STAGE = "theme"
"""Every build begins with it, so an environment that has no trace of it was never tried."""


@dg.sensor(
    job=build_environments,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Launches build_environments over the partition keys that were added and never tried.",
)
def new_environments(context: dg.SensorEvaluationContext, store: StoreResource) -> dg.SensorResult:
    keys = environment_keys(context.instance)
    tried = frozenset(store.records().partitions(FIRST_STAGE))
    new = frozenset(_after(keys, context.cursor)) - tried
    cursor = keys[-1] if keys else None
    if not new:
        return dg.SensorResult(skip_reason=dg.SkipReason("No environment was added since the last run."), cursor=cursor)
    requests = [dg.RunRequest(run_key="...".join(span), tags=range_tags(span)) for span in ranges(keys, new)]
    return dg.SensorResult(requests, cursor=cursor)


def _after(keys: Sequence[str], last: str | None) -> Sequence[str]:
    """Keys are kept in the order they were added. If the last one is gone, all are looked at."""
    return keys[keys.index(last) + 1 :] if last in keys else keys
