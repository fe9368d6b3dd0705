import datetime

MORNING = ("08:30:00", "12:30:00")
AFTERNOON = ("13:00:00", "18:00:00")


def _day(today, back):
    return (today - datetime.timedelta(days=back)).isoformat()


def _later(moment, minutes):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()


def _figures(visits):
    """What the visits cost more today than they did, in all and by barber; barber None where two are level."""
    rises = {}
    dearer = 0
    for visit in visits:
        rise = visit["costs_now"] - visit["paid"]
        if rise > 0:
            dearer += 1
            rises[visit["barber"]] = rises.get(visit["barber"], 0) + rise
    ranked = sorted(rises, key=lambda name: -rises[name])
    top = ranked[0] if ranked else None
    if len(ranked) > 1 and rises[ranked[0]] == rises[ranked[1]]:
        top = None
    return {"visits": len(visits), "dearer": dearer, "extra": sum(rises.values()), "barber": top}


def _price_history(service, past, today, rng):
    """The price a service had before, and the day from which it has the present one; None where the rows contradict."""
    rows = [row for row in past if row["service_id"] == service["id"]]
    older = [row["booked_at"][:10] for row in rows if row["paid"] != service["price"]]
    present = [row["booked_at"][:10] for row in rows if row["paid"] == service["price"]]
    if older:
        if present and min(present) <= max(older):
            return None
        before = [row["paid"] for row in rows if row["paid"] != service["price"]][-1]
        since = (datetime.date.fromisoformat(max(older)) + datetime.timedelta(days=1)).isoformat()
        return before, since
    before = service["price"] - rng.choice((0, 50, 100, 150, 200, 250))
    since = _day(today, rng.randint(12, 150))
    if present:
        since = min(since, min(present))
    return before, since


def instances(world, rng):
    """A period with at least four visits that took place with three barbers or more, some of them dearer today."""
    services = world.query(
        "SELECT s.id, s.barber_id, s.duration_minutes AS minutes, s.price_cents AS price, b.name AS barber"
        " FROM services s JOIN barbers b ON b.id = s.barber_id WHERE s.name <> 'Children''s cut' ORDER BY s.id"
    )
    past = world.query(
        "SELECT a.id, a.customer_id, a.service_id, a.price_cents AS paid, a.starts_at, a.booked_at, a.status"
        " FROM appointments a ORDER BY a.booked_at, a.id"
    )
    rented = world.query("SELECT c.id, c.barber_id, c.day, c.half FROM chair_rentals c ORDER BY c.id")
    by_id = {service["id"]: service for service in services}
    today = datetime.date.fromisoformat(world.clock[:10])
    mine = [row for row in past if row["customer_id"] == 1]
    busy = [row["starts_at"][:10] for row in mine]
    taken = [(row["barber_id"], row["day"], row["half"]) for row in rented]
    for _ in range(400):
        history = {service["id"]: _price_history(service, past, today, rng) for service in services}
        usable = [service for service in services if history[service["id"]] is not None]
        days = []
        for back in range(10, 176):
            day = today - datetime.timedelta(days=back)
            near = [(day + datetime.timedelta(days=shift)).isoformat() for shift in (-1, 0, 1)]
            if day.weekday() in (1, 2, 3, 4, 5) and not any(one in busy for one in near):
                days.append(day)
        rng.shuffle(days)
        halves = []
        rows = []
        chosen = []
        rental_id = max(row["id"] for row in rented)
        row_id = max(row["id"] for row in past)
        for day in days:
            if len(rows) >= 7 or any(abs((day - other).days) < 3 for other in chosen):
                continue
            service = rng.choice(usable)
            half = rng.choice(("morning", "afternoon"))
            if (service["barber_id"], day.isoformat(), half) in taken:
                continue
            opens, closes = MORNING if half == "morning" else AFTERNOON
            starts_at = _later(f"{day.isoformat()}T{opens}", 5 * rng.randint(0, 34))
            booked_at = f"{(day - datetime.timedelta(days=1)).isoformat()}T{rng.randint(15, 19)}:{rng.choice((10, 25, 40, 55))}:00"
            before, since = history[service["id"]]
            done = rng.random() < 0.8
            chosen.append(day)
            rental_id += 1
            row_id += 1
            halves.append(
                {
                    "id": rental_id,
                    "barber_id": service["barber_id"],
                    "day": day.isoformat(),
                    "half": half,
                    "starts_at": f"{day.isoformat()}T{opens}",
                    "ends_at": f"{day.isoformat()}T{closes}",
                    "status": "active",
                    "given_back_at": None,
                }
            )
            rows.append(
                {
                    "id": row_id,
                    "customer_id": 1,
                    "service_id": service["id"],
                    "chair_rental_id": rental_id,
                    "starts_at": starts_at,
                    "ends_at": _later(starts_at, service["minutes"]),
                    "price_cents": before if booked_at[:10] < since else service["price"],
                    "status": "done" if done else "cancelled",
                    "booked_at": booked_at,
                    "confirmed_at": _later(booked_at, 35) if done else None,
                    "cancelled_at": None if done else _later(booked_at, 50),
                }
            )
        first = _day(today, rng.randint(70, 180))
        last = _day(today, rng.randint(2, 45))
        visits = []
        for row in mine:
            if row["status"] == "done" and first <= row["starts_at"][:10] <= last:
                service = by_id[row["service_id"]]
                visits.append({"paid": row["paid"], "costs_now": service["price"], "barber": service["barber"]})
        for row in rows:
            if row["status"] == "done" and first <= row["starts_at"][:10] <= last:
                service = by_id[row["service_id"]]
                visits.append({"paid": row["price_cents"], "costs_now": service["price"], "barber": service["barber"]})
        figures = _figures(visits)
        if figures["visits"] < 4 or len({visit["barber"] for visit in visits}) < 3:
            continue
        if figures["barber"] is None or figures["dearer"] < 2 or figures["dearer"] == figures["visits"]:
            continue
        yield {"p": {"first": first, "last": last}, "given": {"chair_rentals": halves, "appointments": rows}}


