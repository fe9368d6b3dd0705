import datetime

NAMES = ("Floor", "Wood", "CNC", "Turning", "Welding", "Laser")


def _runs_out(db, by):
    """The user's inductions that have run out by a day, without those for which a place is booked."""
    return db.query(
        "SELECT t.id, t.name, t.refresher_price_cents, i.valid_until FROM inductions i"
        " JOIN induction_types t ON t.id = i.induction_type_id WHERE i.member_id = 1 AND i.valid_until < ?"
        " AND NOT EXISTS (SELECT 1 FROM induction_places p JOIN induction_sessions se ON se.id = p.induction_session_id"
        " WHERE p.member_id = 1 AND p.status = 'booked' AND se.induction_type_id = t.id) ORDER BY t.id",
        [by],
    )


def _refreshers(db, type_id, first, last):
    """The refreshers of an induction in a stretch of days with their free places, by start."""
    return db.query(
        "SELECT se.id, se.starts_at, se.places - (SELECT COUNT(*) FROM induction_places p"
        " WHERE p.induction_session_id = se.id AND p.status <> 'cancelled') AS free FROM induction_sessions se"
        " WHERE se.induction_type_id = ? AND se.kind = 'refresher' AND substr(se.starts_at, 1, 10) BETWEEN ? AND ?"
        " ORDER BY se.starts_at, se.id",
        [type_id, first, last],
    )


def _plan(db, p):
    """For each induction that runs out the session to take, or None where there is none."""
    plan = {}
    for kind in _runs_out(db, p["by"]):
        rows = [row for row in _refreshers(db, kind["id"], p["first"], p["last"]) if row["free"] > 0]
        plan[kind["name"]] = (rows[0]["id"] if rows else None, kind["refresher_price_cents"])
    return plan


def instances(world, rng):
    """A day by which inductions run out, and a stretch of days with refreshers, some of them full."""
    today = datetime.date.fromisoformat(world.clock[:10])
    closed = [row["day"] for row in world.query("SELECT day FROM closing_days WHERE day > ? ORDER BY day", [world.clock[:10]])]
    kinds = world.query(
        "SELECT i.valid_until, i.induction_type_id AS type_id, t.name FROM inductions i JOIN induction_types t"
        " ON t.id = i.induction_type_id WHERE i.member_id = 1 ORDER BY i.valid_until"
    )
    supervisors = world.query(
        "SELECT DISTINCT induction_type_id, supervisor_member_id FROM induction_sessions"
        " ORDER BY induction_type_id, supervisor_member_id"
    )
    teachers = {}
    for row in supervisors:
        teachers.setdefault(row["induction_type_id"], []).append(row["supervisor_member_id"])
    members = [row["id"] for row in world.query("SELECT id FROM members WHERE id <> 1 ORDER BY id")]
    ids = world.one("SELECT (SELECT MAX(id) FROM induction_sessions) AS s, (SELECT MAX(id) FROM induction_places) AS p")
    for _ in range(1500):
        limit = rng.choice(kinds)
        by = datetime.date.fromisoformat(limit["valid_until"]) + datetime.timedelta(days=rng.randint(1, 25))
        begin = rng.randint(2, 9)
        first = today + datetime.timedelta(days=begin)
        last = today + datetime.timedelta(days=begin + rng.randint(9, 24))
        p = {"by": by.isoformat(), "first": first.isoformat(), "last": last.isoformat()}
        if p["by"] <= world.clock[:10]:
            continue
        needed = _runs_out(world, p["by"])
        if not needed:
            continue
        days = []
        day = first
        while day <= last:
            if day.weekday() != 0 and day.isoformat() not in closed:
                days.append(day)
            day += datetime.timedelta(days=1)
        sessions, places, none = [], [], 0
        for kind in kinds:
            wanted = any(row["id"] == kind["type_id"] for row in needed)
            if not wanted and rng.random() < 0.6:
                continue
            if wanted and len(needed) > 1 and none == 0 and rng.random() < 0.3:
                none += 1
                continue
            used = set()
            for number in range(rng.randint(1, 3)):
                day = rng.choice(days)
                if day in used:
                    continue
                used.add(day)
                hour = rng.choice((10, 11, 12, 13)) if day.weekday() == 6 else rng.choice((10, 11, 14, 17, 18, 19))
                session = {
                    "id": ids["s"] + 1 + len(sessions),
                    "induction_type_id": kind["type_id"],
                    "supervisor_member_id": rng.choice(teachers.get(kind["type_id"], members[:2])),
                    "kind": "refresher",
                    "starts_at": f"{day.isoformat()}T{hour}:15:00",
                    "ends_at": f"{day.isoformat()}T{hour}:45:00",
                    "places": rng.randint(1, 3),
                }
                sessions.append(session)
                others = rng.sample(members, session["places"] if rng.random() < 0.35 else session["places"] - 1)
                for other in others:
                    if other == session["supervisor_member_id"]:
                        continue
                    places.append(
                        {
                            "id": ids["p"] + 1 + len(places),
                            "induction_session_id": session["id"],
                            "member_id": other,
                            "status": "booked",
                            "price_cents": 0 if kind["name"] == "Floor" else 1000,
                            "booked_at": f"{world.clock[:10]}T08:{rng.randint(10, 55)}:00",
                            "cancelled_at": None,
                        }
                    )
        clear, some = True, 0
        for kind in needed:
            rows = [dict(row) for row in _refreshers(world, kind["id"], p["first"], p["last"])]
            for session in sessions:
                if session["induction_type_id"] == kind["id"]:
                    full = len([place for place in places if place["induction_session_id"] == session["id"]])
                    rows.append({"id": session["id"], "starts_at": session["starts_at"], "free": session["places"] - full})
            rows = sorted((row for row in rows if row["free"] > 0), key=lambda row: (row["starts_at"], row["id"]))
            if not rows:
                continue
            some += 1
            if len(rows) > 1 and rows[0]["starts_at"] == rows[1]["starts_at"]:
                clear = False
            latest = datetime.date.fromisoformat(kind["valid_until"]) + datetime.timedelta(days=60)
            if rows[0]["starts_at"][:10] > latest.isoformat():
                clear = False
        if not clear or some == 0:
            continue
        instance = {"p": p, "given": {"induction_sessions": sessions}}
        if not sessions:
            instance = {"p": p}
        elif places:
            instance["given"]["induction_places"] = places
        yield instance


