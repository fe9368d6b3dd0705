"""What the people module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Rule
from envfactory_dagster.language.embedded.world import View

CHANNELS = ("email", "phone", "post")
_TIERS = ("Basic", "Plus", "Premium", "Patron")

ENTITIES = (
    Entity(
        "place",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        city TEXT NOT NULL,
        address TEXT NOT NULL,
        opened_on TEXT NOT NULL
        """,
        "The $Places of the organisation.",
        when="full places",
    ),
    Entity(
        "tier",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        monthly_cents INTEGER NOT NULL CHECK (monthly_cents >= 0),
        rank INTEGER NOT NULL UNIQUE CHECK (rank >= 1),
        open_to_new INTEGER NOT NULL CHECK (open_to_new IN (0, 1))
        """,
        "What $aPerson can be signed up for.",
        when="full",
    ),
    Entity(
        "person",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        email TEXT NOT NULL UNIQUE CHECK (email LIKE '%_@_%'),
        phone TEXT NOT NULL,
        city TEXT NOT NULL,
        preferred_channel TEXT NOT NULL CHECK (preferred_channel IN ('email', 'phone', 'post')),
        joined_on TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'closed')),
        #: if full places
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        #: if full referrals
        referred_by INTEGER REFERENCES $persons(id),
        #: end
        """,
        "Everybody the service knows; 1 is signed in.",
    ),
    Entity(
        "membership",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $tier_id INTEGER NOT NULL REFERENCES $tiers(id),
        status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'ended')),
        starts_on TEXT NOT NULL,
        ends_on TEXT CHECK (ends_on IS NULL OR ends_on >= starts_on),
        pauses_used INTEGER NOT NULL DEFAULT 0 CHECK (pauses_used >= 0)
        """,
        "Which $Tier $aPerson had, when.",
        when="full",
    ),
)

RULES = (
    Rule(
        "people_frozen_account",
        "$aPerson whose account is suspended or closed cannot change contact details.",
    ),
    Rule(
        "people_pause_limit",
        "$aMembership can be paused at most $pauses times, and only while it is active.",
        when="full",
    ),
    Rule(
        "people_closed_tier",
        "Nobody can move to $aTier that is closed to new $Persons.",
        when="full",
    ),
)


def generate(view: View) -> None:
    if view.has("full") and view.has("places"):
        for name, city in zip(view.names("place", 4), vocabulary.cities(view.rng, 4), strict=True):
            view.add(
                "place",
                name=name,
                city=city,
                address=f"{view.rng.randint(1, 90)} {view.rng.choice(vocabulary.STREETS)}",
                opened_on=view.day(-view.rng.randint(900, 4000)),
            )
    _generate_persons(view)
    if not view.has("full"):
        return
    base = view.rng.randrange(900, 2900, 100)
    for rank, name in enumerate(_TIERS, start=1):
        view.add("tier", name=name, monthly_cents=base * rank - 5, rank=rank, open_to_new=int(rank != 4))
    _generate_memberships(view)


def _generate_persons(view: View) -> None:
    names = list(dict.fromkeys(view.person_name() for _ in range(40)))[: view.size(6, 12)]
    for index, name in enumerate(names):
        view.add(
            "person",
            name=name,
            email=vocabulary.email(name, view.rng),
            phone=vocabulary.phone(view.rng),
            city=view.rng.choice(vocabulary.CITIES),
            preferred_channel=view.rng.choice(CHANNELS),
            joined_on=view.day(-view.rng.randint(120, 1500)),
            status="active" if index < 4 else view.rng.choice(("active", "active", "suspended", "closed")),
            place_id=view.rng.randint(1, 4),
            referred_by=view.rng.choice((None, view.rng.randint(1, index))) if index else None,
        )


def _generate_memberships(view: View) -> None:
    for person in view.rows("person"):
        began = -view.rng.randint(60, 110)
        if view.rng.random() < 0.4:
            view.add(
                "membership",
                person_id=person["id"],
                tier_id=1,
                status="ended",
                starts_on=view.day(began - 300),
                ends_on=view.day(began - 1),
                pauses_used=0,
            )
        mine = person["id"] == 1
        view.add(
            "membership",
            person_id=person["id"],
            tier_id=2 if mine else view.rng.randint(1, 4),
            status="active" if mine else view.rng.choice(("active", "active", "paused")),
            starts_on=view.day(began),
            ends_on=None,
            pauses_used=0 if mine and view.state == INITIAL_STATE else view.setting("pauses"),
        )
