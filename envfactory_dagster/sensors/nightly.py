"""The nightly expansion: more themes every night; the sensor then builds them.

Belongs here: when, how many, and of which categories. Does not: what discovery does.
"""

import os

import dagster as dg

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.jobs import discover_themes

CRON, COUNT, CATEGORIES = "ENVFACTORY_NIGHTLY_CRON", "ENVFACTORY_NIGHTLY_COUNT", "ENVFACTORY_NIGHTLY_CATEGORIES"
DEFAULT_CRON = "0 2 * * *"
DEFAULT_COUNT = 10


@dg.schedule(
    name="nightly_expansion",
    job=discover_themes,
    cron_schedule=os.environ.get(CRON) or DEFAULT_CRON,
    description=f"Discovers {DEFAULT_COUNT} new themes at night, of all categories. {CRON}, {COUNT} and {CATEGORIES} "
    "(comma-separated) change that.",
)
def nightly_expansion() -> dg.RunRequest:
    categories = [category.strip() for category in os.environ.get(CATEGORIES, "").split(",")]
    config = {"count": _count(), "categories": [category for category in categories if category]}
    return dg.RunRequest(run_config={"ops": {"theme_pool": {"config": config}}})


def _count() -> int:
    given = os.environ.get(COUNT) or str(DEFAULT_COUNT)
    if not given.isdecimal() or int(given) == 0:
        raise UsageError(f"{COUNT} is {given!r}; it has to be a whole number of themes, at least 1.")
    return int(given)
