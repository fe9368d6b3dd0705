"""Which functions of published code only read, going by their text.

Belongs here: that question. A function reads only when nothing in it, nor in any function of the same name it could
call, changes what it did not make itself. Does not: running anything.
"""

import ast
from collections.abc import Iterator, Sequence

_CHANGES = frozenset(
    (
        *("append", "extend", "insert", "pop", "popitem", "remove", "clear", "update", "setdefault", "add", "discard"),
        *("sort", "reverse", "appendleft", "popleft", "rotate", "write", "setattr", "__setattr__", "delattr", "exec"),
        *("extendleft", "subtract", "move_to_end", "difference_update", "intersection_update"),
        *("symmetric_difference_update", "__setitem__", "__delitem__", "__delattr__", "randrange", "choices"),
        *("seed", "shuffle", "next", "random", "randint", "choice", "uniform", "sample", "uuid4", "globals", "eval"),
    )
)
_CHANGES_OF_THE_FIRST = frozenset(
    (
        *("heappush", "heappop", "heapify", "heapreplace", "heappushpop"),
        *("insort", "insort_left", "insort_right"),
    )
)
"""Functions that change what they are given first."""
_MAKERS = frozenset(("list", "dict", "set", "sorted", "deepcopy", "copy", "defaultdict", "Counter", "split"))

Function = ast.FunctionDef | ast.AsyncFunctionDef


def readers(trees: Sequence[ast.Module]) -> set[str]:
    """The names of functions and methods that only read, whichever of that name is meant."""
    functions: dict[str, list[Function]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, Function):
                functions.setdefault(node.name, []).append(node)
    writing = {name for name, all_of in functions.items() if any(_changes(one) for one in all_of)}
    called = {name: {word for one in all_of for word in _called(one)} for name, all_of in functions.items()}
    while more := {name for name in functions.keys() - writing if called[name] & writing}:
        writing |= more
    return functions.keys() - writing


def _changes(function: Function) -> bool:
    own = _own_names(function)
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal | ast.Delete):
            return True
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = [part for target in node.targets for part in _parts(target)]
        elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.NamedExpr | ast.For):
            targets = list(_parts(node.target))
        if any(not isinstance(target, ast.Name) and _root(target) not in own for target in targets):
            return True
        if isinstance(node, ast.AugAssign) and _root(node.target) not in own:
            return True  # a list changes in place, whoever else holds it
        if isinstance(node, ast.Call) and _word(node.func) in _CHANGES and _root(node.func) not in own:
            return True
        if isinstance(node, ast.Call) and _word(node.func) in _CHANGES_OF_THE_FIRST:
            first = node.args[0] if node.args else None
            if not (isinstance(first, ast.Name) and first.id in own):
                return True
    return False


def _parts(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        for inner in target.elts:
            yield from _parts(inner)
    elif isinstance(target, ast.Starred):
        yield from _parts(target.value)
    else:
        yield target


def _own_names(function: Function) -> set[str]:
    """Names that only ever stand for what the function has made itself."""
    made: dict[str, bool] = {}
    arguments = function.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        made[argument.arg] = False
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    made[target.id] = made.get(target.id, True) and _is_made(node.value)
                else:
                    made |= {part.id: False for part in _parts(target) if isinstance(part, ast.Name)}
        elif isinstance(node, ast.For | ast.comprehension | ast.NamedExpr):
            made |= {part.id: False for part in _parts(node.target) if isinstance(part, ast.Name)}
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            made |= {part.id: False for part in _parts(node.optional_vars) if isinstance(part, ast.Name)}
    return {name for name, is_made in made.items() if is_made}


def _is_made(value: ast.expr) -> bool:
    fresh = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp | ast.Constant | ast.JoinedStr
    return isinstance(value, fresh) or (isinstance(value, ast.Call) and _word(value.func) in _MAKERS)


def _root(node: ast.expr) -> str:
    """The name whose own content an expression stands for; nothing for what is further inside."""
    if isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _word(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _called(function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute):
            yield node.attr  # also properties
        elif isinstance(node, ast.Call):
            yield _word(node.func)
