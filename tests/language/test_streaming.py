"""Answers that come in pieces, over real HTTP: whole in the end, broken on the way, or refused by the endpoint."""

import contextlib
import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from language_kit import CALLER, KEY, ask, settings_for
from played_endpoint import BREAKS, DONE, HANGS, chunk, counts, fails, says, sends, served, streams

from envfactory_dagster.contracts.errors import InfrastructureFault, KeyRefused
from envfactory_dagster.contracts.task_reading import TaskReviewAnswer
from envfactory_dagster.language.built_in.app import create_app
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import AnswerUnusable, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.language.streams import Garbled, Incoming

ANSWER = '{"name": "soup", "price": 4}'
START = chunk({"role": "assistant", "content": ""})
HALF, REST = chunk({"content": ANSWER[:9]}), chunk({"content": ANSWER[9:]})
END = chunk({}, "stop")
WHOLE = (START, HALF, REST, END, counts(100, 20), DONE)
HELLO = [{"role": "user", "content": "hello"}]
TOOL = {"type": "function", "function": {"name": "find_dish", "parameters": {"type": "object"}}}


@pytest.fixture
def gateway_to(url, tmp_path):
    """Gateways that reach the endpoint over HTTP; an app in the same process never streams."""
    return lambda **changes: Gateway(settings_for(url, **changes), tmp_path)


async def chat(gateway, **changes):
    return await gateway.chat(**{"caller": CALLER, "messages": HELLO, "tools": [TOOL], **changes})


async def test_the_pieces_make_the_answer_and_the_last_one_has_its_usage(endpoint, gateway_to, tmp_path):
    endpoint.always = streams(*WHOLE)
    async with gateway_to() as gateway:
        answer = await ask(gateway)
        again = await ask(gateway)
    assert answer.text == again.text == ANSWER and again.cached
    assert endpoint.calls == 1
    assert endpoint.bodies[0]["stream"] is True and endpoint.bodies[0]["stream_options"] == {"include_usage": True}
    paid = read_ledger(tmp_path).to_dicts()[0]
    assert (paid["tokens_in"], paid["tokens_out"], paid["tokens_estimated"]) == (100, 20, False)
    assert paid["finish_reason"] == "stop"


