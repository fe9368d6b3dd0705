"""What Dagster loads: the whole graph, ready to be looked at."""

from pathlib import Path

import dagster as dg
import yaml

from envfactory_dagster.assets.benchmarks import BENCHMARKS
from envfactory_dagster.definitions import defs
from envfactory_dagster.jobs import JOBS
from envfactory_dagster.partitions import ENVIRONMENTS, ROUNDS

ROOT = Path(__file__).parents[2]
LINE = [
    "source_document", "theme", "mined_data", "task_set", "database_schema", "seed_rows", "tool_spec", "server_code",
    "environment", "tool_graph", "reference_solutions", "inspection", "verifiers",
    "graph_tasks", "program_tasks", "task_families", "conversations", "release",
]  # fmt: skip
DATASETS = ["sft_dataset", "rl_dataset"]
POLICIES = ["sft_policy", "rl_policy", "policy_evaluation"]
WHOLES = ["theme_pool", "standing", "trajectories", *DATASETS, *POLICIES, "taxonomy"]
"""Assets that are of all environments together."""
ROUND = ["arena_tasks", "arena_results", "diagnosis", "richer_worlds", "target_tasks"]
ROUND_POLICIES = ["round_policy", "control_untargeted", "control_base"]
EVOLUTION = ["round_practice", *ROUND_POLICIES, "round_evaluation"]
GRAPH = defs.resolve_asset_graph()


def node(name: str) -> dg.AssetSpec:
    return defs.resolve_assets_def(name).get_asset_spec(dg.AssetKey(name))


def parents(name: str) -> set[str]:
    return {key.to_user_string() for key in GRAPH.get(dg.AssetKey(name)).parent_keys}


def test_the_pool_feeds_a_line_that_is_partitioned_by_environments() -> None:
    assert {key.to_user_string() for key in GRAPH.toposorted_asset_keys} == {
        *LINE,
        *WHOLES,
        *ROUND,
        *EVOLUTION,
        "benchmark_results",
    }
    assert {name for name in LINE if "theme_pool" in parents(name)} == {"source_document", "theme"}
    shown = {name for name in LINE if "source_document" in parents(name)}
    assert shown == {"theme", "mined_data", "task_set", "database_schema", "seed_rows", "tool_spec", "server_code"}
    mined = {name for name in LINE if "mined_data" in parents(name)}
    assert mined == {"task_set", "database_schema", "seed_rows", "server_code"}
    assert {node(name).partitions_def.name for name in LINE} == {ENVIRONMENTS}
    assert {node(name).partitions_def for name in WHOLES} == {None}
    assert node("benchmark_results").partitions_def == BENCHMARKS
    assert {node(name).partitions_def.name for name in (*ROUND, *EVOLUTION)} == {ROUNDS}


def test_an_environment_from_before_there_were_documents_is_not_stale_for_lack_of_one() -> None:
    """Dagster takes a new dependency for a reason to make an asset again, unless no partition of it is needed."""
    for name in ("theme", "task_set", "database_schema", "tool_spec"):
        (to_document,) = [dep for dep in node(name).deps if dep.asset_key == dg.AssetKey("source_document")]
        assert to_document.partition_mapping == dg.SpecificPartitionsPartitionMapping([])


def test_what_is_released_is_played_written_down_and_trained_on() -> None:
    assert parents("trajectories") == {"release"}
    assert parents("sft_dataset") == {"release", "trajectories"}
    assert parents("rl_dataset") == {"release"}
    assert parents("taxonomy") == {"release"}
    assert parents("sft_policy") == {"sft_dataset"}
    assert parents("benchmark_results") == {"sft_policy", "rl_policy", "rl_dataset"}
    assert parents("rl_policy") == {"sft_policy", "rl_dataset"}


def test_a_round_is_no_staler_for_what_was_released_since() -> None:
    (to_release,) = [dep for dep in node("arena_tasks").deps if dep.asset_key == dg.AssetKey("release")]
    assert to_release.partition_mapping == dg.SpecificPartitionsPartitionMapping([])
    assert parents("arena_results") == {"arena_tasks"}
    assert parents("diagnosis") == {"arena_tasks", "arena_results"}
    assert parents("richer_worlds") == {"arena_tasks", "diagnosis"}
    assert parents("target_tasks") == {"arena_tasks", "diagnosis", "richer_worlds"}
    assert parents("round_practice") == {"arena_tasks", "diagnosis", "target_tasks", "rl_dataset"}
    assert all(parents(name) == {"round_practice", "rl_policy"} for name in ROUND_POLICIES)
    assert parents("round_evaluation") == {"round_practice", *ROUND_POLICIES, "rl_dataset"}


def test_a_person_can_tell_what_each_asset_is() -> None:
    groups = {"discovery", "environment", "truth", "tasks", "experience", "training", "arena"}
    for name in (*LINE, *WHOLES, *ROUND, *EVOLUTION, "benchmark_results"):
        spec = node(name)
        assert spec.description and spec.kinds and spec.group_name in groups
        assert spec.owners == [f"team:{spec.group_name}"]
        assert node(name).code_version or name not in LINE


def test_everything_that_a_model_or_a_gate_decides_is_checked() -> None:
    checked = {key.asset_key.to_user_string() for key in GRAPH.asset_check_keys}
    assert checked == {"theme_pool", "standing", *LINE, *DATASETS, *ROUND, "round_practice", "round_evaluation"}


def test_a_check_says_what_its_gate_asks() -> None:
    asked = {name: next(iter(defs.resolve_assets_def(name).check_specs)).description for name in LINE}
    assert all(asked.values())
    assert len(set(asked.values())) == len(LINE)
    assert not [name for name, gate in asked.items() if gate and "passed its gate" in gate]


def test_a_pool_that_was_not_added_to_for_days_is_shown_as_overdue() -> None:
    policy = node("theme_pool").freshness_policy
    assert policy is not None
    assert {node(name).freshness_policy for name in LINE} == {None}


def test_jobs_take_what_their_names_say() -> None:
    selected = {
        job: {key.to_user_string() for key in defs.resolve_job_def(job).asset_layer.selected_asset_keys}
        for job in (one.name for one in JOBS)
    }
    assert selected == {
        "discover_themes": {"theme_pool"},
        "build_environments": set(LINE),
        "build_datasets": {"trajectories", *DATASETS},
        "train_policy": set(POLICIES),
        "arena_round": set(ROUND),
        "co_evolution": {*ROUND, *EVOLUTION},
    }


def test_the_workspace_and_the_project_name_the_same_module() -> None:
    (location,) = yaml.safe_load((ROOT / "workspace.yaml").read_text())["load_from"]
    module = location["python_module"]
    assert module["module_name"] == "envfactory_dagster.definitions"
    # `envfactory ui` gives Dagster the module, which is then the name under which switches and ticks are kept.
    assert module.get("location_name", module["module_name"]) == module["module_name"]
    assert 'code_location_target_module = "envfactory_dagster.definitions"' in (ROOT / "pyproject.toml").read_text()


def test_steps_of_all_runs_share_two_pools(tmp_path: Path) -> None:
    pools = {name: next(iter(defs.resolve_assets_def(name).node_def.pools)) for name in ("theme_pool", *LINE)}
    assert set(pools.values()) == {"model_calls", "sandboxes"}
    at_sandboxes = {name for name, pool in pools.items() if pool == "sandboxes"}
    assert at_sandboxes == {
        "server_code", "environment", "reference_solutions", "inspection", "verifiers", "release",
    }  # fmt: skip
