"""A bundle over files as a whole: audited, exported, judged without this package, and refused where it is not whole."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.exchange.exporting import exportable
from envfactory_dagster.runtime.databases import check_files
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.verifier_writing import write_verifier
from envfactory_dagster.truth.audit import audit
from tests.files.kit import card
from tests.files.test_cards import reference

TASK = "two_nights_in_lugano"
ROOM = {"handle": "P1/2026-03-09/2", "rate_id": "R102-BB", "guest": "Ida Renn"}
REPORT = {"outcome": "done", "answers": {}, "reason": None, "message": "Your two nights are booked."}


@pytest_asyncio.fixture(scope="module")
async def hotels(runtime: Runtime) -> Bundle:
    """With verifiers, as it would be released."""
    bundle = await card(runtime, "hotels")
    schema, clock = load_schema(bundle.schema_sql), bundle.states["initial"].clock
    golds = [await reference(runtime, bundle, task) for task in bundle.tasks]
    return replace(bundle, verifiers={gold.task: write_verifier(gold, schema, clock) for gold in golds})


async def test_an_audit_finds_nothing(runtime: Runtime, hotels: Bundle) -> None:
    found = await audit(runtime, hotels, hotels.tasks)
    assert [finding for task in found.tasks for finding in task.findings] == []
    assert len(exportable(hotels).tasks) == 2


@pytest.mark.parametrize(
    ("guest", "rate", "score"), [("Ida Renn", "R102-BB", 1.0), ("Ida Renn", "R102-RO", 0.0), ("Ola", "R102-BB", 0.0)]
)
def test_its_own_judge_says_what_it_is_worth(
    hotels: Bundle, tmp_path: Path, guest: str, rate: str, score: float
) -> None:
    folder = hotels.write(tmp_path / "hotels")
    calls: list[tuple[str, Any]] = [("book_hotel", ROOM | {"guest": guest, "rate_id": rate}), ("finish", REPORT)]
    requests = [
        {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(calls)
    ]
    serve = [sys.executable, "-I", "-S", "server.py", "--task", TASK, "--episode", "episode"]
    given = "\n".join(map(json.dumps, requests)) + "\n"
    subprocess.run(serve, input=given, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    judge = [sys.executable, "-I", "-S", "judge.py", "--episode", "episode"]
    done = subprocess.run(judge, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert json.loads(done.stdout)["score"] == score, done.stdout + done.stderr


async def test_a_database_that_is_not_that_of_the_files_is_found(runtime: Runtime, hotels: Bundle) -> None:
    await check_files(runtime, hotels)
    files = hotels.state_files["initial"]
    rates = files["rates.json"].replace(b"88.0", b"8.0", 1)
    assert rates != files["rates.json"]
    with pytest.raises(EnvironmentFault, match="is not what its files make"):
        await check_files(runtime, replace(hotels, state_files={"initial": files | {"rates.json": rates}}))
    with pytest.raises(EnvironmentFault, match="that can be read as records"):
        await check_files(runtime, replace(hotels, state_files={}))


def test_a_folder_that_leads_out_is_not_read(hotels: Bundle, tmp_path: Path) -> None:
    folder = hotels.write(tmp_path / "hotels")
    (tmp_path / "secret.json").write_text("[]")
    (folder / "states" / "initial" / "rates.json").unlink()
    (folder / "states" / "initial" / "rates.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(EnvironmentFault, match="links are not followed"):
        Bundle.read(folder)


@pytest.mark.parametrize("path", ["../a.txt", "a/../../b.txt", "/a.txt", "a.sh", "A.TXT", "x\0.txt", ".a.txt"])
def test_no_file_of_a_state_leads_astray(hotels: Bundle, tmp_path: Path, path: str) -> None:
    spoilt = replace(hotels, state_files={"initial": {path: b"x"}})
    with pytest.raises(EnvironmentFault, match="not the name of a file that a bundle has"):
        spoilt.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    folder = hotels.write(tmp_path / "hotels")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][f"states/initial/{path}"] = "0" * 64
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(EnvironmentFault, match="not the name of a file that a bundle has"):
        Bundle.read(folder)


async def test_an_image_without_files_is_an_environment_fault_not_a_crash(runtime: Runtime, hotels: Bundle) -> None:
    """A layout that its database does not have."""
    other = await card(runtime, "calendar")
    mixed = replace(hotels, states={"initial": State(other.states["initial"].image, other.states["initial"].clock)})
    async with await runtime.open(mixed) as session:
        result = await session.call("search_places", {"name": "Lugano"})
        assert (result.outcome, "no such table" in (result.error or "")) == ("environment", True)
