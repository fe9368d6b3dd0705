"""Both trainers end to end on a shop: real tokens, real environments, real rewards; and runs that end early."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from tests.trainer.shop import Shop, save_policy
from tests.trainer.training import command, environment, recipe, steps, trainer
from trainer import reporting, sft
from trainer.__main__ import main
from trainer.examples import read_rows
from trainer.failures import RecipeError
from trainer.policies import load
from trainer.preparing import prepare
from trainer.recipe import Recipe

pytestmark = pytest.mark.long


def test_examples_are_learned(taught: Path) -> None:
    losses = [step["loss"] for step in steps(taught) if "loss" in step]
    assert losses[-1] < losses[0] / 3
    result = json.loads((taught / "result.json").read_text())
    assert result["examples"] == 8
    assert 0 < result["tokens_learned"] < result["tokens"]


def of_many_words(shop: Shop) -> list[dict[str, Any]]:
    """The shop's rows with more and more tools beside its own."""
    rows = [json.loads(line) for line in shop.sft.read_text().splitlines()]
    for place, row in enumerate(rows):
        names = [f"get_{letter * 4}" for letter in "abcdefghijklmnopqrstuvwxyz"[: 4 * place]]
        row["tools"] += [{"type": "function", "function": {"name": name, "parameters": {}}} for name in names]
    return rows


