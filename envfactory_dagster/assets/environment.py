"""The line from a source to an environment: nine partitioned assets, one declaration each.

Belongs here: what each asset is called, shown as, and pooled with. Does not: how it is made (`authoring`).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import dagster as dg

from envfactory_dagster.assets.retrying import MODEL_CALLS, SANDBOXES
from envfactory_dagster.assets.stage import OpenStage, stage_asset
from envfactory_dagster.authoring.database_schema import DatabaseSchemaStage
from envfactory_dagster.authoring.environment import EnvironmentStage
from envfactory_dagster.authoring.mining.stage import MinedDataStage
from envfactory_dagster.authoring.seed_rows import SeedRowsStage
from envfactory_dagster.authoring.server_code import ServerCodeStage
from envfactory_dagster.authoring.source_document import SourceDocumentStage
from envfactory_dagster.authoring.task_set import TaskSetStage
from envfactory_dagster.authoring.theme import ThemeStage
from envfactory_dagster.authoring.tool_spec import ToolSpecStage
from envfactory_dagster.contracts.stages import Stage, StageDeclaration

GROUP = "environment"
RESOURCES = frozenset({"authoring"})


def of_the_line(declaration: StageDeclaration) -> OpenStage:
    """Opens a stage among those of the resource `authoring`."""

    @asynccontextmanager
    async def open_stage(resources: Any) -> AsyncIterator[Stage]:
        async with resources.authoring.stages(resources.store) as stages:
            yield stages[declaration.name]

    return open_stage


source_document = stage_asset(
    SourceDocumentStage,
    of_the_line(SourceDocumentStage),
    description="What the world is made from, whole: tools with schemas, sections, tasks. Of invented worlds: nothing.",
    gate="What was kept is the very entry that the theme was taken from, unchanged.",
    group=GROUP,
    drawn_from={"proposal": "theme_pool"},
    resources=RESOURCES,
    kinds=frozenset({"json"}),
    pool=MODEL_CALLS,
)

theme = stage_asset(
    ThemeStage,
    of_the_line(ThemeStage),
    description="A world in a few sentences: who uses it, what it keeps records of, and the rules it is held to.",
    gate="As many rules as were asked for, three entities or more, and a description to build a world from.",
    group=GROUP,
    drawn_from={"proposal": "theme_pool"},
    resources=RESOURCES,
    kinds=frozenset({"llm", "json"}),
    pool=MODEL_CALLS,
)

mined_data = stage_asset(
    MinedDataStage,
    of_the_line(MinedDataStage),
    description="Records that were found in documents, each with the place where it stands. Of other worlds: nothing.",
    gate="Keys are unique, references resolve, every record cites its place, and nine in ten values stand there.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "json"}),
    pool=MODEL_CALLS,
)

task_set = stage_asset(
    TaskSetStage,
    of_the_line(TaskSetStage),
    description="What one person would ask of the world: things to do, things to find out, things a rule forbids.",
    gate="As many tasks as were asked for, no two alike, of every kind, from every state, and "
    "resting on rules of the theme.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "json"}),
    pool=MODEL_CALLS,
)

database_schema = stage_asset(
    DatabaseSchemaStage,
    of_the_line(DatabaseSchemaStage),
    description="The tables that the tasks and rules need, as strict SQLite DDL that builds.",
    gate="The tables build in SQLite, are strict, and keep everything that the tasks are about.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "sqlite"}),
    pool=MODEL_CALLS,
)

seed_rows = stage_asset(
    SeedRowsStage,
    of_the_line(SeedRowsStage),
    description="The rows of every initial state: the same tables with other people and data, all constraints on.",
    gate="Every state fills all tables, all constraints hold, and no state is another with a few rows changed.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "sqlite"}),
    pool=MODEL_CALLS,
)

tool_spec = stage_asset(
    ToolSpecStage,
    of_the_line(ToolSpecStage),
    description="The tools as MCP definitions: parameters, results and hints, the assistant's and the user's.",
    gate="Every schema can be checked, parameters fit the columns, and every task and table is within reach.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "json"}),
    pool=MODEL_CALLS,
)

server_code = stage_asset(
    ServerCodeStage,
    of_the_line(ServerCodeStage),
    description="The functions behind the tools. Every one has been called in the sandbox, rightly and wrongly.",
    gate="Every function passed its tests in the sandbox: good calls, bad calls, and what each changes.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"llm", "python"}),
    pool=SANDBOXES,
)

environment = stage_asset(
    EnvironmentStage,
    of_the_line(EnvironmentStage),
    description="The bundle: a folder with everything above and a server of its own, under its content hash.",
    gate="The bundle comes back from its folder unchanged, and every tool works in it once more.",
    group=GROUP,
    resources=RESOURCES,
    kinds=frozenset({"sqlite", "python"}),
    pool=SANDBOXES,
)

SOURCES: list[dg.AssetsDefinition] = [source_document]
"""Made with the proposal: an environment that has one has not been begun yet."""

LINE: list[dg.AssetsDefinition] = [
    theme,
    mined_data,
    task_set,
    database_schema,
    seed_rows,
    tool_spec,
    server_code,
    environment,
]
