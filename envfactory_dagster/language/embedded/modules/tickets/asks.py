"""What people want done about their tickets."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Row, Step
from envfactory_dagster.language.embedded.modules.tickets.extras import my_visit, unvisited
from envfactory_dagster.language.embedded.modules.tickets.fragments import my_tickets, old_open
from envfactory_dagster.language.embedded.modules.tickets.refusals import REFUSALS
from envfactory_dagster.language.embedded.modules.tickets.rows import TITLES, queue_of
from envfactory_dagster.language.embedded.vocabulary import words_for_date
from envfactory_dagster.language.embedded.world import View

_NOTES = (
    "The spare key is with the neighbour.",
    "Please ring twice.",
    "It happens only in the morning.",
    "I have found the receipt.",
    "Mornings suit me best.",
)
_REASONS = ("nobody has called back", "it is getting worse", "the promised date has passed")
_FIND = """
mine = tools.search_my_$tickets(words=title)["$tickets"]
ticket = next(t for t in mine if t["title"] == title)
"""


def _find(more: str) -> str:
    """A program that begins by looking up the ticket with a title."""
    return "\n".join(
        [*_FIND.strip().splitlines(), *(line.removeprefix(" " * 12) for line in more.strip("\n").splitlines())]
    )


def _change(ticket: Row, *columns: str) -> tuple[Allow, ...]:
    return (Allow("ticket", changed=1, columns=columns, ids=(ticket["id"],)),)


def open_ticket(view: View) -> Step | None:
    known = {row["title"] for row in view.mine("ticket")}
    fresh = [title for title in view.names("ticket", 12, TITLES) if title not in known]
    queue = {} if view.has("routed") else {"queue": view.rng.choice(view.rows("queue"))["name"]}
    return Step(
        text='open $aTicket of {priority} priority titled "{title}" under the $Topic "{topic}"'
        + (" and give it to {queue}" if queue else ""),
        values={
            "title": view.rng.choice(fresh),
            "topic": view.rng.choice(view.rows("topic"))["name"],
            "priority": view.rng.choice(("low", "normal", "high")),
            "now": view.now,
            **queue,
        },
        solve="""
            topics = tools.list_$topics()["$topics"]
            kind = next(t for t in topics if t["name"] == topic)
            #: if routed
            opened = tools.open_$ticket($topic_id=kind["id"], title=title, priority=priority)
            #: end
            #: if !routed
            team = next(q for q in tools.list_$queues()["$queues"] if q["name"] == queue)
            opened = tools.open_$ticket($topic_id=kind["id"], $queue_id=team["id"], title=title, priority=priority)
            #: end
            tools.get_$ticket($ticket_id=opened["$ticket_id"])
        """,
        goals=(
            Goal(
                "opened",
                """
                SELECT count(*) AS n FROM $tickets t JOIN $topics c ON c.id = t.$topic_id WHERE t.$person_id = 1
                AND t.status = 'open' AND lower(t.title) = lower(:title) AND t.priority = :priority
                AND c.name = :topic AND t.opened_at = :now
                #: if !routed
                AND t.$queue_id = (SELECT id FROM $queues WHERE name = :queue)
                #: end
                """,
            ),
        ),
        allows=(Allow("ticket", created=1),),
    )


def withdraw(view: View) -> Step | None:
    ticket = old_open(view)
    return Step(
        text='withdraw my $Ticket "{title}", it has sorted itself out',
        values={"title": ticket["title"], "ticket_id": ticket["id"]},
        solve=_find("""
            tools.get_$ticket($ticket_id=ticket["id"])
            tools.withdraw_$ticket($ticket_id=ticket["id"])
        """),
        goals=(Goal("withdrawn", "SELECT count(*) AS n FROM $tickets WHERE id = :ticket_id AND status = 'withdrawn'"),),
        allows=_change(ticket, "status"),
    )


def raise_priority(view: View) -> Step | None:
    ticket = view.rng.choice(my_tickets(view, "open"))
    return Step(
        text='raise my $Ticket "{title}" to high priority',
        values={"title": ticket["title"], "ticket_id": ticket["id"]},
        solve=_find("""
            tools.get_$ticket($ticket_id=ticket["id"])
            tools.set_$ticket_priority($ticket_id=ticket["id"], priority="high")
        """),
        goals=(Goal("high_now", "SELECT count(*) AS n FROM $tickets WHERE id = :ticket_id AND priority = 'high'"),),
        allows=_change(ticket, "priority"),
    )


def leave_note(view: View) -> Step | None:
    ticket = view.rng.choice(my_tickets(view, "in_progress"))
    return Step(
        text='add "{body}" to my $Ticket "{title}"',
        values={"title": ticket["title"], "body": view.rng.choice(_NOTES), "ticket_id": ticket["id"]},
        solve=_find("""
            tools.get_$ticket($ticket_id=ticket["id"])
            tools.add_$note($ticket_id=ticket["id"], body=body)
        """),
        goals=(
            Goal(
                "added",
                "SELECT count(*) AS n FROM $notes WHERE $ticket_id = :ticket_id AND author = 'customer'"
                " AND rtrim(body, '.') = rtrim(:body, '.')",
            ),
        ),
        allows=(Allow("note", created=1),),
    )


def reopen(view: View) -> Step | None:
    ticket = my_tickets(view, "resolved")[-1]
    return Step(
        text='reopen my $Ticket "{title}" and tell them "{body}"',
        values={"title": ticket["title"], "body": "The fault is back.", "ticket_id": ticket["id"]},
        solve=_find("""
            tools.get_$ticket($ticket_id=ticket["id"])
            tools.reopen_$ticket($ticket_id=ticket["id"])
            tools.add_$note($ticket_id=ticket["id"], body=body)
        """),
        goals=(
            Goal("open_again", "SELECT count(*) AS n FROM $tickets WHERE id = :ticket_id AND status = 'open'"),
            Goal(
                "told",
                "SELECT count(*) AS n FROM $notes WHERE $ticket_id = :ticket_id"
                " AND rtrim(body, '.') = rtrim(:body, '.')",
            ),
        ),
        allows=(*_change(ticket, "status", "resolved_at"), Allow("note", created=1)),
    )


def give_to_a_senior(view: View) -> Step | None:
    """A choice: anybody senior of the right team will do."""
    ticket = view.rng.choice(my_tickets(view, "open", "in_progress"))
    return Step(
        text='have any senior $Agent of the $Queue concerned take over my $Ticket "{title}"',
        values={"title": ticket["title"], "ticket_id": ticket["id"], "queue_id": queue_of(view, ticket)},
        solve=_find("""
            team = tools.list_$queue_$agents($queue_id=ticket["$queue_id"])["$agents"]
            senior = next(a for a in team if a["grade"] == "senior")
            tools.assign_$ticket($ticket_id=ticket["id"], $agent_id=senior["id"])
        """),
        goals=(
            Goal(
                "with_a_senior",
                "SELECT count(*) AS n FROM $tickets t JOIN $agents a ON a.id = t.$agent_id"
                " WHERE t.id = :ticket_id AND a.grade = 'senior' AND a.$queue_id = :queue_id",
            ),
        ),
        allows=_change(ticket, "agent_id"),
        otherwise=(("for a in team if", "for a in team[::-1] if"),),
    )


def escalate(view: View) -> Step | None:
    ticket = view.rng.choice([old_open(view), my_tickets(view, "in_progress")[0]])
    return Step(
        text='escalate my $Ticket "{title}" because {reason}, and tell me which step it is on then',
        values={"title": ticket["title"], "reason": view.rng.choice(_REASONS), "ticket_id": ticket["id"]},
        solve=_find("""
            tools.list_$escalations($ticket_id=ticket["id"])
            return tools.escalate_$ticket($ticket_id=ticket["id"], reason=reason)["step"]
        """),
        goals=(
            Goal(
                "escalated",
                "SELECT count(*) AS n FROM $escalations WHERE $ticket_id = :ticket_id AND step = 1"
                " AND lower(reason) = lower(:reason)",
            ),
        ),
        facts=(
            Fact(
                "the_step",
                "SELECT coalesce(max(step), 0) + 1 AS value FROM $escalations WHERE $ticket_id = :ticket_id",
            ),
        ),
        allows=(Allow("escalation", created=1),),
    )


def plan_visit(view: View) -> Step | None:
    """A choice: either half of the day will do."""
    ticket = view.row("ticket", unvisited(view))
    on_day = view.day(view.rng.randint(3, 12))
    return Step(
        text='plan $aVisit for my $Ticket "{title}" on {date}, morning or afternoon, whichever you like',
        values={
            "title": ticket["title"],
            "date": words_for_date(on_day),
            "on_day": on_day,
            "ticket_id": ticket["id"],
        },
        solve=_find("""
            tools.list_$ticket_$visits($ticket_id=ticket["id"])
            tools.plan_$visit($ticket_id=ticket["id"], on_day=on_day, part="afternoon")
        """),
        goals=(
            Goal(
                "planned",
                "SELECT count(*) AS n FROM $visits WHERE $ticket_id = :ticket_id AND on_day = :on_day"
                " AND status = 'planned'",
            ),
        ),
        allows=(Allow("visit", created=1),),
        otherwise=(('part="afternoon"', 'part="morning"'),),
    )


def move_visit(view: View) -> Step | None:
    visit = view.row("visit", my_visit(view))
    ticket = view.row("ticket", visit["ticket_id"])
    on_day = view.day(view.rng.randint(10, 16))
    return Step(
        text='call off the $Visit planned for my $Ticket "{title}" and plan one for the morning of {date} instead',
        values={
            "title": ticket["title"],
            "date": words_for_date(on_day),
            "on_day": on_day,
            "ticket_id": ticket["id"],
            "visit_id": visit["id"],
        },
        solve=_find("""
            planned = tools.list_$ticket_$visits($ticket_id=ticket["id"])["$visits"]
            visit = next(v for v in planned if v["status"] == "planned")
            tools.cancel_$visit($visit_id=visit["id"])
            tools.plan_$visit($ticket_id=ticket["id"], on_day=on_day, part="morning")
        """),
        goals=(
            Goal("called_off", "SELECT count(*) AS n FROM $visits WHERE id = :visit_id AND status = 'cancelled'"),
            Goal(
                "planned_anew",
                "SELECT count(*) AS n FROM $visits WHERE $ticket_id = :ticket_id AND on_day = :on_day"
                " AND part = 'morning' AND status = 'planned'",
            ),
        ),
        allows=(Allow("visit", created=1, changed=1, columns=("status",), ids=(visit["id"],)),),
    )


def accept_cheapest(view: View) -> Step | None:
    ticket = view.rng.choice(my_tickets(view, "in_progress"))
    offers = view.select("estimate", lambda row: row["ticket_id"] == ticket["id"])
    cheapest = min(offers, key=lambda row: row["amount_cents"])
    return Step(
        text='accept the cheapest $Estimate offered for my $Ticket "{title}" and leave the others alone',
        values={"title": ticket["title"], "ticket_id": ticket["id"], "estimate_id": cheapest["id"]},
        solve=_find("""
            offers = tools.list_my_$estimates(status="offered")["$estimates"]
            offer = next(e for e in offers if e["$ticket_id"] == ticket["id"])
            tools.decide_$estimate($estimate_id=offer["id"], decision="accepted")
        """),
        goals=(
            Goal("accepted", "SELECT count(*) AS n FROM $estimates WHERE id = :estimate_id AND status = 'accepted'"),
        ),
        allows=(Allow("estimate", changed=1, columns=("status",), ids=(cheapest["id"],)),),
    )


def name_the_thing(view: View) -> Step | None:
    ticket = old_open(view)
    names = [row["name"] for row in view.rows("thing")]
    single = [name for name in names if names.count(name) == 1]
    if not single:
        return None
    return Step(
        text='note that my $Ticket "{title}" is about {thing}',
        values={"title": ticket["title"], "thing": view.rng.choice(single), "ticket_id": ticket["id"]},
        solve=_find("""
            found = tools.find_$things_for_$tickets(words=thing)["$things"]
            wanted = next(i for i in found if i["name"] == thing)
            tools.set_$ticket_$thing($ticket_id=ticket["id"], $thing_id=wanted["id"])
        """),
        goals=(
            Goal(
                "noted",
                "SELECT count(*) AS n FROM $tickets t JOIN $things i ON i.id = t.$thing_id"
                " WHERE t.id = :ticket_id AND i.name = :thing",
            ),
        ),
        allows=_change(ticket, "thing_id"),
    )


def due_first(view: View) -> Step | None:
    waiting = sorted(row["due_at"] for row in my_tickets(view, "open", "in_progress"))
    if waiting[0] == waiting[1]:
        return None
    return Step(
        text="tell me the title of the $Ticket of mine that is due first among those not solved yet",
        values={},
        solve="""
            waiting = tools.search_my_$tickets(status="open")["$tickets"]
            waiting += tools.search_my_$tickets(status="in_progress")["$tickets"]
            first = min(waiting, key=lambda t: t["due_at"])
            return tools.get_$ticket($ticket_id=first["id"])["$ticket"]["title"]
        """,
        facts=(
            Fact(
                "its_title",
                "SELECT title AS value FROM $tickets WHERE $person_id = 1 AND status IN ('open', 'in_progress')"
                " ORDER BY due_at LIMIT 1",
            ),
        ),
    )


def how_many_overdue(view: View) -> Step | None:
    return Step(
        text="tell me how many of my $Tickets that are not solved yet are past their due time",
        values={"now": view.now},
        solve="""
            return tools.summarize_my_$tickets()["overdue"]
        """,
        facts=(
            Fact(
                "their_number",
                "SELECT count(*) AS value FROM $tickets WHERE $person_id = 1 AND due_at < :now"
                " AND status IN ('open', 'in_progress')",
            ),
        ),
    )


def whom_to_call(view: View) -> Step | None:
    ticket = view.rng.choice(my_tickets(view, "open", "in_progress"))
    return Step(
        text='tell me the phone number of the $Queue that deals with my $Ticket "{title}"',
        values={"title": ticket["title"], "queue_id": queue_of(view, ticket)},
        solve=_find("""
            return next(q["phone"] for q in tools.list_$queues()["$queues"] if q["id"] == ticket["$queue_id"])
        """),
        facts=(Fact("its_number", "SELECT phone AS value FROM $queues WHERE id = :queue_id"),),
    )


ASKS = (
    Ask("open_ticket", open_ticket),
    Ask("withdraw_ticket", withdraw),
    Ask("raise_ticket_priority", raise_priority, when="full"),
    Ask("leave_ticket_note", leave_note, when="full"),
    Ask("reopen_ticket", reopen, when="full"),
    Ask("give_ticket_to_a_senior", give_to_a_senior, when="full assigned"),
    Ask("escalate_ticket", escalate, when="full levels"),
    Ask("plan_ticket_visit", plan_visit, when="full visits"),
    Ask("move_ticket_visit", move_visit, when="full visits"),
    Ask("accept_cheapest_estimate", accept_cheapest, when="full estimates"),
    Ask("name_the_thing_concerned", name_the_thing, when="full thing"),
    Ask("ticket_due_first", due_first),
    Ask("overdue_tickets", how_many_overdue, when="full"),
    Ask("whom_to_call", whom_to_call),
    *REFUSALS,
)
