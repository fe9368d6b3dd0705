"""A mined world that was recorded is mined again from its folder alone: the documents lie there, and every step."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from envfactory_dagster.authoring.discovery import (
    DiscoverySettings,
    ThemePool,
    add_document,
    add_theme,
    expand_pool,
    read_data,
)
from envfactory_dagster.authoring.mining.settings import MiningSettings
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.mining import MinedData
from envfactory_dagster.contracts.pool import PooledProposal, RejectedProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.language.wire import AsgiApp
from envfactory_dagster.library.app import LibraryApp
from envfactory_dagster.library.collection import Library
from envfactory_dagster.library.folders import read_world
from envfactory_dagster.library.recording import record_world
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.sources.snapshots import Snapshot
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from tests.authoring.line_kit import line
from tests.authoring.mining.kit import (
    FERRIES,
    FINISH,
    FIRST_ROUND,
    RUN_SAILINGS,
    TAKE_DEPTHS,
    WISHES,
    WRITE_CONDITIONS,
)
from tests.authoring.mining.test_derived import authored
from tests.support.scripted_miner import Action, Instead, scripted_miner

KEY, TITLE = "fjord-ferry-office", "Fjord ferry office"
LINE = AuthoringSettings(size="small", tasks=3, rules_asked=1, states=("initial", "winter"), least_tasks=1)
DISCOVERY = DiscoverySettings()
PROPOSAL = {
    "name": TITLE,
    "category": "Travel",
    "description": "An office that books places on ferries.",
    "entities": ["pier", "vessel", "sailing", "passenger"],
}
THEME = PROPOSAL | {
    "description": "An office at the water books places on the ferries of a fjord. Passengers book sailings between "
    "piers, bring cars along, and change or cancel what they booked.",
    "rules": [{"id": "cars", "text": "A place for a car is booked at least 24 hours before the vessel sails."}],
}
TASKS = [
    {"id": "book", "kind": "action", "state": "initial", "text": "Book me a place on the sailing F101 for tomorrow."},
    {"id": "fare", "kind": "information", "state": "winter", "text": "How much does an adult pay on the sailing F104?"},
    {"id": "car", "kind": "refusal", "rule": "cars", "state": "initial",
     "text": "My car has to cross within the hour; put it on the next vessel from here."},
]  # fmt: skip
SEARCH: Action = {"do": "search", "query": "piers"}
GROWN: list[Action] = [WRITE_CONDITIONS, TAKE_DEPTHS, FINISH]
CUT: list[Action] = [WRITE_CONDITIONS, TAKE_DEPTHS, *[SEARCH] * 9]


def author(
    rounds: Sequence[Sequence[Action]],
    wishes: Sequence[Sequence[Action]] = (),
    tokens: int = 150,
    instead: Instead | None = None,
) -> FastAPI:
    """A model that mines the ferries, and writes what comes before and after it."""

    def others(schema: str, context: dict[str, Any]) -> dict[str, Any] | None:
        if instead is not None and (given := instead(schema, context)) is not None:
            return given
        match schema:
            case "theme_proposals":
                return {"proposals": [PROPOSAL | {"reference": context["sources"][0]["reference"]}]}
            case "theme":
                return THEME
            case "task_set":
                return {"tasks": TASKS}
        return authored(schema, context)

    return scripted_miner(rounds, wishes, others, tokens)


def gateway(home: Path, app: AsgiApp) -> Gateway:
    models = {role: "author" for role in Role if role is not Role.EMBEDDER}
    return Gateway(LanguageSettings(base_url="http://model/v1", api_key=SecretStr("a-key"), models=models), home, app)


async def made(app: AsgiApp, runtime: Runtime, home: Path, proposal: PooledProposal) -> dict[str, StageRecord]:
    async with line(app, runtime, home, LINE) as stages:
        return await stages.run(proposal, until="seed_rows")


async def mined(
    app: AsgiApp, runtime: Runtime, home: Path, folder: Path = FERRIES
) -> tuple[PooledProposal, dict[str, StageRecord]]:
    """What a model makes of a folder of documents."""
    document, _ = read_data(folder, Home.resolve(home).snapshots)
    async with gateway(home, app) as models:
        proposal = await add_document(models, ThemePool(Home.resolve(home)), document, DISCOVERY)
    assert isinstance(proposal, PooledProposal)
    return proposal, await made(app, runtime, home, proposal)


async def named(app: AsgiApp, home: Path) -> PooledProposal | RejectedProposal:
    """Whom its title is typed to, without a model."""
    async with gateway(home, app) as models:
        return await add_theme(models, ThemePool(Home.resolve(home)), TITLE, DISCOVERY)


async def made_again(library: Path, runtime: Runtime, home: Path) -> dict[str, StageRecord]:
    app = LibraryApp(Library(library))
    proposal = await named(app, home)
    assert isinstance(proposal, PooledProposal)
    return await made(app, runtime, home, proposal)


def data_of(records: dict[str, StageRecord]) -> MinedData:
    return MinedData.model_validate(records["mined_data"].artifact)


@pytest.mark.parametrize(
    ("rounds", "wishes", "tokens", "kept"),
    [
        ([FIRST_ROUND, GROWN, [SEARCH]], WISHES, 150, [True, False]),
        ([FIRST_ROUND, [SEARCH]], WISHES, 150, [False]),
        ([FIRST_ROUND[3:], CUT, [SEARCH]], WISHES, 20_000, [True, False]),
        ([FIRST_ROUND[3:], [SEARCH]], WISHES, 20_000, [False]),
        ([FIRST_ROUND], [WISHES[0] * 9], 150, [False]),
    ],
    ids=["grown", "not grown", "grown at the end of all tokens", "not grown by the end of all tokens", "ill wished"],
)
async def test_a_recorded_world_is_mined_again_without_its_folder(
    rounds: list[list[Action]],
    wishes: list[list[Action]],
    tokens: int,
    kept: list[bool],
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    home, library, folder = tmp_path / "home", tmp_path / "library", tmp_path / "ferries"
    shutil.copytree(FERRIES, folder)
    proposal, first = await mined(author(rounds, wishes, tokens), runtime, home, folder)
    recorded = record_world(Home.resolve(home), KEY, library)
    shutil.rmtree(folder)
    shutil.rmtree(home / "snapshots")
    again = await made_again(library, runtime, tmp_path / "other")

    assert {name: record.reason for name, record in again.items() if record.status != "ok"} == {}
    assert [one.kept for one in data_of(first).rounds] == kept
    one, other = (data_of(records).model_dump(exclude={"rounds"}) for records in (first, again))
    assert one == other
    assert [_told(data_of(records)) for records in (first, again)] == [_told(data_of(first))] * 2
    for stage in ("task_set", "database_schema", "seed_rows"):
        assert again[stage].artifact == first[stage].artifact
    assert recorded.left_out == []
    steps = {int(part.partition(".")[0]) for question, part in recorded.world.parts if question == "mining_step"}
    assert steps == {0, *(one.number for one in data_of(first).rounds if one.kept)}, "as another gate might keep them"
    with pytest.raises(UsageError, match=r"are not in .*snapshots; add their folder again"):
        record_world(Home.resolve(home), KEY, library)
    assert read_world(library / KEY) == recorded.world
    assert Library(library).about(proposal.subject) == recorded.world
    assert not record_world(Home.resolve(tmp_path / "other"), KEY, library).changed


async def test_whoever_writes_or_reads_rows_sees_the_documents(runtime: Runtime, tmp_path: Path) -> None:
    shown = dict[str, list[Any]]()

    def watch(schema: str, context: dict[str, Any]) -> None:
        shown.setdefault(schema, []).append(context.get("source"))

    await mined(author([FIRST_ROUND], instead=watch), runtime, tmp_path / "home")
    assert len(shown["seed_rows"]) >= 2
    for schema in ("task_set", "seed_rows", "rows_review"):
        assert all(source["sections"] == shown["task_set"][0]["sections"] for source in shown[schema])


def _told(data: MinedData) -> list[Any]:
    """What there is to say of growth, but for the reason why it ended, which tokens or steps may have been."""
    return [one.model_dump(exclude={"reason"}) for one in data.rounds]


@pytest.fixture
async def library(runtime: Runtime, tmp_path: Path) -> Path:
    """A library with the ferries, mined in one round."""
    await mined(author([FIRST_ROUND]), runtime, tmp_path / "home")
    record_world(Home.resolve(tmp_path / "home"), KEY, tmp_path / "library")
    return tmp_path / "library"


async def test_a_person_can_read_what_was_mined_and_how(library: Path, tmp_path: Path) -> None:
    folder = library / KEY
    for path in FERRIES.iterdir():
        assert (folder / "documents" / path.name).read_bytes() == path.read_bytes()
    listed = orjson.loads((folder / "documents.json").read_bytes())
    assert [one["id"] for one in listed["documents"]] == ["conditions.txt", "fleet.md", "piers.csv", "timetable.html"]
    assert listed["documents"][0]["licence"].startswith("CC0 1.0")
    assert (folder / "mining" / "0.06.py").read_text().strip() == RUN_SAILINGS["source"].strip()
    assert orjson.loads((folder / "mining" / "0.01.json").read_bytes())["action"] == FIRST_ROUND[0]
    assert not record_world(Home.resolve(tmp_path / "home"), KEY, library).changed


async def test_it_may_be_among_the_worlds_that_are_found(library: Path, tmp_path: Path) -> None:
    home = Home.resolve(tmp_path / "other")
    async with gateway(tmp_path / "other", LibraryApp(Library(library), size="small")) as models:
        found = await expand_pool(models, ThemePool(home), 1, DISCOVERY)
        refused = await expand_pool(models, ThemePool(home), 1, DISCOVERY)
    (taken,) = found.taken
    assert taken.subject == Library(library).cards[KEY].proposal.subject
    assert refused.taken == []
    snapshot = Snapshot(home.snapshots, Library(library).cards[KEY].snapshot)
    assert snapshot.text("piers.csv") == (FERRIES / "piers.csv").read_text()
    assert "pier,kind" not in (tmp_path / "other" / "pool" / "rounds" / "000001.json").read_text()


async def test_its_documents_can_be_copied_without_a_proposal(library: Path, tmp_path: Path) -> None:
    there = Library(library)
    there.copy_documents(KEY, tmp_path / "snapshots")
    copied = Snapshot(tmp_path / "snapshots", there.cards[KEY].snapshot)
    assert copied.whole() == there.world(KEY).documents


async def test_a_world_of_another_size_is_refused(library: Path, tmp_path: Path) -> None:
    refused = await named(LibraryApp(Library(library), size="full"), tmp_path / "other")
    assert isinstance(refused, RejectedProposal)
    assert "is a small one: set ENVFACTORY_SIZE=small" in refused.detail
    assert not (tmp_path / "other" / "snapshots").exists()


async def test_steps_of_a_run_that_was_rejected_are_no_part_of_the_world(runtime: Runtime, tmp_path: Path) -> None:
    looked: list[int] = []

    def only_looks(schema: str, context: dict[str, Any]) -> dict[str, Any] | None:
        if schema != "mining_step" or len(looked) == MiningSettings().steps:
            return None
        looked.append(context["step"])
        return {"thought": "I had better look first.", "action": SEARCH}

    app = author([FIRST_ROUND], instead=only_looks)
    _, first = await mined(app, runtime, tmp_path)
    async with line(app, runtime, tmp_path, LINE) as stages:
        again = await run_stage(stages.records, stages.stages["mined_data"], KEY, redo=True)
    world = record_world(Home.resolve(tmp_path), KEY, tmp_path / "library").world

    assert (first["mined_data"].status, again.status) == ("rejected", "ok")
    steps = [part for question, part in world.parts if question == "mining_step"]
    assert steps == [f"0.{number:02}" for number in range(1, len(FIRST_ROUND) + 1)]


async def test_rows_that_the_code_had_changed_are_recorded_without_those_mined(
    runtime: Runtime, tmp_path: Path
) -> None:
    """A stage is given what was mined; it takes no answer that brings it along."""
    _, first = await mined(author([FIRST_ROUND]), runtime, tmp_path / "home")
    rows = orjson.loads(orjson.dumps(first["seed_rows"].artifact))
    rows["states"][0]["clock"] = "2026-03-03T09:00:00"
    code = StageRecord(
        stage="server_code",
        partition=KEY,
        status="ok",
        inputs="i",
        version="v",
        artifact={"amended": {"seed_rows": rows}},
    )
    RecordStore(Home.resolve(tmp_path / "home")).keep(code)
    record_world(Home.resolve(tmp_path / "home"), KEY, tmp_path / "library")

    again = await made_again(tmp_path / "library", runtime, tmp_path / "other")
    assert again["seed_rows"].artifact == rows


def _edited(path: Path) -> None:
    path.write_text(path.read_text() + "Skarn,stone quay\n")


def _renamed(path: Path) -> None:
    path.write_text(path.read_text().replace("piers.csv", "quays.csv"))


def _led_astray(path: Path) -> None:
    index = orjson.loads(path.read_bytes())
    index["licence"]["id"] = "../world.json"
    path.write_bytes(orjson.dumps(index))


@pytest.mark.parametrize(
    ("name", "harm", "told"),
    [
        ("documents/piers.csv", Path.unlink, "piers.csv is missing"),
        ("documents/piers.csv", _edited, "it is not what documents.json says it is; the file was edited"),
        ("documents/LICENSE", _edited, "it is not what documents.json says it is; the file was edited"),
        ("documents/piers.csv", lambda path: path.write_bytes(b"\xff"), "cannot be read"),
        ("documents.json", Path.unlink, "documents.json is missing"),
        ("documents.json", _renamed, "these are not the documents that world.json names"),
        ("documents.json", _led_astray, "has a name that no file can have"),
        ("documents/more.csv", lambda path: path.write_text("a\n1\n"), "belongs to no part"),
        ("mining/0.06.py", _edited, "edited, added or lost"),
        ("mining/0.04.json", Path.unlink, "0.04.json is missing"),
    ],
)
async def test_a_harmed_folder_says_what_is_wrong(
    library: Path, tmp_path: Path, name: str, harm: Callable[[Path], None], told: str
) -> None:
    harm(library / KEY / name)

    with pytest.raises(UsageError, match=told):
        read_world(library / KEY)
    with pytest.raises(UsageError, match=told):
        await named(LibraryApp(Library(library)), tmp_path / "other")


async def test_a_home_that_kept_no_licence_says_so_and_gets_it(runtime: Runtime, tmp_path: Path) -> None:
    """Homes were made before licences were kept whole."""
    home = Home.resolve(tmp_path / "home")
    await mined(author([FIRST_ROUND]), runtime, tmp_path / "home")
    (index,) = (tmp_path / "home" / "snapshots").glob("*/index.json")
    kept = orjson.loads(index.read_bytes())
    del kept["licence"]
    index.write_bytes(orjson.dumps(kept))

    without = record_world(home, KEY, tmp_path / "library")
    read_data(FERRIES, home.snapshots)
    whole = record_world(home, KEY, tmp_path / "library")

    assert "name the folder once more with expand --data" in "".join(without.left_out)
    assert whole.changed and whole.left_out == []
    assert (tmp_path / "library" / KEY / "documents" / "LICENSE").read_text() == (FERRIES / "LICENSE").read_text()
