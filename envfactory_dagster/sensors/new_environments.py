"""Builds what was discovered: one range run for every batch of new partition keys.

Belongs here: noticing keys and asking for the run. Does not: adding keys (`theme_pool` does).
"""

import dagster as dg

from envfactory_dagster.jobs import build_environments
from envfactory_dagster.partitions import environments

MOST_IN_A_RUN = 200
"""Dagster plans a check for every partition of a run, at a cost that grows with the square of their number."""

RANGE_START, RANGE_END = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end"


@dg.sensor(
    job=build_environments,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Launches build_environments over the partition keys that were added since the last time.",
)
def new_environments(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    new = _after(context.instance.get_dynamic_partitions(environments.name), context.cursor)[:MOST_IN_A_RUN]
    if not new:
        return dg.SkipReason("No environment was added since the last run.")
    request = dg.RunRequest(run_key=f"{new[0]}...{new[-1]}", tags={RANGE_START: new[0], RANGE_END: new[-1]})
    return dg.SensorResult([request], cursor=new[-1])


def _after(keys: "list[str] | tuple[str, ...]", last: str | None) -> list[str]:
    """Keys are kept in the order they were added. If the last one is gone, all are taken: what is made is not made
    again."""
    position = keys.index(last) + 1 if last in keys else 0
    return list(keys[position:])
