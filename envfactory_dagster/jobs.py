"""Selections of assets that are run together.

Belongs here: jobs, named as `dagster job execute -j NAME` takes them. Does not: when they run (`sensors`), or what the
assets do.
"""

import dagster as dg

from envfactory_dagster.assets import (
    arena,
    datasets,
    discovery,
    environment,
    evolution,
    experience,
    tasks,
    training,
    truth,
)

LINE = (*environment.LINE, *truth.LINE, *tasks.LINE)
"""From a theme to a release: the first and the last are first and last."""

discover_themes = dg.define_asset_job(
    "discover_themes",
    selection=dg.AssetSelection.assets(discovery.theme_pool),
    description="Propose new worlds, keep the suitable and distinct ones, and add a partition for each.",
)

build_environments = dg.define_asset_job(
    "build_environments",
    selection=dg.AssetSelection.assets(*environment.SOURCES, *LINE),
    description=(
        "Make environments from their themes with all their tasks, up to the release. Takes one partition, or a range: "
        '--tags \'{"dagster/asset_partition_range_start": FIRST, "dagster/asset_partition_range_end": LAST}\'.'
    ),
)

build_datasets = dg.define_asset_job(
    "build_datasets",
    selection=dg.AssetSelection.assets(experience.trajectories, *datasets.DATASETS),
    description="Play what was released, and make rows for SFT and RL of it.",
)

train_policy = dg.define_asset_job(
    "train_policy",
    selection=dg.AssetSelection.assets(*training.POLICIES),
    description="Train a policy on the datasets and in live environments, and evaluate it on what was held out.",
)

arena_round = dg.define_asset_job(
    "arena_round",
    selection=dg.AssetSelection.assets(*arena.ROUND),
    description="Examine a policy in environments it was not trained on, and say what it is weak in. Takes one round: "
    '--tags \'{"dagster/partition": "EXPERIMENT-r00"}\'.',
)

co_evolution = dg.define_asset_job(
    "co_evolution",
    selection=dg.AssetSelection.assets(*arena.ROUND, *evolution.EVOLUTION),
    description="A round of the arena, and training on what the policy was weak in, with two controls and an "
    'evaluation on what is held out. Takes one round: --tags \'{"dagster/partition": "EXPERIMENT-r00"}\'. With the tag '
    "`envfactory/rounds` the sensor `next_round` goes on until there were as many.",
)

JOBS = [discover_themes, build_environments, build_datasets, train_policy, arena_round, co_evolution]
