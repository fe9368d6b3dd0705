import datetime

OTHERS = (
    "Felix Marlow", "Anton Beck", "Kofi Mensah", "Declan Hurst", "Jonas Weir", "Ravi Pillai",
    "Matteo Conti", "Ewan Lockhart", "Idris Cole", "Piers Nolan",
)


def _add(moment, minutes):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()


def _tomorrow(day):
    return (datetime.date.fromisoformat(day[:10]) + datetime.timedelta(days=1)).isoformat()


def _swaps(visit, offers, halves, taken, saving, without):
    """All ways to have the same for less at the same start with somebody else, the cheapest first."""
    ways = []
    for offer in offers:
        if offer["name"] != visit["service"] or offer["barber_id"] == visit["barber_id"] or offer["barber"] == without:
            continue
        if offer["price_cents"] > visit["price_cents"] - saving:
            continue
        end = _add(visit["starts_at"], offer["minutes"])
        for half in halves:
            if half["barber_id"] != offer["barber_id"] or half["starts_at"] > visit["starts_at"] or half["ends_at"] < end:
                continue
            if any(
                row["chair_rental_id"] == half["id"] and row["starts_at"] < end and row["ends_at"] > visit["starts_at"]
                for row in taken
            ):
                continue
            ways.append(
                {
                    "service_id": offer["id"],
                    "chair_rental_id": half["id"],
                    "starts_at": visit["starts_at"],
                    "ends_at": end,
                    "price_cents": offer["price_cents"],
                    "barber": offer["barber"],
                }
            )
    return sorted(ways, key=lambda way: way["price_cents"])


def _forbids(visit, missed, now):
    """The rule that forbids to give up this visit for a new one at the same time, or None."""
    if _add(now, 240) > visit["starts_at"]:
        return "change_notice"
    if missed >= 2 and visit["starts_at"][:10] > _tomorrow(now):
        return "missed_appointments_block"
    return None


