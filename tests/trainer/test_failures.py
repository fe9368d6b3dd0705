"""Runs that cannot be: each ends with a sentence and a status of its own."""

import errno
import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import SafetensorError

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.pool import SessionPool
from envfactory_dagster.runtime.runtime import Runtime
from tests.trainer.shop import Shop, out_of_order
from tests.trainer.training import ROW, fails, few_steps, recipe, rows_of_lengths, steps
from trainer import grpo, sampling
from trainer.__main__ import main
from trainer.policies import load
from trainer.recipe import Policy
from trainer.sft import ExampleTrainer

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sft": {"batch": 0}}, "sft.batch"),
        ({"sft": {"invented": 1}}, "sft.invented"),
        ({"policy": {"base": None}}, "policy.base"),
        ({"grpo": {"updates": 3}}, "equal `updates`"),
    ],
)
def test_recipes_that_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: dict[str, Any], said: str
) -> None:
    status, complained = fails(capsys, "sft", "--recipe", recipe(tmp_path, **changed), "--dry-run")
    assert (status, said in complained) == (2, True), complained


def test_figures_are_sent_only_where_something_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = rows_of_lengths(tmp_path / "rows.jsonl", 1)
    how = recipe(tmp_path)
    how.write_text(how.read_text() + "report_to: [invented]\n")
    status, said = fails(capsys, "sft", "--recipe", how, "--data", data, "--out", tmp_path / "out")
    assert (status, "`report_to` names invented" in said) == (2, True), said


@pytest.mark.parametrize(("precision", "words"), [("mixed", "computes in float32"), ("bfloat16", "slow on a CPU")])
def test_what_a_precision_means_on_a_cpu_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], precision: str, words: str
) -> None:
    data = rows_of_lengths(tmp_path / "rows.jsonl", 1)
    how = recipe(tmp_path, sft={"most_steps": 1})
    how.write_text(how.read_text().replace("precision: float32", f"precision: {precision}"))
    status, said = fails(capsys, "sft", "--recipe", how, "--data", data, "--out", tmp_path / "out")
    assert (status, words in said or torch.cuda.is_available()) == (0, True), said


def test_tasks_of_another_home(shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--data", shop.rl, "--home", tmp_path, "--policy", tmp_path, "--out", tmp_path)
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "has no release" in complained) == (2, True), complained


def test_a_folder_that_no_run_can_be_kept_in(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "out"):
        status, complained = fails(capsys, "sft", "--recipe", recipe(tmp_path), "--data", shop.sft, "--out", out)
        assert (status, "choose another --out" in complained) == (2, True), complained


