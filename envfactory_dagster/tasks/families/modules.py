"""The module of a family, cut to what one task needs: a solution program, and a verifier.

Belongs here: which parts of a module belong together, and the text of the programs. Does not: what a module may contain
(`runtime.facts.screen`), and running any of it.
"""

import ast
from collections.abc import Iterable, Mapping
from pprint import pformat

from envfactory_dagster.contracts.base import Json

_WIDTH = 110


def solution_of(source: str, p: Mapping[str, Json]) -> str:
    """A program with `solve(tools)`, which knows these parameters."""
    return _program(source, ["solve"], p)


def verifier_of(source: str, p: Mapping[str, Json]) -> str:
    """A module of the checks, each of which knows these parameters."""
    functions = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return _program(source, [name for name in functions if name.startswith(("goal_", "guard_"))], p)


def statements_of(source: str) -> frozenset[str]:
    """What `instances` and its helpers ask the database, without what tells two texts of one statement apart."""
    tree = ast.parse(source)
    nodes = [node for node in tree.body if set(_bound(node)) & _reached(tree, ["instances"])]
    texts = [
        " ".join(part.value.split()).rstrip(";").lower()
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return frozenset(text for text in texts if text.startswith(("select ", "with ")))


def _program(source: str, entries: list[str], p: Mapping[str, Json]) -> str:
    tree = ast.parse(source)
    reached = _reached(tree, entries)
    parts = [(node, ast.get_source_segment(source, node) or "") for node in tree.body if set(_bound(node)) & reached]
    imports = [text for node, text in parts if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [text for node, text in parts if not isinstance(node, ast.Import | ast.ImportFrom)]
    if "import functools" not in imports:
        imports.append("import functools")
    bindings = [f"{name} = functools.partial({name}, p=P)" for name in entries]
    parameters = f"P = {pformat(dict(p), width=_WIDTH, sort_dicts=False)}"
    return "\n\n\n".join(["\n".join(sorted(imports)), parameters, *rest, "\n".join(bindings)]) + "\n"


def _reached(tree: ast.Module, entries: Iterable[str]) -> set[str]:
    """The names at module level that these functions need, themselves included."""
    defined = {name: node for node in tree.body for name in _bound(node)}
    reached: set[str] = set()
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        if name in reached or name not in defined:
            continue
        reached.add(name)
        waiting += [part.id for part in ast.walk(defined[name]) if isinstance(part, ast.Name)]
    return reached


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
