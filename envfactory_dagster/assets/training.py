"""Policies trained on the datasets, each by a process of its own: started, followed and resumed from here.

Belongs here: the assets `sft_policy`, `rl_policy`, `policy_evaluation`, `round_policy`, their configuration, and what
an exit status means. Does not: training (the package `trainer`, which nothing here imports).

    policies/NAME/RUN/   a run of the trainer. RUN stands for what goes in, so that a run that was cut off is gone on
                         with, and one that is finished is not repeated
    policies/NAME/LATEST the RUN that was materialized last: what follows goes on with its policy
"""

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import orjson
import yaml
from pydantic import Field

from envfactory_dagster.arena.earlier import target_texts
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.assets.retrying import tried_again
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.measuring import trainer_program
from envfactory_dagster.partitions import rounds
from envfactory_dagster.resources.dagster_internals import DagsterPipesExecutionError
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.copies import fetched, keep
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home

GROUP = "training"
_VERSION_LENGTH = 16
_PROTOCOL = "native"
"""Of recipes that name none, see `trainer.recipe`."""
_ENDPOINT = "endpoint"
_POLICIES, _LATEST = "policies", "LATEST"
_RUN, _GIVEN = "run", "given_policy"
"""Metadata: the name of the run's folder, and the policy that the run was given."""
_CODE_VERSION = "11"
"""Of the trainer: another makes other policies of the same data and recipe, and does not go on with runs of before."""

_FINAL = {
    2: "The recipe, the data or a checkpoint do not fit.",
    3: "All rewards are equal: there is nothing to learn from.",
    4: "The training diverged.",
    5: "There is not enough memory.",
}
"""Exit statuses after which another try would end in the same way."""

_AGAIN = {6: "No environment or endpoint answered, or the machine failed.", 143: "It was told to stop."}
"""Those after which another try goes on from the last checkpoint; so it does after a signal."""

_STATUS = re.compile(r"code (-?\d+)$")


class TrainingConfig(dg.Config):
    recipe: str | None = Field(
        default=None, description="A recipe that is shipped, or the path of one of your own. It has to be given."
    )

    def path(self) -> Path:
        known = ", ".join(sorted(one.stem for one in trainer_program.recipes().glob("*.yaml")))
        if self.recipe is None:
            raise UsageError(
                "No recipe is set, which says what model is trained: give every policy one, "
                f"`ops: {{sft_policy: {{config: {{recipe: …}}}}, …}}`, one of {known} or a file of your own."
            )
        shipped = trainer_program.recipes() / f"{self.recipe}.yaml"
        path = shipped if shipped.is_file() else Path(self.recipe).expanduser()
        if not path.is_file():
            raise UsageError(f"There is no recipe {self.recipe!r}: neither a file nor one of {known}.")
        return path.resolve()


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
    splits: list[str] = Field(default=["held_out", "held_out_modules"], description="The tasks that are played.")
    policy: str = Field(
        default="rl_policy",
        pattern="^(sft_policy|rl_policy|endpoint)$",
        description="Which one; `endpoint`: the model of ENVFACTORY_SOLVER_MODEL, which is paid for what it answers.",
    )


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    code_version=_CODE_VERSION,
    deps=["sft_dataset"],
    kinds={"pytorch", "huggingface"},
    description="A policy that has learned the messages of verified episodes.",
)
def sft_policy(
    context: dg.AssetExecutionContext, config: TrainingConfig, store: StoreResource, trainer: dg.PipesSubprocessClient
) -> Iterator[dg.MaterializeResult[None]]:
    home, data = store.resolved(), _rows(store, "sft")
    if "rl_dataset" not in _made_by(context):  # else it may not be there yet: nothing here waits for it
        _check_what_follows(context, store, "rl_policy", "policy_evaluation")
    run = _run_of(home, "sft_policy", [_name(home, data), config.path().read_text()])
    yield _go(context, trainer, run, ["sft", "--recipe", config.path(), "--data", data, "--out", run.out, "--resume"])


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    code_version=_CODE_VERSION,
    deps=["sft_policy", "rl_dataset"],
    kinds={"pytorch", "huggingface"},
    description="The policy, trained further by playing in live environments: rewarded by verifiers, group by group.",
)
def rl_policy(
    context: dg.AssetExecutionContext, config: PlayingConfig, store: StoreResource, trainer: dg.PipesSubprocessClient
) -> Iterator[dg.MaterializeResult[None]]:
    home, data, curriculum = store.resolved(), _rows(store, "rl"), config.curriculum_path()
    _check_protocol(data, config.path(), "rl_policy")
    _check_what_follows(context, store, "policy_evaluation")
    begun = made_last(home, "sft_policy")
    chosen = [] if curriculum is None else [curriculum.read_text()]
    asked: list[object] = [_name(home, data), _name(home, begun), *_others(), config.path().read_text(), *chosen]
    run = _run_of(home, "rl_policy", asked)
    only = [] if curriculum is None else ["--curriculum", curriculum]
    given = ["--recipe", config.path(), "--data", data, "--home", home.root, "--policy", begun, "--out", run.out]
    yield _go(context, trainer, run, ["grpo", *given, *only, "--resume"], begun)


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    code_version=_CODE_VERSION,
    deps=["rl_policy", "rl_dataset"],
    kinds={"pytorch"},
    description="What the policy passes of tasks it has not seen: greedily and at a temperature, by split.",
)
def policy_evaluation(
    context: dg.AssetExecutionContext, config: EvaluationConfig, store: StoreResource, trainer: dg.PipesSubprocessClient
) -> Iterator[dg.MaterializeResult[None]]:
    home, data = store.resolved(), _rows(store, "rl")
    _check_protocol(data, config.path(), "policy_evaluation")
    policy = None if config.policy == _ENDPOINT else made_last(home, config.policy)
    player = _of_endpoint() if policy is None else _name(home, policy)
    asked: list[object] = [_name(home, data), player, *_others(), config.k, config.splits, config.path().read_text()]
    run = _run_of(home, "policy_evaluation", asked)
    splits = [word for split in config.splits for word in ("--split", split)]
    played_by = ["--endpoint"] if policy is None else ["--policy", policy]
    given = ["--recipe", config.path(), "--data", data, "--home", home.root, *played_by, "--out", run.out]
    yield _go(context, trainer, run, ["evaluate", *given, "--k", config.k, *splits], player)


