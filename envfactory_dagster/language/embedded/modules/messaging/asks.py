"""What people want done about their messages."""

from envfactory_dagster.language.embedded.kit import Allow, Ask, Fact, Goal, Step
from envfactory_dagster.language.embedded.modules.messaging.extras import outsiders
from envfactory_dagster.language.embedded.modules.messaging.fragments import recent_message, subject_of, writable
from envfactory_dagster.language.embedded.modules.messaging.refusals import REFUSALS
from envfactory_dagster.language.embedded.modules.messaging.rows import (
    BLOCKED,
    CLOSED,
    CROWDED,
    RECENT,
    SUBJECTS,
    UNREAD,
)
from envfactory_dagster.language.embedded.world import View

_BODIES = (
    "Could we meet half an hour later?",
    "I have found what you were looking for.",
    "Yes, please go ahead.",
    "I will bring the papers along.",
    "Thank you, that helps a lot.",
)
_FIND = """
mine = tools.list_my_$threads()["$threads"]
thread = next(t for t in mine if t["subject"] == subject)
"""
_SAME_BODY = "rtrim(m.body, '.!?') = rtrim(:body, '.!?')"


def _find(more: str) -> str:
    """A program that begins by looking up the thread with a subject."""
    return "\n".join([*_FIND.strip().splitlines(), *(line[12:] for line in more.strip("\n").splitlines())])


def _fresh_subject(view: View) -> str:
    known = {row["subject"] for row in view.rows("thread")}
    return next(name for name in view.names("thread", 12, SUBJECTS) if name not in known)


def _new_thread(view: View) -> tuple[Allow, ...]:
    parties = (Allow("party", created=2),) if view.has("groups") else ()
    return (Allow("thread", created=1), Allow("message", created=1), *parties)


def write_to_somebody(view: View) -> Step | None:
    other = view.rng.choice(writable(view))
    return Step(
        text='write to {name} under the subject "{subject}": "{body}"',
        values={
            "name": other["name"],
            "subject": _fresh_subject(view),
            "body": view.rng.choice(_BODIES),
            "now": view.now,
        },
        solve="""
            other = next(p for p in tools.find_$persons(words=name)["$persons"] if p["name"] == name)
            begun = tools.start_$thread($person_id=other["id"], subject=subject, body=body)
            tools.get_$thread($thread_id=begun["$thread_id"])
        """,
        goals=(
            Goal(
                "written_to_them",
                f"""
                SELECT count(*) AS n FROM $threads t JOIN $messages m ON m.$thread_id = t.id
                #: if groups
                JOIN $partys y ON y.$thread_id = t.id JOIN $persons a ON a.id = y.$person_id
                #: end
                #: if !groups
                JOIN $persons a ON a.id = t.other_id
                #: end
                WHERE t.$person_id = 1 AND lower(t.subject) = lower(:subject) AND t.started_at = :now
                AND m.$person_id = 1 AND {_SAME_BODY} AND a.name = :name
                """,
            ),
        ),
        allows=_new_thread(view),
    )


def write_to_either(view: View) -> Step | None:
    """A choice: either of two people will do."""
    first, second = view.rng.sample(writable(view), 2)
    return Step(
        text='ask either {first} or {second}, whoever you like, "{body}" under the subject "{subject}"',
        values={
            "first": first["name"],
            "second": second["name"],
            "subject": _fresh_subject(view),
            "body": "Can you stand in for me on Thursday?",
        },
        solve="""
            other = next(p for p in tools.find_$persons(words=second)["$persons"] if p["name"] == second)
            tools.list_my_$threads(status="open")
            begun = tools.start_$thread($person_id=other["id"], subject=subject, body=body)
            tools.get_$thread($thread_id=begun["$thread_id"])
        """,
        goals=(
            Goal(
                "asked_one_of_them",
                f"""
                SELECT count(*) AS n FROM $threads t JOIN $messages m ON m.$thread_id = t.id
                #: if groups
                JOIN $partys y ON y.$thread_id = t.id JOIN $persons a ON a.id = y.$person_id
                #: end
                #: if !groups
                JOIN $persons a ON a.id = t.other_id
                #: end
                WHERE t.$person_id = 1 AND lower(t.subject) = lower(:subject) AND m.$person_id = 1
                AND {_SAME_BODY} AND a.name IN (:first, :second)
                """,
            ),
        ),
        allows=_new_thread(view),
        otherwise=(
            (
                'words=second)["$persons"] if p["name"] == second',
                'words=first)["$persons"] if p["name"] == first',
            ),
        ),
    )


