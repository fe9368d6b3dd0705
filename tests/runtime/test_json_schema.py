"""Schemas of tools: what is accepted is what the standard accepts, and what is refused says how to put it right."""

import enum
import marshal
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.runtime import json_schema, patterns
from envfactory_dagster.runtime.json_schema import SchemaError, compile_schema, compile_schemas, load_checkers

BOOKING: dict[str, Any] = {
    "type": "object",
    "properties": {
        "restaurant_id": {"type": "integer", "minimum": 1, "description": "which one"},
        "party_size": {"type": "integer", "minimum": 1, "maximum": 20},
        "when": {"type": "string", "format": "date-time"},
        "seat": {"enum": ["bar", "table", None], "default": None},
        "note": {"type": "string", "maxLength": 5},
    },
    "required": ["restaurant_id", "party_size", "when"],
    "additionalProperties": False,
}
GOOD = {"restaurant_id": 3, "party_size": 4, "when": "2025-03-31T19:00:00Z", "seat": "bar"}


def one(schema: object, value: object) -> str | None:
    """What a checker says about a value in the only field of a result."""
    return compile_schema({"properties": {"a": schema}}, "result")({"a": value})


# Sentences a language model can act on.


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, None),
        ({"seat": None}, None),
        (
            {"party_size": "four"},
            ".party_size: expected an integer of at least 1 and of at most 20, got the string 'four'",
        ),
        ({"party_size": 0}, ".party_size: expected an integer of at least 1 and of at most 20, got the integer 0"),
        (
            {"party_size": 4.0},
            ".party_size: expected an integer of at least 1 and of at most 20, got the number 4.0; "
            "write it without a decimal point",
        ),
        ({"party_size": True}, ".party_size: expected an integer of at least 1 and of at most 20, got true"),
        ({"when": "tonight"}, ".when: expected a string in the format 'date-time', got the string 'tonight'"),
        ({"when": None}, ".when: expected a string in the format 'date-time', got null"),
        ({"seat": "sofa"}, ".seat: expected one of 'bar', 'table', null, got the string 'sofa'"),
        (
            {"note": "x" * 100},
            f".note: expected a string with 5 or fewer characters, got the string '{'x' * 60}'... (100 characters)",
        ),
        ({"note": ["x"]}, ".note: expected a string with 5 or fewer characters, got an array of 1 items"),
    ],
)
def test_a_wrong_value_is_named_with_what_was_found_and_what_is_expected(
    change: dict[str, object], sentence: str | None
) -> None:
    assert compile_schema(BOOKING)(GOOD | change) == (sentence and f"arguments{sentence}")


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"restaurant_id": 1}, "arguments: missing 'party_size', 'when'"),
        (
            {"restaurant_id": 1, "party_size": 2, "wehn": "2025-03-31T19:00:00Z"},
            "arguments: missing 'when'; unknown field 'wehn' (did you mean 'when'? "
            "allowed: 'restaurant_id', 'party_size', 'when', 'seat', 'note')",
        ),
        (
            GOOD | {"zzz": 1, "yyy": 2},
            "arguments: unknown fields 'zzz', 'yyy' (allowed: 'restaurant_id', 'party_size', 'when', 'seat', 'note')",
        ),
        ([GOOD], "arguments: expected an object, got an array of 1 items"),
        (None, "arguments: expected an object, got null"),
    ],
)
def test_missing_and_unknown_fields_are_named_together(value: object, sentence: str) -> None:
    assert compile_schema(BOOKING)(value) == sentence


