"""Runs that cannot be: each ends with a sentence and a status of its own."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.trainer.shop import Shop
from tests.trainer.test_training import recipe
from trainer.__main__ import main
from trainer.recipe import Recipe


def fails(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """In this process: the status, and what was said."""
    status = main([str(one) for one in arguments])
    return status, capsys.readouterr().err


ROW = {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"},
                    {"role": "assistant", "content": "a"}], "tools": []}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "no example"), ("{", "cannot be read"), ('{"text": "x"}', "no messages"), (None, "cannot be read")],
)
def test_data_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, said: str) -> None:
    data = tmp_path / "rows.jsonl"
    if content is not None:
        data.write_text(content)
    status, complained = fails(capsys, "sft", "--recipe", recipe(tmp_path), "--data", data, "--out", tmp_path)
    assert (status, said in complained) == (2, True), complained


def test_one_row_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW))
    status = main(
        ["sft", "--recipe", str(recipe(tmp_path, sft={"epochs": 1})), "--data", str(data), "--out", str(tmp_path)]
    )
    assert status == 0, capsys.readouterr().err


def test_rows_that_are_all_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(
        json.dumps(ROW | {"messages": [*ROW["messages"][:-1], {"role": "assistant", "content": "x " * 99}]})
    )
    short = recipe(tmp_path, sft={"longest": 16})
    status, complained = fails(capsys, "sft", "--recipe", short, "--data", data, "--out", tmp_path)
    assert (status, "more than 16 tokens" in complained) == (2, True), complained


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sft": {"batch": 0}}, "sft.batch"),
        ({"sft": {"invented": 1}}, "sft.invented"),
        ({"policy": {"base": "somewhere"}}, "one of them"),
    ],
)
def test_recipes_that_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: dict[str, Any], said: str
) -> None:
    status, complained = fails(capsys, "sft", "--recipe", recipe(tmp_path, **changed), "--dry-run")
    assert (status, said in complained) == (2, True), complained


def test_grpo_does_not_begin_from_nothing(shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--data", shop.rl, "--home", shop.home, "--out", tmp_path)
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "does not begin from scratch" in complained) == (2, True), complained


def test_tasks_of_another_home(shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--data", shop.rl, "--home", tmp_path, "--policy", tmp_path, "--out", tmp_path)
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "has no release" in complained) == (2, True), complained


def test_a_folder_that_is_no_policy(shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--data", shop.rl, "--home", shop.home, "--policy", tmp_path, "--out", tmp_path)
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "no policy that can be loaded" in complained) == (2, True), complained


@pytest.mark.parametrize("path", sorted(Path("trainer/recipes").glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_recipes_are_recipes_and_tell_what_they_need(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Recipe.read(path).name == path.stem
    assert main(["grpo", "--recipe", str(path), "--dry-run", "--machines", "8"]) == 0
    assert "memory_gb" in capsys.readouterr().out