def solve(tools, p):
    booked = {row["induction_type_id"] for row in tools.list_induction_places(status="booked")["induction_places"]}
    signed, without, cost = [], 0, 0
    for induction in tools.list_inductions()["inductions"]:
        if induction["valid_until"] >= p["by"] or induction["induction_type_id"] in booked:
            continue
        sessions = tools.search_induction_sessions(
            induction_type_id=induction["induction_type_id"],
            kind="refresher",
            first_day=p["first"],
            last_day=p["last"],
            only_free=True,
        )["induction_sessions"]
        if sessions:
            place = tools.book_induction_place(induction_session_id=sessions[0]["induction_session_id"])
            cost += place["induction_place"]["price_cents"]
            signed.append(induction["induction_type_name"])
        else:
            without += 1
    return {
        "outcome": "done",
        "answers": {"signed_up": signed, "without_a_place": without, "cost": cost},
        "reason": None,
        "message": f"You are down for a refresher in {', '.join(signed)}, {cost / 100:.2f} euros altogether; "
        + f"for {without} of the inductions there was no free place.",
    }


def _wanted(world, p):
    """The sessions in which the user is to have a place, with the price."""
    return {session: price for session, price in _plan(world.initial, p).values() if session is not None}


def _is_wanted(world, p, change):
    row, wanted = change["after"], _wanted(world, p)
    return (
        change["table"] == "induction_places"
        and change["before"] is None
        and row is not None
        and row["member_id"] == 1
        and row["induction_session_id"] in wanted
        and row["status"] == "booked"
        and row["price_cents"] == wanted[row["induction_session_id"]]
        and row["cancelled_at"] is None
    )


def goal_signs_up_for_each_of_them(world, p):
    """Has a place in the first refresher with a free place of each induction that runs out."""
    new = [c["after"]["induction_session_id"] for c in world.changes if _is_wanted(world, p, c)]
    return sorted(new) == sorted(_wanted(world, p))


def goal_says_which_were_signed_up(world, p):
    """Says for which inductions there is a place now."""
    names = [name for name, (session, _) in _plan(world.initial, p).items() if session is not None]
    return world.report.says("signed_up", names)


def goal_says_how_many_had_none(world, p):
    """Says for how many inductions there was no place."""
    none = [name for name, (session, _) in _plan(world.initial, p).items() if session is None]
    return world.report.says("without_a_place", len(none))


def goal_says_what_it_costs(world, p):
    """Says what the refreshers cost altogether."""
    return world.report.says("cost", sum(_wanted(world, p).values()))


def guard_signs_up_for_nothing_else(world, p):
    """Changed nothing but the new places in those sessions, one in each."""
    new = [c["after"]["induction_session_id"] for c in world.changes if _is_wanted(world, p, c)]
    return all(_is_wanted(world, p, c) for c in world.changes) and len(new) == len(set(new))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Names no rule that would forbid it."""
    return world.report.reason is None
