import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
OTHER_NAMES = ("Anne Lise", "Bris", "Dyningen", "Elfrid", "Fralda", "Gjøken", "Hjelmen", "Inger")
CODES = (
    ("South Jetty", ("S21", "S23", "S24", "S26")),
    ("North Jetty", ("N12", "N14", "N15", "N17")),
    ("West Jetty", ("W15", "W16", "W17", "W19")),
)


def _plus(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _fits(berth, boat):
    return (
        berth["length_cm"] >= boat["length_cm"] + 50
        and berth["width_cm"] >= boat["beam_cm"] + 40
        and berth["depth_cm"] >= boat["draught_cm"] + 30
    )


def _choice(berths, times, boat, p):
    """The berth to request and the way to it; None if no summer berth is big enough, taken or not."""
    fitting = [b for b in berths if _fits(b, boat)]
    if not fitting:
        return None
    free = sorted(
        (
            b
            for b in fitting
            if not any(t["berth_id"] == b["id"] and t["first_day"] <= p["last"] and t["last_day"] >= p["first"] for t in times)
        ),
        key=lambda b: b["season_price_cents"],
    )
    wished = next(b for b in berths if b["code"] == p["code"])
    if any(b["id"] == wished["id"] for b in free):
        return {"berth": wished, "way": "wish", "tie": False}
    near = [b for b in free if b["jetty_id"] == wished["jetty_id"]]
    row = near or free
    if not row:
        return {"berth": None, "way": "none", "tie": False}
    tie = len(row) > 1 and row[0]["season_price_cents"] == row[1]["season_price_cents"]
    return {"berth": row[0], "way": "jetty" if near else "anywhere", "tie": tie}


def instances(world, rng):
    """A boat without a lease, a berth that somebody has in mind, and berths that are free, taken or too small."""
    today = world.clock[:10]
    year = today[:4]
    boats = world.query(
        "SELECT b.id, b.name, b.length_cm, b.beam_cm, b.draught_cm FROM boats b WHERE b.boat_owner_id = 1 AND NOT EXISTS"
        " (SELECT 1 FROM berth_leases l WHERE l.boat_id = b.id AND l.status <> 'ended') ORDER BY b.name"
    )
    ashore = world.query("SELECT boat_id, last_day FROM shed_places WHERE status = 'occupied' ORDER BY boat_id")
    guest_times = world.query("SELECT boat_id, berth_id, first_day, last_day FROM guest_stays WHERE status = 'booked' ORDER BY id")
    leases = world.query(
        "SELECT berth_id, first_day, last_day FROM berth_leases WHERE status IN ('requested', 'active') ORDER BY berth_id, first_day"
    )
    berths = world.query(
        "SELECT id, jetty_id, code, length_cm, width_cm, depth_cm, season_price_cents FROM berths WHERE kind = 'summer' ORDER BY code"
    )
    jetties = {row["name"]: row["id"] for row in world.query("SELECT id, name FROM jetties ORDER BY id")}
    owners = [row["id"] for row in world.query("SELECT id FROM boat_owners WHERE id > 1 ORDER BY name")]
    aims = ("wish", "jetty", "anywhere", "jetty", "refused", "anywhere")
    done, refused = 0, 0
    for turn in range(8000):
        aim = aims[turn % len(aims)]
        if aim == "refused" and refused * 5 > done:
            continue
        if today < f"{year}-05-01":
            first = _plus(f"{year}-05-01", rng.randint(0, 75))
        else:
            first = _plus(today, rng.randint(1, 14))
        last = _plus(f"{year}-10-31", -rng.randint(0, 14))

        if aim == "refused":
            sizes = rng.randrange(920, 1010, 10), rng.randrange(300, 335, 5), rng.randrange(120, 175, 5)
        else:
            sizes = rng.randrange(480, 850, 10), 0, rng.randrange(55, 150, 5)
            sizes = sizes[0], sizes[0] // 15 * 5 + rng.randrange(0, 25, 5), sizes[2]
        boat = {
            "id": 5101,
            "boat_owner_id": 1,
            "name": rng.choice(OWN_NAMES),
            "length_cm": sizes[0],
            "beam_cm": sizes[1],
            "draught_cm": sizes[2],
            "weight_kg": sizes[0] * 7,
        }
        ready = [b for b in boats if not any(a["boat_id"] == b["id"] and a["last_day"] >= first for a in ashore)]
        ready = [b for b in ready if not any(g["boat_id"] == b["id"] and g["first_day"] <= last and g["last_day"] >= first for g in guest_times)]
        is_new = aim == "refused" or not ready or rng.random() < 0.7
        if not is_new:
            boat = rng.choice(ready)

        more = []
        for jetty, codes in CODES:
            for code in rng.sample(codes, rng.randint(1, 2)):
                length = rng.randrange(560, 940, 10)
                more.append(
                    {
                        "id": 5001 + len(more),
                        "jetty_id": jetties[jetty],
                        "code": code,
                        "kind": "summer",
                        "length_cm": length,
                        "width_cm": length // 15 * 5 + rng.randrange(30, 60, 5),
                        "depth_cm": rng.randrange(90, 210, 5),
                        "season_price_cents": length * 1000 + rng.randrange(-60000, 65000, 5000),
                        "night_price_cents": rng.randrange(17000, 31500, 500),
                    }
                )
        every = berths + more
        crew, taken = [], []
        for berth in every:
            if len(crew) == len(OTHER_NAMES) or any(t["berth_id"] == berth["id"] for t in leases) or rng.random() < 0.5:
                continue
            length = berth["length_cm"] - rng.randrange(50, 90, 10)
            crew.append(
                {
                    "id": 5001 + len(crew),
                    "boat_owner_id": rng.choice(owners),
                    "name": OTHER_NAMES[len(crew)],
                    "length_cm": length,
                    "beam_cm": berth["width_cm"] - rng.randrange(40, 65, 5),
                    "draught_cm": berth["depth_cm"] - rng.randrange(30, 50, 5),
                    "weight_kg": length * 5,
                }
            )
            status = rng.choice(("active", "active", "requested"))
            taken.append(
                {
                    "id": 5001 + len(taken),
                    "boat_id": crew[-1]["id"],
                    "berth_id": berth["id"],
                    "first_day": f"{year}-05-01",
                    "last_day": f"{year}-10-31",
                    "price_cents": berth["season_price_cents"],
                    "status": status,
                    "requested_at": f"{year}-0{rng.randint(1, 3)}-{rng.randint(10, 28)}T{rng.randint(8, 20):02d}:35:00",
                    "ended_at": None,
                }
            )
        times = leases + taken + [g for g in guest_times if any(b["id"] == g["berth_id"] for b in every)]
        if any(t["first_day"] == last or t["last_day"] == first for t in times):
            continue
        p = {"boat": boat["name"], "code": rng.choice(every)["code"], "first": first, "last": last}
        found = _choice(every, times, boat, p)
        if (found is None) != (aim == "refused"):
            continue
        if found is not None and (found["way"] != aim or found["tie"] or found["berth"] is None):
            continue
        p["boat_id"] = boat["id"]
        given = {"boats": crew + ([boat] if is_new else []), "berths": more, "berth_leases": taken}
        task = {"p": p, "given": {table: rows for table, rows in given.items() if rows}}
        if found is None:
            task["kind"] = "refusal"
            task["rule"] = "boat_fits_berth"
            refused += 1
        else:
            done += 1
        yield task


def solve(tools, p):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == p["boat"])
    wished = tools.search_berths(code=p["code"])["berths"][0]
    size = {
        "kind": "summer",
        "min_length_cm": boat["length_cm"] + 50,
        "min_width_cm": boat["beam_cm"] + 40,
        "min_depth_cm": boat["draught_cm"] + 30,
    }
    free = tools.search_berths(free_first_day=p["first"], free_last_day=p["last"], **size)["berths"]
    if not free and not tools.search_berths(**size)["berths"]:
        return {
            "outcome": "refused",
            "answers": {"berth": None, "jetty": None, "price": None},
            "reason": "boat_fits_berth",
            "message": f"No summer berth of the harbour is big enough for the {p['boat']}, so nothing was requested.",
        }
    same = [b for b in free if b["code"] == p["code"]]
    near = [b for b in free if b["jetty_id"] == wished["jetty_id"]]
    berth = min(same or near or free, key=lambda b: b["season_price_cents"])
    lease = tools.request_berth_lease(boat_id=boat["id"], berth_id=berth["id"], first_day=p["first"], last_day=p["last"])["berth_lease"]
    return {
        "outcome": "done",
        "answers": {"berth": lease["berth_code"], "jetty": berth["jetty_name"], "price": lease["price_cents"]},
        "reason": None,
        "message": (
            f"Berth {lease['berth_code']} at the {berth['jetty_name']} is requested for the {p['boat']}"
            f" for {lease['price_cents'] / 100:.2f} kroner."
        ),
    }


