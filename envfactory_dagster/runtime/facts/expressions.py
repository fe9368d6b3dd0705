"""The values of Python expressions, known without running them.

Belongs here: the expressions of the subset of Python that tools are written in, calls and assignment targets
included; whatever is outside it is unknown. Does not: statements and control flow (`dataflow.py`), abstract values
(`values.py`), placeholders and rows (`sqlcalls.py`).
"""

import ast
import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

from envfactory_dagster.runtime.facts.binding import BoundStatement
from envfactory_dagster.runtime.facts.flow import COMPUTED, only
from envfactory_dagster.runtime.facts.module import SQL_METHODS, Function, Module, SqlCall, argument_of, is_env_call
from envfactory_dagster.runtime.facts.results import NOW, USER, CodeProblem, ParameterUse
from envfactory_dagster.runtime.facts.sqlcalls import FRESH, ToolTrace, answer
from envfactory_dagster.runtime.facts.values import (
    ABSENT,
    CONSTANT,
    UNKNOWN,
    Record,
    Sequence,
    TooComplex,
    Value,
    any_of,
    computed_from,
)

State = dict[str, Value]
"""The local variables at one point of a function."""

MOST_STEPS = 50_000
"""Statements and expressions followed for one tool, loops twice, and variables joined after branches; a rich one takes
ten thousand."""
_MOST_FIELDS_LISTED = 20
_UNCHANGED = frozenset({"int", "str", "float"})
_COPIES = frozenset({"list", "tuple", "sorted", "reversed", "set", "frozenset", "iter"})
_COUNTS = frozenset({"len", "range", "any", "all", "isinstance", "bool"})
_STRIPS = frozenset({"strip", "lstrip", "rstrip"})
_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "=",
    ast.Is: "=",
    ast.NotEq: "!=",
    ast.IsNot: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Lt: "range",
    ast.LtE: "range",
    ast.Gt: "range",
    ast.GtE: "range",
}


class Context:
    """What all functions of one module share while one of them is followed."""

    def __init__(self, module: Module, statements: Mapping[int, BoundStatement], most_steps: int = MOST_STEPS) -> None:
        """`statements` are by the `id` of their call's node; a call that has none is unknown. After `most_steps` it is
        given up."""
        self.module = module
        self.calls: dict[int, SqlCall] = {
            id(call.node): call for function in module.functions.values() for call in function.sql_calls
        }
        self.statements = statements
        self.trace = ToolTrace()
        self.steps = 0
        self._most_steps = most_steps

    def step(self, count: int = 1) -> None:
        """Count steps of work."""
        self.steps += count
        if self.steps > self._most_steps:
            raise TooComplex


