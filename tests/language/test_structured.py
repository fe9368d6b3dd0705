"""Reading JSON out of what models write."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from envfactory_dagster.language.structured import Unreadable, context_block, read


class Page(BaseModel):
    title: str
    lines: list[int] = []


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | words,
    lambda inner: st.lists(inner) | st.dictionaries(words, inner),
    max_leaves=8,
)


@settings(max_examples=40)
@given(st.dictionaries(words, json_values))
def test_every_context_survives_its_fence(context):
    block = context_block("page", context)
    inside = block.removeprefix("```json\n").removesuffix("\n```")
    assert "```" not in inside
    assert json.loads(inside) == {"schema": "page", "context": context}


@given(
    words,
    st.text("abc {}`", max_size=20).filter(lambda text: '{"' not in text and "{}" not in text.replace(" ", "")),
    st.booleans(),
)
def test_the_object_is_found_in_prose_and_fences(title, prose, fenced):
    body = Page(title=title, lines=[1]).model_dump_json()
    text = f"{prose.replace('`', '')}\n```json\n{body}\n```\n" if fenced else f"{prose.replace('`', '')}\n{body}\nDone."
    assert read(text, Page).title == title


def test_code_fences_inside_a_string_do_not_end_the_object():
    text = '```json\n{"title": "Use ```python\\nprint({})\\n``` here"}\n```'
    assert read(text, Page).title == "Use ```python\nprint({})\n``` here"


@pytest.mark.parametrize("title", ["```{", "```json {", "```"])
def test_a_fence_inside_a_string_begins_nothing(title):
    body = Page(title=title, lines=[1]).model_dump_json()
    assert read(f"Here it is:\n{body}\nDone.", Page).title == title
    assert read(f"Here: ```json {body}```", Page).title == title


def test_of_a_draft_and_an_answer_the_fuller_counts():
    text = 'Draft:\n```json\n{"title": "a"}\n```\nFinal:\n```json\n{"title": "b", "lines": [1, 2]}\n```'
    assert read(text, Page).title == "b"


def test_reasoning_before_the_answer_is_passed_over():
    assert read('<think>A set {x} of pages.</think>\n{"title": "a"}', Page).title == "a"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"title": "a", "lines": [1, 2', "near: "),
        ("{'title': 'a'}", "no JSON object"),
        ('{"title": "a", "lines": ["1"]}', 'lines.0: Input should be a valid integer, got "1"'),
        ('{"title": 5}', "title: Input should be a valid string, got 5"),
        ('{"lines": []}', "title: Field required"),
        ('[{"title": "a"}]', "the answer: "),
        ("", "no JSON object"),
    ],
)
def test_what_cannot_be_read_is_told_with_the_offending_part(text, problem):
    with pytest.raises(Unreadable) as caught:
        read(text, Page)
    assert problem in str(caught.value)


def test_a_cut_off_object_is_not_replaced_by_one_inside_it():
    with pytest.raises(Unreadable, match="not valid JSON"):
        read('{"pages": [{"title": "a"}, {"title": "b"}', Page)


def test_many_problems_are_told_in_brief():
    text = json.dumps({"title": "a", "lines": ["x" * 1000] * 50})
    with pytest.raises(Unreadable) as caught:
        read(text, Page)
    assert "and 42 more" in str(caught.value)
    assert len(str(caught.value)) < 3000


def test_a_long_broken_answer_is_read_in_one_pass():
    with pytest.raises(Unreadable):
        read('{"lines": [' + '{"title": 1}, ' * 100_000, Page)
