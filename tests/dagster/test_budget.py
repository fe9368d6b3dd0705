"""A budget is the whole run's: its steps spend it together, and a step that finds it spent is not tried again."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import dagster as dg
import pytest

from envfactory_dagster.assets.retrying import tried_again
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource

WORDS = 400


def asking(name: str, *upstream: str) -> dg.AssetsDefinition:
    """An asset that has a text of its own embedded, which costs no more than its length and one token for each word."""

    @dg.asset(name=name, deps=list(upstream))
    def asset(context: dg.AssetExecutionContext, store: StoreResource, authoring: AuthoringResource) -> None:
        with tried_again(context):
            asyncio.run(ask(name, store, authoring))

    return asset


async def ask(name: str, store: StoreResource, authoring: AuthoringResource) -> None:
    async with authoring.gateway(store) as gateway:
        await gateway.embed(caller=Caller(name, "", Role.EMBEDDER), texts=[f"{name} " * WORDS])


FOR_ONE = len("second " * WORDS) + WORDS // 2
"""Tokens that suffice for either asset, and not for both."""


def run(
    home: Path, monkeypatch: pytest.MonkeyPatch, authoring: Any = None, names: Sequence[str] = ("first", "second")
) -> dg.ExecuteInProcessResult:
    monkeypatch.setenv("ENVFACTORY_BUDGET_TOKENS", str(FOR_ONE))
    resources = {"store": StoreResource(home=str(home)), "authoring": authoring or AuthoringResource()}
    assets = [asking(name, *names[:place]) for place, name in enumerate(names)]
    with dg.DagsterInstance.ephemeral() as instance:
        return dg.materialize(assets, instance=instance, resources=resources, raise_on_error=False)


def materialized(result: dg.ExecuteInProcessResult) -> list[str]:
    return [event.asset_key.to_user_string() for event in result.get_asset_materialization_events() if event.asset_key]


def test_steps_spend_one_budget_and_a_spent_one_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = run(tmp_path, monkeypatch)
    assert materialized(stopped) == ["first"], "either step alone would fit"
    (failure,) = [event for event in stopped.all_events if event.is_step_failure]
    assert "To go on, raise ENVFACTORY_BUDGET_USD or ENVFACTORY_BUDGET_TOKENS" in str(failure.step_failure_data.error)
    assert not any(event.is_step_up_for_retry for event in stopped.all_events)

    again = run(tmp_path, monkeypatch)
    assert materialized(again) == ["first", "second"], "a run begins anew, and what was paid is free"
    rows = read_ledger(tmp_path).sort("started_at")
    assert rows.select("asset", "cached").rows() == [("first", False), ("first", True), ("second", False)]
    assert 0 < rows["tokens_in"][0] <= FOR_ONE


def test_a_step_in_a_process_of_its_own_shares_the_budget_of_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each such process initialises the resource for itself, after other steps have spent."""

    @dg.resource
    def anew_after_spending(context: dg.InitResourceContext) -> Iterator[AuthoringResource]:
        with AuthoringResource.from_resource_context_cm(context) as of_another_step:
            asyncio.run(ask("first", StoreResource(home=str(tmp_path)), cast("AuthoringResource", of_another_step)))
        with AuthoringResource.from_resource_context_cm(context) as own:
            yield cast("AuthoringResource", own)

    assert materialized(run(tmp_path, monkeypatch, anew_after_spending, ["second"])) == []
    assert read_ledger(tmp_path)["asset"].to_list() == ["first"]


def test_a_moment_that_is_named_wins_over_the_beginning_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVFACTORY_BUDGET_SINCE", datetime.now(UTC).isoformat())
    assert materialized(run(tmp_path, monkeypatch, names=["first"])) == ["first"]
    assert materialized(run(tmp_path, monkeypatch, names=["second"])) == [], "an earlier run has spent it"