def reply(view: View) -> Step | None:
    thread = view.rng.choice((UNREAD, CROWDED))
    return Step(
        text='reply "{body}" in my $Thread "{subject}"',
        values={
            "subject": subject_of(view, thread),
            "body": view.rng.choice(_BODIES),
            "thread_id": thread,
            "now": view.now,
        },
        solve=_find("""
            tools.get_$thread($thread_id=thread["id"])
            tools.send_$message($thread_id=thread["id"], body=body)
        """),
        goals=(
            Goal(
                "replied",
                "SELECT count(*) AS n FROM $messages m WHERE m.$thread_id = :thread_id AND m.$person_id = 1"
                f" AND m.sent_at = :now AND m.status = 'sent' AND {_SAME_BODY}",
            ),
        ),
        allows=(Allow("message", created=1),),
    )


def take_back(view: View) -> Step | None:
    message = recent_message(view)
    return Step(
        text='take back what I wrote this morning in my $Thread "{subject}"',
        values={"subject": subject_of(view, RECENT), "today": view.today, "message_id": message},
        solve=_find("""
            said = tools.get_$thread($thread_id=thread["id"])["$messages"]
            latest = next(m for m in said if m["$person_id"] == 1 and m["sent_at"][:10] == today)
            tools.withdraw_$message($message_id=latest["id"])
        """),
        goals=(
            Goal("taken_back", "SELECT count(*) AS n FROM $messages WHERE id = :message_id AND status = 'withdrawn'"),
        ),
        allows=(Allow("message", changed=1, columns=("status",), ids=(message,)),),
    )


def mark_read(view: View) -> Step | None:
    party = {"thread_id": UNREAD, "person_id": 1}
    unread = view.select(
        "message",
        lambda row: row["thread_id"] == UNREAD and row["person_id"] != 1 and row["sent_at"] > view.moment(-3),
    )
    if view.has("groups"):
        row = view.need("party", lambda row: all(row[key] == value for key, value in party.items()))
        allows = (Allow("party", changed=1, columns=("last_read_at",), ids=(row["id"],)),)
    else:
        ids = tuple(row["id"] for row in unread)
        allows = (Allow("message", changed=len(ids), columns=("read_at",), ids=ids),)
    return Step(
        text='mark everything in my $Thread "{subject}" as read, there is nothing to answer',
        values={"subject": subject_of(view, UNREAD), "thread_id": UNREAD, "now": view.now},
        solve=_find("""
            tools.get_$thread($thread_id=thread["id"])
            tools.mark_$thread_read($thread_id=thread["id"])
        """),
        goals=(
            Goal(
                "marked",
                """
                #: if groups
                SELECT count(*) AS n FROM $partys
                WHERE $thread_id = :thread_id AND $person_id = 1 AND last_read_at = :now
                #: end
                #: if !groups
                SELECT count(*) > 0 AND sum(read_at IS NULL) = 0 AS n FROM $messages
                WHERE $thread_id = :thread_id AND $person_id <> 1
                #: end
                """,
            ),
        ),
        allows=allows,
    )


def close_thread(view: View) -> Step | None:
    return Step(
        text='say "{body}" in my $Thread "{subject}" and close it',
        values={"subject": subject_of(view, RECENT), "body": "All settled, thank you.", "thread_id": RECENT},
        solve=_find("""
            tools.send_$message($thread_id=thread["id"], body=body)
            tools.close_$thread($thread_id=thread["id"])
        """),
        goals=(
            Goal(
                "said",
                f"SELECT count(*) AS n FROM $messages m WHERE m.$thread_id = :thread_id AND {_SAME_BODY}",
            ),
            Goal("closed", "SELECT count(*) AS n FROM $threads WHERE id = :thread_id AND status = 'closed'"),
        ),
        allows=(Allow("message", created=1), Allow("thread", changed=1, columns=("status",), ids=(RECENT,))),
    )


