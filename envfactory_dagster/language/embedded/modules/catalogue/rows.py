"""What the catalogue module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

REASONS = ("damaged", "wrong size", "not as described", "changed my mind")

ENTITIES = (
    Entity(
        "shelf",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE
        """,
        "How the $Items are sorted.",
    ),
    Entity(
        "vendor",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        city TEXT NOT NULL,
        lead_days INTEGER NOT NULL CHECK (lead_days BETWEEN 1 AND 60)
        """,
        "Where the $Items come from.",
        when="full vendors",
    ),
    Entity(
        "item",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $shelf_id INTEGER NOT NULL REFERENCES $shelfs(id),
        #: if full vendors
        $vendor_id INTEGER NOT NULL REFERENCES $vendors(id),
        #: end
        name TEXT NOT NULL UNIQUE,
        price_cents INTEGER NOT NULL CHECK (price_cents > 0),
        stock INTEGER NOT NULL CHECK (stock >= 0),
        status TEXT NOT NULL CHECK (status IN ('available', 'discontinued'))
        """,
        "What can be ordered.",
    ),
    Entity(
        "order",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        #: if !multiline
        $item_id INTEGER NOT NULL REFERENCES $items(id),
        quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 50),
        #: end
        #: if place
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        status TEXT NOT NULL CHECK (status IN ('draft', 'placed', 'shipped', 'delivered', 'cancelled')),
        total_cents INTEGER NOT NULL CHECK (total_cents >= 0),
        created_at TEXT NOT NULL,
        delivered_on TEXT CHECK (delivered_on IS NULL OR status = 'delivered')
        """,
        "Who ordered what.",
    ),
    Entity(
        "line",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $order_id INTEGER NOT NULL REFERENCES $orders(id) ON DELETE CASCADE,
        $item_id INTEGER NOT NULL REFERENCES $items(id),
        quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 50),
        unit_price_cents INTEGER NOT NULL CHECK (unit_price_cents > 0),
        UNIQUE ($order_id, $item_id)
        """,
        "The $Items of $aOrder.",
        when="multiline",
    ),
    Entity(
        "wish",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $item_id INTEGER NOT NULL REFERENCES $items(id),
        added_at TEXT NOT NULL,
        UNIQUE ($person_id, $item_id)
        """,
        "What $Persons want to remember.",
        when="full wishes",
    ),
    Entity(
        "giveback",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $order_id INTEGER NOT NULL UNIQUE REFERENCES $orders(id),
        reason TEXT NOT NULL CHECK (reason IN ('damaged', 'wrong size', 'not as described', 'changed my mind')),
        status TEXT NOT NULL CHECK (status IN ('requested', 'approved', 'rejected')),
        requested_at TEXT NOT NULL
        """,
        "$Orders that people want to give back.",
        when="full givebacks",
    ),
)

RULES = (
    Rule("order_cancel_early", "$aOrder can be cancelled only before it is shipped."),
    Rule("order_most_units", "$aOrder may contain at most $mostunits of one $Item."),
    Rule("order_discontinued", "$aItem that is discontinued cannot be ordered."),
    Rule(
        "order_return_days",
        "$aOrder can be given back within $returndays days of its delivery, not later.",
        when="full givebacks",
    ),
)


def generate(view: View) -> None:
    shelves = view.names("shelf", view.size(3, 4))
    for name in shelves:
        view.add("shelf", name=name)
    if view.has("full") and view.has("vendors"):
        for family, city in zip(
            view.rng.sample(vocabulary.FAMILY_NAMES, 5), vocabulary.cities(view.rng, 5), strict=True
        ):
            view.add("vendor", name=f"{family} & Co", city=city, lead_days=view.rng.randint(2, 20))
    names = view.names("item", view.size(7, 10))
    for index, name in enumerate(names):
        view.add(
            "item",
            shelf_id=index % len(shelves) + 1,
            vendor_id=index % 5 + 1,
            name=name,
            price_cents=vocabulary.price_cents(view.rng, 400, 9000),
            stock=view.rng.randint(12, 60),
            status="discontinued" if index == len(names) - 1 else "available",
        )
    _generate_orders(view)
    if view.has("full") and view.has("wishes"):
        for person in range(1, 7):
            for item in view.rng.sample(range(1, len(names) - 1), 2):
                view.add("wish", person_id=person, item_id=item, added_at=view.moment(-view.rng.randint(1, 40), 20))
    if view.has("full") and view.has("givebacks"):
        _generate_givebacks(view)


def _generate_orders(view: View) -> None:
    """Orders of the last months in every status; user 1 has one of each, a fresh delivery and an old one."""
    persons = len(view.rows("person"))
    mine = [("delivered", -90), ("delivered", -9), ("cancelled", -30), ("shipped", -4), ("placed", -1)]
    if view.has("multiline"):
        mine.append(("draft", -1))
    others = [
        (view.rng.choice(("delivered", "delivered", "shipped", "placed")), -view.rng.randint(5, 80)) for _ in range(9)
    ]
    plans = [(1, *entry) for entry in mine] + [
        (view.rng.randint(2, persons), *entry) for entry in others[: view.size(4, 9)]
    ]
    for person, status, age in sorted(plans, key=lambda entry: entry[2]):
        _add_order(view, person, status, age)


def _add_order(view: View, person: int, status: str, age: int) -> None:
    available: list[Row] = view.select("item", lambda row: row["status"] == "available")
    chosen = view.rng.sample(available, view.rng.randint(1, 3) if view.has("multiline") else 1)
    quantities = [view.rng.randint(1, 2) for _ in chosen]
    order_id = view.add(
        "order",
        person_id=person,
        item_id=chosen[0]["id"],
        quantity=quantities[0],
        place_id=view.rng.randint(1, len(view.rows("place"))) if view.has("place") else None,
        status=status,
        total_cents=sum(item["price_cents"] * n for item, n in zip(chosen, quantities, strict=True)),
        created_at=view.moment(age, view.rng.randint(8, 20)),
        delivered_on=view.day(age + 4) if status == "delivered" else None,
    )
    if view.has("multiline"):
        for item, quantity in zip(chosen, quantities, strict=True):
            view.add(
                "line", order_id=order_id, item_id=item["id"], quantity=quantity, unit_price_cents=item["price_cents"]
            )


def _generate_givebacks(view: View) -> None:
    for order in view.select("order", lambda row: row["status"] == "delivered" and row["person_id"] != 1):
        if view.rng.random() < 0.6:
            view.add(
                "giveback",
                order_id=order["id"],
                reason=view.rng.choice(REASONS),
                status=view.rng.choice(("requested", "approved", "rejected")),
                requested_at=view.moment(view.days_until(order["delivered_on"]) + 1, 15),
            )
    cancelled = view.mine("order", lambda row: row["status"] == "cancelled")[0]
    view.add(
        "giveback",
        order_id=cancelled["id"],
        reason="damaged",
        status="rejected",
        requested_at=view.moment(view.days_until(cancelled["created_at"]) + 1, 12),
    )
