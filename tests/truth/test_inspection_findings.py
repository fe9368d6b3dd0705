"""What inspection finds without a model: from the code of the tools, from their calls and from the rows after them."""

import ast
from dataclasses import replace

import apsw
import pytest
import pytest_asyncio

from envfactory_dagster.authoring.trials.trial import ToolTrial
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task, ThemeSource
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import ToolCall
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection import companions, loose_ends
from envfactory_dagster.truth.inspection.examination import Examined, examine
from envfactory_dagster.truth.inspection.exploration import ExploredCall, call
from envfactory_dagster.truth.inspection.inspected import Inspected
from tests.support.broken_tools import KINDS, break_tool
from tests.support.tiny import INTEGER, SCHEMA, STRING, schema, tiny, tool


@pytest_asyncio.fixture(scope="module")
async def sound(runtime: Runtime, huts: Bundle) -> Examined:
    return await examine(runtime, huts)


def tool_source(bundle: Bundle, old: str, new: str) -> Bundle:
    assert bundle.tools_source.count(old) == 1
    return replace(bundle, tools_source=bundle.tools_source.replace(old, new))


def test_sound_tools_raise_no_alarm(sound: Examined) -> None:
    assert sound.failures == []


def test_every_tool_is_seen_to_work_and_to_refuse(sound: Examined) -> None:
    assert sound.facts.dead_tools == []
    assert sound.facts.coverage == 1.0
    assert sum(use.refusals for use in sound.facts.uses) > 40


async def test_a_status_that_no_row_has_and_no_tool_writes_is_unreachable(runtime: Runtime) -> None:
    bundle = tiny()
    wider = bundle.schema_sql + "CREATE TABLE notes (id INTEGER PRIMARY KEY, kind TEXT CHECK (kind IN ('red'))) STRICT;"
    images = {name: replace(state, image=_with_notes(state.image)) for name, state in bundle.states.items()}
    found = (await examine(runtime, replace(bundle, schema_sql=wider, states=images))).facts
    assert found.unreachable_values == ["notes.kind = red"]
    assert found.untouched_tables == ["users", "notes"]


def _with_notes(image: bytes) -> bytes:
    database = apsw.Connection(":memory:")
    database.deserialize("main", image)
    database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, kind TEXT CHECK (kind IN ('red'))) STRICT")
    return database.serialize("main")


@pytest.mark.parametrize(
    ("old", "new", "tool"),
    [
        ("WHERE (:most IS NULL OR price <= :most)", "WHERE (:most IS NULL OR :most IS NOT NULL)", "list_items"),
        ("WHERE (:most IS NULL OR price <= :most)", "WHERE (:most IS NULL OR price < :most)", "list_items"),
        ('    return {"items": sql_rows}', '    return {"items": sql_rows[: int(most)]}', "list_items"),
        ('one("SELECT id, name, price, stock', 'one("SELECT id, name, stock AS price, price AS stock', "get_item"),
        ('return {"order_id": order_id', 'return {"order_id": row["stock"]', "place_order"),
    ],
)
async def test_a_bug_shows(runtime: Runtime, old: str, new: str, tool: str) -> None:
    before = {finding.message for finding in (await examine(runtime, tiny())).failures}
    found = await examine(runtime, tool_source(tiny(), old, new))
    assert tool in {finding.tool for finding in found.failures if finding.message not in before}


@pytest.mark.parametrize("kind", ["wrong owner", "returns a stale value"])
async def test_a_seeded_bug_shows_in_a_real_environment(runtime: Runtime, huts: Bundle, kind: str) -> None:
    broken = break_tool(huts.tools_source, huts.schema_sql, kind, seed=1)
    assert broken is not None
    found = await examine(runtime, replace(huts, tools_source=broken.source))
    assert {finding.tool for finding in found.failures} & set(broken.tools), broken.what


