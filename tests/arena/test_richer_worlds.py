"""Worlds that are too poor to practise in: mined once more where there are documents, and else left as they are."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from envfactory_dagster.arena.richer_worlds import NOT_MINED
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.authoring.discovery import read_data
from envfactory_dagster.contracts.arena import TargetTasks
from envfactory_dagster.contracts.evolution import RicherWorld, RicherWorlds
from envfactory_dagster.contracts.mining import Collection, MinedData
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.runtime.images import read_rows
from envfactory_dagster.store.bundles import BundleStore
from tests.arena.conftest import Ground
from tests.arena.test_target_tasks import WEAK
from tests.support.scripted_miner import FINISH, Action, collection, field, scripted_miner, take

pytestmark = pytest.mark.long

ITEMS = collection("items", field("name"), field("price", "number"), field("stock", "integer"))
SUPPLIERS = collection("suppliers", field("supplier"), field("item", refers_to="items"))
HAD, HAS = 60, 80
TAKE_ALL = take("items.csv", ITEMS, name="item", price="euros", stock="left")


def documents(folder: Path) -> Path:
    folder.mkdir()
    lines = [f"Item {number},{10.0 + number},10000" for number in range(1, HAS + 1)]
    (folder / "items.csv").write_text("\n".join(["item,euros,left", *lines]) + "\n")
    (folder / "suppliers.csv").write_text("supplier,item\nAnders,Item 1\nBirk,Item 2\n")
    return folder


def mined(snapshot: str, had: int) -> MinedData:
    """What the shop was made of: the first items of the document."""

    def record(document: str, row: int, **values: Any) -> dict[str, Any]:
        return {"values": values, "sources": [{"document": document, "table": 1, "first": row, "last": row}]}

    items = [
        record("items.csv", n, name=f"Item {n}", price=10.0 + n, stock=10_000) for n in range(1, had + 1)
    ]  # fmt: skip
    suppliers = [
        record("suppliers.csv", 1, supplier="Anders", item="Item 1"),
        record("suppliers.csv", 2, supplier="Birk", item="Item 2"),
    ]
    collections = [
        Collection.model_validate({**plan, "records": records})
        for plan, records in ((ITEMS, items), (SUPPLIERS, suppliers))
    ]
    return MinedData(kind="mined", snapshot=snapshot, collections=collections)


async def richer(ground: Ground, actions: Sequence[Action], folder: Path, had: int = HAD) -> RicherWorld:
    """After a round whose guideline asks for more items. `had`: how many of them were mined; 0: the world was not."""
    found = await ground.played_by(WEAK)
    [guideline] = found.guidelines
    if had:
        document, _ = read_data(documents(folder), ground.home.snapshots)
        artifact = mined(document.snapshot, had).model_dump(mode="json")
        record = StageRecord(
            stage="mined_data", partition=guideline.environment, status="ok", inputs="1", version="1", artifact=artifact
        )
        ground.records.keep(record)
    known = ground.records.latest("diagnosis", "x-r00")
    assert known is not None
    wanting = found.model_copy(update={"guidelines": [guideline.model_copy(update={"needs": "More kinds of items."})]})
    changed = {"artifact": wanting.model_dump(mode="json"), "inputs": "2", "version": wanting.content_hash()}
    ground.records.keep(known.model_copy(update=changed))
    language = LanguageSettings(
        base_url="http://model/v1",
        api_key=SecretStr("none"),
        limits=LimitSettings(backoff_s=0.001),
        models=dict.fromkeys(Role, "author"),
    )
    app = scripted_miner([[], actions])
    async with Gateway(language, folder / "gateway", app=app) as gateway:
        made = await ground.run(ground.richer(gateway), "x-r00")
    [world] = RicherWorlds.model_validate(made.artifact).worlds
    return world


async def test_what_is_found_is_a_further_state_and_targets_begin_in_it(ground: Ground, tmp_path: Path):
    world = await richer(ground, [TAKE_ALL, FINISH], tmp_path / "more")
    assert world.records == HAS - HAD and not world.reason
    bundle = BundleStore(ArenaRound("x", 0).home(ground.home)).load(world.environment, world.version)
    before = BundleStore(ground.home).load(world.environment)
    assert len(read_rows(bundle.states["richer_00"].image, {"items": ["id"]})["items"]) == HAS
    assert {name: state.image for name, state in before.states.items()} == {
        name: state.image for name, state in bundle.states.items() if name != "richer_00"
    }
    made = TargetTasks.model_validate((await ground.run(ground.targets(), "x-r00")).artifact)
    [there] = made.environments
    kept = BundleStore(ArenaRound("x", 0).targets(ground.home, made.dataset)).load(there.key, there.version)
    assert {task.state for task in kept.tasks} == {"richer_00"}


@pytest.mark.parametrize(
    ("actions", "had", "why"),
    [
        ([FINISH], HAD, "add at least 25% more records"),
        ([TAKE_ALL, FINISH], HAD - 20, "does not fit into the database: .*UNIQUE"),
    ],
)
async def test_what_cannot_be_added_leaves_the_world_as_it_was(
    ground: Ground, tmp_path: Path, actions: list[Action], had: int, why: str
):
    """In the second case the shop has had items since that were not mined, under the numbers of those that come."""
    world = await richer(ground, actions, tmp_path / "more", had)
    assert not world.version and re.search(why, world.reason)


async def test_a_world_that_was_not_mined_stays_and_it_is_said(ground: Ground, tmp_path: Path):
    world = await richer(ground, [], tmp_path / "more", had=0)
    assert (world.version, world.reason) == ("", NOT_MINED)
    made = TargetTasks.model_validate((await ground.run(ground.targets(), "x-r00")).artifact)
    [there] = made.environments
    assert len(there.tasks) > 0
