"""Runs that go on from a checkpoint of an earlier one, and those that begin anew."""

import copy
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR

from tests.trainer.shop import Shop, save_policy
from tests.trainer.training import ROW, command, environment, fails, few_steps, recipe, rows_of_lengths, steps
from trainer import sampling
from trainer.__main__ import main
from trainer.checkpoints import checkpoints, latest_whole, rates_kept
from trainer.reporting import Reporter

pytestmark = pytest.mark.long


def test_who_goes_on_has_the_learning_rates_of_his_own_recipe() -> None:
    before, after = (AdamW([torch.nn.Parameter(torch.ones(2))], lr=rate) for rate in (1e-2, 1e-3))
    first, second = (LambdaLR(optimizer, lambda step: 1 - step / 10) for optimizer in (before, after))
    for _ in range(2):
        before.step()
        first.step()
    with rates_kept(second):
        after.load_state_dict(copy.deepcopy(before.state_dict()))
        second.load_state_dict(first.state_dict())
    for left in (8, 7):
        wanted = pytest.approx([1e-3 * left / 10])
        assert [group["lr"] for group in after.param_groups] == wanted
        assert second.get_last_lr() == wanted, "and tells them"
        after.step()
        second.step()


def test_a_run_that_begins_anew_is_not_taken_for_the_one_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "rows.jsonl", tmp_path / "out"
    data.write_text(json.dumps(ROW))
    long, short = ((tmp_path / name) for name in ("long", "short"))
    for folder, most in ((long, 3), (short, 1)):
        folder.mkdir()
        recipe(folder, sft={"most_steps": most})
    given = ["sft", "--data", str(data), "--out", str(out), "--recipe"]
    assert main([*given, str(long / "recipe.yaml")]) == 0
    shutil.copytree(out / "policy", tmp_path / "policy")
    again = [*given, str(short / "recipe.yaml"), "--policy", str(tmp_path / "policy")]
    capsys.readouterr()
    assert main(again) == 0
    assert "The run begins anew; what an earlier one left here is now in" in capsys.readouterr().err
    assert [one.name for one in checkpoints(out / "checkpoints")] == ["checkpoint-1"]
    assert (out / "checkpoints.old" / "checkpoint-3").is_dir()
    assert main([*again, "--resume"]) == 0
    status, complained = fails(capsys, *given, short / "recipe.yaml", "--policy", out / "checkpoints" / "checkpoint-1")
    assert (status, "begin a new run in another folder" in complained) == (2, True), complained


SPOILED = {
    "trainer_state.json": "its trainer_state.json is missing or torn",
    "model.safetensors": "its weights cannot be opened",
    "optimizer.pt": "its optimizer.pt cannot be opened",
}


@pytest.mark.parametrize("torn", SPOILED)
def test_a_checkpoint_that_was_not_finished_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], torn: str
) -> None:
    data, out = tmp_path / "rows.jsonl", tmp_path / "out"
    data.write_text(json.dumps(ROW))
    how = recipe(tmp_path, sft={"most_steps": 3})
    how.write_text(how.read_text().replace("save_every: 20", "save_every: 1\nlog_every: 1"))
    given = ["sft", "--recipe", str(how), "--data", str(data), "--out", str(out)]
    assert main(given) == 0
    folder = out / "checkpoints"
    assert [one.name for one in checkpoints(folder)] == ["checkpoint-2", "checkpoint-3"]
    file = folder / "checkpoint-3" / torn
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    capsys.readouterr()
    assert main([*given, "--resume"]) == 0
    said = capsys.readouterr().err
    assert f"checkpoint-3 is passed over: {SPOILED[torn]}" in said
    assert latest_whole(folder) == folder / "checkpoint-3", "it was made again"
    assert "\nstep 3," in said
    assert "step 2," not in said, "it went on from the one before"
    assert "checkpoint of step 3" in said
    assert [one["step"] for one in steps(out)] == [1, 2, 3, 3], "the last tells how long it took"

    for one in checkpoints(folder):
        (one / torn).unlink()
    assert main([*given, "--resume"]) == 0
    said = capsys.readouterr().err
    assert "There is no whole checkpoint in" in said
    assert "step 1," in said
    assert [said.count(f"checkpoint of step {step}:") for step in (1, 2, 3)] == [1, 1, 1], "those of before are others"
    assert [one["step"] for one in steps(out)] == [1, 2, 3, 3], "nothing is there of the run before"
    assert [one.name for one in checkpoints(folder)] == ["checkpoint-2", "checkpoint-3"], "those of this run"
    assert latest_whole(folder) == folder / "checkpoint-3"