EMOJI = chunk({"content": "\ud83c"}), chunk({"content": "\udf72 and a lone \ud83c half"})
"""As servers send a character that lies in two tokens."""


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ((chunk({"content": "hi"}), END), "hi"),
        ((f"data:{json.dumps(chunk({'content': 'hi'}, 'stop'))}\r\n\r\n", "data:[DONE]"), "hi"),
        ((": waiting\n\n", "\n", "event: x\nid: 7\nretry: 10\n", chunk({"content": "hi"}, "stop"), DONE), "hi"),
        ((f"data: {json.dumps(chunk({'content': 'hi'}, 'stop'))}",), "hi"),
        (("da", "ta: ", json.dumps(chunk({"content": "hi"}, "stop"), indent=None), "\n\n"), "hi"),
        ((f"data: {json.dumps(chunk({'content': 'hi'}))}\n", chunk({"content": "!"}), DONE), "hi!"),
        ((chunk({"content": "h"}), {"choices": [], "error": None}, chunk({"content": "i"}, "stop")), "hi"),
        (tuple(bytes([byte]) for byte in f"data: {json.dumps(chunk({'content': 'hé'}, 'stop'))}\n\n".encode()), "hé"),
        ((*EMOJI, END, DONE), "🍲 and a lone � half"),
        (({"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}, DONE), "hi"),
        (({"choices": [{"index": 1, "delta": {"content": "other"}}]}, chunk({"content": "hi"}, "stop")), "hi"),
    ],
)
async def test_the_ways_in_which_servers_stream(endpoint, gateway_to, pieces, text):
    endpoint.always = streams(*pieces)
    async with gateway_to() as gateway:
        assert (await chat(gateway)).message["content"] == text
    assert endpoint.calls == 1


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
async def test_a_stream_is_known_by_what_it_begins_with(endpoint, gateway_to, kind):
    endpoint.stage.extend([streams(*WHOLE, kind=kind), streams(json.dumps(json.loads(says(ANSWER)({}).body)))])
    async with gateway_to() as gateway:
        assert (await ask(gateway)).text == ANSWER
        assert (await ask(gateway, "salad")).text == ANSWER
    assert endpoint.calls == 2


async def test_an_endpoint_that_answers_plainly_though_it_was_asked_to_stream(endpoint, gateway_to, tmp_path):
    async with gateway_to() as gateway:
        assert (await ask(gateway)).value.name == "soup"
    assert endpoint.bodies[0]["stream"] is True
    (row,) = read_ledger(tmp_path).to_dicts()
    assert (row["tokens_in"], row["tokens_out"], row["tokens_estimated"]) == (100, 20, False)


def called(index, identity=None, name=None, arguments=None):
    given = {"index": index, "id": identity, "function": {"name": name, "arguments": arguments}}
    return chunk({"tool_calls": [{key: value for key, value in given.items() if value is not None}]})


@pytest.mark.parametrize(
    "pieces",
    [
        (
            called(0, "a", "find", ""),
            called(0, arguments='{"id'),
            called(0, arguments='":1}'),
            called(1, "b", "go", "{}"),
        ),
        (called(0, "a", "find", '{"id":1}'), called(0, "b", "go", "{}")),
        (called(None, "a", "find", '{"id":1}'), called(None, "b", "go", "{}")),
        (
            called(0, "a", "find", '{"id'),
            called(0, "a", "find", '":1}'),
            called(1, "b", "go", "{}"),
            called(1, "b", "go"),
        ),
        (called(0, "a", "find", '{"id'), called(0, "", "", '":1}'), called(1, "b", "go", "{}")),
        (called(0, "a", "find", {"id": 1}), called(0, "b", "go", {})),
    ],
    ids=["by index", "index 0 always", "no index", "names repeated", "empty names", "objects"],
)
async def test_tool_calls_are_put_together(endpoint, gateway_to, pieces):
    endpoint.always = streams(START, *pieces, chunk({}, "tool_calls"), DONE)
    async with gateway_to() as gateway:
        message = (await chat(gateway)).message
    found = [(call["id"], call["function"]["name"], call["function"]["arguments"]) for call in message["tool_calls"]]
    assert [(one, name, json.loads(given)) for one, name, given in found] == [("a", "find", {"id": 1}), ("b", "go", {})]


async def test_calls_of_one_tool_whose_numbers_and_ids_are_all_the_same(endpoint, gateway_to):
    endpoint.always = streams(
        called(0, "call_0", "find", '{"id":1}'), called(0, "call_0", "find", '{"id":2}'), END, DONE
    )
    async with gateway_to() as gateway:
        calls = (await chat(gateway)).message["tool_calls"]
    assert [call["function"]["arguments"] for call in calls] == ['{"id":1}', '{"id":2}']


async def test_reasoning_and_parts_are_put_together(endpoint, gateway_to):
    thinks = [chunk({"reasoning_content": text, "content": None}) for text in ("Let me", " see.")]
    parts = chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]})
    endpoint.stage.append(streams(START, *thinks, chunk({"content": "hi"}), END, DONE))
    endpoint.stage.append(streams(parts, chunk({"content": "hi"}), END, DONE))
    async with gateway_to() as gateway:
        told, in_parts = await chat(gateway), await chat(gateway, seed=1)
    assert told.message == {"role": "assistant", "content": "hi", "reasoning_content": "Let me see."}
    assert in_parts.message["content"][-1] == {"type": "text", "text": "hi"} and len(in_parts.message["content"]) == 2


NO_ANSWERS = [
    streams(START, HALF),
    streams(START, HALF, BREAKS),
    streams(START, HALF, "data: {not json\n\n", REST, END, DONE),
    streams(START, HALF, "data: " + "[" * 100_000 + "\n\n", REST, END, DONE),
    streams(START, HALF, "\x00\x01 pure noise\n\n", REST, END, DONE),
    streams(START, HALF, "data: 7\n\n", REST, END, DONE),
    streams(START, HALF, {"choices": 7}, DONE),
    streams(START, HALF, {"choices": [7]}, DONE),
    streams(START, HALF, chunk("no object"), DONE),
    streams(START, HALF, chunk({"tool_calls": "none"}), DONE),
    streams(START, HALF, chunk({"tool_calls": ["none"]}), DONE),
    streams(START, HALF, {"error": {"message": "upstream is gone", "code": 502}}, DONE),
    streams(START, HALF, {"error": "upstream is gone"}, REST),
    streams(START, HALF, {"error": {"message": "\ud800", "code": 10**30}}, REST),
    streams({"error": {"message": "overloaded", "type": "server_error"}}, DONE),
    streams(DONE),
    streams(": only comments\n\n"),
    streams(START, HALF, HANGS),
    streams(START, HALF, *[": still here\n\n", START, 0.02] * 100, REST, END, DONE),
]


