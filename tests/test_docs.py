"""The documents tell the truth: their Python runs, their commands and settings exist, their links lead somewhere."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
import typer.core
import typer.main
import yaml

from envfactory_dagster.cli import app
from envfactory_dagster.definitions import defs
from envfactory_dagster.language.messages import Role

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS = [
    pytest.param(block, id=f"{document.name}-{number}")
    for document in DOCUMENTS
    if document.exists()
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE))
    if "import " in block
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run(program: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "environment" not in done.stdout, "a call failed"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def blocks(language: str) -> list[str]:
    fence = re.compile(rf"^```{language}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return [block for document in DOCUMENTS for block in fence.findall(document.read_text())]


def commands(program: str) -> list[list[str]]:
    """The arguments of every call of a program in the shell blocks."""
    lines = [line for block in blocks("sh") for line in re.split(r"\n(?=\S)|&&|[>|]", block)]
    calls = [shlex.split(line, comments=True) for line in lines]
    return [words[1:] for words in calls if words[:1] == [program]]


@pytest.mark.parametrize("arguments", commands("envfactory"), ids=shlex.join)
def test_commands_take_what_they_are_shown_with(arguments: list[str]) -> None:
    command, name = typer.main.get_command(app), "envfactory"
    while isinstance(command, typer.core.TyperGroup):
        name, *arguments = arguments
        command = command.commands[name]
    command.make_context(name, list(arguments))


def test_make_targets_exist() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {call[0] for call in commands("make")} <= set(targets)


def test_settings_exist() -> None:
    known = "".join(path.read_text() for path in (ROOT / "envfactory_dagster").rglob("*.py"))
    known += "".join(f"ENVFACTORY_{role.upper()}_MODEL" for role in Role)
    for document in DOCUMENTS:
        for name in re.findall(r"ENVFACTORY_[A-Z_]*[A-Z]", document.read_text()):
            assert name in known, f"{document.name} tells of {name}"


def test_jobs_exist() -> None:
    for call in commands("dagster"):
        assert call[:2] == ["job", "execute"]
        assert call[call.index("-m") + 1] == "envfactory_dagster.definitions"
        assert defs.resolve_job_def(call[call.index("-j") + 1])


def test_run_configurations_are_valid() -> None:
    everything = defs.resolve_implicit_global_asset_job_def()
    configurations = [yaml.safe_load(block) for block in blocks("yaml")]
    runs = [configuration for configuration in configurations if "ops" in configuration]
    assert runs
    for configuration in runs:
        dg.validate_run_config(everything, configuration)
