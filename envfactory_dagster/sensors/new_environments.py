"""Builds what was discovered: one range run for every batch of new partition keys.

Belongs here: noticing keys and asking for the run. Does not: adding keys (`theme_pool` does).
"""

from collections.abc import Sequence

import dagster as dg

from envfactory_dagster.jobs import build_environments
from envfactory_dagster.partitions import environment_keys, range_tags, ranges


@dg.sensor(
    job=build_environments,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Launches build_environments over the partition keys that were added since the last time.",
)
def new_environments(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    new = _after(environment_keys(context.instance), context.cursor)
    if not new:
        return dg.SkipReason("No environment was added since the last run.")
    requests = [dg.RunRequest(run_key="...".join(keys), tags=range_tags(keys)) for keys in ranges(new, frozenset(new))]
    return dg.SensorResult(requests, cursor=new[-1])


def _after(keys: Sequence[str], last: str | None) -> list[str]:
    """Keys are kept in the order they were added. If the last one is gone, all are taken: what is made is not made
    again."""
    position = keys.index(last) + 1 if last in keys else 0
    return list(keys[position:])
