"""`play`: an endpoint in, messages and a reward out, over a real endpoint and a real sandbox."""

import json
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.exchange.playing import play
from envfactory_dagster.runtime.runtime import Runtime
from tests.language.played_endpoint import PlayedEndpoint, Scene, says, served

TASK = "call_it_off"


def calling(calls: list[dict[str, Any]]) -> Scene:
    """Plays these calls, one a message."""

    def answer(body: dict[str, Any]) -> Any:
        number = sum(message["role"] == "assistant" for message in body["messages"])
        call = calls[number]
        function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
        made = {"id": f"call-{number}", "type": "function", "function": function}
        return says(None, finish="tool_calls", tool_calls=[made])(body)

    return answer


async def test_an_agent_that_does_it_right_gets_the_whole_reward(huts: Bundle, runtime: Runtime, calls: Path) -> None:
    endpoint = PlayedEndpoint(calling(json.loads(calls.read_text())[TASK]))
    with served(endpoint.app()) as url:
        played = await play(url, "policy", huts, TASK, runtime=runtime, temperature=0.5)
    assert played.reward == 1.0 and played.report is not None and played.report["outcome"] == "done"
    assert [message["role"] for message in played.messages[:3]] == ["system", "user", "assistant"]
    assert played.signals["end"] == "answered" and played.signals["reasons"] == []
    assert {body["temperature"] for body in endpoint.bodies} == {0.5}
    assert "finish" in {tool["function"]["name"] for tool in endpoint.bodies[0]["tools"]}


async def test_an_agent_that_only_talks_is_asked_once_and_gets_nothing(huts: Bundle, runtime: Runtime) -> None:
    endpoint = PlayedEndpoint(says("It is called off."))
    with served(endpoint.app()) as url:
        played = await play(url, "policy", huts, TASK, runtime=runtime)
    assert played.reward == 0.0 and played.report is None
    assert endpoint.calls == 2


async def test_an_endpoint_that_fails_is_no_zero(huts: Bundle, runtime: Runtime) -> None:
    played = await play("http://127.0.0.1:9/v1", "policy", huts, TASK, runtime=runtime)
    assert played.reward is None
    assert played.signals["end"] == "model_failed" and "no answer" in str(played.signals["detail"])


async def test_a_task_that_needs_the_person_is_refused_with_the_reason(huts: Bundle) -> None:
    with pytest.raises(UsageError, match="the person has to call"):
        await play("http://127.0.0.1:9/v1", "policy", huts, "tour_with_ida")
    with pytest.raises(UsageError, match="no such task"):
        await play("http://127.0.0.1:9/v1", "policy", huts, "nothing")
