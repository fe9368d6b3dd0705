import datetime

EVENTS = (
    "the removal men", "the kitchen fitters", "the piano movers", "the men with the hospital bed",
    "the new tenants and their furniture", "the people who deliver the wardrobe", "the men with the new boiler",
)
WORKS = (
    ("Landing door rollers", 120, 14800, 11900), ("Car fan and lamp", 90, 9700, 8300),
    ("Landing call panel", 150, 21600, 14200), ("Lock contacts", 120, 16200, 12700),
    ("Buffer in the pit", 180, 24900, 18400), ("Car door guide shoes", 180, 19800, 17100),
    ("Travelling cable clamps", 240, 27300, 26200), ("Floor covering of the car", 240, 23400, 21800),
)


def _date(text):
    return datetime.date.fromisoformat(text[:10])


def _closed_days(world, area):
    return {row["day"] for row in world.query(
        "SELECT holiday_date AS day FROM holidays WHERE COALESCE(municipality_id, :area) = :area ORDER BY holiday_date",
        {"area": area},
    )}


def _open(day, closed):
    return day.weekday() < 5 and day.isoformat() not in closed


def _step(day, count, closed):
    one = datetime.timedelta(days=1 if count > 0 else -1)
    left = abs(count)
    while left:
        day += one
        left -= _open(day, closed)
    return day


def _first_slot(world, p, rows=()):
    """The earliest free slot for that stop in the wanted days; rows are slots that are not in the database yet."""
    found = world.query(
        "SELECT t.id, t.starts_at, t.ends_at, t.duration_minutes FROM stop_slots t WHERE t.lift_id = :lift"
        " AND t.work_kind = :kind AND t.duration_minutes = :minutes"
        " AND substr(t.starts_at, 1, 10) BETWEEN :after AND :before AND NOT EXISTS (SELECT 1 FROM planned_stops b"
        " WHERE b.slot_id = t.id AND b.stop_status NOT IN ('cancelled', 'lapsed')) ORDER BY t.starts_at",
        {"lift": p["lift"], "kind": p["kind"], "minutes": p["minutes"], "after": p["after"], "before": p["before"]},
    )
    found += [row for row in rows if p["after"] <= row["starts_at"][:10] <= p["before"]]
    for slot in sorted(found, key=lambda row: row["starts_at"]):
        clash = world.one(
            "SELECT s.id FROM planned_stops s JOIN lifts l ON l.id = s.lift_id WHERE l.building_id = :building"
            " AND s.id <> :stop AND s.stop_status IN ('awaiting_alternative', 'confirmed', 'in_progress', 'done')"
            " AND substr(s.starts_at, 1, 10) <= :day AND substr(s.ends_at, 1, 10) >= :day LIMIT 1",
            {"building": p["building"], "stop": p["stop"], "day": slot["starts_at"][:10]},
        )
        if clash is None:
            return slot
    return None


