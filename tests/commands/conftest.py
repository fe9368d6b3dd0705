"""Two small environments, discovered and built once for all tests of this folder."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from envfactory_dagster.cli import main
from envfactory_dagster.library.collection import Library
from tests.commands.terminal import Said, Terminal

QUICK = ("little-quay-forest-edge-day-nursery", "marlow-fen-parish-bell-ringing-tower")
"""Small worlds of the library that are made in a few seconds."""


@pytest.fixture(scope="package")
def proposed(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """A home with two themes that nobody builds; tests work on copies of it."""
    terminal = Terminal(tmp_path_factory.mktemp("proposed") / "home")
    titles = [option for key in QUICK for option in ("--theme", Library().world(key).title)]
    done = terminal.factory("expand", *titles)
    assert done.status == 0, done.err
    return terminal


@pytest.fixture(scope="package")
def built(proposed: Terminal, tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """The same two, built without any trouble."""
    terminal = copy_of(proposed, tmp_path_factory.mktemp("built"))
    done = terminal.factory("build")
    assert done.status == 0, done.err
    return terminal


@pytest.fixture
def fresh(proposed: Terminal, tmp_path: Path) -> Terminal:
    """A copy of its own of the home with two themes."""
    return copy_of(proposed, tmp_path)


@pytest.fixture
def type_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Type `envfactory …` for some home, in this process: quicker, for what ends before anything runs."""

    def typed(home: Path | str, *arguments: str) -> Said:
        monkeypatch.setenv("ENVFACTORY_HOME", str(home))
        monkeypatch.setenv("DAGSTER_HOME", "")
        monkeypatch.setattr(sys, "argv", ["envfactory", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        return Said(int(end.value.code or 0), *capsys.readouterr())

    return typed


def copy_of(terminal: Terminal, folder: Path) -> Terminal:
    return Terminal(shutil.copytree(terminal.home, folder / "home"))
