"""`envfactory model serve`: what answers without a key, for any client of the OpenAI API, until a signal ends it."""

import json
import signal
from pathlib import Path

import openai
import psutil
import pytest

from envfactory_dagster.contracts.task_reading import TaskReviewAnswer
from tests.commands.terminal import ENVFACTORY, Terminal

QUESTION = {
    "schema": "task_review",
    "context": {"service": "a bakery", "tools": [], "tasks": [{"task": "rolls", "text": "Two rolls.", "steps": []}]},
}


@pytest.mark.parametrize(("number", "ended"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_it_answers_any_openai_client_until_a_signal_ends_it(
    tmp_path: Path, number: signal.Signals, ended: int
) -> None:
    serving = Terminal(tmp_path / "home").start(*ENVFACTORY, "model", "serve", "--port", "0", "--json")
    try:
        assert serving.stdout is not None
        ready = json.loads(serving.stdout.readline())
        assert ready["pid"] == serving.pid
        open_to = {found.laddr for found in psutil.Process(serving.pid).net_connections() if found.status == "LISTEN"}
        assert {f"http://{address.ip}:{address.port}/v1" for address in open_to} == {ready["url"]}
        with openai.OpenAI(base_url=ready["url"], api_key="none", timeout=240) as client:
            assert [model.id for model in client.models.list()] == ready["models"] == ["library", "built-in"]
            asked = f"Review tasks.\n```json\n{json.dumps(QUESTION)}\n```"
            library, built_in = ready["models"]
            answer = client.chat.completions.create(
                model=built_in, messages=[{"role": "user", "content": asked}], seed=3
            )
            with pytest.raises(openai.UnprocessableEntityError, match="about its worlds only"):
                client.chat.completions.create(model=library, messages=[{"role": "user", "content": asked}])
        reviewed = TaskReviewAnswer.model_validate_json(answer.choices[0].message.content or "").tasks
        assert [one.task for one in reviewed] == ["rolls"]
        assert answer.usage is not None and answer.usage.completion_tokens > 0
        serving.send_signal(number)
        out, err = serving.communicate(timeout=120)
        assert serving.returncode == ended, err
        assert out == "" and "Traceback" not in err
        assert not (tmp_path / "home").exists(), "it keeps nothing"
    finally:
        serving.kill()
        serving.communicate()


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "home")
    serving = terminal.start(*ENVFACTORY, "model", "serve", "--port", "0", "--json")
    try:
        assert serving.stdout is not None
        port = json.loads(serving.stdout.readline())["url"].split(":")[-1].removesuffix("/v1")
        second = terminal.factory("model", "serve", "--port", port)
    finally:
        serving.kill()
        serving.communicate()
    assert second.status == 2
    assert f"Cannot listen on port {port} of 127.0.0.1" in second.err
