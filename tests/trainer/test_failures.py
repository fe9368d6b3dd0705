"""Runs that cannot be: each ends with a sentence and a status of its own."""

import json
import math
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.trainer.shop import Shop, out_of_order
from tests.trainer.test_training import RECIPE, recipe
from trainer.__main__ import main
from trainer.checkpoints import checkpoints, latest_whole
from trainer.corpus import conversations
from trainer.estimates import estimate_grpo, estimate_sft
from trainer.examples import read_rows
from trainer.failures import RecipeError
from trainer.policies import LoadedPolicy, begin, load
from trainer.processes import check_devices
from trainer.recipe import Policy, Recipe
from trainer.sft import WeighingTrainer


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


def test_rows_in_which_the_assistant_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW | {"messages": ROW["messages"][:-1]}))
    for samples in ("steps", "trajectories"):
        how = recipe(tmp_path, sft={"samples": samples})
        status, complained = fails(capsys, "sft", "--recipe", how, "--data", data, "--out", tmp_path)
        assert (status, "In no row has the assistant written anything" in complained) == (2, True), complained


def test_a_run_that_went_on_with_a_policy_is_not_resumed_as_if_from_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW))
    given = ("sft", "--recipe", recipe(tmp_path, sft={"most_steps": 1}), "--data", data, "--out")
    assert main([*map(str, given), str(tmp_path / "first")]) == 0
    policy = tmp_path / "first" / "policy"
    assert main([*map(str, given), str(tmp_path / "second"), "--policy", str(policy)]) == 0
    capsys.readouterr()
    status, complained = fails(capsys, *given, tmp_path / "second", "--resume")
    assert (status, "resume it with the same --policy" in complained) == (2, True), complained
    status, complained = fails(capsys, *given, tmp_path / "first", "--policy", policy, "--resume")
    assert (status, "resume it with its recipe and without --policy" in complained) == (2, True), complained


def test_a_run_that_begins_anew_is_not_taken_for_the_one_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "rows.jsonl", tmp_path / "out"
    data.write_text(json.dumps(ROW))
    long, short = ((tmp_path / name) for name in ("long", "short"))
    for folder, steps in ((long, 3), (short, 1)):
        folder.mkdir()
        recipe(folder, sft={"most_steps": steps})
    given = ["sft", "--data", str(data), "--out", str(out), "--recipe"]
    assert main([*given, str(long / "recipe.yaml")]) == 0
    shutil.copytree(out / "policy", tmp_path / "policy")
    again = [*given, str(short / "recipe.yaml"), "--policy", str(tmp_path / "policy")]
    capsys.readouterr()
    assert main(again) == 0
    assert "The run begins anew; what an earlier one left here is now in" in capsys.readouterr().err
    assert [one.name for one in checkpoints(out / "checkpoints")] == ["checkpoint-1"]
    assert (out / "checkpoints.old" / "checkpoint-3").is_dir()
    assert main([*again, "--resume"]) == 0, "what the first run began with is not in the way"
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

    for one in checkpoints(folder):
        (one / torn).unlink()
    assert main([*given, "--resume"]) == 0
    said = capsys.readouterr().err
    assert "There is no whole checkpoint in" in said
    assert "step 1," in said
    assert [one.name for one in checkpoints(folder)] == ["checkpoint-2", "checkpoint-3"], "those of this run"
    assert latest_whole(folder) == folder / "checkpoint-3"


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
        ({"grpo": {"updates": 3}}, "equal `updates`"),
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


