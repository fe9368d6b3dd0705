"""Bookings and availability: places at scheduled slots, or free hours of a resource, with waiting lists and guests.

With the option `scheduled` people book places at slots that the house has set; without it they book hours of a
resource. Provides `thing` (a resource), `record` and `charge` (a booking), `staff` (a host).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.bookings.asks import ASKS
from envfactory_dagster.language.embedded.modules.bookings.changes import CHANGES
from envfactory_dagster.language.embedded.modules.bookings.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.bookings.lookups import LOOKUPS
from envfactory_dagster.language.embedded.modules.bookings.rows import ENTITIES, RULES, generate

MODULE = Module(
    name="bookings",
    about="$Persons book $aResource and cancel or move what they booked",
    roles={
        "resource": ("room", "court", "studio", "venue", "hall", "bay", "desk", "workshop", "lab", "boat"),
        "host": ("instructor", "guide", "trainer", "coach", "teacher", "therapist"),
        "slot": ("session", "class session", "time slot", "showing", "lesson"),
        "booking": ("booking", "reservation", "appointment"),
        "wait": ("waiting entry", "waitlist entry"),
        "closure": ("closure", "maintenance window", "blackout"),
        "guest": ("companion", "invitee", "extra guest"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*LOOKUPS, *CHANGES, *EXTRAS),
    asks=ASKS,
    generate=generate,
    provides={"thing": "resource", "record": "booking", "charge": "booking", "staff": "host"},
    links=("place",),
    options=("scheduled", "hosts", "waitlist", "closures", "guests"),
    settings={"notice": (12, 24, 36, 48), "most": (6, 7, 8), "guestlimit": (2, 3, 4)},
    keywords=("book", "booking", "reserve", "reservation", "appointment", "availability", "slot", "waitlist", "class"),
)
