import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
GUEST_NAMES = ("Anne Lise", "Bris", "Dyningen", "Elfrid", "Fralda", "Gjøken", "Hjelmen", "Inger")
CODES = ("S31", "S32", "N21", "N22", "W23", "W24")


def _day(text):
    return datetime.date.fromisoformat(text)


def _plus(text, days):
    return (_day(text) + datetime.timedelta(days=days)).isoformat()


def _sort(leases, notices, stays, p):
    """Ids of the active leases to give up, and of those with as many nights away that stay for their guests."""
    out, kept, price = set(), set(), 0
    for lease in leases:
        if lease["status"] != "active":
            continue
        live = [n for n in notices if n["berth_lease_id"] == lease["id"] and n["status"] != "withdrawn"]
        nights = sum(
            (_day(n["last_day"]) - _day(n["first_day"])).days for n in live if p["first"] <= n["first_day"] <= p["last"]
        )
        if nights < p["nights"]:
            continue
        ids = {n["id"] for n in live}
        if any(s["absence_notice_id"] in ids and s["status"] == "booked" for s in stays):
            kept.add(lease["id"])
        else:
            out.add(lease["id"])
            price += lease["price_cents"]
    return {"out": out, "kept": kept, "price": price}


def instances(world, rng):
    """Several active leases with more and with fewer nights away, some with guests booked in the berth."""
    today = world.clock[:10]
    year = today[:4]
    leases = world.query(
        "SELECT l.id, l.status, l.price_cents FROM berth_leases l WHERE l.boat_id IN"
        " (SELECT id FROM boats WHERE boat_owner_id = 1) ORDER BY l.price_cents, l.id"
    )
    notices = world.query("SELECT id, berth_lease_id, first_day, last_day, status FROM absence_notices ORDER BY berth_lease_id, first_day")
    stays = world.query("SELECT absence_notice_id, status FROM guest_stays WHERE absence_notice_id IS NOT NULL ORDER BY first_day, id")
    owners = world.query("SELECT id FROM boat_owners WHERE id >= 2 ORDER BY id DESC")
    jetties = world.query("SELECT j.id FROM jetties j WHERE EXISTS (SELECT 1 FROM berths b WHERE b.jetty_id = j.id AND b.kind = 'summer') ORDER BY j.id")
    plain, guarded = 0, 0
    for _ in range(6000):
        names = rng.sample(OWN_NAMES, rng.randint(2, 4))
        codes = rng.sample(CODES, len(names))
        boats, berths, more, told, lets = [], [], [], [], []
        guests = [
            {
                "id": 5101 + i,
                "boat_owner_id": rng.choice(owners)["id"],
                "name": name,
                "length_cm": rng.randrange(460, 560, 10),
                "beam_cm": rng.randrange(170, 190, 5),
                "draught_cm": rng.randrange(45, 65, 5),
                "weight_kg": rng.randrange(600, 1500, 50),
            }
            for i, name in enumerate(GUEST_NAMES)
        ]
        for i, name in enumerate(names):
            length = rng.randrange(570, 860, 10)
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
                    "jetty_id": rng.choice(jetties)["id"],
                    "code": codes[i],
                    "kind": "summer",
                    "length_cm": length + rng.randrange(50, 90, 10),
                    "width_cm": max(boats[-1]["beam_cm"], 190) + rng.randrange(40, 60, 5),
                    "depth_cm": boats[-1]["draught_cm"] + rng.randrange(30, 60, 5),
                    "season_price_cents": price,
                    "night_price_cents": rng.randrange(18000, 31000, 500),
                }
            )
            more.append(
                {
                    "id": 5001 + i,
                    "boat_id": 5001 + i,
                    "berth_id": 5001 + i,
                    "first_day": f"{year}-05-01",
                    "last_day": f"{year}-10-31",
                    "price_cents": price,
                    "status": rng.choice(("active", "active", "active", "active", "requested")),
                    "requested_at": f"{year}-0{rng.randint(1, 3)}-{rng.randint(10, 28)}T{rng.randint(8, 20):02d}:15:00",
                    "ended_at": None,
                }
            )
            if more[-1]["status"] == "requested":
                continue
            has_guests = rng.random() < 0.45
            day = _plus(f"{year}-05-01", rng.randint(1, 30))
            while len(told) < 14:
                back = _plus(day, rng.randint(3, 12))
                if back > f"{year}-10-31":
                    break
                if _plus(today, -1) <= day <= _plus(today, 3) or day <= today <= back:
                    day = _plus(day, 6)
                    continue
                told_on = min(_plus(today, -rng.randint(1, 4)), _plus(day, -rng.randint(4, 8)))
                notice = {
                    "id": 5001 + len(told),
                    "berth_lease_id": 5001 + i,
                    "first_day": day,
                    "last_day": back,
                    "status": "open",
                    "reported_at": f"{told_on}T{rng.randint(8, 19):02d}:20:00",
                    "withdrawn_at": None,
                }
                told.append(notice)
                if rng.random() < 0.2:
                    notice["status"] = "withdrawn"
                    notice["withdrawn_at"] = f"{told_on}T21:15:00"
                elif (has_guests and day > today and rng.random() < 0.6) or (day < today and rng.random() < 0.4):
                    notice["status"] = "let"
                    arrive = _plus(day, rng.randint(0, 1))
                    lets.append(
                        {
                            "id": 5001 + len(lets),
                            "boat_id": rng.choice(guests)["id"],
                            "berth_id": 5001 + i,
                            "absence_notice_id": notice["id"],
                            "first_day": arrive,
                            "last_day": _plus(arrive, rng.randint(1, 2)),
                            "night_price_cents": berths[-1]["night_price_cents"],
                            "status": "booked" if day > today else "completed",
                            "booked_at": f"{told_on}T20:{rng.randint(10, 55)}:00",
                            "cancelled_at": None,
                        }
                    )
                day = _plus(back, rng.randint(6, 40))
        if any(
            a["boat_id"] == b["boat_id"] and a["id"] < b["id"] and a["first_day"] < b["last_day"] and a["last_day"] > b["first_day"]
            for a in lets
            for b in lets
        ):
            continue
        credits = [
            {
                "id": 5001 + i,
                "boat_owner_id": 1,
                "guest_stay_id": stay["id"],
                "amount_cents": (_day(stay["last_day"]) - _day(stay["first_day"])).days * stay["night_price_cents"] // 2,
                "credited_at": f"{stay['last_day']}T12:00:00",
            }
            for i, stay in enumerate(s for s in lets if s["status"] == "completed")
        ]
        first = _plus(f"{year}-05-01", rng.randint(0, 40))
        last = _plus(first, rng.randint(50, 130))
        if last > f"{year}-10-31":
            last = f"{year}-10-31"
        p = {"nights": rng.randint(6, 25), "first": first, "last": last}
        every = leases + more
        found = _sort(every, notices + told, stays + lets, p)
        active = sum(1 for lease in every if lease["status"] == "active")
        if not found["out"] or len(found["out"]) == active or active < 3:
            continue
        if found["kept"]:
            guarded += 1
        elif plain > guarded:
            continue
        else:
            plain += 1
        used = {s["boat_id"] for s in lets}
        given = {
            "boats": boats + [g for g in guests if g["id"] in used],
            "berths": berths,
            "berth_leases": more,
            "absence_notices": told,
            "guest_stays": lets,
            "owner_credits": credits,
        }
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    leases = tools.list_my_berth_leases(status="active")["berth_leases"]
    given_up, kept, price = 0, 0, 0
    for lease in leases:
        notices = tools.list_my_absence_notices(berth_lease_id=lease["id"])["absence_notices"]
        live = [n for n in notices if n["status"] != "withdrawn"]
        nights = sum(
            (_day(n["last_day"]) - _day(n["first_day"])).days for n in live if p["first"] <= n["first_day"] <= p["last"]
        )
        if nights < p["nights"]:
            continue
        booked = False
        for notice in live:
            detail = tools.get_absence_notice(absence_notice_id=notice["id"])
            booked = booked or any(stay["status"] == "booked" for stay in detail["guest_stays"])
        if booked:
            kept += 1
        else:
            tools.give_up_berth_lease(berth_lease_id=lease["id"])
            given_up += 1
            price += lease["price_cents"]
    return {
        "outcome": "done",
        "answers": {"given_up": given_up, "kept_for_guests": kept, "price_of_given_up": price},
        "reason": None,
        "message": (
            f"{given_up} leases are given up, which had cost {price / 100:.2f} kroner, and {kept} are kept because guests are booked."
        ),
    }


def _right(world, p):
    leases = world.initial.query(
        "SELECT l.id, l.status, l.price_cents FROM berth_leases l JOIN boats o ON o.id = l.boat_id WHERE o.boat_owner_id = 1"
    )
    notices = world.initial.query("SELECT a.id, a.berth_lease_id, a.first_day, a.last_day, a.status FROM absence_notices a")
    stays = world.initial.query("SELECT g.absence_notice_id, g.status FROM guest_stays g WHERE g.status = 'booked'")
    return _sort(leases, notices, stays, p)


def goal_gives_up_all_that_are_meant(world, p):
    """Gave up every active lease with so many nights away and no guest booked."""
    rows = world.final.query("SELECT id FROM berth_leases WHERE status = 'ended' AND ended_at IS NOT NULL")
    return _right(world, p)["out"] <= {row["id"] for row in rows}


def goal_says_how_many_are_given_up(world, p):
    """Says how many leases were given up."""
    return world.report.says("given_up", len(_right(world, p)["out"]))


def goal_says_how_many_stay_for_guests(world, p):
    """Says how many leases with so many nights away stay because guests are booked."""
    return world.report.says("kept_for_guests", len(_right(world, p)["kept"]))


def goal_says_price_of_given_up(world, p):
    """Says what the leases given up had cost together."""
    return world.report.says("price_of_given_up", _right(world, p)["price"])


def guard_ends_no_other_lease(world, p):
    """Changed nothing but the state of the leases to be given up and of their open absences."""
    out = _right(world, p)["out"]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        if change["table"] == "berth_leases":
            if before["id"] not in out or after["status"] != "ended":
                return False
            free = ("status", "ended_at")
        elif change["table"] == "absence_notices":
            if before["berth_lease_id"] not in out or before["status"] != "open" or after["status"] != "withdrawn":
                return False
            free = ("status", "withdrawn_at")
        else:
            return False
        if any(before[k] != after[k] for k in before if k not in free):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
