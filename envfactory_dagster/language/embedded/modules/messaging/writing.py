"""Threads and messages: reading, writing, withdrawing."""

from typing import Any

from envfactory_dagster.language.embedded.kit import (
    Tool,
    boolean,
    choice,
    ident,
    integer,
    many,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.messaging.fragments import (
    FIND_MINE,
    FULL_CALL,
    MESSAGE,
    NOT_BLOCKED,
    SELECT_THREADS,
    STILL_OPEN,
    TAKES_PART,
    THREAD,
    UNREAD_COUNT,
    recent_message,
    writable,
)
from envfactory_dagster.language.embedded.modules.messaging.rows import CLOSED, RECENT, UNREAD
from envfactory_dagster.language.embedded.world import View

_BODY = text("What to write.", 1000)


def anothers_thread(view: View) -> dict[str, Any]:
    return {"thread_id": view.need("thread", lambda row: row["id"] > 4)["id"]}


_READING = (
    Tool(
        name="find_$persons",
        about="Find other active $Persons by words of their name, to write to them.",
        effect="read",
        params={"words": text("Part of the name, in any case.", 60)},
        returns={"$persons": many(row_of("person", "id", "name"))},
        code="""
            rows = env.query(
                "SELECT id, name FROM $persons WHERE id <> ? AND status = 'active' AND name LIKE '%' || ? || '%'"
                " ORDER BY name, id",
                [env.user_id, words],
            )
            return {"$persons": rows}
        """,
        good=lambda view: {"words": "a"},
    ),
    Tool(
        name="list_my_$threads",
        about="List the $Threads the signed-in $Person takes part in, newest first, with what they have not read.",
        effect="read",
        params={
            "status": optional(choice("Only $Threads of this status.", "open", "closed")),
            "unread_only": {**boolean("Only $Threads with something unread."), "default": False},
        },
        returns={"$threads": many(THREAD)},
        code="""
            rows = env.query("""
        + SELECT_THREADS
        + """
                " AND (:status IS NULL OR t.status = :status) ORDER BY t.started_at DESC, t.id",
                {"me": env.user_id, "status": status},
            )
            return {"$threads": [row for row in rows if row["unread"] or not unread_only]}
        """,
        good=lambda view: {"unread_only": True},
    ),
    Tool(
        name="get_$thread",
        about="Get one of the signed-in $Person's $Threads with every $Message in it, oldest first.",
        effect="read",
        params={"$thread_id": ident("thread")},
        returns={"$thread": THREAD, "$messages": many(MESSAGE)},
        code=FIND_MINE
        + """
            messages = env.query(
                "SELECT m.id, m.$person_id, a.name AS $person_name, m.sent_at, m.status,"
                " CASE WHEN m.status = 'sent' THEN m.body END AS body FROM $messages m"
                " JOIN $persons a ON a.id = m.$person_id WHERE m.$thread_id = ? ORDER BY m.sent_at, m.id",
                [$thread_id],
            )
            return {"$thread": thread, "$messages": messages}
        """,
        good=lambda view: {"thread_id": UNREAD},
        bad=anothers_thread,
    ),
    Tool(
        name="search_my_$messages",
        about="Find what was written in the signed-in $Person's $Threads by words of it, newest first.",
        effect="read",
        when="full",
        params={"words": text("Part of what was written, in any case.", 80)},
        returns={
            "$messages": many(row_of("message", "id", "body", "sent_at", "thread_id", "person_id", subject=text()))
        },
        code="""
            rows = env.query(
                "SELECT m.id, m.body, m.sent_at, m.$thread_id, m.$person_id, t.subject FROM $messages m"
                " JOIN $threads t ON t.id = m.$thread_id"
                " WHERE m.status = 'sent' AND m.body LIKE '%' || :words || '%' AND"
"""
        + TAKES_PART
        + """
                " ORDER BY m.sent_at DESC, m.id",
                {"me": env.user_id, "words": words},
            )
            return {"$messages": rows}
        """,
        good=lambda view: {"words": "the"},
    ),
    Tool(
        name="count_my_unread_$messages",
        about="Count what the signed-in $Person has not read, and in how many $Threads, with their new $Notices.",
        effect="read",
        when="full",
        params={},
        returns={"$messages": integer(), "$threads": integer(), "new_$notices": integer()},
        code="""
            rows = env.query(
                "SELECT t.id,"
"""
        + UNREAD_COUNT
        + """
                " AS unread FROM $threads t WHERE"
"""
        + TAKES_PART
        + """
                " ORDER BY t.id",
                {"me": env.user_id},
            )
            notices = env.one(
                "SELECT count(*) AS n FROM $notices WHERE $person_id = ? AND status = 'new'", [env.user_id]
            )
            return {
                "$messages": sum(row["unread"] for row in rows),
                "$threads": sum(1 for row in rows if row["unread"]),
                "new_$notices": notices["n"],
            }
        """,
        good=lambda view: {},
    ),
)

_WRITING = (
    Tool(
        name="start_$thread",
        about="Begin $aThread with another active $Person and write the first $Message in it.",
        effect="create",
        params={
            "$person_id": ident("person", "Id of the other $Person."),
            "subject": text("What it is about, in a few words.", 120),
            "body": _BODY,
        },
        returns={"$thread_id": integer(), "$message_id": integer()},
        code="""
            other = env.one("SELECT status FROM $persons WHERE id = ? AND id <> ?", [$person_id, env.user_id])
            if other is None or other["status"] != "active":
                raise env.Error(f"there is no other active $Person {$person_id}")
"""
        + NOT_BLOCKED
        + """
            #: if groups
            thread_id = env.insert(
                "INSERT INTO $threads ($person_id, subject, status, started_at) VALUES (?, ?, 'open', ?)",
                [env.user_id, subject, env.now],
            )
            env.insert(
                "INSERT INTO $partys ($thread_id, $person_id, joined_at, last_read_at) VALUES (?, ?, ?, ?)",
                [thread_id, env.user_id, env.now, env.now],
            )
            env.insert(
                "INSERT INTO $partys ($thread_id, $person_id, joined_at) VALUES (?, ?, ?)",
                [thread_id, $person_id, env.now],
            )
            #: end
            #: if !groups
            thread_id = env.insert(
                "INSERT INTO $threads ($person_id, other_id, subject, status, started_at) VALUES (?, ?, ?, 'open', ?)",
                [env.user_id, $person_id, subject, env.now],
            )
            #: end
            message_id = env.insert(
                "INSERT INTO $messages ($thread_id, $person_id, body, sent_at, status) VALUES (?, ?, ?, ?, 'sent')",
                [thread_id, env.user_id, body, env.now],
            )
            return {"$thread_id": thread_id, "$message_id": message_id}
        """,
        good=lambda view: {"person_id": writable(view)[0]["id"], **FULL_CALL},
        bad=lambda view: {"person_id": 1, **FULL_CALL},
    ),
    Tool(
        name="send_$message",
        about="Write in one of the signed-in $Person's $Threads.",
        effect="create",
        params={"$thread_id": ident("thread"), "body": _BODY},
        returns={"$message_id": integer(), "sent_at": text()},
        code=FIND_MINE
        + STILL_OPEN
        + """
            message_id = env.insert(
                "INSERT INTO $messages ($thread_id, $person_id, body, sent_at, status) VALUES (?, ?, ?, ?, 'sent')",
                [$thread_id, env.user_id, body, env.now],
            )
            return {"$message_id": message_id, "sent_at": env.now}
        """,
        good=lambda view: {"thread_id": UNREAD, "body": "Yes, gladly."},
        bad=lambda view: {**anothers_thread(view), "body": "Yes, gladly."},
    ),
    Tool(
        name="withdraw_$message",
        about="Withdraw $aMessage the signed-in $Person sent; nobody can read it any more.",
        effect="change",
        imports="from datetime import datetime, timedelta",
        params={"$message_id": ident("message")},
        returns={"$message_id": integer(), "status": choice("", "withdrawn")},
        code="""
            message = env.one(
                "SELECT status, sent_at FROM $messages WHERE id = ? AND $person_id = ?", [$message_id, env.user_id]
            )
            if message is None:
                raise env.Error(f"you have sent no $Message {$message_id}")
            if message["status"] == "withdrawn":
                raise env.Error("this $Message is withdrawn already")
            #: if message_withdraw_minutes
            latest = datetime.fromisoformat(message["sent_at"]) + timedelta(minutes=$withdrawminutes)
            if env.now > latest.isoformat():
                raise env.Error("this $Message was sent more than $withdrawminutes minutes ago, too late for that")
            #: end
            env.execute("UPDATE $messages SET status = 'withdrawn' WHERE id = ?", [$message_id])
            return {"$message_id": $message_id, "status": "withdrawn"}
        """,
        good=lambda view: {"message_id": recent_message(view)},
        bad=lambda view: {"message_id": view.need("message", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="mark_$thread_read",
        about="Mark everything in one of the signed-in $Person's $Threads as read.",
        effect="change",
        when="full",
        params={"$thread_id": ident("thread")},
        returns={"$thread_id": integer(), "marked": integer()},
        code=FIND_MINE
        + """
            if thread["unread"] == 0:
                raise env.Error("there is nothing unread in this $Thread")
            #: if groups
            env.execute(
                "UPDATE $partys SET last_read_at = ? WHERE $thread_id = ? AND $person_id = ?",
                [env.now, $thread_id, env.user_id],
            )
            #: end
            #: if !groups
            env.execute(
                "UPDATE $messages SET read_at = ? WHERE $thread_id = ? AND $person_id <> ? AND read_at IS NULL",
                [env.now, $thread_id, env.user_id],
            )
            #: end
            return {"$thread_id": $thread_id, "marked": thread["unread"]}
        """,
        good=lambda view: {"thread_id": UNREAD},
        bad=lambda view: {"thread_id": RECENT},
    ),
    Tool(
        name="close_$thread",
        about="Close $aThread that the signed-in $Person began.",
        effect="change",
        when="full",
        params={"$thread_id": ident("thread")},
        returns={"$thread_id": integer(), "status": choice("", "closed")},
        code=FIND_MINE
        + """
            if thread["$person_id"] != env.user_id:
                raise env.Error("only who began $aThread can close it")
            if thread["status"] == "closed":
                raise env.Error("this $Thread is closed already")
            env.execute("UPDATE $threads SET status = 'closed' WHERE id = ?", [$thread_id])
            return {"$thread_id": $thread_id, "status": "closed"}
        """,
        good=lambda view: {"thread_id": RECENT},
        bad=lambda view: {"thread_id": CLOSED},
    ),
)

WRITING = (*_READING, *_WRITING)