def instances(world, rng):
    """A short stop on a day on which the lift is needed, and days in which it could be had instead."""
    lifts = world.query(
        "SELECT l.id, l.building_id, l.entrance, l.lift_status, b.address, b.municipality_id, c.vat_rate,"
        " (SELECT a.customer_id FROM building_roles a WHERE a.building_id = b.id"
        " AND a.customer_role = 'administrator') AS administrator, r.customer_role, u.phone"
        " FROM lifts l JOIN buildings b ON b.id = l.building_id JOIN contracts c ON c.id = l.contract_id"
        " JOIN customers u ON u.id = 1 JOIN building_roles r ON r.building_id = b.id AND r.customer_id = u.id"
        " WHERE (r.customer_role <> 'shop_owner' OR c.customer_id = 1) AND l.lift_kind IN ('passenger', 'goods') AND l.lift_status IN ('in_service', 'planned_stop')"
        " AND (SELECT COUNT(*) FROM lifts o WHERE o.building_id = b.id AND o.entrance = l.entrance) = 1"
        " AND NOT EXISTS (SELECT 1 FROM invoices i JOIN contracts d ON d.id = i.contract_id"
        " WHERE d.building_id = b.id AND i.invoice_status = 'overdue' AND i.due_date < date(:now, '-55 days'))"
        " ORDER BY l.id",
        {"now": world.clock},
    )
    visits = world.query(
        "SELECT s.id, s.lift_id, s.starts_at, s.duration_minutes, s.work_kind, s.moves_used FROM planned_stops s"
        " WHERE s.stop_status = 'confirmed' AND s.duration_minutes <= 240 AND s.starts_at > ?"
        " AND s.work_kind IN ('maintenance', 'repair') ORDER BY s.id",
        [world.clock],
    )
    top = {name: world.one(sql)["n"] + 1 for name, sql in (
        ("stop", "SELECT MAX(id) AS n FROM planned_stops"), ("slot", "SELECT MAX(id) AS n FROM stop_slots"),
        ("quotation", "SELECT MAX(id) AS n FROM quotations"), ("line", "SELECT MAX(id) AS n FROM quotation_lines"),
    )}
    now, today = datetime.datetime.fromisoformat(world.clock), _date(world.clock)
    for _ in range(1500):
        lift = rng.choice(lifts)
        closed = _closed_days(world, lift["municipality_id"])
        near = rng.random() < 0.3
        given = {"quotations": [], "quotation_lines": [], "stop_slots": [], "planned_stops": []}
        mine = [one for one in visits if one["lift_id"] == lift["id"]]
        if mine and rng.random() < 0.45 and not near:
            stop = dict(rng.choice(mine))
        else:
            title, minutes, parts, labour = rng.choice(WORKS)
            day = _step(today, rng.choice((1, 1, 2)) if near else rng.randint(3, 14), closed)
            start = datetime.datetime.combine(day, datetime.time(rng.choice((8, 9, 10, 11, 13, 14)), rng.choice((0, 30))))
            if start + datetime.timedelta(minutes=minutes) > start.replace(hour=18, minute=0) or start <= now:
                continue
            asked = today - datetime.timedelta(days=rng.randint(24, 33))
            while not _open(asked, closed):
                asked -= datetime.timedelta(days=1)
            issued, approved = _step(asked, rng.randint(2, 5), closed), _step(asked, rng.randint(6, 9), closed)
            ready = _step(approved, 4, closed)
            if ready >= today or (approved - issued).days < 1:
                continue
            stop = {"id": top["stop"], "lift_id": lift["id"], "starts_at": start.isoformat(), "work_kind": "repair",
                    "duration_minutes": minutes, "moves_used": rng.choice((0, 0, 1, 2, 2, 3))}
            name = f"{title}, {lift['entrance']}"
            given["quotations"].append({
                "id": top["quotation"], "lift_id": lift["id"], "customer_id": 1, "call_out_id": None,
                "inspection_id": None, "work_kind": "repair", "title": name,
                "fault_details": f"Asked for at maintenance: {title.lower()}.", "quotation_status": "approved",
                "safety_level": "none", "fee_cents": 0, "requested_on": asked.isoformat(),
                "issue_due_date": _step(asked, 5, closed).isoformat(), "issued_on": issued.isoformat(),
                "valid_until": (issued + datetime.timedelta(days=30)).isoformat(), "duration_minutes": minutes,
                "vat_rate": lift["vat_rate"], "parts_lead_days": 4,
                "approved_by_customer_id": 1 if lift["customer_role"] != "committee_member" else lift["administrator"],
                "approved_at": f"{approved}T{rng.randint(9, 17):02d}:20:00", "minutes_ref": None,
                "minutes_due_date": None, "withdraw_until": f"{_step(approved, 2, closed)}T18:00:00",
                "parts_ordered_at": None, "parts_ready_date": ready.isoformat(),
            })
            given["quotation_lines"] += [
                {"id": top["line"], "quotation_id": top["quotation"], "line_number": 1, "line_kind": "parts",
                 "line_text": title, "net_cents": parts, "made_to_order": 0},
                {"id": top["line"] + 1, "quotation_id": top["quotation"], "line_number": 2, "line_kind": "labour",
                 "line_text": "Fitting and test run", "net_cents": labour, "made_to_order": 0},
            ]
            given["stop_slots"].append({
                "id": top["slot"], "lift_id": lift["id"], "work_kind": "repair", "starts_at": stop["starts_at"],
                "ends_at": (start + datetime.timedelta(minutes=minutes)).isoformat(), "duration_minutes": minutes,
                "surcharge_percent": 0,
            })
            given["planned_stops"].append({
                "id": top["stop"], "lift_id": lift["id"], "customer_id": 1, "slot_id": top["slot"],
                "quotation_id": top["quotation"], "inspection_id": None, "work_kind": "repair",
                "starts_at": stop["starts_at"], "ends_at": given["stop_slots"][0]["ends_at"],
                "duration_minutes": minutes, "stop_status": "confirmed", "site_contact_phone": lift["phone"],
                "notice_sent_at": None, "moves_used": stop["moves_used"],
                "move_reason": "Nobody was there to open the machine room." if stop["moves_used"] else None,
                "deposit_cents": 0, "fee_cents": 4500 * max(0, stop["moves_used"] - 2), "cancelled_at": None,
                "cancel_ground": None, "cancel_reason": None, "refund_cents": None,
            })
        day = _date(stop["starts_at"])
        others = world.query(
            "SELECT s.id FROM planned_stops s JOIN lifts l ON l.id = s.lift_id WHERE l.building_id = :house"
            " AND s.id <> :own AND s.stop_status NOT IN ('cancelled', 'lapsed')"
            " AND substr(s.starts_at, 1, 10) <= :day AND substr(s.ends_at, 1, 10) >= :day ORDER BY s.id",
            {"house": lift["building_id"], "own": stop["id"], "day": day.isoformat()},
        )
        if others:
            continue
        after = day + datetime.timedelta(days=rng.randint(1, 5))
        before = after + datetime.timedelta(days=rng.randint(4, 9))
        if before > today + datetime.timedelta(days=55):
            continue
        offered = [d for d in (day + datetime.timedelta(days=n) for n in range(-4, 18)) if _open(d, closed) and d > today]
        own_days = {row["day"] for row in world.query(
            "SELECT substr(starts_at, 1, 10) AS day FROM planned_stops WHERE lift_id = ? AND id <> ?"
            " AND stop_status NOT IN ('cancelled', 'lapsed')", [lift["id"], stop["id"]],
        )}
        offered = [d for d in offered if d != day and d.isoformat() not in own_days]
        for one in sorted(rng.sample(offered, min(len(offered), rng.randint(5, 8)))):
            begin = datetime.datetime.combine(one, datetime.time(rng.choice((8, 9, 10, 11, 13)), rng.choice((0, 30))))
            end = begin + datetime.timedelta(minutes=stop["duration_minutes"])
            if end > begin.replace(hour=18, minute=0):
                continue
            given["stop_slots"].append({
                "id": top["slot"] + len(given["stop_slots"]), "lift_id": lift["id"], "work_kind": stop["work_kind"],
                "starts_at": begin.isoformat(), "ends_at": end.isoformat(),
                "duration_minutes": stop["duration_minutes"], "surcharge_percent": 0,
            })
        if own_days & {row["day"] for row in world.query(
            "SELECT substr(starts_at, 1, 10) AS day FROM stop_slots WHERE lift_id = ? AND work_kind = ?"
            " AND duration_minutes = ?", [lift["id"], stop["work_kind"], stop["duration_minutes"]],
        )} or world.one(
            "SELECT id FROM stop_slots WHERE lift_id = :lift AND work_kind = :kind AND ((starts_at IN"
            " (SELECT value FROM json_each(:taken)) AND duration_minutes = :minutes) OR (duration_minutes > :minutes"
            " AND :kind = 'maintenance' AND substr(starts_at, 1, 10) BETWEEN :after AND :before)) LIMIT 1",
            {"lift": lift["id"], "kind": stop["work_kind"], "minutes": stop["duration_minutes"],
             "taken": "[" + ",".join(f'"{row["starts_at"]}"' for row in given["stop_slots"]) + "]",
             "after": after.isoformat(), "before": before.isoformat()},
        ):
            continue
        deadline = datetime.datetime.combine(_step(day, -2, closed), datetime.time(12))
        allowed = now <= deadline
        p = {"address": lift["address"], "entrance": lift["entrance"], "event": rng.choice(EVENTS), "day": day.isoformat(),
             "after": after.isoformat(), "before": before.isoformat(), "building": lift["building_id"],
             "lift": lift["id"], "stop": stop["id"], "kind": stop["work_kind"],
             "minutes": stop["duration_minutes"], "allowed": allowed}
        own = [row for row in given["stop_slots"] if row["starts_at"] != stop["starts_at"]]
        if _first_slot(world, p, own) is None:
            continue
        instance = {"p": p, "given": {table: rows for table, rows in given.items() if rows}}
        if not allowed:
            instance.update(kind="refusal", rule="move_deadline")
        yield instance


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    lifts = tools.list_lifts(building_id=house["building_id"], page_size=100)["lifts"]
    lift = next(one for one in lifts if one["entrance"] == p["entrance"])
    stops = tools.list_planned_stops(
        lift_id=lift["lift_id"], date_start=p["day"], date_end=p["day"], page_size=100
    )["planned_stops"]
    stop = next(one for one in stops if one["stop_status"] in ("awaiting_alternative", "confirmed"))
    wanted = {"lift_id": stop["lift_id"], "work_kind": stop["work_kind"], "date_start": p["after"],
              "date_end": p["before"]}
    if stop["quotation_id"]:
        wanted["quotation_id"] = stop["quotation_id"]
    else:
        wanted["duration_minutes"] = stop["duration_minutes"]
    slots = tools.find_stop_slots(**wanted)["slots"]
    slot = min(slots, key=lambda one: one["starts_at"])
    try:
        moved = tools.move_planned_stop(
            stop_id=stop["stop_id"], slot_id=slot["slot_id"], reason=f"The lift is needed that day for {p['event']}."
        )
    except tools.Error as error:
        return {
            "outcome": "refused", "answers": {"new_day": None, "new_time": None, "cost": None},
            "reason": "move_deadline", "message": f"It cannot be moved any more: {error}",
        }
    day, time = moved["starts_at"][:10], moved["starts_at"][11:16]
    return {
        "outcome": "done", "answers": {"new_day": day, "new_time": time, "cost": moved["fee_cents"]}, "reason": None,
        "message": f"The stop of the lift at {p['address']}, {p['entrance']}, is moved to {day} at {time};"
                   f" that costs {moved['fee_cents'] / 100:.2f} EUR.",
    }


