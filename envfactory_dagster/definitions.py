"""The code location: everything Dagster loads, and nothing else.

Belongs here: the list. Does not: anything it lists.
"""

import dagster as dg

from envfactory_dagster.assets import (
    arena,
    benchmarks,
    datasets,
    discovery,
    environment,
    evolution,
    experience,
    standing,
    tasks,
    taxonomy,
    training,
    truth,
)
from envfactory_dagster.jobs import JOBS
from envfactory_dagster.resources.arena import ArenaResource
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.cluster import ClusterResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.sensors.failures import failed_runs
from envfactory_dagster.sensors.new_environments import new_environments
from envfactory_dagster.sensors.next_round import next_round
from envfactory_dagster.sensors.nightly import nightly_expansion

defs = dg.Definitions(
    assets=[
        discovery.theme_pool,
        *environment.SOURCES,
        *environment.LINE,
        *truth.LINE,
        *tasks.LINE,
        standing.standing,
        experience.trajectories,
        *datasets.DATASETS,
        *training.POLICIES,
        benchmarks.benchmark_results,
        taxonomy.taxonomy,
        *arena.ROUND,
        *evolution.EVOLUTION,
    ],
    jobs=JOBS,
    sensors=[new_environments, next_round, failed_runs],
    schedules=[nightly_expansion],
    resources={
        "store": StoreResource(),
        "cluster": ClusterResource(),
        "authoring": AuthoringResource(),
        "arena": ArenaResource(),
        # Told to stop, the trainer finishes its step and saves.
        "trainer": dg.PipesSubprocessClient(termination_timeout_seconds=300),
    },
    # A range is worked at concurrently within its step; a process for every step would only cost seconds.
    executor=dg.in_process_executor,
)
