import datetime

PEOPLE = (
    "Bertie Calder", "Nikhil Rao", "Sean Dunleavy", "Emil Krantz", "Omar Haddad", "Lewis Thorne",
    "Gareth Bowen", "Tunde Afolabi", "Viktor Marek", "Ross Kilbride", "Ivo Tadic", "Duncan Shaw",
)
SERVICES = ("haircut", "skin fade", "beard trim", "hot towel shave", "haircut with beard trim")


def _plus(moment, minutes):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()


def _next_day(moment):
    return (datetime.date.fromisoformat(moment[:10]) + datetime.timedelta(days=1)).isoformat()


def _first_start(opens, closes, taken, minutes, earliest):
    """The first start from earliest on at which so many minutes are free, or None."""
    start = max(opens, earliest)
    for span in sorted(taken):
        if _plus(start, minutes) <= span[0]:
            break
        start = max(start, span[1])
    return start if _plus(start, minutes) <= closes else None


def _choice(offers, halves, taken, earliest):
    """All ways to have it, the first start first and the cheaper before the dearer; one for each half-day."""
    ways = []
    for half in halves:
        for offer in offers:
            if offer["barber_id"] != half["barber_id"]:
                continue
            spans = [(row["starts_at"], row["ends_at"]) for row in taken if row["chair_rental_id"] == half["id"]]
            start = _first_start(half["starts_at"], half["ends_at"], spans, offer["minutes"], earliest)
            if start is not None:
                ways.append(
                    {
                        "starts_at": start,
                        "ends_at": _plus(start, offer["minutes"]),
                        "price_cents": offer["price_cents"],
                        "service_id": offer["id"],
                        "chair_rental_id": half["id"],
                        "barber": offer["barber"],
                    }
                )
    return sorted(ways, key=lambda way: (way["starts_at"], way["price_cents"]))


def _forbidden(open_visits, missed, day, now):
    """The rule that forbids a new booking on this day, or None."""
    if open_visits >= 2:
        return "max_open_appointments"
    if missed >= 2 and day > _next_day(now):
        return "missed_appointments_block"
    return None


