"""Which tasks a run plays: those of its splits, its protocol, and its curriculum."""

import json
from pathlib import Path

import pytest

from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.datasets.assigned import load_tasks, read_tasks
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.rewards import RewardSettings
from tests.trainer.shop import Shop
from trainer.failures import RecipeError
from trainer.tasks import in_curriculum, ranks_of


def named(rows: list[RlRow], path: Path) -> Path:
    lines = [
        {"environment": row.trace.environment, "version": row.trace.bundle_version, "task": row.trace.task}
        for row in rows
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def of_level(level: int, row: RlRow) -> RlRow:
    said = row.model_dump(mode="json")
    said["trace"]["difficulty"]["level"] = level
    return RlRow.model_validate(said)


def test_a_curriculum_chooses_and_orders(shop: Shop, tmp_path: Path) -> None:
    rows = read_tasks(shop.rl)
    wanted = [rows[5], rows[1]]
    assert in_curriculum(rows, named(wanted, tmp_path / "c.jsonl")) == wanted
    assert in_curriculum(rows[:3], tmp_path / "c.jsonl") == [rows[1]], "what it names besides is of other datasets"


def test_what_is_played_first(shop: Shop) -> None:
    levels = [of_level(level, row) for level, row in zip((2, 1, 2), read_tasks(shop.rl), strict=False)]
    assert ranks_of(levels, in_order=False, easiest_first=False) == [0, 0, 0], "all alike"
    assert ranks_of(levels, in_order=False, easiest_first=True) == [2, 1, 2]
    assert ranks_of(levels, in_order=True, easiest_first=True) == [0, 1, 2], "a curriculum has an order of its own"


@pytest.mark.parametrize(
    ("text", "said"), [("{", "cannot be read"), ('{"task": "x"}', "cannot be read"), ("", "None of")]
)
def test_a_curriculum_that_is_none(shop: Shop, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "c.jsonl").write_text(text)
    with pytest.raises(RecipeError, match=said):
        in_curriculum(read_tasks(shop.rl), tmp_path / "c.jsonl")


def test_a_release_that_was_made_before_reports_is_named(shop: Shop, tmp_path: Path) -> None:
    home, rows = Home.resolve(tmp_path / "old"), read_tasks(shop.rl)
    record = RecordStore(Home.resolve(shop.home)).latest("release", "tiny-shop")
    assert record is not None and record.artifact is not None
    RecordStore(home).keep(record.model_copy(update={"artifact": {**record.artifact, "format": 1}}))
    with pytest.raises(UsageError, match=r"tiny-shop .* cannot be played\. It was made before reports: rebuild it"):
        load_tasks(rows, home, RewardSettings())


def test_protocols_are_kept_apart(shop: Shop, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="under the protocol meta_tools"):
        read_tasks(shop.rl, protocol="meta_tools")
