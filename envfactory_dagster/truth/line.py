"""The stages of the truth, in the order in which they are made.

Belongs here: which stages there are. Does not: any of them, or when they run (`assets`).
"""

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.truth.inspection.inspector import InspectionSettings
from envfactory_dagster.truth.inspection.stage import InspectionStage
from envfactory_dagster.truth.solutions import ReferenceSolutionsStage
from envfactory_dagster.truth.verifiers import VerifiersStage


def truth_stages(
    gateway: Gateway,
    runtime: Runtime,
    settings: AuthoringSettings,
    bundles: BundleStore,
    inspection: InspectionSettings | None = None,
) -> list[Stage]:
    """Every stage from an environment to its verified tasks, ready to run."""
    return [
        ReferenceSolutionsStage(gateway, runtime, settings, bundles),
        VerifiersStage(gateway, runtime, settings, bundles),
        InspectionStage(gateway, runtime, settings, bundles, inspection),
    ]
