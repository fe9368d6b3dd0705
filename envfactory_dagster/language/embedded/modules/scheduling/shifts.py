"""Looking up shifts, taking them, giving them up."""

from envfactory_dagster.language.embedded.kit import Tool, choice, day, ident, integer, many, optional, row_of, text
from envfactory_dagster.language.embedded.modules.scheduling.fragments import (
    FIND_MINE,
    MAY_WORK,
    MINE,
    SELECT_MINE,
    SHIFT,
    STATUSES,
    TIMES,
    TO_COME,
    coming,
    free_shifts,
)

SHIFTS = (
    Tool(
        name="list_$dutys",
        about="List the $Dutys in order of their names, with what each requires.",
        effect="read",
        params={},
        returns={"$dutys": many(row_of("duty", "id", "name", "skill_id", "strenuous"))},
        code="""
            rows = env.query(
                "SELECT id, name, strenuous"
                #: if full skills
                ", $skill_id"
                #: end
                " FROM $dutys ORDER BY name",
                [],
            )
            return {"$dutys": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="search_$shifts",
        about="Find $Shifts to come that still need somebody, soonest first.",
        effect="read",
        params={
            "on_day": optional(day("Only $Shifts on this day, as YYYY-MM-DD.")),
            "from_day": optional(day("Only $Shifts on or after this day, as YYYY-MM-DD.")),
            "$duty_id": optional(ident("duty", "Only $Shifts for this $Duty.")),
            "limit": integer("At most so many $Shifts.", 1, 50, default=20),
        },
        returns={
            "$shifts": many(
                row_of(
                    "shift",
                    "id",
                    "duty_id",
                    "place_id",
                    "starts_at",
                    "ends_at",
                    "hours",
                    places_left=integer(),
                    **{"$duty_name": text()},
                )
            )
        },
        code="""
            rows = env.query(
                "SELECT s.id, s.$duty_id, s.starts_at, s.ends_at, s.hours, d.name AS $duty_name,"
                #: if place
                " s.$place_id,"
                #: end
                " s.needed - (SELECT count(*) FROM $stints a WHERE a.$shift_id = s.id"
                " AND a.status IN ('assigned', 'confirmed')) AS places_left"
                " FROM $shifts s JOIN $dutys d ON d.id = s.$duty_id"
                " WHERE s.status = 'open' AND s.starts_at > :now"
                " AND (:on_day IS NULL OR substr(s.starts_at, 1, 10) = :on_day)"
                " AND (:from_day IS NULL OR substr(s.starts_at, 1, 10) >= :from_day)"
                " AND (:duty IS NULL OR s.$duty_id = :duty) ORDER BY s.starts_at, s.id",
                {"now": env.now, "on_day": on_day, "from_day": from_day, "duty": $duty_id},
            )
            return {"$shifts": [row for row in rows if row["places_left"] > 0][:limit]}
        """,
        good=lambda view: {"from_day": view.day(2), "limit": 10},
    ),
    Tool(
        name="get_$shift",
        about="Show one $Shift with the names of everybody who is down for it.",
        effect="read",
        when="full",
        params={"$shift_id": ident("shift")},
        returns={
            "$shift": SHIFT,
            "needed": integer(),
            "crew": {"type": "array", "items": text()},
            "in_charge": {"type": ["string", "null"]},
        },
        code="""
            row = env.one(
                "SELECT s.id, s.$duty_id, s.starts_at, s.ends_at, s.hours, d.name AS $duty_name"
                #: if place
                ", s.$place_id"
                #: end
                " FROM $shifts s JOIN $dutys d ON d.id = s.$duty_id WHERE s.id = ?",
                [$shift_id],
            )
            if row is None:
                raise env.Error(f"there is no $Shift {$shift_id}")
            more = env.one(
                #: if leads
                "SELECT s.needed, l.name FROM $shifts s JOIN $leads l ON l.id = s.$lead_id WHERE s.id = ?",
                #: end
                #: if !leads
                "SELECT needed, NULL AS name FROM $shifts WHERE id = ?",
                #: end
                [$shift_id],
            )
            crew = env.query(
                "SELECT p.name FROM $stints a JOIN $persons p ON p.id = a.$person_id"
                " WHERE a.$shift_id = ? AND a.status NOT IN ('released', 'missed') ORDER BY p.name",
                [$shift_id],
            )
            names = [person["name"] for person in crew]
            return {"$shift": row, "needed": more["needed"], "crew": names, "in_charge": more["name"]}
        """,
        good=lambda view: {"shift_id": 1},
        bad=lambda view: {"shift_id": view.missing("shift")},
    ),
    Tool(
        name="list_my_$stints",
        about="List the $Shifts the signed-in $Person is or was down for, soonest first.",
        effect="read",
        params={
            "status": optional(choice("Only those of this status.", *STATUSES)),
            "from_day": optional(day("Only $Shifts on or after this day, as YYYY-MM-DD.")),
        },
        returns={"$stints": many(MINE), "total": integer()},
        code="""
            rows = env.query("""
        + SELECT_MINE
        + """
                " WHERE a.$person_id = :me AND (:status IS NULL OR a.status = :status)"
                " AND (:from_day IS NULL OR substr(s.starts_at, 1, 10) >= :from_day) ORDER BY s.starts_at, a.id",
                {"me": env.user_id, "status": status, "from_day": from_day},
            )
            return {"$stints": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "assigned"},
    ),
    Tool(
        name="take_$shift",
        about="Put the signed-in $Person down for a $Shift that still needs somebody.",
        effect="create",
        imports=TIMES,
        params={"$shift_id": ident("shift")},
        returns={"$stint_id": integer(), "status": choice("", "assigned")},
        code="""
            shift = env.one(
                "SELECT id, $duty_id, starts_at, ends_at, needed, status FROM $shifts WHERE id = ?", [$shift_id]
            )
            if shift is None or shift["status"] != "open" or shift["starts_at"] <= env.now:
                raise env.Error(f"there is no $Shift {$shift_id} to take")
            taken = env.one(
                "SELECT count(*) AS n FROM $stints WHERE $shift_id = ? AND status IN ('assigned', 'confirmed')",
                [$shift_id],
            )
            if taken["n"] >= shift["needed"]:
                raise env.Error("nobody else is needed for this $Shift")
"""
        + MAY_WORK
        + """
            stint_id = env.insert(
                "INSERT INTO $stints ($shift_id, $person_id, status, taken_at) VALUES (?, ?, 'assigned', ?)",
                [$shift_id, env.user_id, env.now],
            )
            return {"$stint_id": stint_id, "status": "assigned"}
        """,
        good=lambda view: {"shift_id": free_shifts(view)[0]["id"]},
        bad=lambda view: {"shift_id": view.missing("shift")},
    ),
    Tool(
        name="release_$stint",
        about="Give up a $Shift to come that the signed-in $Person is down for.",
        effect="change",
        imports=TIMES,
        params={"$stint_id": ident("stint")},
        returns={"$stint_id": integer(), "status": choice("", "released")},
        code=FIND_MINE
        + "            #: if !shift_notice"
        + TO_COME
        + """
            #: end
            #: if shift_notice
            if row["status"] not in ("assigned", "confirmed"):
                raise env.Error(f"this $Stint is {row['status']} and not to come any more")
            latest = (datetime.fromisoformat(row["starts_at"]) - timedelta(hours=$shiftnotice)).isoformat()
            if env.now > latest:
                raise env.Error("this $Shift starts in less than $shiftnotice hours, too late to give it up")
            #: end
            #: if full swaps
            if env.one("SELECT id FROM $swaps WHERE $stint_id = ? AND status = 'open'", [$stint_id]):
                raise env.Error("this is offered to others: withdraw the $Swap first")
            #: end
            env.execute("UPDATE $stints SET status = 'released' WHERE id = ?", [$stint_id])
            return {"$stint_id": $stint_id, "status": "released"}
        """,
        good=lambda view: {"stint_id": coming(view)[0]["id"]},
        bad=lambda view: {"stint_id": view.need("stint", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="summarize_my_hours",
        about="Add up the hours the signed-in $Person worked between two days, by $Duty.",
        effect="read",
        when="full",
        params={
            "from_day": day("The first day, as YYYY-MM-DD."),
            "to_day": day("The last day, as YYYY-MM-DD."),
        },
        returns={
            "by_$duty": many(row_of("duty", "name", **{"$shifts": integer(), "hours": integer()})),
            "hours": integer(),
        },
        code="""
            if from_day > to_day:
                raise env.Error("the first day must not be after the last")
            rows = env.query(
                "SELECT d.name, count(*) AS $shifts, sum(s.hours) AS hours FROM $stints a"
                " JOIN $shifts s ON s.id = a.$shift_id JOIN $dutys d ON d.id = s.$duty_id"
                " WHERE a.$person_id = ? AND a.status = 'worked' AND substr(s.starts_at, 1, 10) BETWEEN ? AND ?"
                " GROUP BY d.id ORDER BY hours DESC, d.name",
                [env.user_id, from_day, to_day],
            )
            return {"by_$duty": rows, "hours": sum(row["hours"] for row in rows)}
        """,
        good=lambda view: {"from_day": view.day(-30), "to_day": view.today},
        bad=lambda view: {"from_day": view.today, "to_day": view.day(-30)},
    ),
    Tool(
        name="confirm_$stint",
        about="Confirm that one will come to a $Shift one is down for.",
        effect="change",
        principal="user",
        when="full",
        params={"$stint_id": ident("stint")},
        returns={"$stint_id": integer(), "status": choice("", "confirmed")},
        code=FIND_MINE
        + TO_COME
        + """
            env.execute("UPDATE $stints SET status = 'confirmed' WHERE id = ?", [$stint_id])
            return {"$stint_id": $stint_id, "status": "confirmed"}
        """,
        good=lambda view: {"stint_id": coming(view)[0]["id"]},
        bad=lambda view: {"stint_id": view.missing("stint")},
    ),
)
