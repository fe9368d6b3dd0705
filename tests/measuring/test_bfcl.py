"""BFCL's own package, tasks and checker, with a real endpoint that plays its ground truths (`make test-peers`)."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import Response

from envfactory_dagster.contracts.benchmarks import BenchmarkResult, Decoding
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.measuring.bfcl import Bfcl, BfclTask
from envfactory_dagster.measuring.formats.bfcl import read_call
from envfactory_dagster.measuring.peer import Peer, install
from envfactory_dagster.measuring.running import BenchmarkWish, run_measurement
from envfactory_dagster.store.home import Home
from tests.language.played_endpoint import PlayedEndpoint, fails, says, served
from tests.trainer.clerk import answered

pytestmark = pytest.mark.peers
ROOT = Path(__file__).parents[2] / ".venv-peers"
BASE = "multi_turn_base"
CATEGORIES = {BASE: 734, "multi_turn_miss_func": 934, "multi_turn_miss_param": 934, "multi_turn_long_context": 734}
"""Each of 200 tasks, with so many turns."""


@pytest.fixture(scope="module")
def python() -> Path:
    return install("bfcl", ROOT)


@pytest.fixture
def home(python: Path, tmp_path: Path) -> Home:
    """One that has BFCL's environment already."""
    (tmp_path / "home").mkdir()
    os.symlink(ROOT / "peers", tmp_path / "home" / "peers")
    return Home.resolve(tmp_path / "home")


@pytest.fixture(scope="module")
def truths(python: Path) -> dict[str, list[list[str]]]:
    """Task → the calls of every turn, as BFCL has them."""
    [folder] = python.parents[1].glob("lib/python*/site-packages/bfcl_eval/data/possible_answer")
    lines = [
        json.loads(line) for name in CATEGORIES for line in (folder / f"BFCL_v4_{name}.json").read_text().splitlines()
    ]
    return {one["id"]: one["ground_truth"] for one in lines}


Acts = Callable[[str, int, list[str]], list[str]]
"""What somebody calls who was to make these calls in a turn of a task."""


