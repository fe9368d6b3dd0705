"""A step whose work is spread over two nodes of a Ray cluster, of which one dies in the middle."""

import asyncio
import importlib.util
import json
import os
import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import dagster as dg
import pytest
from fastapi import FastAPI, Request
from pydantic import BaseModel

from benchmarks.killed import served
from envfactory_dagster.assets.experience import trajectories
from envfactory_dagster.assets.stage import stage_asset
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.contracts.stages import Stage, StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.partitions import ENVIRONMENTS, range_tags
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.cluster import ClusterResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.store.home import Home
from tests.dagster.test_experience import bundle, rows, told
from tests.support.needed import missing
from tests.tasks.huts_kit import FEW

if importlib.util.find_spec("ray") is None:
    missing("ray", "Ray is not installed (the extra `ray`)")
from ray.cluster_utils import Cluster

__all__ = ["bundle"]

pytestmark = pytest.mark.long

ROOM = 3
KEYS = [f"number-{number}" for number in range(12)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Nodes are processes on this machine; the one at the head has no room for workers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        nodes = Cluster()
        node(nodes, num_cpus=0, include_dashboard=False)
        node(nodes, num_cpus=1)
        yield nodes
        nodes.shutdown()


def node(cluster: Cluster, **settings: Any) -> Any:
    """Ray gives up on a node that takes more than 30 seconds to start, as one does on a busy machine."""
    for _ in range(3):
        try:
            return cluster.add_node(**settings)
        except Exception as failure:  # it is of no other type
            if "timed out during startup" not in str(failure):
                raise
    busy, _, _ = os.getloadavg()
    if busy < 2 * (os.cpu_count() or 1):
        pytest.fail(f"no node of Ray starts within 30 seconds, on a machine that is not busy (load {busy:.0f})")
    pytest.skip(f"no node of Ray starts within 30 seconds: the machine is too busy (load {busy:.0f})")


class Number(BaseModel):
    number: int


class Asked:
    """A stage that pays for one answer."""

    name: ClassVar[str] = "asked"
    upstream: ClassVar[tuple[str, ...]] = ()
    code_version: ClassVar[str] = "1"

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        caller = Caller(self.name, stage_input.partition, Role.AUTHOR)
        await self._gateway.ask(
            caller=caller,
            schema_name="number",
            answer=Number,
            instructions="Repeat the number.",
            context={"number": stage_input.partition},
        )
        if stage_input.partition == "number-5":
            raise InfrastructureFault("nobody wants a five")
        return StageOutcome({"number": stage_input.partition})


@asynccontextmanager
async def open_asked(resources: Any) -> AsyncIterator[Stage]:
    async with resources.authoring.gateway(resources.store) as gateway:
        yield Asked(gateway)


class Endpoint:
    """Answers nobody until it is told to, and counts."""

    def __init__(self) -> None:
        self.arrived = Counter[str]()
        self.in_the_air: list[str] = []
        self.answering = threading.Event()
        self.app = FastAPI()
        self.app.post("/v1/chat/completions")(self._answer)

    async def _answer(self, request: Request) -> dict[str, Any]:
        asked = json.dumps((await request.json())["messages"])
        self.arrived[asked] += 1
        self.in_the_air.append(asked)
        while not self.answering.is_set():  # noqa: ASYNC110  # whoever tells it is another thread
            await asyncio.sleep(0.02)
        self.in_the_air.remove(asked)
        message = {"role": "assistant", "content": '{"number": 1}'}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    made = Endpoint()
    with served(made.app) as url:
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_LLM_API_KEY", "key")
        monkeypatch.setenv("ENVFACTORY_MODEL", "any")
        yield made


def resources(home: Path, cluster: Cluster) -> dict[str, Any]:
    ours = {"store": StoreResource(home=str(home)), "authoring": AuthoringResource()}
    return {**ours, "cluster": ClusterResource(address=cluster.address)}


def run(home: Path, cluster: Cluster, instance: dg.DagsterInstance) -> dg.ExecuteInProcessResult:
    asset = stage_asset(
        Asked,
        open_asked,
        description="A number.",
        gate="There is one.",
        group="line",
        resources=frozenset({"authoring"}),
        retries=dg.RetryPolicy(max_retries=0),
    )
    defs = dg.Definitions([asset], resources=resources(home, cluster), executor=dg.in_process_executor)
    instance.add_dynamic_partitions(ENVIRONMENTS, KEYS)
    return defs.resolve_implicit_global_asset_job_def().execute_in_process(
        instance=instance,
        tags=range_tags((KEYS[0], KEYS[-1])),
        raise_on_error=False,
        run_config={"ops": {"asked": {"config": {"concurrency": ROOM}}}},
    )


def until(condition: Callable[[], bool]) -> None:
    patience = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.02)


