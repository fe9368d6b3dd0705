"""What the messaging module stores: its tables, its rules, and how their rows come about."""

from envfactory_dagster.language.embedded.kit import Entity, Row, Rule
from envfactory_dagster.language.embedded.world import View

KINDS = ("message", "bulletin", "reminder")
SUBJECTS = (
    "Keys for Saturday",
    "Question about last month",
    "Lift to the station",
    "Lost umbrella",
    "Photos from the open day",
    "Swap of dates",
    "Thank you for your help",
    "New contact details",
    "Small change of plan",
    "Offer from a neighbour",
    "Feedback on the visit",
    "Who can lend a hand",
)
_LINES = (
    "Could you let me know by Friday?",
    "That works for me, thank you.",
    "I have put it in the blue folder.",
    "Sorry for the late reply, I was away.",
    "Shall we meet at the entrance?",
    "It took longer than I thought.",
    "I will ask and come back to you.",
    "Please bring the second copy as well.",
    "We can do it next week instead.",
    "Do you still have the receipt?",
)
_BULLETINS = (
    "Closed on the public holiday",
    "New opening hours",
    "Water off on Tuesday morning",
    "Survey: tell us what you think",
    "Change of the house rules",
    "Fire drill next week",
    "Summer party",
    "Parking during the works",
)
_REMINDERS = (
    "Your details have not been checked for a year",
    "A form of yours is incomplete",
    "An appointment is coming up",
    "Your photo expires soon",
)
_FILES = ("plan.pdf", "photo_1.jpg", "list.xlsx", "offer.pdf", "map.png", "minutes.docx", "receipt.jpg")

