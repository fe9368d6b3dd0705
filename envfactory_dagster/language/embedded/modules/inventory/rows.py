"""What the inventory module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

STATUSES = ("draft", "requested", "dispatched", "received", "cancelled")
UNITS = ("piece", "box", "kilogram", "litre", "metre")
_DEPOTS = ("North yard", "River hall", "Old tannery", "Dock 7", "Hill store", "Ring road")
_SKUS = (
    "Hex bolts M8",
    "Epoxy resin",
    "Pallet wrap",
    "Copper pipe 15 mm",
    "Solvent cleaner",
    "Work gloves",
    "Cable ties",
    "Sealing tape",
    "Filter cartridges",
    "Cardboard boxes",
)
CONTROLLED = (2, 5)
"""Ids of the goods for which a depot needs a licence."""

ENTITIES = (
    Entity(
        "source",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        city TEXT NOT NULL,
        lead_days INTEGER NOT NULL CHECK (lead_days BETWEEN 1 AND 90)
        """,
        "Who delivers new stock.",
        when="full sources",
    ),
    Entity(
        "depot",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        city TEXT NOT NULL,
        licence INTEGER NOT NULL CHECK (licence IN (0, 1)),
        #: if full staff
        $staff_id INTEGER NOT NULL REFERENCES $staffs(id),
        #: end
        """,
        "Where stock is kept.",
    ),
    Entity(
        "sku",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        code TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        #: if full sources
        $source_id INTEGER NOT NULL REFERENCES $sources(id),
        #: end
        unit TEXT NOT NULL CHECK (unit IN ('piece', 'box', 'kilogram', 'litre', 'metre')),
        unit_price_cents INTEGER NOT NULL CHECK (unit_price_cents > 0),
        controlled INTEGER NOT NULL CHECK (controlled IN (0, 1)),
        status TEXT NOT NULL CHECK (status IN ('active', 'phased_out'))
        """,
        "What is kept in stock.",
    ),
    Entity(
        "level",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $depot_id INTEGER NOT NULL REFERENCES $depots(id),
        $sku_id INTEGER NOT NULL REFERENCES $skus(id),
        on_hand INTEGER NOT NULL CHECK (on_hand >= 0),
        reserved INTEGER NOT NULL CHECK (reserved >= 0),
        reorder_point INTEGER NOT NULL CHECK (reorder_point >= 0),
        UNIQUE ($depot_id, $sku_id),
        CHECK (reserved <= on_hand)
        """,
        "How much of $aSku is in $aDepot, how much of that is spoken for, and below what it is to be reordered.",
    ),
    Entity(
        "batch",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $level_id INTEGER NOT NULL REFERENCES $levels(id),
        code TEXT NOT NULL UNIQUE,
        quantity INTEGER NOT NULL CHECK (quantity > 0),
        expires_on TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('free', 'blocked'))
        """,
        "What $aLevel is made of, and how long it keeps.",
        when="full batches",
    ),
    Entity(
        "transfer",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        from_$depot_id INTEGER NOT NULL REFERENCES $depots(id),
        to_$depot_id INTEGER NOT NULL REFERENCES $depots(id),
        #: if !manifest
        $sku_id INTEGER NOT NULL REFERENCES $skus(id),
        quantity INTEGER NOT NULL CHECK (quantity > 0),
        #: end
        status TEXT NOT NULL CHECK (status IN ('draft', 'requested', 'dispatched', 'received', 'cancelled')),
        created_at TEXT NOT NULL,
        received_on TEXT,
        CHECK (from_$depot_id <> to_$depot_id),
        CHECK ((received_on IS NOT NULL) = (status = 'received'))
        """,
        "Who asked for stock to be moved from one $Depot to another.",
    ),
    Entity(
        "piece",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $transfer_id INTEGER NOT NULL REFERENCES $transfers(id),
        $sku_id INTEGER NOT NULL REFERENCES $skus(id),
        quantity INTEGER NOT NULL CHECK (quantity > 0),
        UNIQUE ($transfer_id, $sku_id)
        """,
        "What $aTransfer consists of.",
        when="manifest",
    ),
    Entity(
        "supply",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $depot_id INTEGER NOT NULL REFERENCES $depots(id),
        $sku_id INTEGER NOT NULL REFERENCES $skus(id),
        quantity INTEGER NOT NULL CHECK (quantity > 0),
        status TEXT NOT NULL CHECK (status IN ('ordered', 'delivered', 'cancelled')),
        ordered_on TEXT NOT NULL
        """,
        "New stock that was ordered, and by whom.",
        when="full",
    ),
    Entity(
        "tally",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $level_id INTEGER NOT NULL REFERENCES $levels(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        expected INTEGER NOT NULL CHECK (expected >= 0),
        counted INTEGER NOT NULL CHECK (counted >= 0),
        counted_at TEXT NOT NULL
        """,
        "What people found when they counted.",
        when="full counts",
    ),
)

RULES = (
    Rule("stock_reorder_point", "$aTransfer must leave the reorder point of $aSku free in the $Depot it comes from."),
    Rule("stock_licence", "$Skus that are controlled can be sent only to $aDepot with a licence for them."),
    Rule("stock_under_way", "$aTransfer can be cancelled until it is dispatched, not later."),
    Rule(
        "stock_supply_once",
        "While $aSupply of $aSku is on order for $aDepot, no other can be ordered for it.",
        when="full",
    ),
)


