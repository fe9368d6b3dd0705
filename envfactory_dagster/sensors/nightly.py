"""The nightly expansion: more themes every night; the sensor then builds them.

Belongs here: when, how many, and of which categories. Does not: what discovery does.
"""

import os

import dagster as dg

from envfactory_dagster.jobs import discover_themes

DEFAULT_CRON = "0 2 * * *"
DEFAULT_COUNT = 10

VARIABLES = "ENVFACTORY_NIGHTLY_CRON, ENVFACTORY_NIGHTLY_COUNT, ENVFACTORY_NIGHTLY_CATEGORIES"


@dg.schedule(
    name="nightly_expansion",
    job=discover_themes,
    cron_schedule=os.environ.get("ENVFACTORY_NIGHTLY_CRON", DEFAULT_CRON),
    description=f"Discovers {DEFAULT_COUNT} new themes at night. Set by {VARIABLES} (comma-separated).",
)
def nightly_expansion(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
    named = os.environ.get("ENVFACTORY_NIGHTLY_CATEGORIES", "")
    config = {
        "count": int(os.environ.get("ENVFACTORY_NIGHTLY_COUNT", DEFAULT_COUNT)),
        "categories": [category.strip() for category in named.split(",") if category.strip()],
    }
    return dg.RunRequest(run_config={"ops": {"theme_pool": {"config": config}}})
