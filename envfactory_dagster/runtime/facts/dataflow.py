"""Following values through the Python of a tool: parameter → statement, statement → result, without running it.

Belongs here: statements and control flow. A function is gone through in order, what branches leave is joined,
helpers are followed where they are called, and whatever cannot be followed is unknown. Does not: expressions
(`expressions.py`), and a tool's facts as a whole (`analysis.py`).
"""

import ast
from collections.abc import Iterable

from envfactory_dagster.runtime.facts.expressions import Context, Expressions, State
from envfactory_dagster.runtime.facts.module import Function
from envfactory_dagster.runtime.facts.values import ABSENT, UNKNOWN, Value, any_of, computed_from


def follow(context: Context, name: str, arguments: State) -> Value:
    """What the function `name` returns for these arguments; what was seen on the way is in the context's trace."""
    return FunctionRun(context, context.module.functions[name], (name,)).result(arguments)


class FunctionRun(Expressions):
    """One function being followed, called from one place."""

    def __init__(self, context: Context, function: Function, stack: tuple[str, ...]) -> None:
        super().__init__(context, function)
        self._stack = stack
        self._returned: list[Value] = []
        self._loop_exits: list[State] = []
        self._helpers: dict[int, FunctionRun] = {}  # by the node of the call, so that a place keeps its objects

    def result(self, arguments: State) -> Value:
        """What the function returns for these arguments."""
        self._context.trace.functions.add(self._function.name)
        self._returned = []
        end = self._block(self._function.node.body, dict(arguments))
        return any_of(self._returned if end is None else [*self._returned, ABSENT])

    def _follow(self, node: ast.Call, function: Function, arguments: State) -> Value:
        if function.name in self._stack:
            for value in arguments.values():
                value.lose_track()
            return UNKNOWN
        stack = (*self._stack, function.name)
        run = self._helpers.setdefault(id(node), FunctionRun(self._context, function, stack))
        return run.result(arguments)

    # -- statements ---------------------------------------------------------------------------------------------

    def _block(self, body: Iterable[ast.stmt], state: State | None) -> State | None:
        """Follow statements in order; None where their end is never reached."""
        for node in body:
            if state is None:
                break
            self._context.step()
            state = self._statement(node, state)
        return state

    def _statement(self, node: ast.stmt, state: State) -> State | None:
        match node:
            case ast.Assign():
                value = self._eval(node.value, state)
                for target in node.targets:
                    self._bind(target, value, state)
            case ast.AnnAssign(value=ast.expr() as written):
                self._bind(node.target, self._eval(written, state), state)
            case ast.AugAssign():
                self._augment(node, state)
            case ast.Return():
                self._returned.append(self._eval(node.value, state) if node.value else ABSENT)
                return None
            case ast.Raise():
                self._eval_all(node, state)
                return None
            case ast.Break() | ast.Continue():
                self._loop_exits.append(dict(state))
                return None
            case ast.If():
                self._eval(node.test, state)
                return self._merged(self._block(node.body, dict(state)), self._block(node.orelse, dict(state)))
            case ast.For() | ast.While():
                return self._loop(node, state)
            case ast.Try():
                return self._try(node, state)
            case ast.With():
                for item in node.items:
                    self._eval(item.context_expr, state)
                    if item.optional_vars:
                        self._bind(item.optional_vars, UNKNOWN, state)
                return self._block(node.body, state)
            case ast.Match():
                return self._match(node, state)
            case ast.FunctionDef():
                state[node.name] = UNKNOWN
            case _:
                self._eval_all(node, state)
        return state

    def _loop(self, node: ast.For | ast.While, state: State) -> State | None:
        around, self._loop_exits = self._loop_exits, []
        for _ in range(2):  # the second time with what the first one left behind
            start = dict(state)
            if isinstance(node, ast.For):
                self._iterate(node.target, node.iter, start)
            else:
                self._eval(node.test, start)
            state = self._merged(state, self._block(node.body, start), *self._loop_exits) or state
        self._loop_exits = around
        return self._block(node.orelse, state)

    def _try(self, node: ast.Try, state: State) -> State | None:
        before = dict(state)
        tried = self._block(node.body, state)
        ends = [self._block(node.orelse, tried)]
        for handler in node.handlers:
            start = self._merged(before, tried) or {}
            if handler.name:
                start[handler.name] = UNKNOWN
            ends.append(self._block(handler.body, start))
        end = self._merged(*ends)
        after = self._block(node.finalbody, dict(before) if end is None else end)
        return None if end is None else after

    def _match(self, node: ast.Match, state: State) -> State | None:
        self._eval(node.subject, state)
        ends: list[State | None] = [state]
        for case in node.cases:
            start = dict(state)
            for part in ast.walk(case.pattern):
                if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
                    start[part.name] = UNKNOWN
            if case.guard:
                self._eval(case.guard, start)
            ends.append(self._block(case.body, start))
        return self._merged(*ends)

    def _augment(self, node: ast.AugAssign, state: State) -> None:
        added = self._eval(node.value, state)
        if isinstance(node.target, ast.Attribute):
            return
        before = self._eval(node.target, state)
        for sequence in before.sequences:
            sequence.put(added.member())
        if not before.sequences:
            self._bind(node.target, computed_from((before, added)), state)

    def _merged(self, *states: State | None) -> State | None:
        """What holds after several branches: a variable may be what any of them left; None if none of them ends."""
        ends = [state for state in states if state is not None]
        if not ends:
            return None
        self._context.step(sum(map(len, ends)))
        names = {name for state in ends for name in state}
        return {name: any_of(state[name] for state in ends if name in state) for name in names}
