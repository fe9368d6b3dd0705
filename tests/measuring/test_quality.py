"""`envfactory quality`: several judges rate the inspected environments; bugs and diversity are counted."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import Response

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.inspection import ComputedFacts, Finding, Inspection, Ratings
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.measuring.quality import diversity
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.commands.terminal import Terminal
from tests.language.played_endpoint import PlayedEndpoint, says, served
from tests.support.tiny import tiny
from tests.trainer.clerk import answered

SCORES = {"mild": {"shop": 5, "dairy": 4}, "stern": {"shop": 3, "dairy": 4}}


def environment(key: str, category: str) -> Bundle:
    tasks = [Task(id=f"order_{n}", text=f"Order item {n}.", kind="action") for n in range(4)]
    whole = tiny(key)
    return replace(whole, theme=whole.theme.model_copy(update={"category": category}), tasks=tasks)


def report(bundle: Bundle, broken: bool) -> Inspection:
    finding = Finding(tool="get_item", criterion="results", severity="fail", message="It gives the wrong price.")
    facts = ComputedFacts(
        uses=[], dead_tools=[], untouched_tables=[], unused_columns=[], unreachable_values=[], coverage=1.0
    )
    return Inspection(
        bundle=bundle.version,
        facts=facts,
        findings=[finding] if broken else [],
        tests=[],
        tools=[],
        ratings=Ratings(reasons={}, bugs=int(broken), blocked_tasks=["order_1"] if broken else []),
        score=1.0,
        passed=True,
    )


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    home = Home.resolve(tmp_path / "home")
    for key, category in (("shop", "retail"), ("dairy", "farming")):
        bundle = environment(key, category)
        BundleStore(home).keep(bundle)
        artifact = report(bundle, broken=key == "shop").model_dump(mode="json")
        record = StageRecord(
            stage="inspection", partition=key, status="ok", inputs="0" * 64, version="1" * 64, artifact=artifact
        )
        RecordStore(home).keep(record)
    return Terminal(tmp_path / "home", {"ENVFACTORY_LLM_ATTEMPTS": "1"})


def judge(body: dict[str, Any]) -> Response:
    block = re.search(r"```json\n(.*)\n```", body["messages"][1]["content"])
    assert block is not None
    context = json.loads(block[1])["context"]
    key = context["theme"]["key"]
    assert context["failures"] == (["It gives the wrong price."] if key == "shop" else [])
    if key == "dairy" and body["model"] == "speechless":
        return answered(says("No.")(body))
    score = SCORES.get(body["model"], SCORES["mild"])[key]
    rating = {"score": score, "reason": "So it is."}
    names = ("task_feasibility", "data_alignment", "toolset_completeness")
    return answered(says(json.dumps(dict.fromkeys(names, rating)))(body))


@pytest.fixture
def endpoint() -> Iterator[tuple[str, PlayedEndpoint]]:
    played = PlayedEndpoint(always=judge)
    with served(played.app()) as url:
        yield url, played


def test_judges_rate_bugs_are_counted_and_larger_pools_have_more_categories(
    terminal: Terminal, endpoint: tuple[str, PlayedEndpoint]
) -> None:
    url, played = endpoint
    given = ("quality", "--endpoint", url, "--judge", "mild", "--judge", "stern", "--json")
    said = terminal.factory(*given)
    assert said.status == 0, said.err
    found = said.json()
    mild, stern = found["judges"]
    assert mild["ratings"]["data_alignment"] == {"mean": 4.5, "deviation": pytest.approx(0.5**0.5)}
    assert (stern["judge"], stern["environments"]) == ("stern", 2)
    [two] = found["compared"]
    assert two["judges"] == ["mild", "stern"] and two["difference"]["task_feasibility"] == 1.0
    assert found["bugs"] == {"environments_with_bugs": 0.5, "bugs": 0.5, "blocked_tasks": 0.125}
    [pool] = found["diversity"]
    assert (pool["size"], pool["categories"]) == (2, 2)
    assert found["spent"]["calls"] == played.calls == 4
    terminal.factory(*given)
    assert played.calls == 4, "no rating is paid for twice"


def test_a_judge_that_cannot_be_read_rates_fewer(terminal: Terminal, endpoint: tuple[str, PlayedEndpoint]) -> None:
    said = terminal.factory("quality", "--endpoint", endpoint[0], "--judge", "speechless", "--judge", "mild")
    assert said.status == 0, said.err
    assert re.search(r"speechless +1 +5\.00 ± 0\.00", said.out)
    assert re.search(r"speechless and mild +1 +0\.00 apart", said.out)


def test_what_was_not_inspected_is_named(terminal: Terminal) -> None:
    said = terminal.factory("quality", "harbour")
    assert said.status == 2 and "Not inspected: harbour. Inspected are: dairy, shop" in said.err


def test_diversity_falls_where_environments_repeat() -> None:
    directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    apart = diversity(directions, ["a", "b", "c"])
    assert [pool.size for pool in apart] == [2, 3]
    assert [(pool.apart, pool.nearest) for pool in apart] == [(pytest.approx(1), pytest.approx(1))] * 2
    repeated = diversity([*directions, *directions], ["a", "b", "c"] * 2)
    assert [pool.size for pool in repeated] == [2, 4, 6]
    assert repeated[-1].nearest == pytest.approx(0) and repeated[-1].apart == pytest.approx(0.8)
    assert repeated[0].categories <= 2 < repeated[-1].categories == 3
    assert diversity(directions[:1], ["a"]) == []
