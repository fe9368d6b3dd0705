"""What the applications module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded.kit import Entity, Rule
from envfactory_dagster.language.embedded.world import View

KINDS = ("form", "plan", "photo", "certificate", "statement")
DAYPARTS = ("morning", "afternoon")
_REQUIREMENTS = (
    "Proof of identity",
    "Site plan",
    "Recent photograph",
    "Proof of residence",
    "Bank statement",
    "Written statement",
    "Insurance certificate",
    "Budget sheet",
)
_TITLES = {
    "form": "Filled form",
    "plan": "Drawing to scale",
    "photo": "Photo from the street",
    "certificate": "Certificate of good standing",
    "statement": "Statement of purpose",
}
_PURPOSES = ("first request", "change of address", "larger premises", "summer season", "new partner", "second attempt")
_STAGES = ("Completeness check", "Technical review", "Final decision")

ENTITIES = (
    Entity(
        "scheme",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        fee_cents INTEGER NOT NULL CHECK (fee_cents > 0),
        processing_days INTEGER NOT NULL CHECK (processing_days BETWEEN 1 AND 200),
        status TEXT NOT NULL CHECK (status IN ('open', 'closed'))
        """,
        "What can be applied for.",
    ),
    Entity(
        "requirement",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $scheme_id INTEGER NOT NULL REFERENCES $schemes(id),
        name TEXT NOT NULL,
        needed INTEGER NOT NULL CHECK (needed IN (0, 1)),
        UNIQUE ($scheme_id, name)
        """,
        "Which papers $aScheme asks for.",
        when="checklist",
    ),
    Entity(
        "round",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $scheme_id INTEGER NOT NULL REFERENCES $schemes(id),
        title TEXT NOT NULL,
        opens_on TEXT NOT NULL,
        closes_on TEXT NOT NULL CHECK (closes_on > opens_on),
        UNIQUE ($scheme_id, title)
        """,
        "When one can apply.",
        when="rounds",
    ),
    Entity(
        "application",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        code TEXT NOT NULL UNIQUE,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $scheme_id INTEGER NOT NULL REFERENCES $schemes(id),
        #: if rounds
        $round_id INTEGER NOT NULL REFERENCES $rounds(id),
        #: end
        purpose TEXT NOT NULL,
        total_cents INTEGER NOT NULL CHECK (total_cents >= 0),
        status TEXT NOT NULL CHECK (status IN ('draft', 'submitted', 'in_review', 'granted', 'refused', 'cancelled')),
        opened_at TEXT NOT NULL,
        submitted_on TEXT,
        decided_on TEXT CHECK (decided_on IS NULL OR decided_on >= submitted_on),
        signed INTEGER NOT NULL DEFAULT 0 CHECK (signed IN (0, 1))
        """,
        "Who applied for what.",
    ),
    Entity(
        "document",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $application_id INTEGER NOT NULL REFERENCES $applications(id),
        #: if checklist
        $requirement_id INTEGER NOT NULL REFERENCES $requirements(id),
        #: end
        #: if !checklist
        kind TEXT NOT NULL CHECK (kind IN ('form', 'plan', 'photo', 'certificate', 'statement')),
        #: end
        title TEXT NOT NULL,
        pages INTEGER NOT NULL CHECK (pages BETWEEN 1 AND 200),
        added_at TEXT NOT NULL
        """,
        "What was handed in with $aApplication.",
    ),
    Entity(
        "reviewer",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        desk TEXT NOT NULL,
        phone TEXT NOT NULL
        """,
        "Who examines $Applications.",
        when="full steps",
    ),
    Entity(
        "review",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $application_id INTEGER NOT NULL REFERENCES $applications(id),
        $reviewer_id INTEGER NOT NULL REFERENCES $reviewers(id),
        number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 9),
        title TEXT NOT NULL,
        due_on TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('waiting', 'passed', 'failed')),
        UNIQUE ($application_id, number)
        """,
        "The steps in which $aApplication is examined.",
        when="full steps",
    ),
    Entity(
        "inspection",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $application_id INTEGER NOT NULL REFERENCES $applications(id),
        on_day TEXT NOT NULL,
        daypart TEXT NOT NULL CHECK (daypart IN ('morning', 'afternoon')),
        status TEXT NOT NULL CHECK (status IN ('booked', 'held', 'called_off'))
        """,
        "Visits that belong to $aApplication.",
        when="full inspections",
    ),
    Entity(
        "permit",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        number TEXT NOT NULL UNIQUE,
        $application_id INTEGER NOT NULL UNIQUE REFERENCES $applications(id),
        valid_from TEXT NOT NULL,
        valid_until TEXT NOT NULL CHECK (valid_until > valid_from),
        status TEXT NOT NULL CHECK (status IN ('valid', 'revoked'))
        """,
        "What was granted, and for how long.",
        when="full permits",
    ),
    Entity(
        "renewal",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $permit_id INTEGER NOT NULL REFERENCES $permits(id),
        months INTEGER NOT NULL CHECK (months BETWEEN 1 AND 60),
        asked_on TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('asked', 'granted', 'refused'))
        """,
        "$Permits that people want to keep longer.",
        when="full permits",
    ),
)

RULES = (
    Rule("application_complete", "$aApplication can be submitted only with every $Document it needs."),
    Rule("application_withdraw_open", "$aApplication that has been decided cannot be withdrawn."),
    Rule("application_one_open", "$aPerson can have only one open $Application for the same $Scheme."),
    Rule("application_deadline", "Nobody can apply to $aRound that has closed.", when="rounds"),
    Rule(
        "application_renew_days",
        "$aPermit can be renewed only in the last $renewdays days of its term.",
        when="full permits",
    ),
)

# Of user 1: scheme, status, how many days ago it was opened, submitted, decided. Schemes 5 and 6 are free, 7 is closed.
_MINE = (
    (3, "granted", 400, 390, 360),
    (4, "granted", 300, 290, 250),
    (5, "refused", 160, 150, 120),
    (2, "cancelled", 90, None, None),
    (4, "in_review", 35, 30, None),
    (3, "submitted", 12, 8, None),
    (2, "draft", 6, None, None),
    (1, "draft", 4, None, None),
)


def generate(view: View) -> None:
    for index, name in enumerate(view.names("scheme", 7)):
        view.add(
            "scheme",
            name=name,
            fee_cents=view.rng.randrange(1_500, 9_000, 250),
            processing_days=view.rng.choice((14, 21, 30, 60)),
            status="closed" if index == 6 else "open",
        )
    for scheme in view.rows("scheme"):
        if view.has("checklist"):
            for number, name in enumerate(view.rng.sample(_REQUIREMENTS, 3)):
                view.add("requirement", scheme_id=scheme["id"], name=name, needed=int(number < 2))
        if view.has("rounds"):
            for number, (opens, closes) in enumerate(((-500, -100), (-99, -20), (-15, 45)), start=1):
                title = f"Round {number}"
                view.add(
                    "round",
                    scheme_id=scheme["id"],
                    title=title,
                    opens_on=view.day(opens),
                    closes_on=view.day(closes + view.rng.randint(-5, 5)),
                )
    others = [
        (view.rng.randint(2, len(view.rows("person"))), *view.rng.choice(_MINE[:-1])) for _ in range(view.size(3, 7))
    ]
    for plan in sorted([(1, *entry) for entry in _MINE] + others, key=lambda plan: -plan[3]):
        _add_application(view, *plan)
    if view.has("full"):
        _generate_procedure(view)


def _add_application(
    view: View, person: int, scheme: int, status: str, opened: int, submitted: int | None, decided: int | None
) -> None:
    rounds = view.select("round", lambda row: row["scheme_id"] == scheme) if view.has("rounds") else []
    number = 0 if opened > 100 else 1 if opened > 20 else 2
    application = view.add(
        "application",
        code=f"AP-{5_000 + 61 * len(view.rows('application')) + view.rng.randint(1, 60)}",
        person_id=person,
        scheme_id=scheme,
        round_id=rounds[number]["id"] if rounds else None,
        purpose=view.rng.choice(_PURPOSES),
        total_cents=view.row("scheme", scheme)["fee_cents"],
        status=status,
        opened_at=view.moment(-opened, view.rng.randint(6, 8), view.rng.choice((10, 30, 50))),
        submitted_on=None if submitted is None else view.day(-submitted),
        decided_on=None if decided is None else view.day(-decided),
        signed=int(submitted is not None),
    )
    needed = view.select("requirement", lambda row: row["scheme_id"] == scheme) if view.has("checklist") else []
    incomplete = person == 1 and status == "draft" and scheme == 1
    if view.has("checklist"):
        for requirement in needed[: 1 if incomplete else view.rng.randint(2, 3)]:
            _add_document(view, application, opened, requirement["name"], requirement_id=requirement["id"])
    elif not incomplete:
        for kind in view.rng.sample(KINDS, 2):
            _add_document(view, application, opened, _TITLES[kind], kind=kind)


def _add_document(view: View, application: int, opened: int, title: str, **what: object) -> None:
    pages = view.rng.randint(1, 14)
    view.add(
        "document", application_id=application, title=title, pages=pages, added_at=view.moment(1 - opened, 5), **what
    )


def _generate_procedure(view: View) -> None:
    if view.has("steps"):
        for name in dict.fromkeys(view.person_name() for _ in range(5)):
            phone = f"+1-555-{view.rng.randint(100, 999)}-{view.rng.randint(1000, 9999)}"
            view.add("reviewer", name=name, desk=f"Desk {view.rng.randint(2, 40)}", phone=phone)
    for application in view.rows("application"):
        if view.has("steps") and application["status"] in ("in_review", "granted", "refused"):
            _add_reviews(view, application["id"], application["status"], view.days_until(application["submitted_on"]))
        if view.has("inspections") and application["decided_on"]:
            on_day = view.day(view.days_until(application["decided_on"]) - 3)
            daypart = view.rng.choice(DAYPARTS)
            view.add("inspection", application_id=application["id"], on_day=on_day, daypart=daypart, status="held")
    if view.has("inspections"):
        submitted = view.mine("application", lambda row: row["status"] == "submitted")[0]["id"]
        on_day = view.day(view.rng.randint(3, 6))
        view.add("inspection", application_id=submitted, on_day=on_day, daypart="morning", status="booked")
    if view.has("permits"):
        _generate_permits(view)


def _add_reviews(view: View, application: int, status: str, submitted: int) -> None:
    for number, title in enumerate(_STAGES, start=1):
        ended = {"granted": "passed", "refused": "failed" if number == 3 else "passed"}
        view.add(
            "review",
            application_id=application,
            reviewer_id=view.rng.randint(1, len(view.rows("reviewer"))),
            number=number,
            title=title,
            due_on=view.day(submitted + 14 * number),
            status=ended.get(status, "passed" if number == 1 else "waiting"),
        )


def _generate_permits(view: View) -> None:
    """Of the two permits of user 1 the first ends soon and the second in a long time."""
    mine = 0
    for application in view.select("application", lambda row: row["status"] == "granted"):
        until = view.rng.randint(200, 500)
        if application["person_id"] == 1:
            until = (view.rng.randint(12, 25), 260)[mine]
            mine += 1
        permit = view.add(
            "permit",
            number=f"P-{7_000 + 83 * len(view.rows('permit')) + view.rng.randint(1, 80)}",
            application_id=application["id"],
            valid_from=application["decided_on"],
            valid_until=view.day(until),
            status="valid",
        )
        if until > 100:
            asked_on = view.day(view.days_until(application["decided_on"]) + 40)
            view.add("renewal", permit_id=permit, months=12, asked_on=asked_on, status="granted")
