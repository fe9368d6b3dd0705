"""What the shipments module stores: its tables, its rules, and how their rows come about."""

from collections.abc import Sequence

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Rule
from envfactory_dagster.language.embedded.world import View

CONTENTS = ("documents", "a lamp", "ceramics", "winter clothes", "spare parts", "books", "a violin", "tea", "samples")
DAYPARTS = ("morning", "afternoon", "evening")
PURPOSES = ("sale", "gift", "return", "sample")
SERVICES = ("economy", "standard", "express")
_GOODS = ("textiles", "machine parts", "printed matter", "pottery", "instruments", "toys")
_CARRIERS = (
    "Meridian Post",
    "Swift & Sure",
    "Northline Freight",
    "Harbour Couriers",
    "Bluebird Parcels",
    "Cartwheel Haulage",
    "Green Van",
    "Pelican Air",
)
_TARIFFS = (
    ("economy", 390, 80, 10_000, 6),
    ("express", 990, 210, 20_000, 1),
    ("standard", 640, 110, 60_000, 4),
    ("express", 870, 190, 12_000, 2),
    ("standard", 520, 120, 25_000, 3),
    ("economy", 450, 70, 80_000, 8),
)

ENTITIES = (
    Entity(
        "carrier",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        service TEXT NOT NULL CHECK (service IN ('economy', 'standard', 'express')),
        base_cents INTEGER NOT NULL CHECK (base_cents > 0),
        per_kg_cents INTEGER NOT NULL CHECK (per_kg_cents > 0),
        most_grams INTEGER NOT NULL CHECK (most_grams BETWEEN 1000 AND 100000),
        transit_days INTEGER NOT NULL CHECK (transit_days BETWEEN 1 AND 30)
        """,
        "Who carries $Shipments, how fast and for how much.",
    ),
    Entity(
        "hub",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        city TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('open', 'closed'))
        """,
        "Where $Shipments are handed in, sorted and kept.",
        when="full",
    ),
    Entity(
        "shipment",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        code TEXT NOT NULL UNIQUE,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $carrier_id INTEGER NOT NULL REFERENCES $carriers(id),
        #: if full
        $hub_id INTEGER NOT NULL REFERENCES $hubs(id),
        #: end
        #: if charge
        $charge_id INTEGER REFERENCES $charges(id),
        #: end
        recipient TEXT NOT NULL,
        address TEXT NOT NULL,
        #: if !pieces
        contents TEXT NOT NULL,
        weight_grams INTEGER NOT NULL CHECK (weight_grams BETWEEN 1 AND 100000),
        #: end
        total_cents INTEGER NOT NULL CHECK (total_cents >= 0),
        status TEXT NOT NULL CHECK (status IN ('booked', 'in_transit', 'held', 'delivered', 'cancelled')),
        redirects INTEGER NOT NULL DEFAULT 0 CHECK (redirects BETWEEN 0 AND 9),
        booked_at TEXT NOT NULL,
        due_on TEXT NOT NULL,
        delivered_on TEXT CHECK (delivered_on IS NULL OR status = 'delivered')
        """,
        "What $Persons send, to whom.",
    ),
    Entity(
        "piece",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $shipment_id INTEGER NOT NULL REFERENCES $shipments(id) ON DELETE CASCADE,
        contents TEXT NOT NULL,
        weight_grams INTEGER NOT NULL CHECK (weight_grams BETWEEN 1 AND 100000),
        fragile INTEGER NOT NULL CHECK (fragile IN (0, 1))
        """,
        "What $aShipment is made of.",
        when="pieces",
    ),
    Entity(
        "leg",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $shipment_id INTEGER NOT NULL REFERENCES $shipments(id),
        number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 9),
        $hub_id INTEGER NOT NULL REFERENCES $hubs(id),
        arrives_on TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('planned', 'done')),
        UNIQUE ($shipment_id, number)
        """,
        "The stations of $aShipment, each ending at $aHub.",
        when="full legs",
    ),
    Entity(
        "event",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $shipment_id INTEGER NOT NULL REFERENCES $shipments(id),
        #: if full
        $hub_id INTEGER REFERENCES $hubs(id),
        #: end
        kind TEXT NOT NULL CHECK (kind IN ('booked', 'sorted', 'held', 'redirected', 'delivered', 'cancelled')),
        happened_at TEXT NOT NULL
        """,
        "What happened to $aShipment, when and where.",
    ),
    Entity(
        "attempt",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $shipment_id INTEGER NOT NULL REFERENCES $shipments(id),
        number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 9),
        planned_on TEXT NOT NULL,
        daypart TEXT NOT NULL CHECK (daypart IN ('morning', 'afternoon', 'evening')),
        outcome TEXT NOT NULL CHECK (outcome IN ('planned', 'nobody home', 'refused', 'delivered')),
        UNIQUE ($shipment_id, number)
        """,
        "When $aShipment was or will be brought to the door.",
        when="full attempts",
    ),
    Entity(
        "declaration",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $shipment_id INTEGER NOT NULL UNIQUE REFERENCES $shipments(id),
        goods TEXT NOT NULL,
        value_cents INTEGER NOT NULL CHECK (value_cents > 0),
        purpose TEXT NOT NULL CHECK (purpose IN ('sale', 'gift', 'return', 'sample')),
        status TEXT NOT NULL CHECK (status IN ('filed', 'cleared', 'questioned')),
        filed_at TEXT NOT NULL
        """,
        "What $aShipment contains and is worth, for the customs.",
        when="full declarations",
    ),
)

