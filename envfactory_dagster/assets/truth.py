"""From an environment to its inspection and its verified tasks: partitioned assets, one declaration each.

Belongs here: what each asset is called, shown as, and pooled with. Does not: how it is made (`truth`).
"""

import dagster as dg

from envfactory_dagster.assets.environment import RESOURCES, of_the_line
from envfactory_dagster.assets.retrying import SANDBOXES
from envfactory_dagster.assets.stage import stage_asset
from envfactory_dagster.truth.inspection.stage import InspectionStage
from envfactory_dagster.truth.solutions import ReferenceSolutionsStage
from envfactory_dagster.truth.verifiers import VerifiersStage

GROUP = "truth"

reference_solutions = stage_asset(
    ReferenceSolutionsStage,
    of_the_line(ReferenceSolutionsStage),
    description="For every task a program over the tools that does it: run, and run again to the same end.",
    gate="A program does each task in the sandbox, and comes to the same end when it is run again.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "python"}),
    pool=SANDBOXES,
)

verifiers = stage_asset(
    VerifiersStage,
    of_the_line(VerifiersStage),
    description="For every solved task the checks that judge it, tried on right, wrong and unfinished ends.",
    gate="Each verifier accepts every right end it was tried on, and refuses every wrong or unfinished one.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "python"}),
    pool=SANDBOXES,
)

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

LINE: list[dg.AssetsDefinition] = [reference_solutions, verifiers, inspection]
