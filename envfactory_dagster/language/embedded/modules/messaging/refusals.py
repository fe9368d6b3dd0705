"""What people want done about their messages that a rule forbids."""

from envfactory_dagster.language.embedded.kit import Ask, Step, attempt
from envfactory_dagster.language.embedded.modules.messaging.extras import outsiders
from envfactory_dagster.language.embedded.modules.messaging.fragments import subject_of
from envfactory_dagster.language.embedded.modules.messaging.rows import BLOCKED, CLOSED, CROWDED, RECENT
from envfactory_dagster.language.embedded.world import View

_FIND = """
    mine = tools.list_my_$threads()["$threads"]
    thread = next(t for t in mine if t["subject"] == subject)
"""


def refuse_writing_in_closed(view: View) -> Step | None:
    return Step(
        text='write "One more thing about this." in my $Thread "{subject}"',
        values={"subject": subject_of(view, CLOSED)},
        solve=attempt(
            'tools.send_$message($thread_id=thread["id"], body="One more thing about this.")',
            first=_FIND + '    tools.get_$thread($thread_id=thread["id"])',
        ),
    )


def refuse_late_withdrawal(view: View) -> Step | None:
    return Step(
        text='take back the first thing I wrote in my $Thread "{subject}"',
        values={"subject": subject_of(view, RECENT)},
        solve=attempt(
            'tools.withdraw_$message($message_id=first["id"])',
            first=_FIND
            + """
    said = tools.get_$thread($thread_id=thread["id"])["$messages"]
    first = next(m for m in said if m["$person_id"] == 1)
""",
        ),
    )


def refuse_crowding(view: View) -> Step | None:
    outside = outsiders(view, CROWDED)
    if not outside:
        return None
    return Step(
        text='let {name} take part in my $Thread "{subject}"',
        values={"name": view.row("person", outside[0])["name"], "subject": subject_of(view, CROWDED)},
        solve=attempt(
            'tools.add_$party($thread_id=thread["id"], $person_id=other["id"])',
            first=_FIND
            + """
    tools.list_$partys($thread_id=thread["id"])
    other = next(p for p in tools.find_$persons(words=name)["$persons"] if p["name"] == name)
""",
        ),
    )


def refuse_writing_to_blocked(view: View) -> Step | None:
    blocked = view.row("person", BLOCKED)
    if blocked["status"] != "active":
        return None
    return Step(
        text='write "Are we good again?" to {name} under the subject "Peace", but do not lift any block for it',
        values={"name": blocked["name"]},
        solve=attempt(
            'tools.start_$thread($person_id=other["id"], subject="Peace", body="Are we good again?")',
            first="""
                tools.list_my_$blocks()
                other = next(p for p in tools.find_$persons(words=name)["$persons"] if p["name"] == name)
            """,
        ),
    )


REFUSALS = (
    Ask("write_in_closed_thread", refuse_writing_in_closed, rule="message_closed_thread"),
    Ask("late_message_withdrawal", refuse_late_withdrawal, rule="message_withdraw_minutes"),
    Ask("crowded_thread", refuse_crowding, rule="message_thread_size", when="full groups"),
    Ask("write_to_blocked_person", refuse_writing_to_blocked, rule="message_blocked_person", when="full blocks"),
)
