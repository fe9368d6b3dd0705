"""What the tickets module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded import vocabulary
from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

STATUSES = ("open", "in_progress", "resolved", "closed", "withdrawn")
PRIORITIES = ("low", "normal", "high", "urgent")
_QUEUES = ("First line", "Field team", "Specialists", "Night watch", "Back office")
_TOPICS = (
    "Something is broken",
    "Access and keys",
    "Noise and disturbance",
    "Question about a bill",
    "Change of details",
    "Safety concern",
    "Slow service",
    "Missing part",
)
TITLES = (
    "Stopped working overnight",
    "Makes a loud noise",
    "Same fault as last month",
    "Wrong part was fitted",
    "Still waiting for a reply",
    "Cover will not close",
    "Display shows an error",
    "Works only half the time",
    "Letter with wrong details",
    "Needs adjusting again",
    "Smells of burning",
    "Cannot be switched off",
    "Label has come off",
    "Water under the unit",
)
_NOTES = (
    "We have looked at it and ordered a part.",
    "Could you tell us since when this happens?",
    "It got worse since yesterday.",
    "I sent two pictures by post.",
    "We tried to reach you by phone.",
    "The part has arrived, we will be in touch.",
    "It happened again this morning.",
    "Passed on to a colleague who knows the model.",
)
_COVERS = ("repair with used parts", "repair with new parts", "full replacement", "inspection and cleaning")
_REASONS = ("nobody answered", "it is getting worse", "promised date passed", "third time this year")
# user 1's own, oldest first: age in days, priority, status, days since it was resolved
_MINE = (
    (140, "normal", "closed", 130),
    (90, "low", "resolved", 80),
    (30, "normal", "withdrawn", None),
    (9, "normal", "resolved", 2),
    (6, "low", "open", None),
    (4, "high", "in_progress", None),
    (2, "urgent", "in_progress", None),
    (0, "normal", "open", None),
)

ENTITIES = (
    Entity(
        "queue",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        phone TEXT NOT NULL,
        #: if place
        $place_id INTEGER NOT NULL REFERENCES $places(id),
        #: end
        """,
        "The $Queues that deal with $Tickets.",
    ),
    Entity(
        "topic",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        #: if routed
        $queue_id INTEGER NOT NULL REFERENCES $queues(id),
        #: end
        target_hours INTEGER NOT NULL CHECK (target_hours BETWEEN 1 AND 720)
        """,
        "What $aTicket can be about, and how fast it is to be solved.",
    ),
    Entity(
        "agent",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        $queue_id INTEGER NOT NULL REFERENCES $queues(id),
        grade TEXT NOT NULL CHECK (grade IN ('junior', 'senior', 'lead'))
        """,
        "Who works on $Tickets.",
        when="full assigned",
    ),
    Entity(
        "ticket",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $topic_id INTEGER NOT NULL REFERENCES $topics(id),
        #: if !routed
        $queue_id INTEGER NOT NULL REFERENCES $queues(id),
        #: end
        #: if full assigned
        $agent_id INTEGER REFERENCES $agents(id),
        #: end
        #: if full thing
        $thing_id INTEGER REFERENCES $things(id),
        #: end
        title TEXT NOT NULL CHECK (length(title) BETWEEN 3 AND 120),
        priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
        status TEXT NOT NULL CHECK (status IN ('open', 'in_progress', 'resolved', 'closed', 'withdrawn')),
        opened_at TEXT NOT NULL,
        due_at TEXT NOT NULL CHECK (due_at > opened_at),
        resolved_at TEXT,
        CHECK ((resolved_at IS NOT NULL) = (status IN ('resolved', 'closed')))
        """,
        "What $Persons reported or asked for.",
    ),
    Entity(
        "note",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $ticket_id INTEGER NOT NULL REFERENCES $tickets(id),
        author TEXT NOT NULL CHECK (author IN ('customer', 'staff')),
        body TEXT NOT NULL CHECK (length(body) BETWEEN 1 AND 500),
        written_at TEXT NOT NULL
        """,
        "What was said about $aTicket.",
        when="full",
    ),
    Entity(
        "escalation",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $ticket_id INTEGER NOT NULL REFERENCES $tickets(id),
        #: if assigned
        $agent_id INTEGER NOT NULL REFERENCES $agents(id),
        #: end
        step INTEGER NOT NULL CHECK (step BETWEEN 1 AND 3),
        reason TEXT NOT NULL,
        raised_at TEXT NOT NULL,
        UNIQUE ($ticket_id, step)
        """,
        "How far up $aTicket was taken, and why.",
        when="full levels",
    ),
    Entity(
        "visit",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $ticket_id INTEGER NOT NULL REFERENCES $tickets(id),
        #: if assigned
        $agent_id INTEGER REFERENCES $agents(id),
        #: end
        on_day TEXT NOT NULL,
        part TEXT NOT NULL CHECK (part IN ('morning', 'afternoon')),
        status TEXT NOT NULL CHECK (status IN ('planned', 'done', 'cancelled'))
        """,
        "When somebody comes to see about $aTicket.",
        when="full visits",
    ),
    Entity(
        "estimate",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $ticket_id INTEGER NOT NULL REFERENCES $tickets(id),
        covers TEXT NOT NULL,
        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
        status TEXT NOT NULL CHECK (status IN ('offered', 'accepted', 'declined')),
        offered_at TEXT NOT NULL,
        UNIQUE ($ticket_id, covers)
        """,
        "What solving $aTicket would cost.",
        when="full estimates",
    ),
)

RULES = (
    Rule("ticket_withdraw_open", "$aTicket can be withdrawn only while it is open, not once work on it has begun."),
    Rule("ticket_one_urgent", "$aPerson can have at most one urgent $Ticket that is not solved yet."),
    Rule(
        "ticket_reopen_days",
        "A resolved $Ticket can be reopened within $reopendays days of its resolution, not later.",
        when="full",
    ),
    Rule(
        "ticket_escalate_wait",
        "$aTicket can be escalated only when it has been there for $escalatehours hours.",
        when="full levels",
    ),
)


def generate(view: View) -> None:
    queues = view.names("queue", view.size(3, 4), _QUEUES)
    for name in queues:
        place = view.rng.randint(1, len(view.rows("place"))) if view.has("place") else None
        view.add("queue", name=name, phone=vocabulary.phone(view.rng), place_id=place)
    for index, name in enumerate(view.names("topic", view.size(4, 7), _TOPICS)):
        hours = view.rng.choice((24, 48, 72, 120, 240))
        view.add("topic", name=name, queue_id=index % len(queues) + 1, target_hours=hours)
    if view.has("full") and view.has("assigned"):
        for index in range(3 * len(queues)):
            grade = ("lead", "senior", "junior")[index // len(queues)]
            view.add("agent", name=view.person_name(), queue_id=index % len(queues) + 1, grade=grade)
    _generate_tickets(view)
    if view.has("full"):
        for ticket in view.rows("ticket"):
            if ticket["status"] != "open" or ticket["person_id"] != 1:
                _add_notes(view, ticket)
        _generate_extras(view)


def _generate_tickets(view: View) -> None:
    """User 1 has a ticket in every status, each with a title of its own; others have the rest."""
    titles = view.names("ticket", len(_MINE), TITLES)
    for (age, priority, status, resolved), title in zip(_MINE, titles, strict=True):
        _add_ticket(view, 1, title, age, priority, status, resolved)
    for index in range(view.size(5, 10)):
        age = view.rng.randint(5, 70)
        status = "open" if index == 0 else view.rng.choice(STATUSES)
        resolved = age - 2 if status in ("resolved", "closed") else None
        person = view.rng.randint(2, len(view.rows("person")))
        _add_ticket(view, person, view.rng.choice(titles), age, view.rng.choice(PRIORITIES[:3]), status, resolved)


def _add_ticket(
    view: View, person: int, title: str, age: int, priority: str, status: str, resolved: int | None
) -> None:
    topic = view.rng.choice(view.rows("topic"))
    queue = topic["queue_id"] if view.has("routed") else view.rng.randint(1, len(view.rows("queue")))
    hour, minute = (7, 40) if age == 0 else (view.rng.randint(8, 20), view.rng.randrange(60))
    target = topic["target_hours"] // 24
    view.add(
        "ticket",
        person_id=person,
        topic_id=topic["id"],
        queue_id=queue,
        agent_id=_agent_of(view, queue, "junior") if status in ("in_progress", "resolved", "closed") else None,
        thing_id=_some_thing(view) if status != "open" else None,
        title=title,
        priority=priority,
        status=status,
        opened_at=view.moment(-age, hour, minute),
        due_at=view.moment(target - age, hour, minute),
        resolved_at=view.moment(-resolved, 16) if resolved is not None else None,
    )


def queue_of(view: View, ticket: Row) -> int:
    queue: int = view.row("topic", ticket["topic_id"])["queue_id"] if view.has("routed") else ticket["queue_id"]
    return queue


def _agent_of(view: View, queue: int, grade: str) -> int | None:
    if not (view.has("full") and view.has("assigned")):
        return None
    found: int = view.need("agent", lambda row: row["queue_id"] == queue and row["grade"] == grade)["id"]
    return found


def _some_thing(view: View) -> int | None:
    if not (view.has("full") and view.has("thing")):
        return None
    return view.rng.randint(1, len(view.rows("thing")))


def _add_notes(view: View, ticket: Row) -> None:
    age = view.days_until(ticket["opened_at"])
    for body in view.rng.sample(_NOTES, view.rng.randint(1, 2)):
        author = view.rng.choice(("customer", "staff"))
        written_at = view.moment(min(age + 1, -1), view.rng.randint(8, 20))
        view.add("note", ticket_id=ticket["id"], author=author, body=body, written_at=written_at)


def _generate_extras(view: View) -> None:
    busy = view.select("ticket", lambda row: row["status"] == "in_progress")
    done = view.select("ticket", lambda row: row["status"] in ("resolved", "closed"))
    if view.has("levels"):
        for ticket in done[:7]:
            agent = _agent_of(view, queue_of(view, ticket), "lead")
            raised_at = view.moment(view.days_until(ticket["opened_at"]) + 1, 12)
            reason = view.rng.choice(_REASONS)
            view.add("escalation", ticket_id=ticket["id"], agent_id=agent, step=1, reason=reason, raised_at=raised_at)
    if view.has("visits"):
        for index, ticket in enumerate([*done[:5], *busy[:1], *busy[2:5]]):
            solved = ticket["status"] != "in_progress"
            day = view.days_until(ticket["resolved_at"]) if solved else view.rng.randint(2, 9)
            part = ("morning", "afternoon")[index % 2]
            agent = _agent_of(view, queue_of(view, ticket), "junior")
            status = "done" if solved else "planned"
            view.add("visit", ticket_id=ticket["id"], agent_id=agent, on_day=view.day(day), part=part, status=status)
    if view.has("estimates"):
        for ticket in [*busy, *done[:3]]:
            _offer(view, ticket)


def _offer(view: View, ticket: Row) -> None:
    """Three estimates of different amounts; those of solved tickets are decided."""
    amount = vocabulary.price_cents(view.rng, 3_000, 9_000)
    accepted = view.rng.randrange(3)
    for index, covers in enumerate(view.rng.sample(_COVERS, 3)):
        decided = "accepted" if index == accepted else "declined"
        view.add(
            "estimate",
            ticket_id=ticket["id"],
            covers=covers,
            amount_cents=amount + (index * 7 % 3) * 2_150,
            status="offered" if ticket["status"] == "in_progress" else decided,
            offered_at=view.moment(min(view.days_until(ticket["opened_at"]) + 1, -1), 15),
        )
