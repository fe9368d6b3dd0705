"""What the claims module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

KINDS = ("damage", "loss", "theft", "accident", "delay", "error")
PROOFS = ("photo", "receipt", "report", "statement")
APPEAL_REASONS = ("new evidence", "amount too low", "facts wrong", "rules misread")
_SPECIALITIES = ("vehicles", "water damage", "electronics", "injuries", "transport", "valuables")
_HAPPENED = (
    ("damage", "cracked casing"),
    ("damage", "water got in"),
    ("damage", "deep scratch on the left side"),
    ("damage", "burst pipe"),
    ("loss", "missing box"),
    ("loss", "lost key set"),
    ("theft", "bag taken from the hall"),
    ("theft", "broken lock and empty drawer"),
    ("accident", "collision at the gate"),
    ("accident", "fall on wet stairs"),
    ("accident", "branch fell on the roof"),
    ("delay", "arrived two days late"),
    ("delay", "held up overnight"),
    ("error", "charged for the wrong thing"),
    ("error", "mixed up with another case"),
    ("loss", "left behind and not returned"),
)
_COVERS = ("Basic", "Extended", "Family", "Premium", "Young people", "Everything", "Abroad", "Night and day")
_LOSSES = ("camera", "suitcase", "door panel", "laptop", "taxi ride", "repair visit", "replacement part", "carpet")
_TITLES = {
    "photo": "Photo of the damage",
    "receipt": "Receipt of purchase",
    "report": "Written report",
    "statement": "Statement of a witness",
}

ENTITIES = (
    Entity(
        "cover",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        title TEXT NOT NULL,
        most_cents INTEGER NOT NULL CHECK (most_cents > 0),
        own_share_cents INTEGER NOT NULL CHECK (own_share_cents >= 0),
        starts_on TEXT NOT NULL,
        ends_on TEXT NOT NULL CHECK (ends_on > starts_on),
        status TEXT NOT NULL CHECK (status IN ('active', 'lapsed')),
        UNIQUE ($person_id, title)
        """,
        "What $Persons are protected by.",
        when="covers",
    ),
    Entity(
        "incident",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        #: if record
        $record_id INTEGER REFERENCES $records(id),
        #: end
        kind TEXT NOT NULL CHECK (kind IN ('damage', 'loss', 'theft', 'accident', 'delay', 'error')),
        description TEXT NOT NULL,
        happened_on TEXT NOT NULL,
        reported_at TEXT NOT NULL
        """,
        "What went wrong.",
    ),
    Entity(
        "claim",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        code TEXT NOT NULL UNIQUE,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $incident_id INTEGER NOT NULL REFERENCES $incidents(id),
        #: if covers
        $cover_id INTEGER NOT NULL REFERENCES $covers(id),
        #: end
        amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
        granted_cents INTEGER CHECK (granted_cents > 0),
        status TEXT NOT NULL CHECK (status IN ('draft', 'filed', 'approved', 'rejected', 'paid', 'withdrawn')),
        opened_at TEXT NOT NULL,
        decided_on TEXT,
        CHECK (granted_cents IS NULL OR status IN ('approved', 'paid'))
        """,
        "What is asked for $aIncident, and what became of it.",
    ),
    Entity(
        "loss",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $claim_id INTEGER NOT NULL REFERENCES $claims(id) ON DELETE CASCADE,
        what TEXT NOT NULL,
        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
        UNIQUE ($claim_id, what)
        """,
        "What $aClaim adds up from.",
        when="itemized",
    ),
    Entity(
        "proof",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $claim_id INTEGER NOT NULL REFERENCES $claims(id),
        kind TEXT NOT NULL CHECK (kind IN ('photo', 'receipt', 'report', 'statement')),
        title TEXT NOT NULL,
        added_at TEXT NOT NULL
        """,
        "What supports $aClaim.",
    ),
    Entity(
        "assessor",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        speciality TEXT NOT NULL,
        phone TEXT NOT NULL
        """,
        "Who looks at what happened.",
        when="full assessed",
    ),
    Entity(
        "assessment",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $claim_id INTEGER NOT NULL UNIQUE REFERENCES $claims(id),
        $assessor_id INTEGER NOT NULL REFERENCES $assessors(id),
        visit_on TEXT NOT NULL,
        found_cents INTEGER CHECK (found_cents IS NULL OR status = 'done'),
        status TEXT NOT NULL CHECK (status IN ('planned', 'done'))
        """,
        "When $aClaim was or will be looked at, and what was found.",
        when="full assessed",
    ),
    Entity(
        "offer",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $claim_id INTEGER NOT NULL REFERENCES $claims(id),
        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
        terms TEXT NOT NULL CHECK (terms IN ('one payment', 'two payments', 'repair instead')),
        status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'declined')),
        made_on TEXT NOT NULL,
        valid_until TEXT NOT NULL CHECK (valid_until >= made_on),
        UNIQUE ($claim_id, terms)
        """,
        "How $aClaim could be settled.",
        when="full offers",
    ),
    Entity(
        "appeal",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $claim_id INTEGER NOT NULL UNIQUE REFERENCES $claims(id),
        reason TEXT NOT NULL CHECK (reason IN ('new evidence', 'amount too low', 'facts wrong', 'rules misread')),
        status TEXT NOT NULL CHECK (status IN ('lodged', 'upheld', 'dismissed')),
        lodged_at TEXT NOT NULL
        """,
        "Decisions that $Persons do not accept.",
        when="full appeals",
    ),
)

