import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
GUEST_NAMES = ("Anne Lise", "Bris", "Dyningen", "Elfrid", "Fralda", "Gjøken", "Hjelmen", "Inger", "Jolla", "Krabben")
CODES = ("G7", "G8", "G9", "G10", "G11", "G12")


def _day(text):
    return datetime.date.fromisoformat(text)


def _plus(text, days):
    return (_day(text) + datetime.timedelta(days=days)).isoformat()


def _taken(times, p):
    """Nights from the first day to the day of departure that are taken by these times."""
    return sum(
        max(0, (_day(min(t["last_day"], p["last"])) - _day(max(t["first_day"], p["first"]))).days)
        for t in times
        if t["first_day"] < p["last"] and t["last_day"] > p["first"]
    )


def _review(berths, stays, boat, p):
    rows = []
    for berth in berths:
        if (
            berth["length_cm"] >= boat["length_cm"] + 50
            and berth["width_cm"] >= boat["beam_cm"] + 40
            and berth["depth_cm"] >= boat["draught_cm"] + 30
        ):
            rows.append((_taken([s for s in stays if s["berth_id"] == berth["id"]], p), berth["code"]))
    return sorted(rows)


def instances(world, rng):
    """A boat, some weeks, and guest berths that are taken for a part of them."""
    today = world.clock[:10]
    boats = world.query("SELECT name, id, length_cm, beam_cm, draught_cm FROM boats WHERE boat_owner_id = 1 ORDER BY weight_kg")
    berths = world.query(
        "SELECT id, jetty_id, code, length_cm, width_cm, depth_cm, night_price_cents FROM berths WHERE season_price_cents IS NULL ORDER BY id"
    )
    booked = world.query("SELECT berth_id, first_day, last_day FROM guest_stays WHERE status = 'booked' ORDER BY berth_id, first_day")
    owners = world.query("SELECT DISTINCT boat_owner_id FROM boats WHERE boat_owner_id > 1 ORDER BY boat_owner_id")
    for _ in range(4000):
        first = _plus(today, rng.randint(1, 25))
        last = _plus(first, rng.randint(8, 24))
        own = {
            "id": 5101,
            "boat_owner_id": 1,
            "name": rng.choice(OWN_NAMES),
            "length_cm": rng.randrange(460, 760, 10),
            "beam_cm": rng.randrange(170, 250, 5),
            "draught_cm": rng.randrange(45, 125, 5),
            "weight_kg": rng.randrange(700, 3500, 50),
        }
        is_new = rng.random() < 0.6
        boat = own if is_new else rng.choice(boats)
        guests = [
            {
                "id": 5001 + i,
                "boat_owner_id": rng.choice(owners)["boat_owner_id"],
                "name": name,
                "length_cm": rng.randrange(460, 570, 10),
                "beam_cm": rng.randrange(170, 205, 5),
                "draught_cm": rng.randrange(45, 75, 5),
                "weight_kg": rng.randrange(600, 1500, 50),
            }
            for i, name in enumerate(GUEST_NAMES)
        ]
        more = []
        for i, code in enumerate(rng.sample(CODES, rng.randint(2, 4))):
            more.append(
                {
                    "id": 5001 + i,
                    "jetty_id": berths[0]["jetty_id"],
                    "code": code,
                    "kind": "guest",
                    "length_cm": rng.randrange(650, 910, 10),
                    "width_cm": rng.randrange(255, 345, 5),
                    "depth_cm": rng.randrange(110, 205, 5),
                    "season_price_cents": None,
                    "night_price_cents": rng.randrange(17000, 33000, 500),
                }
            )
        every = berths + more
        stays, lies = [], {}
        for berth in every:
            day = _plus(first, rng.randint(-4, 4))
            while day < last and len(stays) < 30:
                leave = _plus(day, rng.randint(1, 6))
                free = [g for g in guests if not any(a < leave and b > day for a, b in lies.get(g["id"], []))]
                empty = not any(s["berth_id"] == berth["id"] and s["first_day"] < leave and s["last_day"] > day for s in booked)
                if day > today and free and empty and rng.random() < 0.7:
                    guest = rng.choice(free)
                    lies.setdefault(guest["id"], []).append((day, leave))
                    stays.append(
                        {
                            "id": 5001 + len(stays),
                            "boat_id": guest["id"],
                            "berth_id": berth["id"],
                            "absence_notice_id": None,
                            "first_day": day,
                            "last_day": leave,
                            "night_price_cents": berth["night_price_cents"],
                            "status": "booked",
                            "booked_at": f"{_plus(today, -rng.randint(1, 20))}T{rng.randint(8, 20):02d}:15:00",
                            "cancelled_at": None,
                        }
                    )
                    if rng.random() < 0.1:
                        lies[guest["id"]].pop()
                        stays[-1]["status"] = "cancelled"
                        stays[-1]["cancelled_at"] = f"{_plus(today, -1)}T21:{rng.randint(10, 55)}:00"
                day = _plus(leave, rng.randint(0, 5))
        p = {"boat": boat["name"], "first": first, "last": last}
        live = booked + [s for s in stays if s["status"] == "booked"]
        rows = _review(every, live, boat, p)
        if len(rows) < 3 or rows[0][0] == rows[1][0] or rows[-1][0] == rows[-2][0] or rows[0][0] == 0:
            continue
        used = {s["boat_id"] for s in stays}
        given = {"boats": [g for g in guests if g["id"] in used] + ([own] if is_new else []), "berths": more, "guest_stays": stays}
        p["boat_id"] = boat["id"] if not is_new else own["id"]
        yield {"p": p, "given": {table: some for table, some in given.items() if some}}


