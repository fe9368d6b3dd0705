"""A very small environment, to be extended by tools that misbehave. For a realistic one see `examples`."""

import apsw

from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.domain import Rule, Theme, ThemeSource
from envfactory_dagster.contracts.tools import Principal, ToolAnnotations, ToolDefinition

SCHEMA = """\
CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
CREATE TABLE items (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, price REAL NOT NULL,
    stock INTEGER NOT NULL CHECK (stock >= 0)
) STRICT;
CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL REFERENCES users (id),
    item_id INTEGER NOT NULL REFERENCES items (id), quantity INTEGER NOT NULL, created_at TEXT NOT NULL,
    confirmed INTEGER NOT NULL DEFAULT 0
) STRICT;
"""

TOOLS = '''
def list_items(env, *, most: float | None = None) -> dict:
    """List the items, cheapest first."""
    sql_rows = env.query(
        "SELECT id, name, price, stock FROM items WHERE (:most IS NULL OR price <= :most) ORDER BY price, id",
        {"most": most},
    )
    return {"items": sql_rows}


def get_item(env, *, item_id: int) -> dict:
    """Look one item up."""
    row = env.one("SELECT id, name, price, stock FROM items WHERE id = ?", [item_id])
    if row is None:
        raise env.Error(f"there is no item {item_id}")
    return row


def place_order(env, *, item_id: int, quantity: int = 1) -> dict:
    """Order an item."""
    row = env.one("SELECT stock FROM items WHERE id = ?", [item_id])
    if row is None:
        raise env.Error(f"there is no item {item_id}")
    env.execute("UPDATE items SET stock = max(stock - ?, 0) WHERE id = ?", [quantity, item_id])
    if row["stock"] < quantity:
        raise env.Error(f"only {row['stock']} of item {item_id} are left")
    code = env.new_id("ORD")
    order_id = env.insert(
        "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, ?, ?, ?)",
        [code, env.user_id, item_id, quantity, env.now],
    )
    return {"order_id": order_id, "code": code}


def cancel_order(env, *, order_id: int) -> dict:
    """Delete an order of the user."""
    if not env.execute("DELETE FROM orders WHERE id = ? AND user_id = ?", [order_id, env.user_id]):
        raise env.Error(f"you have no order {order_id}")
    return {"cancelled": True}


def confirm_order(env, *, order_id: int) -> dict:
    """The user confirms an order."""
    if not env.execute("UPDATE orders SET confirmed = 1 WHERE id = ?", [order_id]):
        raise env.Error(f"there is no order {order_id}")
    return {"confirmed": True}
'''


ESCAPE = "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__"
"""An expression that gets out of Python's reach: the names of the module `os`."""
LETHAL = f"{ESCAPE}['_exit'](3)\n"
"""Code of a tool module that ends its process."""


def schema(required: dict[str, object] | None = None, **optional: object) -> dict[str, object]:
    """An object schema: `required` properties, and the others."""
    properties = {**(required or {}), **optional}
    return {
        "type": "object",
        "properties": properties,
        "required": list(required or {}),
        "additionalProperties": False,
    }


INTEGER, STRING, NUMBER, BOOLEAN = ({"type": t} for t in ("integer", "string", "number", "boolean"))
ITEM = schema({"id": INTEGER, "name": STRING, "price": NUMBER, "stock": INTEGER})


def tool(
    name: str,
    arguments: dict[str, object] | None = None,
    result: dict[str, object] | None = None,
    *,
    read_only: bool = False,
    principal: Principal = "assistant",
) -> ToolDefinition:
    return ToolDefinition(
        name=name,
        description=f"{name.replace('_', ' ')}.",
        inputSchema=arguments or schema(),
        outputSchema=result or schema(),
        annotations=ToolAnnotations(readOnlyHint=read_only),
        principal=principal,
    )


DEFINITIONS = [
    tool("list_items", schema(most={"type": ["number", "null"]}), schema({"items": {"type": "array", "items": ITEM}}),
         read_only=True),
    tool("get_item", schema({"item_id": INTEGER}), ITEM, read_only=True),
    tool("place_order", schema({"item_id": INTEGER}, quantity={"type": "integer", "minimum": 1}),
         schema({"order_id": INTEGER, "code": STRING})),
    tool("cancel_order", schema({"order_id": INTEGER}), schema({"cancelled": BOOLEAN})),
    tool("confirm_order", schema({"order_id": INTEGER}), schema({"confirmed": BOOLEAN}), principal="user"),
]  # fmt: skip


def image(items: int = 60) -> bytes:
    connection = apsw.Connection(":memory:")
    connection.execute("PRAGMA page_size = 1024")
    connection.execute(SCHEMA)
    connection.execute("INSERT INTO users (id, name) VALUES (1, 'Ann'), (2, 'Bo')")
    rows = [(f"Item {n}", 10.0 + n, 10_000) for n in range(1, items + 1)]
    connection.executemany("INSERT INTO items (name, price, stock) VALUES (?, ?, ?)", rows)
    return connection.serialize("main")


def tiny(
    key: str = "tiny-shop",
    *,
    source: str = "",
    definitions: list[ToolDefinition] | None = None,
    items: int = 60,
    server_source: str = "",
) -> Bundle:
    """The shop; `source` and `definitions` add tools to it."""
    return Bundle(
        theme=Theme(
            key=key,
            name="Tiny shop",
            category="retail",
            description="A shop with a few items.",
            entities=["item", "order"],
            rules=[Rule(id="stock", text="Nothing is sold that is not in stock.")],
            source=ThemeSource(kind="hand"),
        ),
        tasks=[],
        schema_sql=SCHEMA,
        seed_sql="",
        states={
            "initial": State(image(items), "2026-03-02T09:00:00"),
            "spring": State(image(5), "2026-05-01T08:30:00"),
        },
        tools=DEFINITIONS + (definitions or []),
        tools_source=TOOLS + source,
        server_source=server_source,
    )
