"""What the other options add: leave, availability, qualifications, and the time clock."""

from envfactory_dagster.language.embedded.kit import Tool, choice, day, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.scheduling.fragments import FIND_MINE, coming, start_of
from envfactory_dagster.language.embedded.modules.scheduling.rows import LEAVE_KINDS, WEEKDAYS

EXTRAS = (
    Tool(
        name="list_my_$leaves",
        about="List the signed-in $Person's $Leaves, latest first.",
        effect="read",
        when="full leaves",
        params={},
        returns={"$leaves": many(row_of("leave", "id", "kind", "starts_on", "ends_on", "status"))},
        code="""
            rows = env.query(
                "SELECT id, kind, starts_on, ends_on, status FROM $leaves WHERE $person_id = ?"
                " ORDER BY starts_on DESC, id",
                [env.user_id],
            )
            return {"$leaves": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="request_$leave",
        about="Ask for days off for the signed-in $Person.",
        effect="create",
        when="full leaves",
        params={
            "kind": choice("What for.", *LEAVE_KINDS),
            "starts_on": day("The first day off, as YYYY-MM-DD."),
            "ends_on": day("The last day off, as YYYY-MM-DD."),
        },
        returns={"$leave_id": integer(), "status": choice("", "requested")},
        code="""
            if not env.now[:10] < starts_on <= ends_on:
                raise env.Error("the first day must be to come and not after the last")
            #: if leave_overlap
            other = env.one(
                "SELECT starts_on, ends_on FROM $leaves WHERE $person_id = ? AND status IN ('requested', 'granted')"
                " AND starts_on <= ? AND ends_on >= ?",
                [env.user_id, ends_on, starts_on],
            )
            if other is not None:
                raise env.Error(f"$aLeave covers {other['starts_on']} to {other['ends_on']} already: they overlap")
            #: end
            leave_id = env.insert(
                "INSERT INTO $leaves ($person_id, kind, starts_on, ends_on, status) VALUES (?, ?, ?, ?, 'requested')",
                [env.user_id, kind, starts_on, ends_on],
            )
            return {"$leave_id": leave_id, "status": "requested"}
        """,
        good=lambda view: {"kind": "family", "starts_on": view.day(60), "ends_on": view.day(63)},
        bad=lambda view: {"kind": "family", "starts_on": view.day(63), "ends_on": view.day(60)},
    ),
    Tool(
        name="withdraw_$leave",
        about="Withdraw $aLeave of the signed-in $Person that has not been decided.",
        effect="change",
        when="full leaves",
        params={"$leave_id": ident("leave")},
        returns={"$leave_id": integer(), "status": choice("", "withdrawn")},
        code="""
            row = env.one("SELECT status FROM $leaves WHERE id = ? AND $person_id = ?", [$leave_id, env.user_id])
            if row is None or row["status"] != "requested":
                raise env.Error(f"you have no undecided $Leave {$leave_id}")
            env.execute("UPDATE $leaves SET status = 'withdrawn' WHERE id = ?", [$leave_id])
            return {"$leave_id": $leave_id, "status": "withdrawn"}
        """,
        good=lambda view: {"leave_id": 1},
        bad=lambda view: {"leave_id": view.missing("leave")},
    ),
    Tool(
        name="list_my_$windows",
        about="List when in the week the signed-in $Person can usually work.",
        effect="read",
        when="full windows",
        params={},
        returns={"$windows": many(row_of("window", "id", "weekday", "from_hour", "to_hour"))},
        code="""
            rows = env.query(
                "SELECT id, weekday, from_hour, to_hour FROM $windows WHERE $person_id = ? ORDER BY id", [env.user_id]
            )
            return {"$windows": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="set_$window",
        about="Say from when to when the signed-in $Person can usually work on a weekday.",
        effect="change",
        when="full windows",
        params={
            "weekday": choice("The day of the week.", *WEEKDAYS),
            "from_hour": integer("From this hour.", 0, 23),
            "to_hour": integer("To this hour.", 1, 24),
        },
        returns={"$window_id": integer(), "weekday": choice("", *WEEKDAYS)},
        code="""
            if to_hour <= from_hour:
                raise env.Error("to_hour must be later than from_hour")
            row = env.one("SELECT id FROM $windows WHERE $person_id = ? AND weekday = ?", [env.user_id, weekday])
            if row is None:
                window_id = env.insert(
                    "INSERT INTO $windows ($person_id, weekday, from_hour, to_hour) VALUES (?, ?, ?, ?)",
                    [env.user_id, weekday, from_hour, to_hour],
                )
                return {"$window_id": window_id, "weekday": weekday}
            env.execute(
                "UPDATE $windows SET from_hour = ?, to_hour = ? WHERE id = ?", [from_hour, to_hour, row["id"]]
            )
            return {"$window_id": row["id"], "weekday": weekday}
        """,
        good=lambda view: {"weekday": "Sat", "from_hour": 9, "to_hour": 15},
        bad=lambda view: {"weekday": "Sat", "from_hour": 15, "to_hour": 9},
    ),
    Tool(
        name="list_my_$skills",
        about="List the $Skills the signed-in $Person holds or held, and until when each is valid.",
        effect="read",
        when="full skills",
        params={},
        returns={"$skills": many(row_of("holding", "skill_id", "earned_on", "expires_on", name=text()))},
        code="""
            rows = env.query(
                "SELECT h.$skill_id, h.earned_on, h.expires_on, q.name FROM $holdings h"
                " JOIN $skills q ON q.id = h.$skill_id WHERE h.$person_id = ? ORDER BY h.expires_on, h.id",
                [env.user_id],
            )
            return {"$skills": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="list_my_$clockings",
        about="List when the signed-in $Person really came to each $Shift and left, latest first.",
        effect="read",
        when="full clock",
        params={},
        returns={"$clockings": many(row_of("clocking", "id", "stint_id", "came_at", "left_at", starts_at=text()))},
        code="""
            rows = env.query(
                "SELECT c.id, c.$stint_id, c.came_at, c.left_at, s.starts_at FROM $clockings c"
                " JOIN $stints a ON a.id = c.$stint_id JOIN $shifts s ON s.id = a.$shift_id"
                " WHERE a.$person_id = ? ORDER BY c.came_at DESC, c.id",
                [env.user_id],
            )
            return {"$clockings": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="clock_in",
        about="Stamp one's arrival for a $Shift of today.",
        effect="create",
        principal="user",
        when="full clock",
        params={"$stint_id": ident("stint")},
        returns={"$clocking_id": integer(), "came_at": text()},
        code=FIND_MINE
        + """
            if row["status"] not in ("assigned", "confirmed") or row["starts_at"][:10] != env.now[:10]:
                raise env.Error("one can only stamp in for a $Shift of today")
            if env.one("SELECT id FROM $clockings WHERE $stint_id = ?", [$stint_id]):
                raise env.Error("this has been stamped already")
            clocking_id = env.insert(
                "INSERT INTO $clockings ($stint_id, came_at) VALUES (?, ?)", [$stint_id, env.now]
            )
            return {"$clocking_id": clocking_id, "came_at": env.now}
        """,
        good=lambda view: {
            "stint_id": view.mine(
                "stint", lambda row: row["status"] == "assigned" and start_of(view, row)[:10] == view.today
            )[0]["id"]
        },
        bad=lambda view: {"stint_id": coming(view)[0]["id"]},
    ),
)
