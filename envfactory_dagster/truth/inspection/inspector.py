"""One inspection from beginning to end.

Belongs here: what is done in which order, and when an environment passes. Does not: any part of it.
"""

from dataclasses import dataclass

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.contracts.records import Attempt
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection import cross_validation, ratings, revision, rounds
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.bench import Bench
from envfactory_dagster.truth.inspection.examination import examine

STAGE = "inspection"


@dataclass(frozen=True, slots=True)
class InspectionSettings:
    rounds: int = 3
    """Of the two agents; at least one is played in every state, and one where nothing is recorded yet."""
    threshold: float = 0.85
    """The least share of tests that do not fail, for an environment that passes."""
    revisions: int = 2
    """How often failing tools may be mended."""


@dataclass(frozen=True)
class Inspected:
    """What an inspection says, and every answer that was asked for."""

    report: Inspection
    attempts: list[Attempt]


async def inspect_bundle(gateway: Gateway, runtime: Runtime, bundle: Bundle, settings: InspectionSettings) -> Inspected:
    """Failing tools are mended first, where revisions are allowed; what is said is said of the best code."""
    judge = Asking(gateway, Caller(STAGE, bundle.key, Role.JUDGE))
    author = Asking(gateway, Caller(STAGE, bundle.key, Role.AUTHOR))
    mended = await revision.revise(author, runtime, bundle, await examine(runtime, bundle), settings.revisions)
    found = mended.examined
    bench = await Bench.of(runtime, mended.bundle)
    try:
        tests = await rounds.play(judge, bench, settings.rounds)
    finally:
        runtime.retire(bench.laboratory.bundle)
    rated = await ratings.ask(judge, bench, found)
    mean, tools = rounds.score(tests), cross_validation.scores(bench.tools, tests, found.findings)
    report = Inspection(
        bundle=bundle.version,
        facts=found.facts,
        findings=[*found.findings, *rounds.scenario_faults(tests)],
        tests=tests,
        tools=tools,
        ratings=rated,
        score=mean,
        passed=not found.failures and mean >= settings.threshold and any(tool.kept for tool in tools),
        revisions=mended.rounds,
        revised_source=mended.bundle.tools_source if mended.bundle is not bundle else None,
    )
    return Inspected(report, [*author.attempts, *judge.attempts])