@pytest.fixture(scope="module")
def untaught(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> LoadedPolicy:
    return begin(Recipe.model_validate(RECIPE), conversations(read_rows(shop.sft)))


@pytest.fixture
def policy(untaught: LoadedPolicy, tmp_path: Path) -> Path:
    """A policy that knows nothing, in a folder of its own, to be spoiled."""
    untaught.save(tmp_path / "policy")
    return tmp_path / "policy"


def few_steps(folder: Path, **changed: Any) -> Path:
    """The shop's recipe, saved after every step."""
    path = recipe(folder, sft={"epochs": 4}, grpo={"group": 4, "patience": 1, "most_new_tokens": 8, **changed})
    path.write_text(path.read_text().replace("save_every: 20", "save_every: 1"))
    return path


def test_weights_of_another_architecture(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = json.loads((policy / "config.json").read_text())
    (policy / "config.json").write_text(
        json.dumps(config | {"model_type": "llama", "architectures": ["LlamaForCausalLM"]})
    )
    given = ("--data", shop.rl, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "of another architecture" in complained) == (2, True), complained


def test_a_tokenizer_that_does_not_show_tools(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (policy / "chat_template.jinja").write_text("{% for message in messages %}{{ message.content }}{% endfor %}")
    given = ("--data", shop.rl, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "does not show tools" in complained) == (2, True), complained


def test_a_checkpoint_of_another_model(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = RECIPE["policy"]["scratch"] | {"feedforward": 64}
    begin(Recipe.model_validate(RECIPE | {"policy": {"scratch": small}}), conversations(read_rows(shop.sft))).save(
        tmp_path / "small"
    )
    given = ("--data", shop.rl, "--home", shop.home, "--out", tmp_path / "out", "--policy")
    assert (
        main([*map(str, ("grpo", "--recipe", few_steps(tmp_path, steps=1, patience=2), *given, tmp_path / "small"))])
        == 0
    )
    capsys.readouterr()
    given = (*given, policy, "--resume")
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "is of another model" in complained) == (2, True), complained


def test_rewards_that_are_all_equal(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a batch from which something could be learned, as far as anybody knows."""
    given = ("--data", shop.rl, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", few_steps(tmp_path, patience=2), *given)
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
    given = ("--data", data, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, stage, "--recipe", few_steps(tmp_path), *given)
    assert (status, "There is no checkpoint from before" in complained) == (4, True), complained


def test_a_loss_that_is_no_number_names_the_checkpoint_from_before(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loss = WeighingTrainer.compute_loss

    def broken(self: WeighingTrainer, *given: Any, **more: Any) -> Any:
        return loss(self, *given, **more) * (math.nan if self.state.global_step == 2 else 1.0)

    monkeypatch.setattr(WeighingTrainer, "compute_loss", broken)
    given = ("--data", shop.sft, "--out", tmp_path / "out")
    status, complained = fails(capsys, "sft", "--recipe", few_steps(tmp_path), *given)
    assert (status, "checkpoint-2 is from before: resume from it" in complained) == (4, True), complained


def test_batches_of_a_step_count_like_one(tmp_path: Path) -> None:
    """Of equal examples, so that any two batches have the same loss and gradient."""
    data = tmp_path / "rows.jsonl"
    data.write_text((json.dumps(ROW) + "\n") * 8)
    found = []
    for batches in (1, 4):
        how = recipe(tmp_path, sft={"most_steps": 1, "batch": 2, "accumulate": batches, "prompt_weight": 0.3})
        how.write_text(how.read_text() + "log_every: 1\n")
        out = tmp_path / str(batches)
        assert main(["sft", "--recipe", str(how), "--data", str(data), "--out", str(out)]) == 0
        [first, *_] = [json.loads(line) for line in (out / "progress.jsonl").read_text().splitlines()]
        found.append((first["grad_norm"], first["loss"]))
    assert found[0] == pytest.approx(found[1], rel=1e-3)


def test_a_process_that_is_alone_does_not_split_batches_among_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    check_devices(0)
    check_devices(1)
    with pytest.raises(RecipeError, match=r"accelerate launch --multi_gpu --num_processes 8 .* CUDA_VISIBLE_DEVICES=0"):
        check_devices(8)
    monkeypatch.setenv("LOCAL_RANK", "3")
    check_devices(8)


def test_environments_that_are_all_broken(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, data = out_of_order(shop, tmp_path)
    given = ("--data", data, "--home", home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", few_steps(tmp_path), *given)
    assert (status, "No environment of this batch answers" in complained) == (6, True), complained
    assert json.loads((tmp_path / "out" / "failure.json").read_text())["status"] == 6


def test_memory_that_does_not_suffice(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the second step the machine is asked for more than any has."""
    loss = WeighingTrainer.compute_loss

    def hungry(self: WeighingTrainer, *given: Any, **more: Any) -> Any:
        if self.state.global_step == 1:
            torch.empty(10**15)
        return loss(self, *given, **more)

    given = ("sft", "--recipe", few_steps(tmp_path), "--data", shop.sft, "--out", tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr(WeighingTrainer, "compute_loss", hungry)
        status, complained = fails(capsys, *given)
    assert (status, "no memory left" in complained) == (5, True), complained
    assert main([*map(str, given), "--resume"]) == 0, "with more memory it goes on"
    steps = [json.loads(line)["step"] for line in (tmp_path / "out" / "progress.jsonl").read_text().splitlines()]
    assert steps[-1] == 4


def test_a_defect_is_not_told_as_a_lack_of_memory(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*given: Any, **more: Any) -> Any:
        return endless(*given, **more)

    monkeypatch.setattr(WeighingTrainer, "compute_loss", endless)
    given = ("sft", "--recipe", few_steps(tmp_path), "--data", shop.sft, "--out", tmp_path / "out")
    with pytest.raises(RecursionError):
        main([*map(str, given)])


@pytest.mark.parametrize("path", sorted(Path("trainer/recipes").glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_recipes_are_recipes_and_tell_what_they_need(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Recipe.read(path).name == path.stem
    assert main(["grpo", "--recipe", str(path), "--dry-run", "--machines", "8"]) == 0
    assert "memory_gb" in capsys.readouterr().out


MACHINES = {"two": 2, "eight": 8}
OF_GPUS = sorted(Path("trainer/recipes").glob("qwen*.yaml"))


@pytest.mark.parametrize("path", OF_GPUS, ids=lambda path: path.stem)
def test_shipped_recipes_need_what_their_comments_say(path: Path) -> None:
    recipe, text = Recipe.read(path), path.read_text()
    claim = re.search(r"on (\w+) GPUs of (\d+) GB", text.splitlines()[0])
    assert claim is not None
    machines, room = MACHINES[claim[1]], int(claim[2])
    assert estimate_grpo(recipe, machines).memory_gb < room
    assert estimate_sft(recipe, 10_000, machines).memory_gb < room
    grpo, told = recipe.grpo, re.search(r"([\d,]+) episodes a batch", text)
    assert told is not None and int(told[1].replace(",", "")) == grpo.tasks * grpo.group * machines
    told = re.search(r"mini-batches of (\d+) tasks", text)
    assert told is not None and int(told[1]) == grpo.tasks * machines / grpo.updates
    told = re.search(r"times (\w+) GPUs: about (\d+)", text)
    assert told is not None and MACHINES[told[1]] == machines
    assert int(told[2]) == recipe.sft.batch * recipe.sft.accumulate * machines
    told = re.search(r"steps: \d+ +# (\d+) batches", text)
    assert told is not None and int(told[1]) == grpo.steps / grpo.updates
    assert recipe.policy.lora is not None or recipe.precision != "bfloat16", "small steps would be rounded away"


def test_estimates_of_several_processes_are_of_work_side_by_side() -> None:
    recipe = Recipe.read(Path("trainer/recipes/qwen3-4b.yaml"))
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