@dg.asset(
    group_name="arena",
    owners=["team:arena"],
    partitions_def=rounds,
    code_version=_CODE_VERSION,
    deps=["target_tasks", "rl_policy"],
    kinds={"pytorch"},
    description="The policy of the round before, or rl_policy, trained further on what it was weak in.",
)
def round_policy(
    context: dg.AssetExecutionContext, config: TrainingConfig, store: StoreResource, trainer: dg.PipesSubprocessClient
) -> Iterator[dg.MaterializeResult[None]]:
    home, this = store.resolved(), ArenaRound.of_key(context.partition_key)
    targets = this.targets(home)
    if not target_texts(store.records(), this):
        raise UsageError(f"There is nothing to practise after {this.key}: its target_tasks are none, or not made yet.")
    data = _rows(StoreResource(home=str(targets.root)), "rl")
    _check_protocol(data, config.path(), "round_policy")
    begun = made_last(home, _of_round(this.before[-1]) if this.before else "rl_policy")
    run = _run_of(home, _of_round(this), [_name(targets, data), _name(home, begun), config.path().read_text()])
    given = ["--recipe", config.path(), "--data", data, "--home", targets.root, "--policy", begun, "--out", run.out]
    yield _go(context, trainer, run, ["grpo", *given, "--resume"], begun)


def _of_round(one: ArenaRound) -> str:
    """The name of its policy, below `policies/`."""
    return f"round_policy-{one.key}"


@dataclass(frozen=True, slots=True)
class _Run:
    home: Home
    folder: str
    """Below the home."""
    out: Path
    """The same on this machine."""


def _go(
    context: dg.AssetExecutionContext,
    trainer: dg.PipesSubprocessClient,
    run: _Run,
    arguments: list[object],
    begun: Path | str | None = None,
) -> dg.MaterializeResult[None]:
    """The trainer as a process. What is finished is not done again. `begun`: the policy that it is given, or the model
    that it asks."""
    out = run.out
    if _is_finished(out):
        context.log.info("this run is finished already: %s", out)
        return _result(run, begun)
    command = trainer_program.command(*arguments)
    with tried_again(context):
        try:
            trainer.run(context=context, command=command, env=trainer_program.environment())
        except DagsterPipesExecutionError as error:
            raise _what_happened(error, out) from error
        finally:
            keep(run.home, run.folder)
        if not _is_finished(out):
            raise InfrastructureFault(f"The trainer ended without an outcome in {out}.")
        return _result(run, begun)


def _result(run: _Run, begun: Path | str | None) -> dg.MaterializeResult[None]:
    """The name of the run is the version: the same run is the same policy, another one makes what follows stale."""
    name, out = run.out.parent.name, run.out
    open_files(run.home.root / _POLICIES).replace(f"{name}/{_LATEST}", out.name.encode())
    given = {} if begun is None else {_GIVEN: str(begun)}
    return dg.MaterializeResult(
        data_version=dg.DataVersion(out.name), metadata={**_outcome(out), **given, _RUN: out.name}
    )


def _what_happened(error: DagsterPipesExecutionError, out: Path) -> Exception:
    """What an exit status means. One without a sentence is a defect: its traceback is in the log of the process."""
    found = _STATUS.search(str(error))
    status = int(found.group(1)) if found else 1
    said = _failure(out, status)
    if status in _AGAIN or status < 0:
        return InfrastructureFault(
            said or _AGAIN.get(status) or f"The trainer was killed by signal {-status}{_far(out)}."
        )
    if said or status in _FINAL:
        return dg.Failure(said or _FINAL[status], metadata={"exit_status": status}, allow_retries=False)
    return error


