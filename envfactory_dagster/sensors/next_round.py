"""Goes on with an experiment: when a round of co-evolution has come to its end, the next one is asked for.

Belongs here: noticing it, and asking for as many rounds as the first run was told. Does not: the rounds (`jobs`).

A run says by its tag `envfactory/rounds` how many rounds its experiment has in all; a run without it is one round, and
`envfactory evolve` makes its rounds itself. The next round has the configuration of the one before.

Each run that succeeds asks for the next round once. After a round has failed, there are two ways to go on: run that
round again, or run an earlier one again. The earlier one costs nothing, since it is finished, and asks for the rounds
after it, of which only those that are not finished cost anything.
"""

import dagster as dg

from envfactory_dagster.arena.round_evaluation import STAGE as LAST
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.jobs import co_evolution
from envfactory_dagster.partitions import one_key, one_tag, rounds
from envfactory_dagster.resources.store import StoreResource

ROUNDS_TAG = "envfactory/rounds"


@dg.run_status_sensor(
    run_status=dg.DagsterRunStatus.SUCCESS,
    name="next_round",
    monitored_jobs=[co_evolution],
    request_job=co_evolution,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description=f"Launches co_evolution for the next round of an experiment, where a run says by its tag {ROUNDS_TAG} "
    "how many there are to be.",
)
def next_round(context: dg.RunStatusSensorContext, store: StoreResource) -> dg.SensorResult | dg.SkipReason:
    run = context.dagster_run
    key, wanted = one_key(run.tags), run.tags.get(ROUNDS_TAG, "")
    if key is None or not wanted:
        return dg.SkipReason(f"The run is one round, because it has no tag {ROUNDS_TAG}.")
    if not wanted.isdecimal():
        return dg.SkipReason(f"The tag {ROUNDS_TAG} is {wanted!r}, which is no number of rounds.")
    this = ArenaRound.of_key(key)
    if this.next.number >= int(wanted):
        return dg.SkipReason(f"{this.key} was the last of {wanted} rounds.")
    evaluated = store.records().head(LAST, this.key)
    if evaluated is None:
        return dg.SkipReason(f"There is no record of an evaluation of {this.key}: run the whole round.")
    if evaluated.status != "ok":
        return dg.SkipReason(f"The experiment is over: after {this.key} there was nothing to practise.")
    if under_way := _under_way(context.instance, this.next.key):
        return dg.SkipReason(f"{this.next.key} is under way already, in the run {under_way}.")
    request = dg.RunRequest(
        run_key=f"{this.next.key} after {run.run_id}",
        run_config=run.run_config,
        tags={**one_tag(this.next.key), ROUNDS_TAG: wanted},
    )
    return dg.SensorResult([request], dynamic_partitions_requests=[rounds.build_add_request([this.next.key])])


def _under_way(instance: dg.DagsterInstance, key: str) -> str | None:
    """A run of this round that has not ended."""
    runs = instance.get_runs(dg.RunsFilter(job_name=co_evolution.name, tags=one_tag(key)))
    return next((run.run_id for run in runs if not run.is_finished), None)
