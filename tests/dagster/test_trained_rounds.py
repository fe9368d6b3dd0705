"""A round of co-evolution with the trainer: a very small policy is served to be examined, and trained in three arms."""

import shutil
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml

from envfactory_dagster.arena.round_evaluation import TRAINED
from envfactory_dagster.contracts.evolution import RoundEvaluation, RoundPolicy
from envfactory_dagster.definitions import defs
from envfactory_dagster.partitions import ROUNDS, one_tag
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.commands.evolving_shop import build
from tests.trainer.shop import save_policy
from tests.trainer.training import RECIPE

pytestmark = pytest.mark.long

KEY = "x-r00"
SMALL = {"per_category": 1, "family_tasks": 2, "graph_tasks": 0, "program_tasks": 0, "practise": 2, "candidates": 1}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """With a policy that has learned nothing yet, and with tasks under the protocol of the recipe."""
    home = build(tmp_path / "home", "meta_tools")
    begun = home / "policies" / "rl_policy" / "given"
    save_policy(begun / "policy")
    (begun / "result.json").write_text('{"finished": true}')
    (begun.parent / "LATEST").write_text("given")
    return home


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """Like those of Qwen3: the policy is shown two tools that stand for all, and a window."""
    small = {"tasks": 1, "group": 2, "steps": 1, "most_new_tokens": 8, "longest": 4000}
    path, grpo = tmp_path / "short.yaml", {**RECIPE["grpo"], **small, "protocol": "meta_tools", "window": 3}
    base = shutil.copytree(tmp_path / "home" / "policies" / "rl_policy" / "given" / "policy", tmp_path / "base")
    path.write_text(yaml.safe_dump({**RECIPE, "policy": {"base": str(base)}, "grpo": grpo}))
    return path


def run(home: Path, recipe: Path, instance: dg.DagsterInstance) -> dg.ExecuteInProcessResult:
    arena = {**SMALL, "recipe": str(recipe)}
    return defs.resolve_job_def("co_evolution").execute_in_process(
        run_config={"resources": {"store": {"config": {"home": str(home)}}, "arena": {"config": arena}}},
        instance=instance,
        tags=one_tag(KEY),
    )


def test_a_round_is_played_trained_and_evaluated_and_a_second_run_of_it_is_free(
    home: Path, recipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "ENVFACTORY_HOME": str(home)}.items():
        monkeypatch.setenv(name, value)
    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions(ROUNDS, [KEY])
        assert run(home, recipe, instance).success
        records = RecordStore(Home.resolve(home))

        def artifact(stage: str) -> Any:
            record = records.latest(stage, KEY)
            assert record is not None and record.artifact is not None
            return record.artifact

        policies = {
            name: RoundPolicy.model_validate(artifact(name))
            for name in ("round_policy", "control_untargeted", "control_base")
        }
        for name, policy in policies.items():
            assert policy.path is not None and policy.path.startswith(f"policies/{name}-{KEY}/")
            assert (home / policy.path / "policy").is_dir() and policy.begun.endswith("rl_policy/given/policy")
            assert not policy.simulated
        made = RoundEvaluation.model_validate(artifact("round_evaluation"))
        assert [one.arm for one in made.arms] == ["before", "targeted", "untargeted", "base"]
        assert {(one.tasks, one.difference, one.low, one.high) for one in made.differences} == {(6, 0.0, 0.0, 0.0)}
        assert [one.policy for one in made.arms] == ["rl_policy given", *(one.name for one in policies.values())]
        assert (made.simulated, made.note) == (False, TRAINED)
        assert artifact("arena_results")["policy"].startswith("policy-")
        for played in (f"arena/{KEY}", "arena/x"):
            episodes = [path.read_text() for path in (home / played / "trajectories").rglob("*.jsonl")]
            assert episodes and all(
                '"protocol":"meta_tools"' in line for text in episodes for line in text.splitlines()
            )

        before = {path: path.stat().st_mtime_ns for path in home.rglob("*.log")}
        before |= {path: path.stat().st_mtime_ns for path in (home / "policies").rglob("result.json")}
        assert run(home, recipe, instance).success
        assert {path: path.stat().st_mtime_ns for path in before} == before, "no process was started"