@pytest.mark.parametrize("broken", NO_ANSWERS, ids=range(len(NO_ANSWERS)))
async def test_half_an_answer_is_none_may_be_billed_and_is_asked_for_again(endpoint, gateway_to, tmp_path, broken):
    endpoint.stage.append(broken)  # `always` answers in one piece, so that no slow machine takes it for a hanging one
    async with gateway_to(limits={"idle_s": 0.3, "max_output_tokens": 1_000}) as gateway:
        assert (await ask(gateway)).text == ANSWER
    assert endpoint.calls == 2
    (row,) = read_ledger(tmp_path).to_dicts()
    assert (row["outcome"], row["retries"], row["tokens_estimated"]) == ("answered", 1, True)
    assert row["tokens_out"] == 1_000 + 20 and row["tokens_in"] > 100


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (streams(START, HALF), "ended in the middle of its answer"),
        (streams(START, HALF, BREAKS), "broke the connection in the middle of its answer"),
        (
            streams(START, HALF, HANGS),
            "wrote nothing for 0.2 seconds in the middle of its answer (ENVFACTORY_LLM_IDLE_S)",
        ),
        (streams(START, "data: {oops\n\n"), "sent something in its answer that is no part of one: {oops"),
        (
            streams({"error": {"message": "overloaded"}}),
            'answered 500 in its stream: {"error": {"message": "overloaded"}}',
        ),
        (streams(DONE), "something else than asked"),
    ],
)
async def test_what_went_wrong_is_told(endpoint, gateway_to, broken, told):
    endpoint.always = broken
    idle_s = 0.2 if "0.2 seconds" in told else 5.0
    async with gateway_to(limits={"idle_s": idle_s, "attempts": 2}) as gateway:
        with pytest.raises(InfrastructureFault) as caught:
            await ask(gateway)
    assert told in str(caught.value) and "Attempts: 2 of 2" in str(caught.value)


async def test_signs_of_life_are_no_answer(endpoint, gateway_to):
    endpoint.always = streams(*[": still here\n\n", START, 0.02] * 200, *WHOLE)
    async with gateway_to(limits={"timeout_s": 0.4}) as gateway:
        with pytest.raises(InfrastructureFault, match=r"did not answer within 0\.4 seconds"):
            await ask(gateway)
    assert endpoint.calls == 2


async def test_an_answer_may_take_longer_than_its_beginning(endpoint, gateway_to):
    endpoint.always = streams(START, *[piece for letter in ANSWER for piece in (chunk({"content": letter}), 0.05)], END)
    async with gateway_to(limits={"timeout_s": 1.0}) as gateway:  # of which the pauses are 1.4
        assert (await ask(gateway)).text == ANSWER
    assert endpoint.calls == 1


@pytest.mark.parametrize("after", [BREAKS, HANGS, "garbage\n\n", {"error": {"message": "too late"}}])
async def test_nothing_after_the_last_word_loses_an_answer(endpoint, gateway_to, tmp_path, after):
    endpoint.always = streams(START, HALF, REST, END, after)
    async with gateway_to(limits={"idle_s": 1.0 if after is HANGS else 5.0}) as gateway:
        assert (await ask(gateway)).text == ANSWER
    assert endpoint.calls == 1
    assert read_ledger(tmp_path)["tokens_estimated"].to_list() == [True]


@pytest.mark.parametrize(
    "usage", [None, counts(-100, 20), counts(100, -20), counts(10, 5, prompt_tokens_details={"cached_tokens": 11})]
)
async def test_usage_that_is_missing_or_cannot_be_true_is_estimated(endpoint, gateway_to, tmp_path, usage):
    endpoint.always = streams(START, HALF, REST, END, *([usage] if usage else []), DONE)
    async with gateway_to(models={"author": "gpt-4.1"}) as gateway:
        assert (await ask(gateway)).text == ANSWER
    (row,) = read_ledger(tmp_path).to_dicts()
    assert (
        row["tokens_estimated"] and row["tokens_in"] > 100 and row["tokens_out"] > len(ANSWER) and row["cost_usd"] > 0
    )


def error(code, message):
    return streams({"error": {"code": code, "message": message}})


async def test_an_error_in_a_stream_means_what_it_means_elsewhere(endpoint, gateway_to, tmp_path):
    endpoint.stage.append(error(400, "This model's maximum context length is 10 tokens."))
    endpoint.stage.append(error(401, f"Incorrect API key: {KEY}"))
    async with gateway_to() as gateway:
        with pytest.raises(AnswerUnusable, match="longer than the model can read"):
            await chat(gateway)
        with pytest.raises(KeyRefused, match="refuses the key"):
            await chat(gateway)
    assert endpoint.calls == 2
    assert read_ledger(tmp_path)["tokens_out"].sum() == 0, "it had not begun"


async def test_an_answer_that_goes_on_for_ever_is_cut_off_and_paid_once(endpoint, gateway_to):
    endpoint.always = streams(*[chunk({"content": "la " * 100})] * 1_000, HANGS)
    async with gateway_to(limits={"max_output_tokens": 100}) as gateway:
        answer = await chat(gateway)
    assert answer.choices[0].finish_reason == "length" and 6_400 < len(answer.message["content"]) < 10_000
    assert endpoint.calls == 1


