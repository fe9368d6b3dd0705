"""An environment whose state is files, in other projects' forms."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.exchange.exporting import export
from envfactory_dagster.exchange.forms import FORMS
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.verifier_writing import write_verifier
from tests.exchange.wheels import installed
from tests.files.kit import card
from tests.truth.references import reference


@pytest_asyncio.fixture(scope="module")
async def calendar(runtime: Runtime) -> Bundle:
    bundle = await card(runtime, "calendar")
    golds = [await reference(runtime, bundle, task) for task in bundle.tasks]
    schema, clock = load_schema(bundle.schema_sql), bundle.states["initial"].clock
    return replace(bundle, verifiers={gold.task: write_verifier(gold, schema, clock) for gold in golds})


@pytest.mark.parametrize("form", FORMS)
def test_every_form_carries_it(calendar: Bundle, episodes: ModuleType, tmp_path: Path, form: str) -> None:
    folder = export(calendar, FORMS[form], tmp_path / form).folder
    bundles = [path.parent for path in folder.rglob("judge.py")]
    assert len(bundles) == (2 if form in ("harbor", "hub") else 1)
    for task, solution in calendar.solutions.items():
        assert episodes.solve(bundles[0], task, solution)["score"] == 1.0
        assert episodes.replay(bundles[0], task, [])["score"] == 0.0


def test_openenvs_package_plays_when_it_is_installed(calendar: Bundle, tmp_path: Path) -> None:
    package = installed(export(calendar, FORMS["openenv"], tmp_path / "openenv").folder, tmp_path)
    assert any((package / "bundle" / "states" / "initial").rglob("*.*"))
    done = subprocess.run([sys.executable, str(package / "validation" / "oracle.py")], capture_output=True, check=True)
    assert {one["score"] for one in json.loads(done.stdout).values()} == {1.0}
