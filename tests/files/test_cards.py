"""The six environment cards: built, played, judged, and served by their own server."""

from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.truth import Verifier
from envfactory_dagster.runtime.facts import analyze_tools, load_schema, screen_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.verifier_writing import write_verifier
from envfactory_dagster.truth.gate import try_verifier
from envfactory_dagster.truth.inspection.examination import examine
from tests.files.kit import CARDS, NAMES, card, files_of
from tests.truth.references import reference


@pytest_asyncio.fixture(scope="module", params=NAMES)
async def bundle(runtime: Runtime, request: pytest.FixtureRequest) -> Bundle:
    return await card(runtime, request.param)


def test_its_tools_follow_the_conventions_and_name_files_that_are_there(bundle: Bundle) -> None:
    assert screen_tools(bundle.tools_source, files=True) == []
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    assert facts.problems == ()
    reading = [fact.name for fact in facts.tools.values() if fact.reads]
    assert len(reading) == len(bundle.tools)


async def test_its_tasks_stand_every_trial(runtime: Runtime, bundle: Bundle) -> None:
    for task in bundle.tasks:
        gold = await reference(runtime, bundle, task)
        source = write_verifier(gold, load_schema(bundle.schema_sql), bundle.states["initial"].clock)
        gate = await try_verifier(runtime, bundle, task, gold, Verifier(task=task.id, source=source))
        assert gate.passed, [(t.kind, t.operator, t.what, t.reason) for t in gate.trials if not t.right]


NOT_FOUND = "which names no row, it answers as if all was well"
"""Two cards answer with null where others refuse; so do the cards that they are modelled on."""


async def test_using_its_tools_finds_nothing_else_wrong(runtime: Runtime, bundle: Bundle) -> None:
    found = [finding.message for finding in (await examine(runtime, bundle)).findings]
    odd = [message for message in found if NOT_FOUND not in message]
    if bundle.key == "hotels":  # two files of one key; a file that no tool reads
        assert len(odd) == 2
    else:
        assert odd == []
    assert len(found) == {"calendar": 2, "food-delivery": 3, "hotels": 2}.get(bundle.key, 0)


async def test_its_folder_holds_the_files_and_reads_as_it_was_written(bundle: Bundle, tmp_path: Path) -> None:
    folder = bundle.write(tmp_path / bundle.key)
    assert Bundle.read(folder) == bundle
    original = files_of(CARDS / bundle.key.replace("-", "_") / "files")
    assert files_of(folder / "states" / "initial") == original
