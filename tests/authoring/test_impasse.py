"""Functions that no author could get accepted: what they rest on is reopened once, or they are done without."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.database import SeedRows
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.sources import LeftOutTool, SourceDocument, SourceSection
from envfactory_dagster.contracts.stages import StageInput
from envfactory_dagster.contracts.tools import ToolSpec
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line
from tests.support.alpine_author import RULES, STATES, Answer, Asked, Spoil, alpine_author, huts, seed

IMPASSE = "server_code_impasse"


@pytest.fixture
def settings() -> AuthoringSettings:
    return AuthoringSettings(states=STATES, rules_asked=RULES, attempts=2)


def demanding_what_is_not_kept(answer: Answer) -> Answer:
    """`get_hut` has to show a number that no table holds."""
    tool = next(tool for tool in answer["tools"] if tool["name"] == "get_hut")
    tool["outputSchema"]["properties"]["stars"] = {"type": "integer"}
    tool["outputSchema"]["required"].append("stars")
    return answer


def with_a_meal_cancelled(answer: Answer) -> Answer:
    """No order is left that `cancel_meal_order` could cancel as its author means to."""
    orders = next(table for table in answer["tables"] if table["table"] == "meal_orders")
    orders["rows"][3][5] = "cancelled"
    return answer


def with_a_broken_list(answer: Answer) -> Answer:
    for function in answer["functions"]:
        if function["name"] == "list_refunds":
            function["source"] = function["source"].replace("FROM refunds", "FROM nowhere")
    return answer


def blamed(answer: Answer, tool: str, **said: Any) -> Answer:
    """The answer to the question of the impasse, with something else said of one tool."""
    return {"tools": [one | said if one["tool"] == tool else one for one in answer["tools"]]}


async def made(
    spoil: Spoil, runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, folder: Path
) -> tuple[dict[str, StageRecord], list[Asked]]:
    app = alpine_author(spoil)
    async with line(app, runtime, folder, settings) as running:
        records = await running.run(proposal)
    return records, app.state.asked


def as_seen_after(records: dict[str, StageRecord], stage: str, *upstream: str) -> Any:
    return StageInput("alpine-huts", {name: records[name] for name in upstream}).artifact(stage)


async def test_a_tool_that_is_specified_wrongly_is_specified_anew(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path
) -> None:
    right = next(tool.model_dump(mode="json") for tool in huts().tools if tool.name == "get_hut")

    def spoil(asked: Asked, answer: Answer) -> Answer:
        if asked.schema == "tool_spec":
            return demanding_what_is_not_kept(answer)
        if asked.schema == IMPASSE:
            why = "The tables keep no stars."
            return blamed(answer, "get_hut", at_fault="spec", reason=why, definition=right)
        return answer

    hidden = LeftOutTool(name="get-forecast", reason="name")
    document = SourceDocument(kind="mcp_spec", title="Huts", unusable=[hidden])
    of_a_source = proposal.model_copy(update={"document": document})
    records, asked = await made(spoil, runtime, settings, of_a_source, tmp_path)
    code = records["server_code"]
    assert (code.status, records["environment"].status) == ("ok", "ok")
    assert code.metadata["changes"] == [{"changed": "the specification of get_hut", "why": "The tables keep no stars."}]
    assert [one.schema for one in asked].count(IMPASSE) == 1
    assert len(code.attempts) == 4 + (settings.attempts - 1) + 1, "the function that fits by now is not asked for again"
    spec = ToolSpec.model_validate(as_seen_after(records, "tool_spec", "tool_spec", "server_code"))
    assert (spec.tools, spec.left_out) == (huts().tools, [hidden]), "what the source has besides is still told"
    async with line(alpine_author(), runtime, tmp_path, settings) as running:
        assert running.bundle("alpine-huts").tools == huts().tools


async def test_rows_that_let_nothing_succeed_are_filled_in_anew(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path
) -> None:
    def spoil(asked: Asked, answer: Answer) -> Answer:
        if asked.schema == "seed_rows" and asked.context["state"] == "initial" and not asked.reports:
            return with_a_meal_cancelled(answer)
        if asked.schema == IMPASSE:
            return blamed(answer, "cancel_meal_order", at_fault="rows", reason="Order 4 is cancelled already.")
        return answer

    records, asked = await made(spoil, runtime, settings, proposal, tmp_path)
    assert (records["server_code"].status, records["environment"].status) == ("ok", "ok")
    told = [report for one in asked if one.schema == "seed_rows" for report in one.reports]
    assert len(told) == 1 and "cancel_meal_order can never succeed: Order 4 is cancelled already." in told[0]
    assert records["server_code"].metadata["changes"][0]["changed"] == "the rows of the state initial"
    kept = SeedRows.model_validate(records["seed_rows"].artifact)
    assert kept != seed(), "what was accepted first stays on record"
    for upstream in (("seed_rows", "server_code"), ("seed_rows", "environment")):
        assert SeedRows.model_validate(as_seen_after(records, "seed_rows", *upstream)) == seed()


@pytest.mark.parametrize("needed", [False, True])
async def test_a_tool_that_fails_for_good_is_left_out_where_no_task_needs_it(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path, needed: bool
) -> None:
    def spoil(asked: Asked, answer: Answer) -> Answer:
        if asked.schema == "server_code":
            return with_a_broken_list(answer)
        if asked.schema == IMPASSE and not needed:
            return blamed(answer, "list_refunds", needed_by=[])
        return answer

    records, asked = await made(spoil, runtime, settings, proposal, tmp_path)
    code = records["server_code"]
    assert [one.schema for one in asked].count(IMPASSE) == 1
    if needed:
        assert code.status == "rejected" and "nowhere" in code.reason
        return
    assert (code.status, records["environment"].status) == ("ok", "ok")
    assert code.metadata["changes"] == [{"changed": "list_refunds is left out", "why": "no task needs it"}]
    async with line(alpine_author(), runtime, tmp_path, settings) as running:
        bundle = await asyncio.to_thread(running.bundle, "alpine-huts")
    assert {tool.name for tool in huts().tools} - {tool.name for tool in bundle.tools} == {"list_refunds"}
    assert "list_refunds" not in bundle.tools_source


async def test_what_was_named_and_only_such_a_tool_had_is_left_out_in_the_end(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path
) -> None:
    def spoil(asked: Asked, answer: Answer) -> Answer:
        if asked.schema == "server_code":
            return with_a_broken_list(answer)
        return blamed(answer, "list_refunds", needed_by=[]) if asked.schema == IMPASSE else answer

    nowhere: Answer = {"tables": [], "tools": [], "tasks": [], "tables_for_a_tool": []}

    def judge(asked: Asked) -> Answer | None:
        if asked.schema == "named_things":
            return {"things": ["bunks", "refunds"]}
        if asked.schema == "named_things_found":
            refunds = nowhere | {"words": "refunds", "tools": ["list_refunds"]}
            return {"things": [nowhere | {"words": "bunks", "tables": ["rooms"]}, refunds]}
        return None

    wanted = SourceSection(title="What is wanted", text="Huts with bunks, and refunds.")
    described = proposal.model_copy(update={"document": SourceDocument(kind="typed", sections=[wanted])})
    async with line(alpine_author(spoil, judge), runtime, tmp_path, settings) as running:
        records = await running.run(described)
        bundle = await asyncio.to_thread(running.bundle, "alpine-huts")
    assert [(one.words, one.left_out) for one in bundle.provenance.named] == [("bunks", None), ("refunds", "given_up")]
    assert records["tool_spec"].metadata["named_left_out"] == 0
    assert records["environment"].metadata["named_left_out"] == 1


async def test_what_is_no_way_out_is_asked_for_again(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path
) -> None:
    """A fault of the specification wants another specification, and a task that needs the tool has to be there."""

    def spoil(asked: Asked, answer: Answer) -> Answer:
        if asked.schema == "server_code":
            return with_a_broken_list(answer)
        if asked.schema == IMPASSE and not asked.reports:
            return blamed(answer, "list_refunds", at_fault="spec", needed_by=["fly_to_the_moon"])
        return answer

    _, asked = await made(spoil, runtime, settings, proposal, tmp_path)
    reports = [one.reports for one in asked if one.schema == IMPASSE]
    assert len(reports) == 2 and reports[0] == []
    assert "there is no task fly_to_the_moon" in reports[1][0]
    assert "it has a `definition` where the specification is at fault" in reports[1][0]
