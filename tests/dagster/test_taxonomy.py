"""The asset `taxonomy`: what a person sees of it, and when it is another one."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import dagster as dg
import pytest

from envfactory_dagster.assets.taxonomy import taxonomy
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.home import Home
from tests.arena import taxonomy_kit as kit
from tests.language.played_endpoint import served


class Site:
    def __init__(self, home: Path, instance: dg.DagsterInstance) -> None:
        self.home, self._instance = Home.resolve(home), instance

    def make(self, **config: Any) -> dg.AssetMaterialization:
        result = dg.materialize(
            [taxonomy],
            instance=self._instance,
            resources={"store": StoreResource(home=str(self.home.root)), "authoring": AuthoringResource()},
            run_config={"ops": {"taxonomy": {"config": config}}},
        )
        (event,) = result.get_asset_materialization_events()
        return event.materialization


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield Site(tmp_path / "home", instance)


def told(made: dg.AssetMaterialization) -> dict[str, Any]:
    return {name: value.value for name, value in made.metadata.items()}


def version(made: dg.AssetMaterialization) -> str:
    assert made.tags is not None
    return made.tags["dagster/data_version"]


def test_without_a_model_it_shows_computed_names_counts_and_a_dendrogram(site: Site) -> None:
    kit.release(site.home, kit.trades(12))
    shown = told(site.make())
    assert (shown["environments"], shown["labels_computed"], shown["categories_by"]) == (12, 6, "computed")
    labels = [dict(row.data) for row in shown["labels"].records]
    assert sum(row["environments"] for row in labels) == 12
    assert {row["named_by"] for row in labels} == {"computed"}
    counts = shown["counts"].splitlines()
    assert counts[0] == "| category | environments | |" and len(counts) == 2 + shown["categories"]
    picture = ElementTree.fromstring(base64.b64decode(shown["dendrogram"].partition("base64,")[2].rstrip(")")))
    texts = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(str(text).split(" · ")[0] for text in texts) == sorted(
        f"{row['label']} ({row['environments']})" for row in labels
    )


def test_with_a_model_it_shows_how_far_annotators_agreed_and_what_it_cost(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit.release(site.home, kit.trades(12))
    model = kit.scripted()
    with served(model.app()) as url:
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_MODEL", kit.MODEL)
        shown, again = told(site.make()), told(site.make())
    assert (shown["annotators"], shown["fleiss_kappa"], shown["categories_by"]) == (3, 1.0, "model")
    assert model.calls == 6 + 3 + 1, "six labels, three annotators, and somebody who settles"
    assert shown["tokens_in"] >= 100 * model.calls and shown["reused"] is False
    assert again["reused"] is True and "calls" not in again


def test_its_data_version_changes_with_what_is_released(site: Site) -> None:
    kit.release(site.home, kit.trades(12))
    first = site.make()
    assert version(site.make()) == version(first)
    kit.release(site.home, kit.trades(13)[12:])
    assert version(site.make()) != version(first)


def test_one_environment_is_told_to_be_too_few(site: Site) -> None:
    kit.release(site.home, kit.trades(1))
    with pytest.raises(UsageError, match="at least 2 released environments, and there is cheese-cave"):
        site.make()
