"""The consumers' own parsers read our rows. Needs the extra `train`."""

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from benchmarks.consumers import byte_tokenizer, load, rows_parsed, trl_problems
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.datasets.rows import RlSettings, SftSettings, Source, rl_rows, sft_rows
from envfactory_dagster.datasets.trainer_formats import Files, llama_factory, trl, verl
from envfactory_dagster.datasets.trainer_formats.canonical import canonical
from envfactory_dagster.datasets.trainer_formats.trl import WHENCE
from tests.datasets.conftest import Play
from tests.rollouts.scripted import Line, Scripted, calls, finishes, followed

pytest.importorskip("trl")
pytest.importorskip("datasets")

THINKS = {"reasoning_content": "Next."}


def put(folder: Path, files: Files) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


@pytest.fixture
async def home(source: Source, made: dict[str, MadeTask], play: Play, tmp_path: Path) -> Path:
    """Rows whose tools and arguments have nothing in common: both protocols, with and without reasoning."""
    gold = made["call_it_off"].solution
    wrapped: list[Line] = [
        calls(("call_tool", {"tool_name": one.tool, "arguments": one.arguments}), **THINKS) for one in gold.calls
    ]
    meta = Scripted([calls(("list_tools", {}), **THINKS), *wrapped, finishes(gold.report, **THINKS)])
    rollouts = [
        await play("call_it_off", meta, protocol="meta_tools"),
        await play("call_it_off", Scripted(followed(gold.calls, gold.report))),
    ]
    sft, _ = sft_rows(source, rollouts, SftSettings())
    rl, _ = rl_rows(source, RlSettings(protocols=("native", "meta_tools")))
    files = canonical("huts", sft) | trl.sft("huts", sft) | llama_factory.sft("huts", sft)
    put(tmp_path / "datasets/sft/v1", files | llama_factory.info(files))
    put(tmp_path / "datasets/rl/v1", trl.rl("huts", rl) | verl.rl("huts", rl))
    for name in ("sft", "rl"):
        (tmp_path / "datasets" / name / "LATEST").write_text("v1")
    return tmp_path


def test_every_row_is_read_as_it_was_written(home: Path):
    parsed = rows_parsed(home)
    assert parsed.problems == []
    assert parsed.share == 1.0
    assert parsed.rows.keys() == {"trl", "llama_factory", "verl"} and min(parsed.rows.values()) > 8


def test_rows_can_be_handed_over_in_memory(home: Path):
    from datasets import Dataset

    written = [
        orjson.loads(line)
        for file in sorted((home / "datasets/rl/v1/trl/sft").glob("*.jsonl"))
        for line in file.read_bytes().splitlines()
    ]
    assert list(Dataset.from_list(written, on_mixed_types="use_json")) == written


def test_arguments_that_look_like_moments_stay_texts(tmp_path: Path):
    written = []
    for number, arguments in enumerate([{"from_day": "2026-03-01"}, {"from_day": "2026-03-02"}, {"words": "lamp"}]):
        call = {"type": "function", "function": {"name": "find", "arguments": arguments}}
        said = [{"role": "assistant", "content": "", "tool_calls": [call]}]
        written.append({"messages": said, "tools": [], **dict.fromkeys(WHENCE, "x")})
        (tmp_path / f"{number}.jsonl").write_bytes(orjson.dumps(written[-1]))
    assert load("json", sorted(tmp_path.iterdir()), ["messages", "tools"]) == written


def test_columns_give_every_row_its_own_schemas(home: Path):
    folder = home / "datasets/rl/v1/trl/sft"
    written = [orjson.loads(line) for line in (folder / "huts.jsonl").read_bytes().splitlines()]
    assert load("parquet", [folder / "huts.parquet"]) == written
    assert {len(row["tools"]) for row in written} == {3, 41, 42}


@pytest.fixture
def tokenizer() -> Any:
    return byte_tokenizer()


def row(**changes: Any) -> dict[str, Any]:
    call = {"type": "function", "function": {"name": "get_hut", "arguments": {"hut_id": 1}}}
    return {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Which hut is it?"},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "name": "get_hut", "content": '{"name": "Zirbenhaus"}'},
            {"role": "assistant", "content": "The Zirbenhaus."},
        ],
        "tools": [{"type": "function", "function": {"name": "get_hut", "description": "A hut.", "parameters": {}}}],
    } | changes


def test_a_sound_row_has_no_problems(tokenizer: Any):
    assert list(trl_problems(row(), tokenizer)) == []


def test_what_is_not_trained_is_found(tokenizer: Any):
    given = row()
    tokenizer.chat_template = tokenizer.chat_template.replace("{%- if message.tool_calls %}", "{%- if false %}")
    problems = list(trl_problems(given, tokenizer))
    assert any("is not trained" in problem for problem in problems)


def test_the_document_says_how_to_load_them(home: Path):
    import datasets
    import polars

    text = (Path(__file__).parents[2] / "docs" / "guides" / "datasets.md").read_text()
    folder = home / "datasets" / "sft" / "v1"
    names: dict[str, Any] = {"datasets": datasets, "polars": polars, "folder": folder}
    for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        exec(block, names)
    for name in ("episodes", "steps"):
        written = (folder / f"trl/{name}/huts.jsonl").read_bytes().splitlines()
        assert list(names[name]) == [orjson.loads(line) for line in written]
    assert orjson.loads(names["rows"][0]["trace"])["environment"] == "alpine-huts"
