"""JSON Schema checks for tool arguments and results: fast when a value fits, plain-spoken when it does not.

Belongs here: the subset of JSON Schema 2020-12 that tool specifications use, compiled to Python, and the sentences
that tell a language model what to correct. Does not: files, tools, sessions, imports of a third party or of ours but
`patterns`; the text of both is also embedded in every bundle's stand-alone server.

A keyword outside the subset is a `SchemaError`, so nothing a schema asks for goes silently unchecked. Checked:
type, enum and const (of scalars), minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength,
maxLength, pattern, format (date, time, date-time, email, uri, uuid), properties, required, additionalProperties,
items, minItems, maxItems, uniqueItems, anyOf, oneOf, allOf, and `$ref` to the root's `$defs`, not recursive.

Stricter than the standard, on purpose:
- Whatever the schema says, a value is plain JSON in exact Python types: no subclass, tuple, NaN, infinity, integer
  beyond 64 bits, lone surrogate, or nesting deeper than 64; a schema describes at most 16 levels.
- 3.0 is not an integer: code and SQL see the value that was sent.
- `pattern` is matched by `patterns`, in time that does not explode, whoever wrote it: a Python expression with ASCII
  classes, no looking ahead or behind, no references to groups, `\\b` or flags; `$` matches only at the very end, and no
  string beyond 2,000 characters matches.
- `format` is checked. Times may leave out seconds and offset, and a space may stand for the T, as in SQLite.
- `multipleOf` is decimal: 19.99 is a multiple of 0.01.
"""

import difflib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from fractions import Fraction
from types import CodeType
from typing import Any, NamedTuple

from envfactory_dagster.runtime.patterns import PatternError, search

Checker = Callable[[object], str | None]
_Schema = dict[str, Any]

_MAX_DEPTH = 64
_MAX_PARTS = 2_000
_MAX_NAMED = 500_000  # characters of names and values in a schema, counted again wherever a $ref leads to them
_MAX_LISTED = 20
_MAX_MATCHED = 2_000
_MAX_STATIC = 16  # how deep schemas nest values: generated loops nest as deep, and Python allows 20 blocks
_TOO_DEEP = f": nested deeper than {_MAX_DEPTH} levels"


class SchemaError(ValueError):
    """A schema is malformed or uses something that is not checked here; the message names the place and keyword."""


def compile_schema(schema: Mapping[str, object], label: str = "arguments") -> Checker:
    """A checker of one schema: None when the value fits, else a sentence about `label`, its root."""
    return load_checkers(compile_schemas({label: schema}, label))[label]


def compile_schemas(schemas: Mapping[str, Mapping[str, object]], label: str) -> CodeType:
    """The checkers of many schemas, by name, as code for `load_checkers`; slow to make, so keep it with `marshal`."""
    functions: list[str] = []
    entries = []
    for name, schema in schemas.items():
        if problem := _impurity(schema):
            raise SchemaError(f"{name}{problem}")
        entries.append(f" {name!r}: {_Writer(functions, schema).function(schema, 1, (name,), repr(label))[0]},")
    return compile("\n".join([*functions, "checkers = {", *entries, "}"]), "<json schema>", "exec")


def load_checkers(code: CodeType) -> dict[str, Checker]:
    """The checkers in a code object made by `compile_schemas`."""
    names = dict(globals())  # generated code calls the functions below
    exec(code, names)
    checkers: dict[str, Checker] = names["checkers"]
    return checkers


def _impurity(value: Any, depth: int = 1) -> str | None:
    """Why a value is not plain JSON, whatever its schema. Like every problem: the rest of a sentence, path first."""
    if type(value) is str:
        return None if value.isascii() or _encodable(value) else f": {_show(value)} holds half a surrogate pair"
    if type(value) is int:
        return None if -(2**63) <= value < 2**63 else ": expected an integer within 64 bits, got a larger one"
    if type(value) is float:
        return None if value - value == 0.0 else f": expected a finite number, got {value}"
    if value is None or type(value) is bool:
        return None
    if type(value) is not dict and type(value) is not list:
        return f": a Python value of type {_quote(type(value).__name__)} is not JSON; use dicts, lists and scalars"
    if depth > _MAX_DEPTH:
        return _TOO_DEEP
    items: Iterable[tuple[Any, Any]] = value.items() if type(value) is dict else enumerate(value)
    for place, item in items:
        if type(value) is dict and type(place) is not str:
            return f": field names must be strings, got a Python {_quote(type(place).__name__)}"
        if type(value) is dict and not (place.isascii() or _encodable(place)):
            return f": the field name {_quote(place)} holds half a surrogate pair"
        if problem := _impurity(item, depth + 1):
            return problem if problem is _TOO_DEEP else f"{_step(place)}{problem}"
    return None


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _mismatch(expected: str, value: Any) -> str:
    whole = type(value) is float and value.is_integer() and expected.startswith("an integer")
    hint = "; write it without a decimal point" if whole else ""
    return _impurity(value) or f": expected {expected}, got {_show(value)}{hint}"


