"""A step of GRPO by itself: what it plays, what it reads, and what it compares with. Nothing is really played here."""

from itertools import islice, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from trl import GRPOTrainer

from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.judging import Judge
from tests.support.small_model import save_small_model, small_tokenizer
from trainer import grpo
from trainer.batches import as_tensors
from trainer.failures import RecipeError
from trainer.figures import figures
from trainer.groups import Sample
from trainer.grpo import TurnTrainer, parts_of, rows_of
from trainer.playing import Played
from trainer.policies import LoadedPolicy, load
from trainer.recipe import Policy, Recipe, with_autocast
from trainer.sampling import Sampling, generate
from trainer.tasks import order_of_tasks

pytestmark = pytest.mark.long

_RECIPE: dict[str, Any] = {
    "name": "short",
    "policy": {"base": "base"},
    "grpo": {"tasks": 2, "group": 4, "micro_batch": 8, "steps": 1},
    "precision": "float32",
}
_TASK: Any = SimpleNamespace(task=SimpleNamespace(text="Say it."), setting="single")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_small_model(tmp_path_factory.mktemp("base"), small_tokenizer(), hidden=32, feedforward=64)


def on(base: Path, lora: bool, precision: str = "float32", **changed: Any) -> Recipe:
    """The recipe for a policy that has weights."""
    policy = {"base": str(base)} | ({"lora": {"rank": 4}} if lora else {})
    parts = {"policy": policy, "precision": precision, "grpo": {**_RECIPE["grpo"], **changed}}
    return Recipe.model_validate(_RECIPE | parts)