@pytest.mark.parametrize(
    ("schema", "value", "sentence"),
    [
        ({"items": {"required": ["id"]}}, [{"id": 1}, {}], "[1]: missing 'id'"),
        (
            {"items": {"properties": {"p q": {"type": "null"}}}},
            [{"p q": 1}],
            "[0]['p q']: expected null, got the integer 1",
        ),
        ({"additionalProperties": {"type": "boolean"}}, {"b": 1}, ".b: expected true or false, got the integer 1"),
        ({"minItems": 2}, [1], ": expected an array with 2 or more items, got an array of 1 items"),
        ({"uniqueItems": True}, [1, [2], 1.0], ": expected items that all differ, but [0] and [2] are the same"),
        ({"multipleOf": 0.01}, 0.015, ": expected a number that is a multiple of 0.01, got the number 0.015"),
        (
            {"pattern": "^[A-Z]$"},
            "a",
            ": expected a string matching '^[A-Z]$' within 2000 characters, got the string 'a'",
        ),
        ({"const": 7}, 8, ": expected 7, got the integer 8"),
        ({"type": ["integer", "null"]}, "x", ": expected an integer or null, got the string 'x'"),
        (False, 1, ": expected nothing here, got the integer 1"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, ": expected a string or null, got the integer 1"),
        ({"anyOf": [{"type": "null"}, {"required": ["x"]}]}, {}, ": missing 'x'"),
        (
            {"oneOf": [{"minimum": 1}, {"maximum": 9}]},
            5,
            ": fits 2 of the allowed forms, expected exactly one (a number of at least 1 or a number of at most 9)",
        ),
    ],
)
def test_the_path_leads_to_the_value_at_fault(schema: object, value: object, sentence: str) -> None:
    assert one(schema, value) == f"result.a{sentence}"


def test_a_message_stays_short_and_printable_whatever_was_sent() -> None:
    message = compile_schema(BOOKING)({f"\n\u202e{'x' * 10_000}{n}": n for n in range(1000)})
    assert message is not None and len(message) < 4000 and "\n" not in message and "(1000 in all)" in message


# Plain JSON, whatever the schema says.


class Size(enum.IntEnum):
    LARGE = 3


class Name(str):
    pass


NOT_JSON = {
    "a tuple": (1,),
    "a set": {1},
    "bytes": b"x",
    "an enum": Size.LARGE,
    "a subclass of str": Name("x"),
    "a subclass of dict": OrderedDict(b=1),
    "NaN": float("nan"),
    "infinity": float("-inf"),
    "an integer beyond 64 bits": 2**63,
    "an integer nobody can print": -(10**5000),
    "half a surrogate pair": "\ud83d",
    "half a surrogate pair in a name": {"\udc00": 1},
    "a name that is no string": {1: 1},
    "a name of a subclass of str": {Name("b"): 1},
}
ASKING_NOTHING: list[object] = [
    True,
    {},
    {"title": "anything"},
    {"anyOf": [{}, {"type": "null"}]},
    {"properties": {"b": {}}, "items": {}},
    {"additionalProperties": {}, "items": True},
    {"type": list(json_schema._TYPES)},
]


@pytest.mark.parametrize("value", NOT_JSON.values(), ids=NOT_JSON)
@pytest.mark.parametrize("schema", ASKING_NOTHING, ids=str)
def test_what_is_not_plain_json_is_refused_by_every_schema(schema: object, value: object) -> None:
    for inside in (value, [value], {"b": value}, {"c": [value]}):
        message = one(schema, inside)
        assert message is not None and message.startswith("result.a")
        message.encode()


@pytest.mark.parametrize("value", [2**63 - 1, -(2**63), 1e308, 5e-324, "🍽 café", "\x00", {"é": [None, True]}, [], {}])
@pytest.mark.parametrize("schema", ASKING_NOTHING, ids=str)
def test_all_plain_json_is_accepted_where_nothing_is_asked(schema: object, value: object) -> None:
    assert one(schema, value) is None


def nested(depth: int, leaf: object = 1) -> object:
    for level in range(depth):
        leaf = [leaf] if level % 2 else {"b": leaf}
    return leaf


@pytest.mark.parametrize("schema", ASKING_NOTHING, ids=str)
def test_nesting_is_bounded_and_cycles_are_found(schema: object) -> None:
    assert one(schema, nested(63)) is None  # the object around "a" is the 64th
    circle: dict[str, object] = {"b": 1}
    circle["c"] = [circle, circle]
    for endless in (nested(64), nested(100_000), circle):
        assert "nested deeper than 64 levels" in str(one(schema, endless))


