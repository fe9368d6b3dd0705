"""The allow-list a tool module has to fit: hygiene of the Python, so that well-meant code cannot go wrong quietly.

Belongs here: what may be imported, named, assigned and written at module level, and how a tool looks from outside.
Does not: its SQL (`analysis.py`), and security: hostile code is the sandbox's business.
"""

import ast
import builtins
import re
from collections.abc import Iterator

from envfactory_dagster.contracts.text_bounds import TextRefused, python_tree
from envfactory_dagster.runtime.check_screen import is_private, member_fault
from envfactory_dagster.runtime.facade import ALLOWED_IMPORTS
from envfactory_dagster.runtime.facts.file_calls import FILE_METHODS
from envfactory_dagster.runtime.facts.results import PYTHON_SYNTAX, CodeProblem
from envfactory_dagster.runtime.virtual_files import FILE_IMPORTS, STAND_INS

ALLOWED_BUILTINS = frozenset(
    (
        *("abs", "all", "any", "bin", "bool", "bytes", "callable", "chr", "dict", "divmod", "enumerate", "filter"),
        *("float", "format", "frozenset", "hex", "int", "isinstance", "iter", "len", "list", "map", "max", "min"),
        *("next", "object", "oct", "ord", "pow", "range", "repr", "reversed", "round", "set", "slice", "sorted"),
        *("str", "sum", "tuple", "zip", "ArithmeticError", "AssertionError", "AttributeError", "Exception"),
        *("IndexError", "KeyError", "LookupError", "OverflowError", "RuntimeError", "StopIteration", "TypeError"),
        *("ValueError", "ZeroDivisionError"),
    )
)
BUILTINS_OF_FILES = frozenset({"open", "FileNotFoundError", "FileExistsError", "OSError"})
SQL_METHODS = frozenset({"query", "one", "execute", "insert"})
ENV_METHODS = SQL_METHODS | {"new_id", "Error"}
ENV_VALUES = frozenset({"now", "user_id"})

Fault = tuple[ast.AST, str, str]
"""Where, which rule, and what to do about it."""

_SNIPPET = 160
_CLOCK_METHODS = frozenset({"now", "today", "utcnow"})
_CONSTANT_NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")
_WRONG_NODES: dict[type[ast.AST], tuple[str, str]] = {
    ast.ClassDef: ("no-classes", "Classes are not for tools; plain functions and dicts are enough."),
    ast.AsyncFunctionDef: ("no-async", "Tools are plain functions; write def, not async def."),
    ast.Await: ("no-async", "Tools are plain functions; nothing is awaited."),
    ast.Yield: ("no-generators", "A tool returns its dict; it does not yield."),
    ast.YieldFrom: ("no-generators", "A tool returns its dict; it does not yield."),
    ast.Global: ("no-state", "Nothing may be kept between calls: no global."),
    ast.Nonlocal: ("no-state", "Nothing may be kept outside a function's own variables: no nonlocal."),
}
_WHY_NOT = {
    "id": "it is another number on every run",
    "hash": "it is another number on every run",
    "type": "isinstance says what a value is",
    "print": "tools answer with their result only",
    "open": "tools have no files",
}


def screen_tools(source: str, *, files: bool = False) -> list[CodeProblem]:
    """Everything in a tool module that the conventions do not allow, in order of lines; nothing is run. `files`: of an
    environment whose state is files, which has `env.files`."""
    try:
        tree = python_tree(source)
    except TextRefused as refused:
        return [CodeProblem(refused.line, PYTHON_SYNTAX, str(refused))]
    screen = _Screen(tree, source.splitlines(), files)
    return sorted(set(screen.problems()))


_OF_TOOLS_ONLY = frozenset({"signature", "no-generators", "env"})
FAMILY_PARAMETERS = {"instances": ["world", "rng"], "solve": ["tools", "p"]}
CHECK_PARAMETERS = ["world", "p"]


def screen_family(source: str) -> list[CodeProblem]:
    """The same for the module of a task family, which has other functions and may yield."""
    problems = [problem for problem in screen_tools(source) if problem.rule not in _OF_TOOLS_ONLY]
    if any(problem.rule == PYTHON_SYNTAX for problem in problems):
        return problems
    functions = {node.name: node for node in python_tree(source).body if isinstance(node, ast.FunctionDef)}
    wanted = FAMILY_PARAMETERS | {name: CHECK_PARAMETERS for name in functions if name.startswith(("goal_", "guard_"))}
    for name, parameters in wanted.items():
        signature = f"{name}({', '.join(parameters)})"
        if name not in functions:
            problems.append(CodeProblem(1, "signature", f"The module has no function {signature}."))
        elif _parameters(functions[name]) != parameters:
            problems.append(
                CodeProblem(functions[name].lineno, "signature", f"Write it as {signature}.", function=name)
            )
    for prefix, what in (("goal_", "what must have become true"), ("guard_", "what must have stayed true")):
        if not any(name.startswith(prefix) for name in functions):
            sentence = f"The module has no function {prefix}…(world, p): {what}."
            problems.append(CodeProblem(1, "signature", sentence))
    return sorted(set(problems))