def instances(world, rng):
    """A coming visit that somebody cheaper could take over at its time, or that nobody could and is to be confirmed."""
    now = world.clock
    today = now[:10]
    yesterday = (datetime.date.fromisoformat(today) - datetime.timedelta(days=1)).isoformat()
    offers = world.query(
        "SELECT o.id, o.barber_id, o.name, o.duration_minutes AS minutes, o.price_cents, w.name AS barber"
        " FROM services o JOIN barbers w ON w.id = o.barber_id ORDER BY o.name, o.price_cents, o.id"
    )
    rented = world.query(
        "SELECT d.id, d.barber_id, d.day, d.half, d.starts_at, d.ends_at, d.status FROM chair_rentals d"
        " WHERE d.day >= ? ORDER BY d.day, d.half, d.barber_id",
        [today],
    )
    booked = world.query(
        "SELECT a.id, a.customer_id, a.chair_rental_id, d.barber_id, a.starts_at, a.ends_at, a.price_cents, a.status,"
        " o.name AS service FROM appointments a JOIN chair_rentals d ON d.id = a.chair_rental_id"
        " JOIN services o ON o.id = a.service_id WHERE a.status IN ('booked', 'confirmed') AND a.starts_at > ?"
        " ORDER BY a.starts_at, a.id",
        [now],
    )
    missed = world.one(
        "SELECT count(a.id) AS missed FROM appointments a WHERE a.customer_id = 1 AND a.status = 'missed'"
        " AND a.starts_at > ?",
        [_add(now, -90 * 24 * 60)],
    )["missed"]
    tops = world.one(
        "SELECT max(a.id) AS visit, (SELECT max(d.id) FROM chair_rentals d) AS half,"
        " (SELECT max(c.id) FROM customers c) AS customer FROM appointments a"
    )
    names = {offer["barber_id"]: offer["barber"] for offer in offers}
    for _ in range(1500):
        row_id, half_id, customer_id = tops["visit"], tops["half"], tops["customer"]
        given = {"customers": [], "chair_rentals": [], "appointments": []}
        taken = list(booked)
        mine = [row for row in booked if row["customer_id"] == 1]
        if len(mine) < 2:
            soon = [half for half in rented if half["status"] == "active" and half["day"] <= _tomorrow(now)]
            working = [half for half in rented if half["status"] == "active"]
            half = rng.choice(soon if rng.random() < 0.65 else working)
            offer = rng.choice(
                [row for row in offers if row["barber_id"] == half["barber_id"] and row["name"] != "Children's cut"]
            )
            start = _add(half["starts_at"], 5 * rng.randint(0, 52))
            end = _add(start, offer["minutes"])
            if start <= _add(now, 30) or end > half["ends_at"]:
                continue
            if any(row["chair_rental_id"] == half["id"] and row["starts_at"] < end and row["ends_at"] > start for row in taken):
                continue
            if any(row["starts_at"] < _add(end, 45) and row["ends_at"] > _add(start, -45) for row in mine):
                continue
            row_id += 1
            made = f"{yesterday}T{rng.randint(13, 19)}:{rng.choice((5, 20, 50)):02d}:00"
            sure = rng.random() < 0.3
            given["appointments"].append(
                {
                    "id": row_id, "customer_id": 1, "service_id": offer["id"], "chair_rental_id": half["id"],
                    "starts_at": start, "ends_at": end, "price_cents": offer["price_cents"],
                    "status": "confirmed" if sure else "booked", "booked_at": made,
                    "confirmed_at": _add(made, 25) if sure else None, "cancelled_at": None,
                }
            )
            visit = {
                "id": row_id, "customer_id": 1, "chair_rental_id": half["id"], "barber_id": half["barber_id"],
                "starts_at": start, "ends_at": end, "price_cents": offer["price_cents"],
                "status": "confirmed" if sure else "booked", "service": offer["name"],
            }
            taken.append(visit)
            mine.append(visit)
        else:
            visit = rng.choice(mine)
        day = visit["starts_at"][:10]
        if len([row for row in mine if row["barber_id"] == visit["barber_id"] and row["starts_at"][:10] == day]) != 1:
            continue
        halves = [half for half in rented if half["day"] == day and half["status"] == "active"]
        which = "morning" if visit["starts_at"][11:] < "12:45:00" else "afternoon"
        known = [half["barber_id"] for half in rented if half["day"] == day and half["half"] == which]
        for barber_id in sorted(names):
            if barber_id in known or rng.random() > 0.4:
                continue
            half_id += 1
            opens, closes = ("08:30:00", "12:30:00") if which == "morning" else ("13:00:00", "18:00:00")
            row = {
                "id": half_id, "barber_id": barber_id, "day": day, "half": which,
                "starts_at": f"{day}T{opens}", "ends_at": f"{day}T{closes}", "status": "active", "given_back_at": None,
            }
            given["chair_rentals"].append(row)
            halves.append(row)
        full = rng.choice((0.0, 0.4, 0.7, 1.0))
        for half in halves:
            if half["id"] == visit["chair_rental_id"] or rng.random() > max(full, 0.3):
                continue
            offer = rng.choice([row for row in offers if row["barber_id"] == half["barber_id"]])
            if rng.random() < full:
                start = _add(visit["starts_at"], 5 * rng.randint(2 - offer["minutes"] // 5, 2))
            else:
                start = _add(visit["starts_at"], -offer["minutes"])
            start = max(start, half["starts_at"])
            end = _add(start, offer["minutes"])
            if start <= now or end > half["ends_at"]:
                continue
            if any(row["chair_rental_id"] == half["id"] and row["starts_at"] < end and row["ends_at"] > start for row in taken):
                continue
            row_id += 1
            customer_id += 1
            sure = rng.random() < 0.5
            made = f"{yesterday}T{rng.randint(10, 17)}:{rng.choice((15, 35, 55))}:00"
            given["customers"].append({"id": customer_id, "name": OTHERS[len(given["customers"])], "phone": None})
            row = {
                "id": row_id, "customer_id": customer_id, "service_id": offer["id"], "chair_rental_id": half["id"],
                "starts_at": start, "ends_at": end, "price_cents": offer["price_cents"],
                "status": "confirmed" if sure else "booked", "booked_at": made,
                "confirmed_at": _add(made, 70) if sure else None, "cancelled_at": None,
            }
            given["appointments"].append(row)
            taken.append(row)
        saving = 25 * rng.randint(6, 22)
        without = rng.choice([names[barber_id] for barber_id in sorted(names) if barber_id != visit["barber_id"]])
        cheaper = [
            row for row in offers
            if row["name"] == visit["service"] and row["price_cents"] <= visit["price_cents"] - saving
            and row["barber"] != without
        ]
        if not cheaper:
            continue
        ways = _swaps(visit, offers, halves, taken, saving, without)
        if len(ways) > 1 and ways[0]["price_cents"] == ways[1]["price_cents"]:
            continue
        if not ways and (visit["status"] != "booked" or rng.random() < 0.3):
            continue
        if ways and any(
            row["id"] != visit["id"] and row["starts_at"] < ways[0]["ends_at"] and row["ends_at"] > visit["starts_at"]
            for row in mine
        ):
            continue
        rule = _forbids(visit, missed, now) if ways else None
        yield {
            "p": {
                "today": today, "barber": names[visit["barber_id"]], "day": day, "saving": saving, "without": without,
                "visit": visit["id"], "now": now,
            },
            "given": {table: rows for table, rows in given.items() if rows},
            "kind": "action" if rule is None else "refusal",
            "rule": rule,
        }


def _declined(rule):
    if rule == "change_notice":
        message = "Everything stays as it is: your appointment is less than 4 hours away and can't be cancelled any more."
    else:
        message = (
            "Everything stays as it is: you have missed 2 or more appointments in the past 90 days, "
            "so a new one can be booked for today and tomorrow only."
        )
    return {"outcome": "refused", "answers": {"barber": None, "price": None}, "reason": rule, "message": message}


def solve(tools, p):
    barber = next(row for row in tools.list_barbers()["barbers"] if row["name"] == p["barber"])
    found = tools.list_my_appointments(barber_id=barber["id"], first_day=p["day"], last_day=p["day"])["appointments"]
    mine = next(row for row in found if row["status"] in ("booked", "confirmed"))
    visit = {
        "barber_id": mine["barber_id"], "service": mine["service_name"],
        "starts_at": mine["starts_at"], "price_cents": mine["price_cents"],
    }
    offers = [
        {
            "id": row["id"], "barber_id": row["barber_id"], "barber": row["barber_name"], "name": row["name"],
            "minutes": row["duration_minutes"], "price_cents": row["price_cents"],
        }
        for row in tools.search_services(
            name=mine["service_name"], max_price_cents=mine["price_cents"] - p["saving"]
        )["services"]
    ]
    able = {row["barber_id"] for row in offers if row["name"] == mine["service_name"] and row["barber"] != p["without"]}
    halves = []
    taken = []
    for half in tools.search_chair_rentals(first_day=p["day"], last_day=p["day"], status="active")["chair_rentals"]:
        if half["barber_id"] in able and half["starts_at"] <= mine["starts_at"] < half["ends_at"]:
            halves.append(half)
            for span in tools.get_chair_rental(chair_rental_id=half["id"])["taken_times"]:
                taken.append({"chair_rental_id": half["id"], "starts_at": span["starts_at"], "ends_at": span["ends_at"]})
    ways = _swaps(visit, offers, halves, taken, p["saving"], p["without"])
    if not ways:
        tools.confirm_appointment(appointment_id=mine["id"])
        return {
            "outcome": "done",
            "answers": {"barber": p["barber"], "price": mine["price_cents"]},
            "reason": None,
            "message": (
                f"Nobody cheaper by that much is free at that time, so your appointment with {p['barber']} "
                f"is confirmed, for {mine['price_cents'] / 100:.2f} euros."
            ),
        }
    if tools.get_my_profile()["missed_past_90_days"] >= 2 and p["day"] > _tomorrow(p["today"]):
        return _declined("missed_appointments_block")
    try:
        tools.cancel_appointment(appointment_id=mine["id"])
    except tools.Error:
        return _declined("change_notice")
    tools.book_appointment(service_id=ways[0]["service_id"], starts_at=ways[0]["starts_at"])
    return {
        "outcome": "done",
        "answers": {"barber": ways[0]["barber"], "price": ways[0]["price_cents"]},
        "reason": None,
        "message": (
            f"Your appointment with {p['barber']} is cancelled and you are booked with {ways[0]['barber']} "
            f"at the same time, for {ways[0]['price_cents'] / 100:.2f} euros."
        ),
    }


def _visit(world, p):
    return world.initial.one(
        "SELECT m.id, m.starts_at, m.ends_at, m.price_cents, m.status, o.barber_id, o.name AS service, w.name AS barber"
        " FROM appointments m JOIN services o ON o.id = m.service_id JOIN barbers w ON w.id = o.barber_id"
        " WHERE m.id = ? AND m.customer_id = 1",
        [p["visit"]],
    )


def _swap(world, p):
    """The cheapest swap there is for the visit, or None."""
    visit = _visit(world, p)
    offers = world.initial.query(
        "SELECT o.id, o.barber_id, o.name, o.duration_minutes AS minutes, o.price_cents, w.name AS barber"
        " FROM services o JOIN barbers w ON w.id = o.barber_id WHERE o.name = ? AND o.barber_id <> ?",
        [visit["service"], visit["barber_id"]],
    )
    halves = world.initial.query(
        "SELECT d.id, d.barber_id, d.starts_at, d.ends_at FROM chair_rentals d"
        " WHERE d.status = 'active' AND d.starts_at <= ? AND d.ends_at > ?",
        [visit["starts_at"], visit["starts_at"]],
    )
    taken = world.initial.query(
        "SELECT x.chair_rental_id, x.starts_at, x.ends_at FROM appointments x"
        " WHERE x.status IN ('booked', 'confirmed') AND x.ends_at > ? AND x.id <> ?",
        [visit["starts_at"], visit["id"]],
    )
    ways = _swaps(visit, offers, halves, taken, p["saving"], p["without"])
    return ways[0] if ways else None


def _rule(world, p):
    if _swap(world, p) is None:
        return None
    row = world.initial.one(
        "SELECT count(*) AS missed FROM appointments x WHERE x.customer_id = 1 AND x.status = 'missed'"
        " AND x.starts_at > ?",
        [_add(p["now"], -90 * 24 * 60)],
    )
    return _forbids(_visit(world, p), row["missed"], p["now"])


def goal_settles_the_old_visit(world, p):
    """Has the old visit cancelled where there is a swap and confirmed where there is none, or declined under the rule."""
    rule = _rule(world, p)
    if rule is not None:
        return world.report.outcome == "refused" and world.report.reason == rule and not world.changes
    row = world.final.one("SELECT z.status FROM appointments z WHERE z.id = ?", [p["visit"]])
    return row is not None and row["status"] == ("confirmed" if _swap(world, p) is None else "cancelled")


def goal_has_the_right_bookings(world, p):
    """Has one new visit with the cheapest who is free then, or none where there is no swap or the rule forbids it."""
    swap = _swap(world, p)
    new = [change["after"] for change in world.changes if change["before"] is None]
    if swap is None or _rule(world, p) is not None:
        return world.report.outcome is not None and len(new) == 0
    names = ("service_id", "chair_rental_id", "starts_at", "ends_at", "price_cents")
    return (
        len(new) == 1
        and new[0].get("customer_id") == 1
        and new[0].get("status") == "booked"
        and all(new[0].get(name) == swap[name] for name in names)
    )


def goal_says_barber(world, p):
    """Says with whom it is in the end, and nobody where it is declined."""
    if _rule(world, p) is not None:
        return world.report.says("barber", None)
    return world.report.says("barber", (_swap(world, p) or _visit(world, p))["barber"])


def goal_says_price(world, p):
    """Says what it costs in the end, and nothing where it is declined."""
    if _rule(world, p) is not None:
        return world.report.says("price", None)
    return world.report.says("price", (_swap(world, p) or _visit(world, p))["price_cents"])


def guard_touches_nothing_else(world, p):
    """Changed nothing but the state of the old visit and, where there is a swap, one new visit of the user."""
    if _rule(world, p) is not None:
        return not world.changes
    swap = _swap(world, p)
    allowed = ("status", "confirmed_at") if swap is None else ("status", "cancelled_at")
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "appointments" or after is None:
            return False
        if before is None:
            new += 1
            if swap is None or new > 1 or after["customer_id"] != 1:
                return False
        elif before["id"] != p["visit"] or any(before[name] != after[name] for name in before if name not in allowed):
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or declined under the rule that forbids it."""
    rule = _rule(world, p)
    if rule is not None:
        return world.report.outcome in (None, "refused") and world.report.reason in (None, rule)
    return world.report.outcome in (None, "done") and world.report.reason is None
