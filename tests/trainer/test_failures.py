"""Runs that cannot be: each ends with a sentence and a status of its own."""

import errno
import json
import math
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import SafetensorError

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.pool import SessionPool
from envfactory_dagster.runtime.runtime import Runtime
from tests.trainer.shop import Shop, out_of_order, save_policy
from tests.trainer.training import command, environment, recipe, steps
from trainer import grpo, sampling
from trainer.__main__ import main
from trainer.checkpoints import checkpoints, latest_whole
from trainer.policies import load
from trainer.recipe import Policy
from trainer.reporting import Reporter
from trainer.sft import ExampleTrainer


def fails(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """In this process: the status, and what was said."""
    status = main([str(one) for one in arguments])
    return status, capsys.readouterr().err


ROW = {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"},
                    {"role": "assistant", "content": "a"}], "tools": []}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "no example"), ("{", "cannot be read"), ('{"text": "x"}', "no messages"), (None, "cannot be read"),
     ('{"messages": [{"content": "x"}]}', "has no role"), ('{"messages": "x"}', "has no role")],
)  # fmt: skip
def test_data_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, said: str) -> None:
    data = tmp_path / "rows.jsonl"
    if content is not None:
        data.write_text(content)
    status, complained = fails(capsys, "sft", "--recipe", recipe(tmp_path), "--data", data, "--out", tmp_path)
    assert (status, said in complained) == (2, True), complained


def test_a_row_without_tools_has_none(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps({"messages": ROW["messages"]}))
    how = recipe(tmp_path, sft={"most_steps": 1})
    assert main(["sft", "--recipe", str(how), "--data", str(data), "--out", str(tmp_path / "out")]) == 0


def test_rows_in_which_the_assistant_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW | {"messages": ROW["messages"][:-1]}))
    status, complained = fails(capsys, "sft", "--recipe", recipe(tmp_path), "--data", data, "--out", tmp_path)
    assert (status, "In no row has the assistant written anything" in complained) == (2, True), complained


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


def test_one_row_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW))
    given = ("sft", "--data", data, "--out", tmp_path, "--resume", "--recipe")
    status, said = fails(capsys, *given, recipe(tmp_path, sft={"epochs": 1}))
    assert status == 0, said
    assert "no whole checkpoint" not in said, "nothing was begun, so that nothing is lost"


def test_rows_that_are_all_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(
        json.dumps(ROW | {"messages": [*ROW["messages"][:-1], {"role": "assistant", "content": "x " * 99}]})
    )
    short = recipe(tmp_path, sft={"longest": 16})
    status, complained = fails(capsys, "sft", "--recipe", short, "--data", data, "--out", tmp_path)
    assert (status, "more than 16 tokens" in complained) == (2, True), complained


def rows_of_lengths(path: Path, *words: int) -> Path:
    rows = [ROW | {"messages": [*ROW["messages"][:-1], {"role": "assistant", "content": "x " * n}]} for n in words]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_how_many_examples_are_left_is_told_and_too_few_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = rows_of_lengths(tmp_path / "rows.jsonl", 1, 99, 99)
    given = ("--data", data, "--out", tmp_path / "out")
    few = recipe(tmp_path, sft={"longest": 60, "most_steps": 2})
    status, said = fails(capsys, "sft", "--recipe", few, *given)
    assert (status, "Too little is left to learn from (`sft.least_kept`). 1 of 3" in said) == (2, True), said
    enough = recipe(tmp_path, sft={"longest": 60, "most_steps": 2, "least_kept": 0.3})
    status, said = fails(capsys, "sft", "--recipe", enough, *given)
    assert status == 0, said
    assert "1 of 3 messages are kept. 2 dropped: more than 60 tokens (`sft.longest`)." in said
    assert "The first step took" in said and "tokens a second: at this speed the other 1 take about 1 min." in said
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert (result["examples"], result["dropped"]) == (1, 2)


def test_a_row_that_the_template_cannot_render_is_dropped_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = rows_of_lengths(tmp_path / "rows.jsonl", 1, 1, 1)
    torn = ROW | {"messages": [*ROW["messages"][:-1], {"role": "assistant", "content": {"no": "text"}}]}
    data.write_text(data.read_text() + json.dumps(torn) + "\n")
    how = recipe(tmp_path, sft={"most_steps": 1})
    status, said = fails(capsys, "sft", "--recipe", how, "--data", data, "--out", tmp_path / "out")
    assert (status, "3 of 4 messages are kept. 1 dropped: The chat template does not render" in said) == (0, True), said


def test_the_loss_on_what_is_held_out_is_told(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text("".join(json.dumps(ROW | {"trace": {"task": f"t{n}"}}) + "\n" for n in range(20)))
    how = recipe(tmp_path, sft={"most_steps": 2, "held_out": 0.3, "evaluate_every": 1})
    assert main(["sft", "--recipe", str(how), "--data", str(data), "--out", str(tmp_path / "out")]) == 0
    told = json.loads((tmp_path / "out" / "result.json").read_text())
    assert 0 < told["held_out"] < 20 == told["held_out"] + told["examples"]
    assert [one["step"] for one in steps(tmp_path / "out") if "eval_loss" in one] == [1, 2]


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


def test_tasks_of_another_home(shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--data", shop.rl, "--home", tmp_path, "--policy", tmp_path, "--out", tmp_path)
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "has no release" in complained) == (2, True), complained


def few_steps(folder: Path, **changed: Any) -> Path:
    """The shop's recipe, saved after every step."""
    path = recipe(
        folder, sft={"epochs": 4, "batch": 8}, grpo={"group": 4, "patience": 1, "most_new_tokens": 8, **changed}
    )
    path.write_text(path.read_text().replace("save_every: 20", "save_every: 1"))
    return path


def test_a_folder_that_no_run_can_be_kept_in(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "out"):
        status, complained = fails(capsys, "sft", "--recipe", recipe(tmp_path), "--data", shop.sft, "--out", out)
        assert (status, "choose another --out" in complained) == (2, True), complained


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


def test_batches_of_a_step_count_like_one(tmp_path: Path) -> None:
    """Of equal examples, so that any two batches have the same loss and gradient."""
    data = tmp_path / "rows.jsonl"
    data.write_text((json.dumps(ROW) + "\n") * 8)
    found = []
    for batches in (1, 4):
        how = recipe(tmp_path, sft={"most_steps": 1, "batch": 2, "accumulate": batches})
        how.write_text(how.read_text() + "log_every: 1\n")
        out = tmp_path / str(batches)
        assert main(["sft", "--recipe", str(how), "--data", str(data), "--out", str(out)]) == 0
        [first, *_] = [json.loads(line) for line in (out / "progress.jsonl").read_text().splitlines()]
        found.append((first["grad_norm"], first["loss"]))
    assert found[0] == pytest.approx(found[1], rel=1e-3)


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
