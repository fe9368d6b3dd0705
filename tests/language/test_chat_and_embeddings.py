"""Chats with native tools for rollouts, and embeddings."""

import asyncio

import pytest
from language_kit import CALLER
from played_endpoint import embeds, fails, says, sends

from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.language.ledger import read_ledger

TOOL = {"type": "function", "function": {"name": "find_dish", "parameters": {"type": "object"}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "find_dish", "arguments": '{"id": 3}'}}
HELLO = [{"role": "user", "content": "hello"}]


async def test_native_tool_calls_come_back_untouched(endpoint, gateway):
    endpoint.always = says(None, finish="tool_calls", tool_calls=[CALL])
    async with gateway() as open_gateway:
        answer = await open_gateway.chat(caller=CALLER, messages=HELLO, tools=[TOOL])
    assert answer.message == {"role": "assistant", "content": None, "tool_calls": [CALL]}
    assert answer.choices[0].finish_reason == "tool_calls"
    assert endpoint.bodies[0]["tools"] == [TOOL] and endpoint.bodies[0]["messages"] == HELLO
    assert "response_format" not in endpoint.bodies[0]


async def test_token_ids_and_logprobs_are_given_where_the_endpoint_has_them(endpoint, gateway_to):
    choice = {
        "message": {"role": "assistant", "content": "hi"},
        "finish_reason": "stop",
        "token_ids": [5, 6],
        "logprobs": {"content": [{"token": "h", "logprob": -0.1}, {"token": "i", "logprob": -0.2}]},
    }
    endpoint.stage.append(sends({"choices": [choice], "prompt_token_ids": [1, 2, 3]}))
    endpoint.always = says("hi")
    async with gateway_to() as gateway:
        with_ids = await gateway.chat(caller=CALLER, messages=HELLO, logprobs=True)
        without = await gateway.chat(caller=CALLER, messages=HELLO, logprobs=True, seed=1)
    assert with_ids.prompt_token_ids == (1, 2, 3)
    assert with_ids.choices[0].token_ids == (5, 6) and with_ids.choices[0].logprobs == (-0.1, -0.2)
    assert without.prompt_token_ids is None and without.choices[0].logprobs is None
    assert endpoint.bodies[0]["return_token_ids"] is True


async def test_several_continuations_are_one_call(endpoint, gateway_to, tmp_path):
    choices = [{"message": {"role": "assistant", "content": text}} for text in ("a", "b")]
    endpoint.always = sends({"choices": choices})
    async with gateway_to() as gateway:
        answer = await gateway.chat(caller=CALLER, messages=HELLO, n=2)
    assert [choice.message["content"] for choice in answer.choices] == ["a", "b"]
    assert len(read_ledger(tmp_path)) == 1


async def test_a_chat_that_was_cut_off_is_given_as_it_is(endpoint, gateway_to):
    endpoint.always = says("half a sen", finish="length")
    async with gateway_to() as gateway:
        answer = await gateway.chat(caller=CALLER, messages=HELLO)
    assert answer.choices[0].finish_reason == "length"


async def test_vectors_come_in_the_order_of_the_texts(endpoint, gateway):
    endpoint.always = embeds
    async with gateway() as open_gateway:
        first, second, again = await open_gateway.embed(caller=CALLER, texts=["tea", "toast", "tea"])
    assert first == again != second
    assert first == pytest.approx([1.1, 1.1, 0.1, 0.1, 0.1, 1.1, 0.1])
    assert endpoint.bodies[0]["input"] == ["tea", "toast"]


async def test_only_new_texts_are_embedded(endpoint, gateway_to, tmp_path):
    endpoint.always = embeds
    async with gateway_to() as gateway:
        before = await gateway.embed(caller=CALLER, texts=["tea", "toast"])
        after = await gateway.embed(caller=CALLER, texts=["toast", "jam", "tea"])
        await gateway.embed(caller=CALLER, texts=["jam"])
        assert await gateway.embed(caller=CALLER, texts=[]) == []
    assert [body["input"] for body in endpoint.bodies] == [["tea", "toast"], ["jam"]]
    assert [after[2], after[0]] == before
    assert read_ledger(tmp_path)["cached"].to_list() == [False, False, True]


async def test_many_texts_go_in_several_requests(endpoint, gateway_to):
    endpoint.always = embeds
    texts = [f"text {'e' * i}" for i in range(300)]
    async with gateway_to() as gateway:
        vectors = await gateway.embed(caller=CALLER, texts=texts)
    assert [round(vector[1] - 1.1) for vector in vectors] == list(range(300))
    assert [len(body["input"]) for body in endpoint.bodies] == [128, 128, 44]


async def test_identical_embeddings_at_once_are_asked_once(endpoint, gateway_to):
    endpoint.always = embeds
    async with gateway_to() as gateway:
        await asyncio.gather(*(gateway.embed(caller=CALLER, texts=["tea", "toast"]) for _ in range(5)))
    assert endpoint.calls == 1


async def test_too_few_vectors_are_not_an_answer(endpoint, gateway_to):
    endpoint.always = lambda body: embeds({"input": body["input"][:1]})
    async with gateway_to(limits={"attempts": 2}) as gateway:
        with pytest.raises(InfrastructureFault, match="2 texts were sent, 1 vectors came back"):
            await gateway.embed(caller=CALLER, texts=["tea", "toast"])


async def test_the_embedder_is_tried_again_too(endpoint, gateway_to):
    endpoint.always = embeds
    endpoint.stage.append(fails(503))
    async with gateway_to() as gateway:
        assert len(await gateway.embed(caller=CALLER, texts=["tea"])) == 1
