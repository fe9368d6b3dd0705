import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
CODES = ("S27", "S28", "N18", "N19", "W20", "W21")


def _day(text):
    return datetime.date.fromisoformat(text)


def _plus(text, days):
    return (_day(text) + datetime.timedelta(days=days)).isoformat()


def _sort(leases, notices, p):
    """Ids of the active leases for which the absence is wanted, and of the other active ones."""
    away, rest = set(), set()
    for lease in leases:
        if lease["status"] != "active":
            continue
        covers = lease["first_day"] <= p["first"] and lease["last_day"] >= p["last"]
        meets = any(
            n["berth_lease_id"] == lease["id"]
            and n["status"] != "withdrawn"
            and n["first_day"] < p["last"]
            and n["last_day"] > p["first"]
            for n in notices
        )
        if covers and not meets:
            away.add(lease["id"])
        else:
            rest.add(lease["id"])
    return away, rest


def _allowed(p, today):
    nights = (_day(p["last"]) - _day(p["first"])).days
    return p["first"] >= _plus(today, 3) and 2 <= nights <= 60


def instances(world, rng):
    """Days away for a whole fleet, of which some boats have no active lease or are reported away already."""
    today = world.clock[:10]
    year = today[:4]
    end = f"{year}-10-31"
    leases = world.query(
        "SELECT l.id, l.first_day, l.last_day, l.status FROM berth_leases l JOIN boats b ON b.id = l.boat_id"
        " WHERE b.boat_owner_id = 1 ORDER BY l.first_day, l.id"
    )
    notices = world.query("SELECT berth_lease_id, first_day, last_day, status FROM absence_notices ORDER BY first_day, id")
    jetties = [row["id"] for row in world.query("SELECT id FROM jetties WHERE name <> 'Guest Pontoon' ORDER BY name")]
    aims = ("go", "go", "go", "soon", "go", "go", "length")
    done, refused = 0, 0
    for turn in range(6000):
        aim = aims[turn % len(aims)]
        if aim != "go" and refused * 3 > done:
            continue
        start = max(_plus(today, 4), f"{year}-05-02")
        if aim == "soon":
            if today < f"{year}-05-01":
                continue
            first = _plus(today, rng.randint(1, 2))
        else:
            first = _plus(start, rng.randint(0, 110 if today < f"{year}-07-01" else 28))
        if aim == "length":
            nights = rng.choice((1, rng.randint(61, 100)))
        else:
            nights = rng.randint(2, 20)
        last = _plus(first, nights)
        if last >= end:
            continue
        p = {"first": first, "last": last, "today": today}

        names = rng.sample(OWN_NAMES, rng.randint(2, 4))
        codes = rng.sample(CODES, len(names))
        boats, berths, more, told = [], [], [], []
        for i, name in enumerate(names):
            length = rng.randrange(560, 860, 10)
            boats.append(
                {
                    "id": 5001 + i,
                    "boat_owner_id": 1,
                    "name": name,
                    "length_cm": length,
                    "beam_cm": length // 15 * 5,
                    "draught_cm": rng.randrange(70, 150, 5),
                    "weight_kg": length * 5,
                }
            )
            price = length * 1000 + rng.randrange(0, 60000, 5000)
            berths.append(
                {
                    "id": 5001 + i,
                    "jetty_id": rng.choice(jetties),
                    "code": codes[i],
                    "kind": "summer",
                    "length_cm": length + rng.randrange(50, 90, 10),
                    "width_cm": boats[-1]["beam_cm"] + rng.randrange(40, 60, 5),
                    "depth_cm": boats[-1]["draught_cm"] + rng.randrange(30, 60, 5),
                    "season_price_cents": price,
                    "night_price_cents": rng.randrange(18000, 31000, 500),
                }
            )
            way = rng.choice(("clear", "clear", "clear", "reported", "reported", "withdrawn", "requested", "short"))
            closes = end
            if way == "short":
                closes = max(_plus(first, rng.randint(-3, nights - 1)), f"{year}-05-20")
            more.append(
                {
                    "id": 5001 + i,
                    "boat_id": 5001 + i,
                    "berth_id": 5001 + i,
                    "first_day": f"{year}-05-01",
                    "last_day": closes,
                    "price_cents": price,
                    "status": "requested" if way == "requested" else "active",
                    "requested_at": f"{year}-0{rng.randint(1, 3)}-{rng.randint(10, 28)}T{rng.randint(8, 20):02d}:15:00",
                    "ended_at": None,
                }
            )
            if way in ("reported", "withdrawn"):
                begins = max(_plus(first, rng.randint(-4, nights - 1)), f"{year}-05-01")
                back = _plus(begins, rng.randint(2, 6))
                told_on = min(_plus(today, -rng.randint(1, 6)), _plus(begins, -rng.randint(4, 8)))
                if back > end or back <= begins:
                    continue
                told.append(
                    {
                        "id": 5001 + len(told),
                        "berth_lease_id": 5001 + i,
                        "first_day": begins,
                        "last_day": back,
                        "status": "withdrawn" if way == "withdrawn" else "open",
                        "reported_at": f"{told_on}T{rng.randint(8, 19):02d}:20:00",
                        "withdrawn_at": f"{told_on}T21:15:00" if way == "withdrawn" else None,
                    }
                )
        every = notices + told
        if any(n["first_day"] == last or n["last_day"] == first for n in every):
            continue
        if any(lease["last_day"] == last for lease in more):
            continue
        away, rest = _sort(leases + more, every, p)
        if len(away) < 2 or not rest:
            continue
        if _allowed(p, today) != (aim == "go"):
            continue
        given = {"boats": boats, "berths": berths, "berth_leases": more, "absence_notices": told}
        task = {"p": p, "given": {table: rows for table, rows in given.items() if rows}}
        if aim == "go":
            done += 1
        else:
            refused += 1
            task["kind"] = "refusal"
            task["rule"] = "absence_notice_lead"
        yield task


