"""Which category an environment has: that of the taxonomy, and without one that of its theme."""

from pathlib import Path

from envfactory_dagster.arena.round_tasks import categories
from envfactory_dagster.arena.taxonomy.stage import ALL, STAGE
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.taxonomy import (
    Agreement,
    Category,
    Join,
    Label,
    PlacedEnvironment,
    Taxonomy,
    TaxonomySettings,
)
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.support.tiny import tiny


def label(number: int, category: str) -> Label:
    name = f"label {number}"
    return Label(
        id=f"l{number}", name=name, category=category, representatives=[f"shop-{number}"], radius=1.0, author="people"
    )


def test_the_taxonomy_comes_first_and_what_it_has_not_placed_keeps_its_own(tmp_path: Path):
    records = RecordStore(Home.resolve(tmp_path))
    themes = {key: tiny(key).theme for key in ("shop-1", "shop-2", "shop-3")}
    assert categories(records, themes).of == dict.fromkeys(themes, "retail")
    taxonomy = Taxonomy(
        settings=TaxonomySettings(),
        basis="",
        built_of=2,
        categories=[Category(id="c1", name="Trade"), Category(id="c2", name="Care")],
        labels=[label(1, "c1"), label(2, "c2")],
        placed=[PlacedEnvironment(environment=f"shop-{n}", label=f"l{n}", distance=0.1) for n in (1, 2)],
        joins=[Join(id="j1", left="l1", right="l2", height=1.0)],
        agreement=Agreement(author="people"),
    )
    records.keep(
        StageRecord(
            stage=STAGE,
            partition=ALL,
            status="ok",
            inputs="1",
            version="v1",
            artifact=taxonomy.model_dump(mode="json"),
        )
    )
    found = categories(records, themes)
    assert found.of == {"shop-1": "Trade", "shop-2": "Care", "shop-3": "retail"} and found.taxonomy == "v1"
