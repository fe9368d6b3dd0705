import datetime

PURPOSES = (
    "Christmas boxes",
    "Two armchairs",
    "Tools",
    "Winter clothes",
    "Files for the tax office",
    "Grandmother's china",
    "Bicycle",
    "Camping things",
    "Carpets",
    "Skis",
)


def _to(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """Some days and a container to be left, with many contracts and visits of the user's and of others."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM container_visits) AS v, (SELECT max(id) FROM storage_contracts) AS s,"
        " (SELECT max(id) FROM containers) AS c, (SELECT max(number) FROM containers) AS n"
    )
    name = world.one("SELECT x.name FROM customers x WHERE x.id = 1")["name"]
    holidays = {row["day"] for row in world.query("SELECT day FROM public_holidays WHERE day >= ?", [world.clock[:10]])}
    old = world.query(
        "SELECT v.id, v.visit_at, v.fee_cents, c.number FROM container_visits v"
        " JOIN storage_contracts s ON s.id = v.storage_contract_id JOIN containers c ON c.id = s.container_id"
        " WHERE v.visitor_id = 1 AND v.status = 'booked' ORDER BY v.id"
    )
    for _ in range(500):
        start = rng.randint(2, 8)
        first = _to(world.clock, start)
        last = _to(world.clock, start + rng.randint(10, 25))
        given = {"containers": [], "storage_contracts": [], "container_visits": []}
        mine = list(old)
        numbers = []
        for number in range(rng.randint(10, 14)):
            label = tops["n"] + 2 + number * 2
            own = rng.random() < 0.7
            friend = rng.randint(2, 6)
            contract = tops["s"] + 1 + number
            given["containers"].append(
                {"id": tops["c"] + 1 + number, "number": label, "size_m3": 6.0, "monthly_price_cents": 5900}
            )
            given["storage_contracts"].append(
                {
                    "id": contract,
                    "code": f"LG-2025-{500 + number:04d}",
                    "customer_id": 1 if own else friend,
                    "container_id": tops["c"] + 1 + number,
                    "authorised_customer_id": friend if own else 1,
                    "volume_m3": 5.0,
                    "starts_on": _to(world.clock, -rng.randint(45, 90)),
                    "monthly_price_cents": 5900,
                    "deposit_cents": 11800,
                    "handling_fee_cents": 3500,
                    "status": "running",
                }
            )
            numbers.append(label)
            for _visit in range(rng.choice((0, 1, 1, 2, 2))):
                ahead = rng.randint(3, 40)
                status = rng.choice(("booked", "booked", "booked", "done", "cancelled"))
                day = _to(world.clock, ahead if status != "done" else -rng.randint(20, 30))
                if datetime.date.fromisoformat(day).weekday() == 6 or day in holidays:
                    continue
                visitor = 1 if rng.random() < 0.7 else friend
                row = {
                    "id": tops["v"] + 1 + len(given["container_visits"]),
                    "storage_contract_id": contract,
                    "visitor_id": visitor,
                    "visit_at": f"{day}T{rng.randint(8, 17):02d}:{rng.choice((0, 15, 30, 45)):02d}:00",
                    "things": rng.choice(PURPOSES),
                    "fee_cents": 2700 if datetime.date.fromisoformat(day).weekday() == 5 else 1800,
                    "status": status,
                    "booked_at": _to(world.clock, -35) + "T09:00:00",
                    "cancelled_at": _to(world.clock, -1) + "T19:00:00" if status == "cancelled" else None,
                }
                given["container_visits"].append(row)
                if visitor == 1 and status == "booked":
                    mine.append({**row, "number": label})
        inside = [row for row in mine if first <= row["visit_at"][:10] <= last]
        candidates = sorted({row["number"] for row in inside})
        if len(candidates) < 4:
            continue
        keep = rng.choice(candidates)
        due = [row for row in inside if row["number"] != keep]
        if len(due) < 3:
            continue
        yield {
            "p": {
                "name": name,
                "first": first,
                "last": last,
                "keep": keep,
                "due": sorted(row["id"] for row in due),
                "fees": sum(row["fee_cents"] for row in due),
                "earliest": min(row["visit_at"] for row in due)[:10],
            },
            "given": given,
        }


def solve(tools, p):
    count = 0
    fees = 0
    days = []
    for short in tools.list_storage_contracts()["storage_contracts"]:
        if short["container_number"] == p["keep"]:
            continue
        for visit in tools.get_storage_contract(storage_contract_id=short["storage_contract_id"])["visits"]:
            day = visit["visit_at"][:10]
            if visit["status"] != "booked" or visit["visitor"] != p["name"] or not p["first"] <= day <= p["last"]:
                continue
            tools.cancel_container_visit(container_visit_id=visit["container_visit_id"])
            count += 1
            fees += visit["fee_cents"]
            days.append(day)
    return {
        "outcome": "done",
        "answers": {"called_off": count, "fees_saved": fees, "first_one": min(days)},
        "reason": None,
        "message": f"Visits called off: {count}, which saves €{fees / 100:.2f}; the first would have been on {min(days)}.",
    }


def goal_calls_off_every_such_visit(world, p):
    """Every visit the user has booked in these days is cancelled, but for the one container."""
    return all(
        world.final.one("SELECT v.status FROM container_visits v WHERE v.id = ?", [number])["status"] == "cancelled"
        for number in p["due"]
    )


def goal_says_how_many_visits(world, p):
    """Says how many visits were called off."""
    return world.report.says("called_off", len(p["due"]))


def goal_says_the_fees_saved(world, p):
    """Says what fees are saved."""
    return world.report.says("fees_saved", p["fees"])


def goal_says_the_first_day(world, p):
    """Says on which day the earliest of them would have been."""
    return world.report.says("first_one", p["earliest"])


def guard_cancels_these_visits_only(world, p):
    """Changed nothing but the cancellation of these visits."""
    for c in world.changes:
        if c["table"] != "container_visits" or c["before"] is None or c["after"] is None:
            return False
        if c["before"]["id"] not in p["due"] or c["after"]["status"] != "cancelled":
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in ("status", "cancelled_at")):
            return False
    return True


def guard_reports_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
