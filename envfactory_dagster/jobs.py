"""Selections of assets that are run together.

Belongs here: jobs, named as `dagster job execute -j NAME` takes them. Does not: when they run (`sensors`), or what the
assets do.
"""

import dagster as dg

from envfactory_dagster.assets import discovery, environment, inspection, tasks, truth

discover_themes = dg.define_asset_job(
    "discover_themes",
    selection=dg.AssetSelection.assets(discovery.theme_pool),
    description="Propose new worlds, keep the suitable and distinct ones, and add a partition for each.",
)

build_environments = dg.define_asset_job(
    "build_environments",
    selection=dg.AssetSelection.assets(*environment.LINE, *truth.LINE, inspection.inspection, *tasks.LINE),
    description=(
        "Make environments from their themes, verify their tasks, map their tools. Takes one partition, or a range: "
        '--tags \'{"dagster/asset_partition_range_start": FIRST, "dagster/asset_partition_range_end": LAST}\'.'
    ),
)

JOBS = [discover_themes, build_environments]
