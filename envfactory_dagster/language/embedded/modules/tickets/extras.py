"""What some themes have besides: people who work on tickets, escalations, visits, estimates, things concerned."""

from envfactory_dagster.language.embedded.kit import Tool, choice, day, ident, integer, many, optional, row_of, text
from envfactory_dagster.language.embedded.modules.tickets.fragments import (
    FIND_MINE,
    UNSOLVED,
    a_colleague,
    my_tickets,
    old_open,
)
from envfactory_dagster.language.embedded.world import View


def unvisited(view: View) -> int:
    """The urgent ticket of user 1, which nobody has planned a visit for."""
    found: int = my_tickets(view, "in_progress")[1]["id"]
    return found


def an_offer(view: View) -> int:
    ticket = my_tickets(view, "in_progress")[0]["id"]
    found: int = view.need("estimate", lambda row: row["ticket_id"] == ticket)["id"]
    return found


_ASSIGNMENT = (
    Tool(
        name="list_$queue_$agents",
        about="List the $Agents of one $Queue with the number of unsolved $Tickets each has, the least busy first.",
        effect="read",
        when="full assigned",
        params={"$queue_id": ident("queue")},
        returns={"$agents": many(row_of("agent", "id", "name", "grade", unsolved=integer()))},
        code="""
            if env.one("SELECT id FROM $queues WHERE id = ?", [$queue_id]) is None:
                raise env.Error(f"there is no $Queue {$queue_id}")
            rows = env.query(
                "SELECT a.id, a.name, a.grade, count(t.id) AS unsolved FROM $agents a"
                " LEFT JOIN $tickets t ON t.$agent_id = a.id AND t.status IN ('open', 'in_progress')"
                " WHERE a.$queue_id = ? GROUP BY a.id, a.name, a.grade ORDER BY unsolved, a.id",
                [$queue_id],
            )
            return {"$agents": rows}
        """,
        good=lambda view: {"queue_id": 1},
        bad=lambda view: {"queue_id": view.missing("queue")},
    ),
    Tool(
        name="assign_$ticket",
        about="Give one of the signed-in $Person's unsolved $Tickets to $aAgent of the $Queue that deals with it.",
        effect="change",
        when="full assigned",
        params={"$ticket_id": ident("ticket"), "$agent_id": ident("agent")},
        returns={"$ticket_id": integer(), "$agent_id": integer()},
        code=FIND_MINE
        + UNSOLVED
        + """
            agent = env.one("SELECT $queue_id FROM $agents WHERE id = ?", [$agent_id])
            if agent is None or agent["$queue_id"] != ticket["$queue_id"]:
                raise env.Error(f"{ticket['$queue_name']} has no $Agent {$agent_id}")
            env.execute("UPDATE $tickets SET $agent_id = ? WHERE id = ?", [$agent_id, $ticket_id])
            return {"$ticket_id": $ticket_id, "$agent_id": $agent_id}
        """,
        good=lambda view: {
            "ticket_id": old_open(view)["id"],
            "agent_id": a_colleague(view, old_open(view))["id"],
        },
        bad=lambda view: {"ticket_id": old_open(view)["id"], "agent_id": view.missing("agent")},
    ),
)

