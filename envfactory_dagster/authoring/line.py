"""The line: the stages of an environment, in the order in which they are made.

Belongs here: which stages there are. Does not: any of them, or when they run (`assets`).
"""

from envfactory_dagster.authoring.database_schema import DatabaseSchemaStage
from envfactory_dagster.authoring.environment import EnvironmentStage
from envfactory_dagster.authoring.mining.settings import MiningSettings
from envfactory_dagster.authoring.mining.stage import MinedDataStage
from envfactory_dagster.authoring.seed_rows import SeedRowsStage
from envfactory_dagster.authoring.server_code import ServerCodeStage
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.source_document import SourceDocumentStage
from envfactory_dagster.authoring.task_set import TaskSetStage
from envfactory_dagster.authoring.theme import ThemeStage
from envfactory_dagster.authoring.tool_spec import ToolSpecStage
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore


def environment_stages(
    gateway: Gateway,
    runtime: Runtime,
    settings: AuthoringSettings,
    bundles: BundleStore,
    mining: MiningSettings | None = None,
) -> list[Stage]:
    """Every stage from a source to an environment, ready to run."""
    return [
        SourceDocumentStage(),
        ThemeStage(gateway, settings),
        MinedDataStage(gateway, runtime, settings, mining or MiningSettings(), bundles.home.snapshots),
        TaskSetStage(gateway, settings),
        DatabaseSchemaStage(gateway, runtime, settings),
        SeedRowsStage(gateway, runtime, settings),
        ToolSpecStage(gateway, settings),
        ServerCodeStage(gateway, runtime, settings),
        EnvironmentStage(runtime, settings, bundles),
    ]
