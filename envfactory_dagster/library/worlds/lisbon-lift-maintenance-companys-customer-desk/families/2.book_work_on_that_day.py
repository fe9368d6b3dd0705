import datetime

WORKS = (
    ("Lock contacts of all landings", 180, 16800, 14100), ("Pulley of the door belt", 120, 11900, 9800),
    ("Intercom wiring", 150, 9600, 16300), ("Guide rail brackets", 240, 21700, 25600),
    ("Counterweight screen", 210, 24300, 19900), ("Rope equaliser", 300, 39800, 33600),
    ("Bearing of the traction sheave", 330, 47200, 38900), ("Governor with rope", 270, 44100, 29500),
    ("Car sling bolts", 360, 18900, 61700),
)


def _off(day, closed):
    return day.weekday() >= 5 or day.isoformat() in closed


def _go(day, count, closed):
    for _ in range(abs(count)):
        day += datetime.timedelta(days=1 if count > 0 else -1)
        while _off(day, closed):
            day += datetime.timedelta(days=1 if count > 0 else -1)
    return day


def _depend(world, lift, day):
    return world.one(
        "SELECT COUNT(*) AS people FROM dependents d, dependent_lifts x WHERE x.dependent_id = d.id AND x.lift_id = ?"
        " AND d.dependent_status IN ('active', 'provisional') AND (d.valid_until IS NULL OR d.valid_until >= ?)",
        [lift, day],
    )["people"]


def _blocked(world, house, day):
    return world.query(
        "SELECT s.lift_id FROM planned_stops s WHERE s.lift_id IN (SELECT id FROM lifts WHERE building_id = ?)"
        " AND s.stop_status NOT IN ('cancelled', 'lapsed') AND ? BETWEEN substr(s.starts_at, 1, 10)"
        " AND substr(s.ends_at, 1, 10) ORDER BY s.lift_id", [house, day],
    )


def _slot(world, p):
    return world.one(
        "SELECT * FROM stop_slots WHERE lift_id = ? AND work_kind = 'repair' AND duration_minutes = ?"
        " AND substr(starts_at, 1, 10) = ? ORDER BY starts_at LIMIT 1", [p["lift"], p["minutes"], p["day"]],
    )