def generate(view: View) -> None:
    if view.has("full") and view.has("sources"):
        cities = vocabulary.cities(view.rng, 4)
        for family, city in zip(view.rng.sample(vocabulary.FAMILY_NAMES, 4), cities, strict=True):
            view.add("source", name=f"{family} Wholesale", city=city, lead_days=view.rng.randint(2, 30))
    depots = view.names("depot", view.size(3, 4), _DEPOTS)
    for index, (name, city) in enumerate(zip(depots, vocabulary.cities(view.rng, len(depots)), strict=True)):
        keeper = view.rng.randint(1, len(view.rows("staff"))) if view.has("full") and view.has("staff") else None
        view.add("depot", name=name, city=city, licence=int(index < 2), staff_id=keeper)
    names = view.names("sku", view.size(7, 8), _SKUS)
    for index, name in enumerate(names):
        view.add(
            "sku",
            code=f"SKU-{1_000 + 37 * index + view.rng.randint(0, 30)}",
            name=name,
            source_id=index % 4 + 1,
            unit=view.rng.choice(UNITS),
            unit_price_cents=vocabulary.price_cents(view.rng, 200, 6_000),
            controlled=int(index + 1 in CONTROLLED),
            status="phased_out" if index == len(names) - 1 else "active",
        )
    _generate_levels(view)
    _generate_transfers(view)
    if view.has("full"):
        _generate_supplies(view)
        _generate_extras(view)


def _generate_levels(view: View) -> None:
    """A level for every depot and good; every fourth is below its reorder point, each by another amount."""
    short = 0
    for depot in view.rows("depot"):
        for sku in view.rows("sku"):
            point = view.rng.randint(14, 24)
            on_hand = view.rng.randint(80, 140)
            if (depot["id"] + sku["id"]) % 4 == 0:
                short += 1
                on_hand = point - short
            view.add(
                "level",
                depot_id=depot["id"],
                sku_id=sku["id"],
                on_hand=on_hand,
                reserved=0,
                reorder_point=point,
            )


def level_of(view: View, depot_id: int, sku_id: int) -> Row:
    return view.need("level", lambda row: row["depot_id"] == depot_id and row["sku_id"] == sku_id)


def plentiful(view: View, depot_id: int) -> list[int]:
    """Goods on offer, not controlled, of which a depot has plenty."""
    return [
        row["id"]
        for row in view.rows("sku")
        if (depot_id + row["id"]) % 4 and row["status"] == "active" and not row["controlled"]
    ]


def _generate_transfers(view: View) -> None:
    """User 1 has a transfer of every status, others have some more; what has not arrived is reserved."""
    mine = [("received", -20), ("cancelled", -30), ("dispatched", -3), ("requested", -1)]
    if view.has("manifest"):
        mine.append(("draft", -1))
    others = [(view.rng.choice(STATUSES[1:]), -view.rng.randint(2, 50)) for _ in range(view.size(3, 7))]
    people = len(view.rows("person"))
    plans = [(1, *entry) for entry in mine] + [(view.rng.randint(2, people), *entry) for entry in others]
    for person, status, age in sorted(plans, key=lambda entry: entry[2]):
        origin, target = view.rng.sample(range(1, len(view.rows("depot")) + 1), 2)
        skus = view.rng.sample(plentiful(view, origin), 2 if view.has("manifest") else 1)
        quantities = [view.rng.randint(2, 6) for _ in skus]
        transfer_id = view.add(
            "transfer",
            person_id=person,
            from_depot_id=origin,
            to_depot_id=target,
            sku_id=skus[0],
            quantity=quantities[0],
            status=status,
            created_at=view.moment(age, view.rng.randint(8, 18)),
            received_on=view.day(age + 2) if status == "received" else None,
        )
        for sku, quantity in zip(skus, quantities, strict=True):
            if view.has("manifest"):
                view.add("piece", transfer_id=transfer_id, sku_id=sku, quantity=quantity)
            if status in ("draft", "requested", "dispatched"):
                level_of(view, origin, sku)["reserved"] += quantity


def _generate_supplies(view: View) -> None:
    """User 1 has one on order, for the first depot and good."""
    view.add(
        "supply",
        person_id=1,
        depot_id=1,
        sku_id=1,
        quantity=30,
        status="ordered",
        ordered_on=view.day(-4),
    )
    for index in range(7):
        view.add(
            "supply",
            person_id=view.rng.randint(1, len(view.rows("person"))),
            depot_id=index % len(view.rows("depot")) + 1,
            sku_id=view.rng.randint(1, len(view.rows("sku"))),
            quantity=view.rng.randrange(10, 80, 5),
            status=view.rng.choice(("delivered", "delivered", "cancelled")),
            ordered_on=view.day(-view.rng.randint(10, 80)),
        )


def _generate_extras(view: View) -> None:
    levels = view.select("level", lambda row: row["on_hand"] >= 80)
    if view.has("batches"):
        for index, level in enumerate(levels[:6]):
            for part in (1, 2):
                view.add(
                    "batch",
                    level_id=level["id"],
                    code=f"LOT-{level['id']:02d}{part}{view.rng.randint(10, 99)}",
                    quantity=level["on_hand"] // 2,
                    expires_on=view.day(20 + 9 * index + 150 * part),
                    status="blocked" if index == 5 else "free",
                )
    if view.has("counts"):
        for level in view.rng.sample(levels, 7):
            view.add(
                "tally",
                level_id=level["id"],
                person_id=view.rng.randint(1, len(view.rows("person"))),
                expected=level["on_hand"],
                counted=level["on_hand"] - view.rng.choice((0, 0, 1, 3)),
                counted_at=view.moment(-view.rng.randint(5, 60), view.rng.randint(8, 18)),
            )
