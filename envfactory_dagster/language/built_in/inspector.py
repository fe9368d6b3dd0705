"""The built-in tester: tests tools from outside, grades what came of the tests, rates, and mends what it can.

Belongs here: answers worked out from what a request shows. Does not: anything that knows how environments are
made.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.inspection import Finding, Grade, TestCase
from envfactory_dagster.contracts.judge_requests import (
    CheckedTest,
    ClerkReviewAnswer,
    ClerkReviewContext,
    InspectionCheckAnswer,
    InspectionCheckContext,
    InspectionRatingsAnswer,
    InspectionRatingsContext,
    InspectionRevisionAnswer,
    InspectionRevisionContext,
    InspectionTestsAnswer,
    InspectionTestsContext,
    ObservedTest,
    RatingAnswer,
    ReviewedCall,
    ToolChecked,
    ToolSource,
)
from envfactory_dagster.contracts.requests import ToolOutside
from envfactory_dagster.contracts.text_bounds import python_tree

_ABSENT = 987_654
_TEXTS = ("A few words about it.", "+49-555-0199", "A7", "2027-05-06", "2027-05-06T10:00:00", "someone@example.org")
_BOUND = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


# -- testing -----------------------------------------------------------------------------------------------------------


def inspection_tests(context: InspectionTestsContext) -> InspectionTestsAnswer:
    """Of every tool as many tests as are wanted: rows that exist, further down the list from round to round, and rows
    that do not. What a rule means it cannot tell, so it has no tests of limits."""
    if context.limits:
        return InspectionTestsAnswer(tests=[])
    rows = {table.table: table for table in context.rows}
    tests = []
    for tool in context.tools:
        for number in range(context.tests_of_a_tool if tool.inputSchema.get("properties") else 1):
            positive, turn = number % 2 == 0, (context.round - 1) * context.tests_of_a_tool + number // 2
            arguments = _arguments(tool, rows, context.user_id, turn)
            spoilt = None if positive else _spoilt(tool, arguments)
            if positive or spoilt is not None:
                expectation = "It succeeds, and shows or changes what the arguments name."
                if spoilt is not None:
                    expectation = f"It is refused: there is no such {spoilt}."
                    arguments[spoilt] = _absent(arguments[spoilt])
                tests.append(TestCase(tool=tool.name, arguments=arguments, positive=positive, expectation=expectation))
    return InspectionTestsAnswer(tests=tests)


def _arguments(tool: ToolOutside, rows: Mapping[str, TableRows], user: int, turn: int) -> dict[str, Any]:
    properties: Mapping[str, Any] = tool.inputSchema.get("properties", {})
    return {
        name: _value(name, properties[name], rows, user, turn)
        for name in tool.inputSchema.get("required", [])
        if name in properties
    }


def _value(name: str, part: Mapping[str, Any], rows: Mapping[str, TableRows], user: int, turn: int) -> Any:
    if part.get("enum"):
        return part["enum"][turn % len(part["enum"])]
    kind = part.get("type")
    if kind == "array":
        return [_value(name.removesuffix("s"), part.get("items", {}), rows, user, turn)]
    if kind == "object":
        return {key: _value(key, inner, rows, user, turn) for key, inner in part.get("properties", {}).items()}
    if kind == "boolean":
        return turn % 2 == 0
    known = [value for value in _known(name, rows, user) if _fits(value, part)]
    if known:
        return known[turn % len(known)]
    if kind in ("integer", "number"):
        return min(part.get("minimum", 1) + turn, part.get("maximum", 10**9))
    fitting = [text for text in _TEXTS if _fits(text, part)]
    return fitting[turn % len(fitting)] if fitting else _TEXTS[0]


def _known(name: str, rows: Mapping[str, TableRows], user: int) -> list[Any]:
    """Values of a parameter such as `room_id` from the table of that name, else of the columns called so."""
    noun, _, column = name.rpartition("_")
    for table in rows.values():
        if noun and column in table.columns and table.table in (noun, f"{noun}s", f"{noun}es", f"{noun[:-1]}ies"):
            at = table.columns.index(column)
            people = [i for i, c in enumerate(table.columns) if c.endswith("_id")]
            mine = sorted(table.rows, key=lambda row: not any(row[i] == user for i in people))
            return [row[at] for row in mine]
    return [row[t.columns.index(name)] for t in rows.values() if name in t.columns for row in t.rows]


def _fits(value: Any, part: Mapping[str, Any]) -> bool:
    kind = part.get("type")
    if kind == "integer":
        is_inside = isinstance(value, int) and part.get("minimum", value) <= value <= part.get("maximum", value)
        return is_inside and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float)
    is_long_enough = isinstance(value, str) and part.get("minLength", 0) <= len(value) <= part.get("maxLength", 10**6)
    return is_long_enough and re.search(part.get("pattern", ""), value) is not None


def _spoilt(tool: ToolOutside, arguments: Mapping[str, Any]) -> str | None:
    """The parameter to name nothing with."""
    properties: Mapping[str, Any] = tool.inputSchema.get("properties", {})
    named = [name for name in arguments if name.endswith(("_id", "_code")) and "maximum" not in properties[name]]
    return named[0] if named else None


def _absent(value: Any) -> Any:
    return _ABSENT if isinstance(value, int) else re.sub(r"\d", lambda digit: str(9 - int(digit[0])), str(value))


# -- checking ----------------------------------------------------------------------------------------------------------


def inspection_check(context: InspectionCheckContext) -> InspectionCheckAnswer:
    return InspectionCheckAnswer(tests=[_checked(tool, test) for tool in context.tools for test in tool.observed])


def _checked(context: ToolChecked, test: ObservedTest) -> CheckedTest:
    grade, reason = _grade(context, test)
    return CheckedTest(number=test.number, grade=grade, reason=reason)


def _grade(context: ToolChecked, test: ObservedTest) -> tuple[Grade, str]:
    if test.outcome == "environment":
        return "fail", f"It breaks instead of refusing: {test.result}"
    if test.outcome == "agent":
        if not test.result.strip():
            return "warning", "It refuses without a word."
        return (
            ("pass", "") if "raise env.Error" in context.source or not test.case.positive else ("warning", test.result)
        )
    if context.tool.only_reads and test.changes:
        return "fail", f"It only reads, and changed {test.changes[0].table}."
    if not test.case.positive and test.changes:
        return "fail", f"It was to be refused, and changed {test.changes[0].table}."
    for change in test.changes:
        for name, value in (change.after or {}).items():
            was = (change.before or {}).get(name)
            said = _said(test.result, name)
            if value != was and said is not None and said == was:
                return "fail", f"It says {name} = {said!r}, as it was; {change.table} holds {value!r} now."
    return "pass", ""


def _said(result: str, name: str) -> Any:
    """A text or number that the result says under that name."""
    found = re.search(rf'"{re.escape(name)}":(?:"([^"]*)"|(-?\d+)\b(?!\.))', result)
    if found is None:
        return None
    return found[1] if found[1] is not None else int(found[2])


def clerk_review(context: ClerkReviewContext) -> ClerkReviewAnswer:
    """It knows no trade: nothing is doubtful to it."""
    return ClerkReviewAnswer(calls=[ReviewedCall(number=one.number, verdict="fine") for one in context.calls])


# -- rating ------------------------------------------------------------------------------------------------------------


def inspection_ratings(context: InspectionRatingsContext) -> InspectionRatingsAnswer:
    facts, tasks = context.facts, max(1, len(context.tasks))
    blocked = len(context.blocked_tasks) / tasks
    idle = len(facts.unused_columns) + 3 * len(facts.untouched_tables) + len(facts.unreachable_values)
    columns = sum(table.ddl.count(",") + 1 for table in context.tables)
    reach = facts.coverage - len(context.failures) / max(1, len(context.tools))
    return InspectionRatingsAnswer(
        task_feasibility=_rating(
            1 - blocked, f"{len(context.blocked_tasks)} of {len(context.tasks)} tasks are blocked."
        ),
        data_alignment=_rating(1 - idle / max(1, columns), f"{idle} columns, tables or values serve nothing."),
        toolset_completeness=_rating(reach, f"{facts.coverage:.0%} of the tools were seen to work."),
    )


def _rating(share: float, reason: str) -> RatingAnswer:
    return RatingAnswer(score=min(5, max(1, round(1 + 4 * share))), reason=reason)


# -- mending -----------------------------------------------------------------------------------------------------------


def inspection_revision(context: InspectionRevisionContext) -> InspectionRevisionAnswer:
    """What can be mended without knowing what was meant: a bound on the wrong side, a line that does nothing but
    break. The rest is left alone."""
    return InspectionRevisionAnswer(
        tools=[tool for source in context.sources for tool in _mended(source, context.report)]
    )


def _mended(source: ToolSource, report: Sequence[Finding]) -> Iterator[ToolSource]:
    tree = python_tree(source.source)
    before = ast.dump(tree)
    for finding in (finding for finding in report if finding.tool == source.tool):
        bound = re.search(r"where its words mean .* (<=|>=|<|>) ", finding.message)
        if bound is not None:
            _turn_bound(tree, finding.snippet)
        elif "breaks" in finding.message:
            _drop_idle_lines(tree)
    if ast.dump(tree) != before:
        yield ToolSource(tool=source.tool, source=ast.unparse(tree) + "\n")


def _turn_bound(tree: ast.Module, text: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and ast.unparse(node) == text and type(node.ops[0]) in _BOUND:
            node.ops = [_BOUND[type(node.ops[0])]()]
            return


def _drop_idle_lines(tree: ast.Module) -> None:
    """Statements whose value goes nowhere and that do not speak to the environment."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = [statement for statement in node.body if not _is_idle(statement)] or [ast.Pass()]


def _is_idle(node: ast.stmt) -> bool:
    is_value = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    return is_value and "env" not in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
