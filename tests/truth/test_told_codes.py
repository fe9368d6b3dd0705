"""The inspection knows a row that is told by the code of what it refers to."""

from dataclasses import replace

import apsw
import pytest

from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection.examination import examine
from tests.support.tiny import INTEGER, STRING, schema, tiny, tool

SLOTS = """
CREATE TABLE slots (id INTEGER PRIMARY KEY, slot_code TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE visits (
    id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
    slot_id INTEGER NOT NULL REFERENCES slots (id)
) STRICT;
"""
MOVE = '''
def move_visit(env, *, visit_id: int, slot_id: str) -> dict:
    """Move a visit to the slot of a code."""
    slot = env.one("SELECT id, slot_code FROM slots WHERE slot_code = ?", [slot_id])
    if slot is None or env.one("SELECT id FROM visits WHERE id = ?", [visit_id]) is None:
        raise env.Error("there is no such visit or slot")
    env.execute("UPDATE visits SET slot_id = ? WHERE id = ?", [slot["id"], visit_id])
    return {"visit_id": visit_id, "slot_id": SAID}
'''


@pytest.mark.parametrize(("said", "alarm"), [('slot["slot_code"]', False), ('"a free slot"', True)])
async def test_a_row_may_be_told_by_the_code_of_what_it_refers_to(runtime: Runtime, said: str, alarm: bool) -> None:
    """An interface that is mirrored may call a code `slot_id`, where the column of that name holds a number."""
    told = schema({"visit_id": INTEGER, "slot_id": STRING})
    asked = schema({"visit_id": INTEGER, "slot_id": STRING})
    bundle = tiny(source=MOVE.replace("SAID", said), definitions=[tool("move_visit", asked, told)])
    database = apsw.Connection(":memory:")
    database.deserialize("main", bundle.states["initial"].image)
    database.execute("INSERT INTO orders VALUES (1, 'O-1', 1, 1, 2, '2026-03-01T09:00:00', 0)")
    database.execute(SLOTS + "INSERT INTO slots VALUES (5, 'north-0800'), (6, 'south-0900')")
    database.execute("INSERT INTO visits VALUES (1, 1, 6), (2, 1, 6)")
    states = {"initial": replace(bundle.states["initial"], image=database.serialize("main"))}
    found = await examine(runtime, replace(bundle, schema_sql=bundle.schema_sql + SLOTS, states=states))
    messages = [one.message for one in found.failures if one.tool == "move_visit"]
    assert any("it says slot_id = " in message for message in messages) is alarm, messages
