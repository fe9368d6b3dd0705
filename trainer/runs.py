"""Whole runs: begin or go on, train, keep the policy, tell what came of it.

Belongs here: what `python -m trainer sft` and `grpo` do, in order. Does not: arguments (`__main__`), the
trainers.

    FOLDER/begun/         a policy from scratch as the run began, with its tokenizer
    FOLDER/checkpoints/   of TRL; the last two
    FOLDER/….old/         both, of an earlier run in the same folder
    FOLDER/policy/        the policy in the end
    FOLDER/rollouts/      every episode that GRPO played, by batch
    FOLDER/vllm/          what vLLM is told of the model, where it writes
"""

from pathlib import Path
from typing import Any

import datasets
import torch
from transformers.utils import logging

from envfactory_dagster.store.home import Home
from trainer import sft
from trainer.checkpoints import checkpoints, latest_whole, set_aside
from trainer.corpus import conversations
from trainer.examples import read_rows
from trainer.failures import RecipeError
from trainer.grpo import TurnTrainer
from trainer.judges import require_judge
from trainer.playing import rollout_settings
from trainer.policies import LoadedPolicy, begin, check_checkpoint, load
from trainer.processes import check_devices, is_first, processes
from trainer.recipe import Policy, Recipe
from trainer.reporting import Reporter
from trainer.tasks import in_curriculum, load_tasks, ranks_of, read_tasks
from trainer.vllm_sampling import vllm_cannot_write
from trainer.watching import Watch, until_told

datasets.disable_progress_bars()
logging.disable_progress_bar()

_SFT_CURVES = ("loss", "mean_token_accuracy", "learning_rate", "grad_norm")
_GRPO_CURVES = (
    "reward",
    "reward_std",
    "rewards/",
    "completed",
    "tools/call_frequency",
    "format_errors",
    "environment_errors",
    "seconds/environments",
    "seconds/sessions",
    "loss",
    "entropy",
)
_MOVED = ("checkpoints", "begun", "checkpoints.old", "begun.old")
"""In the folder of a run, what is put elsewhere when another one begins there."""


def run_sft(
    recipe: Recipe, data: Path, out: Path, told: Reporter, *, policy: Path | None = None, resume: bool = False
) -> bool:
    """False when it was told to stop before the end."""
    check_devices(torch.cuda.device_count())
    rows, checkpoint = read_rows(data), _resumed(out, resume, told)
    started = _started(recipe, policy, out, rows, checkpoint, told)
    watch = Watch(told)
    with until_told(watch):
        fresh = recipe.policy.scratch is not None and policy is None
        made = sft.train(started, recipe, rows, out, [watch], str(checkpoint) if checkpoint else None, fresh=fresh)
        finished = not watch.stopped
        told.done(
            {
                "parameters": started.parameters,
                "examples": len(made.dataset),
                "left_out_as_too_long": made.left_out,
                "tokens": made.tokens,
                "tokens_learned": made.learned,
                "finished": finished,
                "policy": str(out / "policy"),
            },
            _SFT_CURVES,
        )
    return finished