def dismiss_reminders(view: View) -> Step | None:
    ids = tuple(row["id"] for row in view.mine("notice", lambda r: (r["kind"], r["status"]) == ("reminder", "new")))
    return Step(
        text="dismiss every new $Notice of mine that is a reminder, but nothing else",
        values={},
        solve="""
            for notice in tools.list_my_$notices(kind="reminder", status="new")["$notices"]:
                tools.dismiss_$notice($notice_id=notice["id"])
            tools.count_my_unread_$messages()
        """,
        goals=(
            Goal(
                "no_new_reminder",
                "SELECT count(*) AS n FROM $notices WHERE $person_id = 1 AND kind = 'reminder' AND status = 'new'",
                equals=0,
            ),
        ),
        allows=(Allow("notice", changed=len(ids), columns=("status",), ids=ids),),
    )


def let_somebody_in(view: View) -> Step | None:
    other = view.row("person", view.rng.choice(outsiders(view, RECENT)))
    return Step(
        text='let {name} take part in my $Thread "{subject}"',
        values={"name": other["name"], "subject": subject_of(view, RECENT), "thread_id": RECENT},
        solve=_find("""
            tools.list_$partys($thread_id=thread["id"])
            other = next(p for p in tools.find_$persons(words=name)["$persons"] if p["name"] == name)
            tools.add_$party($thread_id=thread["id"], $person_id=other["id"])
        """),
        goals=(
            Goal(
                "takes_part",
                "SELECT count(*) AS n FROM $partys y JOIN $persons a ON a.id = y.$person_id"
                " WHERE y.$thread_id = :thread_id AND a.name = :name",
            ),
        ),
        allows=(Allow("party", created=1),),
    )


def lift_block(view: View) -> Step | None:
    return Step(
        text="let {name} write to me again",
        values={"name": view.row("person", BLOCKED)["name"], "blocked_id": BLOCKED},
        solve="""
            block = next(b for b in tools.list_my_$blocks()["$blocks"] if b["name"] == name)
            tools.lift_$block($block_id=block["id"])
        """,
        goals=(
            Goal(
                "block_lifted",
                "SELECT count(*) AS n FROM $blocks WHERE $person_id = 1 AND blocked_id = :blocked_id",
                equals=0,
            ),
        ),
        allows=(Allow("block", deleted=1, ids=(1,)),),
    )


def block_somebody(view: View) -> Step | None:
    other = view.rng.choice(writable(view))
    return Step(
        text="see to it that {name} cannot write to me any more",
        values={"name": other["name"]},
        solve="""
            tools.list_my_$blocks()
            other = next(p for p in tools.find_$persons(words=name)["$persons"] if p["name"] == name)
            tools.block_$person($person_id=other["id"])
        """,
        goals=(
            Goal(
                "blocked",
                "SELECT count(*) AS n FROM $blocks b JOIN $persons a ON a.id = b.blocked_id"
                " WHERE b.$person_id = 1 AND a.name = :name",
            ),
        ),
        allows=(Allow("block", created=1),),
    )


def most_unread(view: View) -> Step | None:
    return Step(
        text="tell me the subject of the $Thread in which I have most to read, and how much that is",
        values={"subject": subject_of(view, UNREAD)},
        solve="""
            waiting = tools.list_my_$threads(unread_only=True)["$threads"]
            most = max(waiting, key=lambda t: t["unread"])
            said = tools.get_$thread($thread_id=most["id"])["$thread"]
            return most["subject"], said["unread"]
        """,
        facts=(
            Fact("its_subject", "SELECT subject AS value FROM $threads WHERE subject = :subject"),
            Fact(
                "how_much",
                """
                SELECT count(*) AS value FROM $messages m JOIN $threads t ON t.id = m.$thread_id
                #: if groups
                JOIN $partys y ON y.$thread_id = t.id AND y.$person_id = 1 AND m.sent_at > y.last_read_at
                #: end
                WHERE t.subject = :subject AND m.$person_id <> 1
                #: if !groups
                AND m.read_at IS NULL
                #: end
                """,
            ),
        ),
    )