_ESCALATION = (
    Tool(
        name="list_$escalations",
        about="List how one of the signed-in $Person's $Tickets was taken up, lowest step first.",
        effect="read",
        when="full levels",
        params={"$ticket_id": ident("ticket")},
        returns={"$escalations": many(row_of("escalation", "id", "step", "reason", "raised_at", "agent_id"))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT id, step, reason, raised_at"
                #: if assigned
                ", $agent_id"
                #: end
                " FROM $escalations WHERE $ticket_id = ? ORDER BY step",
                [$ticket_id],
            )
            return {"$escalations": rows}
        """,
        good=lambda view: {"ticket_id": my_tickets(view, "closed")[0]["id"]},
        bad=lambda view: {"ticket_id": view.missing("ticket")},
    ),
    Tool(
        name="escalate_$ticket",
        about="Take one of the signed-in $Person's unsolved $Tickets one step up, three at most.",
        effect="create",
        when="full levels",
        imports="from datetime import datetime, timedelta",
        params={"$ticket_id": ident("ticket"), "reason": text("Why it cannot wait.", 200)},
        returns={"$escalation_id": integer(), "step": integer()},
        code=FIND_MINE
        + UNSOLVED
        + """
            #: if ticket_escalate_wait
            earliest = datetime.fromisoformat(ticket["opened_at"]) + timedelta(hours=$escalatehours)
            if env.now < earliest.isoformat():
                raise env.Error("this $Ticket was opened less than $escalatehours hours ago, too early to escalate it")
            #: end
            last = env.one(
                "SELECT coalesce(max(step), 0) AS step FROM $escalations WHERE $ticket_id = ?", [$ticket_id]
            )
            if last["step"] == 3:
                raise env.Error("this $Ticket has reached the highest step already")
            #: if assigned
            lead = env.one(
                "SELECT id FROM $agents WHERE $queue_id = ? AND grade = 'lead' ORDER BY id", [ticket["$queue_id"]]
            )
            if lead is None:
                raise env.Error(f"{ticket['$queue_name']} has nobody in the lead")
            escalation_id = env.insert(
                "INSERT INTO $escalations ($ticket_id, $agent_id, step, reason, raised_at) VALUES (?, ?, ?, ?, ?)",
                [$ticket_id, lead["id"], last["step"] + 1, reason, env.now],
            )
            #: end
            #: if !assigned
            escalation_id = env.insert(
                "INSERT INTO $escalations ($ticket_id, step, reason, raised_at) VALUES (?, ?, ?, ?)",
                [$ticket_id, last["step"] + 1, reason, env.now],
            )
            #: end
            return {"$escalation_id": escalation_id, "step": last["step"] + 1}
        """,
        good=lambda view: {"ticket_id": old_open(view)["id"], "reason": "nobody answered"},
        bad=lambda view: {"ticket_id": my_tickets(view, "closed")[0]["id"], "reason": "nobody answered"},
    ),
)

_VISITS = (
    Tool(
        name="list_$ticket_$visits",
        about="List the $Visits for one of the signed-in $Person's $Tickets, latest first.",
        effect="read",
        when="full visits",
        params={"$ticket_id": ident("ticket")},
        returns={"$visits": many(row_of("visit", "id", "on_day", "part", "status", "agent_id"))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT id, on_day, part, status"
                #: if assigned
                ", $agent_id"
                #: end
                " FROM $visits WHERE $ticket_id = ? ORDER BY on_day DESC, id",
                [$ticket_id],
            )
            return {"$visits": rows}
        """,
        good=lambda view: {"ticket_id": my_tickets(view, "closed")[0]["id"]},
        bad=lambda view: {"ticket_id": view.missing("ticket")},
    ),
    Tool(
        name="plan_$visit",
        about="Plan $aVisit on a day to come for one of the signed-in $Person's unsolved $Tickets, one at a time.",
        effect="create",
        when="full visits",
        params={
            "$ticket_id": ident("ticket"),
            "on_day": day("The day, as YYYY-MM-DD."),
            "part": choice("Which half of the day.", "morning", "afternoon"),
        },
        returns={"$visit_id": integer(), "status": choice("", "planned")},
        code=FIND_MINE
        + UNSOLVED
        + """
            if on_day <= env.now[:10]:
                raise env.Error("only a day to come can be planned")
            if env.one("SELECT id FROM $visits WHERE $ticket_id = ? AND status = 'planned'", [$ticket_id]):
                raise env.Error("$aVisit is planned for this $Ticket already")
            visit_id = env.insert(
                #: if assigned
                "INSERT INTO $visits ($ticket_id, $agent_id, on_day, part, status) VALUES (?, ?, ?, ?, 'planned')",
                [$ticket_id, ticket["$agent_id"], on_day, part],
                #: end
                #: if !assigned
                "INSERT INTO $visits ($ticket_id, on_day, part, status) VALUES (?, ?, ?, 'planned')",
                [$ticket_id, on_day, part],
                #: end
            )
            return {"$visit_id": visit_id, "status": "planned"}
        """,
        good=lambda view: {"ticket_id": unvisited(view), "on_day": view.day(3), "part": "morning"},
        bad=lambda view: {"ticket_id": unvisited(view), "on_day": view.day(-1), "part": "morning"},
    ),
    Tool(
        name="cancel_$visit",
        about="Call off a planned $Visit for one of the signed-in $Person's $Tickets.",
        effect="change",
        when="full visits",
        params={"$visit_id": ident("visit")},
        returns={"$visit_id": integer(), "status": choice("", "cancelled")},
        code="""
            changed = env.execute(
                "UPDATE $visits SET status = 'cancelled' WHERE id = ? AND status = 'planned'"
                " AND $ticket_id IN (SELECT id FROM $tickets WHERE $person_id = ?)",
                [$visit_id, env.user_id],
            )
            if changed == 0:
                raise env.Error(f"you have no planned $Visit {$visit_id}")
            return {"$visit_id": $visit_id, "status": "cancelled"}
        """,
        good=lambda view: {"visit_id": my_visit(view)},
        bad=lambda view: {"visit_id": view.missing("visit")},
    ),
)


