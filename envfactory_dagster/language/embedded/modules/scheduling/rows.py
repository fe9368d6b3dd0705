"""What the scheduling module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
LEAVE_KINDS = ("holiday", "sickness", "training", "family")
_DUTIES = ("Reception", "Set-up", "Closing round", "Information desk", "Supplies", "Driving", "Phone line", "Clean-up")
_SKILLS = ("First aid", "Fire safety", "Driving licence", "Food hygiene", "Night work", "Key holder")
_NOTES = ("I have a dentist's appointment.", "My sister visits.", "I would rather work later.", "Exam that day.")
_SOON = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
_MINE_SOON = (1, 4, 6)

ENTITIES = (
    Entity(
        "lead",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        phone TEXT NOT NULL UNIQUE
        """,
        "Who is in charge while $aShift lasts.",
        when="full leads",
    ),
    Entity(
        "skill",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        valid_months INTEGER NOT NULL CHECK (valid_months BETWEEN 1 AND 120)
        """,
        "What some $Dutys require.",
        when="full skills",
    ),
    Entity(
        "duty",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        #: if full skills
        $skill_id INTEGER REFERENCES $skills(id),
        #: end
        strenuous INTEGER NOT NULL CHECK (strenuous IN (0, 1))
        """,
        "Kinds of work that $Shifts are for.",
    ),
    Entity(
        "shift",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $duty_id INTEGER NOT NULL REFERENCES $dutys(id),
        #: if full leads
        $lead_id INTEGER NOT NULL REFERENCES $leads(id),
        #: end
        #: if place
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        starts_at TEXT NOT NULL,
        ends_at TEXT NOT NULL CHECK (ends_at > starts_at),
        hours INTEGER NOT NULL CHECK (hours BETWEEN 1 AND 12),
        needed INTEGER NOT NULL CHECK (needed BETWEEN 1 AND 20),
        status TEXT NOT NULL CHECK (status IN ('open', 'called_off')),
        UNIQUE ($duty_id, starts_at)
        """,
        "When how many are needed for which $Duty.",
    ),
    Entity(
        "stint",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $shift_id INTEGER NOT NULL REFERENCES $shifts(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        status TEXT NOT NULL CHECK (status IN ('assigned', 'confirmed', 'released', 'worked', 'missed')),
        taken_at TEXT NOT NULL
        """,
        "Who does which $Shift.",
    ),
    Entity(
        "holding",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $skill_id INTEGER NOT NULL REFERENCES $skills(id),
        earned_on TEXT NOT NULL,
        expires_on TEXT NOT NULL CHECK (expires_on > earned_on),
        UNIQUE ($person_id, $skill_id)
        """,
        "Who has which $Skill, and until when.",
        when="full skills",
    ),
    Entity(
        "swap",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $stint_id INTEGER NOT NULL REFERENCES $stints(id),
        taker_id INTEGER REFERENCES $persons(id),
        note TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('open', 'taken', 'withdrawn')),
        offered_at TEXT NOT NULL
        """,
        "$Shifts that somebody wants to pass on.",
        when="full swaps",
    ),
    Entity(
        "leave",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        #: if leads
        $lead_id INTEGER REFERENCES $leads(id),
        #: end
        kind TEXT NOT NULL CHECK (kind IN ('holiday', 'sickness', 'training', 'family')),
        starts_on TEXT NOT NULL,
        ends_on TEXT NOT NULL CHECK (ends_on >= starts_on),
        status TEXT NOT NULL CHECK (status IN ('requested', 'granted', 'declined', 'withdrawn'))
        """,
        "Days on which $aPerson is away.",
        when="full leaves",
    ),
    Entity(
        "window",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        weekday TEXT NOT NULL CHECK (weekday IN ('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun')),
        from_hour INTEGER NOT NULL CHECK (from_hour BETWEEN 0 AND 23),
        to_hour INTEGER NOT NULL CHECK (to_hour BETWEEN 1 AND 24),
        CHECK (to_hour > from_hour),
        UNIQUE ($person_id, weekday)
        """,
        "When in the week $aPerson can usually work.",
        when="full windows",
    ),
    Entity(
        "clocking",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $stint_id INTEGER NOT NULL UNIQUE REFERENCES $stints(id),
        came_at TEXT NOT NULL,
        left_at TEXT CHECK (left_at IS NULL OR left_at > came_at)
        """,
        "When $Persons really came and left.",
        when="full clock",
    ),
)

RULES = (
    Rule("shift_notice", "$aShift can be given up until $shiftnotice hours before it starts, not later."),
    Rule("shift_rest", "Between two $Shifts of one $Person there are at least $rest hours of rest."),
    Rule("shift_most", "$aPerson can have at most $mostshifts $Shifts to come at a time."),
    Rule("shift_skill", "Only who holds a valid $Skill can take $aShift that requires it.", when="full skills"),
    Rule("leave_overlap", "$aLeave cannot cover a day that another one covers already.", when="full leaves"),
)


def generate(view: View) -> None:
    if view.has("full") and view.has("leads"):
        for index in range(5):
            view.add("lead", name=view.person_name(), phone=f"+1-555-{200 + index}-{view.rng.randint(1000, 9999)}")
    if view.has("full") and view.has("skills"):
        for name in view.rng.sample(_SKILLS, 5):
            view.add("skill", name=name, valid_months=view.rng.choice((12, 24, 36)))
    for index, name in enumerate(view.names("duty", view.size(3, 6), _DUTIES)):
        view.add("duty", name=name, skill_id={0: 1, 2: 5}.get(index), strenuous=view.rng.randint(0, 1))
    if view.has("full") and view.has("skills"):
        _generate_holdings(view)
    _generate_shifts(view)
    _generate_stints(view)
    if view.has("full"):
        _generate_extras(view)


def _generate_holdings(view: View) -> None:
    """User 1 holds the first skill, has let the second expire, and lacks the last."""
    for person in range(1, 8):
        for skill in (1, 2) if person == 1 else view.rng.sample(range(1, 6), 2):
            age = 700 if (person, skill) == (1, 2) else view.rng.randint(30, 300)
            view.add(
                "holding",
                person_id=person,
                skill_id=skill,
                earned_on=view.day(-age),
                expires_on=view.day(365 - age),
            )


def _generate_shifts(view: View) -> None:
    """Past shifts, then one a day, of which one is full; on one of user 1's days an evening shift follows too soon."""
    fixed = {0: (17, 3), _MINE_SOON[1]: (12, 5)}
    past = range(-10, 0) if view.has("full") else range(-4, 0)
    later = range(15, 23) if view.has("full") else range(15, 18)
    for offset in (*past, *_SOON, *later):
        hour, hours = fixed.get(offset, (view.rng.choice((8, 9, 10, 12)), view.rng.randint(3, 6)))
        needed = 2 if offset in (0, *_MINE_SOON) else view.rng.randint(3, 5)
        _add_shift(view, offset, hour, hours, 1 if offset == later[0] else needed)
    _add_shift(view, _MINE_SOON[1], 20, 3, 4)


def _add_shift(view: View, offset: int, hour: int, hours: int, needed: int) -> None:
    number = len(view.rows("shift"))
    duties = len(view.rows("duty"))
    view.add(
        "shift",
        duty_id=number % duties + 1,
        lead_id=view.rng.randint(1, 5),
        place_id=view.rng.randint(1, len(view.rows("place"))) if view.has("place") else None,
        starts_at=view.moment(offset, hour),
        ends_at=view.moment(offset, hour + hours),
        hours=hours,
        needed=needed,
        status="open",
    )


def _generate_stints(view: View) -> None:
    """User 1 works today, on three of the next days, and worked most days before."""
    others = len(view.rows("person"))
    for shift in view.rows("shift"):
        offset = view.days_until(shift["starts_at"])
        evening = shift["starts_at"][11:13] == "20"
        mine = not evening and (offset in (0, *_MINE_SOON) or (offset < 0 and offset % 3 != 0))
        crew = view.rng.sample(range(2, others + 1), view.rng.randint(0, 1))
        crew = crew or [2] if shift["needed"] == 1 else crew
        for person in ([1] if mine else []) + crew:
            _add_stint(view, shift, person, offset)


def _add_stint(view: View, shift: Row, person: int, offset: int) -> None:
    past = offset < 0
    settled = ("worked", "worked", "worked", "missed", "released")
    view.add(
        "stint",
        shift_id=shift["id"],
        person_id=person,
        status="worked" if offset == -2 else view.rng.choice(settled) if past else _to_come(person),
        taken_at=view.moment(min(offset - 4, -1), view.rng.randint(8, 20)),
    )


def _to_come(person: int) -> str:
    return "assigned" if person == 1 else "confirmed"


def _generate_extras(view: View) -> None:
    if view.has("swaps"):
        _generate_swaps(view)
    if view.has("leaves"):
        for index in range(8):
            person = 1 if index < 3 else view.rng.randint(2, len(view.rows("person")))
            first = (40, -60, -25)[index] if index < 3 else view.rng.randint(-50, 50)
            view.add(
                "leave",
                person_id=person,
                lead_id=view.rng.randint(1, 5) if index else None,
                kind=view.rng.choice(LEAVE_KINDS),
                starts_on=view.day(first),
                ends_on=view.day(first + view.rng.randint(2, 6)),
                status="requested" if index == 0 else view.rng.choice(("granted", "granted", "declined")),
            )
    if view.has("windows"):
        for person in range(1, 6):
            for weekday in view.rng.sample(WEEKDAYS[:5], 2):
                start = view.rng.randint(7, 14)
                to_hour = start + view.rng.randint(4, 8)
                view.add("window", person_id=person, weekday=weekday, from_hour=start, to_hour=to_hour)
    if view.has("clock"):
        for stint in view.select("stint", lambda row: row["status"] == "worked"):
            shift = view.row("shift", stint["shift_id"])
            late = view.rng.randint(0, 14)
            came_at = shift["starts_at"][:14] + f"{late:02d}:00"
            view.add("clocking", stint_id=stint["id"], came_at=came_at, left_at=shift["ends_at"])


def _generate_swaps(view: View) -> None:
    """First user 1's own offer; then open ones of others for shifts later than all of user 1's, and settled ones."""
    coming = view.select("stint", lambda row: row["status"] == "confirmed" and row["person_id"] != 1)
    offers = [row for row in coming if view.days_until(view.row("shift", row["shift_id"])["starts_at"]) > 8]
    if not offers:
        shift = view.rows("shift")[-3]
        _add_stint(view, shift, 2, 20)
        offers = view.rows("stint")[-1:]
    last = view.mine("stint", lambda row: row["status"] == "assigned")[-1]
    for stint in (last, *offers[:4]):
        view.add(
            "swap",
            stint_id=stint["id"],
            taker_id=None,
            note=view.rng.choice(_NOTES),
            status="open",
            offered_at=view.moment(-1, 12),
        )
    for stint in view.select("stint", lambda row: row["status"] == "worked")[:4]:
        offset = view.days_until(stint["taken_at"])
        taker = view.rng.choice((None, stint["person_id"]))
        view.add(
            "swap",
            stint_id=stint["id"],
            taker_id=taker,
            note=view.rng.choice(_NOTES),
            status="taken" if taker else "withdrawn",
            offered_at=view.moment(offset, 21),
        )
