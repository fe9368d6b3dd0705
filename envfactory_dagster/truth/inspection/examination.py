"""Everything about an environment that can be found out without a model.

Belongs here: the order of the looks. Does not: any single one of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.inspection import ComputedFacts, Finding
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection import (
    afterwards,
    agreement,
    bounds,
    companions,
    facts,
    loose_ends,
    ownership,
    transitions,
    trying,
)
from envfactory_dagster.truth.inspection.exploration import Exploration, SolutionTrace, explore, traces
from envfactory_dagster.truth.inspection.inspected import Inspected


@dataclass(frozen=True)
class Examined:
    """All findings, each once, the facts, what the known solutions did, and the calls that were made."""

    findings: list[Finding]
    facts: ComputedFacts
    traces: Mapping[str, SolutionTrace]
    exploration: Exploration

    @property
    def failures(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == "fail"]

    @property
    def warnings(self) -> list[Finding]:
        """What may be wrong, going by names and words: for whoever mends the tools to judge."""
        return [finding for finding in self.findings if finding.severity == "warning"]


async def examine(runtime: Runtime, bundle: Bundle) -> Examined:
    """Look at a bundle in every way there is. Tools that cannot be read at all raise `EnvironmentFault`."""
    inspected = await Inspected.of(runtime, bundle)
    try:
        known = await traces(inspected)
        exploration = await explore(inspected, known.values())
        found = [*trying.of_reading(inspected), *loose_ends.findings(inspected), *bounds.findings(inspected)]
        found += [*companions.findings(inspected), *trying.of_the_whole(inspected)]
        found += [*trying.of_the_calls(inspected, exploration), *agreement.findings(inspected, exploration)]
        found += [*bounds.of_what_grows(inspected, exploration), *afterwards.findings(inspected, exploration)]
        found += await trying.of_the_tests(inspected)
        found += await trying.of_calling(inspected, exploration)
        found += await ownership.findings(inspected, exploration)
        found += await transitions.findings(inspected, exploration)
    finally:
        runtime.retire(inspected.under_trial.bundle)
    unique = {(finding.tool, finding.message): finding for finding in found}
    return Examined(list(unique.values()), facts.computed(inspected, exploration), known, exploration)
