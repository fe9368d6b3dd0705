"""From an environment to tasks made out of it: partitioned assets, one declaration each.

Belongs here: what each asset is called, shown as, and pooled with. Does not: how it is made (`tasks`).
"""

import dagster as dg

from envfactory_dagster.assets.environment import RESOURCES, of_the_line
from envfactory_dagster.assets.pools import MODEL_CALLS
from envfactory_dagster.assets.stage import stage_asset
from envfactory_dagster.tasks.graph.stage import ToolGraphStage

GROUP = "tasks"

tool_graph = stage_asset(
    ToolGraphStage,
    of_the_line(ToolGraphStage),
    description="Which tool can use what another one answers: by SQL lineage, by names, by a model's judgement.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "json"}),
    pool=MODEL_CALLS,
)

LINE: list[dg.AssetsDefinition] = [tool_graph]
