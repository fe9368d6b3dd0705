"""Asking for a structured answer: the form of the prompt, the answer, and the ways an answer can be unusable."""

import json

import pytest
from language_kit import CALLER, Dish, ask
from played_endpoint import fails, says, sends

from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import AnswerUnusable


async def test_an_answer_is_validated_and_tells_what_it_used(endpoint, gateway_to):
    endpoint.always = says('{"name": "soup", "price": 4}', tokens=(120, 30), cached=100)
    async with gateway_to() as gateway:
        answer = await ask(gateway)
    assert answer.value == Dish(name="soup", price=4)
    assert (answer.usage.tokens_in, answer.usage.tokens_out, answer.usage.tokens_cached) == (120, 30, 100)
    assert not answer.cached


async def test_the_prompt_is_instructions_with_the_schema_then_one_context_block(endpoint, gateway_to):
    async with gateway_to() as gateway:
        await ask(gateway, context={"kind": "soup", "note": "has ``` fences"})
    system, user = endpoint.bodies[0]["messages"]
    assert system["role"] == "system" and system["content"].startswith("Invent a dish.")
    assert json.dumps(Dish.model_json_schema()["properties"]["price"], separators=(",", ":")) in system["content"]
    assert user["role"] == "user"
    block = user["content"].removeprefix("```json\n").removesuffix("\n```")
    assert json.loads(block) == {"schema": "dish", "context": {"kind": "soup", "note": "has ``` fences"}}
    assert "```" not in block
    assert endpoint.bodies[0]["response_format"]["json_schema"]["name"] == "dish"


async def test_a_correction_loop_appends_its_attempts(endpoint, gateway_to):
    attempts = [
        {"role": "assistant", "content": '{"name": 1}'},
        {"role": "user", "content": "price is missing"},
    ]
    async with gateway_to() as gateway:
        await ask(gateway, conversation=attempts)
    assert endpoint.bodies[0]["messages"][2:] == attempts


async def test_prose_and_fences_around_the_json_are_forgiven(endpoint, gateway_to):
    endpoint.always = says('Sure!\n```json\n{"name": "soup", "price": 4}\n```\nEnjoy {it}.')
    async with gateway_to() as gateway:
        assert (await ask(gateway)).value == Dish(name="soup", price=4)


def thinks(completion_tokens, **more):
    """Thoughts that nobody is shown, up to the length limit."""
    choice = {"message": {"role": "assistant", "content": ""}, "finish_reason": "length"}
    return sends({"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": completion_tokens, **more}})


@pytest.mark.parametrize(
    ("scene", "problem"),
    [
        (says('{"name": "soup", "price": "four"}'), "price: Input should be a valid integer"),
        (says('{"name": "soup" "price": 4}'), "line 1, column 17"),
        (says("I would rather not."), "no JSON object"),
        (says('{"name": "so', finish="length"), "cut off at the length limit. Answer more briefly"),
        (thinks(20, completion_tokens_details={"reasoning_tokens": 18}), "limit: 18 of its 20 tokens were reasoning"),
        (thinks(2, total_tokens=120), "limit: 18 of its 20 tokens were reasoning"),
        (says(None, refusal="I can't help with that."), "I can't help with that."),
        (says("", finish="content_filter"), "content filter"),
        (says(""), "empty"),
        (says(None), "empty"),
        (fails(400, "This model's maximum context length is 8192 tokens"), "longer than the model can read"),
    ],
)
async def test_an_unusable_answer_says_what_is_wrong_with_it(endpoint, gateway_to, scene, problem):
    endpoint.always = scene
    async with gateway_to() as gateway:
        with pytest.raises(AnswerUnusable) as caught:
            await ask(gateway)
    assert problem in caught.value.problem


async def test_reasoning_that_only_the_total_counts_is_paid_too(endpoint, gateway_to):
    endpoint.always = sends(
        {
            "choices": [{"message": {"content": '{"name": "soup", "price": 4}'}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 620},
        }
    )
    async with gateway_to() as gateway:
        assert (await ask(gateway)).usage.tokens_out == 520


async def test_an_unusable_answer_keeps_its_text_and_is_booked(endpoint, gateway_to, tmp_path):
    endpoint.always = says('{"name": "soup"}', tokens=(100, 20))
    async with gateway_to() as gateway:
        with pytest.raises(AnswerUnusable) as caught:
            await ask(gateway)
    assert caught.value.text == '{"name": "soup"}'
    assert caught.value.usage.tokens_out == 20
    assert read_ledger(tmp_path)["tokens_out"].to_list() == [20]


async def test_every_call_is_a_row_on_the_caller_account(endpoint, gateway_to, tmp_path):
    async with gateway_to(models={"author": "gpt-4.1"}) as gateway:
        await ask(gateway)
    (row,) = read_ledger(tmp_path).to_dicts()
    assert (row["asset"], row["partition"], row["role"]) == (CALLER.asset, CALLER.partition, "author")
    assert (row["kind"], row["schema_name"], row["model"], row["outcome"]) == ("ask", "dish", "gpt-4.1", "answered")
    assert (row["tokens_in"], row["tokens_out"], row["retries"]) == (100, 20, 0)
    assert row["cost_usd"] == pytest.approx((100 * 2.0 + 20 * 8.0) / 1e6)
    assert row["seconds"] > 0


async def test_an_unknown_price_is_an_unknown_cost(gateway_to, tmp_path):
    async with gateway_to() as gateway:
        assert (await ask(gateway)).usage.cost_usd is None
    assert read_ledger(tmp_path)["cost_usd"].to_list() == [None]


async def test_an_endpoint_that_does_not_count_gets_an_upper_bound(endpoint, gateway_to, tmp_path):
    endpoint.always = says('{"name": "soup", "price": 4}', tokens=None)
    async with gateway_to() as gateway:
        await ask(gateway)
    (row,) = read_ledger(tmp_path).to_dicts()
    assert row["tokens_estimated"] and row["tokens_in"] > 100 and row["tokens_out"] > 20
