"""What the devices module stores: its tables, its rules, and how their rows come about.

A blueprint may name types with their unit and range: "Soil probe, %, 0, 100".
"""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

SEVERITIES = ("info", "warning", "critical")
_KINDS = (
    "Thermometer, degrees, -20, 60",
    "Humidity sensor, percent, 0, 100",
    "Power meter, watt, 0, 4000",
    "Air sensor, ppm, 300, 3000",
    "Flow meter, litres a minute, 0, 80",
)
_ZONES = ("Entrance", "Ground floor", "Upper floor", "Cellar", "Yard", "Roof")
_DEVICES = (
    "Entrance node",
    "North wall",
    "Cellar node",
    "Window side",
    "Roof mast",
    "Back yard",
    "Boiler node",
    "Hallway",
    "Store room",
    "Gate post",
)
_PURPOSES = ("battery change", "cleaning", "firmware update", "yearly inspection", "new mounting")
_NOTES = ("Filter was blocked, cleaned it.", "Door had been left open.", "False alarm, nothing found.")

ENTITIES = (
    Entity(
        "zone",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        #: if place
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        notes TEXT NOT NULL
        """,
        "Where the $Devices are.",
        when="full zones",
    ),
    Entity(
        "kind",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        measures TEXT NOT NULL,
        lowest REAL NOT NULL,
        highest REAL NOT NULL,
        CHECK (highest > lowest)
        """,
        "Kinds of $Devices, the unit they measure in and their range.",
    ),
    Entity(
        "device",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        $kind_id INTEGER NOT NULL REFERENCES $kinds(id),
        #: if full zones
        $zone_id INTEGER NOT NULL REFERENCES $zones(id),
        #: end
        #: if full place !zones
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        #: if owned
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        #: end
        status TEXT NOT NULL CHECK (status IN ('online', 'offline', 'retired')),
        battery INTEGER NOT NULL CHECK (battery BETWEEN 0 AND 100),
        installed_on TEXT NOT NULL
        """,
        "What is being watched, with its battery in percent.",
    ),
    Entity(
        "reading",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $device_id INTEGER NOT NULL REFERENCES $devices(id),
        value REAL NOT NULL,
        source TEXT NOT NULL CHECK (source IN ('automatic', 'manual')),
        taken_at TEXT NOT NULL
        """,
        "What the $Devices measured.",
    ),
    Entity(
        "bound",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $device_id INTEGER NOT NULL REFERENCES $devices(id),
        direction TEXT NOT NULL CHECK (direction IN ('above', 'below')),
        level REAL NOT NULL,
        severity TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
        UNIQUE ($device_id, direction)
        """,
        "When $aReading raises $aAlert.",
        when="full",
    ),
    Entity(
        "alert",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $reading_id INTEGER NOT NULL UNIQUE REFERENCES $readings(id),
        severity TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
        status TEXT NOT NULL CHECK (status IN ('open', 'acknowledged', 'resolved')),
        raised_at TEXT NOT NULL,
        handled_by INTEGER REFERENCES $persons(id),
        note TEXT
        """,
        "$Readings that somebody has to look into.",
    ),
    Entity(
        "upkeep",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $device_id INTEGER NOT NULL REFERENCES $devices(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        starts_at TEXT NOT NULL,
        ends_at TEXT NOT NULL CHECK (ends_at > starts_at),
        purpose TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('planned', 'done', 'cancelled'))
        """,
        "When a $Device is worked on, and who planned it.",
        when="full",
    ),
    Entity(
        "routine",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        name TEXT NOT NULL,
        watched_id INTEGER NOT NULL REFERENCES $devices(id),
        direction TEXT NOT NULL CHECK (direction IN ('above', 'below')),
        level REAL NOT NULL,
        switched_id INTEGER NOT NULL REFERENCES $devices(id),
        does TEXT NOT NULL CHECK (does IN ('on', 'off', 'notify')),
        enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
        UNIQUE ($person_id, name)
        """,
        "What happens by itself when a $Device measures something.",
        when="full routines",
    ),
    Entity(
        "contact",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $kind_id INTEGER NOT NULL REFERENCES $kinds(id),
        step INTEGER NOT NULL CHECK (step BETWEEN 1 AND 5),
        name TEXT NOT NULL,
        phone TEXT NOT NULL,
        UNIQUE ($kind_id, step)
        """,
        "Who is called about which kind of $Device, one after the other.",
        when="full escalations",
    ),
    Entity(
        "escalation",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $alert_id INTEGER NOT NULL REFERENCES $alerts(id),
        $contact_id INTEGER NOT NULL REFERENCES $contacts(id),
        called_at TEXT NOT NULL,
        UNIQUE ($alert_id, $contact_id)
        """,
        "Who has been called about which $Alert.",
        when="full escalations",
    ),
    Entity(
        "calibration",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $device_id INTEGER NOT NULL REFERENCES $devices(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        correction REAL NOT NULL,
        performed_on TEXT NOT NULL,
        UNIQUE ($device_id, performed_on)
        """,
        "When $Devices were adjusted, and by how much.",
        when="full calibrations",
    ),
)

RULES = (
    Rule("alert_note", "A critical $Alert can only be resolved with a note of at least $notewords words."),
    Rule("alert_order", "$aAlert has to be acknowledged before it can be resolved."),
    Rule("device_range", "$aBound has to lie within the range that the $Device can measure.", when="full"),
    Rule("upkeep_gap", "Between two $Upkeeps of one $Device there are at least $gap hours.", when="full"),
    Rule("upkeep_length", "$aUpkeep lasts at most $longest hours.", when="full"),
    Rule("escalation_critical", "Only a critical $Alert can be escalated.", when="full escalations"),
)


def generate(view: View) -> None:
    if view.has("full") and view.has("zones"):
        for name in view.names("zone", 5, _ZONES):
            place = view.rng.randint(1, len(view.rows("place"))) if view.has("place") else None
            view.add("zone", name=name, place_id=place, notes=view.rng.choice(("indoors", "outdoors", "locked")))
    for described in view.names("kind", 5, _KINDS):
        name, measures, lowest, highest = described.split(", ")
        view.add("kind", name=name, measures=measures, lowest=float(lowest), highest=float(highest))
    _generate_devices(view)
    for device in view.rows("device"):
        _generate_readings(view, device)
    _generate_alerts(view)
    if view.has("full"):
        _generate_extras(view)


def _generate_devices(view: View) -> None:
    """The first five are online and, where devices are owned, user 1's."""
    count = view.size(7, 9)
    batteries = view.rng.sample(range(12, 100), count)
    for index, name in enumerate(view.names("device", count, _DEVICES)):
        view.add(
            "device",
            name=name,
            kind_id=index % len(view.rows("kind")) + 1,
            zone_id=view.rng.randint(1, 5),
            place_id=view.rng.randint(1, len(view.rows("place"))) if view.has("place") else None,
            person_id=1 if index < 5 else view.rng.randint(2, len(view.rows("person"))),
            status="online" if index < 5 else view.rng.choice(("online", "offline", "retired")),
            battery=batteries[index],
            installed_on=view.day(-view.rng.randint(60, 900)),
        )


def value_within(view: View, kind: Row, low: float, high: float) -> float:
    """A value between two shares of a kind's range, with one decimal that is not zero."""
    span = kind["highest"] - kind["lowest"]
    whole = int(kind["lowest"] + span * view.rng.uniform(low, high))
    return round(whole + view.rng.randint(1, 9) / 10, 1)


def _generate_readings(view: View, device: Row) -> None:
    kind = view.row("kind", device["kind_id"])
    for offset in range(-view.size(4, 5), 0):
        view.add(
            "reading",
            device_id=device["id"],
            value=value_within(view, kind, 0.3, 0.7),
            source="automatic",
            taken_at=view.moment(offset, view.rng.randint(0, 23), view.rng.randint(0, 59)),
        )


def _generate_alerts(view: View) -> None:
    """On each of the first five devices one that is not resolved; older and others' ones are. User 1 resolved one."""
    unresolved = (("warning", "open"), ("warning", "acknowledged"), ("critical", "open"), ("critical", "acknowledged"))
    for device in view.rows("device"):
        readings = [row for row in view.rows("reading") if row["device_id"] == device["id"]]
        severity, status = (*unresolved, ("warning", "acknowledged"), *[("info", "resolved")] * 9)[device["id"] - 1]
        for reading, last in ((readings[0], False), (readings[-1], True)):
            if not last and device["id"] % 2:
                continue
            open_now = last and status != "resolved"
            handler = 1 if device["id"] == 2 and not last else view.rng.randint(2, 5)
            view.add(
                "alert",
                reading_id=reading["id"],
                severity=severity if last else view.rng.choice(SEVERITIES),
                status=status if last else "resolved",
                raised_at=reading["taken_at"],
                handled_by=None if status == "open" and last else handler,
                note=None if open_now else view.rng.choice(_NOTES),
            )


def _generate_extras(view: View) -> None:
    for device in view.rows("device"):
        kind = view.row("kind", device["kind_id"])
        if device["id"] != 2:
            level = value_within(view, kind, 0.75, 0.9)
            view.add("bound", device_id=device["id"], direction="above", level=level, severity="warning")
    _generate_upkeeps(view)
    if view.has("routines"):
        for index, name in enumerate(view.rng.sample(("Night mode", "Away", "Heat wave", "Dry spell", "Frost"), 5)):
            watched = index % 5 + 1
            view.add(
                "routine",
                person_id=1 if index < 3 else view.rng.randint(2, len(view.rows("person"))),
                name=name,
                watched_id=watched,
                direction=view.rng.choice(("above", "below")),
                level=value_within(view, view.row("kind", view.row("device", watched)["kind_id"]), 0.4, 0.6),
                switched_id=(index + 2) % 5 + 1,
                does=view.rng.choice(("on", "off", "notify")),
                enabled=1 if index < 2 else 0,
            )
    if view.has("escalations"):
        _generate_escalations(view)
    if view.has("calibrations"):
        for device in view.rows("device"):
            for age in (view.rng.randint(200, 300), view.rng.randint(20, 90)):
                view.add(
                    "calibration",
                    device_id=device["id"],
                    person_id=view.rng.randint(2, len(view.rows("person"))),
                    correction=view.rng.randint(-9, 9) / 10,
                    performed_on=view.day(-age),
                )


def _generate_upkeeps(view: View) -> None:
    """User 1 planned the first two, for the first and the second device; the third device has none to come."""
    plans = [(1, 5, 1, "planned"), (2, 9, 1, "planned")]
    plans += [(device, -view.rng.randint(5, 90), view.rng.randint(1, 5), "done") for device in (1, 2, 3, 4, 5, 6)]
    plans += [(4, 14, 2, "planned"), (6, 3, 3, "cancelled")]
    purposes = view.rng.sample(_PURPOSES, len(_PURPOSES))
    for index, (device, offset, person, status) in enumerate(plans):
        view.add(
            "upkeep",
            device_id=device,
            person_id=person,
            starts_at=view.moment(offset, 10),
            ends_at=view.moment(offset, 12),
            purpose=purposes[index % len(purposes)],
            status=status,
        )


def _generate_escalations(view: View) -> None:
    for kind in view.rows("kind"):
        for step in (1, 2):
            name = view.person_name()
            view.add("contact", kind_id=kind["id"], step=step, name=name, phone=vocabulary.phone(view.rng))
    for alert in view.select("alert", lambda row: row["status"] == "resolved"):
        device = view.row("device", view.row("reading", alert["reading_id"])["device_id"])
        contact = next(row for row in view.rows("contact") if row["kind_id"] == device["kind_id"])
        view.add("escalation", alert_id=alert["id"], contact_id=contact["id"], called_at=alert["raised_at"])