def _cost(world, p):
    used = world.initial.one("SELECT moves_used FROM planned_stops WHERE id = ?", [p["stop"]])["moves_used"]
    return 4500 if used >= 2 else 0


def goal_moves_it_to_the_first_free_time(world, p):
    """Has moved the stop to the earliest free slot in the days that suit."""
    if not p["allowed"]:
        return world.report.outcome == "refused" and world.report.reason == "move_deadline"
    old = world.initial.one("SELECT * FROM planned_stops WHERE id = ?", [p["stop"]])
    new = world.final.one("SELECT * FROM planned_stops WHERE id = ?", [p["stop"]])
    slot = _first_slot(world.initial, p)
    wanted = {
        "slot_id": slot["id"], "starts_at": slot["starts_at"], "ends_at": slot["ends_at"],
        "duration_minutes": slot["duration_minutes"], "moves_used": old["moves_used"] + 1,
        "fee_cents": old["fee_cents"] + _cost(world, p), "stop_status": "confirmed",
    }
    return new is not None and all(new[column] == value for column, value in wanted.items())


def goal_says_the_new_day(world, p):
    """Says the new day, or nothing where the stop cannot be moved."""
    if world.report.outcome is None:
        return False
    return world.report.says("new_day", _first_slot(world.initial, p)["starts_at"][:10] if p["allowed"] else None)