def instances(world, rng):
    """A service, a day, an hour and a limit for which two barbers or more have room, one of them clearly first."""
    now = world.clock
    today = datetime.date.fromisoformat(now[:10])
    menu = world.query(
        "SELECT v.id, v.barber_id, lower(v.name) AS name, v.duration_minutes AS minutes, v.price_cents, k.name AS barber"
        " FROM services v JOIN barbers k ON k.id = v.barber_id ORDER BY v.price_cents, v.id"
    )
    rented = world.query(
        "SELECT r.id, r.barber_id, r.day, r.half, r.starts_at, r.ends_at, r.status FROM chair_rentals r"
        " WHERE r.day >= ? ORDER BY r.starts_at, r.id",
        [now[:10]],
    )
    booked = world.query(
        "SELECT a.id, a.customer_id, a.chair_rental_id, a.starts_at, a.ends_at FROM appointments a"
        " WHERE a.status IN ('booked', 'confirmed') AND a.ends_at > ? ORDER BY a.id",
        [now],
    )
    missed = world.one(
        "SELECT count(*) AS n FROM appointments a WHERE a.customer_id = 1 AND a.status = 'missed'"
        " AND a.starts_at >= ?",
        [_plus(now, -90 * 24 * 60)],
    )["n"]
    top = world.one(
        "SELECT max(c.id) AS customer, (SELECT max(r.id) FROM chair_rentals r) AS half,"
        " (SELECT max(a.id) FROM appointments a) AS visit FROM customers c"
    )
    days = sorted({half["day"] for half in rented})
    soon = [day for day in days if day <= _next_day(now)]
    for _ in range(900):
        half_id, row_id, customer_id = top["half"], top["visit"], top["customer"]
        given = {"customers": [], "chair_rentals": [], "appointments": []}
        mine = [row for row in booked if row["customer_id"] == 1 and row["starts_at"] > now]
        taken = list(booked)
        service = rng.choice(SERVICES)
        day = rng.choice(soon if rng.random() < 0.7 else days)
        halves = [half for half in rented if half["day"] == day]
        here = {(half["barber_id"], half["half"]) for half in halves}
        for barber_id in sorted({row["barber_id"] for row in menu}):
            for half in ("morning", "afternoon"):
                if (barber_id, half) in here or rng.random() > 0.3:
                    continue
                if day == now[:10] and half == "morning":
                    continue
                half_id += 1
                opens, closes = ("08:30:00", "12:30:00") if half == "morning" else ("13:00:00", "18:00:00")
                row = {
                    "id": half_id, "barber_id": barber_id, "day": day, "half": half,
                    "starts_at": f"{day}T{opens}", "ends_at": f"{day}T{closes}",
                    "status": "active", "given_back_at": None,
                }
                given["chair_rentals"].append(row)
                halves.append(row)
        working = [half for half in halves if half["status"] == "active"]
        clock_time = f"{rng.randint(8, 16):02d}:{rng.choice((0, 15, 30, 45)):02d}"
        earliest = f"{day}T{clock_time}:00"
        if earliest < f"{day}T08:30:00" or earliest <= _plus(now, 15):
            continue
        if len(mine) == 1 and rng.random() < 0.15:
            spots = [half for half in rented if half["status"] == "active" and now[:10] < half["day"] <= _next_day(now)]
            if not spots:
                continue
            half = rng.choice(spots)
            offer = rng.choice([row for row in menu if row["barber_id"] == half["barber_id"] and row["name"] in SERVICES])
            start = _plus(half["starts_at"], 5 * rng.randint(0, 36))
            end = _plus(start, offer["minutes"])
            if end > half["ends_at"] or any(
                row["chair_rental_id"] == half["id"] and row["starts_at"] < end and row["ends_at"] > start for row in taken
            ):
                continue
            row_id += 1
            row = {
                "id": row_id, "customer_id": 1, "service_id": offer["id"], "chair_rental_id": half["id"],
                "starts_at": start, "ends_at": end, "price_cents": offer["price_cents"], "status": "booked",
                "booked_at": _plus(now, -rng.choice((12, 25, 38))), "confirmed_at": None, "cancelled_at": None,
            }
            given["appointments"].append(row)
            taken.append(row)
            mine.append(row)
        for _ in range(rng.randint(4, 9)):
            half = rng.choice(working)
            offer = rng.choice([row for row in menu if row["barber_id"] == half["barber_id"]])
            start = _plus(half["starts_at"], 5 * rng.randint(0, 50))
            if rng.random() < 0.6:
                start = _plus(max(half["starts_at"], earliest), 5 * rng.randint(-3, 4))
            end = _plus(start, offer["minutes"])
            if start < half["starts_at"] or end > half["ends_at"] or start <= now:
                continue
            if any(row["chair_rental_id"] == half["id"] and row["starts_at"] < end and row["ends_at"] > start for row in taken):
                continue
            customer_id += 1
            row_id += 1
            made = f"{(today - datetime.timedelta(days=rng.randint(1, 6))).isoformat()}T{rng.randint(10, 19)}:{rng.choice((5, 20, 35)):02d}:00"
            sure = rng.random() < 0.5
            given["customers"].append({"id": customer_id, "name": PEOPLE[len(given["customers"])], "phone": None})
            row = {
                "id": row_id, "customer_id": customer_id, "service_id": offer["id"], "chair_rental_id": half["id"],
                "starts_at": start, "ends_at": end, "price_cents": offer["price_cents"],
                "status": "confirmed" if sure else "booked", "booked_at": made,
                "confirmed_at": _plus(made, 45) if sure else None, "cancelled_at": None,
            }
            given["appointments"].append(row)
            taken.append(row)
        limit = 50 * rng.randint(36, 84)
        offers = [row for row in menu if row["name"] == service and row["price_cents"] <= limit]
        ways = _choice(offers, working, taken, earliest)
        if len(ways) < 2 or len({way["barber"] for way in ways}) < 2:
            continue
        if (ways[0]["starts_at"], ways[0]["price_cents"]) == (ways[1]["starts_at"], ways[1]["price_cents"]):
            continue
        if any(row["starts_at"] < ways[0]["ends_at"] and row["ends_at"] > ways[0]["starts_at"] for row in mine):
            continue
        rule = _forbidden(len(mine), missed, day, now)
        if len(mine) >= 2 and missed >= 2 and day > _next_day(now):
            continue
        yield {
            "p": {"service": service, "day": day, "time": clock_time, "limit": limit, "now": now},
            "given": {table: rows for table, rows in given.items() if rows},
            "kind": "action" if rule is None else "refusal",
            "rule": rule,
        }