@pytest.mark.parametrize(
    ("changed", "said"), [({"feedforward": 64}, "it has weights of the shape"), ({"layers": 3}, "it has no weights")]
)
def test_a_checkpoint_of_another_model(
    policy: Path, tmp_path: Path, changed: dict[str, int], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of larger layers, and of fewer: all that there is of these fits."""
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW))
    save_policy(tmp_path / "other", **changed)
    how = recipe(tmp_path, sft={"most_steps": 1})
    given = ("sft", "--recipe", how, "--data", data, "--out", tmp_path / "out", "--policy")
    assert main([*map(str, (*given, policy))]) == 0
    capsys.readouterr()
    status, complained = fails(capsys, *given, tmp_path / "other", "--resume")
    assert (status, "is of another model: of model.layers." in complained) == (2, True), complained
    assert said in complained


def test_a_run_that_was_killed_leaves_how_far_it_came(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out = rows_of_lengths(tmp_path / "rows.jsonl", 1), tmp_path / "out"
    how = recipe(tmp_path, sft={"most_steps": 10_000, "batch": 1})
    given = ["sft", "--recipe", how, "--data", data, "--out", out]
    with subprocess.Popen(command(given), stderr=subprocess.PIPE, text=True, env=environment()) as running:
        assert running.stderr is not None
        next(line for line in running.stderr if line.startswith("step 10,"))
        running.kill()
    left = json.loads((out / "running.json").read_text())
    assert left["process"] == running.pid and left["step"] >= 10 and left["memory_gb"] > 0
    assert not (out / "failure.json").exists()
    status, said = fails(capsys, *given[:2], recipe(tmp_path, sft={"most_steps": 1}), *given[3:])
    assert (status, "The run before was killed here" in said) == (0, True), said
    assert not (out / "running.json").exists(), "this one ended by itself"


def test_a_run_that_is_told_to_stop_while_it_plays_is_saved_and_goes_on(
    shop: Shop, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And told again while its outcome is written, as a launcher does it: that is finished too."""
    generate, done = sampling.generate, Reporter.done

    def told(*given: Any, **more: Any) -> Any:
        os.kill(os.getpid(), signal.SIGTERM)
        return generate(*given, **more)

    def told_again(*given: Any, **more: Any) -> None:
        signal.raise_signal(signal.SIGTERM)
        done(*given, **more)

    out = tmp_path / "out"
    given = ["grpo", "--recipe", few_steps(tmp_path, patience=9), "--data", shop.rl, "--home", shop.home]
    command = [*map(str, [*given, "--policy", policy, "--out", out])]
    deadly = list[int]()
    before = signal.signal(signal.SIGTERM, lambda number, frame: deadly.append(number))
    try:
        with monkeypatch.context() as patched:
            patched.setattr(sampling, "generate", told)
            patched.setattr(Reporter, "done", told_again)
            assert main(command) == 143
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not deadly
    assert not json.loads((out / "result.json").read_text())["finished"]
    assert [one.name for one in checkpoints(out / "checkpoints")] == ["checkpoint-1"]
    assert main([*command, "--resume"]) == 0
    assert [step["step"] for step in steps(out) if "reward" in step] == [1, 2]