def _failure(out: Path, status: int) -> str:
    """The sentence that a process left behind when it ended with this status."""
    left = _read(out / "failure.json")
    return str(left["sentence"]) if left is not None and left["status"] == status else ""


def _far(out: Path) -> str:
    """How far a process came that could not say why it ended, and what memory it had."""
    left = _read(out / "running.json")
    return "" if left is None else f" after step {left['step']}, with {left['memory_gb']} GB of memory in use"


def _outcome(out: Path) -> dict[str, Any]:
    """What the process left behind at its end: figures, pictures and tables."""
    figures = {name: value for name, value in (_read(out / "result.json") or {}).items() if value is not None}
    pictures = {
        f"{path.stem}_plot": f"![{path.stem}](data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()})"
        for path in sorted(out.glob("*.png"))
    }
    texts = {path.stem: path.read_text() for path in sorted(out.glob("*.md"))}
    return figures | {name: dg.MetadataValue.md(text) for name, text in (pictures | texts).items()}


def _rows(store: StoreResource, name: str) -> Path:
    """The folder with the rows of the latest version of a dataset."""
    home = store.resolved()
    latest = open_files(home.datasets).read(f"{name}/{_LATEST}")
    if latest is None:
        raise UsageError(f"There is no dataset in {home.datasets / name} yet; materialize {name}_dataset first.")
    return fetched(home, f"datasets/{name}/{latest.decode().strip()}/rows")


def _run_of(home: Home, name: str, identity: list[object]) -> _Run:
    """With what it has reached already, wherever that was."""
    folder = f"{_POLICIES}/{name}/{content_hash([_CODE_VERSION, *identity])[:_VERSION_LENGTH]}"
    return _Run(home, folder, fetched(home, folder))


def _name(home: Home, path: Path) -> str:
    """The name of a folder of the home, the same on every machine."""
    return str(home.root / path.relative_to(home.local).as_posix())


def made_last(home: Home, name: str) -> Path:
    """The policy of the latest materialization: it may be an older run than others, whose recipe was taken again."""
    latest = open_files(home.root / _POLICIES).read(f"{name}/{_LATEST}")
    if latest is None:
        raise UsageError(f"There is no finished {name} in {home.root / _POLICIES / name} yet; materialize it first.")
    run = fetched(home, f"{_POLICIES}/{name}/{latest.decode().strip()}")
    if not _is_finished(run):
        raise UsageError(f"The {name} that was materialized last is not in {run}; materialize it again.")
    return run / "policy"


def _of_endpoint() -> str:
    """The model that is asked to play, and where."""
    settings = LanguageSettings.from_environment()
    if settings.base_url is None:
        raise UsageError("There is no endpoint to evaluate: set ENVFACTORY_LLM_BASE_URL and ENVFACTORY_MODEL.")
    return f"{settings.model(Role.SOLVER)} at {settings.base_url}"


def _others() -> list[str]:
    """Who plays the person of conversations, and who judges: others would make it another run."""
    settings = LanguageSettings.from_environment()
    return [settings.chosen(role) or "nobody" for role in (Role.USER, Role.JUDGE)]


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
            _check_protocol(_rows(store, "rl"), config.path(), name)


def _check_protocol(data: Path, recipe: Path, name: str) -> None:
    """That the dataset has tasks under the protocol of the recipe. A recipe that is none is told of by the trainer."""
    wanted = _protocol(recipe)
    rows = [orjson.loads(line) for file in data.glob("*.jsonl") for line in file.read_bytes().splitlines()]
    found = {row["protocol"] for row in rows if row.get("turn") is None}
    if found and wanted not in found:
        raise UsageError(
            f"{name} is to play under the protocol {wanted} (`grpo.protocol` of the recipe {recipe.stem}), and the "
            f"tasks of rl_dataset are under {' and '.join(sorted(found))}. Materialize rl_dataset with "
            f"`protocols: [{wanted}]`, or take a recipe with another protocol."
        )


def _protocol(recipe: Path) -> str:
    try:
        found = yaml.safe_load(recipe.read_text())
    except yaml.YAMLError:
        return _PROTOCOL
    grpo = found.get("grpo") if isinstance(found, dict) else None
    return str(grpo.get("protocol", _PROTOCOL)) if isinstance(grpo, dict) else _PROTOCOL


def _is_finished(out: Path) -> bool:
    return bool((_read(out / "result.json") or {}).get("finished"))


def _read(path: Path) -> dict[str, Any] | None:
    found: dict[str, Any] | None = orjson.loads(path.read_bytes()) if path.is_file() else None
    return found


POLICIES: list[dg.AssetsDefinition] = [sft_policy, rl_policy, policy_evaluation]
