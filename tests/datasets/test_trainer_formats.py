"""Rows in the forms of trainers: nothing is lost on the way, and nothing is put in."""

from io import BytesIO
from typing import Any

import orjson
import polars as pl
import pytest

from envfactory_dagster.contracts.dataset import RlRow, SftRow
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.datasets.checking import DatasetChecks, sharegpt_problems, unreadable, verl_problems
from envfactory_dagster.datasets.rows import RlSettings, SftSettings, Source, rl_rows, sft_rows
from envfactory_dagster.datasets.trainer_formats import Files, llama_factory, trl, verl
from envfactory_dagster.datasets.trainer_formats.canonical import canonical
from tests.datasets.conftest import Play
from tests.rollouts.scripted import Scripted, calls, followed

MADE = dict[str, MadeTask]
LOOK = calls(("list_payment_methods", {}), ("list_bookings", {}), text="I look.", reasoning_content="First, see.")


@pytest.fixture
def sft(source: Source, made: MADE, play: Play) -> Any:
    """The rows of an episode with two calls in one message and some thought."""

    async def rows(by_step: str = "thinking") -> list[SftRow]:
        gold = made["call_it_off"].solution
        agent = Scripted([LOOK, *followed(gold.calls, gold.report)], name=by_step)
        return sft_rows(source, [await play("call_it_off", agent)], SftSettings(by_step=by_step))[0]

    return rows


@pytest.fixture
def rl(source: Source) -> list[RlRow]:
    return rl_rows(source, RlSettings(protocols=("native", "meta_tools")))[0]


def lines(data: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in data.splitlines()]


def columns(data: bytes) -> list[dict[str, Any]]:
    """Columns of JSON as whoever does not know Arrow's type for it sees them: as text."""
    return pl.read_parquet(BytesIO(data)).to_dicts()


async def test_every_form_can_be_read_back(sft: Any, rl: list[RlRow]):
    for rows in (await sft(), await sft(by_step="never")):
        files = canonical("huts", rows) | trl.sft("huts", rows) | llama_factory.sft("huts", rows)
        assert len(files) == 5 and unreadable(rows, files) == []
    files = canonical("huts", rl) | trl.rl("huts", rl) | verl.rl("huts", rl)
    assert len(files) == 6 and unreadable(rl, files) == []


async def test_rows_say_the_same_as_lines_and_as_columns(sft: Any):
    files = canonical("huts", await sft())
    as_lines, as_columns = lines(files["rows/huts.jsonl"]), columns(files["rows/huts.parquet"])
    read = [{name: text if name == "id" else orjson.loads(text) for name, text in row.items()} for row in as_columns]
    assert read == as_lines


async def test_trl_gets_arguments_as_objects(sft: Any):
    [row] = await sft(by_step="never")
    [given] = lines(trl.sft("huts", [row])["trl/episodes/huts.jsonl"])
    calls_made = [one["function"] for message in given["messages"] for one in message.get("tool_calls", [])]
    assert all(isinstance(one["arguments"], dict) for one in calls_made)
    assert given["tools"] == row.tools
    assert given["id"] == row.id and given["bundle_version"] == row.trace.bundle_version


async def test_trl_trains_only_what_was_written_at_a_step(sft: Any):
    rows = await sft()
    given = lines(trl.sft("huts", rows)["trl/steps/huts.jsonl"])
    assert [len(one["completion"]) for one in given] == [1] * len(rows)
    assert [one["prompt"][-1]["role"] for one in given] == ["user", *["tool"] * (len(rows) - 1)]
    assert given[0]["completion"][0]["reasoning_content"] == "First, see."


async def test_llama_factory_gets_turns(sft: Any):
    [row] = await sft(by_step="never")
    [given] = orjson.loads(llama_factory.sft("huts", [row])["llama_factory/envfactory_episodes/huts.json"])
    assert list(sharegpt_problems(given)) == []
    said = given["conversations"]
    assert [message["from"] for message in said[:3]] == ["human", "function_call", "observation"]
    assert [one["name"] for one in orjson.loads(said[1]["value"])] == ["list_payment_methods", "list_bookings"]
    assert len(orjson.loads(said[2]["value"])) == 2
    assert said[-1]["from"] == "function_call" and orjson.loads(said[-1]["value"])["name"] == "finish"
    assert given["system"] == row.messages[0]["content"]
    assert [tool["name"] for tool in orjson.loads(given["tools"])] == [tool["function"]["name"] for tool in row.tools]
    assert llama_factory.texts_left_out([row]) == 1


