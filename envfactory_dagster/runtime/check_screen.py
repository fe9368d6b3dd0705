"""What the source of a verifier may not hold. It is read, never run. Python's standard library only: the text is part
of every bundle's `judge.py`, which has no sandbox.

Belongs here: what would reach beyond the world that a check is shown. Does not: the conventions of tools
(`facts.screen`), and containing hostile code, which only the sandbox can.
"""

import ast
import importlib
import inspect
from collections.abc import Iterator

from envfactory_dagster.runtime.facade import ALLOWED_IMPORTS, HIDDEN_BUILTINS

_FRAMES = frozenset(
    (
        *("gi_frame", "gi_code", "gi_yieldfrom", "cr_frame", "cr_code", "cr_await", "cr_origin"),
        *("ag_frame", "ag_code", "ag_await", "tb_frame", "tb_next"),
        *("f_back", "f_builtins", "f_code", "f_globals", "f_locals", "f_generator"),
    )
)
"""Attributes by which code comes from a generator or an error to the frames of whoever called it."""
_REACHING_NAMES = HIDDEN_BUILTINS | {"getattr", "setattr", "delattr"}


def is_private(attribute: str) -> bool:
    """Whether an attribute reaches into what an object or the interpreter keeps to itself."""
    return attribute.startswith("_") or attribute in _FRAMES


def beyond_checks(source: str) -> str | None:
    """The first thing in a verifier that reaches beyond what its checks are shown, with its line. None: nothing, or the
    source is no Python at all, which running it will tell."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return None
    except (ValueError, RecursionError, MemoryError):
        return "the source is not text, or far too deeply nested"
    imports = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules = {alias.asname or alias.name: alias.name for alias in imports if alias.name in ALLOWED_IMPORTS}
    faults = ((node, fault) for node in nodes for fault in _faults_of(node, modules))
    found = min(((getattr(node, "lineno", 1), fault) for node, fault in faults), default=None)
    return None if found is None else f"line {found[0]}: {found[1]}"


def _faults_of(node: ast.AST, modules: dict[str, str]) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (_not_importable(one.name) for one in names if one.name not in ALLOWED_IMPORTS)
        case ast.ImportFrom(module=module, names=names, level=level):
            if level or module not in ALLOWED_IMPORTS:
                yield _not_importable("." * level + (module or ""))
                return
            yield from (fault for one in names if (fault := member_fault(str(module), one.name)))
        case ast.Attribute(attr=name) if is_private(name):
            yield f".{name} is private"
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in modules:
            if fault := member_fault(modules[owner], name):
                yield fault
        case ast.MatchClass(kwd_attrs=names):
            yield from (f".{name} is private" for name in names if is_private(name))
        case ast.Name(id=name) if name in _REACHING_NAMES or name.startswith("__"):
            yield f"{name} is not for checks"


def _not_importable(name: str) -> str:
    return f"{name} may not be imported; allowed: {', '.join(sorted(ALLOWED_IMPORTS))}"


def member_fault(module: str, name: str) -> str | None:
    """Why a member of an allowed module may not be used; looked up in the module itself, which is pure."""
    loaded = importlib.import_module(module)
    if name.startswith("_") or name == "*":
        return f"{module}.{name} is not a public member; name what you need"
    if (module, name) == ("string", "Formatter"):
        return "string.Formatter reaches attributes by names in a text; write the attribute, or use an f-string"
    if not hasattr(loaded, name):
        return f"{module} has no {name}"
    if inspect.ismodule(getattr(loaded, name)):
        return f"{module}.{name} is another module, and it may not be reached this way"
    return None