def run_grpo(
    recipe: Recipe,
    data: Path,
    home: Path | None,
    policy: Path | None,
    out: Path,
    told: Reporter,
    *,
    resume: bool = False,
    curriculum: Path | None = None,
) -> bool:
    """False when it was told to stop before the end."""
    check_devices(torch.cuda.device_count())
    rewards = rollout_settings(recipe.grpo).reward
    require_judge(rewards)
    rows = read_tasks(data, ("rl",), recipe.grpo.protocol)
    if curriculum is not None:
        rows = in_curriculum(rows, curriculum)
    ranks = ranks_of(rows, in_order=curriculum is not None, easiest_first=recipe.grpo.easiest_first)
    tasks = load_tasks(rows, Home.resolve(home), rewards)
    checkpoint = _resumed(out, resume, told)
    started = _started(recipe, policy, out, [], checkpoint, told)
    wanted = recipe.grpo.tasks * processes()
    if len(tasks) < wanted:
        told.say(f"A batch wants {wanted} tasks and there are {len(tasks)}: it plays all of them, and is smaller.")
    watch = Watch(told)
    trainer = TurnTrainer(policy=started, recipe=recipe, tasks=tasks, ranks=ranks, folder=out, callbacks=[watch])
    if trainer.writer is not None:
        told.say(f"vLLM {trainer.writer.version} writes what is played.")
    elif torch.cuda.is_available() and vllm_cannot_write(started, recipe) is None:
        told.say("vLLM is installed: it writes what is played where the recipe says `vllm: true` (section `grpo`).")
    with until_told(watch):
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        finished = not watch.stopped
        started.save(out / "policy")
        told.done(
            {
                "parameters": started.parameters,
                "tasks": len(tasks),
                "environments": len({one.bundle.key for one in tasks}),
                "steps": trainer.state.global_step,
                "finished": finished,
                "policy": str(out / "policy"),
            },
            _GRPO_CURVES,
        )
    return finished


def _started(
    recipe: Recipe,
    policy: Path | None,
    out: Path,
    rows: list[dict[str, Any]],
    checkpoint: Path | None,
    told: Reporter,
) -> LoadedPolicy:
    """The policy a run begins with, or goes on with from a checkpoint. One from scratch is kept: a run that goes on has
    its tokenizer."""
    if checkpoint is not None:
        resumed = load(_with_weights(recipe, _of_first_run(recipe, policy, out)), recipe.precision)
        check_checkpoint(resumed.model, checkpoint)
        told.goes_on_from(checkpoint)
        return resumed
    if policy is not None and any(policy.resolve().is_relative_to((out / name).resolve()) for name in _MOVED):
        raise RecipeError(f"The policy {policy} is of an earlier run in {out}: begin a new run in another folder.")
    from_scratch = policy is None and recipe.policy.scratch is not None
    if from_scratch and not rows:
        raise RecipeError(
            "GRPO does not begin from scratch: a policy that makes no calls earns nothing. Give --policy."
        )
    if policy is not None:
        started = load(_with_weights(recipe, policy), recipe.precision)
    else:
        started = begin(recipe, conversations(sft.shown(recipe, rows)))
    told.begins_anew()
    moved = set_aside(out) if is_first() else []
    if moved:
        told.say(f"The run begins anew; what an earlier one left here is now in {' and '.join(map(str, moved))}.")
    if from_scratch:
        started.save(out / "begun")
    return started


def _with_weights(recipe: Recipe, source: Path | None) -> Policy:
    if source is None:
        return recipe.policy
    return Policy(base=str(source), thinking=recipe.policy.thinking, lora=recipe.policy.lora)


def _of_first_run(recipe: Recipe, policy: Path | None, out: Path) -> Path | None:
    """What a run that is resumed began with; None: what the recipe says."""
    begun = out / "begun"
    from_scratch = policy is None and recipe.policy.scratch is not None
    if begun.is_dir() and not from_scratch:
        raise RecipeError(
            f"A run in {out} began from scratch, with {begun}: resume it with its recipe and without --policy. Where "
            "that was an earlier run than the one you mean, remove that folder."
        )
    if from_scratch and not begun.is_dir():
        raise RecipeError(f"The run in {out} went on with a policy: resume it with the same --policy.")
    return begun if from_scratch else policy


def _resumed(out: Path, resume: bool, told: Reporter) -> Path | None:
    """The checkpoint to go on from; None: the run begins anew."""
    if not resume:
        return None
    folder = out / "checkpoints"
    found = latest_whole(folder, told.say)
    if found is None and checkpoints(folder):  # where there are none the run was not begun, and nothing is lost
        told.say(f"There is no whole checkpoint in {folder} to go on from: the run begins at step 1.")
    return found
