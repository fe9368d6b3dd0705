"""EnvFactory's revision loop: report what fails, have it mended, inspect the mended code again, keep the best.

Belongs here: the question, and the loop around it. Does not: what is found (`examination`).
"""

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from envfactory_dagster.authoring.loop import Question
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import Table
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.inspection import Finding, Revised
from envfactory_dagster.contracts.judge_requests import InspectionRevisionAnswer, InspectionRevisionContext, ToolSource
from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection import trying
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.examination import Examined, examine
from envfactory_dagster.truth.inspection.inspected import Inspected

INSTRUCTIONS = """\
You mend the tools of the service that `theme` describes. `report` lists what was found by using them: which tool, which
criterion it fails (interface, execution, results, state), what is wrong and where. `sources` is the code of these tools
with their helpers, `tools` their interface, `tables` the database.

Give every tool of `sources` that has to change, whole, in the same form: `tool` and `source`, helpers included. First
find the cause that explains most of the report. Change what is wrong and nothing else: signatures, fields and sentences
that are right stay as they are. A finding may be mistaken; then leave the code of its tool alone, and you are not asked
about it again. One of the severity `warning` goes by names and words alone and often is: change the code for it only
where the rules or the interface of the tool say that it is wrong.
"""


class UnusableAnswer(Exception):
    """An answer that mends nothing, because nobody can read it or it changes nothing."""


@dataclass(frozen=True)
class Mended:
    """The best code that came of it, with what is still found in it."""

    bundle: Bundle
    examined: Examined
    rounds: list[Revised] = field(default_factory=list)
    left: frozenset[tuple[str, str]] = frozenset()
    """Tool and message of each finding that the author takes for mistaken: it was asked, and left the code as it is."""

    def unanswered(self, findings: Sequence[Finding]) -> list[Finding]:
        return [one for one in findings if (one.tool, one.message) not in self.left]


async def revise(asking: Asking, runtime: Runtime, bundle: Bundle, examined: Examined, rounds: int) -> Mended:
    """At most so many rounds, each from the best code so far. The author judges warnings in the first; those that it
    leaves stay warnings. Of a finding that it leaves the code as it is for, it is not asked again."""
    best = Mended(bundle, examined)
    for number in range(1, rounds + 1):
        if not best.unanswered(best.examined.failures) and not (number == 1 and best.examined.warnings):
            break
        best = await _round(asking, runtime, best, number)
    return best


async def revise_by_tests(asking: Asking, runtime: Runtime, best: Mended, report: Sequence[Finding]) -> Mended:
    """One more round, from what tests showed. What comes of it must not fail more than before without any test."""
    return await _round(asking, runtime, best, len(best.rounds) + 1, report)


async def _round(
    asking: Asking, runtime: Runtime, best: Mended, number: int, by_tests: Sequence[Finding] = ()
) -> Mended:
    before, warned = best.examined.failures, best.examined.warnings
    report = best.unanswered([*before, *(by_tests or warned)])
    try:
        inspected = await Inspected.of(runtime, best.bundle)
        sources = await _ask(asking, inspected, report, number)
        mended = replace(best.bundle, tools_source=with_tools(best.bundle.tools_source, sources))
        best = replace(best, left=best.left | _left(inspected, mended.tools_source, report))
        if mended.tools_source == best.bundle.tools_source:
            raise UnusableAnswer("nothing was changed")
        if by_tests:
            mended = await _without_stale_tests(runtime, mended, {finding.tool for finding in by_tests})
        found = await examine(runtime, mended)
    except (UnusableAnswer, EnvironmentFault) as unusable:
        problem = str(unusable) or type(unusable).__name__
        tried = Revised(
            number=number, failures_before=len(before), failures_after=len(before), kept=False, problem=problem
        )
        return replace(best, rounds=[*best.rounds, tried])
    after = found.failures
    mends_warnings = len(after) == len(before) and len(found.warnings) < len(warned)
    kept = len(after) < len(before) + bool(by_tests) or mends_warnings
    tried = Revised(number=number, failures_before=len(before), failures_after=len(after), kept=kept)
    rounds = [*best.rounds, tried]
    return Mended(mended, found, rounds, best.left) if kept else replace(best, rounds=rounds)


def _left(inspected: Inspected, module: str, report: Sequence[Finding]) -> frozenset[tuple[str, str]]:
    """The findings of tools whose function and helpers are in this module as they were. What is found in no single tool
    may be mended anywhere."""
    same = module == inspected.bundle.tools_source
    written = {node.name: ast.dump(node) for node in python_tree(module).body if isinstance(node, ast.FunctionDef)}
    alone = {
        tool
        for tool in inspected.tools
        if all(written.get(node.name) == ast.dump(node) for node in inspected.functions(tool))
    }
    return frozenset((one.tool, one.message) for one in report if same or (one.tool in alone and not one.of_all))


async def _without_stale_tests(runtime: Runtime, mended: Bundle, tools: Collection[str]) -> Bundle:
    """Who wrote a tool with a mistaken limit wrote its calls with the same mistake: where they contradict the mended
    code, they go."""
    inspected = await Inspected.of(runtime, mended)
    try:
        stale = {finding.tool for finding in await trying.of_the_tests(inspected)} & set(tools)
    finally:
        runtime.retire(inspected.under_trial.bundle)
    return replace(mended, tool_tests={name: test for name, test in mended.tool_tests.items() if name not in stale})


async def _ask(asking: Asking, inspected: Inspected, report: Sequence[Finding], number: int) -> list[ToolSource]:
    named = [tool for tool in inspected.tools if any(finding.tool == tool for finding in report)]
    schema = load_schema(inspected.bundle.schema_sql)
    context = InspectionRevisionContext(
        theme=inspected.bundle.theme,
        tables=[Table(name=table.name, ddl=table.sql) for table in schema.tables.values()],
        tools=[inspected.tools[tool] for tool in named],
        sources=[ToolSource(tool=tool, source=inspected.source(tool)) for tool in named],
        report=list(report),
    )
    question = Question("inspection_revision", InspectionRevisionAnswer, INSTRUCTIONS, context)
    answer, problem = await asking.once(question, number)
    if answer is None:
        raise UnusableAnswer(problem)
    return [source for source in answer.value.tools if source.tool in named]


def with_tools(module: str, sources: Sequence[ToolSource]) -> str:
    """The module with the functions of the sources in the place of those of the same name; new helpers come first."""
    tree = python_tree(module)
    known = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    lines = module.splitlines(keepends=True)
    mended: dict[str, str] = {}
    for source in sources:
        written = source.source.splitlines()
        for node in python_tree(source.source).body:
            if isinstance(node, ast.FunctionDef):
                mended[node.name] = "\n".join(written[node.lineno - 1 : node.end_lineno])
    for name, node in sorted(known.items(), key=lambda item: item[1].lineno, reverse=True):
        if name in mended:
            lines[node.lineno - 1 : node.end_lineno] = [mended[name] + "\n"]
    first = min((node.lineno for node in known.values()), default=len(lines) + 1)
    new = "".join(f"{text}\n\n\n" for name, text in mended.items() if name not in known)
    return "".join(lines[: first - 1]) + new + "".join(lines[first - 1 :])