def test_rewards_that_are_all_equal(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a batch from which something could be learned, as far as anybody knows."""
    given = ("--data", shop.rl, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", few_steps(tmp_path, patience=2, temperature=0.01), *given)
    assert (status, "every group earned the same" in complained) == (3, True), complained
    assert (tmp_path / "out" / "checkpoints" / "checkpoint-1").is_dir()
    again = recipe(tmp_path, grpo={"group": 4, "steps": 2, "most_new_tokens": 8, "patience": 9})
    assert main(["grpo", "--recipe", str(again), *map(str, given), "--resume"]) == 0, "what was saved is gone on with"


# -- weights that are no numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["sft", "grpo"])
def test_weights_that_are_no_numbers(
    shop: Shop, policy: Path, tmp_path: Path, stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoiled = load(Policy(base=str(policy)))
    next(spoiled.model.parameters()).data.fill_(math.nan)
    spoiled.save(policy)
    data = shop.sft if stage == "sft" else shop.rl
    given = ("--data", data, "--policy", policy, "--out", tmp_path / "out")
    given += ("--home", shop.home) if stage == "grpo" else ()
    status, complained = fails(capsys, stage, "--recipe", few_steps(tmp_path), *given)
    assert (status, "There is no checkpoint from before" in complained) == (4, True), complained


def test_a_loss_that_is_no_number_names_the_checkpoint_from_before(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loss = ExampleTrainer.compute_loss

    def broken(self: ExampleTrainer, *given: Any, **more: Any) -> Any:
        return loss(self, *given, **more) * (math.nan if self.state.global_step == 2 else 1.0)

    how, out = few_steps(tmp_path), tmp_path / "out"
    how.write_text(how.read_text() + "log_every: 1\n")
    given = ("sft", "--recipe", how, "--data", shop.sft, "--out", out)
    with monkeypatch.context() as patched:
        patched.setattr(ExampleTrainer, "compute_loss", broken)
        status, complained = fails(capsys, *given)
    assert (status, "checkpoint-2 is from before: resume from it" in complained) == (4, True), complained

    how.write_text(how.read_text().replace("learning_rate: 0.01", "learning_rate: 0.001"))
    assert main([*map(str, given), "--resume"]) == 0
    rates = {step["step"]: step["learning_rate"] for step in steps(out) if "learning_rate" in step}
    assert rates == pytest.approx({1: 0.0, 2: 1e-2, 3: 0.75e-3, 4: 0.25e-3}), "the smaller one is taken"


def test_weights_that_were_spoiled_between_two_reports_are_not_saved(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loss is a number and its gradient is none, at a step that tells no norm."""
    compute = ExampleTrainer.compute_loss

    def steep(self: ExampleTrainer, *given: Any, **more: Any) -> Any:
        loss = compute(self, *given, **more)
        zero = next(self.model.parameters()).flatten()[0] * 0.0
        return loss + zero.abs().sqrt() if self.state.global_step == 2 else loss  # the slope of the root at 0

    monkeypatch.setattr(ExampleTrainer, "compute_loss", steep)
    how, out = few_steps(tmp_path), tmp_path / "out"
    status, complained = fails(capsys, "sft", "--recipe", how, "--data", shop.sft, "--out", out)
    assert (status, "At step 3 weights are no numbers" in complained) == (4, True), complained
    assert "checkpoint-2 is from before" in complained
    assert not (out / "checkpoints" / "checkpoint-3").exists()


# -- environments, memory and disks ------------------------------------------------------------------------------------


def test_environments_that_are_all_broken(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, data = out_of_order(shop, tmp_path)
    given = ("--data", data, "--home", home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", few_steps(tmp_path), *given)
    assert (status, "Not one episode could be played to its end" in complained) == (6, True), complained
    assert json.loads((tmp_path / "out" / "failure.json").read_text())["status"] == 6


def test_environments_that_break_in_the_middle_of_a_run(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the second batch on none opens."""
    play, batches = grpo.play, list[object]()

    async def none(*given: Any, **more: Any) -> Any:
        raise EnvironmentFault("It does not start.")

    given = ("grpo", "--recipe", few_steps(tmp_path, patience=9), "--data", shop.rl, "--home", shop.home)
    given += ("--policy", policy, "--out", tmp_path / "out")
    with monkeypatch.context() as patched:

        async def once(*given: Any, **more: Any) -> Any:
            if batches:
                patched.setattr(SessionPool, "take", none)
                patched.setattr(Runtime, "open", none)
            batches.append(given)
            return await play(*given, **more)

        patched.setattr(grpo, "play", once)
        status, complained = fails(capsys, *given)
    assert (status, "played to its end: It does not start." in complained) == (6, True), complained
    assert main([*map(str, given), "--resume"]) == 0, "it goes on when they are back"
    assert [step["step"] for step in steps(tmp_path / "out") if "reward" in step] == [1, 2]


def asks_for_too_much(*given: Any) -> None:
    torch.empty(10**15)


def finds_a_full_gpu(*given: Any) -> None:
    raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")


@pytest.mark.parametrize("writes", [asks_for_too_much, finds_a_full_gpu])
def test_memory_that_does_not_suffice_to_play(
    shop: Shop,
    policy: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    writes: Any,
) -> None:
    monkeypatch.setattr(sampling, "generate", writes)
    given = ("--data", shop.rl, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", few_steps(tmp_path), *given)
    assert (status, "no memory left" in complained) == (5, True), complained


def test_memory_that_does_not_suffice(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the second step the machine is asked for more than any has."""
    loss = ExampleTrainer.compute_loss

    def hungry(self: ExampleTrainer, *given: Any, **more: Any) -> Any:
        if self.state.global_step == 1:
            torch.empty(10**15)
        return loss(self, *given, **more)

    given = ("sft", "--recipe", few_steps(tmp_path), "--data", shop.sft, "--out", tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr(ExampleTrainer, "compute_loss", hungry)
        status, complained = fails(capsys, *given)
    assert (status, "no memory left" in complained) == (5, True), complained
    assert main([*map(str, given), "--resume"]) == 0, "with more memory it goes on"
    assert steps(tmp_path / "out")[-1]["step"] == 4


def test_a_defect_is_not_told_as_a_lack_of_memory(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*given: Any, **more: Any) -> Any:
        return endless(*given, **more)

    monkeypatch.setattr(ExampleTrainer, "compute_loss", endless)
    given = ("sft", "--recipe", few_steps(tmp_path), "--data", shop.sft, "--out", tmp_path / "out")
    with pytest.raises(RecursionError):
        main([*map(str, given)])


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)"),
        RuntimeError("[enforce fail at inline_container.cc:672] . unexpected pos 576 vs 534"),
    ],
    ids=["Python", "safetensors", "torch"],
)
def test_a_disk_that_is_full(
    tmp_path: Path, error: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As measured on a small disk: the end of the run is not a defect's, and the run goes on when there is room."""

    def full(*given: Any, **more: Any) -> None:
        raise error

    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW))
    how = recipe(tmp_path, sft={"most_steps": 1})
    given = ("sft", "--recipe", how, "--data", tmp_path / "rows.jsonl", "--out", tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr(ExampleTrainer, "_save_checkpoint", full)
        status, complained = fails(capsys, *given)
    assert (status, "There is no room left" in complained) == (6, True), complained
    assert main([*map(str, given), "--resume"]) == 0