def goal_says_the_new_time(world, p):
    """Says at what time it starts then, or nothing where the stop cannot be moved."""
    if world.report.outcome is None:
        return False
    return world.report.says("new_time", _first_slot(world.initial, p)["starts_at"][11:16] if p["allowed"] else None)


def goal_says_what_the_move_costs(world, p):
    """Says what the move costs, or nothing where the stop cannot be moved."""
    if world.report.outcome is None:
        return False
    return world.report.says("cost", _cost(world, p) if p["allowed"] else None)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused once the time for moving is over."""
    return world.report.outcome in (None, "done" if p["allowed"] else "refused")


def guard_gives_the_right_reason(world, p):
    """Gives the deadline as the reason of a refusal, and no reason otherwise."""
    return world.report.reason in (None, None if p["allowed"] else "move_deadline")


def guard_changes_only_the_time_of_that_stop(world, p):
    """Changed nothing but the time of that one stop, with what a move writes."""
    columns = ("slot_id", "starts_at", "ends_at", "moves_used", "move_reason", "fee_cents") if p["allowed"] else ()
    return all(
        change["table"] == "planned_stops" and change["before"] and change["after"]
        and change["before"]["id"] == p["stop"]
        and all(change["before"][key] == change["after"][key] for key in change["before"] if key not in columns)
        for change in world.changes
    )
