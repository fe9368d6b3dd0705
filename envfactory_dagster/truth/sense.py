"""Whether it matters what a solution does: a write that sets what is there already, and a condition on which nothing
depends, make a task that nobody would give.

Belongs here: finding such writes and conditions by running the program. Does not: whether the program is right
(`solutions`), and whether its words are (`review`).
"""

import ast
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from envfactory_dagster.authoring.trials.changes import since
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.text_bounds import python_expression, python_tree
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.bundle_facts import facts_of
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import normalize
from envfactory_dagster.truth.execution import Run, run_solution
from envfactory_dagster.truth.programs import shown_call
from envfactory_dagster.truth.reports import same_report
from envfactory_dagster.truth.start_rows import schema_of

MOST_CONDITIONS = 6
"""Of one program; each is run once or twice."""
_ON_A_CONDITION = re.compile(r"\b(if|unless|depending|in case|provided)\b", re.IGNORECASE)
_OTHERWISE = re.compile(r"\b(otherwise|or else)\b", re.IGNORECASE)
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


async def problems_of_sense(
    runtime: Runtime, bundle: Bundle, task: Task, source: str, form: AnswerForm, run: Run
) -> list[Problem]:
    """`run` is what the program came to. An author who writes programs alone can leave a write out, but cannot change
    what the task depends on."""
    writing = frozenset(name for name, fact in facts_of(bundle).tools.items() if fact.writes)
    problems = [
        Problem(
            fault="solution",
            message=f"The call of {call.tool} sets what is there already. Leave it out, or ask for something that has "
            "to be changed.",
            snippet=shown_call(call.tool, call.arguments),
        )
        for call in await idle_writes(runtime, bundle, task, run.calls, writing)
        if not _opens_the_way(call, run.calls)
    ]
    tried = _Program(runtime, bundle, task, source, form, run, writing)
    return problems + [
        Problem(
            fault="tasks",
            message="Both branches of a condition come to the same end, so nothing depends on it.",
            snippet=condition,
            mendable=False,
        )
        for condition in await tried.conditions_without_effect()
    ]


# -- writes ------------------------------------------------------------------------------------------------------------


async def idle_writes(
    runtime: Runtime, bundle: Bundle, task: Task, calls: Sequence[TracedStep], writing: frozenset[str]
) -> list[TracedStep]:
    """The calls of writing tools that go through and change nothing but moments at which something was done."""
    if not any(call.tool in writing and call.outcome == "ok" for call in calls):
        return []
    clock, found = bundle.states[task.state].clock, list[TracedStep]()
    async with await runtime.open(bundle, state=task.state) as session:
        for call in calls:
            before = await session.changes() if call.tool in writing else []
            result = await session.call(call.tool, call.arguments, principal=call.principal)
            if call.tool in writing and result.ok:
                done = since(before, await session.changes())
                if all(_only_says_when(change, clock) for change in done):
                    found.append(call)
    return found


def _opens_the_way(idle: TracedStep, calls: Sequence[TracedStep]) -> bool:
    """Whether a later call is given something that this one answered and was not given itself: a tool that opens a
    basket, or gives the one that is open already, is called for what it answers."""
    place = next(number for number, call in enumerate(calls) if call is idle)
    new = set(_single(idle.value)) - set(_single(idle.arguments))
    return any(value in new for call in calls[place + 1 :] for value in _single(call.arguments))


