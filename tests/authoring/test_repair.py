"""Wrong answers: the model is told whose fault it is, asked again for what failed, and given up on in the end."""

import re
from pathlib import Path

import pytest

from envfactory_dagster import examples
from envfactory_dagster.authoring.server_code import BATCH
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line
from tests.support.alpine_author import Answer, Asked, Spoil, alpine_author


def in_stage(stage: str, spoil: Spoil, times: int = 1) -> Spoil:
    """Spoil the answers of one stage until the report was shown so many times."""
    told = {"times": 0}

    def spoiled(asked: Asked, answer: Answer) -> Answer | str:
        if asked.schema != stage:
            return answer
        told["times"] += len(asked.reports)
        return answer if told["times"] >= times else spoil(asked, answer)

    return spoiled


def without_primary_key(_: Asked, answer: Answer) -> Answer:
    regions = next(table for table in answer["tables"] if table["name"] == "meals")
    regions["ddl"] = regions["ddl"].replace("id INTEGER PRIMARY KEY,", "id INTEGER,")
    return answer


def with_a_lost_hut(asked: Asked, answer: Answer) -> Answer:
    if asked.context["state"] == "winter":
        rooms = next(table for table in answer["tables"] if table["table"] == "rooms")
        rooms["rows"][0][1] = 77
    return answer


def without_a_description(_: Asked, answer: Answer) -> Answer:
    del answer["tools"][0]["inputSchema"]["properties"]["region"]["description"]
    return answer


def without_a_table(_: Asked, answer: Answer) -> Answer:
    for function in answer["functions"]:
        if function["name"] == "get_hut":
            function["source"] = function["source"].replace("FROM hut_amenities", "FROM hut_extras")
    return answer


WRONG_AT_FIRST = [
    ("theme", lambda _, answer: answer | {"rules": answer["rules"][:2]}, "answer", "6 rules were asked for"),
    ("task_set", lambda _, answer: {"tasks": answer["tasks"][:7]}, "tasks", "10 tasks were asked for"),
    ("database_schema", without_primary_key, "schema", "meals has no primary key"),
    ("seed_rows", with_a_lost_hut, "rows", "Table rooms, the row with id 1: it refers to a row of huts"),
    ("tool_spec", without_a_description, "spec", "search_huts: the parameter region has no description"),
    ("server_code", without_a_table, "code", "get_hut: .*hut_extras"),
]


@pytest.mark.parametrize(("stage", "spoil", "fault", "message"), WRONG_AT_FIRST, ids=lambda value: str(value)[:20])
async def test_a_wrong_answer_is_made_right_when_the_model_is_told(
    runtime: Runtime,
    settings: AuthoringSettings,
    proposal: PooledProposal,
    tmp_path: Path,
    stage: str,
    spoil: Spoil,
    fault: str,
    message: str,
) -> None:
    app = alpine_author(in_stage(stage, spoil))
    async with line(app, runtime, tmp_path, settings) as running:
        record = (await running.run(proposal, until=stage))[stage]
    assert record.status == "ok"
    assert max(attempt.number for attempt in record.attempts) == 2
    problems = [problem for attempt in record.attempts for problem in attempt.problems]
    assert {problem.fault for problem in problems} == {fault}
    assert re.search(message, problems[0].message)
    reports = [report for asked in app.state.asked for report in asked.reports]
    assert len(reports) == 1 and f"[{fault}]" in reports[0] and re.search(message, reports[0])


async def test_an_answer_without_anything_to_judge_is_asked_for_again_and_is_no_attempt(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path
) -> None:
    app = alpine_author(in_stage("tool_spec", lambda _, answer: "I would rather not."))
    async with line(app, runtime, tmp_path, settings) as running:
        record = (await running.run(proposal, until="tool_spec"))["tool_spec"]
    assert (record.status, [len(one.unusable) for one in record.attempts]) == ("ok", [1, 0]), "the last is the review"
    assert "holds no JSON object" in record.attempts[0].unusable[0].message
    (report,) = [report for asked in app.state.asked for report in asked.reports]
    assert "[answer] The answer holds no JSON object" in report


async def test_only_the_functions_that_failed_are_written_again(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path
) -> None:
    app = alpine_author(in_stage("server_code", without_a_table))
    async with line(app, runtime, tmp_path, settings) as running:
        record = (await running.run(proposal, until="server_code"))["server_code"]
    wanted = [asked.context["wanted"] for asked in app.state.asked if asked.schema == "server_code"]
    tools = {tool.name for tool in examples.load("alpine_huts").tools}
    assert {name for names in wanted[:-1] for name in names} == tools
    assert max(map(len, wanted[:-1])) == BATCH
    assert wanted[-1] == ["get_hut"]
    assert [attempt.number for attempt in record.attempts] == [1] * 4 + [2]


async def test_a_function_that_was_left_out_is_asked_for(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path
) -> None:
    def forgetful(_: Asked, answer: Answer) -> Answer:
        return {"functions": [f for f in answer["functions"] if f["name"] not in ("get_hut", "write_review")]}

    app = alpine_author(in_stage("server_code", forgetful))
    async with line(app, runtime, tmp_path, settings) as running:
        record = (await running.run(proposal, until="server_code"))["server_code"]
    assert record.status == "ok"
    assert app.state.asked[-1].context["wanted"] == ["get_hut", "write_review"]
    assert "The function of get_hut is missing." in app.state.asked[-1].reports[0]


@pytest.mark.parametrize(("stage", "spoil", "fault", "message"), WRONG_AT_FIRST, ids=lambda value: str(value)[:20])
async def test_what_never_passes_is_rejected_with_every_attempt(
    runtime: Runtime,
    settings: AuthoringSettings,
    proposal: PooledProposal,
    tmp_path: Path,
    stage: str,
    spoil: Spoil,
    fault: str,
    message: str,
) -> None:
    async with line(alpine_author(in_stage(stage, spoil, times=99)), runtime, tmp_path, settings) as running:
        records = await running.run(proposal)
    rejected: StageRecord = records[stage]
    assert (rejected.status, rejected.artifact) == ("rejected", None)
    assert f"not accepted after {settings.attempts} attempts; {fault}: " in rejected.reason
    assert re.search(message, rejected.reason)
    failed = [attempt.number for attempt in rejected.attempts if attempt.problems]
    assert failed == list(range(1, settings.attempts + 1))
    assert records["environment"].status == "skipped"
