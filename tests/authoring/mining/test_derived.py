"""The database of a mined world: its collections as tables and rows, and beside them what an author adds."""

from pathlib import Path
from typing import Any

import apsw
import pytest

from envfactory_dagster.authoring.database_schema import DatabaseSchemaStage
from envfactory_dagster.authoring.mining.derived import Circular, rows_of, tables_of
from envfactory_dagster.authoring.seed_rows import SeedRowsStage
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.database import DatabaseSchema, SeedRows
from envfactory_dagster.contracts.domain import Task, TaskSet
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.mining import Collection
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.memo import run_stage
from tests.authoring.mining.kit import FIRST_ROUND, KEY, SECOND_ROUND, WISHES, Mine, data_of, mine
from tests.support.scripted_miner import collection, field, scripted_miner

SETTINGS = AuthoringSettings(size="small", states=("initial", "winter"))
PEOPLE = {
    "name": "passengers",
    "ddl": "CREATE TABLE passengers (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT",
    "purpose": "A passenger a row.",
}
BOOKINGS = {
    "name": "bookings",
    "ddl": "CREATE TABLE bookings (id INTEGER PRIMARY KEY AUTOINCREMENT, passenger_id INTEGER NOT NULL REFERENCES "
    "passengers (id), sailing_id INTEGER NOT NULL REFERENCES sailings (id), sails_on TEXT NOT NULL) STRICT",
    "purpose": "A place that is booked on a sailing.",
}
NAMES = {"initial": ("Ada", "Bo", "Cy", "Di"), "winter": ("Eve", "Flo", "Gus", "Hal")}


def state(name: str) -> dict[str, Any]:
    year = "2026-03" if name == "initial" else "2026-11"
    people = [[n, person] for n, person in enumerate(NAMES[name], 1)]
    bookings = [[n, 1 + n % 4, 3 * n + (name == "winter"), f"{year}-{n + 9}"] for n in range(1, 9)]
    return {
        "clock": f"{year}-02T09:00:00",
        "tables": [
            {"table": "passengers", "columns": ["id", "name"], "rows": people},
            {"table": "bookings", "columns": ["id", "passenger_id", "sailing_id", "sails_on"], "rows": bookings},
        ],
    }


def authored(schema: str, context: dict[str, Any]) -> dict[str, Any] | None:
    if schema == "database_schema":
        return {"tables": [PEOPLE, BOOKINGS]}
    return state(context["state"]) if schema == "seed_rows" else None


def tasks_record() -> StageRecord:
    tasks = TaskSet(tasks=[Task(id="book", text="Book me a place.", kind="action", entities=["sailing"])])
    return StageRecord(
        stage="task_set", partition=KEY, status="ok", inputs="t", version="t", artifact=tasks.model_dump(mode="json")
    )


async def made(mined: Mine, runtime: Runtime) -> tuple[StageRecord, StageRecord]:
    """Schema and rows, after mining."""
    gateway = mined.stage.gateway
    mined.records.keep(tasks_record())
    schema = await run_stage(mined.records, DatabaseSchemaStage(gateway, runtime, SETTINGS), KEY)
    rows = await run_stage(mined.records, SeedRowsStage(gateway, runtime, SETTINGS), KEY)
    return schema, rows


async def test_what_was_mined_is_in_the_database_and_the_author_adds_the_rest(runtime: Runtime, tmp_path: Path) -> None:
    app = scripted_miner([FIRST_ROUND], instead=authored)
    async with mine(app, runtime, tmp_path) as mined:
        data = data_of(await mined.run())
        schema, rows = await made(mined, runtime)
    assert schema.status == "ok", schema.reason
    assert rows.status == "ok", rows.reason
    tables = DatabaseSchema.model_validate(schema.artifact)
    assert [table.name for table in tables.tables] == ["passengers", "piers", "vessels", "sailings", "bookings"]
    initial, winter = SeedRows.model_validate(rows.artifact).states
    image = apsw.Connection(":memory:")
    image.deserialize("main", await databases.build_image(runtime, tables.sql(), initial.tables))
    asked = "SELECT p.pier, s.fare_cents FROM sailings s JOIN piers p ON p.id = s.origin_id WHERE s.sailing = 'F101'"
    ((pier, fare),) = image.execute(asked)
    first = next(one for one in data.collections if one.name == "sailings").records[0].values
    assert (pier, fare) == (first["origin"], first["fare"])
    assert len({table.table for table in winter.tables}) == 5
    shown = {schema: context["mined"] for schema, context in app.state.asked if "mined" in context}
    assert shown["database_schema"]["row_counts"] == {"piers": 20, "vessels": 12, "sailings": 64}
    assert [len(table["rows"]) for table in shown["database_schema"]["rows"]] == [12, 12, 12]
    assert [len(table["rows"]) for table in shown["seed_rows"]["rows"]] == [20, 12, 64]
    assert shown["rows_review"] == shown["seed_rows"]
    reviewed = [context["rows"] for schema, context in app.state.asked if schema == "rows_review"]
    assert [[table["table"] for table in one] for one in reviewed] == [["passengers", "bookings"]] * 2