@contextmanager
def playing(bfcl: Bfcl, truths: dict[str, list[list[str]]], acts: Acts) -> Iterator[tuple[str, PlayedEndpoint]]:
    """An endpoint that knows the ground truths: it makes all calls of a turn in one message, then says that it is
    done."""
    known: dict[tuple[str, ...], BfclTask] = {}
    for task in bfcl.by_id.values():
        said = [str(one["content"]) for turn in task.turns for one in turn]
        for turns in range(1, len(said) + 1):
            known.setdefault(tuple(said[:turns]), task)  # two tasks begin alike, and go on differently

    def play(body: dict[str, Any]) -> Response:
        said = tuple(one["content"] for one in body["messages"] if one["role"] == "user")
        task, turn = known[said], len(said) - 1
        assert body["tools"] == task.tools[turn]
        wanted = acts(task.id, turn, truths[task.id][turn])
        if body["messages"][-1]["role"] == "tool" or not wanted:
            return answered(says("That is all.")(body))
        shown = {one["function"]["name"]: [*one["function"]["parameters"]["properties"]] for one in body["tools"]}
        read = [read_call(call, shown.get(call.split("(")[0], ())) for call in wanted]
        made = [
            {"id": f"c{place}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for place, (name, arguments) in enumerate(read)
        ]
        return answered(says(None, finish="tool_calls", tool_calls=made)(body))

    endpoint = PlayedEndpoint(always=play)
    with served(endpoint.app()) as url:
        yield url, endpoint


async def measured(home: Home, url: str, *categories: str) -> BenchmarkResult:
    settings = LanguageSettings.from_environment(
        {"ENVFACTORY_LLM_BASE_URL": url, "ENVFACTORY_MODEL": "played", "ENVFACTORY_LLM_ATTEMPTS": "1"}
    )
    said: list[str] = []
    result, _ = await run_measurement(
        home, settings, settings, BenchmarkWish("bfcl", Decoding(), 1, categories), said.append
    )
    return result


async def test_every_ground_truth_passes(home: Home, truths: dict[str, list[list[str]]]) -> None:
    means = {}
    for category, turns in CATEGORIES.items():
        async with Bfcl.opened(ROOT, [category]) as bfcl:
            with playing(bfcl, truths, lambda task, turn, calls: calls) as (url, _):
                assert sum(len(task.turns) for task in bfcl.by_id.values()) == turns
                result = await measured(home, url, category)
        assert (result.scores[category].tasks, result.setup.version) == (200, "bfcl-eval 2026.3.23")
        assert result.aggregates == {}, "of one category nobody tells the whole"
        means[category] = result.scores[category].score.mean
    assert means == dict.fromkeys(CATEGORIES, 1.0)


async def test_who_leaves_a_call_out_or_does_nothing_fails(home: Home, truths: dict[str, list[list[str]]]) -> None:
    """Of the base tasks: in every second the last call of the last turn is left out, every fifth is refused."""

    def some(task: str, turn: int, calls: list[str]) -> list[str]:
        number = int(task.rsplit("_", 1)[1])
        if number % 5 == 0:
            return []
        return calls[:-1] if number % 2 and turn == len(truths[task]) - 1 else calls

    async with Bfcl.opened(ROOT, [BASE]) as bfcl:
        with playing(bfcl, truths, some) as (url, _):
            result = await measured(home, url, BASE)
    [folder] = (home.local / "measurements").iterdir()
    tasks = {one["task"]: one for one in map(json.loads, (folder / "tasks.jsonl").read_text().splitlines())}
    for task, one in tasks.items():
        number = int(task.rsplit("_", 1)[1])
        if number % 5 == 0:
            assert one["outcomes"] == {"multi_turn:empty_turn_model_response": 1}
        elif number % 2 == 0:
            assert one["scores"] == [1.0]
    assert result.scores["all"].score.mean == pytest.approx(sum(one["passed"] for one in tasks.values()) / 200)
    assert 0.4 <= result.scores["all"].score.mean < 0.5, "80 whole, and of 80 those whose last call changed nothing"


async def test_an_endpoint_that_stops_is_gone_on_with(home: Home, truths: dict[str, list[list[str]]]) -> None:
    async with Bfcl.opened(ROOT, [BASE]) as bfcl:
        with playing(bfcl, truths, lambda task, turn, calls: calls) as (url, endpoint):
            good, endpoint.always = endpoint.always, fails(500, "out of order")
            endpoint.stage.extend([good] * 100)
            with pytest.raises(InfrastructureFault, match=r"Of 200 tries of bfcl \d+ are missing.*out of order"):
                await measured(home, url, BASE)
            [folder] = (home.local / "measurements").iterdir()
            assert not (folder / "result.json").exists()
            endpoint.always, before = good, endpoint.calls
            done = len((folder / "tries.jsonl").read_text().splitlines())
            assert done > 0
            result = await measured(home, url, BASE)
            assert result.scores["all"].score.mean == 1.0
            assert endpoint.calls - before < sum(2 * len(task.turns) for task in bfcl.by_id.values())


async def test_what_a_model_writes_is_not_run_as_python(python: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "written")
    bad = [
        f"open(file={path!r},mode='w')",
        f"cd(folder=open({path!r}, 'w'))",
        f"(lambda: open({path!r}, 'w'))()",
        f"ls() or open({path!r}, 'w')",
        f"ls(**open({path!r}, 'w'))",
        "_load_scenario(scenario={})",
        "",
    ]
    async with Peer("bfcl", python) as peer:
        results = await peer.ask("execute", task="multi_turn_base_0", episode="bad", calls=[*bad, "pwd()"])
        assert all(one.startswith("Error during execution") for one in results[:-1]), results
        assert json.loads(results[-1]) == {"current_working_directory": "/workspace"}
        found = await peer.ask("check", task="multi_turn_base_0", episode="bad", turns=[[bad], [], [], []])
        assert not found["valid"]
        with pytest.raises(InfrastructureFault, match="KeyError"):
            await peer.ask("execute", task="multi_turn_base_9999", episode="bad", calls=[])
    assert not Path(path).exists()


async def test_a_category_that_is_not_measured(home: Home) -> None:
    with pytest.raises(UsageError, match="no category 'live_simple' of bfcl that is measured here"):
        await measured(home, "http://127.0.0.1:9/v1", "live_simple")


async def test_a_process_that_dies_is_told(python: Path) -> None:
    async with Peer("bfcl", python) as peer:
        assert peer._process is not None
        peer._process.kill()
        with pytest.raises(InfrastructureFault, match=r"process of bfcl"):
            await peer.ask("categories")