def solve(tools, p):
    offers = [
        {
            "id": row["id"], "barber_id": row["barber_id"], "barber": row["barber_name"],
            "minutes": row["duration_minutes"], "price_cents": row["price_cents"],
        }
        for row in tools.search_services(name=p["service"], max_price_cents=p["limit"])["services"]
        if row["name"].lower() == p["service"].lower()
    ]
    able = {offer["barber_id"] for offer in offers}
    halves = []
    taken = []
    for half in tools.search_chair_rentals(first_day=p["day"], last_day=p["day"], status="active")["chair_rentals"]:
        if half["barber_id"] in able:
            halves.append(half)
            for span in tools.get_chair_rental(chair_rental_id=half["id"])["taken_times"]:
                taken.append({"chair_rental_id": half["id"], "starts_at": span["starts_at"], "ends_at": span["ends_at"]})
    way = _choice(offers, halves, taken, f"{p['day']}T{p['time']}:00")[0]
    try:
        tools.book_appointment(service_id=way["service_id"], starts_at=way["starts_at"])
    except tools.Error:
        if tools.get_my_profile()["open_appointments"] >= 2:
            reason = "max_open_appointments"
            message = "Nothing is booked: you already have 2 appointments to come, and no more are allowed at a time."
        else:
            reason = "missed_appointments_block"
            message = (
                "Nothing is booked: you have missed 2 or more appointments in the past 90 days, "
                "so you can book for today and tomorrow only."
            )
        return {
            "outcome": "refused",
            "answers": {"barber": None, "start": None, "price": None},
            "reason": reason,
            "message": message,
        }
    return {
        "outcome": "done",
        "answers": {"barber": way["barber"], "start": way["starts_at"][11:16], "price": way["price_cents"]},
        "reason": None,
        "message": (
            f"You are booked with {way['barber']} on {p['day']} at {way['starts_at'][11:16]}; "
            f"it costs {way['price_cents'] / 100:.2f} euros."
        ),
    }


def _rule(world, p):
    row = world.initial.one(
        "SELECT coalesce(sum(m.status IN ('booked', 'confirmed') AND m.starts_at > ?), 0) AS coming,"
        " coalesce(sum(m.status = 'missed' AND m.starts_at >= ?), 0) AS missed"
        " FROM appointments m WHERE m.customer_id = 1",
        [p["now"], _plus(p["now"], -90 * 24 * 60)],
    )
    return _forbidden(row["coming"], row["missed"], p["day"], p["now"])


def _way(world, p):
    offers = world.initial.query(
        "SELECT v.id, v.barber_id, v.duration_minutes AS minutes, v.price_cents, k.name AS barber FROM services v"
        " JOIN barbers k ON k.id = v.barber_id WHERE lower(v.name) = lower(?) AND v.price_cents <= ?",
        [p["service"], p["limit"]],
    )
    halves = world.initial.query(
        "SELECT r.id, r.barber_id, r.starts_at, r.ends_at FROM chair_rentals r WHERE r.day = ? AND r.status = 'active'",
        [p["day"]],
    )
    taken = world.initial.query(
        "SELECT o.chair_rental_id, o.starts_at, o.ends_at FROM appointments o"
        " WHERE o.status IN ('booked', 'confirmed') AND substr(o.starts_at, 1, 10) = ?",
        [p["day"]],
    )
    return _choice(offers, halves, taken, f"{p['day']}T{p['time']}:00")[0]


def goal_books_the_first_or_declines(world, p):
    """Has one new visit with whoever can start first, still to be confirmed, or declined where a rule forbids it."""
    rule = _rule(world, p)
    if rule is not None:
        return world.report.outcome == "refused" and world.report.reason == rule and not world.changes
    way = _way(world, p)
    new = [change["after"] for change in world.changes if change["table"] == "appointments" and change["before"] is None]
    if len(new) != 1 or new[0] is None:
        return False
    names = ("service_id", "chair_rental_id", "starts_at", "ends_at", "price_cents")
    return (
        new[0]["customer_id"] == 1
        and new[0]["status"] == "booked"
        and all(new[0][name] == way[name] for name in names)
    )


def goal_says_barber(world, p):
    """Says with which barber it is, and nobody where it is declined."""
    return world.report.says("barber", None if _rule(world, p) else _way(world, p)["barber"])


def goal_says_start(world, p):
    """Says at what time it starts, and no time where it is declined."""
    return world.report.says("start", None if _rule(world, p) else _way(world, p)["starts_at"][11:16])


def goal_says_price(world, p):
    """Says what it costs, and no price where it is declined."""
    return world.report.says("price", None if _rule(world, p) else _way(world, p)["price_cents"])


def guard_adds_one_visit_only(world, p):
    """Changed nothing but one new visit of the user, and nothing at all where it is declined."""
    if _rule(world, p) is not None:
        return not world.changes
    return len(world.changes) <= 1 and all(
        change["table"] == "appointments" and change["before"] is None and change["after"]["customer_id"] == 1
        for change in world.changes
    )


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or declined under the rule that forbids it."""
    rule = _rule(world, p)
    if rule is not None:
        return world.report.outcome in (None, "refused") and world.report.reason in (None, rule)
    return world.report.outcome in (None, "done") and world.report.reason is None