async def test_llama_factory_gets_thoughts_before_what_is_trained(sft: Any):
    first, *_ = orjson.loads(llama_factory.sft("huts", await sft())["llama_factory/envfactory_steps/huts.json"])
    assert first["conversations"][-1]["value"].startswith("<think>\nFirst, see.\n</think>\n\n[{")
    assert list(sharegpt_problems(first)) == []


async def test_llama_factory_is_told_of_the_files_that_are_there(sft: Any):
    files = llama_factory.sft("huts", await sft())
    info = orjson.loads(llama_factory.info(files)["llama_factory/dataset_info.json"])
    assert info.keys() == {"envfactory_steps"}
    assert all(name.startswith("llama_factory/envfactory_steps/") for name in files)
    assert info["envfactory_steps"]["file_name"] == "envfactory_steps"


def test_verl_gets_whole_tasks_and_turns_apart(rl: list[RlRow]):
    files = verl.rl("huts", rl)
    whole, turns = (
        pl.read_parquet(BytesIO(files[f"verl/sft{part}/huts.parquet"])).to_dicts() for part in ("", "_turns")
    )
    assert len(whole) + len(turns) == len(rl) and len(turns) == 2
    for row in [*whole, *turns]:
        assert list(verl_problems(row)) == []
    assert all(message.keys() == {"role", "content"} for row in whole for message in row["prompt"])
    truth = orjson.loads(whole[0]["reward_model"]["ground_truth"])
    assert truth["verifier"]["file"] == "verifiers/call_it_off.py"
    assert [field["name"] for field in truth["answer_form"]["fields"]] == ["money_back"]
    assert orjson.loads(turns[1]["extra_info"]["prefix_calls"])[0]["tool"]


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ([("human", "Hi."), ("gpt", "Hi."), ("gpt", "Still there?")], "as many questions as answers"),
        ([("human", "Hi."), ("observation", "{}")], "is of observation, not of gpt or function_call"),
        ([("human", "Hi."), ("function_call", "list_items()")], "a call is no JSON"),
        ([("human", "Hi."), ("function_call", '{"name": "list_items"}')], "a call is a name and its arguments"),
    ],
)
def test_what_llama_factory_would_leave_out_is_found(said: list[tuple[str, str]], problem: str):
    conversation = [{"from": who, "value": text} for who, text in said]
    assert any(problem in found for found in sharegpt_problems({"conversations": conversation, "tools": "[]"}))


def test_a_torn_file_is_found(rl: list[RlRow]):
    files: Files = canonical("huts", rl)
    torn = {name: data[: len(data) // 2] for name, data in files.items()}
    found = unreadable(rl, torn)
    assert any("rows/huts.parquet" in one for one in found) and any("rows/huts.jsonl" in one for one in found)


def test_an_environment_in_two_splits_is_a_leak(rl: list[RlRow]):
    checks = DatasetChecks()
    for split in ("held_out", "rl"):
        moved = [row.model_copy(update={"trace": row.trace.model_copy(update={"split": split})}) for row in rl]
        checks.add(moved, {}, [])
    assert checks.leaks({}, []) == ["alpine-huts is in held_out, rl"]


def test_a_held_out_tool_that_training_has_seen_is_a_leak(rl: list[RlRow]):
    checks = DatasetChecks()
    held = [row.model_copy(update={"trace": row.trace.model_copy(update={"split": "held_out_modules"})}) for row in rl]
    checks.add(held, {}, ["get_hut", "search_huts"])
    bodies = {"alpine-huts": {"get_hut": "a", "search_huts": "b"}, "other": {"get_inn": "a"}}
    assert checks.leaks(bodies, ["other"]) == ["alpine-huts offers get_hut, as training does"]
