"""`python -m trainer …`: the same command for a person, for Dagster Pipes and for accelerate.

    python -m trainer sft  --recipe R.yaml --data sft.jsonl --out FOLDER [--resume]
    python -m trainer grpo --recipe R.yaml --data rl.jsonl --home HOME --policy FOLDER --out FOLDER [--resume]
    python -m trainer evaluate --recipe R.yaml --data rl.jsonl --home HOME [--policy FOLDER] --out FOLDER [--k 8]
    python -m trainer serve --recipe R.yaml [--policy FOLDER] [--port 8002]
    python -m trainer merge ADAPTER FOLDER
    python -m trainer compare BEFORE AFTER [--way greedy|sampled]

Each takes the options that it needs and no others: `python -m trainer COMMAND --help`.

Belongs here: arguments, and exit statuses. Does not: any work. 0: done. 2: recipe, data or checkpoint do not fit, or
the extra `train` is not installed. 3: nothing to learn from. 4: diverged. 5: out of memory. 6: no environment answers,
or the machine or an endpoint failed. 143: told to stop, state saved.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

from envfactory_dagster.contracts.errors import BudgetExceeded, EnvFactoryError, InfrastructureFault, UsageError

from .estimates import estimate_grpo, estimate_sft
from .failures import INTERRUPTED, EnvironmentsDown, RecipeError, TrainingFailure
from .lacks import lacks_told
from .processes import leave
from .recipe import Recipe
from .reporting import Reporter, reporter

_EXAMPLES = 10_000
"""So many are assumed where nobody has said which there are."""
_EXTRA = ("torch", "transformers", "trl", "accelerate", "datasets", "peft", "matplotlib")
"""What every run needs, and whoever only makes environments does not."""
_OF_RUNS = ("data", "out", "policy", "resume", "home", "curriculum")
"""Options that only a run looks at."""


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    try:
        if given.command == "compare":
            return _compare(given.before, given.after, given.way)
        if given.command == "serve":
            return _serve(given)
        if given.command == "merge":
            return _merge(given)
        if given.command != "evaluate":
            _check_options(given)
            if given.dry_run:
                return _told(given.command, Recipe.read(given.recipe), given.machines or _gpus_here())
        elif given.endpoint and given.policy is not None:
            raise RecipeError("Who plays: --policy, or the model of the --endpoint? Leave one of them out.")
        if given.data is None or given.out is None:
            raise RecipeError("Say where the data is (--data) and where the run is to be kept (--out).")
        with lacks_told(), reporter(given.out) as told:
            return _run(given, told)
    except EnvFactoryError as failure:
        print(f"trainer: {failure}", file=sys.stderr)
        return _status(failure)


def _run(given: argparse.Namespace, told: Reporter) -> int:
    try:
        _check_installed()
        with lacks_told():
            return 0 if _is_done(given, Recipe.read(given.recipe), told) else INTERRUPTED
    except EnvFactoryError as failure:
        told.failed(str(failure), _status(failure))
        return _status(failure)
    finally:
        leave()


def _check_installed() -> None:
    missing = [name for name in _EXTRA if find_spec(name) is None]
    if missing:
        raise RecipeError(
            f"The extra `train` is not installed ({', '.join(missing)} cannot be imported). In the folder of the "
            f"project: `{sys.executable} -m pip install -c constraints.txt -e '.[train]'`."
        )


def _is_done(given: argparse.Namespace, recipe: Recipe, told: Reporter) -> bool:
    """False: it was told to stop before."""
    if given.command == "evaluate":
        from .evaluate import run_evaluate

        policy = None if given.endpoint else given.policy or Path(recipe.policy.base)
        return run_evaluate(recipe, given.data, given.home, policy, given.split, given.k, given.out, told)
    from .runs import run_grpo, run_sft  # torch and TRL take seconds to import

    if given.command == "sft":
        return run_sft(recipe, given.data, given.out, told, policy=given.policy, resume=given.resume)
    return run_grpo(
        recipe, given.data, given.home, given.policy, given.out, told,
        resume=given.resume, curriculum=given.curriculum,
    )  # fmt: skip


def _status(failure: EnvFactoryError) -> int:
    if isinstance(failure, TrainingFailure):
        return failure.exit_status
    if isinstance(failure, InfrastructureFault) and not isinstance(failure, BudgetExceeded):
        return EnvironmentsDown.exit_status
    return RecipeError.exit_status if isinstance(failure, UsageError) else 1


def _serve(given: argparse.Namespace) -> int:
    _check_installed()
    from .serving import run_serve

    with lacks_told():
        run_serve(Recipe.read(given.recipe), given.policy, given.host, given.port)
    return 0


def _merge(given: argparse.Namespace) -> int:
    _check_installed()
    from .policies import merge

    with lacks_told():
        merge(given.adapter, given.folder)
    return 0


def _compare(before: Path, after: Path, way: str) -> int:
    from .comparing import compare
    from .tables import comparison_table

    print(comparison_table(compare(before, after, way)), end="")
    return 0


def _check_options(given: argparse.Namespace) -> None:
    """That all of them are looked at: a run has no use for some, `--dry-run` for others."""
    unread = _OF_RUNS if given.dry_run else ("machines",)
    found = " and ".join(f"--{name}" for name in unread if getattr(given, name, None))
    if found and given.dry_run:
        raise RecipeError(f"--dry-run only tells what a recipe needs and does not look at {found}: leave it out.")
    if found:
        raise RecipeError(f"{found} is for --dry-run: a run has as many processes as are started.")


def _gpus_here() -> int:
    if find_spec("torch") is None:
        return 1
    import torch

    return int(torch.cuda.is_available())  # a process that is alone uses one


def _told(command: str, recipe: Recipe, machines: int) -> int:
    found = estimate_grpo(recipe, machines) if command == "grpo" else estimate_sft(recipe, _EXAMPLES, machines)
    for name, value in asdict(found).items():
        number = {int: ",d", float: ",.1f"}.get(type(value), "")
        print(f"{name}: {value:{number}}")
    if command == "sft" and recipe.sft.most_steps is None:
        print(f"The hours are an estimate for {_EXAMPLES:,} examples; half as many take half as long.")
    if command == "grpo" and recipe.grpo.server is not None:
        print("The memory is without that of the vLLM server, which has GPUs of its own.")
    print("These are rules of thumb (see trainer/estimates.py), not measurements.")
    return 0


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="python -m trainer", description="Train policies on environments.")
    commands = whole.add_subparsers(dest="command", required=True)
    for name, purpose, add in (
        ("sft", "learn the messages of good episodes", _add_training),
        ("grpo", "learn by playing in live environments", _add_grpo),
        ("evaluate", "play tasks that are held out", _add_evaluate),
    ):
        command = commands.add_parser(name, help=purpose)
        command.add_argument("--recipe", type=Path, required=True, help="a YAML file, see trainer/recipes")
        command.add_argument("--data", type=Path, help="JSONL, or a folder of it: rows of the datasets sft or rl")
        command.add_argument("--out", type=Path, help="folder of this run: progress, and what comes of it")
        command.add_argument("--policy", type=Path, help="in place of the recipe's `policy.base`")
        add(command)
    serving = commands.add_parser("serve", help="offer a policy as an OpenAI-compatible endpoint")
    serving.add_argument("--recipe", type=Path, required=True, help="a YAML file, see trainer/recipes")
    serving.add_argument("--policy", type=Path, help="in place of the recipe's `policy.base`")
    serving.add_argument("--port", type=int, default=8002, help="0 takes a free one")
    serving.add_argument("--host", default="127.0.0.1", help="address to listen at")
    merging = commands.add_parser("merge", help="make a whole model of an adapter and the model it adapts")
    merging.add_argument("adapter", type=Path, help="folder of a policy that is an adapter")
    merging.add_argument("folder", type=Path, help="a new folder, for the model")
    comparing = commands.add_parser("compare", help="two evaluations, task by task")
    comparing.add_argument("before", type=Path, help="folder of an evaluation")
    comparing.add_argument("after", type=Path, help="folder of another one")
    comparing.add_argument("--way", choices=["greedy", "sampled"], default="greedy", help="which episodes")
    return whole


def _add_training(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--resume", action="store_true", help="go on from the last checkpoint of --out, if there is one"
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell what it would need")
    parser.add_argument("--machines", type=_one_or_more, help="GPUs, for --dry-run; by default what is here")


def _one_or_more(given: str) -> int:
    if (number := int(given)) < 1:
        raise argparse.ArgumentTypeError("there is at least one")
    return number


def _add_grpo(parser: argparse.ArgumentParser) -> None:
    _add_training(parser)
    _add_home(parser)
    parser.add_argument("--curriculum", type=Path, help="play only its tasks, in its order: envfactory calibrate")


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    _add_home(parser)
    parser.add_argument("--split", action="append", default=[], help="only tasks of this split; may be repeated")
    parser.add_argument("--endpoint", action="store_true", help="play with the model of ENVFACTORY_LLM_BASE_URL")
    parser.add_argument("--k", type=int, default=8, help="how often each task is played at a temperature")


def _add_home(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--home", help="where the environments of the tasks are; by default ENVFACTORY_HOME")


if __name__ == "__main__":
    sys.exit(main())