RULES = (
    Rule("shipment_cancel_booked", "$aShipment can be cancelled only while it is booked, not once it is under way."),
    Rule("shipment_redirects", "$aShipment can be redirected at most $mostredirects times."),
    Rule("shipment_weight", "No $Carrier takes more weight in one $Shipment than its limit."),
    Rule(
        "shipment_attempts",
        "$aShipment is brought at most $mosttries times; after that it must be collected.",
        when="full attempts",
    ),
)

# Of user 1: what state each shipment is in and how many days ago it was booked.
_MINE = (
    ("delivered", 40),
    ("delivered", 22),
    ("cancelled", 18),
    ("delivered", 12),
    ("held", 8),
    ("held", 7),
    ("in_transit", 3),
    ("in_transit", 2),
    ("booked", 1),
    ("booked", 1),
)
_KINDS: dict[str, Sequence[str]] = {
    "booked": ("booked",),
    "cancelled": ("booked", "cancelled"),
    "in_transit": ("booked", "sorted"),
    "held": ("booked", "sorted", "held"),
    "delivered": ("booked", "sorted", "delivered"),
}


def generate(view: View) -> None:
    for name, (service, base, per_kg, most, days) in zip(view.names("carrier", 6, _CARRIERS), _TARIFFS, strict=True):
        base += view.rng.randrange(0, 100, 5)
        view.add(
            "carrier",
            name=name,
            service=service,
            base_cents=base,
            per_kg_cents=per_kg,
            most_grams=most,
            transit_days=days,
        )
    if view.has("full"):
        for name, city in zip(view.names("hub", 6), vocabulary.cities(view.rng, 6), strict=True):
            view.add("hub", name=name, city=city, status="open")
        view.rows("hub")[-1]["status"] = "closed"
    others = [
        (view.rng.choice(tuple(_KINDS)), view.rng.randint(1, 30), view.rng.randint(2, len(view.rows("person"))))
        for _ in range(view.size(4, 7))
    ]
    plans = [(status, age, 1) for status, age in _MINE] + [("held", 8, 2), *others]
    recipients = list(dict.fromkeys(view.person_name() for _ in range(60)))
    for recipient, (status, age, person) in zip(recipients, sorted(plans, key=lambda plan: -plan[1]), strict=False):
        _add_shipment(view, person, recipient, status, age)
    last_on_the_way = view.mine("shipment", lambda row: row["status"] == "in_transit")[-1]
    last_on_the_way["redirects"] = view.setting("mostredirects")
    if view.has("full"):
        _generate_extras(view)


