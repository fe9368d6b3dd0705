"""Which calls of a solution a condition or a loop holds together: no turn may end between them.

Belongs here: reading this off the program. Does not: where turns may end otherwise (`cuts`), and words that tear a
condition apart (`planning`).

A trace does not tell which line of the program made a call, so calls are found by the name of their tool: where a tool
is called in several places, rather too much is held together than too little.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.contracts.truth import TracedStep

CONDITION = re.compile(
    r"\b(?:if|unless|otherwise|whether|provided|in case|as long as|only when|depending|should (?:it|he|she|they))\b",
    re.IGNORECASE,
)
"""Words by which a task sets a condition."""

LONGEST_PROGRAM = 20_000
"""Characters; each branch is held against what follows it. The longest in the library has 15,000."""
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def held_together(source: str, calls: Sequence[TracedStep], text: str) -> set[int]:
    """The places in a trace that no turn may end at: place n stands before call n. Of a very long program all."""
    if len(source) > LONGEST_PROGRAM:
        return set(range(1, len(calls)))
    program = _Program(python_tree(source), {call.tool for call in calls})
    tools = [call.tool for call in calls]
    held: set[int] = set()
    for looped in program.loops():
        places = [place for place, tool in enumerate(tools) if tool in looped]
        held.update(range(min(places, default=0) + 1, max(places, default=0) + 1))
    in_words = CONDITION.search(text) is not None
    for deciding, reached in program.conditions(in_words):
        for place, tool in enumerate(tools):
            if tool in reached:
                latest = [_latest(tools[:place], one) for one in deciding]
                begin = min((one for one in latest if one is not None), default=place)
                held.update(range(begin + 1, place + 1))
    return held


def _latest(tools: Sequence[str], wanted: str) -> int | None:
    return next((place for place in reversed(range(len(tools))) if tools[place] == wanted), None)


class _Program:
    """A module whose functions call some tools."""

    def __init__(self, module: ast.Module, tools: set[str]) -> None:
        self._module, self._tools = module, tools
        self._helpers = {node.name: node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)}
        self._values = self._assigned()
        self._read = {name: _loaded(values) for name, values in self._values.items()}
        self._given = [
            (call.func.attr, _loaded([*call.args, *(one.value for one in call.keywords)]))
            for call in ast.walk(module)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in tools
        ]

    def loops(self) -> Iterator[set[str]]:
        """The tools that each loop calls again and again."""
        for node in ast.walk(self._module):
            if not isinstance(node, _LOOPS):
                continue
            once = node.iter if isinstance(node, ast.For) else None
            once = node.generators[0].iter if not isinstance(node, ast.For | ast.While) else once
            again = self._called_beside(node, once)
            if again:
                yield again

    def conditions(self, in_words: bool) -> Iterator[tuple[set[str], set[str]]]:
        """For every branch the tools whose answers decide it, and those that are called under it. `in_words`: whether
        the task sets a condition; then the calls that get a value from the branch are under it as well, and those after
        a branch that ends the program."""
        for node in ast.walk(self._module):
            if isinstance(node, ast.IfExp):
                given = self._given_to(self._names_of(node)) if in_words else set()
                yield self._behind(node.test), self._called(node.body, node.orelse) | given
            elif isinstance(node, ast.Match):
                yield self._behind(node.subject), self._called(*(one for case in node.cases for one in case.body))
            for block in _blocks(node):
                for place, statement in enumerate(block):
                    after = block[place + 1 :] if in_words and _ends(statement) else []
                    if isinstance(statement, ast.If):
                        branches = [*statement.body, *statement.orelse]
                        given = self._given_to(_stored(branches)) if in_words else set()
                        yield self._behind(statement.test), self._called(*branches, *after) | given
                    elif isinstance(statement, ast.Try):
                        handled = [one for handler in statement.handlers for one in handler.body]
                        yield self._called(*statement.body), self._called(*handled, *statement.orelse, *after)

    # -- which tools --------------------------------------------------------------------------------------------------

    def _called(self, *nodes: ast.AST) -> set[str]:
        """The tools that are called in these pieces of the program, and in the functions they use."""
        found, seen, waiting = set[str](), set[str](), [*nodes]
        while waiting:
            for each in ast.walk(waiting.pop()):
                if isinstance(each, ast.Attribute) and each.attr in self._tools:
                    found.add(each.attr)
                elif isinstance(each, ast.Name) and each.id in self._helpers and each.id not in seen:
                    seen.add(each.id)
                    waiting += self._helpers[each.id].body
        return found

    def _called_beside(self, loop: ast.AST, once: ast.expr | None) -> set[str]:
        """The tools that a loop calls in each round; `once` is evaluated before the first."""
        return self._called(*(each for each in _parts(loop) if each is not once))

    def _behind(self, expression: ast.AST) -> set[str]:
        """The tools that a value comes from: those called in it and those behind the names in it, but not those behind
        what a tool is given."""
        found, seen, waiting = set[str](), set[str](), [expression]
        while waiting:
            part = waiting.pop()
            if isinstance(part, ast.Call) and (called := self._called(part.func)):
                found |= called
            elif not isinstance(part, ast.Name):
                waiting += ast.iter_child_nodes(part)
            elif part.id not in seen:
                seen.add(part.id)
                waiting += self._values.get(part.id, ())
        return found

    def _names_of(self, part: ast.expr) -> set[str]:
        """The names whose value this is a part of."""
        values = self._values.items()
        return {name for name, given in values if any(each is part for value in given for each in ast.walk(value))}

    def _given_to(self, names: set[str]) -> set[str]:
        """The tools that are given a value by one of these names, or by one that is made of it."""
        while more := {name for name, read in self._read.items() if read & names} - names:
            names = names | more
        return {tool for tool, read in self._given if read & names}

    def _assigned(self) -> dict[str, list[ast.expr]]:
        """The expressions that each name is a value of."""
        found: dict[str, list[ast.expr]] = defaultdict(list)
        for node in ast.walk(self._module):
            if isinstance(node, ast.Assign):
                pairs = [(target, node.value) for target in node.targets]
            elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
                pairs = [(node.target, node.value)]
            elif isinstance(node, ast.For | ast.comprehension):
                pairs = [(node.target, node.iter)]
            else:
                continue
            for target, value in pairs:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        found[name.id].append(value)
        return found


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The pieces of a loop; of its generators the pieces of these."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.comprehension):
            yield from ast.iter_child_nodes(child)
        else:
            yield child


def _loaded(expressions: Sequence[ast.expr]) -> set[str]:
    """The names that are read in these expressions."""
    return {each.id for one in expressions for each in ast.walk(one) if isinstance(each, ast.Name)}


def _stored(statements: Sequence[ast.stmt]) -> set[str]:
    """The names that are assigned in these statements."""
    names = (each for one in statements for each in ast.walk(one) if isinstance(each, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements that stand directly in a piece of the program."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def _ends(statement: ast.stmt) -> bool:
    """Whether one of its branches ends the program or the round of a loop."""
    if isinstance(statement, ast.If):
        branches = [statement.body, statement.orelse]
    elif isinstance(statement, ast.Try):
        branches = [handler.body for handler in statement.handlers]
    else:
        return False
    return any(
        branch and isinstance(branch[-1], ast.Return | ast.Raise | ast.Continue | ast.Break) for branch in branches
    )
