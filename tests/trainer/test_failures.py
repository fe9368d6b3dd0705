"""Runs that cannot be: each ends with a sentence and a status of its own."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.trainer.shop import Shop, out_of_order
from tests.trainer.test_training import RECIPE, recipe
from trainer.__main__ import main
from trainer.corpus import conversations
from trainer.examples import read_rows
from trainer.policies import LoadedPolicy, begin, load
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
    (tmp_path / "checkpoints" / "checkpoint-1").mkdir(parents=True)
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW))
    given = ("sft", "--recipe", recipe(tmp_path), "--data", data, "--out", tmp_path, "--resume")
    status, complained = fails(capsys, *given)
    assert (status, "resume it with the same --policy" in complained) == (2, True), complained


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
        tmp_path / "out" / "checkpoints" / "checkpoint-1"
    )
    given = ("--data", shop.rl, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out", "--resume")
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
    assert (status, "checkpoint" in complained) == (4, True), complained


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