def _misnamed(value: _Schema, required: tuple[str, ...], fields: tuple[str, ...], closed: bool) -> str:
    problems = []
    if missing := [name for name in required if name not in value]:
        problems.append(f"missing {_listed(missing)}")
    if closed and (unknown := [name for name in value if name not in fields]):
        absent = {name[:60]: name for name in fields if name not in value}
        near = difflib.get_close_matches(unknown[0][:60], absent, 1)
        guess = f"did you mean {_quote(absent[near[0]])}? " if near else ""
        plural = "s" if len(unknown) > 1 else ""
        problems.append(f"unknown field{plural} {_listed(unknown)} ({guess}allowed: {_listed(fields) or 'none'})")
    return f": {'; '.join(problems)}"


def _unchosen(value: object, expected: str, *problems: str | None) -> str:
    if fitting := problems.count(None):
        return f": fits {fitting} of the allowed forms, expected exactly one ({expected})"
    # The alternative of the right type says best what is wrong inside.
    inside = [problem for problem in problems if problem and not problem.startswith(": expected ")]
    return inside[0] if inside else _mismatch(expected, value)


def _repeats(items: list[Any]) -> str | None:
    seen: dict[Any, int] = {}
    for index, item in enumerate(items):
        if (first := seen.setdefault(_key(item), index)) != index:
            return f": expected items that all differ, but [{first}] and [{index}] are the same"
    return None


def _key(value: Any) -> Any:
    """Something hashable that is equal for equal JSON: 1 and 1.0 are the same, 1 and true are not."""
    if type(value) is list:
        return (list, *map(_key, value))
    if type(value) is dict:
        return (dict, frozenset((name, _key(item)) for name, item in value.items()))
    return (bool, value) if type(value) is bool else value


def _show(value: Any) -> str:
    if type(value) is list or type(value) is dict:
        return f"an array of {len(value)} items" if type(value) is list else f"an object of {len(value)} fields"
    noun = {str: "the string ", int: "the integer ", float: "the number "}.get(type(value), "")
    return f"{noun}{_quote(value)}"


def _quote(value: Any) -> str:
    """A scalar: text as Python shows it, but cut, so that it cannot break or swamp a message; others as JSON."""
    if type(value) is not str:
        return json.dumps(value)
    return repr(value) if len(value) <= 60 else f"{value[:60]!r}... ({len(value)} characters)"


def _step(place: str | int) -> str:
    if isinstance(place, int):
        return f"[{place}]"
    return f".{place}" if place.isidentifier() and len(place) <= 60 else f"[{_quote(place)}]"


def _listed(values: Collection[Any]) -> str:
    more = f", ... ({len(values)} in all)" if len(values) > _MAX_LISTED else ""
    return ", ".join(map(_quote, list(values)[:_MAX_LISTED])) + more


def _multiple(value: float, of: float) -> bool:
    return Fraction(repr(value)) % Fraction(repr(of)) == 0


def _matches(pattern: str, text: str) -> bool:
    return len(text) <= _MAX_MATCHED and search(pattern)(text)


def _is_pattern(pattern: Any) -> bool:
    try:
        return type(pattern) is str and bool(search(pattern))
    except PatternError:
        return False


_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?"
_FORMATS = {
    "date": re.compile(r"\d{4}-\d\d-\d\d", re.ASCII),
    "time": re.compile(_TIME, re.ASCII),
    "date-time": re.compile(rf"\d{{4}}-\d\d-\d\d[T ]{_TIME}", re.ASCII),
    "email": re.compile(r"[^@\s]+@[^@\s]+"),
    "uri": re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+"),
    "uuid": re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"),
}


def _formatted(name: str, text: str) -> bool:
    try:
        return bool(_FORMATS[name].fullmatch(text) and (name[:4] != "date" or date.fromisoformat(text[:10])))
    except ValueError:
        return False