def test_a_node_that_dies_loses_nothing_and_only_what_it_had_in_the_air_is_paid_twice(
    tmp_path: Path, cluster: Cluster, endpoint: Endpoint
) -> None:
    dies = node(cluster, num_cpus=1)
    with dg.DagsterInstance.ephemeral() as instance:
        results: list[dg.ExecuteInProcessResult] = []
        running = threading.Thread(target=lambda: results.append(run(tmp_path, cluster, instance)))
        running.start()
        until(lambda: len(endpoint.in_the_air) == 2 * ROOM)
        cluster.remove_node(dies, allow_graceful=False)
        endpoint.answering.set()
        running.join(timeout=300)
        assert not running.is_alive()
    cluster.wait_for_nodes(timeout=300)  # the cluster gives work to a dead node until it has missed its heartbeats
    (result,) = results
    records = StoreResource(home=str(tmp_path)).records()
    assert [key for key in KEYS if records.latest("asked", key) is None] == ["number-5"]
    assert len(result.get_asset_materialization_events()) == len(KEYS) - 1
    failed = [evaluation.partition for evaluation in result.get_asset_check_evaluations() if not evaluation.passed]
    assert failed == ["number-5"], "what was raised on a node is told as it was raised"
    twice = [question for question, times in endpoint.arrived.items() if times > 1]
    assert len(endpoint.arrived) == len(KEYS) and len(twice) <= ROOM
    ledger = read_ledger(Home.resolve(tmp_path).root)
    paid = ledger.filter((ledger["outcome"] == "answered") & ~ledger["cached"])
    assert sorted(paid["partition"]) == sorted(KEYS)


def test_rollouts_are_played_on_the_nodes(bundle: tuple[Path, Bundle], cluster: Cluster, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(bundle[0], home, ignore=shutil.ignore_patterns("trajectories"))
    config = {"ops": {"trajectories": {"config": {"candidates": 2}}}}
    with dg.DagsterInstance.ephemeral() as instance:
        played = told(
            dg.materialize([trajectories], instance=instance, resources=resources(home, cluster), run_config=config)
        )
    assert (played["new"], rows(played, "by_model")[0]["passed"]) == (2 * len(FEW), 1.0)
    assert len(TrajectoryStore(Home.resolve(home)).read(bundle[1])) == 2 * len(FEW)


def test_work_that_kills_its_worker_is_told_of_and_what_was_beside_it_is_done(tmp_path: Path, cluster: Cluster) -> None:
    """The cluster has one worker, which is replaced each time."""
    deaths = tmp_path / "deaths"

    @asynccontextmanager
    async def open_work() -> AsyncIterator[Callable[[str], Any]]:
        async def do(piece: str) -> str:
            if piece == "deadly":
                with deaths.open("a") as file:
                    file.write("x")
                os._exit(1)
            while not (deaths.exists() and deaths.stat().st_size >= 2):  # noqa: ASYNC110  # another process dies
                await asyncio.sleep(0.02)
            return piece

        yield do

    resource = ClusterResource(address=cluster.address)

    async def done() -> list[Any]:
        async with resource.workers(open_work, ROOM) as workers:
            pieces = ["one", "deadly", "other"]
            return await asyncio.gather(*map(workers.do, pieces), return_exceptions=True)

    try:
        one, deadly, other = asyncio.run(done())
    finally:
        resource.teardown_after_execution(dg.build_init_resource_context())
    assert (one, other) == ("one", "other")
    assert isinstance(deadly, InfrastructureFault) and "lost with this piece of work" in str(deadly)
    assert deaths.stat().st_size == 3


@pytest.mark.parametrize(("deadly", "done"), [(2, "one"), (9, "no worker of the Ray cluster is left")])
def test_a_worker_that_dies_before_it_begins_is_replaced_but_not_without_end(
    tmp_path: Path, cluster: Cluster, deadly: int, done: str
) -> None:
    """The cluster has one worker. Opening the work kills the first `deadly` of them."""
    openings = tmp_path / "openings"

    @asynccontextmanager
    async def open_work() -> AsyncIterator[Callable[[str], Any]]:
        with openings.open("a") as file:
            file.write("x")
        if openings.stat().st_size <= deadly:
            os._exit(1)

        async def do(piece: str) -> str:
            return piece

        yield do

    resource = ClusterResource(address=cluster.address)

    async def told() -> str:
        try:
            async with resource.workers(open_work, ROOM) as workers:
                return str(await workers.do("one"))
        except InfrastructureFault as fault:
            return str(fault)

    try:
        assert asyncio.run(told()) == done
    finally:
        resource.teardown_after_execution(dg.build_init_resource_context())
    assert openings.stat().st_size == 3


def test_without_a_cluster_or_the_package_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def open_work() -> AsyncIterator[Any]:
        yield asyncio.sleep

    async def join(address: str) -> None:
        async with ClusterResource(address=address).workers(open_work, 1):
            pass

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match="needs the extra `ray`"):
        asyncio.run(join("127.0.0.1:1"))