RULES = (
    Rule("claim_deadline", "$aClaim must be opened within $claimdays days of the $Incident."),
    Rule("claim_withdraw_open", "$aClaim that has been decided cannot be withdrawn."),
    Rule("claim_limit", "Nobody can ask for more than the limit of the $Cover.", when="covers"),
    Rule("claim_proof", "$aClaim above $proofcents cents is submitted only with $aProof.", when="itemized"),
    Rule(
        "claim_appeal_days",
        "$aAppeal must be lodged within $appealdays days of the decision, not later.",
        when="full appeals",
    ),
    Rule("claim_offer_valid", "$aOffer that is no longer valid cannot be accepted.", when="full offers"),
)

# Of user 1: what became of each claim, how many days ago it was opened and decided.
_MINE = (
    ("rejected", 190, 150),
    ("paid", 120, 100),
    ("paid", 70, 55),
    ("withdrawn", 60, None),
    ("rejected", 24, 5),
    ("approved", 20, 6),
    ("filed", 12, None),
    ("filed", 6, None),
)
_UNCLAIMED = (400, 9, 4)
"""Incidents of user 1 without a claim: one long ago, two that can still be claimed for."""


def generate(view: View) -> None:
    if view.has("covers"):
        _generate_covers(view)
    if view.has("full") and view.has("assessed"):
        for name in dict.fromkeys(view.person_name() for _ in range(5)):
            speciality = view.rng.choice(_SPECIALITIES)
            view.add("assessor", name=name, speciality=speciality, phone=vocabulary.phone(view.rng))
    happened = iter(view.rng.sample(_HAPPENED, len(_HAPPENED)))
    for age in _UNCLAIMED:
        _add_incident(view, 1, next(happened), age)
    mine = [*_MINE, ("draft", 3, None), ("draft", 2, None)] if view.has("itemized") else list(_MINE)
    for status, age, decided in mine:
        incident = _add_incident(view, 1, next(happened), age + view.rng.randint(1, 3))
        _add_claim(view, 1, incident, status, age, decided)
    for _ in range(view.size(4, 8)):
        status, age, decided = view.rng.choice(_MINE)
        person = view.rng.randint(2, len(view.rows("person")))
        incident = _add_incident(view, person, view.rng.choice(_HAPPENED), age + view.rng.randint(1, 5))
        _add_claim(view, person, incident, status, age, decided)
    if view.has("full"):
        _generate_aftermath(view)


def _generate_covers(view: View) -> None:
    """User 1 has two that are active and one that has lapsed; everybody else has one."""
    persons = [1, 1, 1, *(row["id"] for row in view.rows("person")[1:])]
    titles = view.names("cover", 6, _COVERS)
    for index, person in enumerate(persons):
        lapsed = index == 2
        view.add(
            "cover",
            person_id=person,
            title=titles[index % 6],
            most_cents=(160_000, 300_000, 90_000)[index] if index < 3 else view.rng.randrange(100_000, 500_000, 10_000),
            own_share_cents=view.rng.randrange(0, 20_000, 2_500),
            starts_on=view.day(-800 - 10 * index),
            ends_on=view.day(-300 if lapsed else view.rng.randint(90, 600)),
            status="lapsed" if lapsed else "active",
        )