def solve(tools, p):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == p["boat"])
    berths = tools.search_berths(
        kind="guest",
        min_length_cm=boat["length_cm"] + 50,
        min_width_cm=boat["beam_cm"] + 40,
        min_depth_cm=boat["draught_cm"] + 30,
    )["berths"]
    rows = []
    for berth in berths:
        rows.append((_taken(tools.get_berth(berth_id=berth["id"])["taken_times"], p), berth["code"]))
    rows.sort()
    return {
        "outcome": "done",
        "answers": {
            "quietest": rows[0][1],
            "nights_quietest": rows[0][0],
            "busiest": rows[-1][1],
            "nights_busiest": rows[-1][0],
        },
        "reason": None,
        "message": (
            f"From {p['first']} to {p['last']} berth {rows[0][1]} is taken the least, for {rows[0][0]} nights,"
            f" and {rows[-1][1]} the most, for {rows[-1][0]} nights."
        ),
    }


def _right(world, p):
    boat = world.initial.one("SELECT o.length_cm, o.beam_cm, o.draught_cm FROM boats o WHERE o.id = ?", [p["boat_id"]])
    berths = world.initial.query("SELECT b.id, b.code, b.length_cm, b.width_cm, b.depth_cm FROM berths b WHERE b.kind = 'guest'")
    stays = world.initial.query(
        "SELECT g.berth_id, g.first_day, g.last_day FROM guest_stays g WHERE g.status = 'booked' AND g.last_day > ?", [p["first"]]
    )
    return _review(berths, stays, boat, p)


def goal_says_quietest_berth(world, p):
    """Says which of the guest berths that take the boat is taken for the fewest nights."""
    return world.report.says("quietest", _right(world, p)[0][1])


def goal_says_nights_of_quietest(world, p):
    """Says for how many nights that berth is taken."""
    return world.report.says("nights_quietest", _right(world, p)[0][0])


def goal_says_busiest_berth(world, p):
    """Says which of the guest berths that take the boat is taken for the most nights."""
    return world.report.says("busiest", _right(world, p)[-1][1])


def goal_says_nights_of_busiest(world, p):
    """Says for how many nights that berth is taken."""
    return world.report.says("nights_busiest", _right(world, p)[-1][0])


def guard_changes_nothing(world, p):
    """Changed nothing, as only an answer was wanted."""
    return not world.changes


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
