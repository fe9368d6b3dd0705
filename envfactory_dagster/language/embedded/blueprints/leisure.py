"""Sports, culture and hobbies."""

from envfactory_dagster.language.embedded.blueprint import Blueprint

BLUEPRINTS: tuple[Blueprint, ...] = (
    Blueprint(
        name="climbing gym",
        category="Sports and fitness",
        about="Climbers book wall sessions with coaches, rent gear and keep their memberships in order.",
        uses={
            "bookings": {"resource": "wall", "slot": "wall session", "booking": "session booking", "host": "coach"},
            "people": {"person": "climber", "tier": "pass type"},
        },
        may_use={
            "catalogue": {"item": "gear item", "shelf": "gear group", "order": "gear order", "line": "gear line"},
            "payments": {"invoice": "bill"},
        },
        names={
            "resource": (
                "Boulder cave",
                "Lead wall",
                "Slab corner",
                "Kids wall",
                "Speed lane",
                "Roof",
                "Moon board",
                "Arch",
            ),
            "item": (
                "Climbing shoes",
                "Chalk bag",
                "Harness",
                "Belay device",
                "Quickdraw set",
                "Rope 60 m",
                "Helmet",
                "Finger tape",
                "Crash pad",
                "Brush set",
                "Hangboard",
                "Carabiner",
            ),
            "shelf": ("Shoes", "Protection", "Ropes", "Training", "Accessories"),
        },
        flavours=("bouldering for beginners", "ice climbing", "lead climbing", "youth teams"),
        fixed=("bookings.scheduled",),
    ),
    Blueprint(
        name="music school",
        category="Arts and culture",
        about="Students book lessons and practice rooms, hire instruments and buy sheet music.",
        uses={
            "bookings": {"resource": "practice room", "booking": "room booking", "host": "teacher"},
            "catalogue": {"item": "score", "shelf": "genre", "order": "score order"},
            "people": {"person": "student", "tier": "tuition plan"},
        },
        may_use={"payments": {"invoice": "tuition invoice"}},
        names={
            "resource": (
                "Piano room",
                "Drum cellar",
                "String loft",
                "Brass hall",
                "Studio A",
                "Studio B",
                "Choir room",
                "Organ gallery",
            ),
            "item": (
                "Nocturnes, book 1",
                "Cello suites",
                "Etudes for flute",
                "Jazz standards",
                "Folk songs for choir",
                "Brass quintets",
                "Preludes",
                "Songbook for children",
                "Scales and arpeggios",
                "Tango album",
            ),
            "shelf": ("Piano", "Strings", "Winds", "Choir", "Jazz"),
        },
        flavours=("chamber music", "jazz improvisation", "early music", "pop vocals"),
        fixed=("!bookings.scheduled",),
    ),
)
