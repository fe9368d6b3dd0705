"""What a schema accepts is what the reference implementation accepts, told of one deviation: 3.0 is no integer."""

import itertools
from collections.abc import Iterator
from typing import Any

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema.validators import extend

from envfactory_dagster.runtime.json_schema import compile_schema

Oracle = extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)
FORMATS = jsonschema.FormatChecker(["date"])
DEFS: dict[str, Any] = {"b": {"type": "string"}, "few": {"maxItems": 1, "maximum": 1}}
OPERANDS: dict[str, list[Any]] = {
    "type": [
        "integer",
        "number",
        "string",
        "null",
        "boolean",
        "array",
        "object",
        ["integer", "null"],
        ["array", "string"],
    ],
    "enum": [[], [1, "a", None], [True, 0.5, "2024-02-29"], [0, False, 2.0]],
    "const": [1, 0, True, None, "ab"],
    "minimum": [1, 0.5],
    "maximum": [1, 0.5],
    "exclusiveMinimum": [1, 0.5],
    "exclusiveMaximum": [1, 0.5],
    "multipleOf": [1, 0.5, 3],
    "minLength": [1, 2],
    "maxLength": [0, 1],
    "pattern": ["^a", "b$", "é"],
    "format": ["date"],
    "required": [[], ["b"], ["b", "c"]],
    "properties": [{"b": {"type": "integer"}}, {"b": True, "c": False}],
    "additionalProperties": [False, True, {"type": "string"}],
    "items": [True, False, {"type": "integer"}],
    "minItems": [1, 2],
    "maxItems": [0, 1],
    "uniqueItems": [True, False],
    "anyOf": [[{"type": "integer"}, {"minLength": 1}], [{"required": ["c"]}, {"type": ["null", "array"]}]],
    "oneOf": [[{"type": "number"}, {"minimum": 1}], [{"required": ["b"]}, {"required": ["c"]}, False]],
    "allOf": [[{"minimum": 1}, {"maxItems": 1}], [{"properties": {"b": {"minimum": 2}}}]],
    "$ref": ["#/$defs/b", "#/$defs/few"],
}
SCALARS: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    0.0,
    0.5,
    1,
    1.0,
    1.5,
    2,
    3,
    1e15,
    "",
    "a",
    "ab",
    "é",
    "2024-02-29",
    "2023-02-29",
]
ARRAYS: list[Any] = [
    [],
    [1],
    ["a"],
    [1, 2],
    [1, 1.0],
    [1, True],
    [0, False],
    [[1], [True]],
    [[1], [1.0]],
    [{"b": 1}, {"b": 1}],
]
OBJECTS: list[Any] = [
    {},
    {"b": 1},
    {"b": "x"},
    {"c": "x"},
    {"b": 1, "c": "x"},
    {"b": 2, "c": 1},
    {"b": 1, "c": 1, "d": "x"},
]
VALUES = [*SCALARS, *ARRAYS, *OBJECTS]


def assert_judged_alike(schema: dict[str, Any], values: list[Any]) -> None:
    check = compile_schema(schema, "result")
    oracle = Oracle(schema, format_checker=FORMATS)
    for value in values:
        message = check(value)
        assert (message is None) == oracle.is_valid(value), (schema, value, message)
        assert message is None or (message.startswith("result") and ": " in message and "\n" not in message)


def schemas_of(words: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for operands in itertools.product(*(OPERANDS[word] for word in words)):
        yield {**dict(zip(words, operands, strict=True)), "$defs": DEFS}


def test_every_keyword_alone_and_every_two_together() -> None:
    for words in itertools.chain(*(itertools.combinations(OPERANDS, size) for size in (0, 1, 2))):
        for schema in schemas_of(words):
            assert_judged_alike(schema, VALUES)


def of_any(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Up to four keywords; those that hold schemas hold deeper ones."""
    holding = {
        "properties": st.dictionaries(st.sampled_from("bc"), inner, max_size=2),
        "additionalProperties": inner,
        "items": inner,
        **dict.fromkeys(("anyOf", "oneOf", "allOf"), st.lists(inner, min_size=1, max_size=3)),
    }
    keywords = {word: st.sampled_from(operands) for word, operands in OPERANDS.items()} | holding
    chosen = st.lists(st.sampled_from(list(keywords)), max_size=4, unique=True)
    return chosen.flatmap(lambda words: st.fixed_dictionaries({word: keywords[word] for word in words}))


scalars = st.sampled_from(SCALARS)
values = st.recursive(
    st.sampled_from(VALUES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("bcd"), inner, max_size=3),
    max_leaves=6,
)


def fitting(draw: st.DrawFn, schema: Any, depth: int = 0) -> Any:
    """A value with a fair chance to fit; what this does not know of a schema is left to chance."""
    if type(schema) is bool or depth > 4 or draw(st.integers(0, 19)) == 0:
        return draw(values)
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return fitting(draw, draw(st.sampled_from(schema[word])), depth + 1)
    if "properties" in schema or "required" in schema:
        fields = schema.get("properties", {})
        names = {*schema.get("required", ()), *draw(st.sets(st.sampled_from("bcd")))}
        rest = schema.get("additionalProperties", True)
        return {name: fitting(draw, fields.get(name, rest), depth + 1) for name in sorted(names)}
    if "items" in schema:
        return [fitting(draw, schema["items"], depth + 1) for _ in range(draw(st.integers(0, 3)))]
    return draw(scalars | values)


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Any], list[Any]]:
    leaf = st.booleans() | of_any(st.booleans())
    schema = draw(of_any(st.recursive(leaf, of_any, max_leaves=5))) | {"$defs": DEFS}
    return schema, [draw(values), *(fitting(draw, schema) for _ in range(5))]


@settings(deadline=None, max_examples=200)
@given(cases())
def test_schemas_in_schemas(case: tuple[dict[str, Any], list[Any]]) -> None:
    assert_judged_alike(*case)
