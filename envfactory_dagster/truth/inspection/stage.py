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
from envfactory_dagster.truth.inspection import checker, clerk, ratings, revision, tester
from envfactory_dagster.truth.inspection.dropping import without, without_functions
from envfactory_dagster.truth.inspection.inspector import STAGE, InspectionSettings, inspect_bundle, rejection

EXAMINATION = 6
"""Changes with what is looked for without a model."""


class InspectionStage:
    name = STAGE
    upstream = ("environment", "reference_solutions")
    code_version = content_hash(
        [
            EXAMINATION,
            tester.INSTRUCTIONS,
            checker.INSTRUCTIONS,
            clerk.INSTRUCTIONS,
            ratings.INSTRUCTIONS,
            revision.INSTRUCTIONS,
        ]
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
        return content_hash([self._settings.hash_for(self.name, drops_tasks=True), asdict(self._inspection)])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        version = stage_input.artifact("environment")["version"]
        bundle = await asyncio.to_thread(self._bundles.load, stage_input.partition, version)
        solved = SolutionSet.model_validate(stage_input.artifact("reference_solutions")).solutions
        sealed = replace(
            bundle,
            solutions={solution.task: solution.source for solution in solved},
            answer_forms={solution.task: solution.form for solution in solved},
        )
        settings = replace(
            self._inspection, least_tools=self._settings.least_tools, least_tasks=self._settings.least_tasks
        )
        inspected = await inspect_bundle(self._gateway, self._runtime, sealed, settings)
        found, attempts = inspected.report.model_copy(update={"bundle": version}), inspected.attempts
        if not found.passed:
            return StageOutcome(None, attempts, rejection(found, settings, len(solved)), shown(found))
        if found.dropped_tools or found.dropped_tests:
            tests = {name: test for name, test in bundle.tool_tests.items() if name not in found.dropped_tests}
            left = without(
                replace(bundle, tool_tests=tests), found.dropped_tools, [one.task for one in found.dropped_tasks]
            )
            folder = await asyncio.to_thread(self._bundles.keep, left)
            environment = stage_input.artifact("environment") | {
                "version": left.version,
                "path": "/".join(folder.parts[-3:]),
                "tools": len(left.tools),
                "tasks": len(left.tasks),
            }
            revised = found.revised_source
            found = found.model_copy(
                update={
                    "amended": {"environment": environment},
                    "revised_source": revised and without_functions(revised, found.dropped_tools),
                }
            )
        return StageOutcome(found.model_dump(mode="json"), attempts, metadata=shown(found))


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
        "dropped_tools": list[Json](found.dropped_tools),
        "dropped_tasks": [one.model_dump(mode="json") for one in found.dropped_tasks],
        "failures": [
            {"about": one.subject, "criterion": one.criterion, "message": one.message}
            for one in found.findings
            if one.severity == "fail"
        ],
        "revisions": [revised.model_dump(mode="json") for revised in found.revisions],
    }
