"""The module of a family, cut to what one task needs: a solution program, and a verifier.

Belongs here: which parts of a module belong together, and the text of the programs. Does not: what a module may contain
(`runtime.facts.screen`), and running any of it.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pprint import pformat

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.text_bounds import python_tree

_WIDTH = 110


def solution_of(source: str, p: Mapping[str, Json]) -> str:
    """A program with `solve(tools)`, which knows these parameters."""
    return _module(source).program(("solve",), p)


def verifier_of(source: str, p: Mapping[str, Json]) -> str:
    """A module of the checks, each of which knows these parameters."""
    module = _module(source)
    return module.program(module.checks, p)


def statements_of(source: str) -> frozenset[str]:
    """What `instances` and its helpers ask the database, without what tells two texts of one statement apart."""
    texts = [
        " ".join(part.value.split()).rstrip(";").lower()
        for node in _module(source).needed(("instances",))
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return frozenset(text for text in texts if text.startswith(("select ", "with ")))


@dataclass(frozen=True)
class _Module:
    """The module of one family, of which many tasks take the same parts."""

    source: str

    @cached_property
    def _statements(self) -> list[ast.stmt]:
        return python_tree(self.source).body

    @cached_property
    def checks(self) -> tuple[str, ...]:
        names = [node.name for node in self._statements if isinstance(node, ast.FunctionDef)]
        return tuple(name for name in names if name.startswith(("goal_", "guard_")))

    def needed(self, entries: Iterable[str]) -> list[ast.stmt]:
        """The statements that these functions need, themselves included, in their order."""
        defined = {name: node for node in self._statements for name in _bound(node)}
        reached: set[str] = set()
        waiting = list(entries)
        while waiting:
            name = waiting.pop()
            if name in defined and name not in reached:
                reached.add(name)
                waiting += [part.id for part in ast.walk(defined[name]) if isinstance(part, ast.Name)]
        return [node for node in self._statements if reached.intersection(_bound(node))]

    def program(self, entries: tuple[str, ...], p: Mapping[str, Json]) -> str:
        imports, rest = self._parts(entries)
        bindings = [f"{name} = functools.partial({name}, p=P)" for name in entries]
        parameters = f"P = {pformat(dict(p), width=_WIDTH, sort_dicts=False)}"
        return "\n\n\n".join([imports, parameters, *rest, "\n".join(bindings)]) + "\n"

    def _parts(self, entries: tuple[str, ...]) -> tuple[str, list[str]]:
        """The imports, and everything else that these functions need."""
        if entries not in self._cut:
            nodes = self.needed(entries)
            texts = [(isinstance(node, ast.Import | ast.ImportFrom), self._text(node)) for node in nodes]
            imports = {text for is_import, text in texts if is_import} | {"import functools"}
            self._cut[entries] = "\n".join(sorted(imports)), [text for is_import, text in texts if not is_import]
        return self._cut[entries]

    @cached_property
    def _cut(self) -> dict[tuple[str, ...], tuple[str, list[str]]]:
        return {}

    @cached_property
    def _lines(self) -> list[str]:
        return self.source.split("\n")

    def _text(self, node: ast.stmt) -> str:
        return "\n".join(self._lines[node.lineno - 1 : node.end_lineno])


@lru_cache(maxsize=256)
def _module(source: str) -> _Module:
    return _Module(source)


def _bound(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef():
            return [node.name]
        case ast.Import() | ast.ImportFrom():
            return [alias.asname or alias.name for alias in node.names]
        case ast.Assign():
            return [target.id for target in node.targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []
