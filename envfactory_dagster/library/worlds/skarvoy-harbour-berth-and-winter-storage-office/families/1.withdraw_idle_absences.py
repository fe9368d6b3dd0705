import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
GUEST_NAMES = ("Anne Lise", "Bris", "Dyningen", "Elfrid", "Fralda", "Gjøken", "Hjelmen", "Inger")
CODES = ("S21", "S22", "N14", "N15", "W17", "W18")


def _day(text):
    return datetime.date.fromisoformat(text)


def _plus(text, days):
    return (_day(text) + datetime.timedelta(days=days)).isoformat()


def _sort(notices, stays, p):
    """Ids of the absences to withdraw, ids of those that stay, and the nights booked by guests in these."""
    away, stay, nights = set(), set(), 0
    for notice in notices:
        if notice["status"] == "withdrawn" or not p["first"] <= notice["first_day"] <= p["last"]:
            continue
        booked = [s for s in stays if s["absence_notice_id"] == notice["id"] and s["status"] == "booked"]
        if booked or notice["first_day"] + "T00:00:00" < p["cutoff"]:
            stay.add(notice["id"])
            nights += sum((_day(s["last_day"]) - _day(s["first_day"])).days for s in booked)
        else:
            away.add(notice["id"])
    return {"withdraw": away, "keep": stay, "nights": nights}


def instances(world, rng):
    """A season with several absences, some with guests booked in the berth and some without."""
    today = world.clock[:10]
    cutoff = (datetime.datetime.fromisoformat(world.clock[:19]) + datetime.timedelta(hours=48)).isoformat()
    year = today[:4]
    notices = world.query(
        "SELECT n.id, n.first_day, n.last_day, n.status FROM absence_notices n JOIN berth_leases l ON l.id = n.berth_lease_id"
        " JOIN boats b ON b.id = l.boat_id WHERE b.boat_owner_id = 1 ORDER BY n.first_day, n.id"
    )
    stays = world.query(
        "SELECT absence_notice_id, first_day, last_day, status FROM guest_stays WHERE absence_notice_id IS NOT NULL ORDER BY id"
    )
    others = world.query("SELECT id, name FROM boat_owners WHERE id > 1 ORDER BY name")
    jetties = world.query("SELECT DISTINCT jetty_id FROM berths WHERE kind = 'summer' ORDER BY jetty_id")
    for _ in range(3000):
        boat = {
            "id": 5001,
            "boat_owner_id": 1,
            "name": rng.choice(OWN_NAMES),
            "length_cm": rng.randrange(700, 840, 10),
            "beam_cm": rng.randrange(240, 285, 5),
            "draught_cm": rng.randrange(100, 155, 5),
            "weight_kg": rng.randrange(2500, 5500, 100),
        }
        price = rng.randrange(800000, 990000, 10000)
        berth = {
            "id": 5001,
            "jetty_id": rng.choice(jetties)["jetty_id"],
            "code": rng.choice(CODES),
            "kind": "summer",
            "length_cm": rng.randrange(890, 950, 10),
            "width_cm": rng.randrange(325, 350, 5),
            "depth_cm": rng.randrange(185, 215, 5),
            "season_price_cents": price,
            "night_price_cents": rng.randrange(24000, 31500, 500),
        }
        lease = {
            "id": 5001,
            "boat_id": 5001,
            "berth_id": 5001,
            "first_day": f"{year}-05-01",
            "last_day": f"{year}-10-31",
            "price_cents": price,
            "status": "active",
            "requested_at": f"{year}-0{rng.randint(1, 3)}-{rng.randint(10, 27)}T{rng.randint(8, 20):02d}:25:00",
            "ended_at": None,
        }
        guests = [
            {
                "id": 5011 + i,
                "boat_owner_id": rng.choice(others)["id"],
                "name": GUEST_NAMES[i],
                "length_cm": rng.randrange(500, 800, 10),
                "beam_cm": rng.randrange(190, 275, 5),
                "draught_cm": rng.randrange(55, 145, 5),
                "weight_kg": rng.randrange(900, 4000, 100),
            }
            for i in range(len(GUEST_NAMES))
        ]
        more, lets = [], []
        day = _plus(max(today, f"{year}-05-01"), rng.randint(1, 6))
        for i in range(rng.randint(4, 7)):
            back = _plus(day, rng.randint(3, 7))
            if back > f"{year}-10-31":
                break
            told_day = min(_plus(today, -1), _plus(day, -4))
            told_day = _plus(told_day, -rng.randint(0, 4))
            told = f"{told_day}T{rng.randint(8, 20):02d}:{rng.choice((0, 10, 25, 40)):02d}:00"
            notice = {
                "id": 5001 + i,
                "berth_lease_id": 5001,
                "first_day": day,
                "last_day": back,
                "status": "open",
                "reported_at": told,
                "withdrawn_at": None,
            }
            way = rng.choice(("guest", "guest", "two", "empty", "empty", "empty", "cancelled", "withdrawn"))
            if way == "withdrawn":
                notice["status"] = "withdrawn"
                notice["withdrawn_at"] = f"{told_day}T22:10:00"
            spans = []
            nights = (_day(back) - _day(day)).days
            if way == "guest" or way == "cancelled":
                start = rng.randint(0, nights - 2)
                spans = [(start, rng.randint(start + 1, nights))]
            elif way == "two":
                middle = rng.randint(1, nights - 1)
                spans = [(0, middle), (middle, nights)]
            for start, end in spans:
                lets.append(
                    {
                        "id": 5001 + len(lets),
                        "boat_id": rng.choice([g["id"] for g in guests if not lets or g["id"] != lets[-1]["boat_id"]]),
                        "berth_id": 5001,
                        "absence_notice_id": notice["id"],
                        "first_day": _plus(day, start),
                        "last_day": _plus(day, end),
                        "night_price_cents": berth["night_price_cents"],
                        "status": "cancelled" if way == "cancelled" else "booked",
                        "booked_at": f"{told_day}T21:30:00",
                        "cancelled_at": f"{told_day}T22:45:00" if way == "cancelled" else None,
                    }
                )
            if way in ("guest", "two"):
                notice["status"] = "let"
            more.append(notice)
            day = _plus(back, rng.randint(1, 6))
        if len(more) < 3:
            continue
        first = _plus(rng.choice(more[:2])["first_day"], rng.randint(-6, 1))
        last = _plus(rng.choice(more[1:])["first_day"], rng.randint(0, 9))
        if first <= today:
            first = _plus(today, 1)
        p = {"first": first, "last": last, "cutoff": cutoff}
        found = _sort(notices + more, stays + lets, p)
        if not found["withdraw"] or not found["nights"] or len(found["withdraw"]) + len(found["keep"]) < 3:
            continue
        used = {s["boat_id"] for s in lets}
        yield {
            "p": p,
            "given": {
                "boats": [boat] + [g for g in guests if g["id"] in used],
                "berths": [berth],
                "berth_leases": [lease],
                "absence_notices": more,
                "guest_stays": lets,
            },
        }


def solve(tools, p):
    notices = tools.list_my_absence_notices(first_day=p["first"], last_day=p["last"])["absence_notices"]
    withdrawn, kept, nights = 0, 0, 0
    for notice in notices:
        if notice["status"] == "withdrawn":
            continue
        detail = tools.get_absence_notice(absence_notice_id=notice["id"])
        booked = [stay for stay in detail["guest_stays"] if stay["status"] == "booked"]
        if booked:
            kept += 1
            nights += sum(stay["nights"] for stay in booked)
            continue
        try:
            tools.withdraw_absence_notice(absence_notice_id=notice["id"])
            withdrawn += 1
        except tools.Error:
            kept += 1
    return {
        "outcome": "done",
        "answers": {"withdrawn": withdrawn, "kept": kept, "guest_nights": nights},
        "reason": None,
        "message": f"{withdrawn} of the absences withdrawn, {kept} left as they are, with {nights} nights booked by guests.",
    }


def _right(world, p):
    notices = world.initial.query(
        "SELECT a.id, a.first_day, a.status FROM absence_notices a WHERE a.berth_lease_id IN"
        " (SELECT l.id FROM berth_leases l JOIN boats o ON o.id = l.boat_id WHERE o.boat_owner_id = 1)"
    )
    stays = world.initial.query(
        "SELECT g.absence_notice_id, g.first_day, g.last_day, g.status FROM guest_stays g WHERE g.absence_notice_id > 0"
    )
    return _sort(notices, stays, p)


def goal_withdraws_all_without_guests(world, p):
    """Withdrew every absence of these days that can be withdrawn and has no guest booked."""
    rows = world.final.query("SELECT id FROM absence_notices WHERE status = 'withdrawn' AND withdrawn_at IS NOT NULL")
    wanted = _right(world, p)["withdraw"]
    return bool(wanted) and wanted <= {row["id"] for row in rows}


def goal_says_how_many_were_withdrawn(world, p):
    """Says how many absences were withdrawn."""
    return world.report.says("withdrawn", len(_right(world, p)["withdraw"]))


def goal_says_how_many_stay(world, p):
    """Says how many absences of these days stay in force."""
    return world.report.says("kept", len(_right(world, p)["keep"]))


def goal_says_nights_of_guests(world, p):
    """Says how many nights guests have booked in the absences that stay."""
    return world.report.says("guest_nights", _right(world, p)["nights"])


def guard_withdraws_no_other(world, p):
    """Changed nothing but the state of the absences that were to be withdrawn."""
    wanted = _right(world, p)["withdraw"]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "absence_notices" or before is None or after is None or before["id"] not in wanted:
            return False
        if after["status"] != "withdrawn":
            return False
        if any(before[k] != after[k] for k in before if k not in ("status", "withdrawn_at")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
