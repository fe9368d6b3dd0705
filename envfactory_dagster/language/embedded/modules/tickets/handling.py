"""Seeing, opening and changing tickets."""

from typing import Any

from envfactory_dagster.language.embedded.kit import (
    Schema,
    Tool,
    choice,
    ident,
    integer,
    many,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.tickets.fragments import (
    FIND_MINE,
    ONE_URGENT,
    SELECT_TICKETS,
    TICKET,
    UNSOLVED,
    my_tickets,
    old_open,
)
from envfactory_dagster.language.embedded.modules.tickets.rows import PRIORITIES, STATUSES, TITLES
from envfactory_dagster.language.embedded.world import View

_PRIORITY = choice("How much it matters.", *PRIORITIES)


def _new_ticket(view: View) -> dict[str, Any]:
    queue = {} if view.has("routed") else {"queue_id": 1}
    return {"topic_id": 2, **queue, "title": TITLES[0], "priority": "normal"}


def _opening(when: str, queue: Schema) -> Tool:
    """`open_$ticket`, with or without the team it goes to among its parameters."""
    return Tool(
        name="open_$ticket",
        about="Open $aTicket for the signed-in $Person. Its $Topic says by when it is to be solved.",
        effect="create",
        when=when,
        imports="from datetime import datetime, timedelta",
        params={
            "$topic_id": ident("topic"),
            **queue,
            "title": {**text("What it is about, in a few words.", 120), "minLength": 3},
            "priority": {**_PRIORITY, "default": "normal"},
        },
        returns={"$ticket_id": integer(), "due_at": text()},
        code="""
            topic = env.one("SELECT target_hours FROM $topics WHERE id = ?", [$topic_id])
            if topic is None:
                raise env.Error(f"there is no $Topic {$topic_id}")
            #: if !routed
            if env.one("SELECT id FROM $queues WHERE id = ?", [$queue_id]) is None:
                raise env.Error(f"there is no $Queue {$queue_id}")
            #: end
"""
        + ONE_URGENT
        + """
            due_at = (datetime.fromisoformat(env.now) + timedelta(hours=topic["target_hours"])).isoformat()
            ticket_id = env.insert(
                #: if routed
                "INSERT INTO $tickets ($person_id, $topic_id, title, priority, status, opened_at, due_at)"
                " VALUES (?, ?, ?, ?, 'open', ?, ?)",
                [env.user_id, $topic_id, title, priority, env.now, due_at],
                #: end
                #: if !routed
                "INSERT INTO $tickets ($person_id, $topic_id, $queue_id, title, priority, status, opened_at, due_at)"
                " VALUES (?, ?, ?, ?, ?, 'open', ?, ?)",
                [env.user_id, $topic_id, $queue_id, title, priority, env.now, due_at],
                #: end
            )
            return {"$ticket_id": ticket_id, "due_at": due_at}
        """,
        good=_new_ticket,
        bad=lambda view: _new_ticket(view) | {"topic_id": view.missing("topic")},
    )


_LOOKUPS = (
    Tool(
        name="list_$topics",
        about="List the $Topics that $aTicket can have, with the hours within which it is to be solved.",
        effect="read",
        params={},
        returns={"$topics": many(row_of("topic", "id", "name", "target_hours", "queue_id"))},
        code="""
            rows = env.query(
                "SELECT id, name, target_hours"
                #: if routed
                ", $queue_id"
                #: end
                " FROM $topics ORDER BY name",
                [],
            )
            return {"$topics": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="list_$queues",
        about="List the $Queues that deal with $Tickets, with the number of $Tickets each has to solve.",
        effect="read",
        params={},
        returns={"$queues": many(row_of("queue", "id", "name", "phone", "place_id", unsolved=integer()))},
        code="""
            rows = env.query(
                "SELECT q.id, q.name, q.phone, count(t.id) AS unsolved"
                #: if place
                ", q.$place_id"
                #: end
                " FROM $queues q"
                #: if routed
                " LEFT JOIN $topics c ON c.$queue_id = q.id"
                " LEFT JOIN $tickets t ON t.$topic_id = c.id AND t.status IN ('open', 'in_progress')"
                #: end
                #: if !routed
                " LEFT JOIN $tickets t ON t.$queue_id = q.id AND t.status IN ('open', 'in_progress')"
                #: end
                " GROUP BY q.id, q.name, q.phone ORDER BY q.name",
                [],
            )
            return {"$queues": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="search_my_$tickets",
        about="Find the signed-in $Person's $Tickets by status, priority and words of their title, earliest due first.",
        effect="read",
        params={
            "status": optional(choice("Only $Tickets of this status.", *STATUSES)),
            "priority": optional(choice("Only $Tickets of this priority.", *PRIORITIES)),
            "words": optional(text("Part of the title, in any case.", 80)),
        },
        returns={"$tickets": many(TICKET), "total": integer()},
        code="""
            rows = env.query("""
        + SELECT_TICKETS
        + """
                " WHERE t.$person_id = :me AND (:status IS NULL OR t.status = :status)"
                " AND (:priority IS NULL OR t.priority = :priority)"
                " AND (:words IS NULL OR t.title LIKE '%' || :words || '%') ORDER BY t.due_at, t.id",
                {"me": env.user_id, "status": status, "priority": priority, "words": words},
            )
            return {"$tickets": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "in_progress", "words": "e"},
    ),
    Tool(
        name="get_$ticket",
        about="Get one of the signed-in $Person's $Tickets.",
        effect="read",
        when="!full",
        params={"$ticket_id": ident("ticket")},
        returns={"$ticket": TICKET},
        code=FIND_MINE + '            return {"$ticket": ticket}\n',
        good=lambda view: {"ticket_id": old_open(view)["id"]},
        bad=lambda view: {"ticket_id": view.need("ticket", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="get_$ticket",
        about="Get one of the signed-in $Person's $Tickets with everything that was said about it.",
        effect="read",
        when="full",
        params={"$ticket_id": ident("ticket")},
        returns={"$ticket": TICKET, "$notes": many(row_of("note", "id", "author", "body", "written_at"))},
        code=FIND_MINE
        + """
            notes = env.query(
                "SELECT id, author, body, written_at FROM $notes WHERE $ticket_id = ? ORDER BY written_at, id",
                [$ticket_id],
            )
            return {"$ticket": ticket, "$notes": notes}
        """,
        good=lambda view: {"ticket_id": my_tickets(view, "in_progress")[0]["id"]},
        bad=lambda view: {"ticket_id": view.need("ticket", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="summarize_my_$tickets",
        about="Count the signed-in $Person's $Tickets by status, and those unsolved that are past their due time.",
        effect="read",
        when="full",
        params={},
        returns={"by_status": many(row_of("ticket", "status", n=integer())), "overdue": integer()},
        code="""
            rows = env.query(
                "SELECT status, count(*) AS n FROM $tickets WHERE $person_id = ? GROUP BY status ORDER BY status",
                [env.user_id],
            )
            overdue = env.one(
                "SELECT count(*) AS n FROM $tickets WHERE $person_id = ? AND due_at < ?"
                " AND status IN ('open', 'in_progress')",
                [env.user_id, env.now],
            )
            return {"by_status": rows, "overdue": overdue["n"]}
        """,
        good=lambda view: {},
    ),
)

_CHANGES = (
    _opening("routed", {}),
    _opening("!routed", {"$queue_id": ident("queue", "Id of the $Queue that is to solve it.")}),
    Tool(
        name="withdraw_$ticket",
        about="Withdraw one of the signed-in $Person's $Tickets that is not solved yet.",
        effect="change",
        params={"$ticket_id": ident("ticket")},
        returns={"$ticket_id": integer(), "status": choice("", "withdrawn")},
        code=FIND_MINE
        + UNSOLVED
        + """
            #: if ticket_withdraw_open
            if ticket["status"] == "in_progress":
                raise env.Error("work on this $Ticket has begun, it cannot be withdrawn any more")
            #: end
            env.execute("UPDATE $tickets SET status = 'withdrawn' WHERE id = ?", [$ticket_id])
            return {"$ticket_id": $ticket_id, "status": "withdrawn"}
        """,
        good=lambda view: {"ticket_id": old_open(view)["id"]},
        bad=lambda view: {"ticket_id": my_tickets(view, "closed")[0]["id"]},
    ),
    Tool(
        name="set_$ticket_priority",
        about="Change the priority of one of the signed-in $Person's $Tickets that is not solved yet.",
        effect="change",
        when="full",
        params={"$ticket_id": ident("ticket"), "priority": _PRIORITY},
        returns={"$ticket_id": integer(), "priority": choice("", *PRIORITIES)},
        code=FIND_MINE
        + UNSOLVED
        + ONE_URGENT
        + """
            env.execute("UPDATE $tickets SET priority = ? WHERE id = ?", [priority, $ticket_id])
            return {"$ticket_id": $ticket_id, "priority": priority}
        """,
        good=lambda view: {"ticket_id": old_open(view)["id"], "priority": "high"},
        bad=lambda view: {"ticket_id": my_tickets(view, "closed")[0]["id"], "priority": "high"},
    ),
    Tool(
        name="add_$note",
        about="Add $aNote of the signed-in $Person to one of their $Tickets that is not closed or withdrawn.",
        effect="create",
        when="full",
        params={"$ticket_id": ident("ticket"), "body": text("What there is to say.", 500)},
        returns={"$note_id": integer(), "written_at": text()},
        code=FIND_MINE
        + """
            if ticket["status"] in ("closed", "withdrawn"):
                raise env.Error(f"this $Ticket is {ticket['status']}, nothing can be added")
            note_id = env.insert(
                "INSERT INTO $notes ($ticket_id, author, body, written_at) VALUES (?, 'customer', ?, ?)",
                [$ticket_id, body, env.now],
            )
            return {"$note_id": note_id, "written_at": env.now}
        """,
        good=lambda view: {"ticket_id": old_open(view)["id"], "body": "It got worse since yesterday."},
        bad=lambda view: {"ticket_id": my_tickets(view, "closed")[0]["id"], "body": "Thank you."},
    ),
    Tool(
        name="reopen_$ticket",
        about="Reopen one of the signed-in $Person's resolved $Tickets, because the matter is not settled.",
        effect="change",
        when="full",
        imports="from datetime import datetime, timedelta",
        params={"$ticket_id": ident("ticket")},
        returns={"$ticket_id": integer(), "status": choice("", "open")},
        code=FIND_MINE
        + """
            if ticket["status"] != "resolved":
                raise env.Error(f"this $Ticket is {ticket['status']}, only a resolved one can be reopened")
            #: if ticket_reopen_days
            latest = datetime.fromisoformat(ticket["resolved_at"]) + timedelta(days=$reopendays)
            if env.now > latest.isoformat():
                raise env.Error("this $Ticket was resolved more than $reopendays days ago, too late to reopen it")
            #: end
            env.execute("UPDATE $tickets SET status = 'open', resolved_at = NULL WHERE id = ?", [$ticket_id])
            return {"$ticket_id": $ticket_id, "status": "open"}
        """,
        good=lambda view: {"ticket_id": my_tickets(view, "resolved")[-1]["id"]},
        bad=lambda view: {"ticket_id": my_tickets(view, "closed")[0]["id"]},
    ),
    Tool(
        name="confirm_$ticket_solved",
        about="Confirm that one's own resolved $Ticket is settled, which closes it.",
        effect="change",
        principal="user",
        when="full",
        params={"$ticket_id": ident("ticket")},
        returns={"$ticket_id": integer(), "status": choice("", "closed")},
        code=FIND_MINE
        + """
            if ticket["status"] != "resolved":
                raise env.Error(f"this $Ticket is {ticket['status']}, there is nothing to confirm")
            env.execute("UPDATE $tickets SET status = 'closed' WHERE id = ?", [$ticket_id])
            return {"$ticket_id": $ticket_id, "status": "closed"}
        """,
        good=lambda view: {"ticket_id": my_tickets(view, "resolved")[-1]["id"]},
        bad=lambda view: {"ticket_id": old_open(view)["id"]},
    ),
)

HANDLING = (*_LOOKUPS, *_CHANGES)
