import datetime

SPANS = (
    ("day", 7, 12), ("day", 8, 10), ("day", 9, 8), ("day", 6, 9),
    ("night", 19, 12), ("night", 20, 10), ("night", 21, 9), ("night", 22, 8),
)


def _at(text):
    return datetime.datetime.fromisoformat(text[:19])


def _minutes(row):
    return int((_at(row["ends_at"]) - _at(row["starts_at"])).total_seconds() // 60)


def _split(db, p):
    rows = db.query(
        "SELECT p.id AS id, p.status AS status, d.starts_at AS starts_at, d.ends_at AS ends_at"
        " FROM shift_places p JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status IN ('taken', 'offered') AND d.starts_at > ?"
        " AND substr(d.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY d.starts_at",
        [p["clock"], p["first"], p["last"]],
    )
    limit = _at(p["clock"]) + datetime.timedelta(hours=72)
    early = [row for row in rows if _at(row["starts_at"]) >= limit]
    late = [row for row in rows if _at(row["starts_at"]) < limit and row["status"] == "taken"]
    return early, late


def instances(world, rng):
    """A stretch of days with several shifts of the user in it, some too near to be given up."""
    now = _at(world.clock)
    held = world.query(
        "SELECT p.status AS status, d.starts_at AS starts_at, d.ends_at AS ends_at FROM shift_places p"
        " JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status IN ('taken', 'offered', 'served')"
    )
    used = {(row["kind"], row["starts_at"]) for row in world.query("SELECT kind, starts_at FROM duty_shifts")}
    good = world.query("SELECT skill_id, max(last_day) AS last_day FROM qualifications WHERE member_id = 1 GROUP BY skill_id")
    others = world.query("SELECT member_id, skill_id, last_day FROM qualifications WHERE member_id > 1 ORDER BY id")
    top = world.one(
        "SELECT (SELECT max(id) FROM duty_shifts) AS shift, (SELECT coalesce(max(id), 0) FROM shift_places) AS place,"
        " (SELECT coalesce(max(id), 0) FROM swap_offers) AS offer"
    )
    engaged = world.query(
        "SELECT p.member_id AS member_id, d.starts_at AS starts_at FROM shift_places p"
        " JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id > 1 AND p.status IN ('taken', 'offered', 'served')"
    )
    rest = datetime.timedelta(hours=10)
    open_now = sum(row["status"] == "offered" for row in held if _at(row["starts_at"]) > now)
    limit = now + datetime.timedelta(hours=72)
    for _ in range(600):
        first = now.date() + datetime.timedelta(days=rng.randint(0, 7))
        last = first + datetime.timedelta(days=rng.randint(4, 20))
        taken = [(row["status"], _at(row["starts_at"]), _at(row["ends_at"])) for row in held]
        given = {"duty_shifts": [], "duty_shift_skills": [], "shift_places": [], "swap_offers": []}
        opened = open_now
        elsewhere = [(row["member_id"], _at(row["starts_at"]).date()) for row in engaged]
        wanted = rng.randint(2, 4)
        for _try in range(40):
            if len(given["duty_shifts"]) == wanted:
                break
            kind, hour, length = rng.choice(SPANS)
            day = now.date() + datetime.timedelta(days=rng.randint(1, (last - now.date()).days + 3))
            start = datetime.datetime.combine(day, datetime.time(hour))
            end = start + datetime.timedelta(hours=length)
            if (kind, start.isoformat()) in used or any(
                start - other_end < rest and other_start - end < rest for _status, other_start, other_end in taken
            ):
                continue
            if any(row["kind"] == kind and row["starts_at"] == start.isoformat() for row in given["duty_shifts"]):
                continue
            skills = [row["skill_id"] for row in good if row["last_day"] >= day.isoformat()]
            if not skills:
                continue
            skill = rng.choice(skills)
            status = "offered" if opened < 2 and rng.random() < 0.3 else "taken"
            shift_id = top["shift"] + len(given["duty_shifts"]) + 1
            given["duty_shifts"].append({
                "id": shift_id,
                "kind": kind,
                "starts_at": start.isoformat(),
                "ends_at": end.isoformat(),
                "most_places": rng.randint(2, 4),
            })
            given["duty_shift_skills"].append({"duty_shift_id": shift_id, "skill_id": skill})
            since = now - datetime.timedelta(days=rng.randint(8, 25), minutes=rng.randint(0, 600))
            partners = [
                row["member_id"] for row in others
                if row["skill_id"] == skill and row["last_day"] >= day.isoformat()
                and all(abs((day - other_day).days) > 2 for member, other_day in elsewhere if member == row["member_id"])
            ]
            people = [(1, status)] + ([(rng.choice(partners), "taken")] if partners and rng.random() < 0.6 else [])
            for member, state in people:
                elsewhere.append((member, day))
                place_id = top["place"] + len(given["shift_places"]) + 1
                given["shift_places"].append({
                    "id": place_id,
                    "duty_shift_id": shift_id,
                    "member_id": member,
                    "status": state,
                    "taken_at": since.isoformat(),
                    "handed_over_at": None,
                    "given_up_at": None,
                })
                if state == "offered":
                    opened += 1
                    offered = now - datetime.timedelta(days=rng.randint(1, 6), minutes=rng.randint(0, 300))
                    given["swap_offers"].append({
                        "id": top["offer"] + len(given["swap_offers"]) + 1,
                        "shift_place_id": place_id,
                        "status": "open",
                        "offered_at": offered.isoformat(),
                        "accepted_by_member_id": None,
                        "closed_at": None,
                    })
            taken.append((status, start, end))
        inside = [t for t in taken if t[1] > now and first <= t[1].date() <= last]
        early = [t for t in inside if t[1] >= limit]
        late = [t for t in inside if t[1] < limit and t[0] == "taken"]
        if not early or len(inside) < 2 or opened + len(late) > 2:
            continue
        if not late and rng.random() < 0.7:
            continue
        yield {
            "p": {"first": first.isoformat(), "last": last.isoformat(), "clock": world.clock[:19]},
            "given": {table: rows for table, rows in given.items() if rows},
        }


def solve(tools, p):
    given_up, offered, minutes = 0, 0, 0
    for place in tools.list_my_shift_places(first_day=p["first"], last_day=p["last"])["shift_places"]:
        if place["status"] not in ("taken", "offered"):
            continue
        try:
            tools.give_up_shift_place(shift_place_id=place["id"])
            given_up += 1
            minutes += _minutes(place)
        except tools.Error:
            if place["status"] == "taken":
                tools.offer_shift_place(shift_place_id=place["id"])
                offered += 1
    return {
        "outcome": "done",
        "answers": {"given_up": given_up, "newly_offered": offered, "time_given_up": minutes},
        "reason": None,
        "message": (
            f"Places given up: {given_up}, with {minutes / 60:g} hours of duty altogether;"
            f" places newly offered for swap: {offered}."
        ),
    }


def goal_gave_up_what_can_be_given_up(world, p):
    """Gave up every place of the user in the stretch whose shift starts in 72 hours or later, and closed its offer."""
    early, _late = _split(world.initial, p)
    for place in early:
        row = world.final.one("SELECT * FROM shift_places WHERE id = ?", [place["id"]])
        if row is None or row["status"] != "given_up" or row["given_up_at"] is None:
            return False
        if world.final.query("SELECT id FROM swap_offers WHERE shift_place_id = ? AND status = 'open'", [place["id"]]):
            return False
    return len(early) > 0


def goal_offered_the_others(world, p):
    """Offered for swap every place in the stretch that is too near to be given up and was not on offer."""
    _early, late = _split(world.initial, p)
    if not late:
        return world.report.outcome == "done"
    for place in late:
        row = world.final.one("SELECT * FROM shift_places WHERE id = ?", [place["id"]])
        offers = world.final.query(
            "SELECT * FROM swap_offers WHERE shift_place_id = ? AND status = 'open'", [place["id"]]
        )
        if row is None or row["status"] != "offered" or len(offers) != 1:
            return False
    return True


def goal_says_how_many_given_up(world, p):
    """Says how many places were given up."""
    return world.report.says("given_up", len(_split(world.initial, p)[0]))


def goal_says_how_many_offered(world, p):
    """Says how many places were newly offered for swap."""
    return world.report.says("newly_offered", len(_split(world.initial, p)[1]))


def goal_says_the_time_given_up(world, p):
    """Says how long the shifts are altogether whose places were given up."""
    return world.report.says("time_given_up", sum(_minutes(row) for row in _split(world.initial, p)[0]))


def guard_changes_these_places_only(world, p):
    """Changed nothing but the state of these places and their swap offers."""
    early, late = _split(world.initial, p)
    early, late = [row["id"] for row in early], [row["id"] for row in late]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "shift_places" and before is not None:
            changed = {column for column in before if before[column] != after[column]}
            if before["id"] in early:
                if not changed <= {"status", "given_up_at"} or after["status"] != "given_up":
                    return False
            elif before["id"] not in late or changed != {"status"} or after["status"] != "offered":
                return False
        elif change["table"] == "swap_offers" and before is not None:
            changed = {column for column in before if before[column] != after[column]}
            if before["shift_place_id"] not in early or not changed <= {"status", "closed_at"}:
                return False
            if before["status"] != "open" or after["status"] != "withdrawn":
                return False
        elif change["table"] == "swap_offers":
            if after["shift_place_id"] not in late or after["status"] != "open":
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule forbids it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
