"""What a tokenizer from scratch makes of what has to be copied, and of what is the same everywhere."""

from functools import cache
from typing import Any

from trainer.tokenizers import frequent_phrases, train_tokenizer

_NAMES = ("list_orders", "cancel_order", "list_parcels", "send_parcel")


def _text(number: int) -> str:
    name = _NAMES[number % len(_NAMES)]
    return (
        f'<|im_start|>system\nBe helpful and brief.\n<tools>\n{{"name": "{name}", "description": "It does the same."}}'
        f"</tools><|im_end|>\n<|im_start|>user\nPay {number}.50 for order {number}<|im_end|>\n<|im_start|>assistant\n"
        f'<tool_call>{{"name": "{name}", "arguments": {{"order_id": {number}50}}}}</tool_call><|im_end|>\n'
    )


@cache
def _tokenizer() -> Any:
    return train_tokenizer([_text(number) for number in range(1, 60)], 600)


def _tokens(text: str) -> list[str]:
    return [_tokenizer().decode([token]) for token in _tokenizer().encode(text)]


def test_nothing_is_lost() -> None:
    for text in (_text(7), "Ünïcode — 12345 \t\n\n x_y"):
        assert _tokenizer().decode(_tokenizer().encode(text)) == text


def test_an_amount_has_the_same_digits_in_units_and_in_cents() -> None:
    assert [one for one in _tokens("125.50") if one != "."] == _tokens("12550") == ["1", "25", "50"]


def test_names_in_calls_are_the_same_tokens_wherever_they_stand() -> None:
    name = _tokens("cancel_order")
    for text in (_text(1), _text(5)):
        tokens = _tokens(text)
        starts = [place for place in range(len(tokens)) if tokens[place : place + len(name)] == name]
        assert len(starts) == text.count("cancel_order") == 2


def test_what_all_texts_contain_is_one_token() -> None:
    phrases = frequent_phrases([_text(number) for number in range(1, 60)])
    assert any("Be helpful and brief." in phrase for phrase in phrases)
    assert not any(word in phrase for phrase in phrases for word in ("list", "order", "parcel", "_"))


def test_a_phrase_never_cuts_a_word() -> None:
    for phrase in frequent_phrases([_text(number) for number in range(1, 60)]):
        assert not (phrase[0].isalpha() or phrase[-1].isalpha())
