"""Nothing that a model or somebody else's bundle says can control the terminal."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import envfactory_dagster.commands
from envfactory_dagster import cli
from envfactory_dagster.commands.console import Console
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.errors import (
    EnvFactoryError,
    EnvironmentFault,
    InfrastructureFault,
    PartitionsFailed,
    UsageError,
)
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.catalogue.home_kit import keep_proposal
from tests.commands.terminal import Said
from tests.support.tiny import BOOLEAN, STRING, schema, tiny, tool

Type = Callable[..., Said]

HOSTILE = "\x1b]52;c;cm0gLXJmIH4=\x07\x1b[2J\x9b1A\rall is well\x7f"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
SHOUT = f'''
def shout(env, *, back: bool = False) -> dict:
    """Say it."""
    if back:
        return {{"said": {HOSTILE!r}}}
    raise env.Error({HOSTILE!r})
'''


@pytest.fixture
def shouting(tmp_path: Path) -> Path:
    definition = tool("shout", schema(back=BOOLEAN), schema(said=STRING))
    return tiny(source=SHOUT, definitions=[definition]).write(tmp_path / "shouting")


def test_the_error_of_a_tool_is_shown_with_its_escape_sequences_written_out(
    type_here: Type, shouting: Path, tmp_path: Path
) -> None:
    told = type_here(tmp_path / "home", "call", str(shouting), "shout")
    assert told.status == 1
    assert r"\u001b]52;c;cm0gLXJmIH4=" in told.err
    assert r"\u001b[2J\u009b1A" in told.err
    assert not CONTROL.search(told.out + told.err)


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_json_stays_the_same_json(type_here: Type, shouting: Path, tmp_path: Path, form: list[str]) -> None:
    told = type_here(tmp_path / "home", "call", str(shouting), "shout", "back=true", *form)
    assert not CONTROL.search(told.out)
    answer = json.loads(told.out)
    assert (answer["value"] if form else answer) == {"said": HOSTILE}


def test_tables_failures_and_plain_lines_write_them_out_too(
    type_here: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    home = Home.resolve(tmp_path / "home")
    store = RecordStore(home)
    keep_proposal(store, "harbour", f"Harbour {HOSTILE}", "Travel", "Skippers ask for berths.")
    record = StageRecord(
        stage="theme", partition="harbour", status="rejected", reason=HOSTILE, inputs="0" * 64, version="1" * 64
    )
    store.keep(record)
    for command in (
        ["catalog", "SELECT name FROM environments"],
        ["catalog", "FROM environments"],
        ["catalog", f'FROM "{HOSTILE}"'],
        ["show", "harbour"],
        ["show", "harbour", "--stage", "theme"],
    ):
        told = type_here(home.local, *command)
        assert not CONTROL.search(told.out + told.err), command
        assert r"\u001b[2J" in told.out + told.err, command


def test_colours_of_ours_remain(capsys: pytest.CaptureFixture[str]) -> None:
    Console(force_terminal=True, color_system="standard").print("\x1b[2J", style="red", markup=False, highlight=False)
    say("\x1b[2J\ttab\n")
    assert capsys.readouterr().out == "\x1b[31m\\u001b[2J\x1b[0m\n" + "\\u001b[2J\ttab\n\n"


@pytest.mark.parametrize("kind", [EnvFactoryError, EnvironmentFault, InfrastructureFault, UsageError, PartitionsFailed])
def test_what_is_raised_on_purpose_can_be_shown_as_it_is(kind: type[EnvFactoryError]) -> None:
    told = str(kind(f"The endpoint said: {HOSTILE}"))
    assert not CONTROL.search(told)
    assert r"\u001b]52;c;cm0gLXJmIH4=\u0007" in told


@pytest.mark.parametrize(
    "path",
    [*sorted(Path(envfactory_dagster.commands.__path__[0]).glob("*.py")), Path(cli.__file__)],
    ids=lambda path: path.stem,
)
def test_no_command_prints_past_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert path.stem == "terminal" or not re.search(r"(?<![\w.])print\(", text)
    assert not re.search(r"\b(?:typer|click)\.s?echo\w*|\bstd(?:out|err)\.write", text)
    assert path.stem == "console" or "rich.console" not in text
