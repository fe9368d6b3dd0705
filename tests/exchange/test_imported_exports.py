"""What was imported goes out again: it plays and judges elsewhere as it does here."""

import ast
import asyncio
import importlib.util
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import pytest_asyncio
from typer.testing import CliRunner

from envfactory_dagster.cli import app
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.exchange.exporting import export, exportable
from envfactory_dagster.exchange.forms import FORMS, PYDANTIC
from envfactory_dagster.exchange.importing.building import build
from envfactory_dagster.exchange.importing.forms import READERS
from envfactory_dagster.runtime.bundle_scripts import object_server_source
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.programs import DONE, calls_of
from envfactory_dagster.truth.verdicts import TaskChecks, judge

PUBLISHED = Path(__file__).parent / "published"
FOLDERS = {"bfcl": PUBLISHED, "tau2": PUBLISHED / "tau2", "envscaler": PUBLISHED / "envscaler"}
TRIED: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "bfcl": [
        ("create_ticket", {"title": "Fan"}),
        ("close_ticket", {"number": 99}),
        ("close_ticket", {"number": "two"}),
        ("draw_ticket", {}),
        ("list_tickets", {}),
        ("break_down", {}),
    ],
    "tau2": [
        ("find_book", {"book_id": "B1"}),
        ("lend", {"book_ids": ["B1"], "reader": "ana"}),
        ("lend", {"book_ids": ["B9"], "reader": "ana"}),
        ("take_note", {"subject": "a", "text": "b"}),
    ],
    "envscaler": [
        ("add_member", {"name": "Bo", "voice": "bass"}),
        ("add_member", {"name": "Bo", "voice": "bass"}),
        ("add_member", {}),
    ],
}
"""Of each form: what works, what is refused, and what breaks."""


@pytest_asyncio.fixture(scope="module", params=FOLDERS)
async def imported(request: pytest.FixtureRequest, runtime: Runtime) -> tuple[str, Bundle]:
    [read] = READERS[request.param](FOLDERS[request.param]).values()
    return request.param, (await build(runtime, read())).bundle


@pytest.fixture
def episodes(imported: tuple[str, Bundle], tmp_path: Path) -> tuple[ModuleType, Path]:
    """`episode.py` of an export, and the bundle beside it."""
    folder = export(imported[1], FORMS["trl"], tmp_path / "exported").folder
    spec = importlib.util.spec_from_file_location("episode_of_imported", folder / "episode.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, folder / "bundle"


async def test_episodes_end_there_as_they_end_here(
    runtime: Runtime, imported: tuple[str, Bundle], episodes: tuple[ModuleType, Path]
) -> None:
    form, bundle = imported
    module, folder = episodes
    scores = set()
    for task in exportable(bundle).tasks:
        gold = calls_of(bundle.solutions[task.id]) if task.id in bundle.solutions else []
        assert gold is not None
        for calls in (gold, gold[:-1], [], TRIED[form], [*TRIED[form], *gold]):
            here, answers = await _here(runtime, bundle, task, calls)
            with module.Episode(folder, task.id) as episode:
                assert [_said(episode.call(tool, arguments)) for tool, arguments in calls] == answers
                episode.call("finish", DONE.model_dump())
            assert episode.verdict["status"] == "judged"
            assert (episode.verdict["score"], episode.verdict["reasons"]) == here, (task.id, calls)
            scores.add(here[0])
    assert {0.0, 1.0} <= scores or form == "envscaler"


async def _here(
    runtime: Runtime, bundle: Bundle, task: Task, calls: list[tuple[str, dict[str, Any]]]
) -> tuple[tuple[float, list[str]], list[Any]]:
    steps = [TracedStep(tool=tool, arguments=arguments) for tool, arguments in calls]
    run = await run_calls(runtime, bundle, task, steps, DONE)
    verdict = await judge(runtime, TaskChecks(task, bundle.verifiers[task.id], bundle.answer_form(task.id)), run)
    return (verdict.score, verdict.reasons), [call.error if call.error else call.value for call in run.calls]


def _said(result: dict[str, Any]) -> Any:
    return result["content"][0]["text"] if result["isError"] else result["structuredContent"]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_carries_it(imported: tuple[str, Bundle], form: str, tmp_path: Path) -> None:
    source, bundle = imported
    folder = export(bundle, FORMS[form], tmp_path / "exported").folder
    for text in {path.read_text() for path in folder.rglob("*.py")}:
        assert "envfactory_dagster" not in {
            (node.module or "").split(".")[0] for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)
        }
    assert (PYDANTIC in (folder / "README.md").read_text()) is (source == "tau2")
    for file in folder.rglob("world/Dockerfile"):
        lines = file.read_text().splitlines()
        assert ("pip install" in lines[2]) is (source == "tau2") and lines[-1].startswith("CMD"), lines
    published = {path.stem for path in folder.rglob("bundle/published/*.py")}
    assert published == set(bundle.published)