async def test_a_table_that_is_there_is_not_given_again(runtime: Runtime, tmp_path: Path) -> None:
    def repeats(schema: str, context: dict[str, Any]) -> dict[str, Any] | None:
        piers = {"name": "piers", "ddl": "CREATE TABLE piers (id INTEGER PRIMARY KEY) STRICT", "purpose": "Piers."}
        return {"tables": [PEOPLE, piers, BOOKINGS]} if schema == "database_schema" else authored(schema, context)

    async with mine(scripted_miner([FIRST_ROUND], instead=repeats), runtime, tmp_path) as mined:
        await mined.run()
        schema, rows = await made(mined, runtime)
    assert schema.status == "rejected" and "Two tables are called piers" in schema.reason
    assert rows.status == "skipped"


async def test_what_only_joins_mined_things_is_the_same_in_every_state(runtime: Runtime, tmp_path: Path) -> None:
    """Where a vessel may moor does not change from one state to the next."""
    moorings = {
        "name": "moorings",
        "ddl": "CREATE TABLE moorings (id INTEGER PRIMARY KEY, pier_id INTEGER NOT NULL REFERENCES piers (id), "
        "vessel_id INTEGER NOT NULL REFERENCES vessels (id)) STRICT",
        "purpose": "A vessel that may moor at a pier.",
    }
    rows = [[n, 1 + n % 20, 1 + n % 12] for n in range(1, 41)]

    def joining(schema: str, context: dict[str, Any]) -> dict[str, Any] | None:
        if schema == "database_schema":
            return {"tables": [PEOPLE, moorings, BOOKINGS]}
        if schema != "seed_rows":
            return None
        given = state(context["state"])
        joined = {"table": "moorings", "columns": ["id", "pier_id", "vessel_id"], "rows": rows}
        return given | {"tables": [*given["tables"], joined]}

    async with mine(scripted_miner([FIRST_ROUND], instead=joining), runtime, tmp_path) as mined:
        await mined.run()
        _, made_rows = await made(mined, runtime)
    assert made_rows.status == "ok", made_rows.reason


async def test_nothing_is_made_of_a_world_that_is_not_mined(runtime: Runtime, tmp_path: Path) -> None:
    async with mine(scripted_miner([FIRST_ROUND], instead=authored), runtime, tmp_path) as mined:
        mined.records.keep(tasks_record())
        stage = DatabaseSchemaStage(mined.stage.gateway, runtime, SETTINGS)
        with pytest.raises(InfrastructureFault, match="is not mined yet; make mined_data first"):
            await run_stage(mined.records, stage, KEY)


async def test_growth_leaves_the_rows_there_were(runtime: Runtime, tmp_path: Path) -> None:
    async with mine(scripted_miner([FIRST_ROUND]), runtime, tmp_path / "a") as mined:
        before = data_of(await mined.run()).collections
    app = scripted_miner([FIRST_ROUND, SECOND_ROUND], WISHES)
    async with mine(app, runtime, tmp_path / "b", growth_rounds=1) as mined:
        after = data_of(await mined.run()).collections
    grown = {table.table: table for table in rows_of(after)}
    for table in rows_of(before):
        columns = [grown[table.table].columns.index(column) for column in table.columns]
        later = [[row[column] for column in columns] for row in grown[table.table].rows]
        assert later[: len(table.rows)] == table.rows


def test_collections_in_a_circle_cannot_be_tables() -> None:
    plans = [
        collection("cats", field("cat"), field("owner", refers_to="people")),
        collection("people", field("person"), field("pet", refers_to="cats")),
    ]
    with pytest.raises(Circular, match="cats, people refer to each other in a circle"):
        tables_of([Collection.model_validate(plan | {"records": []}) for plan in plans])


def test_a_tree_refers_to_itself() -> None:
    plan = collection("regions", field("region"), field("within", refers_to="regions"))
    records = [{"values": {"region": "North", "within": "All"}}, {"values": {"region": "All"}}]
    tree = Collection.model_validate(plan | {"records": records})
    (table,) = tables_of([tree])
    assert "within_id INTEGER REFERENCES regions (id)" in table.ddl
    assert rows_of([tree])[0].rows == [[1, "North", 2], [2, "All", None]]


def test_values_of_a_list_are_quoted() -> None:
    plan = collection("things", field("thing", one_of=["o'clock", "'); DROP TABLE x; --"]))
    (table,) = tables_of([Collection.model_validate(plan | {"records": [{"values": {"thing": "o'clock"}}]})])
    connection = apsw.Connection(":memory:")
    connection.execute(table.ddl)
    connection.execute("INSERT INTO things (thing) VALUES ('o''clock')")
    with pytest.raises(apsw.ConstraintError):
        connection.execute("INSERT INTO things (thing) VALUES ('noon')")
