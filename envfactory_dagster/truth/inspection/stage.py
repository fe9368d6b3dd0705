"""The stage `inspection`: one inspection for every environment that has solved tasks.

Belongs here: what it is made of, and what a person sees of it. Does not: the inspection (`inspector`).
"""

import asyncio
from dataclasses import asdict, replace

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.truth import SolutionSet
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.truth.inspection import checker, ratings, revision, tester
from envfactory_dagster.truth.inspection.inspector import STAGE, InspectionSettings, inspect_bundle

EXAMINATION = 3
"""Changes with what is looked for without a model."""


class InspectionStage:
    name = STAGE
    upstream = ("environment", "reference_solutions")
    code_version = content_hash(
        [EXAMINATION, tester.INSTRUCTIONS, checker.INSTRUCTIONS, ratings.INSTRUCTIONS, revision.INSTRUCTIONS]
    )[:12]

    def __init__(
        self,
        gateway: Gateway,
        runtime: Runtime,
        settings: AuthoringSettings,
        bundles: BundleStore,
        inspection: InspectionSettings | None = None,
    ) -> None:
        self._gateway = gateway
        self._runtime = runtime
        self._settings = settings
        self._bundles = bundles
        self._inspection = inspection or InspectionSettings()

    def settings_hash(self) -> str:
        return content_hash([self._settings.hash_for(self.name), asdict(self._inspection)])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        version = stage_input.artifact("environment")["version"]
        bundle = await asyncio.to_thread(self._bundles.load, stage_input.partition, version)
        solved = SolutionSet.model_validate(stage_input.artifact("reference_solutions")).solutions
        sealed = replace(bundle, solutions={solution.task: solution.source for solution in solved})
        inspected = await inspect_bundle(self._gateway, self._runtime, sealed, self._inspection)
        found, attempts = inspected.report.model_copy(update={"bundle": version}), inspected.attempts
        if not found.passed:
            return StageOutcome(None, attempts, rejection(found, self._inspection.threshold), shown(found))
        return StageOutcome(found.model_dump(mode="json"), attempts, metadata=shown(found))


def rejection(found: Inspection, threshold: float) -> str:
    failures = found.failures
    if failures:
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        return f"{len({failure.tool for failure in failures})} tools fail: {failures[0].message}{more}"
    if not found.tests:
        return "no test was graded: the tester or the checker gave no readable answer"
    if found.score < threshold:
        return f"its tests score {found.score:.2f}, {threshold:.2f} is the least"
    return "no tool passes more than half of its tests"


def shown(found: Inspection) -> dict[str, Json]:
    """For a person: the numbers first, then what fails."""
    return {
        "score": round(found.score, 3),
        "tests": len(found.tests),
        "coverage": round(found.facts.coverage, 3),
        "criteria": dict(found.criteria()),
        "ratings": found.ratings.model_dump(mode="json"),
        "dead_tools": list[Json](found.facts.dead_tools),
        "unreachable_values": list[Json](found.facts.unreachable_values),
        "unused_columns": list[Json](found.facts.unused_columns),
        "tools_kept": sum(tool.kept for tool in found.tools),
        "failures": [{"tool": f.tool, "criterion": f.criterion, "message": f.message} for f in found.failures],
        "revisions": [revised.model_dump(mode="json") for revised in found.revisions],
    }
