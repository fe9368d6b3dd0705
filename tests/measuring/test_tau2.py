"""tau2's own package plays and judges its small domain, with a real endpoint behind the relay (`make test-peers`)."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import Response

from envfactory_dagster.contracts.benchmarks import BenchmarkResult, Decoding
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.measuring.peer import install
from envfactory_dagster.measuring.running import BenchmarkWish, run_measurement
from envfactory_dagster.store.home import Home
from tests.language.played_endpoint import PlayedEndpoint, fails, says, served
from tests.trainer.clerk import answered, calling

pytestmark = pytest.mark.peers
ROOT = Path(__file__).parents[2] / ".venv-peers"
TOLD = "The agent acknowledged the previous context. The agent confirmed the task status was updated successfully."


@pytest.fixture(scope="module")
def python() -> Path:
    return install("tau2", ROOT)


@pytest.fixture
def home(python: Path, tmp_path: Path) -> Home:
    """One that has tau2's environment already."""
    (tmp_path / "home").mkdir()
    os.symlink(ROOT / "peers", tmp_path / "home" / "peers")
    return Home.resolve(tmp_path / "home")


@contextmanager
def playing(*, works: bool = True) -> Iterator[tuple[str, PlayedEndpoint]]:
    """`person` reads its scenario out and stops when it is told something. `clerk` does what it is asked for; or says
    that it did."""

    def person(body: dict[str, Any]) -> Response:
        scenario = body["messages"][0]["content"]
        is_told = body["messages"][-1].get("content") == TOLD
        wish = next((one for one in ("delete", "task_1", "Important Meeting") if one in scenario), "task_2")
        return answered(says("###STOP###" if is_told else f"Please: {wish}")(body))

    def clerk(body: dict[str, Any]) -> Response:
        said = [str(one.get("content")) for one in body["messages"] if one["role"] == "user"][-1]
        if not works or body["messages"][-1]["role"] == "tool":
            return answered(says(TOLD)(body))
        if "delete" in said:
            return answered(calling("transfer_to_human_agents", {"summary": "It cannot be deleted."})(body))
        if "Important Meeting" in said:
            return answered(calling("create_task", {"user_id": "user_1", "title": "Important Meeting"})(body))
        task = "task_1" if "task_1" in said else "task_2"
        return answered(calling("update_task_status", {"task_id": task, "status": "completed"})(body))

    endpoint = PlayedEndpoint(always=lambda body: (person if body["model"] == "person" else clerk)(body))
    with served(endpoint.app()) as url:
        yield url, endpoint


async def measured(home: Home, url: str, **variables: str) -> BenchmarkResult:
    given = {
        "ENVFACTORY_LLM_BASE_URL": url, "ENVFACTORY_SOLVER_MODEL": "clerk", "ENVFACTORY_USER_MODEL": "person",
        "ENVFACTORY_LLM_ATTEMPTS": "1",
    }  # fmt: skip
    settings = LanguageSettings.from_environment(given | variables)
    wish = BenchmarkWish("tau2", Decoding(temperature=0.3), 1, ("mock",))
    result, _ = await run_measurement(home, settings, settings, wish, lambda said: None)
    return result


def tries(home: Home) -> dict[str, dict[str, Any]]:
    [folder] = (home.local / "measurements").iterdir()
    lines = [json.loads(line) for line in (folder / "tries.jsonl").read_text().splitlines()]
    return {one["task"].removeprefix("mock/"): one for one in lines}


async def test_its_own_package_plays_and_judges(home: Home) -> None:
    with playing() as (url, endpoint):
        result = await measured(home, url)
    found = {task: one["score"] for task, one in tries(home).items()}
    assert found.keys() >= {"create_task_1", "update_task_with_message_history", "impossible_task_1"}
    assert found == dict.fromkeys(found, 1.0) and len(found) == 9
    asked = {(body["model"], body["temperature"]) for body in endpoint.bodies}
    assert asked == {("clerk", 0.3), ("person", 0.0)}, "the measured model as the measurement says"
    assert result.setup.user_model == "person"
    assert (result.missing, result.aggregates) == (["retail", "airline", "telecom"], {})
    assert result.spent.calls == len(endpoint.bodies)


async def test_who_only_says_so_fails(home: Home) -> None:
    with playing(works=False) as (url, _), pytest.raises(InfrastructureFault, match="1 are missing"):
        await measured(home, url)
    found = {task: one["score"] for task, one in tries(home).items()}
    assert found["create_task_1"] == found["update_task_1"] == found["impossible_task_1"] == 0.0
    assert "create_task_1_with_env_assertions" not in found, "its judge looks for what is not there, and fails"


async def test_an_endpoint_that_stops_is_gone_on_with(home: Home) -> None:
    with playing() as (url, endpoint):
        good, bad = endpoint.always, fails(500, "out of order")
        wish = "delete all your current tasks"
        endpoint.always = lambda body: (bad if wish in body["messages"][0]["content"] else good)(body)
        with pytest.raises(InfrastructureFault, match=r"Of 9 tries of tau2 1 are missing.*impossible_task_1.*500"):
            await measured(home, url)
        endpoint.always = good
        before = tries(home)
        assert len(before) == 8
        assert (await measured(home, url)).scores["all"].tasks == 9
        assert before.items() <= tries(home).items()


async def test_a_script_is_no_person(home: Home) -> None:
    with playing() as (url, _), pytest.raises(UsageError, match="A model plays tau2's person"):
        await measured(home, url, ENVFACTORY_USER_MODEL="reference")
