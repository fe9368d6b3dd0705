"""Whether anybody would notice if a tool drew the limit of a rule elsewhere.

A rule says that three orders may be open at once; the code is tried with two and with four in its place. Where no call
is refused that went through before, and none goes through that was refused, nobody knows whether the code keeps to the
rule. Belongs here: moving the numbers, and making known calls on the code that comes of it. Does not: thinking up
calls (`tester`), and bounds on the wrong side (`bounds`).
"""

import ast
import copy
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import groupby

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.trials.under_trial import MOST_EDGES, state_of_edge
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Rule
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.inspection import JudgedTest
from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.contracts.tools import ToolCall, ToolTest
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.rounds import Places

_NUMBER = re.compile(r"(?<!\w)\d+(?:,\d{3})*(?::\d{2})?(?:\.\d+)?")
_CAPITALISED = re.compile(r"[^\s.:?!] ([A-Z][a-z]+) $")
_DATES = re.compile(r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)")
_MONTH_BEFORE = re.compile(rf"\b{_DATES.pattern}[a-z]*( \d{{1,2}},?)? $")
_MONEY = re.compile(r"(Euro|Dollar|Pound|Franc)s?$")
_THINGS = re.compile(
    r" (or (more|fewer|less|older|younger)\b|people\b|children\b|"
    r"(?!(is|was|has|does|as|its|this|his|always|unless|across|towards|"
    r"opens|closes|holds|takes|needs|costs|starts|ends|stays|serves|seats)\b)[a-z]+s\b)"
)
"""What a number counts: "Gold 10 loans", and not "Hall 2 opens"."""
_COUNTED = re.compile(r"(second|minute|hour|day|night|week|month|season|year|time|percent|euro|dollar|pound|cent)s?$")
_SQL = re.compile(r"\b(SELECT|UPDATE|DELETE|INSERT)\b")
_UNITS = (1, 60, 24, 7, 12, 100, 3600, 28, 30, 365, 0.01)
"""A rule says hours, weeks or euros where code may say minutes, days or cents."""
_CONCERNED = 0.5
"""A tool may enforce a rule when it shares this part of the words that the likeliest one shares with it."""


@dataclass(frozen=True, slots=True)
class RuleLimit:
    """A number that a rule speaks of."""

    rule: Rule
    number: str

    @property
    def value(self) -> float:
        """Of a time of day the hour."""
        return float(self.number.partition(":")[0].replace(",", ""))

    def moved(self, by: int) -> str:
        hour, colon, minutes = self.number.partition(":")
        return f"{int(hour) + by:02d}{colon}{minutes}" if colon else f"{self.value + by:g}"


def limits(inspected: Inspected) -> list[RuleLimit]:
    bundle = inspected.bundle
    return list(
        dict.fromkeys(
            RuleLimit(rule, found[0])
            for rule in bundle.theme.rules
            for found in _NUMBER.finditer(rule.text)
            if not _is_of_a_name(found, bundle) and not _is_a_year(found)
        )
    )


def _is_of_a_name(number: re.Match[str], bundle: Bundle) -> bool:
    """Whether the number belongs to a name and limits nothing, as in "Hall 2"; or in "35 mm", where the world's name,
    its entities or its schema say so."""
    before, after = number.string[: number.start()], number.string[number.end() :]
    capitalised, word = _CAPITALISED.search(before), re.match(r"[ -]?([A-Za-z]+)(?: ([A-Za-z]+))?", after)
    if word is not None and _COUNTED.match(word[1].lower()):
        return False
    if capitalised and not _DATES.match(capitalised[1]) and not _MONEY.match(capitalised[1]):
        return _THINGS.match(after) is None
    if word is None:
        return False
    called = " . ".join([bundle.theme.name, *bundle.theme.entities])
    name = rf"(?<!\w){re.escape(number[0])}[ -]?{word[1]}(?!\w)(?: ([a-z]+))?"
    named = re.finditer(name, called, re.IGNORECASE)
    stored = f"{number[0]}{word[1]}".lower() in bundle.schema_sql.lower()
    return stored or any(one[1] is None or texts.words(one[1]) == texts.words(word[2] or "") for one in named)


def _is_a_year(number: re.Match[str]) -> bool:
    """Of a date: the clock of a state stands still, so no call is made in another year."""
    before = number.string[: number.start()]
    return re.fullmatch(r"(19|20)\d\d", number[0]) is not None and _MONTH_BEFORE.search(before) is not None


async def unnoticed(inspected: Inspected, tests: Sequence[JudgedTest], among: Sequence[RuleLimit]) -> list[RuleLimit]:
    """The limits that can be moved up or down, and no known call comes to another end."""
    places = await Places.of(inspected)
    return [limit for limit in among if not await _is_noticed(inspected, places.bundle, limit, tests)]


async def _is_noticed(inspected: Inspected, bundle: Bundle, limit: RuleLimit, tests: Sequence[JudgedTest]) -> bool:
    """Whether it is noticed in both directions."""
    for by in (1, -1):
        source, functions = moved(inspected, limit, by)
        touched = {tool for tool, fact in inspected.facts.tools.items() if {tool, *fact.helpers} & functions}
        if not touched:
            return False
        other = replace(bundle, tools_source=source)
        try:
            if not await _comes_out_otherwise(inspected, other, touched, tests):
                return False
        except EnvironmentFault:
            return True  # it cannot even be loaded
        finally:
            inspected.under_trial.runtime.retire(other)
    return True