def instances(world, rng):
    """Approved work that is not booked yet, and a day that is free, that another lift has, or that is too near."""
    lifts = world.query(
        "SELECT l.id, l.entrance, l.building_id AS house, b.address, b.municipality_id AS area, c.vat_rate,"
        " r.customer_role, (SELECT a.customer_id FROM building_roles a WHERE a.building_id = b.id"
        " AND a.customer_role = 'administrator') AS boss, (SELECT COUNT(*) FROM planned_stops s WHERE s.lift_id = l.id"
        " AND s.stop_status IN ('awaiting_alternative', 'confirmed') AND s.starts_at > :now) AS ahead"
        " FROM building_roles r JOIN buildings b ON b.id = r.building_id JOIN lifts l ON l.building_id = b.id"
        " JOIN contracts c ON c.id = l.contract_id WHERE r.customer_id = 1"
        " AND (c.customer_id = 1 OR r.customer_role <> 'shop_owner') AND l.lift_kind IN ('passenger', 'goods')"
        " AND l.lift_status IN ('in_service', 'fault')"
        " AND (SELECT COUNT(*) FROM lifts o WHERE o.building_id = l.building_id AND o.entrance = l.entrance) = 1"
        " AND NOT EXISTS (SELECT 1 FROM contracts d JOIN invoices i ON i.contract_id = d.id WHERE d.building_id = b.id"
        " AND i.invoice_status = 'overdue' AND julianday(i.due_date) < julianday(:now) - 55) ORDER BY l.id",
        {"now": world.clock},
    )
    lifts = [one for one in lifts if one["ahead"] < 3]
    start_ids = {}
    for name, sql in (("quotation", "SELECT MAX(id) AS latest FROM quotations"),
                      ("line", "SELECT MAX(id) AS latest FROM quotation_lines"),
                      ("slot", "SELECT MAX(id) AS latest FROM stop_slots")):
        start_ids[name] = world.one(sql)["latest"] + 1
    titles = {row["title"] for row in world.query("SELECT title FROM quotations")}
    moment = datetime.datetime.fromisoformat(world.clock)
    today = moment.date()
    for _ in range(2500):
        lift = rng.choice(lifts)
        closed = {row["holiday_date"] for row in world.query(
            "SELECT holiday_date FROM holidays WHERE municipality_id IS NULL UNION"
            " SELECT holiday_date FROM holidays WHERE municipality_id = ? ORDER BY holiday_date", [lift["area"]],
        )}
        title, minutes, parts, labour = rng.choice(WORKS)
        wanted = rng.choice(("free", "free", "free", "taken", "near"))
        if wanted == "near":
            minutes = max(minutes, 270)
        day = _go(today, rng.choice((1, 2)) if wanted == "near" else rng.randint(3, 16), closed)
        start = datetime.datetime.combine(day, datetime.time(rng.choice((8, 9, 10, 11)), rng.choice((0, 30))))
        if start + datetime.timedelta(minutes=minutes) > start.replace(hour=18, minute=0):
            continue
        stops = {row["lift_id"] for row in _blocked(world, lift["house"], day.isoformat())}
        people = _depend(world, lift["id"], day.isoformat())
        hours = (start - moment).total_seconds() / 3600
        if lift["id"] in stops or f"{title}, {lift['entrance']}" in titles:
            continue
        if wanted == "taken" and not stops or wanted != "taken" and stops:
            continue
        if minutes > 240 and people and (hours < 48) != (wanted == "near") or wanted == "near" and not people:
            continue
        issued = _go(today, -rng.randint(8, 13), closed)
        asked, approved = _go(issued, -3, closed), _go(issued, 2, closed)
        ready = _go(approved, 4, closed)
        if ready > today:
            continue
        boss = lift["boss"] if lift["customer_role"] == "committee_member" else 1
        given = {
            "quotations": [{
                "id": start_ids["quotation"], "lift_id": lift["id"], "customer_id": boss, "call_out_id": None,
                "inspection_id": None, "work_kind": "repair", "title": f"{title}, {lift['entrance']}",
                "fault_details": f"Noted by the technician: {title.lower()}.", "quotation_status": "approved",
                "safety_level": "none", "fee_cents": 0, "requested_on": asked.isoformat(),
                "issue_due_date": _go(asked, 5, closed).isoformat(), "issued_on": issued.isoformat(),
                "valid_until": (issued + datetime.timedelta(days=30)).isoformat(), "duration_minutes": minutes,
                "vat_rate": lift["vat_rate"], "parts_lead_days": 4, "approved_by_customer_id": boss,
                "approved_at": f"{approved}T{rng.randint(9, 17):02d}:45:00", "minutes_ref": None,
                "minutes_due_date": None, "withdraw_until": f"{_go(approved, 2, closed)}T18:00:00",
                "parts_ordered_at": None, "parts_ready_date": ready.isoformat(),
            }],
            "quotation_lines": [
                {"id": start_ids["line"], "quotation_id": start_ids["quotation"], "line_number": 1,
                 "line_kind": "parts", "line_text": title, "net_cents": parts, "made_to_order": 0},
                {"id": start_ids["line"] + 1, "quotation_id": start_ids["quotation"], "line_number": 2,
                 "line_kind": "labour", "line_text": "Fitting and tests", "net_cents": labour, "made_to_order": 0},
            ],
            "stop_slots": [],
        }
        later = start + datetime.timedelta(hours=3)
        times = [start] + ([later] if later + datetime.timedelta(minutes=minutes) <= start.replace(hour=18, minute=0)
                           and wanted == "free" and rng.random() < 0.5 else [])
        for count in rng.sample(range(1, 19), 4):
            other = _go(today, count, closed)
            if other != day and start.hour * 60 + start.minute + minutes <= 1080:
                times.append(datetime.datetime.combine(other, start.time()))
        for at in sorted(set(times)):
            given["stop_slots"].append({
                "id": start_ids["slot"] + len(given["stop_slots"]), "lift_id": lift["id"], "work_kind": "repair",
                "starts_at": at.isoformat(), "ends_at": (at + datetime.timedelta(minutes=minutes)).isoformat(),
                "duration_minutes": minutes, "surcharge_percent": 0,
            })
        if world.one(
            "SELECT COUNT(*) AS same FROM stop_slots WHERE lift_id = ? AND work_kind = 'repair' AND duration_minutes = ?",
            [lift["id"], minutes],
        )["same"]:
            continue
        rule = {"free": None, "taken": "one_lift_a_day", "near": "long_stop_48_hours"}[wanted]
        instance = {
            "p": {"address": lift["address"], "entrance": lift["entrance"], "work": title, "day": day.isoformat(),
                  "phone": f"+351 9{rng.choice('1236')}{rng.randint(0, 9)} {rng.randint(100, 999)} {rng.randint(100, 999)}",
                  "lift": lift["id"], "house": lift["house"], "minutes": minutes, "rule": rule or "",
                  "quotation": start_ids["quotation"], "long": bool(people) and minutes > 240},
            "given": given,
        }
        if rule:
            instance.update(kind="refusal", rule=rule)
        yield instance


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    lifts = tools.list_lifts(building_id=house["building_id"], page_size=100)["lifts"]
    lift = next(one for one in lifts if one["entrance"] == p["entrance"])
    offers, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_quotations(lift_id=lift["lift_id"], quotation_status="approved", page_size=100, **more)
        offers += page["quotations"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    offer = next(one for one in offers if one["title"].startswith(p["work"]))
    found = tools.find_stop_slots(
        lift_id=lift["lift_id"], work_kind="repair", quotation_id=offer["quotation_id"],
        date_start=p["day"], date_end=p["day"],
    )
    if not found["slots"]:
        taken = any(one["blocked_date"] == p["day"] for one in found["blocked_dates"])
        return {
            "outcome": "refused", "answers": {"stopped_from": None, "stopped_until": None},
            "reason": "one_lift_a_day" if taken else "long_stop_48_hours",
            "message": "It cannot be booked for that day: " + (
                "another lift of the building is stopped for planned work then." if taken else
                "somebody depends on that lift, and so long a stop must be at least 48 hours ahead."),
        }
    slot = min(found["slots"], key=lambda one: one["starts_at"])
    stop = tools.book_planned_stop(
        slot_id=slot["slot_id"], quotation_id=offer["quotation_id"], site_contact_phone=p["phone"].replace(" ", "")
    )
    first, last = stop["starts_at"][11:16], stop["ends_at"][11:16]
    return {
        "outcome": "done", "answers": {"stopped_from": first, "stopped_until": last}, "reason": None,
        "message": f"{p['work']} is booked for {p['day']}; the lift is stopped from {first} to {last}.",
    }


def _booked(world):
    return [change["after"] for change in world.changes if change["table"] == "planned_stops" and not change["before"]]


def goal_books_the_work_for_that_day(world, p):
    """Has one stop for that work on that day, at the first time to be had, with the phone for access."""
    if p["rule"]:
        return world.report.outcome == "refused" and world.report.reason == p["rule"]
    made, slot = _booked(world), _slot(world.initial, p)
    wanted = {
        "lift_id": p["lift"], "customer_id": 1, "slot_id": slot["id"], "quotation_id": p["quotation"],
        "work_kind": "repair", "starts_at": slot["starts_at"], "ends_at": slot["ends_at"],
        "duration_minutes": p["minutes"], "site_contact_phone": p["phone"].replace(" ", ""),
        "stop_status": "awaiting_alternative" if p["long"] else "confirmed",
    }
    return len(made) == 1 and all(made[0][column] == value for column, value in wanted.items())


def goal_says_from_when_the_lift_is_stopped(world, p):
    """Says from when the lift is stopped, or nothing where that day is out."""
    time = None if p["rule"] else _slot(world.initial, p)["starts_at"][11:16]
    return world.report.outcome is not None and world.report.says("stopped_from", time)


def goal_says_until_when_the_lift_is_stopped(world, p):
    """Says until when the lift is stopped, or nothing where that day is out."""
    time = None if p["rule"] else _slot(world.initial, p)["ends_at"][11:16]
    return world.report.outcome is not None and world.report.says("stopped_until", time)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where a rule forbids that day."""
    return world.report.outcome in (None, "refused" if p["rule"] else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule that forbids that day, and no reason otherwise."""
    return world.report.reason in (None, p["rule"] or None)


def guard_adds_one_stop_only(world, p):
    """Changed nothing but one new stop for that work."""
    return len(world.changes) <= (0 if p["rule"] else 1) and all(
        change["table"] == "planned_stops" and change["before"] is None and change["after"]["lift_id"] == p["lift"]
        for change in world.changes
    )