@pytest.mark.parametrize("kind", KINDS)
def test_the_injector_changes_one_function_and_says_which(huts: Bundle, kind: str) -> None:
    broken = break_tool(huts.tools_source, huts.schema_sql, kind, seed=3)
    assert broken is not None
    assert broken == break_tool(huts.tools_source, huts.schema_sql, kind, seed=3)
    assert _changed(huts.tools_source, broken.source) == {broken.function}
    assert set(broken.tools) <= {tool.name for tool in huts.tools}


def _changed(one: str, other: str) -> set[str]:
    functions = [
        {node.name: ast.dump(node) for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
        for source in (one, other)
    ]
    return {name for name in functions[0] if functions[0][name] != functions[1][name]}


OPEN_ORDERS = '''
def get_order(env, *, order_id: int) -> dict:
    """Look an order up."""
    row = env.one("SELECT id, quantity FROM orders WHERE id = ?", [order_id])
    if row is None:
        raise env.Error(f"there is no order {order_id}")
    return row


def set_quantity(env, *, order_id: int, quantity: int) -> dict:
    """Change how many are ordered."""
    if not env.execute(
        "UPDATE orders SET quantity = ? WHERE id = ? AND user_id = ?", [quantity, order_id, env.user_id]
    ):
        raise env.Error(f"you have no order {order_id}")
    return {"id": order_id, "quantity": quantity}
'''


@pytest.mark.parametrize(("words", "alarm"), [("Looks an order up.", False), ("Looks up one of my orders.", True)])
async def test_what_all_may_read_and_only_its_owner_may_change_is_no_alarm(
    runtime: Runtime, words: str, alarm: bool
) -> None:
    result = schema({"id": INTEGER, "quantity": INTEGER})
    definitions = [
        tool("get_order", schema({"order_id": INTEGER}), result, read_only=True).model_copy(
            update={"description": words}
        ),
        tool("set_quantity", schema({"order_id": INTEGER, "quantity": INTEGER}), result),
    ]
    shop = tiny(source=OPEN_ORDERS, definitions=definitions)
    shop = replace(
        shop,
        tools=[one for one in shop.tools if one.name != "confirm_order"],
        states={name: replace(state, image=_with_orders(state.image)) for name, state in shop.states.items()},
    )
    said = [finding.message for finding in (await examine(runtime, shop)).failures if finding.tool == "get_order"]
    assert any("it takes a row of orders that is not the user's" in message for message in said) is alarm, said


def _with_orders(image: bytes) -> bytes:
    database = apsw.Connection(":memory:")
    database.deserialize("main", image)
    database.executemany(
        "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, ?, ?, '2026-03-01T10:00:00')",
        [(f"ORD-{number}", number % 2 + 1, number % 5 + 1, number + 1) for number in range(8)],
    )
    return database.serialize("main")


SET_STOCK = '''
def set_stock(env, *, item_id: int, stock: int) -> dict:
    """Say how many of an item there are."""
    if not env.execute("UPDATE items SET stock = ? WHERE id = ?", [stock, item_id]):
        raise env.Error(f"there is no item {item_id}")
    return {"item_id": item_id, "stock": stock}
'''


async def test_a_command_that_a_solution_puts_to_use_is_not_said_to_change_nothing(runtime: Runtime) -> None:
    """There are 10,000 of every item, and no other number of them is found by chance."""
    numbers = schema({"item_id": INTEGER, "stock": {"type": "integer", "minimum": 10_000}})
    bundle = tiny(source=SET_STOCK, definitions=[tool("set_stock", numbers, numbers)])

    async def failures(shop: Bundle) -> list[str]:
        return [one.message for one in (await examine(runtime, shop)).failures if one.tool == "set_stock"]

    assert "set_stock: it is a command, and no call of it changed anything." in await failures(bundle)
    task = Task(id="count", text="There are 20,000 of item 1.", kind="action", state="initial", entities=["item"])
    solution = """
def solve(tools):
    tools.set_stock(item_id=1, stock=20_000)
    return {"outcome": "done", "answers": {}, "reason": None, "message": "There are 20,000."}
"""
    assert await failures(replace(bundle, tasks=[task], solutions={task.id: solution})) == []


async def test_tools_that_cannot_be_read_are_a_broken_environment(runtime: Runtime) -> None:
    with pytest.raises(EnvironmentFault, match="there is no get_item"):
        await examine(runtime, tool_source(tiny(), "def get_item(", "def get_items("))


async def test_an_order_that_is_placed_and_cancelled_was_changed_by_cancelling_it(runtime: Runtime) -> None:
    """It is not there at the end as it was not at the start, and cancelling is no call that changes nothing."""
    inspected = await Inspected.of(runtime, tiny())
    placing = ExploredCall("place_order", {"item_id": 1})
    async with await runtime.open(inspected.under_trial.bundle) as session:
        placed = await session.call(placing.tool, placing.arguments)
        start = await session.changes()
        assert isinstance(placed.value, dict)
        order = placed.value["order_id"]
        _, done = await call(inspected, session, ExploredCall("cancel_order", {"order_id": order}), [placing], start)
    assert [(change.table, change.key, change.kind) for change in done] == [("orders", (order,), "delete")]

    cancelling = ToolFunction(
        name="cancel_order",
        source=inspected.source("cancel_order"),
        before=[ToolCall(tool=placing.tool, arguments=dict(placing.arguments))],
        good_call={"order_id": order},
        bad_call={"order_id": 9},
    )
    problems = await ToolTrial(inspected.under_trial, inspected.tools["cancel_order"], cancelling).run()
    assert [problem.message for problem in problems] == []


# -- what is no fault, or may be none ----------------------------------------------------------------------------------


ORDER_CODE = '''
def latest_order(env) -> dict:
    """The user's latest order, by the number on its slip."""
    row = env.one("SELECT id FROM orders WHERE user_id = ? ORDER BY id DESC LIMIT 1", [env.user_id])
    if row is None:
        raise env.Error("you have no order")
    return {"order_id": f"S{row['id'] + OFFSET:07d}"}
'''


@pytest.mark.parametrize(("offset", "alarm"), [(0, False), (40, True)])
async def test_an_id_told_as_the_code_on_a_slip_is_that_of_its_row(runtime: Runtime, offset: int, alarm: bool) -> None:
    definition = tool("latest_order", result=schema({"order_id": STRING}), read_only=True)
    source = ORDER_CODE.replace("OFFSET", str(offset))
    found = await examine(runtime, tiny(source=source, definitions=[definition]))
    told = [one.message for one in found.failures if one.tool == "latest_order"]
    assert any("and orders holds no such id" in message for message in told) is alarm


SLIPS = '''
def latest_slip(env) -> dict:
    """The user's latest order, by its code as it is printed."""
    row = env.one("SELECT code FROM orders WHERE user_id = ? ORDER BY id DESC LIMIT 1", [env.user_id])
    if row is None:
        raise env.Error("you have no order")
    return {"order_id": PRINTED}
'''


@pytest.mark.parametrize(
    ("printed", "alarm"),
    [
        ('row["code"].replace("-", "/")', False),
        ('"SLIP-" + row["code"].rpartition("-")[2]', False),
        ('"LOST/" + row["code"]', True),
    ],
)
async def test_a_code_is_told_without_the_marks_between_its_parts(runtime: Runtime, printed: str, alarm: bool) -> None:
    definition = tool("latest_slip", result=schema({"order_id": STRING}), read_only=True)
    found = await examine(runtime, tiny(source=SLIPS.replace("PRINTED", printed), definitions=[definition]))
    told = [one.message for one in found.failures if one.tool == "latest_slip"]
    assert any("and orders holds no such id" in message for message in told) is alarm


PLACES = """
CREATE TABLE places (
    id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id), status TEXT NOT NULL
) STRICT;
"""
LEAVE = '''
def leave(env, *, place_id: int) -> dict:
    """Leave the waiting list. A place that was offered is offered to whoever waits next."""
    row = env.one("SELECT status FROM places WHERE id = ? AND user_id = ?", [place_id, env.user_id])
    if row is None:
        raise env.Error("you have no such place")
    if row["status"] == "left":
        raise env.Error("you have left already")
    env.execute("UPDATE places SET status = ? WHERE id = ?", [LEFT, place_id])
    other = env.one("SELECT id FROM places WHERE status = 'waiting' ORDER BY id LIMIT 1")
    if row["status"] == "offered" and other is not None:
        env.execute("UPDATE places SET status = 'offered' WHERE id = ?", [other["id"]])
    return {"place_id": place_id}
'''


@pytest.mark.parametrize(("left", "alarm"), [("'left'", False), ("row['status']", True)])
async def test_a_status_that_goes_to_whoever_is_next_was_not_given_twice(
    runtime: Runtime, left: str, alarm: bool
) -> None:
    definition = tool("leave", schema({"place_id": INTEGER}), schema({"place_id": INTEGER}))
    bundle = tiny(source=LEAVE.replace("LEFT", left), definitions=[definition])
    initial = bundle.states["initial"]
    states = {"initial": replace(initial, image=_with_places(initial.image))}
    bundle = replace(bundle, schema_sql=bundle.schema_sql + PLACES, states=states)
    told = [one.message for one in (await examine(runtime, bundle)).failures if one.tool == "leave"]
    assert any("that is offered already" in message for message in told) is alarm


REMIND = '''
def remind(env, *, order_id: int) -> dict:
    """Remind the shop of an order."""
    row = env.one("SELECT COLUMN FROM orders WHERE id = ?", [order_id])
    if row is None:
        raise env.Error("there is no such order")
    env.execute("UPDATE orders SET created_at = ? WHERE id = ?", [env.now, order_id])
    return {"COLUMN": row["COLUMN"] + MORE}


def rename_order(env, *, order_id: int, code: str) -> dict:
    """Give an order another code."""
    env.execute("UPDATE orders SET code = ? WHERE id = ?", [code, order_id])
    return {}
'''


@pytest.mark.parametrize(("column", "more", "alarm"), [("confirmed", "1", True), ("code", "' (late)'", False)])
async def test_a_total_that_is_shown_is_stored_and_a_word_may_be_made_up(
    runtime: Runtime, column: str, more: str, alarm: bool
) -> None:
    definitions = [
        tool("remind", schema({"order_id": INTEGER}), schema({column: INTEGER if alarm else STRING})),
        tool("rename_order", schema({"order_id": INTEGER, "code": STRING})),
    ]
    source = REMIND.replace("COLUMN", column).replace("MORE", more)
    found = loose_ends.findings(await Inspected.of(runtime, tiny(source=source, definitions=definitions)))
    assert any("does not store it in" in one.message for one in found if one.tool == "remind") is alarm


def _with_places(image: bytes) -> bytes:
    database = apsw.Connection(":memory:")
    database.deserialize("main", image)
    database.execute(PLACES)
    database.execute(
        "INSERT INTO places VALUES (1, 1, 'offered'), (2, 2, 'waiting'), (3, 1, 'waiting'), (4, 1, 'left')"
    )
    return database.serialize("main")


SHOWN = '''
def _shown(env, order_id):
    row = env.one("SELECT id, code FROM orders WHERE id = ?", [order_id])
    return {"order_id": row["id"], "code": row["code"].lower()}


def my_codes(env) -> dict:
    """The codes of the user's orders."""
    rows = env.query("SELECT id FROM orders WHERE user_id = ?", [env.user_id])
    return {"orders": [_shown(env, row["id"]) for row in rows]}


def code_of(env, *, order_id: int) -> dict:
    """The code of an order."""
    return _shown(env, order_id)
'''


async def test_a_row_is_there_for_a_helper_that_is_given_the_key_of_a_row(runtime: Runtime) -> None:
    definitions = [
        tool("my_codes", read_only=True),
        tool("code_of", schema({"order_id": INTEGER}), read_only=True),
    ]
    found = loose_ends.findings(await Inspected.of(runtime, tiny(source=SHOWN, definitions=definitions)))
    assert {one.tool for one in found if "nothing happens when" in one.message} == {"code_of"}


PAPERS = """
CREATE TABLE papers (
    id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id), quantity INTEGER NOT NULL, stamped INTEGER
) STRICT;
"""
STAMP = '''
def stamp(env, *, paper_id: int) -> dict:
    """Stamp a paper of an order. One that is stamped stays so."""
    row = env.one("SELECT order_id, quantity, stamped FROM papers WHERE id = ?", [paper_id])
    if row is None:
        raise env.Error("there is no such paper")
    if not row["stamped"]:
        env.execute("UPDATE papers SET stamped = 1 WHERE id = ?", [paper_id])
    return {"order_id": row["order_id"], "quantity": SAID}
'''


@pytest.mark.parametrize(("said", "alarm"), [('row["quantity"]', False), ("9", True)])
async def test_what_is_told_of_a_row_below_is_not_said_of_the_row_it_names(
    runtime: Runtime, said: str, alarm: bool
) -> None:
    """A paper that was stamped before is told with its order, and nothing changes."""
    shown = schema({"order_id": INTEGER, "quantity": INTEGER})
    bundle = tiny(source=STAMP.replace("SAID", said), definitions=[tool("stamp", schema({"paper_id": INTEGER}), shown)])
    database = apsw.Connection(":memory:")
    database.deserialize("main", bundle.states["initial"].image)
    database.execute("INSERT INTO orders VALUES (1, 'O-1', 1, 1, 2, '2026-03-01T09:00:00', 0)")
    database.execute(PAPERS + "INSERT INTO papers VALUES (1, 1, 5, 1), (2, 1, 6, 0)")
    states = {"initial": replace(bundle.states["initial"], image=database.serialize("main"))}
    found = await examine(runtime, replace(bundle, schema_sql=bundle.schema_sql + PAPERS, states=states))
    told = [one.message for one in found.failures if one.tool == "stamp"]
    assert any("it says quantity = " in message for message in told) is alarm


ORDERS = '''
def order_{name}(env, *, item_id: int) -> dict:
    """Order one of an item."""
    row = env.one("SELECT stock FROM items WHERE id = ?", [item_id])
    if row is None:
        raise env.Error(f"there is no item {{item_id}}")
    {taken}
    order_id = env.insert(
        "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, ?, 1, ?)",
        [env.new_id("ORD"), env.user_id, item_id, env.now],
    )
    return {{"order_id": order_id}}
'''
TAKEN = 'env.execute("UPDATE items SET stock = stock - 1 WHERE id = ?", [item_id])'


async def test_a_write_that_all_other_tools_make_along_with_another_is_only_warned_of(runtime: Runtime) -> None:
    names = {"today": TAKEN, "tomorrow": TAKEN, "ahead": ""}
    source = "".join(ORDERS.format(name=name, taken=taken) for name, taken in names.items())
    definitions = [tool(f"order_{name}", schema({"item_id": INTEGER}), schema({"order_id": INTEGER})) for name in names]
    found = list(companions.findings(await Inspected.of(runtime, tiny(source=source, definitions=definitions))))
    assert [(one.tool, one.severity) for one in found] == [("order_ahead", "warning")]
    assert "all other tools with an insert in orders make an update in items.stock too" in found[0].message


@pytest.mark.parametrize(("kind", "severity"), [("hand", "fail"), ("mcp_spec", "warning"), ("tool_docs", "warning")])
async def test_a_parameter_that_a_source_prescribes_may_have_no_use(runtime: Runtime, kind: str, severity: str) -> None:
    source = '''
def count_items(env, *, page_token: str) -> dict:
    """How many items there are."""
    return {"count": env.one("SELECT count(*) AS n FROM items")["n"]}
'''
    counted = tool("count_items", schema({"page_token": STRING}), schema({"count": INTEGER}), read_only=True)
    bundle = tiny(source=source, definitions=[counted])
    theme = bundle.theme.model_copy(update={"source": ThemeSource(kind=kind, reference="a document")})
    found = [
        one
        for one in loose_ends.findings(await Inspected.of(runtime, replace(bundle, theme=theme)))
        if one.tool == "count_items"
    ]
    assert [(one.severity, one.message) for one in found] == [
        (severity, "count_items: the parameter page_token is never used.")
    ]


ALL_ORDERS = '''
def order_again(env, *, item_id: int) -> dict:
    """Order one of an item, and see all of the user's orders."""
    row = env.one("SELECT stock FROM items WHERE id = ?", [item_id])
    if row is None:
        raise env.Error(f"there is no item {item_id}")
    new = env.insert(
        "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, ?, 1, ?)",
        [env.new_id("ORD"), env.user_id, item_id, env.now],
    )
    mine = env.query("SELECT id AS order_id FROM orders WHERE user_id = ? ORDER BY id", [env.user_id])
    return {"orders": SHOWN}
'''


@pytest.mark.parametrize(
    ("shown", "alarm"), [("mine", False), ("[one for one in mine if one['order_id'] < new]", True)]
)
async def test_a_list_that_tells_the_new_row_may_tell_others_too(runtime: Runtime, shown: str, alarm: bool) -> None:
    orders = schema({"orders": {"type": "array", "items": schema({"order_id": INTEGER})}})
    definition = tool("order_again", schema({"item_id": INTEGER}), orders)
    bundle = tiny(source=ALL_ORDERS.replace("SHOWN", shown), definitions=[definition])
    images = {name: replace(state, image=with_an_order(state.image)) for name, state in bundle.states.items()}
    found = await examine(runtime, replace(bundle, states=images))
    told = [one.message for one in found.failures if one.tool == "order_again"]
    assert any("what it created is" in message for message in told) is alarm, told


def with_an_order(image: bytes) -> bytes:
    database = apsw.Connection(":memory:")
    database.deserialize("main", image)
    database.execute("INSERT INTO orders VALUES (1, 'ORD-1', 1, 1, 1, '2026-03-01T10:00:00', 0)")
    return database.serialize("main")


MOVE_ZONE = '''
def move_zone(env, *, zone_id: int, day: str) -> dict:
    """Apply for a zone on another day."""
    if env.one("SELECT id FROM zones WHERE id = ? AND user_id = ?", [zone_id, env.user_id]) is None:
        raise env.Error(f"you have no zone {zone_id}")
    env.execute("UPDATE zones SET status = 'applied'MOVED WHERE id = :id", {"id": zone_id, "day": day})
    return {"zone_id": zone_id}
'''
ZONES = """CREATE TABLE zones (
    id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id), day TEXT NOT NULL, updates INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('applied', 'granted'))
) STRICT;"""


@pytest.mark.parametrize(("moved", "alarm"), [(", day = :day", False), (", updates = updates + 1", True)])
async def test_what_is_applied_for_may_be_applied_for_on_another_day(runtime: Runtime, moved: str, alarm: bool) -> None:
    definition = tool("move_zone", schema({"zone_id": INTEGER, "day": {"type": "string", "format": "date"}}),
                      schema({"zone_id": INTEGER}))  # fmt: skip
    bundle = tiny(source=MOVE_ZONE.replace("MOVED", moved), definitions=[definition])
    images = {name: replace(state, image=with_zones()) for name, state in bundle.states.items()}
    wider = replace(bundle, schema_sql=bundle.schema_sql + ZONES, states=images)
    told = [one.message for one in (await examine(runtime, wider)).failures if one.tool == "move_zone"]
    assert any("applied that is applied already" in message for message in told) is alarm, told


def with_zones() -> bytes:
    database = apsw.Connection(":memory:")
    database.execute("PRAGMA page_size = 1024;" + SCHEMA + ZONES + "INSERT INTO users VALUES (1, 'Ann'), (2, 'Bo');")
    database.executemany("INSERT INTO items VALUES (?, ?, 10.0, 10)", [(n, f"Item {n}") for n in range(1, 9)])
    rows = [(n, 1, f"2026-04-0{n}", 0, "applied" if n < 5 else "granted") for n in range(1, 9)]
    database.executemany("INSERT INTO zones VALUES (?, ?, ?, ?, ?)", rows)
    return database.serialize("main")