_NUMBERS = ("int", "float")
_TYPES = {  # JSON type: names of its Python types, how a person says it
    "null": (("NoneType",), "null"),
    "boolean": (("bool",), "true or false"),
    "integer": (("int",), "an integer"),
    "number": (_NUMBERS, "a number"),
    "string": (("str",), "a string"),
    "array": (("list",), "an array"),
    "object": (("dict",), "an object"),
}
_ANY = [name for name in _TYPES if name != "integer"]
_PLAIN = {  # Python type: what makes its value plain JSON
    "int": "-9223372036854775808 <= {x} <= 9223372036854775807",
    "float": "{x} - {x} == 0.0",
    "str": "({x}.isascii() or _encodable({x}))",
}
_LIMITS = {  # keyword: Python types it limits, condition, how a person says it
    "minimum": (_NUMBERS, "{x} >= {k}", "of at least {k}"),
    "maximum": (_NUMBERS, "{x} <= {k}", "of at most {k}"),
    "exclusiveMinimum": (_NUMBERS, "{x} > {k}", "greater than {k}"),
    "exclusiveMaximum": (_NUMBERS, "{x} < {k}", "less than {k}"),
    "multipleOf": (_NUMBERS, "_multiple({x}, {k})", "that is a multiple of {k}"),
    "minLength": (("str",), "len({x}) >= {k}", "with {k} or more characters"),
    "maxLength": (("str",), "len({x}) <= {k}", "with {k} or fewer characters"),
    "pattern": (("str",), "_matches({k}, {x})", f"matching {{k}} within {_MAX_MATCHED} characters"),
    "format": (("str",), "_formatted({k}, {x})", "in the format {k}"),
    "minItems": (("list",), "len({x}) >= {k}", "with {k} or more items"),
    "maxItems": (("list",), "len({x}) <= {k}", "with {k} or fewer items"),
}


def _are_strings(operand: Any) -> bool:
    return type(operand) is list and all(type(name) is str for name in operand) and not _repeats(operand)


def _are_types(operand: Any) -> bool:
    names = operand if type(operand) is list else [operand]
    return bool(names) and _are_strings(names) and _TYPES.keys() >= set(names)


_Operand = tuple[Callable[[Any], bool], str]  # whether it is right, what it must be
_NUMBER: _Operand = (lambda k: type(k) in (int, float), "a number")
_COUNT: _Operand = (lambda k: type(k) is int and k >= 0, "a whole number of at least 0")
_SCHEMA: _Operand = (lambda k: type(k) in (dict, bool), "a schema")
_SCHEMAS: _Operand = (lambda k: type(k) is list and len(k) > 0, "an array of one or more schemas")
_OPERANDS: dict[str, _Operand] = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _COUNT),
    **dict.fromkeys(("items", "additionalProperties"), _SCHEMA),
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), _SCHEMAS),
    "multipleOf": (lambda k: type(k) in (int, float) and k > 0, "a number greater than 0"),
    "pattern": (
        _is_pattern,
        "a short Python regular expression without looking ahead or behind, references to groups, \\b or flags",
    ),
    "format": (lambda k: type(k) is str and k in _FORMATS, f"one that is checked here: {', '.join(_FORMATS)}"),
    "uniqueItems": (lambda k: type(k) is bool, "true or false"),
    "type": (_are_types, f"one or several of {', '.join(_TYPES)}"),
    "enum": (lambda k: type(k) is list and not {dict, list} & set(map(type, k)), "an array of scalars"),
    "const": (lambda k: type(k) not in (dict, list), "a scalar"),
    **dict.fromkeys(("properties", "$defs"), (lambda k: type(k) is dict, "an object of schemas")),
    "required": (_are_strings, "an array of different strings"),
    "$ref": (lambda k: type(k) is str and k.startswith("#/$defs/"), '"#/$defs/NAME"'),
}
_ANNOTATIONS = frozenset({"title", "description", "default", "examples", "$comment", "deprecated", "$schema"})


class _Spot(NamedTuple):
    """A value the generated code looks at, and where the schema speaks of it."""

    x: str  # the variable that holds it
    path: str  # a Python expression: its path in the value
    level: int  # how many containers deep
    pad: str
    place: tuple[str, ...]  # of its schema, a step for every schema around it

    def inside(self, x: str, step: str, place: str, pad: str) -> "_Spot":
        return _Spot(x, f"{self.path} + {step}", self.level + 1, pad, (*self.place, place))


