"""`python -m trainer …`: the same command for a person, for Dagster Pipes and for accelerate.

    python -m trainer sft  --recipe R.yaml --data sft.jsonl --out FOLDER [--resume]
    python -m trainer grpo --recipe R.yaml --data rl.jsonl --home HOME --policy FOLDER --out FOLDER [--resume]
    python -m trainer evaluate --recipe R.yaml --data rl.jsonl --home HOME --policy FOLDER --out FOLDER [--k 8]
    python -m trainer compare BEFORE AFTER [--way greedy|sampled]

Belongs here: arguments, and exit statuses. Does not: any work. 0: done. 2: recipe, data or checkpoint do not fit. 3:
nothing to learn from. 4: diverged. 5: out of memory. 6: no environment answers, or the machine or an endpoint failed.
143: told to stop, state saved.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from envfactory_dagster.contracts.errors import BudgetExceeded, EnvFactoryError, InfrastructureFault, UsageError
from trainer.estimates import estimate_grpo, estimate_sft
from trainer.failures import INTERRUPTED, EnvironmentsDown, RecipeError, TrainingFailure
from trainer.recipe import Recipe
from trainer.reporting import Reporter, reporter


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    try:
        if given.command == "compare":
            return _compare(given.before, given.after, given.way)
        if given.command != "evaluate" and given.dry_run:
            return _told(given.command, Recipe.read(given.recipe), given.machines)
        if given.data is None or given.out is None:
            raise RecipeError("Say where the data is (--data) and where the run is to be kept (--out).")
        with reporter(given.out, resume=given.resume) as told:
            return _run(given, told)
    except EnvFactoryError as failure:
        print(f"trainer: {failure}", file=sys.stderr)
        return _status(failure)


def _run(given: argparse.Namespace, told: Reporter) -> int:
    try:
        recipe = Recipe.read(given.recipe)
        if given.command == "evaluate":
            from trainer.evaluate import run_evaluate

            done = run_evaluate(recipe, given.data, given.home, given.policy, given.split, given.k, given.out, told)
            return 0 if done else INTERRUPTED
        from trainer.runs import run_grpo, run_sft  # torch and TRL take seconds to import

        if given.command == "sft":
            finished = run_sft(recipe, given.data, given.out, told, policy=given.policy, resume=given.resume)
        else:
            finished = run_grpo(
                recipe, given.data, given.home, given.policy, given.out, told,
                resume=given.resume, curriculum=given.curriculum,
            )  # fmt: skip
        return 0 if finished else INTERRUPTED
    except EnvFactoryError as failure:
        told.failed(str(failure), _status(failure))
        return _status(failure)


def _status(failure: EnvFactoryError) -> int:
    if isinstance(failure, TrainingFailure):
        return failure.exit_status
    if isinstance(failure, InfrastructureFault) and not isinstance(failure, BudgetExceeded):
        return EnvironmentsDown.exit_status
    return RecipeError.exit_status if isinstance(failure, UsageError) else 1


def _compare(before: Path, after: Path, way: str) -> int:
    from trainer.comparing import compare
    from trainer.tables import comparison_table

    print(comparison_table(compare(before, after, way)), end="")
    return 0


def _told(command: str, recipe: Recipe, machines: int) -> int:
    found = estimate_grpo(recipe, machines) if command == "grpo" else estimate_sft(recipe, 10_000, machines)
    for name, value in asdict(found).items():
        print(f"{name}: {value:,.1f}" if isinstance(value, float) else f"{name}: {value}")
    print("These are rules of thumb (see trainer/estimates.py), not measurements.")
    return 0


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="python -m trainer", description="Train policies on environments.")
    commands = whole.add_subparsers(dest="command", required=True)
    for name, purpose in (
        ("sft", "learn the messages of good episodes"),
        ("grpo", "learn by playing in live environments"),
        ("evaluate", "play tasks that are held out"),
    ):
        command = commands.add_parser(name, help=purpose)
        _add_run_arguments(command)
        if name != "evaluate":
            _add_estimate_arguments(command)
    comparing = commands.add_parser("compare", help="two evaluations, task by task")
    comparing.add_argument("before", type=Path, help="folder of an evaluation")
    comparing.add_argument("after", type=Path, help="folder of another one")
    comparing.add_argument("--way", choices=["greedy", "sampled"], default="greedy", help="which episodes")
    return whole


def _add_run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--recipe", type=Path, required=True, help="a YAML file, see trainer/recipes")
    parser.add_argument("--data", type=Path, help="JSONL, or a folder of it: rows of sft_dataset, or of rl_dataset")
    parser.add_argument("--home", type=Path, help="where the environments of the tasks are; by default ENVFACTORY_HOME")
    parser.add_argument("--policy", type=Path, help="a policy to go on from, or to evaluate; without one the endpoint")
    parser.add_argument(
        "--curriculum", type=Path, help="play only its tasks, in its order (grpo): envfactory calibrate"
    )
    parser.add_argument("--split", action="append", default=[], help="only tasks of this split; may be repeated")
    parser.add_argument("--k", type=int, default=8, help="how often each task is played at a temperature")
    parser.add_argument("--out", type=Path, help="folder of this run: checkpoints, progress, the policy")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint of this folder")


def _add_estimate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only tell what it would need")
    parser.add_argument("--machines", type=int, default=1, help="GPUs or cores, for --dry-run")


if __name__ == "__main__":
    sys.exit(main())
