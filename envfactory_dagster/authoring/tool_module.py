"""One module out of many functions that were written apart from each other.

Belongs here: putting together what authors gave tool by tool. Does not: whether the code is any good (`trials`).
"""

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.text_bounds import TextRefused, beyond_bounds, python_tree

_SNIPPET = 160


@dataclass(slots=True)
class ToolModule:
    """A module while tools are added to it."""

    about: str
    imports: set[str] = field(default_factory=set)
    constants: dict[str, str] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    """Tools and helpers, every helper before the first tool that brought it."""
    owners: dict[str, str] = field(default_factory=dict)
    """Which tool a function or constant came with."""

    def add(self, function: ToolFunction) -> list[Problem]:
        """Take a tool in, with what it brings along; or say why it cannot be."""
        lines = function.source.splitlines()
        try:
            tree = python_tree(function.source)
        except TextRefused as refused:
            text = "".join(lines[refused.line - 1 : refused.line])
            return [_problem(f"{function.name}, line {refused.line}: {refused}", text[:_SNIPPET])]
        problems = [*self._problems(function.name, tree, lines)]
        if not problems:
            self._take(function.name, tree, lines)
        return problems

    def source(self) -> str:
        """The text of the module: imports once, constants, functions. Those with the names of builtins come last, since
        annotations before them (`list[str]`) mean the builtins."""
        docstring = re.sub(r'["\\]', "", self.about).strip()
        head = [f'"""{docstring}"""', "\n".join(sorted(self.imports)), "\n".join(self.constants.values())]
        in_order = sorted(self.functions, key=lambda name: hasattr(builtins, name))
        functions = "".join(f"\n\n\n{self.functions[name]}" for name in in_order)
        return "\n\n".join(part for part in head if part) + functions + "\n"

    def _problems(self, tool: str, tree: ast.Module, lines: Sequence[str]) -> Iterator[Problem]:
        known = self.constants | self.functions
        public = [n.name for n in tree.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
        if public != [tool]:
            yield _problem(f"{tool}: the source must define that tool and no other; it defines {public or 'none'}.")
        for node in _statements(tree):
            name = _defined(node)
            if not name and not isinstance(node, ast.Import | ast.ImportFrom):
                text = lines[node.lineno - 1].strip()[:_SNIPPET]
                yield _problem(f"{tool}: only imports, constants and functions stand at module level.", text)
            if name in known and known[name] != _text(lines, node):
                other = self.owners[name]
                yield _problem(
                    f"{tool}: {other} brings another {name}. Name yours after its tool, or write it word for word.",
                    known[name],
                )
        if (too_much := beyond_bounds("\n".join([self.source(), *lines]))) is not None:
            yield _problem(f"{tool}: the module of all tools gets too large with it ({too_much}); write less.")

    def _take(self, tool: str, tree: ast.Module, lines: Sequence[str]) -> None:
        for node in _statements(tree):
            name = _defined(node)
            if not name:
                self.imports.add(ast.unparse(node))
            elif name not in self.owners:
                self.owners[name] = tool
                kept = self.functions if isinstance(node, ast.FunctionDef) else self.constants
                kept[name] = _text(lines, node)


def _statements(tree: ast.Module) -> list[ast.stmt]:
    """All but a docstring."""
    first = tree.body[0] if tree.body else None
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return tree.body[1:] if documented else tree.body


def _defined(node: ast.stmt) -> str:
    """The name of a function or a constant; empty for anything else."""
    match node:
        case ast.FunctionDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def _text(lines: Sequence[str], node: ast.stmt) -> str:
    """The lines of a statement, decorators included: they are to be seen by whoever screens the module."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    return "\n".join(lines[first - 1 : node.end_lineno])


def _problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="code", message=message, snippet=snippet)
