"""Policies trained on the datasets.

Belongs here: the assets `sft_policy`, `rl_policy`, `policy_evaluation` and their configuration. Does not: running the
trainer (`trainer_runs`), and policies of rounds (`evolution`).
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
from pydantic import Field

from envfactory_dagster.assets.trainer_runs import check_protocol, go, name_of, run_of
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.datasets.splits import HELD_OUT
from envfactory_dagster.datasets.versions import latest_rows
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.measuring import trainer_program
from envfactory_dagster.measuring.trained import made_last
from envfactory_dagster.measuring.trainer_program import CODE_VERSION, models_beside
from envfactory_dagster.resources.store import StoreResource

GROUP = "training"
_ENDPOINT = "endpoint"


class TrainingConfig(dg.Config):
    recipe: str | None = Field(
        default=None, description="A recipe that is shipped, or the path of one of your own. It has to be given."
    )

    def path(self) -> Path:
        if self.recipe is None:
            raise UsageError(
                "No recipe is set, which says what model is trained: give every policy one, "
                "`ops: {sft_policy: {config: {recipe: …}}, …}`, one of "
                f"{', '.join(trainer_program.known_recipes())} or a file of your own."
            )
        return trainer_program.recipe_at(self.recipe)


class PlayingConfig(TrainingConfig):
    curriculum: str | None = Field(
        default=None, description="The tasks to play, in order: `curriculum.jsonl` of `envfactory calibrate`."
    )

    def curriculum_path(self) -> Path | None:
        path = None if self.curriculum is None else Path(self.curriculum).expanduser()
        if path is not None and not path.is_file():
            raise UsageError(f"There is no curriculum {self.curriculum!r}; `envfactory calibrate` writes one.")
        return path and path.resolve()


class EvaluationConfig(TrainingConfig):
    k: int = Field(default=8, ge=1, description="How often each task is played at the recipe's temperature.")
    splits: list[str] = Field(default=[*HELD_OUT], description="The tasks that are played.")
    policy: str = Field(
        default="rl_policy",
        pattern="^(sft_policy|rl_policy|endpoint)$",
        description="Which one; `endpoint`: the model of ENVFACTORY_SOLVER_MODEL, which is paid for what it answers.",
    )


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    code_version=CODE_VERSION,
    deps=["sft_dataset"],
    kinds={"pytorch", "huggingface"},
    description="A policy that has learned the messages of verified episodes.",
)
def sft_policy(
    context: dg.AssetExecutionContext, config: TrainingConfig, store: StoreResource, trainer: dg.PipesSubprocessClient
) -> Iterator[dg.MaterializeResult[None]]:
    home = store.resolved()
    data = latest_rows(home, "sft")
    if "rl_dataset" not in _made_by(context):  # else it may not be there yet: nothing here waits for it
        _check_what_follows(context, store, "rl_policy", "policy_evaluation")
    run = run_of(home, "sft_policy", [name_of(home, data), config.path().read_text()])
    yield go(context, trainer, run, ["sft", "--recipe", config.path(), "--data", data, "--out", run.out, "--resume"])


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    code_version=CODE_VERSION,
    deps=["sft_policy", "rl_dataset"],
    kinds={"pytorch", "huggingface"},
    description="The policy, trained further by playing in live environments: rewarded by verifiers, group by group.",
)
def rl_policy(
    context: dg.AssetExecutionContext, config: PlayingConfig, store: StoreResource, trainer: dg.PipesSubprocessClient
) -> Iterator[dg.MaterializeResult[None]]:
    home, curriculum = store.resolved(), config.curriculum_path()
    data = latest_rows(home, "rl")
    check_protocol(data, config.path(), "rl_policy")
    _check_what_follows(context, store, "policy_evaluation")
    begun = made_last(home, "sft_policy")
    chosen = [] if curriculum is None else [curriculum.read_text()]
    asked: list[object] = [
        name_of(home, data),
        name_of(home, begun),
        *models_beside(),
        config.path().read_text(),
        *chosen,
    ]
    run = run_of(home, "rl_policy", asked)
    only = [] if curriculum is None else ["--curriculum", curriculum]
    given = ["--recipe", config.path(), "--data", data, "--home", home.root, "--policy", begun, "--out", run.out]
    yield go(context, trainer, run, ["grpo", *given, *only, "--resume"], begun)


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    code_version=CODE_VERSION,
    deps=["rl_policy", "rl_dataset"],
    kinds={"pytorch"},
    description="What the policy passes of tasks it has not seen: greedily and at a temperature, by split.",
)
def policy_evaluation(
    context: dg.AssetExecutionContext, config: EvaluationConfig, store: StoreResource, trainer: dg.PipesSubprocessClient
) -> Iterator[dg.MaterializeResult[None]]:
    home = store.resolved()
    data = latest_rows(home, "rl")
    check_protocol(data, config.path(), "policy_evaluation")
    policy = None if config.policy == _ENDPOINT else made_last(home, config.policy)
    player = _of_endpoint() if policy is None else name_of(home, policy)
    asked: list[object] = [
        name_of(home, data),
        player,
        *models_beside(),
        config.k,
        config.splits,
        config.path().read_text(),
    ]
    run = run_of(home, "policy_evaluation", asked)
    splits = [word for split in config.splits for word in ("--split", split)]
    played_by = ["--endpoint"] if policy is None else ["--policy", policy]
    given = ["--recipe", config.path(), "--data", data, "--home", home.root, *played_by, "--out", run.out]
    yield go(context, trainer, run, ["evaluate", *given, "--k", config.k, *splits], player)


def _of_endpoint() -> str:
    """The model that is asked to play, and where."""
    settings = LanguageSettings.from_environment()
    if settings.base_url is None:
        raise UsageError("There is no endpoint to evaluate: set ENVFACTORY_LLM_BASE_URL and ENVFACTORY_MODEL.")
    return f"{settings.model(Role.SOLVER)} at {settings.base_url}"


def _made_by(context: dg.AssetExecutionContext) -> Mapping[str, Any]:
    """The assets of this run, with what was resolved as their configuration: defaults, and what the environment's
    variables say."""
    ops = context.get_step_execution_context().resolved_run_config.ops
    return {name: op.config for name, op in ops.items()}


def _check_what_follows(context: dg.AssetExecutionContext, store: StoreResource, *names: str) -> None:
    """What this run goes on with is looked at before the hours that come first, not after them."""
    made = _made_by(context)
    for name in names:
        if name in made:
            config = PlayingConfig(recipe=made[name].get("recipe"), curriculum=made[name].get("curriculum"))
            config.curriculum_path()
            check_protocol(latest_rows(store.resolved(), "rl"), config.path(), name)


POLICIES: list[dg.AssetsDefinition] = [sft_policy, rl_policy, policy_evaluation]
