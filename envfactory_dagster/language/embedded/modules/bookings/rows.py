"""What the bookings module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Rule
from envfactory_dagster.language.embedded.world import View

_SPECIALITIES = ("beginners", "groups", "children", "advanced", "private lessons", "workshops")
_REASONS = ("deep cleaning", "repairs", "safety inspection", "private event", "new floor")
_HOURS = (10, 12, 14, 16, 18)

ENTITIES = (
    Entity(
        "resource",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        capacity INTEGER NOT NULL CHECK (capacity BETWEEN 1 AND 500),
        hourly_cents INTEGER NOT NULL CHECK (hourly_cents >= 0),
        status TEXT NOT NULL CHECK (status IN ('open', 'retired')),
        #: if place
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        """,
        "The $Resources that can be booked.",
    ),
    Entity(
        "host",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        speciality TEXT NOT NULL,
        rating REAL NOT NULL CHECK (rating BETWEEN 1 AND 5)
        """,
        "The $Hosts who run things.",
        when="full hosts",
    ),
    Entity(
        "slot",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $resource_id INTEGER NOT NULL REFERENCES $resources(id),
        #: if full hosts
        $host_id INTEGER NOT NULL REFERENCES $hosts(id),
        #: end
        starts_at TEXT NOT NULL,
        ends_at TEXT NOT NULL CHECK (ends_at > starts_at),
        seats INTEGER NOT NULL CHECK (seats >= 1),
        price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
        status TEXT NOT NULL CHECK (status IN ('open', 'called_off')),
        UNIQUE ($resource_id, starts_at)
        """,
        "When a $Resource can be used, and by how many.",
        when="scheduled",
    ),
    Entity(
        "booking",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        #: if scheduled
        $slot_id INTEGER NOT NULL REFERENCES $slots(id),
        #: end
        #: if !scheduled
        $resource_id INTEGER NOT NULL REFERENCES $resources(id),
        starts_at TEXT NOT NULL,
        ends_at TEXT NOT NULL CHECK (ends_at > starts_at),
        #: end
        #: if full hosts !scheduled
        $host_id INTEGER REFERENCES $hosts(id),
        #: end
        party_size INTEGER NOT NULL CHECK (party_size BETWEEN 1 AND 20),
        total_cents INTEGER NOT NULL CHECK (total_cents >= 0),
        status TEXT NOT NULL CHECK (status IN ('confirmed', 'attended', 'missed', 'cancelled')),
        booked_at TEXT NOT NULL
        """,
        "Who booked what.",
    ),
    Entity(
        "wait",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $slot_id INTEGER NOT NULL REFERENCES $slots(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        joined_at TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('waiting', 'left')),
        UNIQUE ($slot_id, $person_id)
        """,
        "Who waits for a place in a full $Slot.",
        when="full scheduled waitlist",
    ),
    Entity(
        "closure",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $resource_id INTEGER NOT NULL REFERENCES $resources(id),
        starts_on TEXT NOT NULL,
        ends_on TEXT NOT NULL CHECK (ends_on >= starts_on),
        reason TEXT NOT NULL
        """,
        "Days on which $aResource is shut.",
        when="full closures",
    ),
    Entity(
        "guest",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $booking_id INTEGER NOT NULL REFERENCES $bookings(id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        UNIQUE ($booking_id, name)
        """,
        "Whom $aPerson brings along.",
        when="full guests",
    ),
)

RULES = (
    Rule("booking_notice", "$aBooking can be cancelled or moved up to $notice hours before it starts, not later."),
    Rule("booking_most", "$aPerson can have at most $most confirmed $Bookings at a time that are still to come."),
    Rule("booking_party", "A party of more than 8 cannot be booked online."),
    Rule("booking_wait_full", "$Persons can only wait for $aSlot that is full.", when="full scheduled waitlist"),
    Rule("booking_guest_limit", "$aPerson can bring at most $guestlimit $Guests.", when="full guests"),
)


def generate(view: View) -> None:
    for name in view.names("resource", view.size(4, 7)):
        view.add(
            "resource",
            name=name,
            capacity=view.rng.randint(8, 14),
            hourly_cents=vocabulary.price_cents(view.rng, 800, 6000),
            status="open",
            place_id=view.rng.randint(1, len(view.rows("place"))) if view.has("place") else None,
        )
    view.rows("resource")[-1]["status"] = "retired"
    if view.has("full") and view.has("hosts"):
        for _ in range(6):
            rating = round(view.rng.uniform(3.2, 5.0), 1)
            view.add("host", name=view.person_name(), speciality=view.rng.choice(_SPECIALITIES), rating=rating)
    if view.has("scheduled"):
        _generate_slots(view)
        _generate_slot_bookings(view)
    else:
        _generate_hour_bookings(view)
    if view.has("full"):
        _generate_extras(view)