def test_a_wrong_type_of_endless_value_is_only_named() -> None:
    circle: list[object] = []
    circle.append(circle)
    assert one({"type": "integer"}, circle) is not None
    assert one({"uniqueItems": True}, [circle, circle]) is not None


# Formats, patterns, multiples.


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "date",
            ["2024-02-29"],
            ["2023-02-29", "20240229", "2024-2-9", "2024-W01-1", "2024-01-01T10:00", "0000-01-01"],
        ),
        (
            "time",
            ["18:30", "18:30:59.25", "00:00:00Z", "23:59+05:30"],
            ["24:00", "18:60", "6:30", "18:30:00 Z", "18:30+5"],
        ),
        (
            "date-time",
            ["2024-02-29T18:30:00Z", "2024-02-29 18:30", "2024-02-29T18:30:00.123-08:00"],
            ["2024-02-29", "2024-02-30T18:30:00Z", "2024-02-29t18:30", "2024-02-29T18:30:00Z\n", "٢٠٢٤-02-29T18:30"],
        ),
        ("email", ["a.b+c@example.org"], ["a", "@b", "a@", "a b@c", "a@b\n"]),
        ("uri", ["https://example.org/a?b#c", "mailto:a@b"], ["example.org", "https:", "//a", "a: b"]),
        ("uuid", ["123e4567-E89B-42d3-a456-426614174000"], ["123e4567e89b42d3a456426614174000", "123", "{123e4567}"]),
    ],
)
def test_formats_are_checked(name: str, good: list[str], bad: list[str]) -> None:
    for text in good:
        assert one({"format": name}, text) is None, text
    for text in bad:
        assert one({"format": name}, text) is not None, text


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^\d{3}$", ["123"], ["123\n", "x123", "٣٣٣"]),
        (r"b", ["abc"], ["ac"]),
        (r"^[$]\$a", ["$$a"], ["$a"]),
        (r"^[]$]$", ["]", "$"], ["x", "$\n"]),
        (r"^(?:ab|cd)$", ["ab", "cd"], ["abcd"]),
        (r"^([A-Z]{2})+(-\d{2,4})?$", ["ABCD-123"], ["ABC", "AB-1"]),
        (r"\S", ["x" * 2000], ["x" * 2001, "  "]),
    ],
)
def test_patterns_search_and_end_where_the_text_ends(pattern: str, good: list[str], bad: list[str]) -> None:
    for text in good:
        assert one({"pattern": pattern}, text) is None, text
    for text in bad:
        assert one({"pattern": pattern}, text) is not None, text


def test_multiples_are_decimal() -> None:
    for value in (19.99, 3, -0.07, 1e300, 0):
        assert one({"multipleOf": 0.01}, value) is None
    assert one({"multipleOf": 0.01}, 19.999) is not None


# What a schema may be.


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ({"type": "date"}, ".type: must be one or several of null, boolean"),
        ({"type": []}, ".type"),
        ({"type": ["string", "string"]}, ".type"),
        ({"type": [["string"]]}, ".type"),
        ({"not": {}}, ".not: this keyword is not supported"),
        ({"properties": {"x y": {"patternProperties": {}}}}, ".properties['x y'].patternProperties: this keyword"),
        ({"nullable": True}, ".nullable"),
        ({"items": [{}]}, ".items: must be a schema"),
        ({"items": {"minimum": "1"}}, ".items.minimum: must be a number"),
        ({"minimum": True}, ".minimum"),
        ({"minLength": -1}, ".minLength: must be a whole number of at least 0"),
        ({"minLength": 1.0}, ".minLength"),
        ({"multipleOf": 0}, ".multipleOf: must be a number greater than 0"),
        ({"maximum": float("nan")}, ".maximum: expected a finite number"),
        ({"enum": "abc"}, ".enum"),
        ({"enum": [[1]]}, ".enum: must be an array of scalars"),
        ({"const": {}}, ".const: must be a scalar"),
        ({"required": "id"}, ".required: must be an array of different strings"),
        ({"required": ["id", "id"]}, ".required"),
        ({"properties": []}, ".properties"),
        ({"properties": {"x": None}}, ".properties.x: must be a schema, got null"),
        ({"additionalProperties": "no"}, ".additionalProperties"),
        ({"anyOf": []}, ".anyOf: must be an array of one or more schemas"),
        ({"anyOf": [{"oneOf": [{"if": {}}]}]}, ".anyOf[0].oneOf[0].if"),
        ({"format": "ipv4"}, ".format: must be one that is checked here: date, time"),
        ({"pattern": "("}, ".pattern: must be a short Python regular expression"),
        ({"pattern": 1}, ".pattern"),
        ({"$ref": "#/$defs/nobody"}, ".$ref: $defs has no 'nobody'"),
        ({"$ref": "https://example.org"}, "['$ref']: must be"),
        ({"description": {1, 2}}, ".description: a Python value of type 'set' is not JSON"),
    ],
)
def test_a_schema_that_cannot_be_checked_is_refused_by_name(schema: object, named: str) -> None:
    with pytest.raises(SchemaError) as caught:
        compile_schema({"type": "object", "properties": {"a": schema}}, "book")
    assert f"book.properties.a{named}" in str(caught.value)


