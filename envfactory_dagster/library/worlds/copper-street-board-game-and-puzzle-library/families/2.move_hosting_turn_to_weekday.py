import datetime

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _weekday(day):
    return DAYS[datetime.date.fromisoformat(day).weekday()]


def _old(world, p):
    """The user's turn on the day that is given up."""
    return world.initial.one(
        "SELECT g.id, g.club_evening_id FROM hosting_turns g JOIN club_evenings v ON v.id = g.club_evening_id"
        " WHERE g.member_id = 1 AND g.status = 'signed_up' AND substr(v.starts_at, 1, 10) = ?",
        [p["day"]],
    )


def _new(world, p):
    """The first evening that fits, or None."""
    rows = world.initial.query(
        "SELECT v.id, substr(v.starts_at, 1, 10) AS day FROM club_evenings v WHERE v.status = 'planned'"
        " AND substr(v.starts_at, 1, 10) > ? AND substr(v.starts_at, 1, 10) <= ?"
        " AND NOT EXISTS (SELECT 1 FROM hosting_turns g WHERE g.club_evening_id = v.id AND g.status <> 'given_back')"
        " AND NOT EXISTS (SELECT 1 FROM table_bookings r WHERE r.club_evening_id = v.id AND r.member_id = 1"
        " AND r.status = 'booked') ORDER BY v.starts_at",
        [p["day"], p["last"]],
    )
    fits = [row for row in rows if _weekday(row["day"]) == p["weekday"]]
    return fits[0] if fits else None


