"""The fjord ferries, mined by a script: a folder of the package, the right actions, and the stage ready to run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from pydantic import SecretStr

from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.discovery import read_data
from envfactory_dagster.authoring.discovery.pool import proposal_record
from envfactory_dagster.authoring.mining.settings import MiningSettings
from envfactory_dagster.authoring.mining.stage import MinedDataStage
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.source_document import SourceDocumentStage
from envfactory_dagster.contracts.domain import Rule, Theme, ThemeSource
from envfactory_dagster.contracts.mining import MinedData
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.requests import ThemeProposal
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.sources.local_folder import DocumentFolder
from envfactory_dagster.sources.shelf import Shelf
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from tests.support.scripted_miner import Action, collection, field, take

SAMPLES = Path(__file__).parents[3] / "envfactory_dagster" / "sources" / "samples"
FERRIES = SAMPLES / "fjord-ferries"
KEY = "fjord-ferries"

PIERS = collection(
    "piers",
    field("pier"),
    field("kind", one_of=["stone quay", "floating pontoon", "linkspan"]),
    field("berth_metres", "integer"),
    field("waiting_room", "flag"),
)
VESSELS = collection(
    "vessels",
    field("vessel"),
    field("built", "integer"),
    field("passengers", "integer"),
    field("cars", "integer"),
    field("home_pier", refers_to="piers"),
)
SAILINGS = collection(
    "sailings",
    field("sailing"),
    field("origin", refers_to="piers"),
    field("destination", refers_to="piers"),
    field("vessel", refers_to="vessels"),
    field("departs"),
    field("minutes", "integer"),
    field("fare", "money"),
    field("days"),
)
FARES = """
def solve(tools):
    rows = tools.rows(document="timetable.html")
    named = {"origin": "from", "destination": "to", "vessel": "vessel", "departs": "departs", "days": "days"}
    return [
        {
            "values": {name: row[column] for name, column in named.items()}
            | {"sailing": row["sailing"], "minutes": int(row["minutes"]), "fare": round(float(row["fare"]) * 100)},
            "sources": [{"document": "timetable.html", "table": 1, "first": number, "last": number}],
        }
        for number, row in enumerate(rows, 1)
    ]
"""
TAKE_PIERS = take("piers.csv", PIERS, pier="pier", kind="kind", berth_metres="length of berth (m)",
                  waiting_room="waiting room")  # fmt: skip
TAKE_VESSELS = take("fleet.md", VESSELS, vessel="vessel", built="built", passengers="passengers", cars="cars",
                    home_pier="home pier")  # fmt: skip
RUN_SAILINGS: Action = {"do": "run_python", "source": FARES, "collection": SAILINGS}
FINISH: Action = {"do": "finish"}
FIRST_ROUND: list[Action] = [
    {"do": "search", "query": "summer timetable: fares of one adult"},
    {"do": "open", "document": "timetable.html"},
    {"do": "table", "document": "piers.csv"},
    TAKE_PIERS,
    TAKE_VESSELS,
    RUN_SAILINGS,
    FINISH,
]

CONDITIONS = collection("conditions", field("number", "integer"), field("states"))
TEXTS = [line for line in (FERRIES / "conditions.txt").read_text().splitlines() if line[:1].isdigit()]
WRITE_CONDITIONS: Action = {
    "do": "write",
    "collection": CONDITIONS,
    "records": [
        {
            "values": {"number": number, "states": text.partition(". ")[2]},
            "sources": [{"document": "conditions.txt", "table": 0, "first": number + 2, "last": number + 2}],
        }
        for number, text in enumerate(TEXTS, 1)
    ],
}
DEPTH = collection("piers", field("pier"), field("depth_metres", "number"))
TAKE_DEPTHS = take("piers.csv", DEPTH, pier="pier", depth_metres="depth at low water (m)")
WISHES: list[list[Action]] = [
    [
        {"do": "add_collection", "collection": "conditions", "what": "The conditions of carriage."},
        {"do": "add_field", "collection": "piers", "what": "How deep it is there."},
    ],
    [{"do": "add_records", "collection": "sailings", "what": "The sailings of the winter."}],
]
SECOND_ROUND: list[Action] = [WRITE_CONDITIONS, TAKE_DEPTHS, FINISH]


@dataclass
class Mine:
    records: RecordStore
    stage: AccountedStage
    snapshots: Path

    async def run(self, redo: bool = False) -> StageRecord:
        return await run_stage(self.records, self.stage, KEY, redo=redo)

    @property
    def shelf(self) -> Shelf:
        return Shelf(DocumentFolder(FERRIES))


def data_of(record: StageRecord) -> MinedData:
    return MinedData.model_validate(record.artifact)


def theme_record(theme: Theme) -> StageRecord:
    version = theme.content_hash()
    return StageRecord(
        stage="theme", partition=theme.key, status="ok", inputs=version, version=version,
        artifact=theme.model_dump(mode="json"),
    )  # fmt: skip


def ferry_theme() -> Theme:
    return Theme(
        key=KEY,
        name="Ferry office",
        category="Travel",
        description="An office that books places on ferries.",
        entities=["pier", "vessel", "sailing", "passenger"],
        rules=[Rule(id="cars", text="A place for a car is booked at least 24 hours before.")],
        source=ThemeSource(kind="data", reference=KEY),
    )


@asynccontextmanager
async def mine(
    app: FastAPI, runtime: Runtime, home_folder: Path, folder: Path = FERRIES, **settings: Any
) -> AsyncIterator[Mine]:
    """`settings`: those of mining."""
    home = Home.resolve(home_folder)
    document, _ = read_data(folder, home.snapshots)
    proposal = PooledProposal(
        key=KEY,
        proposal=ThemeProposal(name="Ferry office", category="Travel", description="Places on ferries."),
        source=ThemeSource(kind="data", reference=KEY),
        suitability=1.0,
        document=document,
    )
    records = RecordStore(home)
    records.keep(proposal_record(proposal))
    await run_stage(records, SourceDocumentStage(), KEY)
    records.keep(theme_record(ferry_theme()))
    language = LanguageSettings(
        base_url="http://model/v1",
        api_key=SecretStr("none"),
        limits=LimitSettings(backoff_s=0.001),
        models=dict.fromkeys(Role, "author"),
    )
    async with Gateway(language, home_folder, app=app) as gateway:
        mining = MiningSettings(**{"growth_rounds": 0, **settings})
        stage = MinedDataStage(gateway, runtime, AuthoringSettings(), mining, home.snapshots)
        yield Mine(records, AccountedStage(stage, gateway, records), Path(str(home.snapshots)))
