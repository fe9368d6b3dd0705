"""Whole runs: begin or go on, train, keep the policy, tell what came of it.

Belongs here: what `python -m trainer sft` and `grpo` do, in order. Does not: arguments (`__main__`), the
trainers.

    FOLDER/checkpoints/       of TRL; the last two
    FOLDER/checkpoints.old/   those of an earlier run in the same folder
    FOLDER/policy/            the policy in the end
    FOLDER/rollouts/          every episode that GRPO played, by batch
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import datasets
import torch
from transformers.integrations import get_available_reporting_integrations
from transformers.utils import logging

from envfactory_dagster.datasets.assigned import load_tasks, read_tasks
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.store.home import Home

from . import sft
from .checkpoints import checkpoints, latest_whole, set_aside
from .examples import read_rows
from .failures import RecipeError
from .fresh import draw_fresh
from .grpo import TurnTrainer
from .people import require_judge, with_a_person
from .playing import rollout_settings
from .policies import LoadedPolicy, check_checkpoint, load
from .preparing import prepare
from .processes import check_devices, check_sharding, is_first, processes
from .recipe import Policy, Recipe
from .reporting import Reporter
from .tasks import in_curriculum, ranks_of
from .watching import Watch, until_told

datasets.disable_progress_bars()
logging.disable_progress_bar()

_SFT_CURVES = ("loss", "eval_loss", "mean_token_accuracy", "learning_rate", "grad_norm")
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
_MOVED = ("checkpoints", "checkpoints.old")
"""In the folder of a run, what is put elsewhere when another one begins there."""


def run_sft(
    recipe: Recipe, data: Path, out: Path, told: Reporter, *, policy: Path | None = None, resume: bool = False
) -> bool:
    """False when it was told to stop before the end."""
    check_devices(torch.cuda.device_count())
    check_sharding(fsdp=False)
    rows, checkpoint = read_rows(data), _resumed(out, resume, told)
    _check_set_up(recipe, told)
    started = _started(recipe, policy, out, checkpoint, told)
    made = prepare(started, recipe, rows)
    told.say(made.told)
    if recipe.policy.thinking and not started.renderer.shows_reasoning:
        told.say(
            "The chat template shows no reasoning: what rows have of it is not learned, despite `policy.thinking`."
        )
    elif recipe.policy.thinking and (silent := sum(map(_says_without_a_thought, rows))):
        said = f"{silent} of {len(rows)} rows have no reasoning, though `policy.thinking` is true"
        if silent > len(rows) / 2:
            raise RecipeError(
                f"{said}: the policy would learn to stop thinking. Take rows that have some, or set it to false."
            )
        told.say(f"{said}.")
    watch = Watch(told)
    with until_told(watch):
        sft.train(started, recipe, made, out, [watch], str(checkpoint) if checkpoint else None)
        finished = not watch.stopped
        told.done(
            {
                "parameters": started.parameters,
                "examples": len(made.dataset),
                "held_out": len(made.held_out or ()),
                "dropped": sum(made.dropped.values()),
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
    home: Path | str | None,
    policy: Path | None,
    out: Path,
    told: Reporter,
    *,
    resume: bool = False,
    curriculum: Path | None = None,
) -> bool:
    """False when it was told to stop before the end."""
    check_devices(torch.cuda.device_count())
    if processes() > 1 and recipe.grpo.server is None:
        raise RecipeError(
            "Without a server one process plays and learns. To train on several GPUs start vLLM on some of them, and "
            "give its address in the recipe (`grpo.server`)."
        )
    check_sharding(fsdp=recipe.grpo.server is not None)
    _check_set_up(recipe, told)
    rewards = rollout_settings(recipe.grpo).reward
    require_judge(rewards)
    rows = read_tasks(data, ("rl",), recipe.grpo.protocol, turns=recipe.grpo.turns)
    if curriculum is not None:
        rows = in_curriculum(rows, curriculum)
    ranks = ranks_of(rows, in_order=curriculum is not None, easiest_first=recipe.grpo.easiest_first)
    found = Home.resolve(home)
    tasks = load_tasks(rows, found, rewards)
    if recipe.grpo.fresh:
        fresh = draw_fresh(tasks, recipe.grpo.fresh, recipe.seed, rewards)
        told.say(f"{len(fresh.tasks)} fresh tasks were drawn from task families; {fresh.dropped} draws were dropped.")
        tasks += fresh.tasks
        last = max(ranks, default=0) + 1 if curriculum is not None else 0
        ranks += fresh.levels if recipe.grpo.easiest_first and curriculum is None else [last] * len(fresh.tasks)
    kept, about_people = with_a_person(tasks)
    tasks, ranks = [tasks[place] for place in kept], [ranks[place] for place in kept]
    if about_people:
        told.say(about_people)
    checkpoint = _resumed(out, resume, told)
    watch = Watch(told, steps_a_batch=recipe.grpo.updates)
    trainer: Any
    if recipe.grpo.server is None:
        started = _started(recipe, policy, out, checkpoint, told)
        wanted = recipe.grpo.tasks
        if len(tasks) < wanted:
            told.say(f"A batch wants {wanted} tasks and there are {len(tasks)}: it plays all of them, and is smaller.")
        trainer = TurnTrainer(
            policy=started, recipe=recipe, tasks=tasks, ranks=ranks, folder=out, home=found, callbacks=[watch]
        )
    else:
        trainer = _beside_a_server(recipe, policy, tasks, ranks, out, found, checkpoint, told, watch)
    with until_told(watch):
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        finished = not watch.stopped
        trainer.keep(out / "policy")
        told.done(
            {
                "parameters": sum(weights.numel() for weights in trainer.model.parameters()),
                "tasks": len(tasks),
                "conversations": sum(one.setting == "conversation" for one in tasks),
                "environments": len({one.bundle.key for one in tasks}),
                "steps": trainer.state.global_step,
                "finished": finished,
                "policy": str(out / "policy"),
            },
            _GRPO_CURVES,
        )
    return finished


def _beside_a_server(
    recipe: Recipe,
    policy: Path | None,
    tasks: Sequence[Assignment],
    ranks: Sequence[int],
    out: Path,
    home: Home,
    checkpoint: Path | None,
    told: Reporter,
    watch: Watch,
) -> Any:
    from .async_grpo import ServerTrainer  # experimental: nobody else needs it

    _begins(policy, out, checkpoint, told)
    recipe = recipe.model_copy(update={"policy": _with_weights(recipe, policy)})
    told.say(f"The vLLM server at {recipe.grpo.server} writes what is played.")
    return ServerTrainer(
        recipe=recipe, tasks=tasks, ranks=ranks, folder=out, home=home, resumed=checkpoint, callbacks=[watch]
    )


def _check_set_up(recipe: Recipe, told: Reporter) -> None:
    """That figures can be sent where the recipe wants them, and that numbers of its precision are fast here."""
    available = get_available_reporting_integrations()
    if missing := [name for name in recipe.report_to if name not in available]:
        raise RecipeError(
            f"`report_to` names {', '.join(missing)}, which is not installed here, or transformers does not know it; "
            f"there is: {', '.join(available) or 'none'}."
        )
    if torch.cuda.is_available():
        return
    if recipe.precision == "mixed":
        told.say("There is no GPU: with `precision: mixed` a CPU computes in float32.")
    if recipe.precision == "bfloat16":
        told.say("Weights in bfloat16 are slow on a CPU, and small steps are rounded away: take `precision: float32`.")


def _says_without_a_thought(row: Mapping[str, Any]) -> bool:
    written = [message for message in row["messages"] if message["role"] == "assistant"]
    return bool(written) and not written[-1].get("reasoning_content")


def _started(recipe: Recipe, policy: Path | None, out: Path, checkpoint: Path | None, told: Reporter) -> LoadedPolicy:
    """The policy a run begins with, or goes on with from a checkpoint."""
    _check_stays(policy, out, checkpoint)
    started = load(_with_weights(recipe, policy), recipe.precision)
    if checkpoint is not None:
        check_checkpoint(started.model, checkpoint)
    _begins(policy, out, checkpoint, told)
    return started


def _check_stays(policy: Path | None, out: Path, checkpoint: Path | None) -> None:
    if checkpoint is None and policy is not None and _is_moved(policy, out):
        raise RecipeError(f"The policy {policy} is of an earlier run in {out}: begin a new run in another folder.")


def _begins(policy: Path | None, out: Path, checkpoint: Path | None, told: Reporter) -> None:
    """Anew, or from a checkpoint."""
    _check_stays(policy, out, checkpoint)
    if checkpoint is not None:
        told.goes_on_from(checkpoint)
        return
    told.begins_anew()
    moved = set_aside(out) if is_first() else None
    if moved is not None:
        told.say(f"The run begins anew; what an earlier one left here is now in {moved}.")


def _is_moved(policy: Path, out: Path) -> bool:
    return any(policy.resolve().is_relative_to((out / name).resolve()) for name in _MOVED)


def _with_weights(recipe: Recipe, source: Path | None) -> Policy:
    if source is None:
        return recipe.policy
    return recipe.policy.model_copy(update={"base": str(source)})


def _resumed(out: Path, resume: bool, told: Reporter) -> Path | None:
    """The checkpoint to go on from; None: the run begins anew."""
    if not resume:
        return None
    folder = out / "checkpoints"
    found = latest_whole(folder, told.say)
    if found is None and checkpoints(folder):  # where there are none the run was not begun, and nothing is lost
        told.say(f"There is no whole checkpoint in {folder} to go on from: the run begins at step 1.")
    return found
