"""What a run needs, told before it is started: the recipes that are shipped, and the machine a process is alone on."""

import json
import re
from pathlib import Path

import pytest
import torch

from tests.trainer.shop import save_policy
from trainer.__main__ import main
from trainer.estimates import estimate_grpo, estimate_sft
from trainer.failures import RecipeError
from trainer.policies import load
from trainer.processes import check_devices
from trainer.recipe import Policy, Recipe
from trainer.shapes import shape_of

RECIPES = Path(__file__).parents[2] / "trainer" / "recipes"
SHIPPED = sorted(RECIPES.glob("*.yaml"))
MACHINES = {"one": 1, "four": 4, "eight": 8}


def test_recipes_are_shipped() -> None:
    assert SHIPPED, "else the tests of each of them would be none"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_recipes_are_recipes_and_tell_what_they_need(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Recipe.read(path).name == path.stem
    assert main(["grpo", "--recipe", str(path), "--dry-run", "--machines", "8"]) == 0
    assert "memory_gb" in capsys.readouterr().out


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_recipes_need_what_their_comments_say(path: Path) -> None:
    recipe, text = Recipe.read(path), path.read_text()
    if on_cpu := re.search(r"on a CPU with (\d+) GB", text.splitlines()[0]):
        of_size = recipe.model_copy(update={"policy": recipe.policy.model_copy(update={"parameters": 0.135})})
        assert estimate_grpo(of_size, 0).memory_gb < int(on_cpu[1])
        assert estimate_sft(of_size, 10_000, 0).memory_gb < int(on_cpu[1])
        return
    claim = re.search(r"on (\w+) GPUs? of (\d+) GB", text.splitlines()[0])
    assert claim is not None
    machines, room = MACHINES[claim[1]], int(claim[2])
    if told := re.search(r"times (\w+) GPUs?: about (\d+)", text):
        assert MACHINES[told[1]] == machines
        assert int(told[2]) == recipe.sft.batch * recipe.sft.accumulate * machines
        assert estimate_sft(recipe, 10_000, machines).memory_gb < room
    machines //= 1 if recipe.grpo.server is None else 2  # the other half writes
    assert estimate_grpo(recipe, machines).memory_gb < room
    grpo, told = recipe.grpo, re.search(r"([\d,]+) episodes a batch", text)
    assert told is not None and int(told[1].replace(",", "")) == grpo.tasks * grpo.group * machines
    told = re.search(r"mini-batches of (\d+) tasks", text)
    assert (told is not None) == (grpo.updates > 1)
    assert told is None or int(told[1]) == grpo.tasks * machines / grpo.updates
    told = re.search(r"steps: \d+ +# (\d+) batches", text)
    assert told is None or int(told[1]) == grpo.steps / grpo.updates
    assert recipe.policy.lora is not None or recipe.precision != "bfloat16", "small steps would be rounded away"


def test_estimates_of_several_processes_are_of_work_side_by_side() -> None:
    recipe = Recipe.read(RECIPES / "envfactory.yaml")
    one, eight = estimate_grpo(recipe, 1), estimate_grpo(recipe, 8)
    assert one.seconds_a_step == eight.seconds_a_step > 0, "each process has a batch of its own"
    one, eight = estimate_sft(recipe, 100_000, 1), estimate_sft(recipe, 100_000, 8)
    assert one.seconds_a_step == eight.seconds_a_step > 0
    assert one.hours == pytest.approx(8 * eight.hours, rel=0.01), "all of them together go through the examples"


def test_estimates_tell_what_all_weights_need() -> None:
    """Their own, gradients, two moments, and the policy as it began: twenty bytes a parameter, 22 with `mixed`."""
    small = {"grpo": {"longest": 16, "kl": 0.1, "in_flight": 1}, "policy": {"base": "somewhere", "parameters": 10}}
    for precision, size in (("float32", 200), ("mixed", 220), ("bfloat16", 100)):
        recipe = Recipe.model_validate({"name": "x", "precision": precision} | small)
        assert estimate_grpo(recipe).memory_gb == pytest.approx(size, rel=0.01)


def test_the_size_of_a_model_that_lies_here_is_read_and_not_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = save_policy(tmp_path / "base", layers=3, hidden=96)
    found = shape_of(Policy(base=str(base), parameters=70))
    assert found.parameters == load(Policy(base=str(base))).parameters
    assert (found.layers, found.width, found.keys_and_values, found.is_known) == (3, 96, 2 * 48, True)
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(f"name: mine\npolicy: {{base: {base}}}\nprecision: float32\n")
    for command in ("sft", "grpo"):
        assert main([command, "--recipe", str(recipe), "--dry-run"]) == 0
        assert f"parameters: {found.parameters:,}\nread_from_its_files: True" in capsys.readouterr().out
    adapter = tmp_path / "adapter"
    adapter.mkdir()
    (adapter / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": str(base)}))
    assert shape_of(Policy(base=str(adapter))) == found


def test_without_a_gpu_the_estimate_is_of_this_cpu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text("name: mine\npolicy: {base: somewhere, parameters: 0.1}\n")
    assert main(["sft", "--recipe", str(recipe), "--dry-run"]) == 0
    assert "this CPU" in capsys.readouterr().out or torch.cuda.is_available()
    assert main(["sft", "--recipe", str(recipe), "--dry-run", "--machines", "2"]) == 0
    assert "machine: 2 GPUs" in capsys.readouterr().out
    mine = Recipe.read(recipe)
    assert estimate_sft(mine, 100, 0).memory_gb > estimate_sft(mine, 100, 1).memory_gb, "nothing is checkpointed there"
    assert estimate_grpo(mine, 0).hours > 10 * estimate_grpo(mine, 1).hours


def test_what_an_estimate_does_not_know_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text("name: mine\npolicy: {base: somewhere}\n")
    for command in ("sft", "grpo"):
        assert main([command, "--recipe", str(recipe), "--dry-run"]) == 2
        assert "say it in `policy.parameters`" in capsys.readouterr().err
    recipe.write_text("name: mine\npolicy: {base: somewhere, parameters: 1.7}\n")
    assert main(["sft", "--recipe", str(recipe), "--dry-run"]) == 0
    assert "The hours are an estimate for 10,000 examples" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["sft", "--recipe", str(recipe), "--dry-run", "--machines", "0"])
    assert "there is at least one" in capsys.readouterr().err


def test_a_process_that_is_alone_does_not_split_batches_among_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    check_devices(0)
    check_devices(1)
    with pytest.raises(RecipeError, match=r"accelerate launch --multi_gpu --num_processes 8 .* CUDA_VISIBLE_DEVICES=0"):
        check_devices(8)
    monkeypatch.setenv("LOCAL_RANK", "3")
    check_devices(8)


@pytest.mark.parametrize("server", [True, False])
def test_the_memory_of_a_server_is_not_in_the_estimate(
    tmp_path: Path, server: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = tmp_path / "recipe.yaml"
    grpo = "{server: http://localhost:8000}" if server else "{}"
    recipe.write_text(f"name: large\npolicy: {{base: somewhere, parameters: 4}}\ngrpo: {grpo}\n")
    assert main(["grpo", "--recipe", str(recipe), "--dry-run"]) == 0
    assert ("without that of the vLLM server" in capsys.readouterr().out) == server
