"""One module out of many functions that were written apart from each other.

Belongs here: putting together what authors gave tool by tool. Does not: whether the code is any good (`trials`).
"""

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import ToolFunction


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
        try:
            tree = ast.parse(function.source)
        except SyntaxError as error:
            text = "".join(function.source.splitlines()[(error.lineno or 1) - 1 : error.lineno])
            return [_problem(f"{function.name}: Python cannot parse line {error.lineno}: {error.msg}.", text)]
        except (ValueError, MemoryError, RecursionError):
            return [_problem(f"{function.name}: the source is no text that Python can parse.")]
        problems = [*self._problems(function, tree)]
        if not problems:
            self._take(function, tree)
        return problems

    def source(self) -> str:
        """The text of the module: imports once, constants, functions. Those with the names of builtins come last, since
        annotations before them (`list[str]`) mean the builtins."""
        docstring = re.sub(r'["\\]', "", self.about).strip()
        head = [f'"""{docstring}"""', "\n".join(sorted(self.imports)), "\n".join(self.constants.values())]
        in_order = sorted(self.functions, key=lambda name: hasattr(builtins, name))
        functions = "".join(f"\n\n\n{self.functions[name]}" for name in in_order)
        return "\n\n".join(part for part in head if part) + functions + "\n"

    def _problems(self, function: ToolFunction, tree: ast.Module) -> Iterator[Problem]:
        tool, known = function.name, self.constants | self.functions
        public = [n.name for n in tree.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
        if public != [tool]:
            yield _problem(f"{tool}: the source must define that tool and no other; it defines {public or 'none'}.")
        for node in _statements(tree):
            name = _defined(node)
            if not name and not isinstance(node, ast.Import | ast.ImportFrom):
                text = ast.unparse(node).splitlines()[0]
                yield _problem(f"{tool}: only imports, constants and functions stand at module level.", text)
            if name in known and known[name] != _text(function, node):
                other = self.owners[name]
                yield _problem(
                    f"{tool}: {other} brings another {name}. Name yours after its tool, or write it word for word.",
                    known[name],
                )

    def _take(self, function: ToolFunction, tree: ast.Module) -> None:
        for node in _statements(tree):
            name = _defined(node)
            if not name:
                self.imports.add(ast.unparse(node))
            elif name not in self.owners:
                self.owners[name] = function.name
                kept = self.functions if isinstance(node, ast.FunctionDef) else self.constants
                kept[name] = _text(function, node)


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


def _text(function: ToolFunction, node: ast.stmt) -> str:
    """The lines of a statement, decorators included: they are to be seen by whoever screens the module."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    return "\n".join(function.source.splitlines()[first - 1 : node.end_lineno])


def _problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="code", message=message, snippet=snippet)