def _parameters(function: ast.FunctionDef) -> list[str] | None:
    """None: more than plain parameters."""
    given = function.args
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
        return None
    return [argument.arg for argument in given.args]


class _Screen:
    """One module under screening."""

    def __init__(self, tree: ast.Module, lines: list[str], files: bool) -> None:
        self._tree = tree
        self._files = files
        self._imports = ALLOWED_IMPORTS | FILE_IMPORTS | STAND_INS.keys() if files else ALLOWED_IMPORTS
        self._builtins = ALLOWED_BUILTINS | BUILTINS_OF_FILES if files else ALLOWED_BUILTINS
        self._lines = [line.strip()[:_SNIPPET] for line in lines]
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._functions = {name for name in functions if not hasattr(builtins, name)}
        """Those that can be called by name: one with the name of a builtin leaves the name to the builtin."""
        self._bound = {name for node in tree.body for name in _names_bound_by(node)} - (functions - self._functions)
        self._modules = {
            alias.asname or alias.name: alias.name
            for node in tree.body
            if isinstance(node, ast.Import)
            for alias in node.names
            if alias.name in self._imports
        }

    def problems(self) -> Iterator[CodeProblem]:
        """All of them, in no order."""
        for node, rule, sentence in self._module_level():
            yield self._problem(node, rule, sentence)
        for function in self._tree.body:
            if isinstance(function, ast.FunctionDef):
                for node, rule, sentence in (*_signature_faults(function), *self._function(function)):
                    yield self._problem(node, rule, sentence, function.name)

    def _problem(self, node: ast.AST, rule: str, sentence: str, function: str = "") -> CodeProblem:
        line = getattr(node, "lineno", 1)
        snippet = self._lines[line - 1] if line <= len(self._lines) else ""
        return CodeProblem(line, rule, sentence, snippet, function)

    # -- module level -------------------------------------------------------------------------------------------

    def _module_level(self) -> Iterator[Fault]:
        taken = set[str]()
        for position, node in enumerate(self._tree.body):
            for name in _names_bound_by(node):
                if name in taken:
                    yield node, "duplicate-name", f"{name} is defined twice in this module."
                taken.add(name)
            is_docstring = position == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from ((node, "import", sentence) for sentence in _import_faults(node, self._imports))
            elif type(node) in _WRONG_NODES:
                yield node, *_WRONG_NODES[type(node)]
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                yield from _constant_faults(node)
            elif not is_docstring and not isinstance(node, ast.FunctionDef):
                yield node, "module-level", "Only imports, constants and functions stand at module level."

    # -- inside functions ---------------------------------------------------------------------------------------

    def _function(self, function: ast.FunctionDef) -> Iterator[Fault]:
        own = {name for node in ast.walk(function) for name in _names_bound_by(node)} - {function.name}
        parents = {id(child): node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(function):
            match node:
                case _ if type(node) in _WRONG_NODES:
                    yield node, *_WRONG_NODES[type(node)]
                case ast.Import() | ast.ImportFrom():
                    yield node, "import", "Imports stand at the top of the module, where everybody sees them."
                case ast.FunctionDef() | ast.Lambda():
                    yield from _definition_faults(node)
                case ast.Attribute():
                    yield from self._attribute(node, own, parents[id(node)])
                case ast.MatchClass(kwd_attrs=attributes):
                    yield from (_private(node, name) for name in attributes if is_private(name))
                case ast.Name(id="env"):
                    yield from self._env(node, parents[id(node)])
                case ast.Name(ctx=ast.Load()) if node.id not in own:
                    yield from self._name(node)

    def _env(self, node: ast.Name, parent: ast.AST) -> Iterator[Fault]:
        """env is looked into or handed to a helper; anything else would hide SQL from whoever reads the module."""
        handed_on = (
            isinstance(parent, ast.Call)
            and parent.args[:1] == [node]
            and isinstance(parent.func, ast.Name)
            and parent.func.id in self._functions
        )
        if not isinstance(node.ctx, ast.Load) or not (handed_on or isinstance(parent, ast.Attribute)):
            yield node, "env", "env is used as env.something, or handed on as the first argument of a helper."

    def _attribute(self, node: ast.Attribute, own: set[str], parent: ast.AST) -> Iterator[Fault]:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if is_private(node.attr):
            yield _private(node, node.attr)
        elif not isinstance(node.ctx, ast.Load):
            yield node, "no-state", f"Nothing may be kept in attributes: do not assign to .{node.attr}."
        elif owner == "env" and node.attr == "files" and self._files:
            if not isinstance(parent, ast.Attribute) or parent.attr not in FILE_METHODS:
                yield (
                    node,
                    "env",
                    f"env.files offers {', '.join(sorted(FILE_METHODS))}; call them where they are needed.",
                )
        elif owner == "env":
            yield from self._env_faults(node, isinstance(parent, ast.Call) and parent.func is node)
        elif node.attr in _CLOCK_METHODS:
            yield node, "clock", f".{node.attr} reads the machine's clock; the time is env.now."
        elif owner in self._modules and owner not in own:
            yield from ((node, "import", fault) for fault in _member_faults(self._modules[owner], node.attr))

    def _env_faults(self, node: ast.Attribute, called: bool) -> Iterator[Fault]:
        methods = ENV_METHODS - SQL_METHODS if self._files else ENV_METHODS
        if node.attr in ENV_VALUES:
            if called:
                yield node, "env", f"env.{node.attr} is a value, not a function; write it without parentheses."
        elif node.attr not in methods:
            offered = ", ".join(sorted([*methods, *ENV_VALUES, *(["files"] if self._files else [])]))
            yield node, "env", f"env has no {node.attr}; it offers {offered}."
        elif not called and node.attr != "Error":
            yield node, "env", f"Call env.{node.attr}(…) where it is needed; do not keep it or hand it on."

    def _name(self, node: ast.Name) -> Iterator[Fault]:
        if node.id in self._bound or node.id in self._builtins:
            return
        if not hasattr(builtins, node.id):
            yield node, "unknown-name", f"{node.id} is not defined."
        else:
            reason = _WHY_NOT.get(node.id, "it reaches beyond what a tool needs")
            yield node, "forbidden-name", f"{node.id} is not for tools: {reason}."


def _private(node: ast.AST, name: str) -> Fault:
    return node, "private-attribute", f".{name} is private; use what is public."


def _names_bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a node itself gives a meaning to, at module level or inside a function."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Import() | ast.ImportFrom():
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        case ast.Assign() | ast.AnnAssign():
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        case ast.Name(ctx=ast.Store()):
            yield node.id
        case ast.arg():
            yield node.arg
        case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
            yield name
        case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
            yield name


def _constant_faults(node: ast.Assign | ast.AnnAssign) -> Iterator[Fault]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if not all(isinstance(target, ast.Name) and _CONSTANT_NAME.fullmatch(target.id) for target in targets):
        yield node, "module-level", "A name at module level is a constant, written UPPER_CASE."
    if node.value is None or not _is_immutable(node.value):
        sentence = "A module-level constant is a literal that cannot change: text, a number, None, or a tuple of these."
        yield node, "no-state", sentence


def _is_immutable(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(_is_immutable(part) for part in node.elts)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    return isinstance(node, ast.Constant)


def _import_faults(node: ast.Import | ast.ImportFrom, imports: frozenset[str]) -> Iterator[str]:
    allowed = ", ".join(sorted(imports))
    if isinstance(node, ast.Import):
        refused = [alias.name for alias in node.names if alias.name not in imports]
    else:
        module = "." * node.level + (node.module or "")
        refused = [module] if module not in imports else []
        for alias in node.names if not refused else ():
            yield from _member_faults(module, alias.name)
    for name in refused:
        yield f"{name} may not be imported; a tool may import {allowed}."


def _member_faults(module: str, name: str) -> Iterator[str]:
    """Why a member of an allowed module may not be used."""
    if module in STAND_INS:
        if name not in STAND_INS[module]:
            yield f"{module} has no {name} here; it has {', '.join(sorted(STAND_INS[module]))}."
        return
    if fault := member_fault(module, name):
        yield f"{fault}."


def _definition_faults(node: ast.FunctionDef | ast.Lambda) -> Iterator[Fault]:
    for default in (*node.args.defaults, *node.args.kw_defaults):
        is_constant = isinstance(default, ast.Name) and _CONSTANT_NAME.fullmatch(default.id)
        if default is not None and not is_constant and not _is_immutable(default):
            yield default, "no-state", "A default is a literal that cannot change; use None and fill it in the body."
    if isinstance(node, ast.FunctionDef):
        for decorator in node.decorator_list:
            yield decorator, "no-decorators", "Tools and helpers are plain functions, without decorators."


def _signature_faults(function: ast.FunctionDef) -> Iterator[Fault]:
    """How a function of the module must look from outside; a helper may do without env."""
    given = function.args
    positional = [argument.arg for argument in (*given.posonlyargs, *given.args)]
    keyword_only = [argument.arg for argument in given.kwonlyargs]
    if function.name.startswith("_"):
        if "env" in positional[1:] + keyword_only:
            yield function, "signature", "env is the first parameter of a helper that needs it."
        return
    if positional != ["env"] or given.defaults:
        yield function, "signature", "A tool takes env, then `*`, then its parameters by keyword only."
    if given.vararg or given.kwarg:
        yield function, "signature", "A tool names every parameter; no *args and no **kwargs."
    for argument in given.kwonlyargs:
        if argument.annotation is None:
            yield argument, "signature", f"The parameter {argument.arg} has no type; annotate it."
    if not ast.get_docstring(function):
        yield function, "signature", "A tool has a docstring that says what it does."
    returned = function.returns.value if isinstance(function.returns, ast.Subscript) else function.returns
    if not isinstance(returned, ast.Name) or returned.id != "dict":
        yield function, "signature", "A tool returns a dict: write `-> dict`."
