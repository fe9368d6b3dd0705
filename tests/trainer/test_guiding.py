"""What may be written inside a tool call: all that is right, and nothing else."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trainer.shop import Shop
from tests.trainer.test_training import RECIPE
from trainer.corpus import conversations
from trainer.examples import read_rows
from trainer.failures import RecipeError
from trainer.guiding import BEGIN, END, Guide, is_call, may_begin
from trainer.policies import LoadedPolicy, begin
from trainer.recipe import Recipe
from trainer.sampling import Question, Sampling, generate
from trainer.tokenizers import TIE

SCHEMAS: dict[str, dict[str, Any]] = {
    "list_rooms": {"type": "object", "properties": {}},
    "book_room": {
        "type": "object",
        "properties": {
            "room_id": {"type": "integer"},
            "kind": {"type": "string", "enum": ["day", "night", "nächtlich"]},
            "note": {"type": ["string", "null"]},
            "price": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "guests": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
            "more": {"type": "object"},
            "paid": {"type": "boolean"},
        },
        "required": ["room_id", "kind"],
    },
}
NAMES = st.text(st.characters(min_codepoint=1, exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)
BOOKINGS = st.fixed_dictionaries(
    {"room_id": st.integers(-5, 10**12), "kind": st.sampled_from(["day", "night", "nächtlich"])},
    optional={
        "note": NAMES | st.none(),
        "price": st.none() | st.integers(0, 9) | st.floats(-9, 1e30),
        "guests": st.lists(st.fixed_dictionaries({}, optional={"name": NAMES}), max_size=2),
        "more": st.dictionaries(NAMES, JSON, max_size=2),
        "paid": st.booleans(),
    },
)


def written(tool: str, arguments: Any, **how: Any) -> str:
    return json.dumps({"name": tool, "arguments": arguments}, **how)


@settings(deadline=None)
@given(BOOKINGS, st.sampled_from([None, 1]))
def test_a_call_that_is_right_may_be_written_character_by_character(
    booking: dict[str, Any], indent: int | None
) -> None:
    whole = written("book_room", booking, ensure_ascii=False, indent=indent)
    found = [is_call(whole[:end], SCHEMAS) for end in range(len(whole) + 1)]
    assert found == [None] * len(whole) + [True], whole[: found.index(False)]


@pytest.mark.parametrize(
    "begun",
    [
        '{"name": "list_my',  # no such tool
        '{"name": "book_room", "arguments": {}',  # not all that is required
        '{"name": "book_room", "arguments": {"room_id": 1, "room_id',  # twice
        '{"name": "book_room", "arguments": {"hotel',  # no such parameter
        '{"name": "book_room", "arguments": {"room_id": "',  # no integer
        '{"name": "book_room", "arguments": {"room_id": 1.',
        '{"name": "book_room", "arguments": {"room_id": 01',
        '{"name": "book_room", "arguments": {"kind": "dusk',  # none of its values
        '{"name": "book_room", "arguments": {"kind": "\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}',
        '{"name": "book_room", "arguments": {"paid": nu',
        '{"name": "book_room", "arguments": {"price": "',  # of no branch
        '{"name": "list_rooms", "arguments": {"',  # it has none
        '{"name": "list_rooms", "arguments": {}}<|im_end|>',  # more than a call
        "list_rooms",
    ],
)
def test_what_becomes_no_call(begun: str) -> None:
    assert not may_begin(begun, SCHEMAS)


def test_a_character_may_come_in_bytes() -> None:
    begun = '{"name": "book_room", "arguments": {"kind": "n\N{REPLACEMENT CHARACTER}'
    assert may_begin(begun, SCHEMAS)
    assert not may_begin(begun + "\N{REPLACEMENT CHARACTER}" * 3, SCHEMAS), "no character has so many"


@pytest.fixture(scope="module")
def policy(shop: Shop) -> LoadedPolicy:
    return begin(Recipe.model_validate(RECIPE), conversations(read_rows(shop.sft)))


def test_what_demonstrations_write_is_never_refused(shop: Shop, policy: LoadedPolicy) -> None:
    calls = 0
    for row in read_rows(shop.sft):
        guide = Guide(policy.tokenizer, row["tools"])
        for place, message in enumerate(row["messages"]):
            if message["role"] == "assistant":
                tokens = policy.renderer.sample(row["messages"][: place + 1], row["tools"]).written
                assert all(guide.may_follow(tokens[:end], token) for end, token in enumerate(tokens))
                calls += bool(message.get("tool_calls"))
    assert calls > 5


class Begun(Guide):
    """Of a message whose prompt ends within a call."""

    def may_follow(self, written: Sequence[int], token: int) -> bool:
        return super().may_follow([self._begin, *written], token)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_policy_that_knows_nothing_begins_calls_that_are_right(
    shop: Shop, policy: LoadedPolicy, temperature: float
) -> None:
    row = read_rows(shop.sft)[0]
    prompt = [*policy.renderer.prompt(row["messages"][:2], row["tools"]), policy.tokenizer.convert_tokens_to_ids(BEGIN)]
    guided, free = (
        generate(policy, [Question(prompt, seed, guide) for seed in range(1)], Sampling(temperature, 20, 4_000))
        for guide in (Begun(policy.tokenizer, row["tools"]), None)
    )
    schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in row["tools"]}
    ends = policy.tokenizer.convert_tokens_to_ids(END)
    texts = [policy.tokenizer.decode(one.ids[: one.ids.index(ends)] if ends in one.ids else one.ids) for one in guided]
    assert all(may_begin(text.rstrip("\N{REPLACEMENT CHARACTER}").rstrip(TIE), schemas) for text in texts), texts
    assert not any(may_begin(policy.tokenizer.decode(one.ids), schemas) for one in free), "else nothing was tried"


def test_a_tokenizer_without_calls_is_refused() -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = Tokenizer(models.WordLevel({"a": 0, "[": 1}, unk_token="["))
    letters.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    with pytest.raises(RecipeError, match="token <tool_call>"):
        Guide(PreTrainedTokenizerFast(tokenizer_object=letters, unk_token="["), [])