def latest_bulletin(view: View) -> Step | None:
    return Step(
        text="tell me the title of the latest $Bulletin and the day it expires, as YYYY-MM-DD",
        values={},
        solve="""
            latest = tools.list_$bulletins()["$bulletins"][0]
            return latest["title"], latest["expires_on"]
        """,
        facts=tuple(
            Fact(name, f"SELECT {column} AS value FROM $bulletins ORDER BY published_at DESC LIMIT 1")
            for name, column in (("its_title", "title"), ("its_last_day", "expires_on"))
        ),
    )


def how_many_confirmed(view: View) -> Step | None:
    bulletin = view.rng.choice(view.select("bulletin", lambda row: row["must_confirm"]))
    return Step(
        text='tell me how many have confirmed the $Bulletin "{title}", be it current or not',
        values={"title": bulletin["title"]},
        solve="""
            listed = tools.list_$bulletins(with_expired=True)["$bulletins"]
            bulletin = next(b for b in listed if b["title"] == title)
            return tools.count_$receipts($bulletin_id=bulletin["id"])["confirmed"]
        """,
        facts=(
            Fact(
                "their_number",
                "SELECT count(r.id) AS value FROM $bulletins b LEFT JOIN $receipts r ON r.$bulletin_id = b.id"
                " WHERE b.title = :title",
            ),
        ),
    )


def what_was_sent_along(view: View) -> Step | None:
    clips = view.select("clip", lambda row: view.row("message", row["message_id"])["thread_id"] == CLOSED)
    if not clips:
        return None
    return Step(
        text='tell me the name of the largest $Clip in my $Thread "{subject}"',
        values={"subject": subject_of(view, CLOSED), "thread_id": CLOSED},
        solve=_find("""
            return tools.list_$thread_$clips($thread_id=thread["id"])["$clips"][0]["file_name"]
        """),
        facts=(
            Fact(
                "its_name",
                "SELECT k.file_name AS value FROM $clips k JOIN $messages m ON m.id = k.$message_id"
                " WHERE m.$thread_id = :thread_id ORDER BY k.kilobytes DESC LIMIT 1",
            ),
        ),
    )


def where_it_was_written(view: View) -> Step | None:
    message = view.rng.choice(view.select("message", lambda row: row["thread_id"] == UNREAD and row["person_id"] != 1))
    same = [row for row in view.rows("message") if row["body"] == message["body"] and row["thread_id"] <= CROWDED]
    if len(same) > 1:
        return None
    return Step(
        text='tell me the subject of the $Thread in which somebody wrote me "{body}"',
        values={"body": message["body"], "message_id": message["id"]},
        solve="""
            return tools.search_my_$messages(words=body)["$messages"][0]["subject"]
        """,
        facts=(
            Fact(
                "its_subject",
                "SELECT t.subject AS value FROM $messages m JOIN $threads t ON t.id = m.$thread_id"
                " WHERE m.id = :message_id",
            ),
        ),
    )


def what_it_is_about(view: View) -> Step | None:
    thread = view.row("thread", RECENT)
    if thread["record_id"] is None:
        return None
    return Step(
        text='tell me the number of the $Record that my $Thread "{subject}" is about',
        values={"subject": thread["subject"], "thread_id": RECENT},
        solve=_find("""
            return tools.get_$thread($thread_id=thread["id"])["$thread"]["$record_id"]
        """),
        facts=(Fact("its_number", "SELECT $record_id AS value FROM $threads WHERE id = :thread_id"),),
    )


ASKS = (
    Ask("write_to_somebody", write_to_somebody),
    Ask("write_to_either", write_to_either, when="full"),
    Ask("reply_in_thread", reply),
    Ask("take_back_message", take_back),
    Ask("mark_thread_read", mark_read, when="full"),
    Ask("close_thread", close_thread, when="full"),
    Ask("dismiss_reminders", dismiss_reminders, when="full"),
    Ask("let_somebody_in", let_somebody_in, when="full groups"),
    Ask("lift_block", lift_block, when="full blocks"),
    Ask("block_somebody", block_somebody, when="full blocks"),
    Ask("most_unread", most_unread),
    Ask("latest_bulletin", latest_bulletin, when="full"),
    Ask("how_many_confirmed", how_many_confirmed, when="full receipts"),
    Ask("what_was_sent_along", what_was_sent_along, when="full attachments"),
    Ask("where_it_was_written", where_it_was_written, when="full"),
    Ask("what_thread_is_about", what_it_is_about, when="full record"),
    *REFUSALS,
)