@pytest.mark.parametrize(
    "schema", [[], None, "object", {1: {}}, {"$defs": []}, {"$defs": {"a": 1}, "$ref": "#/$defs/a"}]
)
def test_what_is_no_schema_at_all_is_refused(schema: Any) -> None:
    with pytest.raises(SchemaError, match="book"):
        compile_schema(schema, "book")


@pytest.mark.parametrize(
    "pattern",
    [
        "^(?=.*\\d)",
        "(?<!a)b",
        r"(a)\1",
        "(?P<n>a)(?P=n)",
        r"\bword\b",
        "(?i)a",
        "a++",
        "x{1,501}",
        "(){9999,}",
        "a" * 501,
    ],
)
def test_what_is_not_matched_in_one_pass_is_refused(pattern: str) -> None:
    with pytest.raises(SchemaError, match=r"\.pattern: must be a short Python regular expression"):
        compile_schema({"pattern": pattern})


@pytest.mark.parametrize(
    "pattern",
    ["^(a+)+$", "^(a|a)*$", "^" + "a*" * 100 + "$", "^" + "(a|a)" * 60 + "a*$", "^(?:(?:a?){20}){20}$", "(){400}^a*$"],
)
def test_patterns_on_which_python_would_go_back_and_forth_for_years_are_matched(pattern: str) -> None:
    check = compile_schema({"pattern": pattern})
    assert check("a" * 200) is None
    assert check("a" * 1_999 + "b") is not None


@pytest.mark.parametrize(
    "defs",
    [
        {"a": {"$ref": "#/$defs/a"}},
        {"a": {"anyOf": [{"type": "null"}, {"properties": {"next": {"$ref": "#/$defs/a"}}}]}},
        {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"items": {"$ref": "#/$defs/a"}}},
        {
            "a": {"allOf": [{"$ref": "#/$defs/b"}] * 99},
            "b": {"allOf": [{"$ref": "#/$defs/c"}] * 99},
            "c": {"minimum": 1},
        },
    ],
    ids=["itself", "a linked list", "each other", "ten thousand copies"],
)
def test_definitions_that_never_end_or_explode_are_refused(defs: dict[str, object]) -> None:
    with pytest.raises(SchemaError, match="too large or leads back to itself"):
        compile_schema({"$defs": defs, "$ref": "#/$defs/a"})


def test_schemas_as_deep_as_the_limit_compile_and_deeper_ones_are_refused() -> None:
    def deep(levels: int) -> dict[str, object]:
        schema: dict[str, object] = {"type": "integer"}
        for level in range(levels):
            wraps: tuple[dict[str, object], ...] = (
                {"items": schema},
                {"additionalProperties": schema},
                {"properties": {"b": schema}},
            )
            schema = wraps[level % 3]
        return schema

    def value(levels: int, leaf: object) -> object:
        for level in range(levels):
            leaf = [leaf] if level % 3 == 0 else {"b": leaf}
        return leaf

    check = compile_schema(deep(15), "v")
    assert check(value(15, 1)) is None
    assert check(value(15, "x")) == "v.b.b[0].b.b[0].b.b[0].b.b[0].b.b[0]: expected an integer, got the string 'x'"
    with pytest.raises(SchemaError):
        compile_schema(deep(16))


