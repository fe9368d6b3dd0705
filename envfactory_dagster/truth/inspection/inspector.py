"""One inspection from beginning to end.

Belongs here: what is done in which order, when a tool is kept (Agent-World's cross-validation), and when an environment
passes. Does not: any other part of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.inspection import Finding, Inspection, JudgedTest, Ratings, ToolScore
from envfactory_dagster.contracts.judge_requests import LimitToTest
from envfactory_dagster.contracts.records import Attempt
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection import clerk, dropping, limits, ratings, revision, rounds
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.clerk import RefusedCall
from envfactory_dagster.truth.inspection.examination import examine
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.limits import RuleLimit
from envfactory_dagster.truth.inspection.revision import Mended
from envfactory_dagster.truth.task_by_task import too_few

STAGE = "inspection"


@dataclass(frozen=True, slots=True)
class InspectionSettings:
    rounds: int = 3
    """Of the two agents; at least one is played in every state, and one where nothing is recorded yet."""
    threshold: float = 0.85
    """The least share of tests that do not fail, for an environment that passes."""
    revisions: int = 2
    """How often failing tools may be mended."""
    least_tools: int = 1
    least_tasks: int = 1
    """So many must be left when those that fail for good are dropped."""


@dataclass(frozen=True)
class InspectionMade:
    """What an inspection says, and every answer that was asked for."""

    report: Inspection
    attempts: list[Attempt]


async def inspect_bundle(
    gateway: Gateway, runtime: Runtime, bundle: Bundle, settings: InspectionSettings
) -> InspectionMade:
    """Failing tools are mended first, where revisions are allowed; what is said is said of the best code."""
    judge = Asking(gateway, Caller(STAGE, bundle.key, Role.JUDGE))
    author = Asking(gateway, Caller(STAGE, bundle.key, Role.AUTHOR))
    mended = await revision.revise(author, runtime, bundle, await examine(runtime, bundle), settings.revisions)
    tests, open_limits, at_limits = await _played(judge, runtime, mended, settings.rounds)
    refused = await _reviewed(author, runtime, mended)
    report = [*_by_tests(bundle, tests, at_limits), *(one.finding for one in refused)]
    if report and settings.revisions:
        mended, tests, refused = await _mended_by_tests(author, judge, runtime, mended, tests, refused, report)
        report = [*_by_tests(bundle, tests, at_limits), *(one.finding for one in refused)]
    rated = await _rated(judge, runtime, mended)
    found, findings = mended.examined, [*mended.examined.findings, *report]
    tools = scores(_names(bundle), tests, findings)
    failed = {finding.tool for finding in findings if finding.severity == "fail" and not finding.of_all}
    dropped = [one.tool for one in tools if one.tool in failed]
    untested = [_of_no_test(one.tool) for one in tools if not one.tests and one.tool not in failed]
    made = Inspection(
        bundle=bundle.version,
        facts=found.facts,
        findings=[*findings, *rounds.scenario_faults(tests), *untested, *map(_of_a_limit, open_limits)],
        tests=tests,
        tools=tools,
        ratings=rated,
        score=rounds.score([test for test in tests if test.case.tool not in dropped]),
        passed=True,
        revisions=mended.rounds,
        revised_source=mended.bundle.tools_source if mended.bundle is not bundle else None,
        dropped_tools=dropped,
        dropped_tasks=list(dropping.tasks_of(dropped, found.traces, STAGE)),
        dropped_tests=[name for name in bundle.tool_tests if name not in mended.bundle.tool_tests],
    )
    passed = not rejection(made, settings, len(found.traces))
    return InspectionMade(made.model_copy(update={"passed": passed}), [*author.attempts, *judge.attempts])


def rejection(found: Inspection, settings: InspectionSettings, tasks: int) -> str:
    """Why an environment with so many solved tasks is unfit; empty when it is not. What fails is dropped where enough
    is left without it."""
    if not found.tests:
        return "no test was graded: the tester or the checker gave no readable answer"
    if found.failures:
        return found.failures[0].message
    left, worst = len(found.tools) - len(found.dropped_tools), _worst(found)
    if left < settings.least_tools:
        return f"only {left} of {len(found.tools)} tools are left, {settings.least_tools} are the least; {worst}"
    few = too_few(tasks - len(found.dropped_tasks), tasks, settings.least_tasks, found.dropped_tasks)
    if few:
        return f"{few}; {worst}"
    if found.score < settings.threshold:
        return f"its tests score {found.score:.2f}, {settings.threshold:.2f} is the least"
    return ""


def _worst(found: Inspection) -> str:
    """What is wrong with the dropped tools, in a sentence."""
    said = [one for one in found.findings if one.severity == "fail"]
    if not said:
        return "it never had more"
    more = f" (and {len(said) - 1} more)" if len(said) > 1 else ""
    tools = dict.fromkeys(one.tool for one in said)
    return f"{', '.join(tools)} failed: {said[0].message}{more}"


def _names(bundle: Bundle) -> list[str]:
    return [tool.name for tool in bundle.tools]


async def _played(
    judge: Asking, runtime: Runtime, mended: Mended, times: int
) -> tuple[list[JudgedTest], list[RuleLimit], int]:
    """The tests, the limits that none of them meets in the end, and which session was about limits."""
    inspected = await Inspected.of(runtime, mended.bundle)
    try:
        tests = await rounds.play(judge, inspected, times)
        at_limits = max((test.session for test in tests), default=-1) + 1
        unmet = await limits.unnoticed(inspected, tests, limits.limits(inspected)) if tests else []
        if unmet:
            wanted = [LimitToTest(rule=limit.rule.text, number=limit.number) for limit in unmet]
            found = await rounds.at_limits(judge, inspected, wanted, tests)
            tests += found
            unmet = await limits.unnoticed(inspected, tests, unmet) if found else unmet
    finally:
        runtime.retire(inspected.under_trial.bundle)
    return tests, unmet, at_limits


async def _reviewed(author: Asking, runtime: Runtime, mended: Mended) -> list[RefusedCall]:
    """What the tools accept, and a careful clerk would not."""
    inspected = await Inspected.of(runtime, mended.bundle)
    try:
        return await clerk.review(author, inspected, mended.examined.exploration)
    finally:
        runtime.retire(inspected.under_trial.bundle)


def _by_tests(bundle: Bundle, tests: Sequence[JudgedTest], at_limits: int) -> list[Finding]:
    """A tool that fails most of its tests, or lets through what a rule forbids."""
    beyond = [test.case.tool for test in tests if test.session == at_limits and test.grade == "fail" and test.counts]
    return rounds.failures(tests, scores(_names(bundle), tests, []), beyond)


def _of_no_test(tool: str) -> Finding:
    """That nobody could say anything of a tool does not make it wrong."""
    message = f"{tool}: none of its tests was graded."
    return Finding(tool=tool, criterion="results", severity="warning", message=message)


def _of_a_limit(limit: RuleLimit) -> Finding:
    message = f"No call tests the limit {limit.number} of the rule {limit.rule.id}: another number would do as well."
    return Finding(tool="", criterion="results", severity="warning", message=message, snippet=limit.rule.text)


async def _mended_by_tests(
    author: Asking,
    judge: Asking,
    runtime: Runtime,
    before: Mended,
    tests: list[JudgedTest],
    refused: list[RefusedCall],
    report: Sequence[Finding],
) -> tuple[Mended, list[JudgedTest], list[RefusedCall]]:
    """The code that the report brought, with the same tests and doubtful calls on it, where more of them come out
    right than before."""
    after = await revision.revise_by_tests(author, runtime, before, report)
    if after.bundle is before.bundle:
        return after, tests, refused
    inspected = await Inspected.of(runtime, after.bundle)
    try:
        made = await rounds.again(judge, inspected, tests, {finding.tool for finding in report})
        still = await clerk.still_refused(inspected, refused)
    finally:
        runtime.retire(inspected.under_trial.bundle)
    gained = rounds.score(made) - rounds.score(tests)
    if gained > 0 or (gained == 0 and len(still) < len(refused)):
        return after, made, still
    given_up = after.rounds[-1].model_copy(update={"kept": False, "problem": "its tests fail as before"})
    return replace(before, rounds=[*before.rounds, given_up]), tests, refused


async def _rated(judge: Asking, runtime: Runtime, mended: Mended) -> Ratings:
    inspected = await Inspected.of(runtime, mended.bundle)
    try:
        return await ratings.ask(judge, inspected, mended.examined)
    finally:
        runtime.retire(inspected.under_trial.bundle)


def scores(tools: Iterable[str], tests: Sequence[JudgedTest], findings: Sequence[Finding]) -> list[ToolScore]:
    """A tool without tests, or with a failure that needed no test to be found, is not kept."""
    failed = {finding.tool for finding in findings if finding.severity == "fail"}
    counted = [test for test in tests if test.counts]
    return [_score(tool, [test for test in counted if test.case.tool == tool], tool in failed) for tool in tools]


def _score(tool: str, tests: Sequence[JudgedTest], failed: bool) -> ToolScore:
    passed = sum(test.grade != "fail" for test in tests)
    score = ToolScore(tool=tool, tests=len(tests), passed=passed, kept=False)
    return score.model_copy(update={"kept": score.passes and not failed})
