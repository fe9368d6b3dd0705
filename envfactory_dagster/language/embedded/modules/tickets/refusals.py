"""What people want done about their tickets that a rule forbids."""

from envfactory_dagster.language.embedded.kit import Ask, Step, attempt
from envfactory_dagster.language.embedded.modules.tickets.fragments import my_tickets
from envfactory_dagster.language.embedded.world import View

_FIND = """
    mine = tools.search_my_$tickets(words=title)["$tickets"]
    ticket = next(t for t in mine if t["title"] == title)
    tools.get_$ticket($ticket_id=ticket["id"])
"""


def refuse_withdraw(view: View) -> Step | None:
    return Step(
        text='withdraw my $Ticket "{title}"',
        values={"title": view.rng.choice(my_tickets(view, "in_progress"))["title"]},
        solve=attempt('tools.withdraw_$ticket($ticket_id=ticket["id"])', first=_FIND),
    )


def refuse_second_urgent(view: View) -> Step | None:
    routed = view.has("routed")
    queue = {} if routed else {"queue": view.rng.choice(view.rows("queue"))["name"]}
    where = '$topic_id=kind["id"]' + ("" if routed else ', $queue_id=team["id"]')
    return Step(
        text='open an urgent $Ticket titled "Cannot wait another day" under the $Topic "{topic}"'
        + ("" if routed else " and give it to {queue}"),
        values={"topic": view.rng.choice(view.rows("topic"))["name"], **queue},
        solve=attempt(
            f'tools.open_$ticket({where}, title="Cannot wait another day", priority="urgent")',
            first="""
                kind = next(t for t in tools.list_$topics()["$topics"] if t["name"] == topic)
                #: if !routed
                team = next(q for q in tools.list_$queues()["$queues"] if q["name"] == queue)
                #: end
            """,
        ),
    )


def refuse_late_reopen(view: View) -> Step | None:
    return Step(
        text='reopen my $Ticket "{title}"',
        values={"title": my_tickets(view, "resolved")[0]["title"]},
        solve=attempt('tools.reopen_$ticket($ticket_id=ticket["id"])', first=_FIND),
    )


def refuse_early_escalation(view: View) -> Step | None:
    return Step(
        text='escalate my $Ticket "{title}", I would rather not wait',
        values={"title": my_tickets(view, "open")[-1]["title"]},
        solve=attempt('tools.escalate_$ticket($ticket_id=ticket["id"], reason="does not want to wait")', first=_FIND),
    )


REFUSALS = (
    Ask("withdraw_begun_ticket", refuse_withdraw, rule="ticket_withdraw_open"),
    Ask("second_urgent_ticket", refuse_second_urgent, rule="ticket_one_urgent"),
    Ask("late_reopening", refuse_late_reopen, rule="ticket_reopen_days", when="full"),
    Ask("early_escalation", refuse_early_escalation, rule="ticket_escalate_wait", when="full levels"),
)