def _single(value: Json) -> Iterator[str]:
    """The single values in a result or in arguments, as text. Yes and no are left out: they are equal by chance."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _single(part)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _only_says_when(change: Change, clock: str) -> bool:
    """Whether only a moment is another one: that something was done again. A moment where there was none says more."""
    if change.before is None or change.after is None:
        return False
    differ = [(change.before[column], value) for column, value in change.after.items()]
    return all(was == value or (was is not None and _is_now(value, clock)) for was, value in differ)


def _is_now(value: object, clock: str) -> bool:
    return isinstance(value, str) and value.replace(" ", "T")[:19] in (clock[:19], clock[:10])


# -- conditions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Program:
    """A solution that is run with one of its conditions turned round."""

    runtime: Runtime
    bundle: Bundle
    task: Task
    source: str
    form: AnswerForm
    run: Run
    writing: frozenset[str]

    async def conditions_without_effect(self) -> list[str]:
        """Only where the task is given on more conditions than matter: programs decide many things that nobody asked
        them to. To refuse a task in several ways is right."""
        wanted = len(_ON_A_CONDITION.findall(self.task.text)) or len(_OTHERWISE.findall(self.task.text))
        if not wanted or self.task.kind not in ("action", "information"):
            return []
        conditions, found, mattering = self._conditions(), list[str](), 0
        for number, condition in enumerate(conditions[:MOST_CONDITIONS]):
            if not self._ends_alike(await self._run_with(number, lambda test: ast.UnaryOp(ast.Not(), test)), condition):
                test = condition.node.test
                mattering += len(test.values) if isinstance(test, ast.BoolOp) else 1
                continue
            stopped = await self._run_with(number, lambda _: python_expression("1 / 0"))
            if not self._ends_alike(stopped, condition):  # otherwise the program never comes there
                found.append(f"if {ast.unparse(condition.node.test)}")
        untried = len(conditions[MOST_CONDITIONS:])
        return found if mattering + untried < wanted else []

    async def _run_with(self, number: int, change: Callable[[ast.expr], ast.expr]) -> Run:
        """The program with the test of one of its conditions changed."""
        tree = python_tree(self.source)
        node = list(_conditions(tree, self.writing))[number].node
        node.test = change(node.test)
        source = ast.unparse(ast.fix_missing_locations(tree))
        return await run_solution(self.runtime, self.bundle, self.task, source, self.form)

    def _conditions(self) -> list["_Condition"]:
        return list(_conditions(python_tree(self.source), self.writing))

    def _ends_alike(self, other: Run, condition: "_Condition") -> bool:
        gold, schema = self.run, schema_of(self.bundle.schema_sql)
        if other.error is not None or not same_report(self.form, gold.report, other.report):
            return False
        if not condition.of_deeds and gold.report != other.report:
            return False
        return normalize(gold.changes, schema, gold.clock) == normalize(other.changes, schema, other.clock)


@dataclass(frozen=True, slots=True)
class _Condition:
    node: ast.If | ast.IfExp
    of_deeds: bool
    """Whether something is written in one of its branches. Of the others the message has to be the same as well: they
    may be about nothing but words."""


def _conditions(tree: ast.Module, writing: frozenset[str]) -> Iterator[_Condition]:
    """The conditions that a task may rest on: those that decide whether or with what something is written, and outside
    of loops those that decide what is reported."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    deeds = {*writing, *(one.name for one in functions if one.name != "solve" and _calls(one, writing))}
    given = {
        part.id
        for call in _calls(tree, deeds)
        for value in [*call.args, *(keyword.value for keyword in call.keywords)]
        for part in ast.walk(value)
        if isinstance(part, ast.Name)
    }
    yield from _conditions_in(tree, deeds, given, in_loop=False, around=None)


def _conditions_in(
    node: ast.AST, deeds: Collection[str], given: Collection[str], *, in_loop: bool, around: ast.AST | None
) -> Iterator[_Condition]:
    """`around` is the statement, or the writing call, that an expression stands in."""
    if isinstance(node, ast.If):
        arms = [*node.body, *node.orelse]
        if any(_calls(arm, deeds) for arm in arms):
            yield _Condition(node, of_deeds=True)
        elif not in_loop and (_returns(arms) or (node.orelse and _assigned(arms) & set(given))):
            yield _Condition(node, of_deeds=False)
    elif isinstance(node, ast.IfExp):
        if isinstance(around, ast.Call):
            yield _Condition(node, of_deeds=True)
        elif not in_loop and (isinstance(around, ast.Return) or (around and _assigned([around]) & set(given))):
            yield _Condition(node, of_deeds=False)
    for child in ast.iter_child_nodes(node):
        is_deed = isinstance(child, ast.Call) and _name(child) in deeds
        is_new = is_deed or isinstance(child, ast.stmt)
        yield from _conditions_in(
            child, deeds, given, in_loop=in_loop or isinstance(child, _LOOPS), around=child if is_new else around
        )


def _calls(node: ast.AST, names: Collection[str]) -> list[ast.Call]:
    return [part for part in ast.walk(node) if isinstance(part, ast.Call) and _name(part) in names]


def _name(call: ast.Call) -> str:
    """Of a function, or of a tool: `tools.name(…)`."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _returns(statements: Sequence[ast.AST]) -> bool:
    return any(isinstance(part, ast.Return) for one in statements for part in ast.walk(one))


def _assigned(statements: Sequence[ast.AST]) -> set[str]:
    targets = [target for one in statements if isinstance(one, ast.Assign) for target in one.targets]
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
