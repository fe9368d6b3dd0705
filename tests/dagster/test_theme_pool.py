"""The theme pool: it decides which environments there are, and shows why."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from envfactory_dagster.assets.discovery import chart, theme_pool
from envfactory_dagster.authoring.discovery import ThemePool
from envfactory_dagster.library.collection import Library
from envfactory_dagster.partitions import environment_keys
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.home import Home
from tests.language.played_endpoint import served
from tests.support.proposer import MODEL, proposer

TITLES = [card.proposal.proposal.name for card in Library().cards.values() if card.size == "small"]


class House:
    """A home and an instance."""

    def __init__(self, home: Path, instance: dg.DagsterInstance) -> None:
        self.home = home
        self.instance = instance

    def expand(self, **config: Any) -> dg.ExecuteInProcessResult:
        resources = {"store": StoreResource(home=str(self.home)), "authoring": AuthoringResource()}
        run_config = {"ops": {"theme_pool": {"config": config}}}
        return dg.materialize([theme_pool], instance=self.instance, resources=resources, run_config=run_config)

    def taken(self) -> list[str]:
        return [one.key for one in self._pool().taken]

    def names(self) -> list[str]:
        return [one.proposal.name for one in self._pool().taken]

    def _pool(self) -> ThemePool:
        pool = ThemePool(Home.resolve(self.home))
        pool.refresh()
        return pool


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("ENVFACTORY_SIZE", "small")
    with dg.DagsterInstance.ephemeral() as instance:
        yield House(tmp_path, instance)


def told(result: dg.ExecuteInProcessResult) -> dict[str, Any]:
    (event,) = result.get_asset_materialization_events()
    return {name: value.value for name, value in event.materialization.metadata.items()}


def test_what_is_taken_becomes_partitions_in_the_order_of_taking(house: House) -> None:
    first = house.expand(count=2)
    assert len(environment_keys(house.instance)) == 2
    house.expand(count=1, themes=[TITLES[-1]])
    assert environment_keys(house.instance) == house.taken()
    assert len(house.taken()) == 4
    accepted = [dict(row.data)["key"] for row in told(first)["accepted"].records]
    assert accepted == house.taken()[:2]
    assert all(evaluation.passed for evaluation in first.get_asset_check_evaluations())


def test_its_data_version_never_changes_so_that_no_theme_turns_stale(house: House) -> None:
    versions = [house.expand(count=0, themes=[text]) for text in TITLES[:2]]
    found = [
        result.asset_materializations_for_node("theme_pool")[0].tags["dagster/data_version"] for result in versions
    ]
    assert found[0] == found[1]


def test_what_is_turned_away_is_told_with_its_reason(house: House) -> None:
    house.expand(count=0, themes=[TITLES[0]])
    shown = told(house.expand(count=0, themes=[TITLES[0]]))
    (row,) = [dict(row.data) for row in shown["rejected"].records]
    assert row["reason"] == "duplicate"
    assert [dict(row.data) for row in shown["rejections"].records] == [{"reason": "duplicate", "themes": 1}]
    assert shown["themes"] == 1


def test_an_instance_that_lost_its_keys_gets_them_back(house: House) -> None:
    house.expand(count=0, themes=[TITLES[0]])
    with dg.DagsterInstance.ephemeral() as new:
        House(house.home, new).expand(count=0)
        assert environment_keys(new) == house.taken()


def test_categories_are_shown_as_bars() -> None:
    assert chart(Counter({"Health": 4, "Retail": 1})).splitlines() == [
        "| category | themes | |",
        "|---|---:|:---|",
        "| Health | 4 | ████████████████████ |",
        "| Retail | 1 | █████ |",
    ]


def test_without_a_model_worlds_of_the_library_are_taken_until_none_is_left(house: House) -> None:
    house.expand(count=1)
    last = house.expand(count=len(TITLES), themes=["A workshop that repairs cellos"])

    assert last.success
    assert set(house.names()) == set(TITLES)
    assert told(last)["exhausted"] is True
    (refused,) = [dict(row.data) for row in told(last)["rejected"].records]
    assert refused["detail"].startswith("The library has no world of that title, and cannot make one")
    assert "set a language model: ENVFACTORY_LLM_BASE_URL" in refused["detail"]
    none = house.expand(count=3)
    assert none.success and set(house.names()) == set(TITLES)


def test_sources_wait_for_a_model_that_reads_them(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = house.home / "sources" / "name_seeds"
    seeds.mkdir(parents=True)
    (seeds / "mine.csv").write_text("Bicycle rental shop with bookings and repairs, Retail\n")
    house.expand(count=len(TITLES))
    assert not any("bicycle-rental" in key for key in house.taken())

    with served(proposer()) as url:
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_MODEL", MODEL)
        house.expand(count=1)
    assert "bicycle" in house.taken()[-1]
