"""Pieces that several tools of this module share: finding rows of a world, and fragments of code."""

from envfactory_dagster.language.embedded.kit import Row, integer, row_of, text
from envfactory_dagster.language.embedded.modules.tickets.rows import queue_of
from envfactory_dagster.language.embedded.world import View


def my_tickets(view: View, *statuses: str) -> list[Row]:
    """Tickets of user 1 in some statuses, oldest first; the generator makes one of each."""
    return view.mine("ticket", lambda row: row["status"] in statuses)


def old_open(view: View) -> Row:
    """The open ticket of user 1 that has been waiting for days."""
    return my_tickets(view, "open")[0]


def a_colleague(view: View, ticket: Row) -> Row:
    """Somebody of the ticket's team who does not have it yet."""
    return view.need("agent", lambda row: row["queue_id"] == queue_of(view, ticket) and row["grade"] == "senior")


# The ticket `t` with its topic `c` and its team `q`.
SELECT_TICKETS = """
                "SELECT t.id, t.title, t.status, t.priority, t.opened_at, t.due_at, t.resolved_at,"
                #: if full assigned
                " t.$agent_id,"
                #: end
                #: if full thing
                " t.$thing_id,"
                #: end
                " c.name AS $topic_name, q.id AS $queue_id, q.name AS $queue_name"
                " FROM $tickets t JOIN $topics c ON c.id = t.$topic_id"
                #: if routed
                " JOIN $queues q ON q.id = c.$queue_id"
                #: end
                #: if !routed
                " JOIN $queues q ON q.id = t.$queue_id"
                #: end
"""
FIND_MINE = (
    """
            ticket = env.one("""
    + SELECT_TICKETS
    + """
                " WHERE t.id = ? AND t.$person_id = ?",
                [$ticket_id, env.user_id],
            )
            if ticket is None:
                raise env.Error(f"you have no $Ticket {$ticket_id}")
"""
)
UNSOLVED = """
            if ticket["status"] not in ("open", "in_progress"):
                raise env.Error(f"this $Ticket is {ticket['status']} already")
"""
ONE_URGENT = """
            #: if ticket_one_urgent
            urgent = env.one(
                "SELECT title FROM $tickets WHERE $person_id = ? AND priority = 'urgent'"
                " AND status IN ('open', 'in_progress')",
                [env.user_id],
            )
            if priority == "urgent" and urgent is not None:
                raise env.Error(f"you have an urgent $Ticket already: {urgent['title']}")
            #: end
"""
TICKET = row_of(
    "ticket",
    "id",
    "title",
    "status",
    "priority",
    "opened_at",
    "due_at",
    "resolved_at",
    "agent_id",
    "thing_id",
    **{"$topic_name": text(), "$queue_id": integer(), "$queue_name": text()},
)