def instances(world, rng):
    """A hosting turn of the user ahead, and later evenings of a weekday of which one, some or none can be hosted instead."""
    top = world.one(
        "SELECT (SELECT max(id) FROM hosting_turns) AS turns, (SELECT max(id) FROM table_bookings) AS bookings,"
        " (SELECT max(id) FROM club_evenings) AS evenings"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    one = datetime.timedelta(days=1)
    ahead = world.query(
        "SELECT v.id, substr(v.starts_at, 1, 10) AS day, v.status,"
        " (SELECT g.member_id FROM hosting_turns g WHERE g.club_evening_id = v.id AND g.status = 'signed_up') AS host,"
        " EXISTS (SELECT 1 FROM table_bookings r WHERE r.club_evening_id = v.id AND r.member_id = 1 AND r.status = 'booked') AS mine"
        " FROM club_evenings v WHERE v.starts_at > ? ORDER BY v.starts_at",
        [world.clock],
    )
    tables = world.query("SELECT y.id, y.seats FROM play_tables y ORDER BY y.seats, y.id")
    used = {(r["v"], r["y"]) for r in world.query(
        "SELECT r.club_evening_id AS v, r.play_table_id AS y FROM table_bookings r WHERE r.status IN ('booked', 'kept', 'missed')"
    )}
    people = [row["id"] for row in world.query("SELECT w.id FROM members w WHERE w.id > 1 ORDER BY w.id DESC")]
    spare = {row["day"] for row in ahead}
    for _ in range(900):
        evenings, turns, bookings = [], [], []
        all_ahead = [dict(row) for row in ahead if row["day"] > (today + 2 * one).isoformat()]
        for offset in rng.sample(range(4, 44), rng.randint(2, 5)):
            day = (today + offset * one).isoformat()
            if day in spare:
                continue
            number = top["evenings"] + 1 + len(evenings)
            status = rng.choice(("planned", "planned", "planned", "planned", "cancelled"))
            evenings.append(
                {"id": number, "starts_at": day + "T19:00:00", "ends_at": day + "T22:30:00", "status": status}
            )
            all_ahead.append({"id": number, "day": day, "status": status, "host": None, "mine": 0})
        all_ahead.sort(key=lambda v: v["day"])
        for v in all_ahead:
            if v["host"] is None and v["status"] == "planned":
                v["host"] = rng.choice((None, None, 1, rng.choice(people)))
                if v["host"]:
                    signed = (today - rng.randint(2, 9) * one).isoformat()
                    turns.append({
                        "id": top["turns"] + 1 + len(turns), "member_id": v["host"], "club_evening_id": v["id"],
                        "status": "signed_up", "signed_up_at": signed + f"T{rng.randint(10, 21)}:30:00", "given_back_at": None,
                    })
            if not v["mine"] and v["host"] is None and v["status"] == "planned" and rng.random() < 0.35:
                open_tables = [y for y in tables if (v["id"], y["id"]) not in used]
                table = rng.choice(open_tables)
                v["mine"] = 1
                bookings.append({
                    "id": top["bookings"] + 1 + len(bookings), "member_id": 1, "club_evening_id": v["id"],
                    "play_table_id": table["id"], "people": rng.randint(1, table["seats"]), "status": "booked",
                    "booked_at": (today - rng.randint(1, 5) * one).isoformat() + "T21:20:00", "cancelled_at": None,
                })
        hosted = [v for v in all_ahead if v["host"] == 1 and v["status"] == "planned"]
        if not hosted:
            continue
        old = rng.choice(hosted)
        later = [v for v in all_ahead if v["day"] > old["day"]]
        if len(later) < 2:
            continue
        last = (datetime.date.fromisoformat(rng.choice(later)["day"]) + rng.randint(0, 3) * one).isoformat()
        inside = [v for v in later if v["day"] <= last]
        if len(inside) < 2:
            continue
        weekday = _weekday(rng.choice(inside)["day"])
        fits = [
            v for v in inside
            if _weekday(v["day"]) == weekday and v["status"] == "planned" and v["host"] is None and not v["mine"]
        ]
        if not fits and rng.random() < 0.6:
            continue
        given = {}
        for table, rows in (("club_evenings", evenings), ("hosting_turns", turns), ("table_bookings", bookings)):
            if rows:
                given[table] = rows
        yield {"p": {"day": old["day"], "weekday": weekday, "last": last}, "given": given}


def solve(tools, p):
    turn = next(
        t for t in tools.list_my_hosting_turns(status="signed_up")["hosting_turns"] if t["starts_at"][:10] == p["day"]
    )
    booked = {
        b["club_evening_id"]
        for b in tools.list_my_table_bookings(status="booked", first_day=p["day"], last_day=p["last"])["table_bookings"]
    }
    found = None
    evenings = tools.search_club_evenings(first_day=p["day"], last_day=p["last"], status="planned")["club_evenings"]
    for evening in evenings:
        day = evening["starts_at"][:10]
        if day <= p["day"] or _weekday(day) != p["weekday"] or evening["id"] in booked:
            continue
        if tools.get_club_evening(club_evening_id=evening["id"])["host_name"] is None:
            found = evening
            break
    tools.give_back_hosting_turn(hosting_turn_id=turn["id"])
    if found is None:
        return {
            "outcome": "done",
            "answers": {"found_another": False, "new_day": None},
            "reason": None,
            "message": f"I gave back your turn on {p['day']}; no {p['weekday']} until {p['last']} fits, so you host none instead.",
        }
    new = tools.sign_up_to_host(club_evening_id=found["id"])["hosting_turn"]
    return {
        "outcome": "done",
        "answers": {"found_another": True, "new_day": new["starts_at"][:10]},
        "reason": None,
        "message": f"I gave back your turn on {p['day']} and signed you up to host on {new['starts_at'][:10]}.",
    }


def goal_hosts_the_first_that_fits(world, p):
    """Is signed up for the first evening that fits, or, where none does, has only given back the old turn."""
    new, old = _new(world, p), _old(world, p)
    if new is None:
        row = world.final.one("SELECT g.status FROM hosting_turns g WHERE g.id = ?", [old["id"]])
        return row["status"] == "given_back" and all(c["before"] is not None for c in world.changes)
    row = world.final.one(
        "SELECT count(*) AS n FROM hosting_turns g WHERE g.member_id = 1 AND g.status = 'signed_up' AND g.club_evening_id = ?",
        [new["id"]],
    )
    return row["n"] == 1


def goal_gave_back_the_old_turn(world, p):
    """The old turn is given back."""
    row = world.final.one("SELECT g.status, g.given_back_at FROM hosting_turns g WHERE g.id = ?", [_old(world, p)["id"]])
    return row["status"] == "given_back" and row["given_back_at"] is not None


def goal_says_found_another(world, p):
    """Says whether another evening was found."""
    return world.report.says("found_another", _new(world, p) is not None)


def goal_says_new_day(world, p):
    """Says on which day the user hosts instead; empty when no evening fits."""
    new = _new(world, p)
    return world.report.outcome is not None and world.report.says("new_day", new["day"] if new else None)


def guard_changes_those_turns_only(world, p):
    """Changed nothing but the old turn, given back, and one new turn of the user on the evening that fits, if one does."""
    new, old = _new(world, p), _old(world, p)
    added = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "hosting_turns" or after is None:
            return False
        if before is None:
            added += 1
            if new is None or after["member_id"] != 1 or after["club_evening_id"] != new["id"] or after["status"] != "signed_up":
                return False
        else:
            if after["id"] != old["id"] or after["status"] != "given_back" or after["given_back_at"] is None:
                return False
            if any(before[c] != after[c] for c in before if c not in ("status", "given_back_at")):
                return False
    return added <= 1


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a reason for declining."""
    return world.report.outcome in (None, "done") and world.report.reason is None