def _too_large(where: str) -> SchemaError:
    return SchemaError(f"{where[:300]}: the schema is too large or leads back to itself through $ref")


class _Writer:
    """Writes a schema as Python functions that return None or a problem; its text enters them through repr() only."""

    def __init__(self, functions: list[str], root: object) -> None:
        self._functions = functions
        self._defs: Any = root.get("$defs", {}) if type(root) is dict else {}
        self._parts = 0
        self._named = 0

    def function(self, schema: object, level: int, place: tuple[str, ...], path: str = "''") -> tuple[str, str]:
        """The name of the function for this schema, and what it expects, as a noun phrase."""
        lines: list[str] = []
        expected = self._node(lines, schema, _Spot("x", path, level, " ", place))
        name = f"check{len(self._functions)}"
        self._functions.append("\n".join([f"def {name}(x):", *lines]))
        return name, expected

    def _read(self, schema: object, at: _Spot) -> _Schema:
        """The keywords to check, each known and with an operand that is right."""
        where = "".join(at.place)
        self._parts += 1
        if at.level > _MAX_STATIC or len(at.place) > _MAX_DEPTH or self._parts > _MAX_PARTS:
            raise _too_large(where)
        if type(schema) is bool:
            return {} if schema else {"enum": []}
        if type(schema) is not dict:
            raise SchemaError(f"{where}: must be a schema, got {_show(schema)}")
        read: _Schema = {word: operand for word, operand in schema.items() if word not in _ANNOTATIONS}
        for word, operand in read.items():
            if word not in _OPERANDS:
                raise SchemaError(f"{where}{_step(word)}: this keyword is not supported")
            right, what = _OPERANDS[word]
            if not right(operand):
                raise SchemaError(f"{where}{_step(word)}: must be {what}")
        read.pop("$defs", None)
        self._count(where, (name for word in ("enum", "required", "properties") for name in read.get(word, ())))
        if "const" in read:
            members = read.get("enum", [read["const"]])
            read["enum"] = [member for member in members if _key(member) == _key(read["const"])]
        return read

    def _count(self, where: str, written: Iterable[Any]) -> None:
        self._named += sum(20 + len(one) if type(one) is str else 40 for one in written)
        if self._named > _MAX_NAMED:
            raise _too_large(where)

    def _node(self, out: list[str], schema: object, at: _Spot) -> str:
        """Lines that return a problem unless the value fits; what is expected, as a noun phrase."""
        x, path, level, pad, place = at
        read = self._read(schema, at)
        if not read:
            out.append(f"{pad}if p := _impurity({x}, {level}): return {path} + p")
            return "any value"
        phrases = [self._own(out, read, at)] if read.keys() - {"$ref", "allOf", "anyOf", "oneOf"} else []
        parts = {f".allOf[{index}]": part for index, part in enumerate(read.get("allOf", ()))}
        if "$ref" in read:
            name = read["$ref"].removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
            if name not in self._defs:
                raise SchemaError(f"{''.join(place)}.$ref: $defs has no {_quote(name)}")
            parts[".$ref"] = self._defs[name]
        phrases += [self._node(out, part, at._replace(place=(*place, step))) for step, part in parts.items()]
        for word in ("anyOf", "oneOf"):
            forms = enumerate(read.get(word, ()))
            if choices := [self.function(form, level, (*place, f".{word}[{index}]")) for index, form in forms]:
                calls = [f"(p{index} := {name}({x}))" for index, (name, _) in enumerate(choices)]
                test = " and ".join(calls) if word == "anyOf" else f"[{', '.join(calls)}].count(None) != 1"
                phrases.append(" or ".join(dict.fromkeys(expected for _, expected in choices)))
                self._count("".join(place), phrases[-1:])
                problems = ", ".join(f"p{index}" for index in range(len(choices)))
                out.append(f"{pad}if {test}: return {path} + _unchosen({x}, {phrases[-1]!r}, {problems})")
        return phrases[0]

    def _own(self, out: list[str], schema: _Schema, at: _Spot) -> str:
        """The lines for the value's type and limits, then for what is inside it."""
        names = [schema["type"]] if type(schema.get("type")) is str else schema.get("type", _ANY)
        tests = {kind: _condition(schema, kind, at.x) for name in names for kind in _TYPES[name][0]}
        tests = {kind: test for kind, test in tests.items() if test}
        expected = _expected(schema, names)
        wrong = f"not ({' or '.join(tests.values()) or False})"
        out.append(f"{at.pad}if {wrong}: return {at.path} + _mismatch({expected!r}, {at.x})")
        for kind, write in (("dict", self._object), ("list", self._array)):
            if kind in tests and len(tests) == 1:
                write(out, schema, at)
            elif kind in tests:
                out.append(f"{at.pad}if type({at.x}) is {kind}:")
                write(out, schema, at._replace(pad=f"{at.pad} "))
        return expected

    def _object(self, out: list[str], schema: _Schema, at: _Spot) -> None:
        x, path, level, pad, _ = at
        fields: _Schema = schema.get("properties", {})
        required = schema.get("required", ())
        closed = schema.get("additionalProperties") is False
        misnamed = f"return {path} + _misnamed({x}, {tuple(required)!r}, {tuple(fields)!r}, {closed})"
        impure = f"return {path} + _impurity({x}, {level})"
        variables = {name: f"{x}_{index}" for index, name in enumerate(fields)}
        # Key types first: after this, looking up a name runs no code of the value's own.
        out += [f"{pad}for k in {x}:", f"{pad} if type(k) is not str: {impure}"]
        if required:
            gets = [f"{pad} {variables.get(name, 'k')} = {x}[{name!r}]" for name in required]
            out += [f"{pad}try:", *gets, f"{pad}except KeyError: {misnamed}"]
        out.append(f"{pad}n{level} = {sum(name in fields for name in required)}")
        for name, field in fields.items():
            optional = name not in required
            if optional:
                out += [f"{pad}if {name!r} in {x}:", f"{pad} n{level} += 1"]
                out.append(f"{pad} {variables[name]} = {x}[{name!r}]")
            step = _step(name)
            inside = at.inside(variables[name], repr(step), f".properties{step}", pad + " " * optional)
            self._node(out, field, inside)
        out.append(f"{pad}if len({x}) != n{level}:")
        if closed:
            out.append(f"{pad} {misnamed}")
            return
        key, item = f"{x}_k", f"{x}_v"
        out += [f"{pad} for {key}, {item} in {x}.items():", f"{pad}  if {key} not in {tuple(fields)!r}:"]
        out.append(f"{pad}   if not ({key}.isascii() or _encodable({key})): {impure}")
        inside = at.inside(item, f"_step({key})", ".additionalProperties", f"{pad}   ")
        self._node(out, schema.get("additionalProperties", {}), inside)

    def _array(self, out: list[str], schema: _Schema, at: _Spot) -> None:
        index, item = f"{at.x}_i", f"{at.x}_v"
        out.append(f"{at.pad}for {index}, {item} in enumerate({at.x}):")
        self._node(out, schema.get("items", {}), at.inside(item, f"_step({index})", ".items", f"{at.pad} "))
        if schema.get("uniqueItems"):
            out.append(f"{at.pad}if p := _repeats({at.x}): return {at.path} + p")


