"""Reading JSON out of what models write."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from envfactory_dagster.language.structured import UnreadableAnswer, context_block, misfit, read, read_object


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


DRAFT, FINAL = '{"title": "a", "lines": [1, 2]}', '{"title": "b"}'


@pytest.mark.parametrize(
    "text",
    [
        f"At first: {DRAFT}\nOn reflection:\n{FINAL}",
        f"Draft:\n```json\n{DRAFT}\n```\nFinal:\n```json\n{FINAL}\n```",
        f"Draft:\n```json\n{DRAFT}\n```\nFinal: {FINAL}",
        f"Draft:\n```json\n{DRAFT[:-1]}\n```\nFinal:\n```json\n{FINAL}\n```",
        f'Draft: {DRAFT}\nFinal: {FINAL}\nIt is like {{"name": "b"}}.',
    ],
)
def test_of_several_objects_the_last_with_a_field_of_the_schema_is_the_answer(text):
    assert read(text, Page).title == "b"


def test_an_example_is_no_answer_where_the_answer_after_it_has_a_wrong_shape():
    with pytest.raises(UnreadableAnswer, match="title: Input should be a valid string, got 5"):
        read(f'E.g. {DRAFT}. My answer: {{"title": 5}}', Page)


def test_a_draft_is_no_answer_where_the_object_after_it_is_broken():
    with pytest.raises(UnreadableAnswer, match="not valid JSON"):
        read(f"At first: {DRAFT}\nOn reflection:\n{FINAL[:-2]}", Page)


@pytest.mark.parametrize(
    "text",
    [
        f"<think>A set {{x}} of pages.</think>\n{FINAL}",
        f"<think>Perhaps {DRAFT}?</think>{FINAL}",
        f"<think>\n```json\n{DRAFT}\n```\n</think>\n```json\n{FINAL}\n```",
        f"{FINAL}\n<think>Or rather {DRAFT}?",
        f"Perhaps {DRAFT}?\n</think>\n{FINAL}",
        f'I could write {{"title": ...}} here.\n</think>\n{FINAL}',
        f'```json\n{{"title": ...}}\n```\nor\n```json\n{DRAFT}\n```\n</think>\n```json\n{FINAL}\n```',
    ],
)
def test_what_the_model_only_thought_of_is_passed_over(text):
    """A thought without its beginning is one that the chat template began in the prompt."""
    assert read(text, Page).title == "b"
    assert read_object(text)["title"] == "b"


@pytest.mark.parametrize("text", [f"<think>Perhaps {DRAFT}?", f"Perhaps {DRAFT}?</think>", f"{DRAFT}</think>"])
def test_a_thought_alone_holds_no_answer(text):
    with pytest.raises(UnreadableAnswer, match="no JSON object"):
        read(text, Page)


@pytest.mark.parametrize("title", ["Write <think> first", "Write </think> last"])
def test_in_a_string_a_thought_is_text_like_any_other(title):
    assert read(f'```json\n{{"title": "{title}"}}\n```', Page).title == title


@pytest.mark.parametrize("before", ["", "Here: ", "```json\n"])
@pytest.mark.parametrize("value", ["1" * 5_000, '{"title":' * 3_000, '{"title":' * 3_000 + "1" + "}" * 3_000])
def test_numbers_and_nesting_that_nothing_can_read_are_told(before, value):
    for reading in (lambda text: read(text, Page), read_object):
        with pytest.raises(UnreadableAnswer, match=r"cannot be read|not valid JSON"):
            reading(f'{before}{{"title": {value}}}')


def test_an_integer_beyond_64_bits_does_not_fit_where_text_is_asked_for():
    assert "title: Input should be a valid string" in misfit({"title": 10**30}, Page)


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
    with pytest.raises(UnreadableAnswer) as caught:
        read(text, Page)
    assert problem in str(caught.value)


def test_a_cut_off_object_is_not_replaced_by_one_inside_it():
    with pytest.raises(UnreadableAnswer, match="not valid JSON"):
        read('{"pages": [{"title": "a"}, {"title": "b"}', Page)


def test_many_problems_are_told_in_brief():
    text = json.dumps({"title": "a", "lines": ["x" * 1000] * 50})
    with pytest.raises(UnreadableAnswer) as caught:
        read(text, Page)
    assert "and 42 more" in str(caught.value)
    assert len(str(caught.value)) < 3000


def test_a_long_broken_answer_is_read_in_one_pass():
    with pytest.raises(UnreadableAnswer):
        read('{"lines": [' + '{"title": 1}, ' * 100_000, Page)


LONG = {
    "broken objects": '```json\n{"a": [1,\n' * 120_000,
    "a list of the wrong things": '{"title": "x", "lines": [' + '"a",' * 400_000 + '"a"]}',
    "depth": '{"title": ' + "[" * 700_000,
}


@pytest.mark.parametrize("what", LONG)
def test_an_answer_of_any_length_is_refused_before_it_is_parsed(what):
    for reading in (lambda text: read(text, Page), read_object):
        with pytest.raises(UnreadableAnswer, match=r"The answer is not read: it has .* Answer more briefly\."):
            reading(LONG[what])


def test_long_thoughts_do_not_count():
    assert read(f"<think>{'so, ' * 300_000}</think>" + '{"title": "x"}', Page).title == "x"
    assert read('{"so": ' * 200_000 + "</think>" + '{"title": "x"}', Page).title == "x"


def test_after_many_broken_objects_reading_is_given_up():
    with pytest.raises(UnreadableAnswer, match="not valid JSON"):
        read('```json\n{"a": [1,\n' * 30 + '```json\n{"title": "x"}\n```', Page)


class Calls(BaseModel):
    arguments: dict[str, Any]


def test_what_could_not_be_written_again_is_not_read():
    assert read(f'{{"arguments": {{"x": {2**63 - 1}}}}}', Calls).arguments == {"x": 2**63 - 1}
    for text in (f'{{"arguments": {{"x": {10**30}}}}}', f'Here: {{"arguments": {{"x": {10**30}}}}}'):
        with pytest.raises(
            UnreadableAnswer, match=r"cannot be kept: Integer exceeds 64-bit range\. Write smaller numbers"
        ):
            read(text, Calls)