# -- moving a number ---------------------------------------------------------------------------------------------------


def moved(inspected: Inspected, limit: RuleLimit, by: int) -> tuple[str, set[str]]:
    """The tools with the number moved wherever it stands in those that may enforce the rule, and the functions that are
    other ones now."""
    tree = copy.deepcopy(python_tree(inspected.bundle.tools_source))
    concerned = {
        name for tool in _concerned(inspected, limit.rule) for name in (tool, *inspected.facts.tools[tool].helpers)
    }
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    changed = {name for name in concerned & functions.keys() if _move(functions[name], limit, by)}
    for node in tree.body:
        named = {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
        if isinstance(node, ast.Assign | ast.AnnAssign) and named:
            using = {name for name in concerned & functions.keys() if named & _names_in(functions[name])}
            if using and _move(node, limit, by):
                changed |= {name for name, function in functions.items() if named & _names_in(function)}
    return ast.unparse(tree) + "\n", changed


def _concerned(inspected: Inspected, rule: Rule) -> list[str]:
    """The tools that share most words with the rule, those that change something first of all."""
    wanted = texts.words(rule.text.replace("_", " "))
    commands = [tool for tool in inspected.bundle.tools if not tool.annotations.readOnlyHint] or inspected.bundle.tools
    alike = {
        tool.name: len(wanted & texts.words(f"{tool.name} {tool.description}".replace("_", " "))) for tool in commands
    }
    most = max(alike.values(), default=0)
    return [name for name, shared in alike.items() if shared >= _CONCERNED * most]


def _names_in(function: ast.FunctionDef) -> set[str]:
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}


def _move(node: ast.AST, limit: RuleLimit, by: int) -> bool:
    found = False
    for part in ast.walk(node):
        if isinstance(part, ast.Constant):
            value = _moved_value(part.value, limit, by)
            if value is not None:
                part.value, found = value, True
    return found


def _moved_value(value: object, limit: RuleLimit, by: int) -> int | float | str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        unit = next((unit for unit in _UNITS if round(limit.value * unit, 6) == value), None)
        if unit is None or (":" in limit.number and unit != 1):
            return None
        new = round((limit.value + by) * unit, 6)
        return int(new) if isinstance(value, int) else new
    if isinstance(value, str) and (_SQL.search(value) or ":" in limit.number):
        plain = limit.number if ":" in limit.number else f"{limit.value:g}"
        text = re.sub(rf"(?<![\w.:]){re.escape(plain)}(?![\w.])", limit.moved(by), value)
        return text if text != value else None
    return None


# -- making known calls ------------------------------------------------------------------------------------------------


async def _comes_out_otherwise(
    inspected: Inspected, bundle: Bundle, touched: set[str], tests: Sequence[JudgedTest]
) -> bool:
    """Whether a call of the touched tools is refused that went through, or goes through that was refused."""
    async with aclosing(_ends(inspected, bundle, touched, tests)) as ends:
        async for went_through, goes_through in ends:
            if went_through is not goes_through:
                return True
    return False


async def _ends(
    inspected: Inspected, bundle: Bundle, touched: set[str], tests: Sequence[JudgedTest]
) -> AsyncGenerator[tuple[bool, bool], None]:
    runtime, tools = inspected.under_trial.runtime, inspected.tools

    async def went_through(session: Session, tool: str, arguments: dict[str, Json]) -> bool:
        return (await session.call(tool, arguments, principal=tools[tool].principal)).ok

    for tool in sorted(touched & inspected.bundle.tool_tests.keys()):
        for known in _authored(inspected, tool, inspected.bundle.tool_tests[tool]):
            async with await runtime.open(bundle, state=known.state, clock=known.clock) as session:
                for call in known.before:
                    yield True, await went_through(session, call.tool, call.arguments)
                yield known.goes_through, await went_through(session, tool, known.arguments)
    for _, of_session in groupby(tests, key=lambda test: test.session):
        made = list(of_session)
        if not any(test.case.tool in touched for test in made):
            continue
        async with await runtime.open(bundle, state=made[0].state) as session:
            for test in made:
                tool, ok = test.case.tool, test.outcome == "ok"
                # Of the other tools, those calls are made again that changed something.
                if tool in touched or (ok and not tools[tool].annotations.readOnlyHint):
                    yield ok, await went_through(session, tool, test.case.arguments)


@dataclass(frozen=True, slots=True)
class AuthoredCall:
    """A call of which its author said whether it goes through."""

    state: str
    clock: str | None
    before: Sequence[ToolCall]
    arguments: dict[str, Json]
    goes_through: bool


def _authored(inspected: Inspected, tool: str, test: ToolTest) -> Iterator[AuthoredCall]:
    state = inspected.under_trial.places.get(tool, inspected.under_trial.start).state
    yield AuthoredCall(state, test.clock, test.before, test.good_call, True)
    if test.bad_call != test.good_call:
        yield AuthoredCall(state, test.clock, test.before, test.bad_call, False)
    for number, edge in enumerate(test.edges[:MOST_EDGES]):
        state = state_of_edge(tool, number, edge)
        if state not in inspected.under_trial.impossible:
            yield AuthoredCall(state, edge.clock, edge.before, edge.arguments, not edge.refused)