def _condition(schema: _Schema, kind: str, x: str) -> str:
    """What a value of this Python type in the variable named x has to be, apart from what is inside it."""
    tests = [f"{x} is None" if kind == "NoneType" else f"type({x}) is {kind}"]
    if "enum" in schema:
        alike = _NUMBERS if kind in _NUMBERS else (kind,)
        members = [repr(member) for member in schema["enum"] if type(member).__name__ in alike]
        if not members:
            return ""
        tests.append(f"{x} in {{{', '.join(members)}}}")
    elif kind in _PLAIN:
        tests.append(_PLAIN[kind].format(x=x))
    tests += [test.format(x=x, k=repr(schema[word])) for word, (test, _) in _limits(schema, kind).items()]
    return " and ".join(tests)


def _expected(schema: _Schema, names: list[str]) -> str:
    """What the schema asks for, as a noun phrase; where it names no type, of the types it limits."""
    if "enum" in schema:
        return ("one of " if len(schema["enum"]) > 1 else "") + (_listed(schema["enum"]) or "nothing here")
    phrases = []
    for name in names:
        (kind, *_), noun = _TYPES[name]
        limits = [says.format(k=_quote(schema[word])) for word, (_, says) in _limits(schema, kind).items()]
        if limits or "type" in schema:
            phrases.append(f"{noun} {' and '.join(limits)}".strip())
    return " or ".join(phrases) or "a JSON value"


def _limits(schema: _Schema, kind: str) -> dict[str, tuple[str, str]]:
    return {word: (test, says) for word, (kinds, test, says) in _LIMITS.items() if word in schema and kind in kinds}
