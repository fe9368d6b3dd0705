"""`python -m trainer …`: the same command for a person, for Dagster Pipes and for accelerate.

    python -m trainer sft  --recipe R.yaml --data sft.jsonl --out FOLDER [--resume]
    python -m trainer grpo --recipe R.yaml --data rl.jsonl --home HOME --policy FOLDER --out FOLDER [--resume]
    python -m trainer evaluate --recipe R.yaml --data rl.jsonl --home HOME --policy FOLDER --out FOLDER [--k 8]

Belongs here: arguments, and exit statuses. Does not: any work. 0: done. 2: recipe, data or checkpoint do not fit. 3:
nothing to learn from. 4: diverged. 5: out of memory. 6: no environment answers. 143: told to stop, state saved.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from envfactory_dagster.contracts.errors import EnvFactoryError
from trainer.estimates import estimate_grpo, estimate_sft
from trainer.failures import INTERRUPTED, RecipeError, TrainingFailure
from trainer.recipe import Recipe
from trainer.reporting import reporter


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        recipe = Recipe.read(given.recipe)
        if given.dry_run:
            return _told(given.command, recipe, given.machines)
        if given.data is None or given.out is None:
            raise RecipeError("Say where the data is (--data) and where the run is to be kept (--out).")
        from trainer.runs import run_evaluate, run_grpo, run_sft  # torch and TRL take seconds to import

        with reporter(given.out) as told:
            if given.command == "evaluate":
                finished = run_evaluate(
                    recipe, given.data, given.home, given.policy, given.split, given.k, given.out, told
                )
            elif given.command == "sft":
                finished = run_sft(recipe, given.data, given.out, told, policy=given.policy, resume=given.resume)
            else:
                finished = run_grpo(recipe, given.data, given.home, given.policy, given.out, told, resume=given.resume)
        return 0 if finished else INTERRUPTED
    except EnvFactoryError as failure:
        print(f"trainer: {failure}", file=sys.stderr)
        return failure.exit_status if isinstance(failure, TrainingFailure) else 1


def _told(command: str, recipe: Recipe, machines: int) -> int:
    found = estimate_grpo(recipe, machines) if command == "grpo" else estimate_sft(recipe, 10_000, machines)
    for name, value in asdict(found).items():
        print(f"{name}: {value:,.1f}" if isinstance(value, float) else f"{name}: {value}")
    print("These are rules of thumb (see trainer/estimates.py), not measurements.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m trainer", description="Train policies on environments.")
    parser.add_argument("command", choices=["sft", "grpo", "evaluate"])
    parser.add_argument("--recipe", type=Path, required=True, help="a YAML file, see trainer/recipes")
    parser.add_argument("--data", type=Path, help="JSONL, or a folder of it: rows of sft_dataset, or of rl_dataset")
    parser.add_argument("--home", type=Path, help="where the environments of the tasks are; by default ENVFACTORY_HOME")
    parser.add_argument("--policy", type=Path, help="a policy to go on from, or to evaluate; without one the endpoint")
    parser.add_argument("--split", action="append", default=[], help="only tasks of this split; may be repeated")
    parser.add_argument("--k", type=int, default=8, help="how often each task is played at a temperature")
    parser.add_argument("--out", type=Path, help="folder of this run: checkpoints, progress, the policy")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint of this folder")
    parser.add_argument("--dry-run", action="store_true", help="only tell what it would need")
    parser.add_argument("--machines", type=int, default=1, help="GPUs or cores, for --dry-run")
    return parser


if __name__ == "__main__":
    sys.exit(main())
