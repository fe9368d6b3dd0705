"""Agent-World's cross-validation: a tool is kept when it passes more than half of its tests.

Belongs here: counting per tool. Does not: the tests (`rounds`) and the failures (`examination`).
"""

from collections.abc import Iterable, Sequence

from envfactory_dagster.contracts.inspection import Finding, JudgedTest, ToolScore


def scores(tools: Iterable[str], tests: Sequence[JudgedTest], findings: Sequence[Finding]) -> list[ToolScore]:
    """A tool without tests, or with a failure that needed no test to be found, is not kept."""
    failed = {finding.tool for finding in findings if finding.severity == "fail"}
    counted = [test for test in tests if test.counts]
    return [_score(tool, [test for test in counted if test.case.tool == tool], tool in failed) for tool in tools]


def _score(tool: str, tests: Sequence[JudgedTest], failed: bool) -> ToolScore:
    passed = sum(test.grade != "fail" for test in tests)
    score = ToolScore(tool=tool, tests=len(tests), passed=passed, kept=False)
    return score.model_copy(update={"kept": score.passes and not failed})