def my_visit(view: View) -> int:
    """The planned visit for user 1's first ticket in progress."""
    ticket = my_tickets(view, "in_progress")[0]["id"]
    found: int = view.need("visit", lambda row: row["ticket_id"] == ticket and row["status"] == "planned")["id"]
    return found


_ESTIMATES = (
    Tool(
        name="list_my_$estimates",
        about="List the $Estimates for the signed-in $Person's $Tickets, cheapest first, optionally of one status.",
        effect="read",
        when="full estimates",
        params={"status": optional(choice("Only $Estimates of this status.", "offered", "accepted", "declined"))},
        returns={
            "$estimates": many(
                row_of("estimate", "id", "ticket_id", "covers", "amount_cents", "status", "offered_at", title=text())
            )
        },
        code="""
            rows = env.query(
                "SELECT e.id, e.$ticket_id, e.covers, e.amount_cents, e.status, e.offered_at, t.title"
                " FROM $estimates e JOIN $tickets t ON t.id = e.$ticket_id"
                " WHERE t.$person_id = :me AND (:status IS NULL OR e.status = :status) ORDER BY e.amount_cents, e.id",
                {"me": env.user_id, "status": status},
            )
            return {"$estimates": rows}
        """,
        good=lambda view: {"status": "offered"},
    ),
    Tool(
        name="decide_$estimate",
        about="Accept or decline $aEstimate offered for one of the signed-in $Person's $Tickets, one accepted at most.",
        effect="change",
        when="full estimates",
        params={
            "$estimate_id": ident("estimate"),
            "decision": choice("What the $Person decided.", "accepted", "declined"),
        },
        returns={"$estimate_id": integer(), "status": choice("", "accepted", "declined")},
        code="""
            estimate = env.one(
                "SELECT e.status, e.$ticket_id FROM $estimates e JOIN $tickets t ON t.id = e.$ticket_id"
                " WHERE e.id = ? AND t.$person_id = ?",
                [$estimate_id, env.user_id],
            )
            if estimate is None:
                raise env.Error(f"you have no $Estimate {$estimate_id}")
            if estimate["status"] != "offered":
                raise env.Error(f"this $Estimate is {estimate['status']} already")
            accepted = env.one(
                "SELECT id FROM $estimates WHERE $ticket_id = ? AND status = 'accepted'", [estimate["$ticket_id"]]
            )
            if decision == "accepted" and accepted is not None:
                raise env.Error("another $Estimate for this $Ticket was accepted already")
            env.execute("UPDATE $estimates SET status = ? WHERE id = ?", [decision, $estimate_id])
            return {"$estimate_id": $estimate_id, "status": decision}
        """,
        good=lambda view: {"estimate_id": an_offer(view), "decision": "accepted"},
        bad=lambda view: {"estimate_id": view.missing("estimate"), "decision": "accepted"},
    ),
)

_THINGS = (
    Tool(
        name="find_$things_for_$tickets",
        about="Find what $aTicket can be about by words of its name, with the number of unsolved $Tickets about each.",
        effect="read",
        when="full thing",
        params={"words": optional(text("Part of the name, in any case.", 60))},
        returns={"$things": many(row_of("thing", "id", "name", unsolved=integer()))},
        code="""
            rows = env.query(
                "SELECT i.id, i.name, count(t.id) AS unsolved FROM $things i"
                " LEFT JOIN $tickets t ON t.$thing_id = i.id AND t.status IN ('open', 'in_progress')"
                " WHERE (:words IS NULL OR i.name LIKE '%' || :words || '%')"
                " GROUP BY i.id, i.name ORDER BY i.name, i.id",
                {"words": words},
            )
            return {"$things": rows}
        """,
        good=lambda view: {"words": "a"},
    ),
    Tool(
        name="set_$ticket_$thing",
        about="Say which $Thing one of the signed-in $Person's unsolved $Tickets is about.",
        effect="change",
        when="full thing",
        params={"$ticket_id": ident("ticket"), "$thing_id": ident("thing")},
        returns={"$ticket_id": integer(), "$thing_id": integer()},
        code=FIND_MINE
        + UNSOLVED
        + """
            if env.one("SELECT id FROM $things WHERE id = ?", [$thing_id]) is None:
                raise env.Error(f"there is no $Thing {$thing_id}")
            env.execute("UPDATE $tickets SET $thing_id = ? WHERE id = ?", [$thing_id, $ticket_id])
            return {"$ticket_id": $ticket_id, "$thing_id": $thing_id}
        """,
        good=lambda view: {"ticket_id": old_open(view)["id"], "thing_id": 1},
        bad=lambda view: {"ticket_id": old_open(view)["id"], "thing_id": view.missing("thing")},
    ),
)

EXTRAS = (*_ASSIGNMENT, *_ESCALATION, *_VISITS, *_ESTIMATES, *_THINGS)
