"""From an environment to tasks made out of it: partitioned assets, one declaration each.

Belongs here: what each asset is called, shown as, and pooled with. Does not: how it is made (`tasks`).
"""

import dagster as dg

from envfactory_dagster.assets.environment import RESOURCES, of_the_line
from envfactory_dagster.assets.retrying import MODEL_CALLS, SANDBOXES
from envfactory_dagster.assets.stage import stage_asset
from envfactory_dagster.tasks.conversations.stage import ConversationsStage
from envfactory_dagster.tasks.families.stage import TaskFamiliesStage
from envfactory_dagster.tasks.graph.stage import ToolGraphStage
from envfactory_dagster.tasks.graph_tasks.stage import GraphTasksStage
from envfactory_dagster.tasks.program_tasks.stage import ProgramTasksStage
from envfactory_dagster.tasks.release import ReleaseStage

GROUP = "tasks"

tool_graph = stage_asset(
    ToolGraphStage,
    of_the_line(ToolGraphStage),
    description="Which tool can use what another one answers: by SQL lineage, by names, by a model's judgement.",
    gate="The edges name tools that there are.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "json"}),
    pool=MODEL_CALLS,
)

program_tasks = stage_asset(
    ProgramTasksStage,
    of_the_line(ProgramTasksStage),
    description="Hard requests with a program that does them and checks that tell whether they were done.",
    gate="Each program does its task, and its verifier stood the trials; those that did not are dropped.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "python"}),
    pool=MODEL_CALLS,
)

task_families = stage_asset(
    TaskFamiliesStage,
    of_the_line(TaskFamiliesStage),
    description="Kinds of tasks, each written once: any number of fresh tasks are drawn from them without a model.",
    gate="Of each family thirty instances were tried, and nine in ten stood the trials; other families are dropped.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "python"}),
    pool=MODEL_CALLS,
)

graph_tasks = stage_asset(
    GraphTasksStage,
    of_the_line(GraphTasksStage),
    description="Tasks along the tool graph: a chain is executed, compiled into truth, worded by a model and proven.",
    gate="Each task was executed, and its verifier stood the trials; those that did not are dropped.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "python"}),
    pool=MODEL_CALLS,
)

conversations = stage_asset(
    ConversationsStage,
    of_the_line(ConversationsStage),
    description="Every gated task as a conversation, said as people say things, and variants that must be asked about, "
    "declined or answered without a tool.",
    gate="Each conversation has the end of its task or one of its own that stood the trials; others are dropped.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "json"}),
    pool=MODEL_CALLS,
)

release = stage_asset(
    ReleaseStage,
    of_the_line(ReleaseStage),
    description="The sealed bundle: the environment with every task that has its truth, each tried once more and "
    "played by a solver who sees its words alone.",
    gate="At least one task still has its truth when it is tried on the bundle as it is sealed, and proved words.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "sqlite"}),
    pool=SANDBOXES,
    last=True,
)

LINE: list[dg.AssetsDefinition] = [
    tool_graph,
    graph_tasks,
    program_tasks,
    task_families,
    conversations,
    release,
]
