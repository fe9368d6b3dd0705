"""Exports, tried with the tools of those they are for: each in a virtual environment of its own (`make test-peers`)."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.exchange.exporting import export
from envfactory_dagster.exchange.forms import FORMS
from envfactory_dagster.exchange.importing.building import build
from envfactory_dagster.exchange.importing.forms import READERS
from envfactory_dagster.runtime.runtime import Runtime

Folder = Callable[[str], Path]
ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).parent / "peers"
pytestmark = pytest.mark.peers


def peer(name: str, program: str, *arguments: str | Path, cwd: Path | None = None) -> str:
    binary = ROOT / ".venv-peers" / name / "bin" / program
    command = [str(binary), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr[-3000:] or done.stdout[-3000:]
    return done.stdout


def last_line(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text.splitlines()[-1])
    return found


def test_verifiers_validates_gold_and_noop(exported: Folder, tmp_path: Path) -> None:
    peer("verifiers", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", exported("verifiers"))
    arguments = ["envfactory-alpine-huts", "--runtime.type", "subprocess", "-o", tmp_path / "out"]
    text = peer("verifiers", "vf-validate", *arguments, cwd=tmp_path)
    found = json.loads(text[text.index("{\n") :])
    assert found["checks"]["gold"]["valid"] == found["checks"]["noop"]["valid"] == found["total"] == 6


@pytest.mark.parametrize(
    ("form", "key", "whole"), [("bfcl", "bfcl-multi-turn", 3), ("tau2", "tau2-library", 1)], ids=["bfcl", "tau2"]
)
async def test_verifiers_validates_what_was_imported(
    runtime: Runtime, tmp_path: Path, form: str, key: str, whole: int
) -> None:
    """The published solution of one task fails there as it does here; Pydantic, which tau2 needs, is there."""
    root = Path(__file__).parent / "published" / ("" if form == "bfcl" else form)
    made = await build(runtime, READERS[form](root)[key]())
    export(made.bundle, FORMS["verifiers"], tmp_path / key)
    peer("verifiers", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", tmp_path / key)
    arguments = [f"envfactory-{key}", "--runtime.type", "subprocess", "-o", tmp_path / "out"]
    text = peer("verifiers", "vf-validate", *arguments, cwd=tmp_path)
    found = json.loads(text[text.index("{\n") :])
    assert (found["total"], found["checks"]["gold"]["valid"]) == (whole + 1, whole)


def test_openenv_plays_over_its_websocket(exported: Folder, solutions: Path) -> None:
    binary = ROOT / ".venv-peers" / "openenv" / "bin" / "uvicorn"
    command = [str(binary), "server.app:app", "--port", "0"]
    server = subprocess.Popen(command, cwd=exported("openenv"), stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        heard = next(line for line in server.stderr if "running on" in line)
        url = re.search(r"http://\S+", heard)
        assert url is not None
        played = last_line(peer("openenv", "python", SCRIPTS / "play_openenv.py", url[0], solutions))
    finally:
        server.kill()
        server.communicate()
    assert len(played) == 6
    assert all(one == {"gold": 1.0, "noop": 0.0, "over": True} for one in played.values()), played


def test_openenv_reads_its_manifest(exported: Folder, tmp_path: Path) -> None:
    text = peer("openenv", "openenv", "validate", ".", "--json", cwd=exported("openenv"))
    assert '"FAIL"' not in text.upper() and "static.manifest" in text


def test_inspect_scores_gold_and_noop(exported: Folder, calls: Path, tmp_path: Path) -> None:
    played = last_line(peer("inspect", "python", SCRIPTS / "play_inspect.py", exported("inspect"), calls, cwd=tmp_path))
    assert len(played) == 6
    assert all(one == {"gold": 1.0, "noop": 0.0} for one in played.values()), played


def test_skyrl_steps_through_gold_and_noop(exported: Folder, calls: Path) -> None:
    played = last_line(peer("skyrl", "python", SCRIPTS / "play_skyrl.py", exported("skyrl"), calls))
    assert len(played) == 6
    assert all(one == {"gold": 1.0, "noop": 0.0, "over": True} for one in played.values()), played


def test_verl_plays_gold_and_noop(exported: Folder, calls: Path) -> None:
    played = last_line(peer("verl", "python", SCRIPTS / "play_verl.py", exported("verl"), calls))
    assert len(played["found"]) == 6
    assert all(one == {"gold": 1.0, "noop": 0.0} for one in played["found"].values()), played


def test_nemo_gym_plays_gold_and_noop(exported: Folder, calls: Path) -> None:
    played = last_line(peer("nemo_gym", "python", SCRIPTS / "play_nemo_gym.py", exported("nemo-gym"), calls))
    assert len(played) == 6
    assert all(one == {"gold": 1.0, "noop": 0.0} for one in played.values()), played


def test_harbor_reads_its_tasks(exported: Folder) -> None:
    read = last_line(peer("harbor", "python", SCRIPTS / "read_harbor.py", exported("harbor")))
    assert len(read) == 6 and all(urls == ["http://world:8000/mcp"] for urls in read.values())
