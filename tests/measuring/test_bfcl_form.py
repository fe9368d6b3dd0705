"""BFCL's functions and calls in the OpenAI form, and back."""

import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.measuring.formats.bfcl import TYPES, call_string, from_openai, read_call, to_openai

NAMES = (
    st.text(string.ascii_lowercase + "_", min_size=1, max_size=8)
    .filter(lambda name: name.isidentifier())
    .filter(lambda name: not __import__("keyword").iskeyword(name))
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
COMMON = ("integer", "float", "string", "boolean", "array", "dict")
"""Types that the OpenAI form has a counterpart of its own for."""


def schemas(kinds: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    plain = st.fixed_dictionaries({"type": st.sampled_from(kinds), "description": st.text(max_size=10)})
    inside = plain.filter(lambda one: one["type"] != "float").map(lambda one: {"type": one["type"]})
    lists = st.fixed_dictionaries({"type": st.just("array"), "description": st.text(max_size=10), "items": inside})
    objects = st.fixed_dictionaries(
        {
            "type": st.just("dict"),
            "description": st.text(max_size=10),
            "properties": st.dictionaries(NAMES, plain, max_size=3),
        }
    )
    return plain | lists | objects


def functions(kinds: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    parameters = st.fixed_dictionaries(
        {
            "type": st.just("dict"),
            "properties": st.dictionaries(NAMES, schemas(kinds), max_size=4),
            "required": st.lists(NAMES),
        }
    )
    return st.fixed_dictionaries({"name": NAMES, "description": st.text(), "parameters": parameters})


@given(functions(COMMON))
def test_a_function_with_common_types_comes_back_as_it_was(function: dict[str, Any]) -> None:
    assert from_openai(to_openai(function)) == function


@given(functions(tuple(TYPES)))
def test_what_a_model_is_shown_of_any_function_comes_back(function: dict[str, Any]) -> None:
    shown = to_openai(function)
    assert to_openai(from_openai(shown)) == shown


def test_what_a_model_is_shown() -> None:
    pages = {"type": "tuple", "description": "First, last.", "items": {"type": "any"}}
    price = {"type": "float", "description": "In dollars.", "default": 1.5}
    function = {
        "name": "shop.order",
        "description": "Orders.",
        "parameters": {"type": "dict", "properties": {"pages": pages, "price": price, "to": {}}, "required": ["to"]},
    }
    found = to_openai(function)["function"]
    assert (found["name"], found["parameters"]["type"], found["parameters"]["required"]) == (
        "shop_order",
        "object",
        ["to"],
    )
    assert found["parameters"]["properties"] == {
        "pages": {"type": "array", "description": "First, last.", "items": {"type": "string"}},
        "price": {
            "type": "number",
            "format": "float",
            "description": "In dollars. This is a float type value.",
            "default": 1.5,
        },
        "to": {"type": "string"},
    }
    assert function["name"] == "shop.order" and "format" not in price, "what is translated stays as it was"


@given(NAMES, st.dictionaries(NAMES, VALUES, max_size=4))
def test_a_call_comes_back_as_it_was(name: str, arguments: dict[str, Any]) -> None:
    assert read_call(call_string(name, arguments)) == (name, arguments)


def test_arguments_without_names_get_those_of_the_parameters() -> None:
    assert read_call("mv('a', destination='b')", ["source", "destination"]) == (
        "mv",
        {"source": "a", "destination": "b"},
    )


@pytest.mark.parametrize("text", ["mv('a')", "mv(a)", "mv", "mv(source=open('x'))", "mv(**{'a': 1})", "1 +", ""])
def test_what_is_no_call(text: str) -> None:
    with pytest.raises(ValueError, match="is no call"):
        read_call(text)


@pytest.mark.parametrize(("name", "argument"), [("a.b", "x"), ("a", "x=1, y"), ("", "x"), ("a", "class")])
def test_what_is_no_name_is_not_written_into_a_call(name: str, argument: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        call_string(name, {argument: 1})
