import datetime

NAMES = (
    "Owain Pritchard", "Callum Reeve", "Dev Malhotra", "Stefan Ilic", "Marcus Eddowes", "Tobias Lunn",
    "Hamish Orr", "Rafael Pinto", "Edwin Quaye", "Joel Whitcombe", "Pavel Simek", "Aidan Starling",
)


def _shift(moment, minutes):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()


def _length(row):
    span = datetime.datetime.fromisoformat(row["ends_at"]) - datetime.datetime.fromisoformat(row["starts_at"])
    return int(span.total_seconds() // 60)


def _too_late(visit, now):
    return _shift(now, 240) > visit["starts_at"]


def _fits(half, visit):
    """Start and end of the visit at its own hour in this half-day, or None where they lie outside it."""
    start = half["day"] + visit["starts_at"][10:]
    end = _shift(start, _length(visit))
    if start < half["starts_at"] or end > half["ends_at"]:
        return None
    return start, end


def _new_place(visit, halves, taken, first, last):
    """The same hour on the first day with room for it, or None. The half-days are those of the visit's barber."""
    for half in sorted(halves, key=lambda row: row["starts_at"]):
        if half["status"] != "active" or not first <= half["day"] <= last:
            continue
        span = _fits(half, visit)
        if span is None:
            continue
        if any(
            row["chair_rental_id"] == half["id"] and row["starts_at"] < span[1] and row["ends_at"] > span[0]
            for row in taken
        ):
            continue
        return {"chair_rental_id": half["id"], "starts_at": span[0], "ends_at": span[1]}
    return None


def _other_customer(rng, half, service, start, row_id, customer_id, now):
    """A row of an appointment of somebody else, made some days ago."""
    day = datetime.date.fromisoformat(now[:10]) - datetime.timedelta(days=rng.randint(1, 7))
    booked_at = f"{day.isoformat()}T{rng.randint(10, 17)}:{rng.choice((10, 20, 35, 50))}:00"
    status = rng.choice(("booked", "confirmed", "confirmed"))
    return {
        "id": row_id,
        "customer_id": customer_id,
        "service_id": service["id"],
        "chair_rental_id": half["id"],
        "starts_at": start,
        "ends_at": _shift(start, service["minutes"]),
        "price_cents": service["price_cents"],
        "status": status,
        "booked_at": booked_at,
        "confirmed_at": _shift(booked_at, 65) if status == "confirmed" else None,
        "cancelled_at": None,
    }


def instances(world, rng):
    """A coming visit and a period after it; some have a day with room at the same hour, some none, some come too late."""
    now = world.clock
    today = datetime.date.fromisoformat(now[:10])
    barbers = world.query("SELECT b.id, b.name FROM barbers b ORDER BY b.id")
    menu = world.query(
        "SELECT v.id, v.barber_id, v.name, v.duration_minutes AS minutes, v.price_cents FROM services v ORDER BY v.id"
    )
    rented = world.query(
        "SELECT c.id, c.barber_id, c.day, c.half, c.starts_at, c.ends_at, c.status FROM chair_rentals c"
        " ORDER BY c.starts_at, c.id"
    )
    booked = world.query(
        "SELECT a.id, a.customer_id, a.chair_rental_id, c.barber_id, a.starts_at, a.ends_at FROM appointments a"
        " JOIN chair_rentals c ON c.id = a.chair_rental_id WHERE a.status IN ('booked', 'confirmed')"
        " ORDER BY a.starts_at, a.id"
    )
    tops = world.one(
        "SELECT (SELECT max(id) FROM customers) AS customer, (SELECT max(id) FROM chair_rentals) AS half,"
        " (SELECT max(id) FROM appointments) AS visit"
    )
    names = {barber["id"]: barber["name"] for barber in barbers}
    for _ in range(600):
        half_id, row_id, customer_id = tops["half"], tops["visit"], tops["customer"]
        given = {"customers": [], "chair_rentals": [], "appointments": []}
        halves = list(rented)
        taken = list(booked)
        mine = [row for row in booked if row["customer_id"] == 1 and row["starts_at"] > now]
        if len(mine) < 2 and rng.random() < 0.85:
            soon = [half for half in rented if half["status"] == "active" and half["day"] >= now[:10]]
            half = rng.choice(soon)
            service = rng.choice(
                [row for row in menu if row["barber_id"] == half["barber_id"] and row["name"] != "Children's cut"]
            )
            start = _shift(half["starts_at"], 5 * rng.randint(0, 50))
            end = _shift(start, service["minutes"])
            if start <= _shift(now, 10) or end > half["ends_at"]:
                continue
            if any(
                (row["barber_id"] == half["barber_id"] or row["customer_id"] == 1)
                and row["starts_at"] < _shift(end, 20)
                and row["ends_at"] > _shift(start, -20)
                for row in taken
            ):
                continue
            row_id += 1
            made = f"{(today - datetime.timedelta(days=1)).isoformat()}T{rng.randint(13, 18)}:{rng.choice((15, 30, 45))}:00"
            status = rng.choice(("booked", "confirmed"))
            given["appointments"].append(
                {
                    "id": row_id,
                    "customer_id": 1,
                    "service_id": service["id"],
                    "chair_rental_id": half["id"],
                    "starts_at": start,
                    "ends_at": end,
                    "price_cents": service["price_cents"],
                    "status": status,
                    "booked_at": made,
                    "confirmed_at": _shift(made, 90) if status == "confirmed" else None,
                    "cancelled_at": None,
                }
            )
            extra = {
                "id": row_id, "customer_id": 1, "chair_rental_id": half["id"], "barber_id": half["barber_id"],
                "starts_at": start, "ends_at": end,
            }
            mine.append(extra)
            taken.append(extra)
            visit = extra
        else:
            visit = rng.choice(mine)
        day = visit["starts_at"][:10]
        if len([row for row in mine if row["barber_id"] == visit["barber_id"] and row["starts_at"][:10] == day]) != 1:
            continue
        late = _too_late(visit, now)
        if late and rng.random() < 0.4:
            continue
        last_known = datetime.date.fromisoformat(max(half["day"] for half in rented))
        for ahead in range(1, 15):
            later = last_known + datetime.timedelta(days=ahead)
            for half in ("morning", "afternoon"):
                if later.weekday() in (0, 6) or rng.random() > 0.45:
                    continue
                half_id += 1
                back = rng.random() < 0.2
                opens, closes = ("08:30:00", "12:30:00") if half == "morning" else ("13:00:00", "18:00:00")
                row = {
                    "id": half_id,
                    "barber_id": visit["barber_id"],
                    "day": later.isoformat(),
                    "half": half,
                    "starts_at": f"{later.isoformat()}T{opens}",
                    "ends_at": f"{later.isoformat()}T{closes}",
                    "status": "given_back" if back else "active",
                    "given_back_at": f"{(today - datetime.timedelta(days=2)).isoformat()}T18:15:00" if back else None,
                }
                given["chair_rentals"].append(row)
                halves.append(row)
        begin = datetime.date.fromisoformat(day) + datetime.timedelta(days=rng.randint(1, 8))
        first = begin.isoformat()
        last = (begin + datetime.timedelta(days=rng.randint(2, 12))).isoformat()
        own = [half for half in halves if half["barber_id"] == visit["barber_id"]]
        window = [
            half for half in own
            if half["status"] == "active" and first <= half["day"] <= last and _fits(half, visit) is not None
        ]
        if len(window) < 2 or last > max(half["day"] for half in halves):
            continue
        blocked_share = rng.choice((0.5, 0.75, 1.0))
        menu_here = [row for row in menu if row["barber_id"] == visit["barber_id"]]
        for half in window:
            start, end = _fits(half, visit)
            service = rng.choice(menu_here)
            if rng.random() < blocked_share:
                begins = _shift(start, 5 * rng.randint(1 - service["minutes"] // 5, _length(visit) // 5 - 1))
            else:
                begins = rng.choice((_shift(start, -service["minutes"]), end))
            ends = _shift(begins, service["minutes"])
            if begins < half["starts_at"] or ends > half["ends_at"]:
                begins, ends = start, _shift(start, service["minutes"])
                if ends > half["ends_at"] or blocked_share < 1.0:
                    continue
            if any(
                row["chair_rental_id"] == half["id"] and row["starts_at"] < ends and row["ends_at"] > begins
                for row in taken
            ):
                continue
            if len(given["customers"]) >= len(NAMES):
                break
            customer_id += 1
            row_id += 1
            given["customers"].append({"id": customer_id, "name": NAMES[len(given["customers"])], "phone": None})
            row = _other_customer(rng, half, service, begins, row_id, customer_id, now)
            given["appointments"].append(row)
            taken.append(row)
        place = _new_place(visit, own, taken, first, last)
        if place is not None and any(
            row["id"] != visit["id"] and row["starts_at"] < place["ends_at"] and row["ends_at"] > place["starts_at"]
            for row in mine
        ):
            continue
        p = {
            "barber": names[visit["barber_id"]], "day": day, "first": first, "last": last,
            "visit": visit["id"], "now": now,
        }
        given = {table: rows for table, rows in given.items() if rows}
        if late:
            yield {"p": p, "given": given, "kind": "refusal", "rule": "change_notice"}
        else:
            yield {"p": p, "given": given, "kind": "action", "rule": None}


def solve(tools, p):
    barber = next(row for row in tools.list_barbers()["barbers"] if row["name"] == p["barber"])
    visits = tools.list_my_appointments(barber_id=barber["id"], first_day=p["day"], last_day=p["day"])["appointments"]
    visit = next(row for row in visits if row["status"] in ("booked", "confirmed"))
    halves = tools.search_chair_rentals(
        barber_id=barber["id"], first_day=p["first"], last_day=p["last"], status="active"
    )["chair_rentals"]
    taken = []
    place = None
    for half in halves:
        if _fits(half, visit) is None:
            continue
        for time in tools.get_chair_rental(chair_rental_id=half["id"])["taken_times"]:
            taken.append({"chair_rental_id": half["id"], "starts_at": time["starts_at"], "ends_at": time["ends_at"]})
        place = _new_place(visit, [half], taken, p["first"], p["last"])
        if place is not None:
            break
    try:
        if place is not None:
            tools.move_appointment(appointment_id=visit["id"], starts_at=place["starts_at"])
        else:
            tools.cancel_appointment(appointment_id=visit["id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"new_day": None},
            "reason": "change_notice",
            "message": (
                f"Your appointment with {p['barber']} stays as it is: it is less than 4 hours away, "
                "and until 4 hours before it could have been moved or cancelled."
            ),
        }
    if place is None:
        message = f"{p['barber']} has no room at that time of day in those days, so your appointment is cancelled."
    else:
        message = f"Your appointment with {p['barber']} is moved to {place['starts_at'][:10]} at {place['starts_at'][11:16]}."
    return {
        "outcome": "done",
        "answers": {"new_day": None if place is None else place["starts_at"][:10]},
        "reason": None,
        "message": message,
    }


def _before(world, p):
    return world.initial.one(
        "SELECT a.id, a.service_id, a.chair_rental_id, a.starts_at, a.ends_at, a.price_cents, a.status, a.confirmed_at,"
        " c.barber_id FROM appointments a JOIN chair_rentals c ON c.id = a.chair_rental_id"
        " WHERE a.id = ? AND a.customer_id = 1",
        [p["visit"]],
    )


def _refused(world, p):
    return _too_late(_before(world, p), p["now"])


def _place(world, p):
    visit = _before(world, p)
    halves = world.initial.query(
        "SELECT h.id, h.day, h.starts_at, h.ends_at, h.status FROM chair_rentals h WHERE h.barber_id = ?"
        " AND h.day BETWEEN ? AND ? AND h.status = 'active' ORDER BY h.starts_at",
        [visit["barber_id"], p["first"], p["last"]],
    )
    taken = world.initial.query(
        "SELECT o.chair_rental_id, o.starts_at, o.ends_at FROM appointments o"
        " JOIN chair_rentals h ON h.id = o.chair_rental_id"
        " WHERE h.barber_id = ? AND o.status IN ('booked', 'confirmed') AND o.id <> ?",
        [visit["barber_id"], p["visit"]],
    )
    return _new_place(visit, halves, taken, p["first"], p["last"])


def goal_moves_cancels_or_declines(world, p):
    """Has the visit at its hour on the first day with room, or cancelled where there is none, or declined within 4 hours."""
    if _refused(world, p):
        return world.report.outcome == "refused" and world.report.reason == "change_notice" and not world.changes
    place = _place(world, p)
    row = world.final.one(
        "SELECT f.chair_rental_id, f.starts_at, f.ends_at, f.status FROM appointments f WHERE f.id = ?", [p["visit"]]
    )
    if row is None:
        return False
    if place is None:
        return row["status"] == "cancelled"
    return row["status"] == _before(world, p)["status"] and all(row[name] == place[name] for name in place)


def goal_says_new_day(world, p):
    """Says to which day the visit is moved, and no day where it is not moved."""
    place = None if _refused(world, p) else _place(world, p)
    return world.report.says("new_day", None if place is None else place["starts_at"][:10])


def guard_changes_this_visit_only(world, p):
    """Changed nothing but the place of this visit, or its state where it is to be cancelled; nothing where declined."""
    if _refused(world, p):
        return not world.changes
    if _place(world, p) is None:
        allowed = ("status", "cancelled_at")
    else:
        allowed = ("chair_rental_id", "starts_at", "ends_at")
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "appointments" or before is None or after is None or before["id"] != p["visit"]:
            return False
        if any(before[name] != after[name] for name in before if name not in allowed):
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or declined under the rule on late changes."""
    if _refused(world, p):
        return world.report.outcome in (None, "refused") and world.report.reason in (None, "change_notice")
    return world.report.outcome in (None, "done") and world.report.reason is None
