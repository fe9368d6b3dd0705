"""The embedded solver and the person it works for, as chats: with tools they were never written for."""

from typing import Any

import openai
import orjson
import pytest

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.embedded.roles.dial import MISTAKES, Dial
from envfactory_dagster.language.embedded.roles.request import parts
from tests.language.embedded.test_app import openai_client

NOW = "2026-03-02T09:00:00"
SYSTEM = {"role": "system", "content": f"You are an assistant. It is {NOW} now."}


def tool(name: str, description: str, returns: str, **parameters: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": parameters, "required": list(parameters), "additionalProperties": False}
    told = f"{description} Returns {returns}."
    return {"type": "function", "function": {"name": name, "description": told, "parameters": schema}}


TOOLS = [
    tool("show_kayaks", "List the kayaks for rent. Read-only.", "{kayaks: [{id, name, day_cents}]}"),
    tool("show_paddlers", "List the paddlers of the club. Read-only.", "{paddlers: [{id, name, level}]}"),
    tool(
        "rent_kayak",
        "Rent a kayak for one day. Makes a change.",
        "{rental_id}",
        kayak_id={"type": "integer", "description": "Id of the kayak."},
        on_day={"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$", "description": "The day."},
    ),
]
KAYAKS = {"kayaks": [{"id": 4, "name": "Grey Heron", "day_cents": 2500}, {"id": 9, "name": "Otter", "day_cents": 1800}]}


async def says(messages: list[dict[str, Any]], model: str = "embedded", tools: list[Any] = TOOLS, seed: int = 0) -> Any:
    answer = await openai_client().chat.completions.create(
        model=model, messages=[SYSTEM, *messages], tools=tools, seed=seed
    )
    return answer.choices[0].message


async def play(request: str, results: dict[str, Any], model: str = "embedded") -> tuple[list[Any], str]:
    """A whole chat: every call that was made, and the last word."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": request}]
    made = []
    for _ in range(8):
        said = await says(messages, model)
        messages.append(said.model_dump(exclude_none=True))
        if not said.tool_calls:
            return made, said.content
        for call in said.tool_calls:
            made.append((call.function.name, orjson.loads(call.function.arguments)))
            content = orjson.dumps(results.get(call.function.name, {"error": "there is no such tool"})).decode()
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    raise AssertionError("it never stopped")


async def test_it_looks_a_thing_up_by_its_name_and_fills_in_the_day():
    results = {"show_kayaks": KAYAKS, "rent_kayak": {"rental_id": 1}}
    made, last = await play("Please rent me the Otter for 14 March 2026.", results)
    assert made == [("show_kayaks", {}), ("rent_kayak", {"kayak_id": 9, "on_day": "2026-03-14"})]
    assert last == "That is done."


async def test_it_tells_the_fact_that_was_asked_for():
    made, last = await play("Tell me which kayak is the cheapest.", {"show_kayaks": KAYAKS, "show_paddlers": {}})
    assert "Otter" in last and "Grey Heron" not in last
    assert all(name.startswith("show_") for name, _ in made)


async def test_a_refusal_is_passed_on():
    results = {"show_kayaks": KAYAKS, "rent_kayak": {"error": "the river is closed in March"}}
    _, last = await play("Please rent me the Otter for 14 March 2026.", results)
    assert last == "I cannot do that: the river is closed in March."


async def test_tools_behind_the_meta_tools_are_listed_first():
    meta = [
        tool("list_tools", "List the tools.", "{}"),
        tool("call_tool", "Call one.", "{}", tool_name={}, arguments={}),
    ]
    first = await says([{"role": "user", "content": "Rent me the Otter for 14 March 2026."}], tools=meta)
    assert [call.function.name for call in first.tool_calls] == ["list_tools"]
    assert first.reasoning_content


@pytest.mark.parametrize("mistake", MISTAKES)
async def test_every_mistake_can_be_had(mistake: str):
    results = {"show_kayaks": KAYAKS, "rent_kayak": {"rental_id": 1}}
    request = "Please rent me the Otter for 14 March 2026."
    right = await play(request, results)
    assert await play(request, results, f"embedded:competence=0,mistakes={mistake}") != right
    assert await play(request, results, f"embedded:competence=1,mistakes={mistake}") == right


async def test_another_seed_errs_elsewhere_and_continuations_have_seeds_that_follow_each_other():
    asked = [SYSTEM, {"role": "user", "content": "Please rent me the Otter for 14 March 2026."}]
    model = "embedded:competence=0.5"
    many = await openai_client().chat.completions.create(model=model, messages=asked, tools=TOOLS, seed=5, n=8)
    said = [[choice.message.content, choice.message.tool_calls] for choice in many.choices]
    alone = [await says(asked[1:], model, seed=seed) for seed in range(5, 13)]
    assert said == [[message.content, message.tool_calls] for message in alone]
    assert 1 < len(set(map(repr, said))) < 8
    steady = [await says(asked[1:], "embedded:competence=1", seed=seed) for seed in range(5, 13)]
    assert len(set(map(repr, steady))) == 1


async def test_a_streamed_call_is_the_plain_call():
    asked = [SYSTEM, {"role": "user", "content": "Please rent me the Otter for 14 March 2026."}]
    plain = await says(asked[1:])
    stream = await openai_client().chat.completions.create(model="embedded", messages=asked, tools=TOOLS, stream=True)
    choices = [chunk.choices[0] async for chunk in stream if chunk.choices]
    (call,) = [call for choice in choices for call in choice.delta.tool_calls or []]
    assert call.index == 0
    assert (call.id, call.function.name) == (plain.tool_calls[0].id, "show_kayaks")
    assert call.function.arguments == plain.tool_calls[0].function.arguments
    assert "".join(choice.delta.content or "" for choice in choices) == (plain.content or "")
    assert choices[-1].finish_reason == "tool_calls"


def test_the_share_of_mistakes_follows_the_dial():
    drawn = [Dial(competence=0.7).mistake("request", part, 0) for part in range(2_000)]
    assert 0.25 < sum(mistake is not None for mistake in drawn) / len(drawn) < 0.35


@pytest.mark.parametrize("model", ["embedded:competence=2", "embedded:competence=much", "embedded:mistakes=sneezing"])
async def test_a_setting_it_does_not_know_is_refused_with_a_sentence(model: str):
    with pytest.raises(UsageError):
        Dial.of_model(model)
    with pytest.raises(openai.BadRequestError):
        await says([{"role": "user", "content": "Hello there."}], model)


def test_a_request_is_taken_apart_where_a_person_would():
    text = 'Three things today: save the Otter for later; note "Then; and finally, nothing."; and tell me the price.'
    said = [part.text for part in parts(text, NOW)]
    assert said == ["save the Otter for later", 'note "Then; and finally, nothing."', "tell me the price"]


def person(goal: str) -> dict[str, str]:
    context = {"goal": goal, "now": NOW, "stop": "###STOP###"}
    block = orjson.dumps({"schema": "simulated_user", "context": context}).decode()
    return {"role": "system", "content": f"You play a person.\n```json\n{block}\n```"}


async def test_the_person_brings_things_up_one_by_one_and_stops():
    messages: list[dict[str, str]] = [person("Save the Otter for later. Then rent me the Grey Heron for 3 May 2026.")]
    said = []
    for heard in ("Hello, what can I do for you?", "That is done.", "That is done."):
        messages.append({"role": "user", "content": heard})
        answer = await openai_client().chat.completions.create(model="embedded", messages=messages)
        said.append(answer.choices[0].message.content)
        messages.append({"role": "assistant", "content": said[-1]})
    assert "Otter" in said[0] and "Grey Heron" not in said[0]
    assert "Grey Heron for 3 May 2026" in said[1]
    assert said[2] == "###STOP###"