class Expressions(ABC):
    """Evaluates the expressions of one function, called from one place."""

    def __init__(self, context: Context, function: Function) -> None:
        self._context = context
        self._function = function
        self._objects: dict[int, Record | Sequence] = {}  # by the node that makes them: one per place

    @abstractmethod
    def _follow(self, node: ast.Call, function: Function, arguments: State) -> Value:
        """What a function of the module returns when it is called at `node`."""

    def _bind(self, target: ast.expr, value: Value, state: State) -> None:
        match target:
            case ast.Name():
                state[target.id] = value
            case ast.Tuple() | ast.List():
                parts = value.sequences[0].items if len(value.objects) == 1 and value.sequences else None
                fits = parts is not None and len(parts) == len(target.elts)
                for at, part in enumerate(target.elts):
                    self._bind(part, parts[at] if parts is not None and fits else UNKNOWN, state)
            case ast.Starred():
                self._bind(target.value, UNKNOWN, state)
            case ast.Subscript():
                self._put(self._eval(target.value, state), self._eval(target.slice, state), value)

    def _put(self, container: Value, key: Value, value: Value) -> None:
        for sequence in container.sequences:
            sequence.put(value)
        for record in container.records:
            if key.text is not None:
                record.put(key.text, value)
            else:
                record.closed = False

    def _iterate(self, target: ast.expr, source: ast.expr, state: State) -> None:
        """Bind the variables of `for target in source`."""
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and isinstance(target, ast.Tuple):
            if source.func.id == "enumerate" and len(target.elts) == 2 and source.args:
                self._bind(target.elts[0], CONSTANT, state)
                self._iterate(target.elts[1], source.args[0], state)
                return
            if source.func.id == "zip" and len(target.elts) == len(source.args):
                for part, argument in zip(target.elts, source.args, strict=True):
                    self._iterate(part, argument, state)
                return
        self._bind(target, self._eval(source, state).member(), state)

    # -- expressions --------------------------------------------------------------------------------------------

    def _eval_all(self, node: ast.AST, state: State) -> list[Value]:
        """The values of the expressions directly under a node."""
        return [self._eval(child, state) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]

    def _eval(self, node: ast.expr, state: State) -> Value:
        self._context.step()
        match node:
            case ast.Constant():
                return _literal(node.value)
            case ast.Name():
                return self._name(node.id, state)
            case ast.Attribute():
                return self._attribute(node, state)
            case ast.Call():
                return self._call(node, state)
            case ast.Subscript():
                return self._subscript(node, state)
            case ast.Dict():
                return self._dict(node, state)
            case ast.List() | ast.Tuple() | ast.Set():
                return self._sequence(node, [self._eval(part, state) for part in node.elts])
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return self._sequence_of(node, self._eval(node.elt, self._comprehended(node.generators, state)))
            case ast.DictComp():
                return self._dict_comprehension(node, state)
            case ast.IfExp():
                self._eval(node.test, state)
                return any_of((self._eval(node.body, state), self._eval(node.orelse, state)))
            case ast.BoolOp():
                values = [self._eval(part, state) for part in node.values]
                return values[-1] if isinstance(node.op, ast.And) else any_of(values)
            case ast.Compare():
                return self._compare(node, state)
            case ast.BinOp():
                return self._binary(node, state)
            case ast.UnaryOp(op=ast.Not()):
                self._eval(node.operand, state)
                return CONSTANT
            case ast.UnaryOp() | ast.JoinedStr() | ast.FormattedValue():
                return computed_from(self._eval_all(node, state))
            case ast.NamedExpr():
                value = self._eval(node.value, state)
                self._bind(node.target, value, state)
                return value
        return UNKNOWN

    def _name(self, name: str, state: State) -> Value:
        if name in state:
            return state[name]
        constant = self._context.module.constants.get(name)
        return self._eval(constant, {}) if isinstance(constant, ast.Constant | ast.Tuple) else UNKNOWN

    def _attribute(self, node: ast.Attribute, state: State) -> Value:
        if isinstance(node.value, ast.Name) and node.value.id == "env":
            source = {"user_id": USER, "now": NOW}.get(node.attr)
            return Value(only(source)) if source else UNKNOWN
        self._eval(node.value, state)
        return UNKNOWN

    def _subscript(self, node: ast.Subscript, state: State) -> Value:
        container = self._eval(node.value, state)
        if isinstance(node.slice, ast.Slice):
            return container if container.objects else computed_from((container,))
        name = self._eval(node.slice, state).text
        if name is None:
            return container.member() if container.sequences else computed_from((container,))
        if container.lacks(name):
            self._report_missing_field(node, name, container)
        return container.item(name)

    def _report_missing_field(self, node: ast.expr, name: str, container: Value) -> None:
        fields = sorted({field for record in container.records for field in record.fields})
        more = ", …" if len(fields) > _MOST_FIELDS_LISTED else ""
        known = ", ".join(fields[:_MOST_FIELDS_LISTED]) + more
        sentence = f"There is no field {name!r} here; the fields are: {known}."
        problem = CodeProblem(
            node.lineno, "unknown-field", sentence, self._context.module.line(node.lineno), self._function.name
        )
        self._context.trace.problems.add(problem)

    def _dict(self, node: ast.Dict, state: State) -> Value:
        keys = [None if key is None else self._eval(key, state) for key in node.keys]
        values = [self._eval(value, state) for value in node.values]
        return self._made(node, zip(keys, values, strict=True))

    def _dict_comprehension(self, node: ast.DictComp, state: State) -> Value:
        """A dict whose keys are spelled out in a tuple has known fields; any other is unknown."""
        generator, inner = node.generators[0], dict(state)
        source = self._eval(generator.iter, inner)
        items = source.sequences[0].items if len(source.objects) == 1 and source.sequences else None
        if items is None or len(node.generators) > 1 or generator.ifs:
            self._eval(node.value, self._comprehended(node.generators, state))
            return UNKNOWN
        entries: list[tuple[Value | None, Value]] = []
        for item in items:
            self._bind(generator.target, item, inner)
            entries.append((self._eval(node.key, inner), self._eval(node.value, inner)))
        return self._made(node, entries)

    def _binary(self, node: ast.BinOp, state: State) -> Value:
        left, right = self._eval(node.left, state), self._eval(node.right, state)
        if isinstance(node.op, ast.BitOr) and left.records and right.records:
            return self._made(node, ((None, left), (None, right)))
        return any_of((left, right)) if left.sequences or right.sequences else computed_from((left, right))

    def _made(self, node: ast.expr, entries: Iterable[tuple[Value | None, Value]]) -> Value:
        """The dict made at `node` from keys and values; a value without a key is a dict to take over."""
        record = self._record(node)
        record.fields, record.closed = {}, True
        for key, value in entries:
            if key is None:
                _absorb(record, value)
            elif key.text is not None:
                record.fields[key.text] = value
            else:
                record.closed = False
        return Value(objects=frozenset((record,)))

    def _record(self, node: ast.AST) -> Record:
        made = self._objects.setdefault(id(node), Record())
        assert isinstance(made, Record)
        return made

    def _sequence(self, node: ast.expr, items: list[Value]) -> Value:
        exact = not any(isinstance(part, ast.Starred) for part in ast.iter_child_nodes(node))
        value = self._sequence_of(node, any_of(items) if exact else UNKNOWN)
        value.sequences[0].items = tuple(items) if exact else None
        return value

    def _sequence_of(self, node: ast.AST, element: Value) -> Value:
        made = self._objects.setdefault(id(node), Sequence(element))
        assert isinstance(made, Sequence)
        made.put(element)
        return Value(objects=frozenset((made,)))

    def _comprehended(self, generators: Iterable[ast.comprehension], state: State) -> State:
        inner = dict(state)
        for generator in generators:
            self._iterate(generator.target, generator.iter, inner)
            for condition in generator.ifs:
                self._eval(condition, inner)
        return inner

    def _compare(self, node: ast.Compare, state: State) -> Value:
        values = [self._eval(part, state) for part in (node.left, *node.comparators)]
        for operator, left, right in zip(node.ops, values, values[1:], strict=False):
            among = right.member() if isinstance(operator, ast.In | ast.NotIn) else right
            for given, held in ((left, among), (among, left)):
                if not (given.known and held.known and given.flow.exact and held.flow.exact):
                    continue
                self._context.step(len(given.flow.sources) * len(held.flow.columns))
                for source, column in itertools.product(given.flow.sources, held.flow.columns):
                    if not source.startswith(FRESH):
                        use = ParameterUse(source, column, "check", _OPERATORS[type(operator)], exact=True)
                        self._context.trace.uses.add(use)
        return CONSTANT

    # -- calls --------------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, state: State) -> Value:
        if is_env_call(node, SQL_METHODS):
            return self._sql(node, state)
        arguments = [self._eval(argument, state) for argument in node.args]
        named = {keyword.arg: self._eval(keyword.value, state) for keyword in node.keywords}
        if is_env_call(node, ("new_id",)):
            return Value(only(f"{FRESH}:{node.lineno}:{node.col_offset}"))
        if isinstance(node.func, ast.Attribute):
            return self._method(node, node.func, arguments, named, state)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in state and (function := self._context.module.called(name)) is not None:
            return self._helper(node, function, arguments, named)
        if name in state or not name:
            return _handed_over((*arguments, *named.values()))
        return self._builtin(node, name, arguments, named)

    def _sql(self, node: ast.Call, state: State) -> Value:
        written = argument_of(node, 1, "params")
        given = self._eval(written, state) if written is not None else None
        statement = self._context.statements.get(id(node))
        if statement is None:
            return UNKNOWN
        call = self._context.calls[id(node)]
        value, fields = answer(call, statement, given, self._function.name, self._context.trace)
        if call.method not in ("query", "one"):
            return value
        record = self._record(node)
        record.fields = fields
        row = Value(objects=frozenset((record,)))
        return row if call.method == "one" else self._sequence_of(node.func, row)

    def _helper(
        self, node: ast.Call, function: Function, arguments: list[Value], named: dict[str | None, Value]
    ) -> Value:
        spread = None in named or any(isinstance(argument, ast.Starred) for argument in node.args)
        given: State = {}
        for parameter, default in function.defaults.items():
            given[parameter] = UNKNOWN if spread else self._eval(default, {}) if default else UNKNOWN
        extra = {name: value for name, value in named.items() if name not in given}
        if not spread:
            given.update(zip(function.positional, arguments, strict=False))
            given.update({name: value for name, value in named.items() if name in given})
        if kwarg := function.node.args.kwarg:
            given[kwarg.arg] = UNKNOWN if spread else self._dict_call(node, ABSENT, extra)
        if vararg := function.node.args.vararg:
            given[vararg.arg] = UNKNOWN
        given.pop("env", None)
        return self._follow(node, function, given)

    def _method(
        self,
        node: ast.Call,
        called: ast.Attribute,
        arguments: list[Value],
        named: dict[str | None, Value],
        state: State,
    ) -> Value:
        everything = [*arguments, *named.values()]
        if (root := _root(called)) not in ("", "env") and root not in state:  # a function of an imported module
            is_json_text = called.attr == "dumps" and len(arguments) == 1  # stands for the value until json_each
            return arguments[0] if is_json_text else computed_from(everything)
        receiver = self._eval(called.value, state)
        key = arguments[0].text if arguments else None
        match called.attr:
            case "get" if key is not None:
                return any_of((receiver.item(key), *(arguments[1:] or [ABSENT])))
            case "pop" if key is not None and receiver.records:
                popped = receiver.item(key)
                for record in receiver.records:
                    record.fields[key] = UNKNOWN  # gone, unless this branch was not taken
                return popped
            case "append" | "add" | "insert" | "extend" if receiver.sequences and arguments:
                added = arguments[-1].member() if called.attr == "extend" else arguments[-1]
                for sequence in receiver.sequences:
                    sequence.put(added)
                return ABSENT
            case "update" if receiver.records and len(everything) == 1 and arguments:
                for record in receiver.records:
                    _absorb(record, arguments[0])
                return ABSENT
            case "copy" if receiver.objects:
                return self._copied(node, receiver)
            case "sort" | "reverse" | "pop" if receiver.sequences:
                return receiver.member()
            case "items" | "keys" | "values" if receiver.objects:
                return UNKNOWN
            case strip if strip in _STRIPS and not arguments and not receiver.objects:
                return receiver
        return _handed_over((receiver, *everything)) if receiver.objects else computed_from((receiver, *everything))

    def _builtin(self, node: ast.Call, name: str, arguments: list[Value], named: dict[str | None, Value]) -> Value:
        first = arguments[0] if arguments else ABSENT
        if name in _COUNTS:
            return CONSTANT
        if name in _UNCHANGED and len(arguments) == 1 and not first.objects:
            return first
        if name == "dict" and len(arguments) <= 1 and None not in named:
            return self._dict_call(node, first, named)
        if name in _COPIES and len(arguments) == 1:
            return self._copied(node, first) if first.objects else first
        if name in ("min", "max", "next") and arguments:
            alternatives = [first.member(), *arguments[1:]] if len(arguments) == 1 or name == "next" else arguments
            return any_of((*alternatives, named.get("default", ABSENT)))
        result = computed_from((*arguments, *named.values()))
        return result if result.known else _handed_over((*arguments, *named.values()))

    def _dict_call(self, node: ast.Call, first: Value, named: Mapping[str | None, Value]) -> Value:
        given = ((Value(text=name), value) for name, value in named.items())
        return self._made(node, ((None, first), *given))

    def _copied(self, node: ast.Call, value: Value) -> Value:
        """A shallow copy: what is done to it later does not happen to the original."""
        if not value.known or (value.records and value.sequences):
            return UNKNOWN
        if value.records:
            return self._dict_call(node, value, {})
        return self._sequence_of(node, value.member())


def _root(node: ast.expr) -> str:
    """The name that a chain of attributes begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _literal(value: object) -> Value:
    if isinstance(value, str):
        return Value(COMPUTED, text=value)
    return ABSENT if value is None else CONSTANT


def _absorb(record: Record, value: Value) -> None:
    """Take over the fields of another dict; where it may be one of several, what was there may stay."""
    certain = value.known and not value.flow.origins and not value.sequences
    record.closed = record.closed and certain and all(other.closed for other in value.records)
    for name in {name for other in value.records for name in other.fields}:
        taken = any_of(other.fields[name] for other in value.records if name in other.fields)
        replaced = all(name in other.fields for other in value.records)
        before = None if replaced else record.fields.get(name)
        record.fields[name] = taken if before is None else any_of((before, taken))


def _handed_over(values: Iterable[Value]) -> Value:
    """The result of code that is not followed: unknown, and so is what it was given."""
    for value in values:
        value.lose_track()
    return UNKNOWN
