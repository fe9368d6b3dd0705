"""The inspection of an environment: one partitioned asset.

Belongs here: what the asset is called, shown as, and pooled with. Does not: how it is made (`truth.inspection`).
"""

from envfactory_dagster.assets.environment import RESOURCES, of_the_line
from envfactory_dagster.assets.pools import SANDBOXES
from envfactory_dagster.assets.stage import stage_asset
from envfactory_dagster.assets.truth import GROUP
from envfactory_dagster.truth.inspection.stage import InspectionStage

inspection = stage_asset(
    InspectionStage,
    of_the_line(InspectionStage),
    description="What using the environment shows: facts, findings, graded tests of every tool, ratings, revisions.",
    gate="What was found in use is rated well enough, as it was made or as it was mended.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "python"}),
    pool=SANDBOXES,
)