ENTITIES = (
    Entity(
        "thread",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        #: if !groups
        other_id INTEGER NOT NULL REFERENCES $persons(id) CHECK (other_id <> $person_id),
        #: end
        #: if full record
        $record_id INTEGER REFERENCES $records(id),
        #: end
        subject TEXT NOT NULL CHECK (length(subject) BETWEEN 1 AND 120),
        status TEXT NOT NULL CHECK (status IN ('open', 'closed')),
        started_at TEXT NOT NULL
        """,
        "What $Persons write to each other about; it belongs to the one who began it.",
    ),
    Entity(
        "party",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $thread_id INTEGER NOT NULL REFERENCES $threads(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        joined_at TEXT NOT NULL,
        last_read_at TEXT,
        UNIQUE ($thread_id, $person_id)
        """,
        "Who takes part in $aThread, and how far they have read.",
        when="groups",
    ),
    Entity(
        "message",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $thread_id INTEGER NOT NULL REFERENCES $threads(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        body TEXT NOT NULL CHECK (length(body) BETWEEN 1 AND 1000),
        sent_at TEXT NOT NULL,
        #: if !groups
        read_at TEXT CHECK (read_at IS NULL OR read_at >= sent_at),
        #: end
        status TEXT NOT NULL CHECK (status IN ('sent', 'withdrawn'))
        """,
        "What was written, by whom.",
    ),
    Entity(
        "clip",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $message_id INTEGER NOT NULL REFERENCES $messages(id),
        file_name TEXT NOT NULL,
        kilobytes INTEGER NOT NULL CHECK (kilobytes BETWEEN 1 AND 20000),
        UNIQUE ($message_id, file_name)
        """,
        "What was sent along with $aMessage.",
        when="full attachments",
    ),
    Entity(
        "bulletin",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL UNIQUE,
        #: if place
        $place_id INTEGER REFERENCES $places(id),
        #: end
        must_confirm INTEGER NOT NULL CHECK (must_confirm IN (0, 1)),
        published_at TEXT NOT NULL,
        expires_on TEXT NOT NULL
        """,
        "What is announced to all $Persons.",
        when="full",
    ),
    Entity(
        "receipt",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $bulletin_id INTEGER NOT NULL REFERENCES $bulletins(id),
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        confirmed_at TEXT NOT NULL,
        UNIQUE ($bulletin_id, $person_id)
        """,
        "Who has confirmed having read $aBulletin.",
        when="full receipts",
    ),
    Entity(
        "notice",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        $thread_id INTEGER REFERENCES $threads(id),
        kind TEXT NOT NULL CHECK (kind IN ('message', 'bulletin', 'reminder')),
        text TEXT NOT NULL,
        created_at TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('new', 'seen', 'dismissed'))
        """,
        "What $Persons are to take notice of.",
        when="full",
    ),
    Entity(
        "block",
        """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        $person_id INTEGER NOT NULL REFERENCES $persons(id),
        blocked_id INTEGER NOT NULL REFERENCES $persons(id),
        since_on TEXT NOT NULL,
        UNIQUE ($person_id, blocked_id),
        CHECK (blocked_id <> $person_id)
        """,
        "Whom $Persons do not want to hear from.",
        when="full blocks",
    ),
)

RULES = (
    Rule("message_closed_thread", "Nothing can be written in $aThread that is closed."),
    Rule(
        "message_withdraw_minutes",
        "$aMessage can be withdrawn within $withdrawminutes minutes of being sent, not later.",
    ),
    Rule("message_thread_size", "At most $mostparties $Persons can take part in $aThread.", when="full groups"),
    Rule(
        "message_blocked_person",
        "$aPerson who has blocked somebody cannot write to them before lifting the block.",
        when="full blocks",
    ),
)

# User 1's threads: with whom, who began it, status, age in days, unread messages of the other at the end.
UNREAD, RECENT, CLOSED, CROWDED = 1, 2, 3, 4
_MINE = ((2, True, "open", 9, 2), (3, True, "open", 5, 0), (4, False, "closed", 60, 0), (5, True, "open", 14, 1))
BLOCKED = 6
"""The person that user 1 has blocked."""


def generate(view: View) -> None:
    people = len(view.rows("person"))
    subjects = view.names("thread", view.size(6, 9), SUBJECTS)
    for index, subject in enumerate(subjects):
        if index < len(_MINE):
            other, began, status, age, unread = _MINE[index]
            ends = (1, other) if began else (other, 1)
        else:
            first, second = view.rng.sample(range(2, people + 1), 2)
            ends, status, age, unread = (first, second), view.rng.choice(("open", "closed")), 20 + index, 0
        _add_thread(view, subject, ends, status, age, unread)
    # ten minutes ago, so that it can still be withdrawn
    _add_message(view, RECENT, 1, view.moment(0, 8, 50), read=False)
    if view.has("full"):
        _generate_bulletins(view)
        _generate_notices(view)
        _generate_extras(view)


def _add_thread(view: View, subject: str, ends: tuple[int, int], status: str, age: int, unread: int) -> None:
    thread_id = view.add(
        "thread",
        person_id=ends[0],
        other_id=ends[1],
        record_id=_record_of(view, ends[0]),
        subject=subject,
        status=status,
        started_at=view.moment(-age, 9),
    )
    other = ends[1] if ends[0] == 1 else ends[0]
    me = ends[0] if other == ends[1] else ends[1]
    written = [(me, -age, 10), (other, -age, 15), (me, 1 - age, 11)]
    for sender, day, hour in written:
        _add_message(view, thread_id, sender, view.moment(day, hour), read=True)
    for number in range(unread):
        _add_message(view, thread_id, other, view.moment(-2, 12 + number), read=False)
    if view.has("groups"):
        crowd = range(7, 7 + view.setting("mostparties") - 2) if thread_id == CROWDED and view.has("full") else ()
        for person in (*ends, *crowd):
            read = view.moment(2 - age, 12)
            joined = view.moment(-age, 9)
            view.add("party", thread_id=thread_id, person_id=person, joined_at=joined, last_read_at=read)


def _add_message(view: View, thread_id: int, sender: int, sent_at: str, read: bool) -> None:
    used = {row["body"] for row in view.rows("message") if row["thread_id"] == thread_id}
    body = view.rng.choice([line for line in _LINES if line not in used])
    read_at = sent_at[:11] + "20:30:00" if read else None
    view.add(
        "message", thread_id=thread_id, person_id=sender, body=body, sent_at=sent_at, read_at=read_at, status="sent"
    )


def _record_of(view: View, person: int) -> int | None:
    if not (view.has("full") and view.has("record")):
        return None
    found: Row | None = view.pick("record", lambda row: row["person_id"] == person)
    return None if found is None else int(found["id"])


def _generate_bulletins(view: View) -> None:
    """The first is to be confirmed and recent; ages differ, so that there is one latest."""
    for index, title in enumerate(view.names("bulletin", 6, _BULLETINS)):
        place = view.rng.randint(1, len(view.rows("place"))) if view.has("place") and index % 2 else None
        view.add(
            "bulletin",
            title=title,
            place_id=place,
            must_confirm=int(index % 3 == 0),
            published_at=view.moment(-2 - 6 * index, view.rng.randint(8, 18)),
            expires_on=view.day(40 - 11 * index),
        )
    if view.has("receipts"):
        for bulletin in view.rows("bulletin"):
            for person in view.rng.sample(range(2, 10), 3) if bulletin["must_confirm"] else ():
                confirmed_at = view.moment(view.days_until(bulletin["published_at"]) + 1, 12)
                view.add("receipt", bulletin_id=bulletin["id"], person_id=person, confirmed_at=confirmed_at)


def _generate_notices(view: View) -> None:
    for index, text in enumerate(_REMINDERS):
        status = "new" if index < 2 else "dismissed"
        _add_notice(view, 1, None, "reminder", text, -1 - index, status)
    for thread in (UNREAD, CROWDED):
        subject = view.row("thread", thread)["subject"]
        _add_notice(view, 1, thread, "message", f"New in: {subject}", -2, "new")
    for person in range(2, 8):
        _add_notice(view, person, None, "reminder", view.rng.choice(_REMINDERS), -view.rng.randint(1, 30), "new")


def _add_notice(view: View, person: int, thread: int | None, kind: str, text: str, day: int, status: str) -> None:
    view.add(
        "notice",
        person_id=person,
        thread_id=thread,
        kind=kind,
        text=text,
        created_at=view.moment(day, view.rng.randint(8, 20)),
        status=status,
    )


def _generate_extras(view: View) -> None:
    if view.has("attachments"):
        for index, name in enumerate(_FILES):
            message = view.rows("message")[3 * index]
            view.add("clip", message_id=message["id"], file_name=name, kilobytes=40 + 173 * index)
    if view.has("blocks"):
        view.add("block", person_id=1, blocked_id=BLOCKED, since_on=view.day(-40))
        for person in range(2, 8):
            blocked = view.rng.choice([p for p in range(1, 11) if p != person])
            view.add("block", person_id=person, blocked_id=blocked, since_on=view.day(-view.rng.randint(10, 90)))