def test_definitions_are_used_by_name() -> None:
    schema: dict[str, object] = {
        "$defs": {
            "a/b~c": {"type": "integer"},
            "Row": {"properties": {"id": {"$ref": "#/$defs/a~1b~0c", "minimum": 1}}},
        },
        "items": {"$ref": "#/$defs/Row"},
    }
    check = compile_schema(schema, "result")
    assert check([{"id": 1}, {}]) is None
    assert check([{"id": 0}]) == "result[0].id: expected a number of at least 1, got the integer 0"
    assert check([{"id": "x"}]) == "result[0].id: expected an integer, got the string 'x'"


# Generated code.

HOSTILE = [
    "'",
    '"',
    "'''",
    "\\",
    "a\nimport os",
    "{x}",
    "{k}",
    "{0}",
    "%s",
    "\x00",
    "\u2028",
    "k",
    "x",
    "p",
    "__import__('os')",
    "']; raise SystemExit #",
    "é️🍽",
    "",
    "y" * 10_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_text_of_a_schema_stays_text(text: str) -> None:
    schema: dict[str, object] = {
        "$defs": {text: {"const": text}},
        "properties": {text: {"enum": [text, "other"]}, "p": {"$ref": "#/$defs/" + text.replace("~", "~0")}},
        "required": [text],
        "additionalProperties": False,
    }
    check = load_checkers(compile_schemas({text: schema}, text))[text]
    assert check({text: text}) is None if text != "p" else True
    assert str(check({text: 1})).startswith(text)
    assert check({}) is not None
    assert check({text: text, text + "?": 1}) is not None
    closed = compile_schema({"required": [text], "additionalProperties": {"pattern": "^q$", "const": text}})
    assert closed({text: text}) is not None


def test_many_checkers_survive_marshal_and_keep_apart() -> None:
    schemas = {"book": BOOKING, "ids": {"items": {"anyOf": [{"type": "integer"}, {"const": "all"}]}}, "any": {}}
    checkers = load_checkers(marshal.loads(marshal.dumps(compile_schemas(schemas, "arguments"))))
    assert list(checkers) == list(schemas)
    assert checkers["book"](GOOD) is None
    assert checkers["ids"]([1, "all"]) is None
    assert checkers["ids"](["some"]) == "arguments[0]: expected an integer or 'all', got the string 'some'"
    assert checkers["any"](GOOD) is None


def test_the_module_runs_with_nothing_installed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    source = "\n".join(Path(str(module.__file__)).read_text("utf-8") for module in (patterns, json_schema))
    source = source.replace("from envfactory_dagster.runtime.patterns import PatternError, search\n", "")
    script.write_text(f"{source}\nprint(compile_schema({BOOKING!r})({GOOD | {'party_size': 'four'}!r}))\n", "utf-8")
    done = subprocess.run([sys.executable, "-I", "-S", str(script)], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("arguments.party_size: expected an integer") and not done.stderr


MANY_NAMES = [f"name_{n}" for n in range(10_000)]
MULTIPLYING = {
    "a long list of names": {"type": "object", "required": MANY_NAMES},
    "a long list of values": {"enum": MANY_NAMES},
    "long choices": {"anyOf": [{"enum": [letter * 40 + str(n) for n in range(19)]} for letter in "abcdefgh"]},
}


@pytest.mark.parametrize("what", MULTIPLYING)
def test_what_a_reference_repeats_counts_every_time(what: str) -> None:
    properties = {f"p{n}": {"$ref": "#/$defs/d"} for n in range(1_000)}
    with pytest.raises(SchemaError, match="too large or leads back to itself"):
        compile_schema({"type": "object", "$defs": {"d": MULTIPLYING[what]}, "properties": properties})


def test_a_list_of_hundreds_of_thousands_is_too_large() -> None:
    with pytest.raises(SchemaError, match="too large"):
        compile_schema({"type": "object", "properties": {"a": {"enum": list(range(200_000))}}})
