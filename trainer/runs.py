"""Whole runs: begin or go on, train, keep the policy, tell what came of it.

Belongs here: what `python -m trainer sft` and `grpo` do, in order. Does not: arguments (`__main__`), the
trainers.

    FOLDER/begun/         a policy from scratch as the run began, with its tokenizer
    FOLDER/checkpoints/   of TRL; the last two
    FOLDER/policy/        the policy in the end
"""

from pathlib import Path
from typing import Any

import datasets
from transformers.trainer_utils import get_last_checkpoint
from transformers.utils import logging

from envfactory_dagster.store.home import Home
from trainer import sft
from trainer.corpus import conversations
from trainer.examples import read_rows
from trainer.failures import RecipeError
from trainer.grpo import TurnTrainer
from trainer.playing import rollout_settings
from trainer.policies import LoadedPolicy, begin, check_checkpoint, load
from trainer.recipe import Policy, Recipe
from trainer.reporting import Reporter
from trainer.tasks import in_curriculum, load_tasks, read_tasks
from trainer.watching import Watch, until_told

datasets.disable_progress_bars()
logging.disable_progress_bar()

_SFT_CURVES = ("loss", "mean_token_accuracy", "learning_rate", "grad_norm")
_GRPO_CURVES = (
    "reward",
    "reward_std",
    "completed",
    "tools/call_frequency",
    "format_errors",
    "environment_errors",
    "seconds/environments",
    "entropy",
)


def run_sft(
    recipe: Recipe, data: Path, out: Path, told: Reporter, *, policy: Path | None = None, resume: bool = False
) -> bool:
    """False when it was told to stop before the end."""
    rows, checkpoint = read_rows(data), _resumed(out, resume)
    started = _started(recipe, policy, out, resume, rows)
    if checkpoint is not None:
        check_checkpoint(started.model, Path(checkpoint))
    watch = Watch(told)
    with until_told(watch):
        fresh = recipe.policy.scratch is not None and (policy is None or (resume and (out / "begun").is_dir()))
        made = sft.train(started, recipe, rows, out, [watch], checkpoint, fresh=fresh)
    told.done(
        {
            "parameters": started.parameters,
            "examples": len(made.dataset),
            "left_out_as_too_long": made.left_out,
            "tokens": made.tokens,
            "tokens_learned": made.learned,
            "finished": not watch.stopped,
            "policy": str(out / "policy"),
        },
        _SFT_CURVES,
    )
    return not watch.stopped


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
    rewards = rollout_settings(recipe.grpo).reward
    rows = read_tasks(data, ("rl",), recipe.grpo.protocol)
    if curriculum is not None:
        rows = in_curriculum(rows, curriculum)
    tasks = load_tasks(rows, Home.resolve(home), rewards)
    checkpoint = _resumed(out, resume)
    started = _started(recipe, policy, out, resume, [])
    if checkpoint is not None:
        check_checkpoint(started.model, Path(checkpoint))
    watch = Watch(told)
    trainer = TurnTrainer(
        policy=started, recipe=recipe, tasks=tasks, in_order=curriculum is not None, folder=out, callbacks=[watch]
    )
    with until_told(watch):
        trainer.train(resume_from_checkpoint=checkpoint)
    started.save(out / "policy")
    told.done(
        {
            "parameters": started.parameters,
            "tasks": len(tasks),
            "environments": len({one.bundle.key for one in tasks}),
            "steps": trainer.state.global_step,
            "finished": not watch.stopped,
            "policy": str(out / "policy"),
        },
        _GRPO_CURVES,
    )
    return not watch.stopped


def _started(recipe: Recipe, policy: Path | None, out: Path, resume: bool, rows: list[dict[str, Any]]) -> LoadedPolicy:
    """The policy a run begins with. One from scratch is kept, so that a run that goes on has its tokenizer."""
    begun = out / "begun"
    source = begun if resume and begun.is_dir() else policy
    if source is None and resume and recipe.policy.scratch is not None:
        raise RecipeError(f"The run in {out} went on with a policy: resume it with the same --policy.")
    if source is not None:
        begins = Policy(base=str(source), thinking=recipe.policy.thinking, lora=recipe.policy.lora)
        return load(begins, recipe.precision)
    if recipe.policy.scratch is not None and not rows:
        raise RecipeError(
            "GRPO does not begin from scratch: a policy that makes no calls earns nothing. Give --policy."
        )
    started = begin(recipe, conversations(sft.shown(recipe, rows)))
    if recipe.policy.scratch is not None:
        started.save(begun)
    return started


def _resumed(out: Path, resume: bool) -> str | None:
    if not resume:
        return None
    checkpoints = out / "checkpoints"
    found: str | None = get_last_checkpoint(str(checkpoints)) if checkpoints.is_dir() else None
    if found is None:
        raise RecipeError(f"There is no checkpoint in {checkpoints} to go on from.")
    return found
