"""The hut network in every form, written once."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.exchange.exporting import export
from envfactory_dagster.exchange.forms import FORMS


@pytest.fixture(scope="session")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest.fixture(scope="session")
def exported(huts: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a form."""
    root = tmp_path_factory.mktemp("exported")

    def folder(form: str) -> Path:
        if not (root / form).exists():
            export(huts, FORMS[form], root / form)
        return root / form

    return folder


@pytest.fixture(scope="session")
def episodes(exported: Callable[[str], Path]) -> ModuleType:
    """`episode.py` as exports carry it."""
    spec = importlib.util.spec_from_file_location("exported_episode", exported("trl") / "episode.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def solutions(exported: Callable[[str], Path]) -> Path:
    [folder] = exported("verifiers").glob("*/solutions")
    return folder


@pytest.fixture(scope="session")
def calls(
    exported: Callable[[str], Path], episodes: ModuleType, solutions: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A file with the calls of every reference solution, `finish` among them."""
    made: dict[str, list[dict[str, Any]]] = {}

    class Noted(episodes.Episode):  # type: ignore[name-defined, misc]
        def call(self, name: str, arguments: dict[str, Any]) -> Any:
            made.setdefault(self.task, []).append({"name": name, "arguments": arguments})
            return super().call(name, arguments)

        def __init__(self, bundle: Path, task: str) -> None:
            self.task = task
            super().__init__(bundle, task)

    original, episodes.Episode = episodes.Episode, Noted
    try:
        for path in solutions.glob("*.py"):
            assert episodes.solve(exported("trl") / "bundle", path.stem, path.read_text())["score"] == 1.0
    finally:
        episodes.Episode = original
    path = tmp_path_factory.mktemp("calls") / "calls.json"
    path.write_text(json.dumps(made))
    return path
