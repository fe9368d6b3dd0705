"""What failed and why, in one place: a file for every failed run below `failures/` of the home.

Belongs here: writing it down. Does not: retrying (steps do that themselves) or telling people (read the folder).
"""

from datetime import UTC, datetime

import dagster as dg
import orjson

from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.files import open_files


@dg.run_failure_sensor(
    name="failed_runs",
    # Runs of the command line and of CI belong to no code location; everything on this instance is ours.
    monitor_all_code_locations=True,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Writes what failed and why to one file per run, in the folder `failures` of ENVFACTORY_HOME.",
)
def failed_runs(context: dg.RunFailureSensorContext, store: StoreResource) -> None:
    run = context.dagster_run
    steps = [
        {"step": event.step_key, "error": event.step_failure_data.error_display_string}
        for event in context.get_step_failure_events()
    ]
    report = {
        "run": run.run_id,
        "job": run.job_name,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "partitions": {name: value for name, value in run.tags.items() if "partition" in name},
        "error": context.failure_event.message,
        "steps": steps,
    }
    failures = open_files(store.resolved().failures)
    failures.replace(f"{run.run_id}.json", orjson.dumps(report, option=orjson.OPT_INDENT_2))