async def test_a_key_that_is_echoed_in_pieces_is_blotted_out(endpoint, gateway_to, tmp_path):
    endpoint.always = streams(chunk({"content": KEY[:9]}), chunk({"content": KEY[9:]}), END, DONE)
    async with gateway_to() as gateway:
        assert (await chat(gateway)).message["content"] == "[secret]"


def refuses(*fields, message="Unsupported parameter: '{}'"):
    def scene(body):
        for name in fields:
            if body.get(name) is not None:
                return fails(400, message.format(name))(body)
        return (streams(*WHOLE) if body.get("stream") else says(ANSWER))(body)

    return scene


@pytest.mark.parametrize(
    ("server", "streamed"),
    [
        (refuses("stream_options"), True),
        (refuses("stream_options", message="include_usage is not supported"), True),
        (refuses("stream"), False),
        (refuses("stream_options", "stream"), False),
        (refuses("stream", message="Streaming is not supported here"), False),
        (refuses("stream", message="Bad request"), False),
    ],
)
async def test_an_endpoint_that_does_not_stream_is_asked_plainly_from_then_on(endpoint, gateway_to, server, streamed):
    endpoint.always = server
    async with gateway_to() as gateway:
        await chat(gateway)
        learned = endpoint.calls
        assert (await ask(gateway)).text == ANSWER
    assert endpoint.calls == learned + 1
    last = endpoint.bodies[-1]
    assert last.get("stream", False) is streamed and "stream_options" not in last
    assert last["response_format"]["type"] == "json_schema"


async def test_a_refusal_that_speaks_of_something_upstream_is_none_of_streaming(endpoint, gateway_to):
    endpoint.stage.append(fails(400, "the upstream server takes no json_schema"))
    async with gateway_to() as gateway:
        await ask(gateway)
    assert endpoint.bodies[-1]["response_format"]["type"] == "json_object" and endpoint.bodies[-1]["stream"]


async def test_the_built_in_model_says_the_same_in_pieces_and_in_this_process(tmp_path):
    tasks = [{"task": f"task_{number}", "text": "Find the soup.", "steps": ["find_dish"]} for number in range(100)]
    question = {
        "schema_name": "task_review",
        "answer": TaskReviewAnswer,
        "context": {"service": "a kitchen", "tools": [], "tasks": tasks},
    }
    async with Gateway(LanguageSettings(), tmp_path / "here") as gateway:
        here = await ask(gateway, **question)
    with served(create_app()) as url:
        async with Gateway(settings_for(url, models={"author": "built-in"}), tmp_path / "there") as gateway:
            assert gateway.streams(Role.AUTHOR)
            there = await ask(gateway, **question)
    assert there.text == here.text and len(there.value.tasks) == len(tasks)
    assert len(there.text) > 2 * 2_000, "it came in several pieces"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "index", "delta", "content", "tool_calls", "function", "error", "usage"]), inner
        )
    ),
    max_leaves=20,
)


@settings(max_examples=50)
@given(st.lists(JSON | st.builds(lambda delta: {"choices": [{"delta": delta}]}, JSON), max_size=4))
def test_whatever_a_stream_holds_is_an_answer_or_refused(events):
    incoming = Incoming(most_tokens=100)
    with contextlib.suppress(Garbled):
        for event in events:
            incoming.feed(f"data: {json.dumps(event)}\n\n".encode())
        incoming.end()
        assert isinstance(json.loads(incoming.body() or "{}"), dict)


@settings(max_examples=50)
@given(st.lists(st.integers(0, 10_000)))
def test_it_does_not_matter_where_a_body_is_cut_into_pieces(places):
    pieces = (*WHOLE[:-1], chunk({"content": "é🍲"}), called(0, "a", "find", '{"id":1}'), DONE)
    whole = b"".join((one if isinstance(one, str) else f"data: {json.dumps(one)}\r\n\r\n").encode() for one in pieces)
    at_once, in_pieces = Incoming(most_tokens=100), Incoming(most_tokens=100)
    at_once.feed(whole)
    cuts = sorted({0, len(whole), *(place % len(whole) for place in places)})
    for begin, end in itertools.pairwise(cuts):
        in_pieces.feed(whole[begin:end])
    assert in_pieces.body() == at_once.body() and in_pieces.done


async def test_several_continuations_and_token_ids_are_asked_for_without_streaming(endpoint, gateway_to):
    endpoint.always = sends({"choices": [{"message": {"content": "hi"}}] * 2})
    async with gateway_to() as gateway:
        await chat(gateway, n=2)
        await chat(gateway, logprobs=True)
    assert not any("stream" in body for body in endpoint.bodies)
