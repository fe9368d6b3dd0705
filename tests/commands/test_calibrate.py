"""`envfactory calibrate`: a person's own model at the released tasks, behind a real endpoint."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.release import ReleaseStage
from tests.commands.terminal import Terminal
from tests.language.played_endpoint import PlayedEndpoint
from tests.tasks.huts_kit import FEW, Standing, golds_of
from tests.trainer.clerk import MODEL, clerk
from tests.trainer.shop import build, bundle

pytestmark = pytest.mark.long


@pytest_asyncio.fixture(scope="module")
async def shop_home(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop, in which one reference solution looks at everything before it orders."""
    home = (await build(runtime, tmp_path_factory.mktemp("shop"))).home
    records = RecordStore(Home.resolve(home))
    record = records.latest("release", bundle().key)
    assert record is not None
    release = Release.model_validate(record.artifact)
    first, *others = release.tasks
    looks = [TracedStep(tool="list_items", arguments={}) for _ in range(4)]
    careful = first.model_copy(
        update={"solution": first.solution.model_copy(update={"calls": [*looks, *first.solution.calls]})}
    )
    artifact = release.model_copy(update={"tasks": [careful, *others]}).model_dump(mode="json")
    records.keep(record.model_copy(update={"artifact": artifact, "inputs": "1" * 64}))
    return home


@pytest.fixture
def endpoint() -> Iterator[tuple[str, PlayedEndpoint]]:
    """Items 3 and 5 are ordered, 8 every other time, 9 never: two tasks of each."""
    with clerk(items=[3, 5], fickle=[8]) as found:
        yield found


def lines(folder: str, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path(folder) / f"{name}.jsonl").read_text().splitlines()]


def test_a_model_is_calibrated(shop_home: Path, endpoint: tuple[str, PlayedEndpoint]) -> None:
    url, played = endpoint
    terminal = Terminal(shop_home)
    given = ("calibrate", "--endpoint", url, "--model", MODEL, "--k", "4", "--json")
    said = terminal.factory(*given)
    assert said.status == 0, said.err
    found = said.json()
    assert (found["tasks"], found["episodes"], found["environments"]) == (8, 32, 1)
    assert (found["always_passed"], found["never_passed"], found["curriculum"]) == (4, 2, 2)
    assert (found["pass@1"]["mean"], found["pass@4"]["mean"]) == (0.625, 0.75)
    assert [one["task"] for one in lines(found["folder"], "curriculum")] == ["order_2_of_8", "order_4_of_8"]
    assert {one["task"]: one["pass@1"] for one in lines(found["folder"], "tasks")}["order_4_of_8"] == 0.5

    asked = played.calls
    assert terminal.factory(*given).json() == found
    assert played.calls == asked, "nothing is played again"
    assert not (shop_home / "trajectories" / bundle().key / "clerk").exists(), "the home keeps its own experience"


def test_verdicts_to_look_at(shop_home: Path, endpoint: tuple[str, PlayedEndpoint], tmp_path: Path) -> None:
    given = ("--endpoint", endpoint[0], "--model", MODEL, "--judge", "strict", "--k", "2", "--out", str(tmp_path))
    said = Terminal(shop_home).factory("calibrate", *given, "--environments", bundle().key, "--json")
    assert said.status == 0, said.err
    suspects = said.json()["suspects"]
    assert suspects == lines(str(tmp_path), "suspects")
    doubts = Counter((one["doubt"], one["task"]) for one in suspects)
    assert {task for doubt, task in doubts if doubt == "nobody_passes"} == {"order_2_of_9", "order_4_of_9"}
    assert doubts["shortcut", "order_2_of_3"] == 2, "both tries pass with one call where the reference makes five"
    disagreements = {task for doubt, task in doubts if doubt == "disagreement"}
    assert disagreements == {f"order_{n}_of_{item}" for n in (2, 4) for item in (3, 5, 8)}, "all that passed once"
    assert next(one for one in suspects if one["doubt"] == "disagreement")["detail"].startswith(
        "the verifier says completed, the judge agent_error"
    )


def test_a_person_is_shown_a_summary(shop_home: Path, endpoint: tuple[str, PlayedEndpoint]) -> None:
    said = Terminal(shop_home).factory("calibrate", "--endpoint", endpoint[0], "--model", MODEL, "--k", "2")
    assert "clerk, 8 tasks in 1 environment: pass@1 62.5%" in said.out
    assert "2 are left to learn from" in said.out
    assert "nobody passes" in said.out


def test_what_cannot_be_calibrated(shop_home: Path, tmp_path: Path) -> None:
    terminal = Terminal(shop_home)
    unknown = terminal.factory("calibrate", "--environments", "nowhere")
    assert (unknown.status, "Not released: nowhere" in unknown.err) == (2, True)
    unnamed = terminal.factory("calibrate", "--endpoint", "http://127.0.0.1:9/v1")
    assert (unnamed.status, "ENVFACTORY_SOLVER_MODEL" in unnamed.err) == (2, True)
    down = terminal.factory(
        "calibrate", "--endpoint", "http://127.0.0.1:9/v1", "--model", "x", "--k", "1", ENVFACTORY_LLM_ATTEMPTS="1"
    )
    assert (down.status, "is the endpoint up" in down.err) == (1, True), down.err


async def test_without_an_endpoint_the_reference_policy_plays_and_says_that_it_is_none(
    runtime: Runtime, tmp_path: Path
) -> None:
    huts = examples.load("alpine_huts")
    standing = Standing(Home.resolve(tmp_path / "home"), replace(huts, solutions={}), await golds_of(runtime, huts))
    await run_stage(standing.records, ReleaseStage(runtime, AuthoringSettings(), standing.bundles), huts.key)
    terminal = Terminal(tmp_path / "home")
    said = terminal.factory("calibrate", "--k", "2", "--judge", "built-in", "--json")
    assert said.status == 0, said.err
    found = said.json()
    assert (found["model"], found["tasks"], found["episodes"]) == ("reference", len(FEW), 2 * len(FEW))
    assert found["always_passed"] == found["tasks"]
    assert "reference: this is no model but a policy that is given each solution" in said.err
    assert not [one for one in found["suspects"] if one["doubt"] == "disagreement"]

    given = ("calibrate", "--k", "2", "--model", "reference:competence=0,mistakes=stops_early", "--json")
    assert terminal.factory(*given).json()["never_passed"] == len(FEW)
    sneezing = terminal.factory("calibrate", "--model", "reference:mistakes=sneezing")
    assert (sneezing.status, "'sneezing' is no mistake" in sneezing.err) == (2, True)