def steps(recipe: Recipe, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[TurnTrainer, list[dict[str, float]]]:
    """Trained on the same few samples in every batch; with what was logged of each step."""

    async def nothing(*given: Any, **more: Any) -> Played:
        return Played([], 1.0, 1.0, 1.0)

    made = [Sample([30, 31], [40 + n] * 6, [-5.8] * 6, [True] * 6, 1.0 if n % 2 else -1.0) for n in range(8)]
    monkeypatch.setattr(grpo, "play", nothing)
    monkeypatch.setattr(grpo, "samples", lambda *given, **more: made)
    policy = load(recipe.policy, recipe.precision)
    trainer = TurnTrainer(policy=policy, recipe=recipe, tasks=[_TASK], folder=folder, home=Home.resolve(folder))
    trainer.train()
    return trainer, [one for one in trainer.state.log_history if "grad_norm" in one]


def test_a_judge_is_there_where_the_reward_needs_one(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = list[Judge | None]()

    async def nothing(*_: Any, judge: Judge | None, **more: Any) -> Played:
        given.append(judge)
        return Played([], 1.0, 1.0, 1.0)

    monkeypatch.setattr(grpo, "play", nothing)
    made = [Sample([30, 31], [40 + n] * 6, [-5.8] * 6, [True] * 6, 1.0 if n % 2 else -1.0) for n in range(8)]
    monkeypatch.setattr(grpo, "samples", lambda *given, **more: made)
    for reward in ({"strategy": "code_augmented"}, "verdict"):
        recipe = on(base, False, reward=reward)
        policy = load(recipe.policy, recipe.precision)
        folder, home = tmp_path / str(len(given)), Home.resolve(tmp_path / "home")
        TurnTrainer(policy=policy, recipe=recipe, tasks=[_TASK], folder=folder, home=home).train()
    judge, none = given
    assert (tmp_path / "home" / "language").is_dir(), "the judge is paid from the budget of the home"
    assert not [*tmp_path.glob("[01]/language")]
    assert judge is not None and judge.caller.asset == "rl_policy" and none is None


def weights(policy: LoadedPolicy | TurnTrainer) -> dict[str, torch.Tensor]:
    return {name: one.detach().clone() for name, one in policy.model.named_parameters()}


@pytest.mark.parametrize("lora", [False, True])
def test_a_policy_is_compared_with_how_it_began(
    base: Path, tmp_path: Path, lora: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = {"kl": 0.01, "importance": "sequence", "updates": 2, "micro_batch": 2, "steps": 4, "learning_rate": 1e-2}
    trainer, told = steps(on(base, lora, **how), tmp_path / "run", monkeypatch)
    assert [one["step"] for one in told] == [1, 2, 3, 4]
    # An adapter begins as none, and what a policy is at first it is compared with.
    assert told[0]["kl"] == pytest.approx(0, abs=1e-6)
    assert told[3]["kl"] > 1e-4
    if lora:
        first, now = weights(load(on(base, lora).policy)), weights(trainer)
        frozen = [name for name in first if "lora" not in name]
        assert frozen and all(torch.equal(first[name], now[name]) for name in frozen)
        assert all(not now[name].any() for name in now if "lora_B" in name and ".ref." in name), "it stays as it began"
        trainer._policy.save(tmp_path / "policy")
        assert not (tmp_path / "policy" / "ref").exists()


def test_an_adapter_is_gone_on_with(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    how = {"kl": 0.01, "steps": 2, "learning_rate": 1e-2}
    first, _ = steps(on(base, True, **how), tmp_path / "first", monkeypatch)
    first._policy.save(tmp_path / "adapter")
    second, told = steps(on(tmp_path / "adapter", True, **how), tmp_path / "second", monkeypatch)
    assert told[0]["kl"] == pytest.approx(0, abs=1e-6), "it is compared with the adapter it began with"
    now, before = weights(second), weights(first)
    trained = [name for name in before if ".default." in name]
    assert trained and all(torch.equal(now[name.replace(".default.", ".ref.")], before[name]) for name in trained)
    assert any(not torch.equal(now[name], before[name]) for name in trained)
    for how, said in (({"rank": 8}, "`rank` 4 there and 8"), ({"rank": 4, "alpha": 8}, "`alpha` 32 there and 8"),
                      ({"rank": 4, "dropout": 0.1}, "`dropout` 0.0 there and 0.1")):  # fmt: skip
        with pytest.raises(RecipeError, match=said):
            load(Policy.model_validate({"base": str(tmp_path / "adapter"), "lora": how}))
    second._policy.save(tmp_path / "again")
    assert load(Policy(base=str(tmp_path / "again"))).parameters > 0, "it knows the model it adapts"


def test_small_steps_are_not_rounded_away(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights in full precision, and all that is computed in bfloat16: as on a GPU."""
    monkeypatch.setattr(grpo, "with_autocast", lambda recipe, cpu: True)
    how = on(base, False, "mixed", learning_rate=1e-6, steps=2)
    trainer, _ = steps(how, tmp_path, monkeypatch)
    before, now = weights(load(how.policy)), weights(trainer)
    assert {one.dtype for one in now.values()} == {torch.float32}
    assert trainer.accelerator.mixed_precision == "bf16"
    # In bfloat16 nothing near 1 would move by a millionth.
    moved = [name for name in now if "norm" in name and not torch.equal(now[name], before[name])]
    assert moved

    exact = trainer.model._original_forward(torch.tensor([[30, 31]])).logits[0, -1].log_softmax(-1).detach()
    [written] = generate(trainer._policy, [([30, 31], 1)], Sampling(most_new_tokens=1))
    assert written.logprobs[0] != pytest.approx(float(exact[written.ids[0]]), abs=1e-7), "it plays as it learns"
    assert written.logprobs[0] == pytest.approx(float(exact[written.ids[0]]), abs=0.1)


def test_trainings_compute_in_bfloat16_on_a_gpu_only() -> None:
    for precision in ("float32", "mixed", "bfloat16"):
        recipe = Recipe.model_validate(_RECIPE | {"precision": precision})
        assert not with_autocast(recipe, cpu=True)
        assert with_autocast(recipe, cpu=False) == (precision != "float32")


@given(st.lists(st.integers(1, 5), min_size=1, max_size=30), st.integers(1, 100), st.integers(0, 3))
def test_every_task_has_its_turn(ranks: list[int], wanted: int, seed: int) -> None:
    order = [*islice(order_of_tasks(ranks, seed), wanted)]
    assert len(order) == wanted
    for begin_of_turn in range(0, wanted, len(ranks)):
        turn = order[begin_of_turn : begin_of_turn + len(ranks)]
        assert len(set(turn)) == len(turn)
        assert [ranks[place] for place in turn] == sorted(ranks)[: len(turn)], "the first ranks first"


def test_tasks_of_one_rank_are_shuffled_each_time() -> None:
    order = [*islice(order_of_tasks([0] * 20, seed=0), 40)]
    assert list(range(20)) != order[:20] != order[20:]


@given(st.integers(1, 12), st.integers(2, 9), st.integers(1, 40), st.integers(1, 6))
def test_a_batch_is_split_into_equalparts_of(tasks: int, group: int, micro_batch: int, updates: int) -> None:
    rows = tasks * group
    assume(rows % updates == 0)
    recipe = Recipe.model_validate(
        _RECIPE | {"grpo": {"tasks": tasks, "group": group, "micro_batch": micro_batch, "updates": updates}}
    )
    parts = parts_of(recipe.grpo)
    assert rows % parts == parts % updates == 0
    assert rows // parts <= micro_batch


@pytest.mark.parametrize(("count", "played"), [(1, [[0], [0]]), (3, [[0, 1], [2, 0]])])
def test_a_batch_plays_what_there_is(
    base: Path, tmp_path: Path, count: int, played: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`grpo.tasks` is 2."""
    tasks: list[Any] = [
        SimpleNamespace(task=SimpleNamespace(text=str(place)), setting="single") for place in range(count)
    ]
    trainer = TurnTrainer(
        policy=load(Policy(base=str(base))),
        recipe=on(base, False, steps=2),
        tasks=tasks,
        folder=tmp_path,
        home=Home.resolve(tmp_path),
        ranks=range(count),
    )
    asked, ahead = list[list[int]](), list[list[int]]()

    async def noted(*given: Any, **more: Any) -> Played:
        asked.append([int(one.task.text) for one in given[4]])
        ahead.append([int(one.task.text) for one in more["ahead"]])
        return Played([], 1.0, 1.0, 1.0)

    monkeypatch.setattr(grpo, "play", noted)
    trainer.train()
    assert asked == played
    assert ahead == [*played[1:], []], "what is played next is known a batch before"
    assert trainer.state.global_step == 2


def test_a_batch_knows_the_next_one() -> None:
    rows = rows_of([*islice(order_of_tasks([0] * 5, 0), 24)], batch=8)
    batches = [(rows["task"][n : n + 8], rows["next"][n : n + 8]) for n in range(0, 24, 8)]
    for (_, after), (tasks, _) in pairwise(batches):
        assert after == tasks
    assert batches[-1][1] == [None] * 8


def test_components_are_of_all_episodes_that_count() -> None:
    """Who is ended early has done nothing of what they count."""

    def played(total: float, components: dict[str, float], outcome: str = "completed") -> Any:
        reward = SimpleNamespace(total=total, components=components)
        trajectory = SimpleNamespace(outcome=outcome, reward=reward, steps=[])
        return SimpleNamespace(trajectory=trajectory, cause="answered")

    failed = played(0.0, {}, "environment_error")
    group = [played(1.0, {"outcome": 1.0}), played(-1.0, {}), played(-1.0, {}), played(-1.0, {}), failed]
    found = figures(Played([group], 1.0, 0.5, 0.1), ["outcome", "checks"])
    assert found["rewards/checks"] == 0.0, "nobody came so far that it was looked at"
    assert (found["reward"], found["rewards/outcome"]) == (-0.5, 0.25)


def test_samples_of_different_lengths_are_read_as_each_alone(base: Path, tmp_path: Path) -> None:
    recipe = on(base, False)
    policy = load(recipe.policy)
    trainer = TurnTrainer(
        policy=policy, recipe=recipe, tasks=[_TASK, _TASK], folder=tmp_path, home=Home.resolve(tmp_path)
    )
    made = [
        Sample([30 + n] * (1 + 9 * n), [40 + n] * (40 - 4 * n), [0.0] * (40 - 4 * n), [True] * (40 - 4 * n), 1.0)
        for n in range(9)
    ]
    read = {}
    for name, way in {"here": type(trainer), "by TRL": GRPOTrainer}.items():
        tensors = as_tensors(made, policy.renderer.pad, 1, torch.device("cpu"))
        ids = torch.cat([tensors["prompt_ids"], tensors["completion_ids"]], dim=1)
        mask = torch.cat([tensors["prompt_mask"], tensors["completion_mask"]], dim=1)
        width = tensors["completion_ids"].size(1)
        found = way._get_per_token_logps_and_entropies(trainer, trainer.model, ids, mask, width, compute_entropy=True)
        read[name] = [torch.where(tensors["completion_mask"].bool(), one, 0.0) for one in found[:2]]
    for here, by_trl in zip(read["here"], read["by TRL"], strict=True):
        assert here.shape == by_trl.shape
        assert here.detach().numpy() == pytest.approx(by_trl.detach().numpy(), abs=1e-4)
        assert here.abs().sum() > 1
