"""Verifiers and tools that were broken on purpose, and whether they are caught.

Belongs here: five ways to break a verifier, injecting them, and putting environments with one broken tool before
inspection. Does not: the gate and inspection themselves, which know nothing of this module.
"""

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from benchmarks.made_worlds import Made
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.inspection import Severity
from envfactory_dagster.contracts.truth import Verifier
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.gate import try_verifier
from envfactory_dagster.truth.inspection.examination import examine
from tests.support.broken_tools import KINDS, BrokenTool, break_tool
from tests.truth.references import checks, seen_through

SHARE = 0.2
_OF_THE_REPORT = re.compile(r"world\.report")

Spoiled = tuple[str, str]
"""A description of the planted fault, and the source of the verifier with it."""

# -- verifiers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sabotaged:
    """A broken verifier, and whether the gate refused it."""

    environment: str
    task: str
    kind: str
    what: str
    caught: bool


async def sabotage(runtime: Runtime, environments: Sequence[Made], seed: int = 1) -> list[Sabotaged]:
    """A fifth of all verifiers, each broken in one of five ways in turn; in the next where there is no place for it."""
    random = Random(seed)
    tasks = [(made, task) for made in environments for task in made.verifiers]
    found = []
    for number, (made, task) in enumerate(random.sample(tasks, round(SHARE * len(tasks)))):
        kind, (what, source) = _spoiled(made, task, number, random)
        gate = await try_verifier(
            runtime,
            made.bundle,
            made.task(task),
            made.solutions[task],
            Verifier(task=task, source=source),
            donors=made.donors(task),
        )
        found.append(Sabotaged(made.bundle.key, task, kind, what, not gate.passed))
        runtime.retire(made.bundle)
    return found


def _spoiled(made: Made, task: str, number: int, random: Random) -> tuple[str, Spoiled]:
    kinds = list(SABOTAGE)
    turned = kinds[number % len(kinds) :] + kinds[: number % len(kinds)]
    spoiled = ((kind, SABOTAGE[kind](made, task, random)) for kind in turned)
    return next((kind, found) for kind, found in spoiled if found is not None)


def _source(made: Made, task: str) -> str:
    return made.verifiers[task].verifier.source


def always_true(made: Made, task: str, random: Random) -> Spoiled | None:
    names = checks(_source(made, task))
    return "every check says yes", "\n".join(f"def {name}(world):\n    return True\n" for name in names)


def only_the_report(made: Made, task: str, random: Random) -> Spoiled | None:
    """Nothing of the database counts: neither goals nor guards. Where nothing is to be told, any report does."""
    source = _source(made, task)
    functions = re.split(r"(?m)^(?=def )", source)
    of_the_report = [text for text in functions if not _is_check(text) or _OF_THE_REPORT.search(text)]
    if not any("def goal_" in text for text in of_the_report):
        of_the_report.append('def goal_is_said_to_be_done(world):\n    return world.report.outcome == "done"\n')
    return "looks at nothing but the report", "".join(of_the_report)


def _is_check(text: str) -> bool:
    return bool(checks(text))


def ignores_a_table(made: Made, task: str, random: Random) -> Spoiled | None:
    """Whatever happens to one table of the whole schema is not seen: twice as often one that the task is about."""
    touched = sorted({change.table for change in made.solutions[task].changes})
    table = random.choice(touched * 2 + sorted(made.schema.tables))
    shown = f"[c for c in world.changes if c['table'] != {table!r}]"
    return f"does not see {table}", seen_through(_source(made, task), changes=shown)


def off_by_one(made: Made, task: str, random: Random) -> Spoiled | None:
    """A number that something is compared with or that a query is given, or a number that is to be said."""
    sites = one_more(made, task)
    return random.choice(sites) if sites else None


