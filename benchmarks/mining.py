"""What mining finds in the samples, when a script decides what is done: no model is judged here, only the machinery.

`grounded_share`: of the values that the records of all three samples claim, those that stand where they say, counted by
`benchmarks.grounding`, which shares no code with the gate; `grounded_share_of_the_gate`: as the gate counted them.
`planted_lies_found`: 5 % of all values are exchanged for others; the share of these that both counts miss in the
documents. `growth_lookups_kept`: the ferries are mined without their last six sailings and grow by them; the share of
all answers to "what is this field of this record", asked in SQL, joins included, that are the same after it.
`growth_totals_kept`: the same of counts, sums, lowest and highest values, which new records may well change.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import apsw

from benchmarks.grounding import grounded_share
from envfactory_dagster.authoring.mining.derived import rows_of, tables_of
from envfactory_dagster.authoring.mining.gate import problems_of
from envfactory_dagster.authoring.mining.settings import MiningSettings
from envfactory_dagster.contracts.mining import Collection, MinedData
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.mining.kit import FINISH, FIRST_ROUND, RUN_SAILINGS, SAMPLES, WRITE_CONDITIONS, data_of, mine
from tests.support.scripted_miner import Action, collection, field, scripted_miner, shelf_of

SPECIES = collection(
    "species", field("latin"), field("name"), field("isolation_metres", "integer"), field("self_pollinating", "flag")
)
DONORS = collection("donors", field("donor"), field("village"), field("since", "integer"), field("organic", "flag"))
ACCESSIONS = collection(
    "accessions", field("accession"), field("variety"), field("species", refers_to="species"),
    field("donor", refers_to="donors"), field("collected", "day"), field("seeds", "integer"),
    field("germination", "integer"),
)  # fmt: skip
GRADES = collection("grades", field("grade"), field("place", "integer"), field("means"))
CRAGS = collection(
    "crags", field("crag"), field("faces"), field("height", "integer"), field("closed_from", "day"),
    field("tidal", "flag"),
)  # fmt: skip
ROUTES = collection(
    "routes", field("route"), field("crag", refers_to="crags"), field("grade", refers_to="grades"),
    field("length", "integer"), field("bolts", "integer"),
)  # fmt: skip


def _all_of(document: str, plan: Mapping[str, Any], **others: str) -> Action:
    """Every field from the column of its name, but for these."""
    columns = {one["name"]: one["name"] for one in plan["fields"]} | others
    return {"do": "take_rows", "document": document, "table": 1, "columns": columns, "collection": plan}


SCRIPTS: dict[str, list[Action]] = {
    "fjord-ferries": FIRST_ROUND,
    "seed-library": [
        _all_of("species.json", SPECIES),
        _all_of("donors.tsv", DONORS),
        _all_of("accessions.jsonl", ACCESSIONS),
        FINISH,
    ],
    "limestone-crags": [
        _all_of("grades.yaml", GRADES, place="order"),
        _all_of("crags.csv", CRAGS, height="height (m)", closed_from="closed from"),
        _all_of("routes.csv", ROUTES),
        FINISH,
    ],
}
LIES = 0.05
SEED = 7


async def mined(folder: Path) -> dict[str, float]:
    async with Runtime() as runtime:
        found = {name: await _mined(runtime, name, folder / name) for name in SCRIPTS}
        apart = [grounded_share(data.model_dump(mode="json"), SAMPLES / name) for name, data in found.items()]
        figures = {
            "grounded_share": round(min(apart), 4),
            "grounded_share_of_the_gate": min(data.grounded_share for data in found.values()),
            "mined_records": float(sum(len(one.records) for data in found.values() for one in data.collections)),
        }
        return figures | await _lies(runtime, found) | await _growth(runtime, folder / "growth")


async def _mined(runtime: Runtime, name: str, home: Path) -> MinedData:
    async with mine(scripted_miner([SCRIPTS[name]]), runtime, home, SAMPLES / name) as one:
        record = await one.run()
    if record.status != "ok":
        raise AssertionError(f"{name}: {record.reason}")
    return data_of(record)


async def _lies(runtime: Runtime, found: Mapping[str, MinedData]) -> dict[str, float]:
    rng, planted, by_gate, apart = random.Random(SEED), 0, 0, 0.0
    for name, data in found.items():
        lying = deepcopy(data.model_dump(mode="json"))
        cells = [
            (record["values"], one["name"], one["type"])
            for each in lying["collections"]
            for record in each["records"]
            for one in each["fields"]
            if record["values"].get(one["name"]) is not None
        ]
        chosen = rng.sample(cells, round(LIES * len(cells)))
        for values, column, type_ in chosen:
            values[column] = _another(values[column], type_)
        planted += len(chosen)
        collections = [Collection.model_validate(one) for one in lying["collections"]]
        _, counted = await problems_of(runtime, collections, shelf_of(SAMPLES / name), MiningSettings(), (1, 1))
        by_gate += counted.claimed - counted.grounded
        apart += len(cells) * (1 - grounded_share(lying, SAMPLES / name))
    return {"planted_lies_found": round(min(by_gate, apart) / planted, 3)}


def _another(value: Any, type_: str) -> Any:
    if type_ == "flag":
        return 1 - value
    return value + 1009 if isinstance(value, int | float) else f"{value[::-1]}q"


async def _growth(runtime: Runtime, home: Path) -> dict[str, float]:
    fewer = RUN_SAILINGS | {"source": RUN_SAILINGS["source"].replace("enumerate(rows, 1)", "enumerate(rows[:58], 1)")}
    first = [fewer if action is RUN_SAILINGS else action for action in FIRST_ROUND]
    wishes: list[list[Action]] = [[{"do": "add_records", "collection": "sailings", "what": "The other sailings."}]]
    app = scripted_miner([first, [RUN_SAILINGS, WRITE_CONDITIONS, FINISH]], wishes)
    async with mine(scripted_miner([first]), runtime, home / "before") as one:
        before = data_of(await one.run())
    async with mine(app, runtime, home / "after", growth_rounds=1) as one:
        after = data_of(await one.run())
    if not after.rounds[0].kept:
        raise AssertionError(after.rounds[0].reason)
    old, new = _database(before.collections), _database(after.collections)
    return {
        "growth_lookups_kept": _kept(old, new, list(_lookups(old))),
        "growth_totals_kept": _kept(old, new, list(_totals(old))),
    }


def _database(collections: Sequence[Collection]) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    for table in tables_of(collections):
        connection.execute(table.ddl)
    for rows in rows_of(collections):
        marks = ", ".join("?" * len(rows.columns))
        connection.executemany(f"INSERT INTO {rows.table} ({', '.join(rows.columns)}) VALUES ({marks})", rows.rows)
    return connection


def _columns(database: apsw.Connection) -> Iterator[tuple[str, str, str]]:
    for (table,) in list(database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")):
        for _, column, type_, *_ in list(database.execute(f"PRAGMA table_info({table})")):
            yield table, column, type_


def _lookups(database: apsw.Connection) -> Iterator[str]:
    """Every cell by its row, and what stands in the row that a reference leads to."""
    for table, column, _ in _columns(database):
        for (row,) in list(database.execute(f"SELECT id FROM {table}")):
            yield f"SELECT {column} FROM {table} WHERE id = {row}"
    for (row,) in list(database.execute("SELECT id FROM sailings")):
        yield f"SELECT p.kind FROM sailings s JOIN piers p ON p.id = s.origin_id WHERE s.id = {row}"


def _totals(database: apsw.Connection) -> Iterator[str]:
    for table, column, type_ in _columns(database):
        if column != "id" and type_ != "TEXT":
            yield from (f"SELECT {total}({column}) FROM {table}" for total in ("count", "sum", "min", "max"))


def _kept(old: apsw.Connection, new: apsw.Connection, questions: Sequence[str]) -> float:
    same = [list(old.execute(question)) == list(new.execute(question)) for question in questions]
    return round(sum(same) / len(same), 3)