def _add_incident(view: View, person: int, happened: tuple[str, str], age: int) -> Row:
    kind, description = happened
    records = [row["id"] for row in view.rows("record") if row["person_id"] == person] if view.has("record") else []
    incident = view.add(
        "incident",
        person_id=person,
        record_id=view.rng.choice(records) if records and view.rng.random() < 0.6 else None,
        kind=kind,
        description=description,
        happened_on=view.day(-age),
        reported_at=view.moment(1 - age, view.rng.randint(7, 8)),
    )
    return view.row("incident", incident)


def _add_claim(view: View, person: int, incident: Row, status: str, age: int, decided: int | None) -> None:
    covers = [row["id"] for row in view.rows("cover") if row["person_id"] == person] if view.has("covers") else [None]
    whats = view.rng.sample(_LOSSES, view.rng.randint(1, 3) if view.has("itemized") else 1)
    amounts = [vocabulary.price_cents(view.rng, 1_500, 9_000) for _ in whats]
    if status == "draft" and not view.mine("claim", lambda row: row["status"] == "draft"):
        amounts[0] += 60_000
    granted = sum(amounts) * view.rng.choice((60, 80, 100)) // 100
    claim = view.add(
        "claim",
        code=f"CL-{3_000 + 47 * len(view.rows('claim')) + view.rng.randint(1, 46)}",
        person_id=person,
        incident_id=incident["id"],
        cover_id=covers[0],
        amount_cents=sum(amounts),
        granted_cents=granted if status in ("approved", "paid") else None,
        status=status,
        opened_at=view.moment(-age, view.rng.randint(7, 8), 30),
        decided_on=None if decided is None else view.day(-decided),
    )
    if view.has("itemized"):
        for what, amount in zip(whats, amounts, strict=True):
            view.add("loss", claim_id=claim, what=what, amount_cents=amount)
    for kind in view.rng.sample(PROOFS, view.rng.randint(1, 2)) if status != "draft" else ():
        view.add("proof", claim_id=claim, kind=kind, title=_TITLES[kind], added_at=view.moment(-age, 9))


def _generate_aftermath(view: View) -> None:
    for claim in view.rows("claim"):
        if view.has("assessed") and claim["status"] not in ("draft", "withdrawn"):
            done = claim["status"] != "filed"
            view.add(
                "assessment",
                claim_id=claim["id"],
                assessor_id=view.rng.randint(1, len(view.rows("assessor"))),
                visit_on=claim["decided_on"] if done else view.day(view.rng.randint(2, 5)),
                found_cents=claim["amount_cents"] * 9 // 10 if done else None,
                status="done" if done else "planned",
            )
        if view.has("offers") and claim["status"] in ("approved", "paid"):
            _add_offers(view, claim)
        if view.has("appeals") and claim["status"] == "rejected" and claim["person_id"] != 1:
            status = view.rng.choice(("lodged", "upheld", "dismissed"))
            reason = view.rng.choice(APPEAL_REASONS)
            lodged_at = view.moment(view.days_until(claim["decided_on"]) + 2, 8)
            view.add("appeal", claim_id=claim["id"], reason=reason, status=status, lodged_at=lodged_at)
    if view.has("appeals"):
        paid = view.mine("claim", lambda row: row["status"] == "paid")[0]
        lodged_at = view.moment(view.days_until(paid["decided_on"]) + 1, 8)
        view.add("appeal", claim_id=paid["id"], reason="amount too low", status="dismissed", lodged_at=lodged_at)


def _add_offers(view: View, claim: Row) -> None:
    """An approved claim has two offers that are open and one that is too old; a paid one was settled."""
    made_on = claim["decided_on"]
    settled = claim["status"] == "paid"
    for terms, percent, days in (("one payment", 100, 30), ("two payments", 110, 30), ("repair instead", 120, 3)):
        view.add(
            "offer",
            claim_id=claim["id"],
            amount_cents=claim["granted_cents"] * percent // 100,
            terms=terms,
            status="open" if not settled else "accepted" if terms == "one payment" else "declined",
            made_on=made_on,
            valid_until=view.day(view.days_until(made_on) + days),
        )