def _right(world, p):
    boat = world.initial.one("SELECT b.length_cm, b.beam_cm, b.draught_cm FROM boats b WHERE b.id = ?", [p["boat_id"]])
    berths = world.initial.query(
        "SELECT e.id, e.jetty_id, j.name AS jetty_name, e.code, e.length_cm, e.width_cm, e.depth_cm, e.season_price_cents"
        " FROM berths e JOIN jetties j ON j.id = e.jetty_id WHERE e.kind = 'summer'"
    )
    times = world.initial.query(
        "SELECT l.berth_id, l.first_day, l.last_day FROM berth_leases l WHERE l.status IN ('requested', 'active')"
        " UNION ALL SELECT g.berth_id, g.first_day, g.last_day FROM guest_stays g WHERE g.status = 'booked'"
    )
    found = _choice(berths, times, boat, p)
    return found["berth"] if found else None


def _is_the_lease(world, p, row):
    right = _right(world, p)
    return (
        right is not None
        and row["boat_id"] == p["boat_id"]
        and row["berth_id"] == right["id"]
        and row["first_day"] == p["first"]
        and row["last_day"] == p["last"]
        and row["price_cents"] == right["season_price_cents"]
        and row["status"] == "requested"
        and row["ended_at"] is None
    )


def goal_has_the_lease_or_declines(world, p):
    """Requested the lease of the right berth, or declined where no summer berth is big enough."""
    if _right(world, p) is None:
        return world.report.outcome == "refused" and not world.changes
    new = [c["after"] for c in world.changes if c["table"] == "berth_leases" and c["before"] is None]
    return len(new) == 1 and _is_the_lease(world, p, new[0])


def goal_says_berth(world, p):
    """Says which berth is requested, or nothing if none is."""
    right = _right(world, p)
    return world.report.outcome is not None and world.report.says("berth", right["code"] if right else None)


def goal_says_jetty(world, p):
    """Says at which jetty it lies, or nothing if none is requested."""
    right = _right(world, p)
    return world.report.outcome is not None and world.report.says("jetty", right["jetty_name"] if right else None)


def goal_says_price(world, p):
    """Says what the lease costs, or nothing if none is requested."""
    right = _right(world, p)
    return world.report.outcome is not None and world.report.says("price", right["season_price_cents"] if right else None)


def guard_adds_that_lease_only(world, p):
    """Changed nothing but one new berth lease, the right one."""
    return len(world.changes) <= 1 and all(
        c["table"] == "berth_leases" and c["before"] is None and _is_the_lease(world, p, c["after"]) for c in world.changes
    )


def guard_reports_the_outcome(world, p):
    """Reports it as done, or as refused for the size of the boat where no summer berth is big enough."""
    if world.report.outcome is None:
        return True
    if _right(world, p) is None:
        return world.report.outcome == "refused" and world.report.reason == "boat_fits_berth"
    return world.report.outcome == "done" and world.report.reason is None