def _generate_slots(view: View) -> None:
    """Past slots first, then the coming fortnight; the last one of all is small, to be full."""
    resources = [row["id"] for row in view.select("resource", lambda row: row["status"] == "open")]
    offsets = [*range(-8, 0), *range(2, view.size(6, 14)), 15]
    for index, offset in enumerate(offsets):
        resource = resources[index % len(resources)]
        hour = view.rng.choice(_HOURS)
        view.add(
            "slot",
            resource_id=resource,
            host_id=view.rng.randint(1, 6),
            starts_at=view.moment(offset, hour),
            ends_at=view.moment(offset, hour + 1, view.rng.choice((0, 30))),
            seats=2 if offset == 15 else view.rng.randint(8, 12),
            price_cents=vocabulary.price_cents(view.rng, 700, 4000),
            status="open",
        )
    view.add(
        "slot",
        resource_id=resources[0],
        host_id=1,
        starts_at=view.moment(0, 17),
        ends_at=view.moment(0, 18),
        seats=10,
        price_cents=1500,
        status="open",
    )


def _generate_slot_bookings(view: View) -> None:
    slots = view.rows("slot")
    today, full, later = slots[-1], slots[-2], [s for s in slots if s["starts_at"] > view.now][:-2]
    mine = [today, later[0], later[1], slots[0], slots[1]]
    for slot in slots:
        if slot in mine:
            _book(view, 1, 1 if slot is today else view.rng.randint(1, 2), slot)
        for _ in range(view.rng.randint(0, 2) if slot is not full else 2):
            _book(view, view.rng.randint(2, len(view.rows("person"))), 1, slot)


def _book(view: View, person: int, party: int, slot: dict[str, object]) -> None:
    past = str(slot["starts_at"]) < view.now
    view.add(
        "booking",
        person_id=person,
        slot_id=slot["id"],
        party_size=party,
        total_cents=party * int(str(slot["price_cents"])),
        status=view.rng.choice(("attended", "attended", "missed", "cancelled")) if past else "confirmed",
        booked_at=view.moment(min(view.days_until(str(slot["starts_at"])) - 3, -1), view.rng.randint(8, 20)),
    )


def _generate_hour_bookings(view: View) -> None:
    """No two confirmed bookings of a resource overlap: every booking has a day of its own on its resource."""
    resources = view.select("resource", lambda row: row["status"] == "open")
    days = [0, *range(2, 14), *range(-16, 0)] if view.has("full") else [0, 2, 3, 5, 8, -2, -4, -6]
    for index, offset in enumerate(days):
        resource = resources[index % len(resources)]
        hour = 17 if offset == 0 else view.rng.choice(_HOURS)
        hours = view.rng.randint(1, 3)
        mine = offset in (0, 2, 5, -1, -2, -4) or (offset < 0 and view.rng.random() < 0.2)
        view.add(
            "booking",
            person_id=1 if mine else view.rng.randint(2, len(view.rows("person"))),
            resource_id=resource["id"],
            host_id=view.rng.choice((None, 1, 2, 3)),
            starts_at=view.moment(offset, hour),
            ends_at=view.moment(offset, hour + hours),
            party_size=view.rng.randint(1, 6),
            total_cents=hours * resource["hourly_cents"],
            status="confirmed" if offset >= 0 else view.rng.choice(("attended", "attended", "missed", "cancelled")),
            booked_at=view.moment(min(offset - 3, -1), view.rng.randint(8, 20)),
        )


def _generate_extras(view: View) -> None:
    if view.has("scheduled") and view.has("waitlist"):
        full = view.rows("slot")[-2]
        past = view.rows("slot")[:2]
        for index, slot in enumerate((full, *past)):
            person = len(view.rows("person")) - index
            view.add("wait", slot_id=slot["id"], person_id=person, joined_at=view.moment(-9, 10), status="waiting")
        view.add("wait", slot_id=past[0]["id"], person_id=1, joined_at=view.moment(-9, 11), status="left")
    if view.has("closures"):
        for resource in view.rows("resource")[:4]:
            offset = view.rng.randint(30, 60)
            reason = view.rng.choice(_REASONS)
            last = view.day(offset + view.rng.randint(0, 5))
            view.add("closure", resource_id=resource["id"], starts_on=view.day(offset), ends_on=last, reason=reason)
    if view.has("guests"):
        for booking in view.select("booking", lambda row: row["status"] == "attended" or row["person_id"] != 1):
            if view.rng.random() < 0.4:
                view.add("guest", booking_id=booking["id"], name=view.person_name())
        view.add("guest", booking_id=view.mine("booking")[0]["id"], name=view.person_name())