def test_what_the_assistant_did_not_write_is_not_in_the_loss(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how, rows, trainers = Recipe.read(recipe(tmp_path)), read_rows(shop.sft), list[sft.ExampleTrainer]()
    policy = load(how.policy)
    monkeypatch.setattr(sft.ExampleTrainer, "train", lambda self, **given: trainers.append(self))
    sft.train(policy, how, prepare(policy, how, rows), tmp_path)
    [trainer] = trainers
    batch = next(iter(trainer.get_train_dataloader()))
    # What is written after a token is foretold at that token.
    foretold = torch.nn.functional.pad(batch["labels"][:, 1:] >= 0, (0, 1))
    assert foretold.any() and not foretold.all()

    def loss(changed: torch.Tensor) -> float:
        def change(module: Any, given: Any, output: Any) -> None:
            output.last_hidden_state[changed] = 1.0  # and with it the logits

        hook = policy.model.model.register_forward_hook(change)
        try:
            with torch.no_grad():
                return float(trainer.compute_loss(trainer.model, {**batch}))
        finally:
            hook.remove()

    nothing = torch.zeros_like(foretold)
    assert loss(~foretold) == loss(nothing) != loss(foretold)


def test_the_figures_of_grpo_are_told_and_drawn(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {"loss", "reward", "seconds/sessions", "rewards/checks", "rewards/outcome"}
    reward = {"weights": {"checks": 1.0, "outcome": 0.5}}
    how = recipe(tmp_path, grpo={"group": 4, "most_new_tokens": 8, "patience": 9, "reward": reward})
    save_policy(tmp_path / "policy")
    drawn, curves = list[str](), reporting.curves

    def noted(measured: Any, names: Sequence[str]) -> bytes:
        drawn.extend(names)
        return curves(measured, names)

    monkeypatch.setattr(reporting, "curves", noted)
    out = tmp_path / "out"
    given = ("--data", shop.rl, "--home", shop.home, "--policy", tmp_path / "policy", "--out", out)
    assert main([*map(str, ("grpo", "--recipe", how, *given))]) == 0
    assert all(wanted <= step.keys() for step in steps(out) if "reward" in step)
    assert wanted <= set(drawn)
    assert {f"last {name}" for name in wanted} <= json.loads((out / "result.json").read_text()).keys()


def test_groups_play_real_environments_and_the_policy_moves(shop: Shop, taught: Path, tmp_path: Path) -> None:
    given = ("--data", shop.rl, "--home", shop.home, "--policy", taught / "policy", "--out", tmp_path)
    ended = trainer("grpo", "--recipe", recipe(tmp_path), *given)
    assert ended.status == 0, ended.complained
    played = [step for step in steps(tmp_path) if "reward" in step]
    assert len(played) == 2
    assert all(step["reward_std"] > 0 and step["grad_norm"] > 0 for step in played)
    assert sum(step["tools/call_frequency"] for step in played) > 0
    assert all(step["environment_errors"] == 0 for step in played)
    assert len(list((tmp_path / "rollouts").glob("*/trajectories/tiny-shop/*/*.jsonl"))) >= 2, "every episode is kept"

    smaller = recipe(tmp_path, grpo={"steps": 3, "learning_rate": 3e-5, "schedule": "linear"})
    ended = trainer("grpo", "--recipe", smaller, *given, "--resume")
    assert ended.status == 0, ended.complained
    rates = {step["step"]: step["learning_rate"] for step in steps(tmp_path) if "reward" in step}
    assert rates == pytest.approx({1: 1e-4, 2: 1e-4, 3: 1e-5}), "it goes on where it was, as it is told now"


def test_the_easiest_are_played_first(shop: Shop, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in shop.rl.read_text().splitlines()]
    for place, row in enumerate(rows):
        row["trace"]["difficulty"]["level"] = 1 if place in (2, 5) else 3
    data = tmp_path / "rows.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    save_policy(tmp_path / "policy")
    of_two = {"tasks": 2, "group": 2, "micro_batch": 4, "steps": 2, "most_new_tokens": 4, "easiest_first": True}
    given = ("--data", data, "--home", shop.home, "--policy", tmp_path / "policy", "--out", tmp_path)
    assert main([*map(str, ("grpo", "--recipe", recipe(tmp_path, grpo=of_two), *given))]) == 0
    first, _ = sorted((tmp_path / "rollouts").iterdir())
    episodes = [line for path in first.glob("trajectories/*/*/*.jsonl") for line in path.read_text().splitlines()]
    played = {json.loads(line)["trajectory"]["task"] for line in episodes}
    assert played == {rows[place]["trace"]["task"] for place in (2, 5)}


def test_conversations_are_played_with_the_person(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in shop.rl.read_text().splitlines()]
    rows[0]["setting"] = "conversation"
    data = tmp_path / "rows.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    save_policy(tmp_path / "policy")
    once = {"tasks": 8, "group": 2, "micro_batch": 4, "steps": 1, "most_new_tokens": 4}
    given = ("--data", data, "--home", shop.home, "--policy", tmp_path / "policy", "--out", tmp_path)
    assert main([*map(str, ("grpo", "--recipe", recipe(tmp_path, grpo=once), *given))]) == 0
    assert "1 of 8 tasks are conversations, in which reference" in capsys.readouterr().err
    assert json.loads((tmp_path / "result.json").read_text())["conversations"] == 1
    episodes = [line for path in tmp_path.glob("rollouts/*/trajectories/*/*/*.jsonl") for line in path.open()]
    talks = [one for one in map(json.loads, episodes) if one["setting"] == "conversation"]
    assert {one["trajectory"]["task"] for one in talks} == {rows[0]["trace"]["task"]} and len(talks) == 2


def test_an_adapter_learns_in_both_ways_and_is_evaluated(
    shop: Shop, taught: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_adapters = {"kl": 0.01, "importance": "sequence", "updates": 2}
    how = recipe(tmp_path, sft={"epochs": 2}, grpo={"most_new_tokens": 48, "group": 4} | of_adapters)
    whole = yaml.safe_load(how.read_text())
    how.write_text(yaml.safe_dump(whole | {"policy": {"base": str(taught / "policy"), "lora": {"rank": 4}}}))
    out = tmp_path / "out"
    assert main(["sft", "--recipe", str(how), "--data", str(shop.sft), "--out", str(out)]) == 0
    assert (out / "policy" / "adapter_model.safetensors").is_file()
    of_rank_8 = tmp_path / "rank_8.yaml"
    of_rank_8.write_text(how.read_text().replace("rank: 4", "rank: 8"))
    again = ["sft", "--recipe", str(of_rank_8), "--data", str(shop.sft), "--out", str(out)]
    assert main([*again, "--resume"]) == 2
    assert "is of another model" in capsys.readouterr().err
    assert main([*again, "--policy", str(out / "policy")]) == 2
    assert "an adapter is gone on with as it is" in capsys.readouterr().err
    given = ["--recipe", how, "--data", shop.rl, "--home", shop.home, "--policy"]
    played = tmp_path / "played"
    assert main([*map(str, ["grpo", *given, out / "policy", "--out", played])]) == 0
    assert next(step["kl"] for step in steps(played) if "kl" in step) == pytest.approx(0, abs=1e-6)
    assert main([*map(str, ["grpo", *given, out / "policy", "--out", played, "--resume"])]) == 0
    given += [played / "policy", "--split", "rl", "--k", 1, "--out", tmp_path / "evaluated"]
    assert main([*map(str, ["evaluate", *given])]) == 0


def test_packed_samples_do_not_see_each_other(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"epochs": 2, "packing": True, "batch": 1, "longest": 2_000}
    how, trainers = Recipe.read(recipe(tmp_path, sft=given)), list[Any]()
    policy = load(how.policy, how.precision)
    made = prepare(policy, how, read_rows(shop.sft))
    with monkeypatch.context() as patched:
        patched.setattr(policy.model.config, "layer_types", ["conv", "full_attention"])
        with pytest.raises(RecipeError, match="convolutions would mix the samples"):
            sft.train(policy, how, made, tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(sft.ExampleTrainer, "train", lambda self, **given: trainers.append(self))
        sft.train(policy, how, made, tmp_path)
    [trainer] = trainers
    batches = [(one, (one["position_ids"][0] == 0).nonzero()[:, 0].tolist()) for one in trainer.get_train_dataloader()]
    batch, begins = max(batches, key=lambda one: len(one[1]))
    assert len(begins) > 1, "several samples are one"
    read = list[torch.Tensor]()
    policy.model.model.register_forward_hook(lambda module, given, output: read.append(output.last_hidden_state))
    with torch.no_grad():
        trainer.compute_loss(trainer.model, {**batch})
        for one, end in pairwise([*begins, batch["input_ids"].size(1)]):
            policy.model(batch["input_ids"][:, one:end])
    together, *alone = read
    torch.testing.assert_close(together, torch.cat(alone, 1), atol=1e-4, rtol=1e-4)


def test_processes_share_examples_of_any_length(shop: Shop, tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    rows = of_many_words(shop)
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    how = recipe(tmp_path, sft={"epochs": 3.5, "batch": 2, "longest": 2_000})
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    words = [*launch, *command(("sft", "--recipe", how, "--data", data, "--out", tmp_path / "out"))[1:]]
    done = subprocess.run(words, capture_output=True, text=True, timeout=170, env=environment())
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "policy" / "model.safetensors").is_file()


def test_a_run_that_is_told_to_stop_is_saved_and_goes_on(shop: Shop, tmp_path: Path) -> None:
    given = ("sft", "--recipe", recipe(tmp_path), "--data", shop.sft, "--out", tmp_path)
    with subprocess.Popen(command(given), stderr=subprocess.PIPE, text=True, env=environment()) as running:
        assert running.stderr is not None
        first = next(line for line in running.stderr if line.startswith("step "))
        running.send_signal(signal.SIGTERM)
        running.stderr.read()
        assert running.wait(120) == 143, first
    stopped = json.loads((tmp_path / "result.json").read_text())
    assert not stopped["finished"]
    before = steps(tmp_path)[-1]["step"]
    assert 0 < before < 60

    ended = trainer(*given, "--resume")
    assert ended.status == 0, ended.complained
    assert ended.result["finished"]
    numbers = [step["step"] for step in steps(tmp_path) if "loss" in step]
    assert numbers == sorted(numbers), "it goes on where it was, and does not begin again"
    assert numbers[-1] == 60


def test_processes_stop_together_when_one_of_them_is_told_to(shop: Shop, tmp_path: Path) -> None:
    given = ("sft", "--recipe", recipe(tmp_path), "--data", shop.sft, "--out", tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    together = environment() | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
    ranks = [together | {"RANK": str(rank), "LOCAL_RANK": str(rank)} for rank in range(2)]
    running = [subprocess.Popen(command(given), stderr=subprocess.PIPE, text=True, env=one) for one in ranks]
    try:
        assert running[0].stderr is not None
        assert next(line for line in running[0].stderr if line.startswith("step "))
        running[1].send_signal(signal.SIGTERM)
        complained = [one.communicate(timeout=120)[1] for one in running]
        assert [one.returncode for one in running] == [143, 143], complained
    finally:
        for one in running:
            one.kill()
    assert 0 < steps(tmp_path)[-1]["step"] < 60
    assert list((tmp_path / "checkpoints").iterdir())
