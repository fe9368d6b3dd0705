"""Co-evolution: what comes after the target tasks of a round, from its training data to the evaluation of its policies.

Belongs here: what each asset is called and shown as, and the training of its policies. Does not: running the trainer
(`trainer_runs`), and how anything else is made (`arena`).
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg

from envfactory_dagster.arena.earlier import refuse_if_followed
from envfactory_dagster.arena.policies import POLICY_OF, policy_before
from envfactory_dagster.arena.practice import NOTHING_TO_PRACTISE, RoundPracticeStage
from envfactory_dagster.arena.practice import STAGE as PRACTICE
from envfactory_dagster.arena.round_evaluation import SIMULATED, RoundEvaluationStage
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.assets.arena import GROUP, ONE_BY_ONE, round_asset
from envfactory_dagster.assets.metadata import as_metadata
from envfactory_dagster.assets.retrying import MODEL_CALLS, SANDBOXES
from envfactory_dagster.assets.stage import edge
from envfactory_dagster.assets.trainer_runs import check_protocol, go, name_of, run_of
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.evolution import Arm, ArmPractice, RoundPolicy, RoundPractice
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.measuring.trained import is_finished, made_last
from envfactory_dagster.measuring.trainer_program import CODE_VERSION, models_beside
from envfactory_dagster.partitions import rounds
from envfactory_dagster.resources.arena import ArenaResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.resources.trained import FIRST
from envfactory_dagster.rollouts.reference import SimulatedLearner
from envfactory_dagster.store.copies import fetched
from envfactory_dagster.store.records import RecordStore

round_practice = round_asset(
    RoundPracticeStage,
    description="What is trained on after a round: the target tasks and some of what was trained on before, and for "
    "two controls as many tasks that the diagnosis did not choose.",
    gate="Every task is one that stood its trials, and none is held out or was played to examine.",
    after=["rl_dataset"],
    kinds=frozenset({"python", "parquet"}),
    pool=SANDBOXES,
)


def _policy(arm: Arm, description: str) -> dg.AssetsDefinition:
    """Every arm goes on from its own policy of the round before, so that all of them have taken equally many steps."""

    @dg.asset(
        name=POLICY_OF[arm],
        group_name=GROUP,
        owners=[f"team:{GROUP}"],
        partitions_def=rounds,
        backfill_policy=ONE_BY_ONE,
        code_version=CODE_VERSION,
        deps=[PRACTICE, edge(FIRST)],
        kinds={"pytorch"},
        output_required=False,
        description=description,
    )
    def policy(
        context: dg.AssetExecutionContext, store: StoreResource, arena: ArenaResource, trainer: dg.PipesSubprocessClient
    ) -> Iterator[dg.MaterializeResult[None]]:
        this, records = ArenaRound.of_key(context.partition_key), store.records()
        arena.check_training()
        practised = _practised(records, this)
        if not practised.arms:
            context.log.info(NOTHING_TO_PRACTISE)
            return
        practice = practised.of(arm)
        begun = policy_before(records, this, arm)
        if arena.simulates():
            yield _simulated(records, this, practice, begun, str(arena.policy))
        else:
            yield _trained(context, store, arena, trainer, this, practice, begun)

    return policy


def _practised(records: RecordStore, this: ArenaRound) -> RoundPractice:
    record = records.latest(PRACTICE, this.key)
    if record is None or record.artifact is None:
        reason = "it is not made yet" if record is None else record.reason
        raise UsageError(f"There is no {PRACTICE} of {this.key}: {reason}.")
    return RoundPractice.model_validate(record.artifact)


def _simulated(
    records: RecordStore, this: ArenaRound, practice: ArmPractice, begun: RoundPolicy | None, first: str
) -> dg.MaterializeResult[None]:
    """A learner whose name says that it was given these tasks as well."""
    before = SimulatedLearner.of_name(first if begun is None else begun.name)
    after = before.after(task.kind for task in practice.tasks)
    made = RoundPolicy(arm=practice.arm, name=after.name, simulated=True, begun=before.name, tasks=len(practice.tasks))
    return _kept(records, this, practice, made, after.name, {"note": SIMULATED})


def _trained(
    context: dg.AssetExecutionContext,
    store: StoreResource,
    arena: ArenaResource,
    trainer: dg.PipesSubprocessClient,
    this: ArenaRound,
    practice: ArmPractice,
    begun: RoundPolicy | None,
) -> dg.MaterializeResult[None]:
    home, recipe = store.resolved(), arena.recipe_path()
    below = this.practice(home, practice.arm, practice.dataset)
    data = fetched(below, f"datasets/rl/{practice.dataset}/rows")
    check_protocol(data, recipe, POLICY_OF[practice.arm])
    given: Path
    if begun is None:
        given = made_last(home, FIRST)
    else:
        assert begun.path is not None, "what is trained has a folder"
        given = fetched(home, begun.path) / "policy"
    asked: list[object] = [name_of(below, data), name_of(home, given), *models_beside(), recipe.read_text()]
    run = run_of(home, f"{POLICY_OF[practice.arm]}-{this.key}", asked)
    arguments = ["--recipe", recipe, "--data", data, "--home", below.root, "--policy", given, "--out", run.out]
    if not is_finished(run.out):
        _refuse_if_gone_on_with(store.records(), this, practice.arm)
    done = go(context, trainer, run, ["grpo", *arguments, "--resume"], given)
    made = RoundPolicy(
        arm=practice.arm,
        name=f"{POLICY_OF[practice.arm]}-{this.key} {run.out.name}",
        simulated=False,
        path=run.folder,
        begun=name_of(home, given),
        tasks=len(practice.tasks),
    )
    return _kept(store.records(), this, practice, made, run.out.name, dict(done.metadata or {}))


def _kept(
    records: RecordStore,
    this: ArenaRound,
    practice: ArmPractice,
    made: RoundPolicy,
    version: str,
    shown: dict[str, Any],
) -> dg.MaterializeResult[None]:
    inputs = content_hash([made.model_dump(mode="json"), practice.dataset])
    stage = POLICY_OF[practice.arm]
    if records.find(stage, this.key, inputs) is None:
        _refuse_if_gone_on_with(records, this, practice.arm)
    head = records.head(PRACTICE, this.key)
    records.keep(
        StageRecord(
            stage=stage, partition=this.key, status="ok", inputs=inputs, version=content_hash(version),
            parents={PRACTICE: None if head is None else head.version}, artifact=made.model_dump(mode="json"),
        )
    )  # fmt: skip
    facts = {
        "policy": made.name,
        "simulated": made.simulated,
        "goes_on_from": made.begun,
        "tasks": made.tasks,
        "because": [
            {"diagnosis": this.key, "environment": environment, "sentence": sentence, "tasks": count}
            for (environment, sentence), count in Counter(
                (task.environment, task.because) for task in practice.tasks if task.because
            ).items()
        ],
        "practised": [task.model_dump(mode="json") for task in practice.tasks],
    }
    return dg.MaterializeResult(data_version=dg.DataVersion(version), metadata={**as_metadata(facts), **shown})


def _refuse_if_gone_on_with(records: RecordStore, this: ArenaRound, arm: Arm) -> None:
    if arm == "targeted":
        refuse_if_followed(records, this)
    elif records.head(POLICY_OF[arm], this.next.key) is not None:
        raise UsageError(
            f"The {POLICY_OF[arm]} of {this.key} stays as it was, because that of {this.next.key} goes on from it."
        )


round_policy = _policy("targeted", "The policy of the round before, or rl_policy, trained on what it was weak in.")
control_untargeted = _policy(
    "untargeted", "A control: trained on as many fresh tasks that were drawn without the diagnosis."
)
control_base = _policy("base", "A control: trained on as many tasks of rl_dataset, and on nothing of the rounds.")

round_evaluation = round_asset(
    RoundEvaluationStage,
    description="What the policies of a round do in held-out environments, and the policy as the round began; how much "
    "more the targeted one passes than each other, task by task.",
    gate="At least one held-out episode of each policy was played to its end.",
    after=["rl_dataset"],
    kinds=frozenset({"llm", "parquet"}),
    pool=MODEL_CALLS,
)

EVOLUTION: list[dg.AssetsDefinition] = [
    round_practice, round_policy, control_untargeted, control_base, round_evaluation,
]  # fmt: skip