def solve(tools, p):
    visits = tools.list_my_appointments(status="done", first_day=p["first"], last_day=p["last"])["appointments"]
    prices = {}
    for barber_id in sorted({visit["barber_id"] for visit in visits}):
        for service in tools.search_services(barber_id=barber_id)["services"]:
            prices[service["id"]] = service["price_cents"]
    figures = _figures(
        [
            {"paid": visit["price_cents"], "costs_now": prices[visit["service_id"]], "barber": visit["barber_name"]}
            for visit in visits
        ]
    )
    return {
        "outcome": "done",
        "answers": {
            "visits": figures["visits"],
            "dearer_visits": figures["dearer"],
            "extra_cost": figures["extra"],
            "barber": figures["barber"],
        },
        "reason": None,
        "message": (
            f"You had {figures['visits']} visits, {figures['dearer']} of which cost more today, "
            f"{figures['extra'] / 100:.2f} euros in all; {figures['barber']} accounts for most of it."
        ),
    }


def _right(world, p):
    return _figures(
        world.initial.query(
            "SELECT a.price_cents AS paid, s.price_cents AS costs_now, b.name AS barber FROM appointments a"
            " JOIN services s ON s.id = a.service_id JOIN barbers b ON b.id = s.barber_id"
            " WHERE a.customer_id = 1 AND a.status = 'done' AND substr(a.starts_at, 1, 10) BETWEEN ? AND ?",
            [p["first"], p["last"]],
        )
    )


def goal_says_how_many_visits(world, p):
    """Says how many visits took place in the period."""
    return world.report.says("visits", _right(world, p)["visits"])


def goal_says_how_many_are_dearer(world, p):
    """Says how many of these visits would cost more today."""
    return world.report.says("dearer_visits", _right(world, p)["dearer"])


def goal_says_extra_cost(world, p):
    """Says how much more all these visits would cost today."""
    return world.report.says("extra_cost", _right(world, p)["extra"])


def goal_says_which_barber(world, p):
    """Says which barber accounts for the largest part of it."""
    return world.report.says("barber", _right(world, p)["barber"])


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule forbids it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
