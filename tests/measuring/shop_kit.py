"""Datasets for the shop as the assets would leave them: its tasks held out, and something else to learn from."""

import json
import shutil
from pathlib import Path
from typing import Any

from tests.trainer.shop import Shop


def with_dataset(shop: Shop, home: Path) -> Path:
    """The shop's home, copied, with an `rl_dataset` of which all is held out."""
    shutil.copytree(shop.home, home)
    rows = [json.loads(line) for line in shop.rl.read_text().splitlines()]
    for row in rows:
        row["trace"]["split"] = "held_out"
    write_rows(home, "rl", rows)
    return home


def write_rows(home: Path, dataset: str, rows: list[dict[str, Any]]) -> None:
    folder = home / "datasets" / dataset
    (folder / "v1" / "rows").mkdir(parents=True, exist_ok=True)
    (folder / "LATEST").write_text("v1")
    (folder / "v1" / "rows" / "tiny-shop.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