def test_what_comes_with_pydantic_needs_it_too(imported: tuple[str, Bundle]) -> None:
    source, bundle = imported
    assert exportable(bundle).needs_pydantic is (source == "tau2")
    typed = dict.fromkeys(bundle.published, "from typing_extensions import TypedDict\n")
    assert exportable(replace(bundle, published=typed)).needs_pydantic


def test_parts_of_its_server_do_not_overwrite_each_other() -> None:
    names: list[str] = []
    for node in ast.parse(object_server_source()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    assert sorted(names) == sorted(set(names))


async def test_sets_have_the_order_that_they_have_here(runtime: Runtime, tmp_path: Path) -> None:
    """Whatever the variables of the process say."""
    published = shutil.copytree(PUBLISHED, tmp_path / "published")
    code = published / "bfcl_eval/eval_checker/multi_turn_eval/func_source_code/ticket_api.py"
    code.write_text(
        f"{code.read_text()}\n    def words(self):\n        hours = datetime.datetime.fromtimestamp(0).hour"
        "\n        return {'hours': hours, 'words': list(set('abcdefghijklmnop'))}\n"
    )
    documents = published / "bfcl_eval/data/multi_turn_func_doc/ticket_api.json"
    told = {"name": "words", "description": "Some words.", "parameters": {"type": "dict", "properties": {}}}
    documents.write_text(f"{documents.read_text()}{json.dumps(told)}\n")
    [read] = READERS["bfcl"](published).values()
    bundle = (await build(runtime, read())).bundle
    async with await runtime.open(bundle, state="multi_turn_base_0") as session:
        here = (await session.call("words")).value
    folder = bundle.write(tmp_path / "bundle")
    for seed, zone in (("1", "UTC0"), ("2", "UTC-5"), ("0", "UTC-5")):
        command = [sys.executable, "-S", str(folder / "server.py"), "--state", "multi_turn_base_0", "call", "words"]
        variables = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(tmp_path), "TZ": zone}
        done = await asyncio.to_thread(subprocess.run, command, env=variables, capture_output=True, check=True)
        assert json.loads(done.stdout)["value"] == here


def test_what_cannot_be_exported_says_why(imported: tuple[str, Bundle], tmp_path: Path) -> None:
    _, bundle = imported
    with pytest.raises(UsageError, match="imported without verifiers"):
        exportable(replace(bundle, verifiers={}))
    with pytest.raises(UsageError, match="import it again"):
        exportable(replace(bundle, judge_source=""))


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "home"))
    brought = CliRunner().invoke(app, ["import", str(PUBLISHED), "--from", "bfcl"])
    assert brought.exit_code == 0, brought.output
    out = CliRunner().invoke(
        app, ["export", "bfcl-multi-turn", "--to", "harbor", "--out", str(tmp_path / "out"), "--json"]
    )
    assert out.exit_code == 0 and json.loads(out.stdout)["bfcl-multi-turn"]["tasks"] == 4, out.output


def test_nobody_is_told_that_what_was_imported_was_tried(imported: tuple[str, Bundle], tmp_path: Path) -> None:
    card = (export(imported[1], FORMS["hub"], tmp_path / "hub").folder / "README.md").read_text()
    assert "They were not tried before this export" in card and "was tried before the release" not in card
    assert f"`envfactory audit {imported[1].key}` does that." in card and "published by others" in card
    openenv = export(imported[1], FORMS["openenv"], tmp_path / "openenv").folder
    assert "canaries: null" in (openenv / "openenv.yaml").read_text()
