"""`benchmark_results`: a policy of the home, and the model of an endpoint, each on a benchmark as a partition."""

import json
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import pytest_asyncio
import yaml

from envfactory_dagster.assets.benchmarks import benchmark_results
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.runtime import Runtime
from tests.measuring.shop_kit import with_dataset
from tests.trainer.clerk import MODEL, clerk
from tests.trainer.shop import build, save_policy
from tests.trainer.training import RECIPE
from trainer.evaluate import identity

pytestmark = pytest.mark.long


@pytest_asyncio.fixture(scope="module")
async def home(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop's tasks are held out, and an `rl_policy` that has learned nothing was materialized."""
    folder = tmp_path_factory.mktemp("benchmarks")
    home = with_dataset(await build(runtime, folder / "shop"), folder / "home")
    run = home / "policies" / "rl_policy" / "0123456789abcdef"
    save_policy(run / "policy")
    (run / "result.json").write_text(json.dumps({"finished": True}))
    (run.parent / "LATEST").write_text(run.name)
    return home


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("ENVFACTORY_LLM_ATTEMPTS", "1")


def measured(home: Path, partition: str, **config: Any) -> dg.ExecuteInProcessResult:
    return dg.materialize(
        [benchmark_results],
        partition_key=partition,
        resources={"store": StoreResource(home=str(home))},
        run_config={"ops": {"benchmark_results": {"config": config}}},
        raise_on_error=False,
    )


def told(result: dg.ExecuteInProcessResult) -> dict[str, Any]:
    assert result.success
    (event,) = result.get_asset_materialization_events()
    shown = event.materialization.metadata
    table = shown["scores"]
    assert isinstance(table, dg.TableMetadataValue)
    scores = {one.data["category"]: one.data for one in table.records}
    return {name: value.value for name, value in shown.items()} | {"scores": scores}


def test_a_policy_of_the_home_is_served_and_measured(home: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "shop.yaml"
    recipe.write_text(yaml.safe_dump(RECIPE | {"grpo": {**RECIPE["grpo"], "most_new_tokens": 8}}))
    shown = told(measured(home, "held-out|rl_policy", recipe=str(recipe), k=2))
    assert shown["model"] == identity(home / "policies" / "rl_policy" / "0123456789abcdef" / "policy")
    assert shown["endpoint"].startswith("trainer serve, recipe shop ")
    everything = shown["scores"]["all"]
    assert everything["tasks"] == 8 and {"score", "pass^1", "pass^2", "max@2"} <= everything.keys()
    tries = (Path(shown["path"]) / "tries.jsonl").read_text().splitlines()
    again = told(measured(home, "held-out|rl_policy", recipe=str(recipe), k=2))
    assert again["path"] == shown["path"], "the same weights are the same measurement at whatever port"
    assert len(tries) == 16 and (Path(again["path"]) / "tries.jsonl").read_text().splitlines() == tries


def test_the_model_of_the_endpoint_is_measured(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with clerk(items=[3, 5]) as (url, _):
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", MODEL)
        shown = told(measured(home, "held-out|endpoint"))
    assert (shown["model"], shown["endpoint"], shown["contaminated"]) == (MODEL, url, 0)
    assert shown["scores"]["all"]["score"] == 0.5


def test_what_is_not_complete_is_not_materialized(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_BUDGET_TOKENS", "37500")  # one message may be so long, and none after some
    with clerk() as (url, endpoint):
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", MODEL)
        result = measured(home, "held-out|endpoint", k=2)
    assert not result.success and not result.get_asset_materialization_events()
    assert 0 < endpoint.calls < 32


def test_a_policy_that_is_not_there_is_named(home: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "shop.yaml"
    recipe.write_text(yaml.safe_dump(RECIPE))
    result = measured(home, "held-out|sft_policy", recipe=str(recipe))
    (event,) = [event for event in result.all_events if event.is_step_failure]
    error, said = event.step_failure_data.error, ""
    while error is not None:
        error, said = error.cause, said + error.message
    assert "There is no finished sft_policy" in said
