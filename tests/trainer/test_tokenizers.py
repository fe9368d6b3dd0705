"""What a tokenizer from scratch makes of what has to be copied, and of what is the same everywhere."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import TemplateError

from trainer.tokenizers import train_tokenizer

_NAMES = ("list_orders", "cancel_order", "list_parcels", "send_parcel")


def _text(number: int) -> str:
    name = _NAMES[number % len(_NAMES)]
    return (
        f"<|system|>\nIt is noon.<|im_end|><tools>\n{name}(order_id)</tools><|user|>\nPay {number}.50 for the order "
        f"{number}, cancel or list the parcel “{number}”, send parcels and orders by 2026-03-{number:02}.<|im_end|>"
        f'<|assistant|><tool_call>{{"name": "{name}", "arguments": {{"order_id": {number}50}}}}</tool_call><|im_end|>'
        f'<|tool|>\n{{"orders":[{{"order_id":{number}50,"status":"send"}}]}}<|im_end|>'
    )


@cache
def _tokenizer() -> Any:
    return train_tokenizer([_text(number) for number in range(1, 60)], 800)


def _ids(text: str) -> list[int]:
    found: list[int] = _tokenizer().encode(text)
    return found


def _tokens(text: str) -> list[str]:
    return [_tokenizer().decode([token]) for token in _ids(text)]


def _places(word: str, text: str) -> int:
    """How often the token of a word, as it stands in a name, is in a text."""
    (token,) = _ids(f"_{word}")
    return _ids(text).count(token)


@pytest.mark.parametrize("text", [_text(7), "Ünïcode — 12345 \t\n\n x_y __z_ 5th a", "+1-555-360-94 T09:00:00", ""])
def test_nothing_is_lost(text: str) -> None:
    assert _tokenizer().decode(_ids(text)) == text


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\u2040")))
def test_nothing_is_lost_of_any_text(text: str) -> None:
    assert _tokenizer().decode(_ids(text)) == text


def test_one_and_many_have_their_beginning_in_common() -> None:
    words = [("policy", "policies"), ("room", "rooms"), ("box", "boxes"), ("day", "days")]
    tokenizer = train_tokenizer([" ".join(f"list_my_{many} my {one}" for one, many in words)] * 40, 800)
    for one, many in words:
        first, *rest = tokenizer.encode(f"_{many}")
        assert first == tokenizer.encode(f"_{one}")[0]
        assert len(rest) == 1


def test_no_token_is_left_that_is_met_only_in_words_nobody_has_seen() -> None:
    often = ["the message of the messenger, a message for the mess"] * 590
    tokenizer = train_tokenizer([*often, *["the zebra"] * 3], 800)
    read = set(tokenizer.encode(often[0]))
    words = {token for token in tokenizer.get_vocab() if len(token.strip("_")) > 1 and token.strip("_").isalpha()}
    words = {token for token in words if token.isascii()}
    assert "_message" in words
    assert {tokenizer.convert_tokens_to_ids(token) for token in words} <= read
    assert tokenizer.decode(tokenizer.encode("the passage of a zebra")) == "the passage of a zebra"


def test_from_the_same_texts_come_the_same_tokens() -> None:
    texts = [_text(number) for number in range(1, 60)]
    assert train_tokenizer(texts, 800).get_vocab() == train_tokenizer(texts, 800).get_vocab()


@pytest.mark.parametrize("sign", ["x", "-", "日", "😀", "_", "ies"])
def test_a_word_without_end_is_cut_into_tokens_that_are_known(sign: str) -> None:
    assert _tokenizer().decode(_ids(sign * 5_000)) == sign * 5_000


def test_an_amount_has_the_same_digits_in_units_and_in_cents() -> None:
    assert [one for one in _tokens("125.50") if one != "."] == _tokens("12550") == ["1", "25", "50"]


@pytest.mark.parametrize("text", ["send_order(x)", "the order", "“order”", '{"order":1}', "(order_id", "a\norder"])
def test_a_word_is_the_same_token_wherever_it_stands(text: str) -> None:
    assert _places("order", text) == 1


def test_a_day_is_three_tokens() -> None:
    assert _tokens("2026-03-71T") == ["2026", "-03", "-71", "T"]


def test_the_frame_of_a_call_is_two_tokens() -> None:
    frames = [one for one in _tokens('<tool_call>{"name": "cancel_order", "arguments": {}') if " " in one]
    assert frames == ['{"name": ', '", "arguments": ']


def test_a_result_that_is_not_in_cells_is_refused() -> None:
    with pytest.raises(TemplateError, match=r"render with trainer\.rendering\.Renderer"):
        _tokenizer().apply_chat_template([{"role": "tool", "content": "{}"}], tokenize=False)
