"""What failed and why, in one place: a file for every failed run below `failures/` of the home.

Belongs here: writing it down. Does not: retrying (steps do that themselves) or telling people (read the folder).
"""

from datetime import UTC, datetime

import dagster as dg
import orjson

from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home


@dg.run_failure_sensor(
    name="failed_runs",
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Writes what failed and why to one file per run, in the folder `failures` of ENVFACTORY_HOME.",
)
def failed_runs(context: dg.RunFailureSensorContext) -> None:
    run = context.dagster_run
    steps = [
        {"step": event.step_key, "error": event.event_specific_data.error_display_string}  # type: ignore[union-attr]
        for event in context.get_step_failure_events()
    ]
    report = {
        "run": run.run_id,
        "job": run.job_name,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "partitions": {k: v for k, v in run.tags.items() if "partition" in k},
        "error": context.failure_event.message,
        "steps": steps,
    }
    open_files(Home.resolve().failures).replace(f"{run.run_id}.json", orjson.dumps(report, option=orjson.OPT_INDENT_2))
