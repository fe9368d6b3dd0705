"""What a result says of a row that the call has just written, and what a call changed after other calls."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from envfactory_dagster.authoring.trials.calls import Parameters, absences
from envfactory_dagster.authoring.trials.changes import of_the_echo, problems_of, since
from envfactory_dagster.authoring.trials.keys import Keys
from envfactory_dagster.authoring.trials.whole import problems_of as problems_of_all
from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.domain import Rule
from envfactory_dagster.contracts.tools import ToolAnnotations, ToolDefinition
from envfactory_dagster.runtime.facts import ColumnRef, analyze_tools, load_schema
from tests.support.tiny import SCHEMA, tiny

TABLES = """\
CREATE TABLE session_places (id INTEGER PRIMARY KEY, bell_id INTEGER, status TEXT) STRICT;
CREATE TABLE hires (id INTEGER PRIMARY KEY, status TEXT) STRICT;
CREATE TABLE invoices (id INTEGER PRIMARY KEY, hire_id INTEGER, status TEXT) STRICT;
CREATE TABLE hire_lines (id INTEGER PRIMARY KEY, kept_cents INTEGER, status TEXT) STRICT;
CREATE TABLE tickets (id INTEGER PRIMARY KEY, code TEXT UNIQUE, status TEXT) STRICT;
"""
ROWS = """\
INSERT INTO session_places VALUES (71, 3, 'taken'), (72, NULL, 'free');
INSERT INTO hires VALUES (2, 'held'), (3, 'confirmed');
INSERT INTO invoices VALUES (42, 3, 'paid');
INSERT INTO hire_lines VALUES (11, 0, 'held'), (12, 0, 'held');
INSERT INTO tickets VALUES (5, 'RO-1042', 'held'), (6, 'RO-1043', 'held');
"""


def _service() -> WorldRows:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(TABLES + ROWS)
        return WorldRows(Keys(load_schema(TABLES)), database.serialize())


SERVICE = _service()
MOVED = Change(
    "session_places",
    (71,),
    {"id": 71, "bell_id": 3, "status": "taken"},
    {"id": 71, "bell_id": 5, "status": "taken"},
)


@pytest.mark.parametrize("result", [{"bell_id": 3}, {"session_place": {"id": 71, "bell_id": 3}}])
def test_a_result_that_says_otherwise_is_named_however_deep(result: dict[str, Any]) -> None:
    assert [problem.message for problem in of_the_echo("move_place", {}, result, [MOVED], SERVICE)] == [
        "move_place: its result says bell_id = 3; what it wrote to session_places says 5."
    ]


@pytest.mark.parametrize(
    "result",
    [
        {"session_place": {"id": 71, "bell_id": 5, "status": "taken"}},
        {"session_place": {"id": 70, "bell_id": 3}},
        {"bell": {"id": 71, "bell_id": 3}},
        {"place_before": {"id": 71, "bell_id": 3}},
    ],
    ids=["right", "another row", "another table", "how it was"],
)
def test_other_things_are_left_alone(result: dict[str, Any]) -> None:
    assert list(of_the_echo("move_place", {}, result, [MOVED], SERVICE)) == []


RELEASED = Change(
    "session_places", (71,), {"id": 71, "bell_id": 3, "status": "taken"}, {"id": 71, "bell_id": None, "status": "free"}
)


def test_a_field_that_repeats_the_argument_says_nothing_of_a_link_that_was_cut() -> None:
    assert (
        list(of_the_echo("release_place", {"bell_id": 3}, {"bell_id": 3, "status": "free"}, [RELEASED], SERVICE)) == []
    )


@pytest.mark.parametrize("result", [{"bell_id": 4}, {"session_place": {"id": 71, "bell_id": 3}}])
def test_a_link_that_was_cut_is_not_shown_in_the_row_nor_another_one_told(result: dict[str, Any]) -> None:
    [problem] = of_the_echo("release_place", {"bell_id": 3}, result, [RELEASED], SERVICE)
    assert "what it wrote to session_places says None" in problem.message


HIRE = Change("hires", (2,), {"id": 2, "status": "held"}, {"id": 2, "status": "confirmed"})
INVOICE = Change("invoices", (43,), None, {"id": 43, "hire_id": 2, "status": "open"})
LINES = [
    Change(
        "hire_lines",
        (key,),
        {"id": key, "kept_cents": 0, "status": "held"},
        {"id": key, "kept_cents": cents, "status": "gone"},
    )
    for key, cents in ((11, 120), (12, 1980))
]


@pytest.mark.parametrize(
    ("arguments", "result", "written"),
    [
        ({"hire_id": 2}, {"id": 2, "status": "confirmed"}, [HIRE, INVOICE]),
        ({"hire_id": 2}, {"hire_id": 2, "kept_cents": 2100}, LINES),
        ({"hire_id": 2}, {"id": 2, "kept_cents": 2100}, [HIRE, *LINES]),
        ({"hire_id": 2}, {"id": 2, "kept_cents": 4600}, [HIRE, LINES[0]]),
        ({"hire_id": 2}, {"id": 2, "hire": "Iolanthe"}, [INVOICE]),
    ],
    ids=[
        "row and what comes with it",
        "total of lines",
        "total of the named row",
        "with older lines",
        "of an argument",
    ],
)
def test_what_a_command_brings_along_is_not_what_it_speaks_of(
    arguments: dict[str, Any], result: dict[str, Any], written: list[Change]
) -> None:
    assert list(of_the_echo("cancel_hire", arguments, result, written, SERVICE)) == []


@pytest.mark.parametrize(
    ("result", "written"),
    [
        ({"id": 2, "status": "held"}, [HIRE, INVOICE]),
        ({"hire_id": 2, "status": "held"}, [HIRE, INVOICE]),
        ({"id": 44, "status": "open"}, [INVOICE]),
    ],
    ids=["by id", "by the id of its table", "no row has this id"],
)
def test_a_row_that_the_result_names_is_told_as_it_was_written(result: dict[str, Any], written: list[Change]) -> None:
    assert len(list(of_the_echo("confirm_hire", {}, result, written, SERVICE))) == 1


BACK = Change(MOVED.table, MOVED.key, MOVED.after, MOVED.before)
ADDED = Change("session_places", (90,), None, {"id": 90, "bell_id": 3, "status": "taken"})
GONE = Change("session_places", (12,), {"id": 12, "bell_id": 1, "status": "free"}, None)


def test_a_row_that_goes_back_to_its_start_has_changed() -> None:
    assert since([MOVED], []) == [BACK]
    assert since([MOVED, ADDED], [ADDED]) == [BACK]


def test_a_new_row_that_goes_and_a_deleted_one_that_comes_back_have_changed() -> None:
    assert [(change.kind, change.key) for change in since([ADDED, GONE], [])] == [("delete", (90,)), ("insert", (12,))]


def test_what_stays_as_it_was_before_the_call_has_not_changed() -> None:
    assert since([MOVED, ADDED], [MOVED, ADDED]) == []


# -- what careful authors were refused for ------------------------------------------------------------------------

PASS_ON = '''
def pass_on(env, *, order_id: int) -> dict:
    """Give an order up, to whoever waits for one."""
    next_one = env.one("SELECT id FROM users WHERE id <> ? ORDER BY id", [env.user_id])
    env.execute("UPDATE orders SET confirmed = 0 WHERE id = ? AND user_id = ?", [order_id, env.user_id])
    new = env.insert(
        "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, 1, 1, ?)",
        [env.new_id("ORD"), next_one["id"], env.now],
    )
    return {"order_id": new}
'''
CONFIRM = '''
def confirm(env, *, hire: str) -> dict:
    """Confirm a hire of anybody."""
    env.execute("UPDATE hires SET status = 'confirmed' WHERE id = ?", [int(hire[2:])])
    return {}
'''
ORDER = {"id": 1, "code": "ORD-1", "user_id": 1, "item_id": 1, "quantity": 1, "created_at": "2026-03-01T10:00:00"}
THEIRS = Change("orders", (2,), None, ORDER | {"id": 2, "code": "ORD-2", "user_id": 2, "confirmed": 0})
MINE = Change("orders", (1,), ORDER | {"confirmed": 1}, ORDER | {"confirmed": 0})


def _world() -> WorldRows:
    return WorldRows(Keys(load_schema(SCHEMA)), tiny().states["initial"].image)


def _said_of_the_owner(changes: list[Change]) -> list[str]:
    fact = analyze_tools(PASS_ON, SCHEMA).tools["pass_on"]
    owners = {"orders": {ColumnRef("orders", "user_id")}}
    found = problems_of(fact, _world(), owners, {"order_id": 1}, changes)
    return [problem.message for problem in found if "not the user's" in problem.message]


@pytest.mark.parametrize(("arguments", "strange"), [({"hire": "H-0002"}, 0), ({"hire": "H-0003"}, 1), ({}, 1)])
def test_a_row_may_be_named_by_what_it_is_called_outside(arguments: dict[str, str], strange: int) -> None:
    fact = analyze_tools(CONFIRM, TABLES).tools["confirm"]
    found = problems_of(fact, SERVICE, {}, arguments, [HIRE])
    assert len([one for one in found if "neither its arguments nor the user's id" in one.message]) == strange


RENEW = '''
def renew(env, *, ticket: str) -> dict:
    """Renew a ticket."""
    env.execute("UPDATE tickets SET status = 'renewed' WHERE code = ?", ["RO-" + ticket[-4:]])
    return {}
'''
TICKET = Change("tickets", (5,), {"id": 5, "code": "RO-1042"}, {"id": 5, "code": "RO-1042", "status": "renewed"})


@pytest.mark.parametrize(("ticket", "strange"), [("RT01042", 0), ("RO-1042", 0), ("RT01043", 1)])
def test_a_code_may_be_written_otherwise_outside(ticket: str, strange: int) -> None:
    fact = analyze_tools(RENEW, TABLES).tools["renew"]
    found = problems_of(fact, SERVICE, {}, {"ticket": ticket}, [TICKET])
    assert len([one for one in found if "neither its arguments nor the user's id" in one.message]) == strange


@pytest.mark.parametrize(("piece", "strange"), [("ro/1042", 0), ("RO/1043", 1)])
def test_a_code_may_be_named_deep_in_the_arguments(piece: str, strange: int) -> None:
    fact = analyze_tools(RENEW, TABLES).tools["renew"]
    found = problems_of(fact, SERVICE, {}, {"damaged": [{"ticket": piece, "note": "torn"}]}, [TICKET])
    assert len([one for one in found if "neither its arguments nor the user's id" in one.message]) == strange


SIGN_OUT = '''
def sign_out(env, *, ticket: str) -> dict:
    """End the visit of the person with this ticket."""
    person = env.one("SELECT id FROM people WHERE ticket = ?", [ticket])
    env.execute("UPDATE visits SET ended = 1 WHERE person_id = ?", [person["id"]])
    return {}
'''
VISITS = """\
CREATE TABLE people (id INTEGER PRIMARY KEY, ticket TEXT UNIQUE) STRICT;
CREATE TABLE visits (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people (id), ended INTEGER) STRICT;
"""


@pytest.mark.parametrize(("ticket", "strange"), [("RT04610", 0), ("RT04611", 1)])
def test_what_belongs_to_a_person_who_is_named_is_in_reach(ticket: str, strange: int) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(VISITS)
        database.execute("INSERT INTO people VALUES (1, 'RT00001'), (12, 'RT04610'), (13, 'RT04611')")
        database.execute("INSERT INTO visits VALUES (7, 12, 0)")
        world = WorldRows(Keys(load_schema(VISITS)), database.serialize())
    visit = {"id": 7, "person_id": 12, "ended": 0}
    fact = analyze_tools(SIGN_OUT, VISITS).tools["sign_out"]
    change = Change("visits", (7,), visit, visit | {"ended": 1})
    found = problems_of(fact, world, {}, {"ticket": ticket}, [change])
    assert len([one for one in found if "neither its arguments nor the user's id" in one.message]) == strange


DECLARE = '''
def declare(env, *, sails_on: str) -> dict:
    """Block the noon slot of a sailing."""
    env.execute("UPDATE slots SET status = 'blocked' WHERE day = ? AND time = '12:20'", [sails_on[:10]])
    return {}
'''
SLOTS = """\
CREATE TABLE people (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE slots (id INTEGER PRIMARY KEY, day TEXT, time TEXT, status TEXT) STRICT;
"""


@pytest.mark.parametrize(("slot", "strange"), [(65, 0), (66, 1)])
def test_what_stands_on_a_day_that_is_named_is_in_reach(slot: int, strange: int) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(SLOTS)
        database.execute(
            "INSERT INTO slots VALUES (65, '2026-10-08', '12:20', 'free'), (66, '2026-10-09', '12:20', '')"
        )
        world = WorldRows(Keys(load_schema(SLOTS)), database.serialize())
    before = dict(next(row for row in world.of("slots") if row["id"] == slot))
    fact = analyze_tools(DECLARE, SLOTS).tools["declare"]
    change = Change("slots", (slot,), before, before | {"status": "blocked"})
    found = problems_of(fact, world, {}, {"sails_on": "2026-10-08T14:00:00"}, [change])
    assert len([one for one in found if "neither its arguments nor the user's id" in one.message]) == strange


def test_what_the_user_gives_up_may_go_to_somebody_else() -> None:
    assert _said_of_the_owner([MINE, THEIRS]) == []
    assert len(_said_of_the_owner([THEIRS])) == 1


@pytest.mark.parametrize(("column", "tried"), [("code", []), ("item_id", ["item"])])
def test_a_key_that_is_given_to_a_new_row_names_none(column: str, tried: list[str]) -> None:
    source = f'''
def enter(env, *, item: str) -> dict:
    """Enter an order."""
    if env.one("SELECT id FROM orders WHERE {column} = ?", [item]) is not None:
        raise env.Error("it is there")
    env.execute("INSERT INTO orders ({column}, user_id) VALUES (?, ?)", [item, env.user_id])
    return {{}}
'''
    schema = {"type": "object", "properties": {"item": {"type": ["string", "integer"]}}, "required": ["item"]}
    tool = ToolDefinition(
        name="enter",
        description="Enter an order.",
        inputSchema=schema,
        outputSchema={"type": "object"},
        annotations=ToolAnnotations(readOnlyHint=False),
    )
    parameters = Parameters(tool, analyze_tools(source, SCHEMA).tools["enter"], _world())
    assert len(list(absences(parameters, {"item": 1}))) == len(tried)


@pytest.mark.parametrize(
    ("written", "rows"),
    [
        ("timedelta(hours=12)", []),
        ("now.replace(hour=12)", []),
        ("time(12, 0)", []),
        ("'12:00'", []),
        ("1", [{"closes_at": "2026-03-05T12:00:00"}]),
    ],
)
def test_noon_is_written_in_several_ways(written: str, rows: list[dict[str, str]]) -> None:
    theme = tiny().theme.model_copy(update={"rules": [Rule(id="until_noon", text="Orders are taken until 12:00.")]})
    source = f"def place_order(env) -> dict:\n    return {{'until': {written}}}\n"
    facts, tools = analyze_tools(tiny().tools_source, SCHEMA), tiny().tools
    found = problems_of_all(theme, load_schema(SCHEMA), rows, tools, facts, source)
    assert [one.message for some in found.values() for one in some if "until_noon" in one.message] == []