def one_more(made: Made, task: str) -> list[Spoiled]:
    """Every way in which this verifier may be off by one."""
    source, told = _source(made, task), made.solutions[task].report.answers
    numbers = {name for name, value in told.items() if isinstance(value, int) and not isinstance(value, bool)}
    lines = source.splitlines(keepends=True)
    found = []
    for node in _numbers(ast.parse(source), numbers):
        assert node.end_lineno is not None and node.end_col_offset is not None
        begin = sum(map(len, lines[: node.lineno - 1])) + _characters(lines[node.lineno - 1], node.col_offset)
        end = sum(map(len, lines[: node.end_lineno - 1])) + _characters(lines[node.end_lineno - 1], node.end_col_offset)
        more = f"({source[begin:end]} + 1)"
        found.append((f"line {node.lineno}: {more}", f"{source[:begin]}{more}{source[end:]}"))
    return found


def _numbers(module: ast.Module, told: Collection[str]) -> Iterator[ast.expr]:
    """`told`: the fields that are answered with a whole number."""
    for node in ast.walk(module):
        match node:
            case ast.Compare(left=left, comparators=others):
                yield from (one for one in (left, *others) if _is_number(one))
            case ast.Call(func=ast.Attribute(attr="says"), args=[ast.Constant(value=name), value]) if name in told:
                yield value
            case ast.Call(func=ast.Attribute(attr="query" | "one"), args=[_, ast.List(elts=values)]):
                yield from (one for one in values if _is_number(one))


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _characters(line: str, bytes_before: int) -> int:
    return len(line.encode()[:bytes_before].decode())


def reads_the_initial_state(made: Made, task: str, random: Random) -> Spoiled | None:
    """Goals ask the database as it was. Of no consequence where nothing is to be changed."""
    if made.task(task).kind != "action":
        return None
    return "asks the initial state", seen_through(_source(made, task), final="world.initial")


SABOTAGE: Mapping[str, Callable[[Made, str, Random], Spoiled | None]] = {
    way.__name__: way for way in (always_true, only_the_report, ignores_a_table, off_by_one, reads_the_initial_state)
}

# -- tools -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Inspected:
    """An environment with one broken tool, and what inspection said of the tools that reach the bug."""

    environment: str
    kind: str
    what: str
    found: bool
    """It fails one of them, or warns of one: the author is asked about either."""
    only_warned: bool


@dataclass(frozen=True, slots=True)
class Inspections:
    broken: list[Inspected]
    alarms: list[str]
    """Failures of tools that nobody broke."""
    warnings: list[str]
    """What the author is asked about tools that nobody broke."""
    tools: int
    """Good tools that were inspected."""


async def inspect_broken_tools(runtime: Runtime, environments: Sequence[Made], seed: int = 1) -> Inspections:
    """Each environment as it is, and once for every kind of bug. What is found without the bug as well finds none.

    What needs no model is all that looks here: the built-in judge grades the calls that its tester makes, and either
    could only add to what is found."""
    broken: list[Inspected] = []
    alarms: list[str] = []
    warnings: list[str] = []
    for number, made in enumerate(environments):
        sealed = replace(made.bundle, solutions={task: gold.source for task, gold in made.solutions.items()})
        before = await _findings(runtime, sealed)
        for tool, message, severity in sorted(before):
            (alarms if severity == "fail" else warnings).append(f"{made.bundle.key}: {tool}: {message}")
        for spoiled in _broken(sealed, seed + number):
            new = await _findings(runtime, replace(sealed, tools_source=spoiled.source)) - before
            severities = {severity for tool, _, severity in new if tool in (*spoiled.tools, "")}
            what = f"{spoiled.function}: {spoiled.what}"
            only_warned = severities == {"warning"}
            broken.append(Inspected(made.bundle.key, spoiled.kind, what, bool(severities), only_warned))
    return Inspections(broken, alarms, warnings, sum(len(made.bundle.tools) for made in environments))


def _broken(bundle: Bundle, seed: int) -> Iterator[BrokenTool]:
    for kind in KINDS:
        spoiled = break_tool(bundle.tools_source, bundle.schema_sql, kind, seed)
        if spoiled is not None:
            yield spoiled


async def _findings(runtime: Runtime, bundle: Bundle) -> set[tuple[str, str, Severity]]:
    try:
        return {(one.tool, one.message, one.severity) for one in (await examine(runtime, bundle)).findings}
    except EnvironmentFault as fault:
        return {("", str(fault), "fail")}
