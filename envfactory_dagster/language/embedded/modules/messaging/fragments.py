"""Pieces that several tools of this module share: finding rows of a world, and fragments of code."""

from envfactory_dagster.language.embedded.kit import Row, integer, nullable, row_of, text
from envfactory_dagster.language.embedded.modules.messaging.rows import BLOCKED, RECENT
from envfactory_dagster.language.embedded.world import View

FULL_CALL = {"subject": "Small question", "body": "Are you there on Monday?"}


def recent_message(view: View) -> int:
    """What user 1 wrote a few minutes ago."""
    found: int = view.need("message", lambda row: row["thread_id"] == RECENT and row["sent_at"] > view.moment(0, 8))[
        "id"
    ]
    return found


def subject_of(view: View, thread_id: int) -> str:
    subject: str = view.row("thread", thread_id)["subject"]
    return subject


def writable(view: View) -> list[Row]:
    """Active people besides user 1 to whom they may write."""
    return view.select("person", lambda row: row["id"] not in (1, BLOCKED) and row["status"] == "active")


# The condition on a thread `t` that `:me` takes part in it.
TAKES_PART = """
                #: if groups
                " t.id IN (SELECT $thread_id FROM $partys WHERE $person_id = :me)"
                #: end
                #: if !groups
                " (t.$person_id = :me OR t.other_id = :me)"
                #: end
"""
# What `:me` has not read of a thread `t`, as a number.
UNREAD_COUNT = """
                #: if groups
                " (SELECT count(*) FROM $messages m JOIN $partys y ON y.$thread_id = m.$thread_id"
                " WHERE m.$thread_id = t.id AND y.$person_id = :me AND m.$person_id <> :me AND m.status = 'sent'"
                " AND m.sent_at > coalesce(y.last_read_at, ''))"
                #: end
                #: if !groups
                " (SELECT count(*) FROM $messages m WHERE m.$thread_id = t.id AND m.$person_id <> :me"
                " AND m.status = 'sent' AND m.read_at IS NULL)"
                #: end
"""
SELECT_THREADS = (
    """
                "SELECT t.id, t.subject, t.status, t.started_at, t.$person_id,"
                #: if full record
                " t.$record_id,"
                #: end
"""
    + UNREAD_COUNT
    + """
                " AS unread FROM $threads t WHERE"
"""
    + TAKES_PART
)
FIND_MINE = (
    """
            thread = env.one("""
    + SELECT_THREADS
    + """
                " AND t.id = :thread",
                {"me": env.user_id, "thread": $thread_id},
            )
            if thread is None:
                raise env.Error(f"you take part in no $Thread {$thread_id}")
"""
)
STILL_OPEN = """
            #: if message_closed_thread
            if thread["status"] == "closed":
                raise env.Error("this $Thread is closed, nothing can be written in it")
            #: end
"""
NOT_BLOCKED = """
            #: if full blocks message_blocked_person
            block = env.one(
                "SELECT id FROM $blocks WHERE $person_id = ? AND blocked_id = ?", [env.user_id, $person_id]
            )
            if block is not None:
                raise env.Error("you have blocked this $Person; lift the block first")
            #: end
"""
THREAD = row_of("thread", "id", "subject", "status", "started_at", "person_id", "record_id", unread=integer())
MESSAGE = row_of("message", "id", "person_id", "sent_at", "status", body=nullable(text()), **{"$person_name": text()})
