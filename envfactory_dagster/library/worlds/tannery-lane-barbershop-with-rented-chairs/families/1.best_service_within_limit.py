import datetime

GUESTS = ("Hugo Farley", "Samir Nasser", "Craig Dobbs", "Leon Vasik", "Amos Tetteh", "Rory Quill")
AVOIDED = ("skin fade", "hot towel shave", "haircut with beard trim")
CHILD = "children's cut"


def _after(moment, minutes):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()


def _best(menu, start, closes, others, limit, avoid):
    """The dearest service within the limit that is not left out and fits at this start, or None."""
    fitting = []
    for row in menu:
        if row["name"].lower() in (CHILD, avoid.lower()) or row["price_cents"] > limit:
            continue
        end = _after(start, row["minutes"])
        if end > closes or any(span[0] < end and span[1] > start for span in others):
            continue
        fitting.append(row)
    if not fitting:
        return None
    return max(fitting, key=lambda row: row["price_cents"])


def instances(world, rng):
    """A limit, a service left out and a last day, so that one coming visit or more gets another service."""
    now = world.clock
    yesterday = (datetime.date.fromisoformat(now[:10]) - datetime.timedelta(days=1)).isoformat()
    menu = world.query(
        "SELECT s.id, s.barber_id, s.name, s.duration_minutes AS minutes, s.price_cents FROM services s"
        " ORDER BY s.barber_id, s.price_cents"
    )
    rented = world.query(
        "SELECT r.id, r.barber_id, r.day, r.starts_at, r.ends_at FROM chair_rentals r"
        " WHERE r.status = 'active' AND r.day >= ? ORDER BY r.id",
        [now[:10]],
    )
    booked = world.query(
        "SELECT a.id, a.customer_id, a.service_id, a.chair_rental_id, a.starts_at, a.ends_at, a.price_cents"
        " FROM appointments a WHERE a.status IN ('booked', 'confirmed') AND a.starts_at > ? ORDER BY a.starts_at",
        [now],
    )
    top_customer = world.one("SELECT max(c.id) AS n FROM customers c")["n"]
    top_visit = world.one("SELECT max(a.id) AS n FROM appointments a")["n"]
    by_id = {half["id"]: half for half in rented}
    for _ in range(900):
        row_id, customer_id = top_visit, top_customer
        given = {"customers": [], "appointments": []}
        taken = list(booked)
        mine = [row for row in booked if row["customer_id"] == 1]
        if len(mine) < 2 and rng.random() < 0.9:
            half = rng.choice(rented)
            service = rng.choice([row for row in menu if row["barber_id"] == half["barber_id"] and row["name"].lower() != CHILD])
            start = _after(half["starts_at"], 5 * rng.randint(0, 48))
            end = _after(start, service["minutes"])
            if start <= _after(now, 15) or end > half["ends_at"] or any(row["chair_rental_id"] == half["id"] for row in mine):
                continue
            if any(row["chair_rental_id"] == half["id"] and row["starts_at"] < end and row["ends_at"] > start for row in taken):
                continue
            if any(row["starts_at"] < _after(end, 75) and row["ends_at"] > _after(start, -75) for row in mine):
                continue
            row_id += 1
            made = f"{yesterday}T{rng.randint(13, 19)}:{rng.choice((10, 30, 50))}:00"
            sure = rng.random() < 0.5
            row = {
                "id": row_id, "customer_id": 1, "service_id": service["id"], "chair_rental_id": half["id"],
                "starts_at": start, "ends_at": end, "price_cents": service["price_cents"],
                "status": "confirmed" if sure else "booked", "booked_at": made,
                "confirmed_at": _after(made, 20) if sure else None, "cancelled_at": None,
            }
            given["appointments"].append(row)
            taken.append(row)
            mine.append(row)
        for visit in mine:
            half = by_id[visit["chair_rental_id"]]
            if rng.random() < 0.35:
                continue
            service = rng.choice([row for row in menu if row["barber_id"] == half["barber_id"]])
            start = _after(visit["ends_at"], 5 * rng.randint(0, 7))
            end = _after(start, service["minutes"])
            if end > half["ends_at"] or any(
                row["chair_rental_id"] == half["id"] and row["starts_at"] < end and row["ends_at"] > start for row in taken
            ):
                continue
            row_id += 1
            customer_id += 1
            given["customers"].append({"id": customer_id, "name": GUESTS[len(given["customers"])], "phone": None})
            row = {
                "id": row_id, "customer_id": customer_id, "service_id": service["id"], "chair_rental_id": half["id"],
                "starts_at": start, "ends_at": end, "price_cents": service["price_cents"], "status": "booked",
                "booked_at": f"{yesterday}T{rng.randint(10, 18)}:{rng.choice((15, 40))}:00",
                "confirmed_at": None, "cancelled_at": None,
            }
            given["appointments"].append(row)
            taken.append(row)
        limit = 50 * rng.randint(36, 86)
        avoid = rng.choice(AVOIDED)
        final_day = max(row["starts_at"][:10] for row in mine)
        if rng.random() < 0.35:
            final_day = min(row["starts_at"][:10] for row in mine)
        until = (datetime.date.fromisoformat(final_day) + datetime.timedelta(days=rng.randint(0, 9))).isoformat()
        changed = 0
        for visit in mine:
            if visit["starts_at"][:10] > until:
                continue
            half = by_id[visit["chair_rental_id"]]
            others = [
                (row["starts_at"], row["ends_at"]) for row in taken
                if row["chair_rental_id"] == half["id"] and row["id"] != visit["id"]
            ]
            own_menu = [row for row in menu if row["barber_id"] == half["barber_id"]]
            best = _best(own_menu, visit["starts_at"], half["ends_at"], others, limit, avoid)
            if best is not None and best["id"] != visit["service_id"]:
                changed += 1
        if changed == 0:
            continue
        yield {
            "p": {"limit": limit, "avoid": avoid, "until": until, "now": now},
            "given": {table: rows for table, rows in given.items() if rows},
        }


