"""Training runs of the shop: as somebody starts them, in a process of its own, or in this one."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.trainer.shop import save_policy
from trainer.__main__ import main

RECIPE: dict[str, Any] = {
    "name": "shop",
    "policy": {"base": "base"},
    "sft": {"epochs": 30, "batch": 4, "learning_rate": 1e-2, "longest": 1000},
    "grpo": {"tasks": 4, "group": 8, "micro_batch": 16, "steps": 2, "learning_rate": 1e-4, "window": None,
             "most_turns": 3, "most_new_tokens": 64, "longest": 1000, "reward": "verdict"},
    "precision": "float32",
    "save_every": 20,
}  # fmt: skip


ROW = {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"},
                    {"role": "assistant", "content": "a"}], "tools": []}  # fmt: skip
"""An example of SFT."""


@dataclass(frozen=True, slots=True)
class Ended:
    status: int
    said: str
    complained: str

    @property
    def result(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.said.splitlines()[-1])
        return found


def trainer(*arguments: object) -> Ended:
    done = subprocess.run(command(arguments), capture_output=True, text=True, timeout=170, env=environment())
    return Ended(done.returncode, done.stdout, done.stderr)


def command(arguments: Sequence[object]) -> list[str]:
    return [sys.executable, "-m", "trainer", *map(str, arguments)]


def environment() -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


def recipe(folder: Path, **changed: dict[str, Any]) -> Path:
    """The shop's recipe, with these fields of its sections changed. It begins with a policy of this folder, `base`."""
    base = folder / "base"
    if not base.is_dir():
        save_policy(base)
    changed.setdefault("policy", {"base": str(base)})
    whole = {
        name: {**part, **changed.get(name, {})} if isinstance(part, dict) else part for name, part in RECIPE.items()
    }
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump(whole))
    return path


def few_steps(folder: Path, **changed: Any) -> Path:
    """The shop's recipe, saved after every step."""
    path = recipe(
        folder, sft={"epochs": 4, "batch": 8}, grpo={"group": 4, "patience": 1, "most_new_tokens": 8, **changed}
    )
    path.write_text(path.read_text().replace("save_every: 20", "save_every: 1"))
    return path


def steps(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]


def rows_of_lengths(path: Path, *words: int) -> Path:
    """Examples in which the assistant writes so many words."""
    rows = [ROW | {"messages": [*ROW["messages"][:-1], {"role": "assistant", "content": "x " * n}]} for n in words]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def fails(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """In this process: the status, and what was said."""
    status = main([str(one) for one in arguments])
    return status, capsys.readouterr().err