def cost_of(carrier: dict[str, int], grams: int) -> int:
    """What a carrier asks: a base and so much for every kilogram begun."""
    return carrier["base_cents"] + carrier["per_kg_cents"] * -(-grams // 1000)


def _add_shipment(view: View, person: int, recipient: str, status: str, age: int) -> None:
    carrier = view.rng.choice(view.rows("carrier"))
    weights = [view.rng.randrange(300, 2_400, 50) for _ in range(view.rng.randint(1, 2) if view.has("pieces") else 1)]
    costs = [cost_of(carrier, grams) - carrier["base_cents"] for grams in weights]
    booked_at = view.moment(-age, view.rng.randint(7, 8), view.rng.choice((5, 20, 40)))
    delivered_on = view.day(min(carrier["transit_days"], age - 1) - age) if status == "delivered" else None
    shipment = view.add(
        "shipment",
        code=f"TR-{20_000 + 731 * len(view.rows('shipment')) + view.rng.randint(1, 700)}",
        person_id=person,
        carrier_id=carrier["id"],
        hub_id=view.rng.randint(1, 5),
        charge_id=_charge_of(view, person) if view.has("charge") else None,
        recipient=recipient,
        address=vocabulary.address(view.rng),
        contents=view.rng.choice(CONTENTS),
        weight_grams=weights[0],
        total_cents=carrier["base_cents"] + sum(costs),
        status=status,
        redirects=0,
        booked_at=booked_at,
        due_on=view.day(carrier["transit_days"] + (1 if status in ("booked", "in_transit") else -age)),
        delivered_on=delivered_on,
    )
    if view.has("pieces"):
        for grams in weights:
            contents = view.rng.choice(CONTENTS)
            fragile = view.rng.randint(0, 1)
            view.add("piece", shipment_id=shipment, contents=contents, weight_grams=grams, fragile=fragile)
    for index, kind in enumerate(_KINDS[status]):
        day = view.days_until(delivered_on) if delivered_on and kind == "delivered" else min(index, age - 1) - age
        happened_at = booked_at if index == 0 else view.moment(day, 8 + 4 * index)
        hub = view.rng.randint(1, 5) if kind in ("sorted", "held") else None
        view.add("event", shipment_id=shipment, hub_id=hub, kind=kind, happened_at=happened_at)


def _charge_of(view: View, person: int) -> int | None:
    """Something this person was charged for that no shipment carries yet."""
    carried = {row["charge_id"] for row in view.rows("shipment")}
    free = [row["id"] for row in view.select("charge") if row["person_id"] == person and row["id"] not in carried]
    return view.rng.choice(free) if free and (person == 1 or view.rng.random() < 0.5) else None


def _generate_extras(view: View) -> None:
    shipments = view.rows("shipment")
    if view.has("legs"):
        for shipment in shipments[-9:]:
            hubs = view.rng.sample(range(1, 6), 3)
            for number, hub in enumerate(hubs, start=1):
                done = shipment["status"] in ("held", "delivered") or (
                    shipment["status"] == "in_transit" and number == 1
                )
                view.add(
                    "leg",
                    shipment_id=shipment["id"],
                    number=number,
                    hub_id=hub,
                    arrives_on=view.day(number - 4 if done else number),
                    status="done" if done else "planned",
                )
    if view.has("attempts"):
        _generate_attempts(view)
    if view.has("declarations"):
        declared = [row for row in shipments if row["status"] != "booked"]
        for shipment in declared:
            view.add(
                "declaration",
                shipment_id=shipment["id"],
                goods=view.rng.choice(_GOODS),
                value_cents=view.rng.randrange(2_000, 90_000, 500),
                purpose=view.rng.choice(PURPOSES),
                status=view.rng.choice(("cleared", "cleared", "questioned")),
                filed_at=view.moment(view.days_until(shipment["booked_at"]), 12),
            )


def _generate_attempts(view: View) -> None:
    """The first held shipment of user 1 may be brought again, the second was brought as often as it may be."""
    exhausted = view.mine("shipment", lambda row: row["status"] == "held")[1]
    for shipment in view.rows("shipment"):
        age = -view.days_until(shipment["booked_at"])
        if shipment["status"] == "held":
            tries = view.setting("mosttries") if shipment is exhausted else 1
            for number in range(1, tries + 1):
                daypart = view.rng.choice(DAYPARTS)
                planned_on = view.day(number - min(age, 5))
                view.add(
                    "attempt",
                    shipment_id=shipment["id"],
                    number=number,
                    planned_on=planned_on,
                    daypart=daypart,
                    outcome="nobody home",
                )
        elif shipment["status"] == "delivered":
            view.add(
                "attempt",
                shipment_id=shipment["id"],
                number=1,
                planned_on=shipment["delivered_on"],
                daypart=view.rng.choice(DAYPARTS),
                outcome="delivered",
            )