def solve(tools, p):
    visits = []
    for status in ("booked", "confirmed"):
        visits += tools.list_my_appointments(status=status, last_day=p["until"])["appointments"]
    changed = 0
    total = 0
    parts = []
    for visit in sorted(visits, key=lambda row: row["starts_at"]):
        half = tools.get_chair_rental(chair_rental_id=visit["chair_rental_id"])
        others = [
            (span["starts_at"], span["ends_at"]) for span in half["taken_times"]
            if span["starts_at"] != visit["starts_at"]
        ]
        menu = [
            {"id": row["id"], "name": row["name"], "minutes": row["duration_minutes"], "price_cents": row["price_cents"]}
            for row in tools.search_services(barber_id=visit["barber_id"])["services"]
        ]
        best = _best(menu, visit["starts_at"], half["ends_at"], others, p["limit"], p["avoid"])
        price = visit["price_cents"]
        name = visit["service_name"]
        if best is not None and best["id"] != visit["service_id"]:
            tools.change_appointment_service(appointment_id=visit["id"], service_id=best["id"])
            changed += 1
            price = best["price_cents"]
            name = best["name"]
        total += price
        parts.append(f"{name} with {visit['barber_name']}")
    return {
        "outcome": "done",
        "answers": {"changed": changed, "total": total},
        "reason": None,
        "message": (
            f"{changed} of your appointments got another service. You now have: {', '.join(parts)}; "
            f"that is {total / 100:.2f} euros in all."
        ),
    }


def _plan(world, p):
    """For every visit meant, its row as it was and as it has to be."""
    plan = []
    visits = world.initial.query(
        "SELECT m.id, m.service_id, m.chair_rental_id, m.starts_at, m.ends_at, m.price_cents, h.barber_id,"
        " h.ends_at AS closes FROM appointments m JOIN chair_rentals h ON h.id = m.chair_rental_id"
        " WHERE m.customer_id = 1 AND m.status IN ('booked', 'confirmed') AND m.starts_at > ?"
        " AND substr(m.starts_at, 1, 10) <= ? ORDER BY m.starts_at",
        [p["now"], p["until"]],
    )
    for visit in visits:
        menu = world.initial.query(
            "SELECT s.id, s.name, s.duration_minutes AS minutes, s.price_cents FROM services s WHERE s.barber_id = ?",
            [visit["barber_id"]],
        )
        others = world.initial.query(
            "SELECT o.starts_at, o.ends_at FROM appointments o WHERE o.chair_rental_id = ? AND o.id <> ?"
            " AND o.status IN ('booked', 'confirmed')",
            [visit["chair_rental_id"], visit["id"]],
        )
        spans = [(row["starts_at"], row["ends_at"]) for row in others]
        best = _best(menu, visit["starts_at"], visit["closes"], spans, p["limit"], p["avoid"])
        wanted = {"service_id": visit["service_id"], "ends_at": visit["ends_at"], "price_cents": visit["price_cents"]}
        if best is not None and best["id"] != visit["service_id"]:
            wanted = {
                "service_id": best["id"],
                "ends_at": _after(visit["starts_at"], best["minutes"]),
                "price_cents": best["price_cents"],
            }
        plan.append((visit, wanted))
    return plan


def goal_every_visit_has_its_service(world, p):
    """Has every visit meant with the service that is right for it, with its end and its price."""
    for visit, wanted in _plan(world, p):
        row = world.final.one(
            "SELECT f.service_id, f.ends_at, f.price_cents FROM appointments f WHERE f.id = ?", [visit["id"]]
        )
        if row is None or any(row[name] != wanted[name] for name in wanted):
            return False
    return True


def goal_says_how_many_changed(world, p):
    """Says how many visits got another service."""
    return world.report.says(
        "changed", sum(wanted["service_id"] != visit["service_id"] for visit, wanted in _plan(world, p))
    )


def goal_says_total(world, p):
    """Says what all the visits meant cost together afterwards."""
    return world.report.says("total", sum(wanted["price_cents"] for visit, wanted in _plan(world, p)))


def guard_changes_service_of_these_only(world, p):
    """Changed nothing but service, end and price of the visits that get another service."""
    ids = [visit["id"] for visit, wanted in _plan(world, p) if wanted["service_id"] != visit["service_id"]]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "appointments" or before is None or after is None or before["id"] not in ids:
            return False
        if any(before[name] != after[name] for name in before if name not in ("service_id", "ends_at", "price_cents")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule forbids it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