def solve(tools, p):
    leases = tools.list_my_berth_leases(status="active")["berth_leases"]
    notices = tools.list_my_absence_notices()["absence_notices"]
    away, rest = _sort(leases, notices, p)
    reported = 0
    for lease in leases:
        if lease["id"] not in away:
            continue
        try:
            tools.report_absence(berth_lease_id=lease["id"], first_day=p["first"], last_day=p["last"])
            reported += 1
        except tools.Error:
            break
    if not reported:
        return {
            "outcome": "refused",
            "answers": {"reported": None, "left_out": None},
            "reason": "absence_notice_lead",
            "message": (
                "An absence has to be reported at least 3 days before its first day and for 2 to 60 nights,"
                " so none was reported."
            ),
        }
    return {
        "outcome": "done",
        "answers": {"reported": reported, "left_out": len(rest)},
        "reason": None,
        "message": f"{reported} absences from {p['first']} to {p['last']} are reported, and {len(rest)} active leases are left out.",
    }


def _right(world, p):
    leases = world.initial.query(
        "SELECT l.id, l.first_day, l.last_day, l.status FROM berth_leases l WHERE l.boat_id IN"
        " (SELECT b.id FROM boats b WHERE b.boat_owner_id = 1)"
    )
    notices = world.initial.query("SELECT n.berth_lease_id, n.first_day, n.last_day, n.status FROM absence_notices n")
    return _sort(leases, notices, p)


def _is_wanted(world, p, row):
    return (
        _allowed(p, p["today"])
        and row["berth_lease_id"] in _right(world, p)[0]
        and row["first_day"] == p["first"]
        and row["last_day"] == p["last"]
        and row["status"] == "open"
        and row["withdrawn_at"] is None
    )


def goal_reports_all_or_declines(world, p):
    """Reported the absence for every lease that is meant, or declined where the rule forbids these days."""
    if not _allowed(p, p["today"]):
        return world.report.outcome == "refused" and not world.changes
    new = [c["after"]["berth_lease_id"] for c in world.changes if c["table"] == "absence_notices" and c["before"] is None]
    return sorted(new) == sorted(_right(world, p)[0])


def goal_says_how_many_were_reported(world, p):
    """Says for how many boats the absence was reported, or nothing if the rule forbids it."""
    count = len(_right(world, p)[0]) if _allowed(p, p["today"]) else None
    return world.report.outcome is not None and world.report.says("reported", count)


def goal_says_how_many_were_left_out(world, p):
    """Says how many active leases were left out, or nothing if the rule forbids it."""
    count = len(_right(world, p)[1]) if _allowed(p, p["today"]) else None
    return world.report.outcome is not None and world.report.says("left_out", count)


def guard_adds_those_absences_only(world, p):
    """Changed nothing but one new absence for each lease that is meant."""
    leases = []
    for change in world.changes:
        if change["table"] != "absence_notices" or change["before"] is not None or not _is_wanted(world, p, change["after"]):
            return False
        leases.append(change["after"]["berth_lease_id"])
    return len(set(leases)) == len(leases)


def guard_reports_the_outcome(world, p):
    """Reports it as done, or as refused by the rule on absences where these days are too soon, too few or too many."""
    if world.report.outcome is None:
        return True
    if not _allowed(p, p["today"]):
        return world.report.outcome == "refused" and world.report.reason == "absence_notice_lead"
    return world.report.outcome == "done" and world.report.reason is None
