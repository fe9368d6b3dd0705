import datetime

FIRSTS = ("Amos", "Birdie", "Clem", "Daphne", "Ephraim", "Flossie", "Garnet", "Hettie", "Ingram", "Jessie", "Kip", "Lena")
LASTS = ("Bowlby", "Conrod", "Dauphinee", "Eisener", "Fralick", "Grono", "Hirtle", "Isenor", "Joudry", "Kuhn")
AVENUES = ("Agricola Court, Halifax", "Bel Ayr Avenue, Dartmouth", "Connolly Road, Halifax", "Doull Avenue, Halifax", "Eaton Avenue, Dartmouth", "First Avenue, Bedford")
STOCK = (("bed", 13, 10000), ("hoist", 13, 10000), ("wheelchair", 6, 5000), ("commode", 12, 0), ("syringe pump", 4, 0))


def _free_slots(base):
    """The open van slots with what room they have, in their order."""
    return base.query(
        "SELECT s.id, s.day, s.part_of_day, v.name AS driver, v.hoist_cleared_until, 4 - COALESCE((SELECT SUM(t.van_points)"
        " FROM deliveries d JOIN loans l ON l.id = d.loan_id JOIN items i ON i.id = l.item_id"
        " JOIN item_types t ON t.id = i.item_type_id WHERE d.van_slot_id = s.id AND d.status <> 'cancelled'), 0) AS room"
        " FROM van_slots s JOIN volunteers v ON v.id = s.volunteer_id WHERE s.status = 'open'"
        " ORDER BY s.day, CASE s.part_of_day WHEN 'morning' THEN 0 ELSE 1 END, s.id"
    )


def _half(slot):
    return (slot["day"], 0 if slot["part_of_day"] == "morning" else 1)


def _next_vans(slots, old, needed, hoist):
    """The first later half-day in which a van can take all, with every van that can."""
    fit = [
        slot
        for slot in slots
        if _half(slot) > _half(old)
        and slot["room"] >= needed
        and (not hoist or (slot["hoist_cleared_until"] is not None and slot["hoist_cleared_until"] >= slot["day"]))
    ]
    return [slot for slot in fit if _half(slot) == _half(fit[0])] if fit else []


def instances(world, rng):
    """Some bookings of one person in one van, and exactly one first later van that can take them all."""
    today = datetime.date.fromisoformat(world.clock[:10])
    types = {row["name"]: row for row in world.query("SELECT t.name, t.id, t.van_points FROM item_types t ORDER BY t.name")}
    slots = _free_slots(world)
    old_slots = [slot for slot in slots if slot["day"] > today.isoformat() and slot["room"] >= 2]
    base = world.one(
        "SELECT MAX(d.id) AS job, (SELECT MAX(id) FROM loans) AS loan, (SELECT MAX(id) FROM requests) AS request,"
        " (SELECT MAX(id) FROM items) AS item, (SELECT MAX(id) FROM households) AS household, (SELECT MAX(id) FROM clients) AS client"
        " FROM deliveries d"
    )
    nurse = world.one("SELECT p.id FROM prescribers p ORDER BY p.phone LIMIT 1")["id"]
    for _ in range(3000):
        old = rng.choice(old_slots)
        chosen = rng.sample(STOCK, rng.randint(2, 4))
        needed = sum(types[row[0]]["van_points"] for row in chosen)
        hoist = any(row[0] == "hoist" for row in chosen)
        if needed > old["room"] or (hoist and (old["hoist_cleared_until"] is None or old["hoist_cleared_until"] < old["day"])):
            continue
        if len(_next_vans(slots, old, needed, hoist)) != 1:
            continue
        client, household = base["client"] + 1, base["household"] + 1
        name = f"{rng.choice(FIRSTS)} {rng.choice(LASTS)}"
        given = {
            "clients": [{"id": client, "name": name, "phone": f"902-555-{rng.randint(200, 899):04d}", "weight_kg": float(rng.randint(50, 99))}],
            "households": [{"id": household, "address": f"{rng.randint(2, 140)} {rng.choice(AVENUES)}", "contact_client_id": 1, "stairs_noted": 0}],
            "household_members": [{"household_id": household, "client_id": client}],
            "items": [], "requests": [], "loans": [], "deliveries": [],
        }
        held = 0
        for number, (kind, weeks, deposit) in enumerate(chosen):
            coming = rng.random() < 0.5
            back = rng.randint(1, 3) if coming else rng.randint(6, 25)
            start = today - datetime.timedelta(days=back)
            while start.weekday() > 4:
                start -= datetime.timedelta(days=1)
            share = min(deposit, 20000 - held)
            held += share
            booked = start if coming else today - datetime.timedelta(days=1)
            item, request, loan = base["item"] + 1 + number, base["request"] + 1 + number, base["loan"] + 1 + number
            letter = "P" if kind == "syringe pump" else kind[0].upper()
            given["items"].append({"id": item, "tag": f"{letter}-{1000 + number * 9 + rng.randint(0, 8)}", "item_type_id": types[kind]["id"], "maker": "Fairhaven", "model": f"Line {number + 1}", "serial": f"FH{5100 + number}", "weight_limit_kg": 180.0, "width_cm": None, "status": "reserved" if coming else "on_loan"})
            given["requests"].append({"id": request, "client_id": client, "item_type_id": types[kind]["id"], "requested_at": f"{start - datetime.timedelta(days=14)}T11:30:00", "priority": 3, "prescriber_id": nurse, "min_width_cm": None, "moved_back_at": None, "status": "accepted", "closed_at": f"{start if coming else start - datetime.timedelta(days=2)}T08:30:00"})
            given["loans"].append({"id": loan, "client_id": client, "item_id": item, "request_id": request, "status": "reserved" if coming else "on_loan", "reserved_until": old["day"] if coming else None, "out_on": None if coming else start.isoformat(), "due_on": None if coming else (start + datetime.timedelta(weeks=weeks)).isoformat(), "renewals_used": 0, "soiled_at": None, "collection_asked_on": None if coming else booked.isoformat(), "returned_on": None, "deposit_cents": share, "deposit_refunded_on": None})
            given["deliveries"].append({"id": base["job"] + 1 + number, "loan_id": loan, "van_slot_id": old["id"], "kind": "delivery" if coming else "collection", "status": "booked", "booked_at": f"{booked}T08:45:00", "cancelled_at": None, "cancel_reason": None})
        yield {"p": {"name": name, "driver": old["driver"], "day": old["day"], "part": old["part_of_day"], "old": old["id"]}, "given": given}


def solve(tools, p):
    jobs = [
        job
        for job in tools.list_deliveries(status="booked", first_day=p["day"], last_day=p["day"])["deliveries"]
        if job["client_name"] == p["name"] and job["volunteer_name"] == p["driver"] and job["part_of_day"] == p["part"]
    ]
    points = {row["name"]: row["van_points"] for row in tools.list_item_types()["item_types"]}
    needed = sum(points[job["item_type_name"]] for job in jobs)
    hoist = any(job["item_type_name"] == "hoist" for job in jobs)
    old = (p["day"], 0 if p["part"] == "morning" else 1)
    target = None
    for slot in tools.search_van_slots(first_day=p["day"], min_points_left=needed)["van_slots"]:
        half = (slot["day"], 0 if slot["part_of_day"] == "morning" else 1)
        cleared = slot["hoist_cleared_until"] is not None and slot["hoist_cleared_until"] >= slot["day"]
        if half > old and (cleared or not hoist):
            target = slot
            break
    for job in jobs:
        tools.move_delivery(delivery_id=job["delivery_id"], van_slot_id=target["van_slot_id"])
    return {
        "outcome": "done",
        "answers": {
            "moved": len(jobs),
            "new_day": target["day"],
            "new_part": target["part_of_day"],
            "new_driver": target["volunteer_name"],
        },
        "reason": None,
        "message": f"{len(jobs)} bookings are moved to {target['volunteer_name']} on {target['day']} in the {target['part_of_day']}.",
    }


def _jobs(world, p):
    """The person's bookings in the old van slot."""
    return world.initial.query(
        "SELECT d.id, t.name, t.van_points FROM deliveries d JOIN loans l ON l.id = d.loan_id JOIN items i ON i.id = l.item_id"
        " JOIN item_types t ON t.id = i.item_type_id JOIN clients c ON c.id = l.client_id"
        " WHERE d.van_slot_id = ? AND d.status = 'booked' AND c.name = ? ORDER BY d.id",
        [p["old"], p["name"]],
    )


def _target(world, p):
    """The van slot to which all of them go."""
    slots = _free_slots(world.initial)
    old = next(slot for slot in slots if slot["id"] == p["old"])
    jobs = _jobs(world, p)
    return _next_vans(slots, old, sum(job["van_points"] for job in jobs), any(job["name"] == "hoist" for job in jobs))[0]


def goal_all_are_moved(world, p):
    """Every booking in that van is moved to the first later van that can take them all."""
    for job in _jobs(world, p):
        row = world.final.one("SELECT van_slot_id, status FROM deliveries WHERE id = ?", [job["id"]])
        if row["van_slot_id"] != _target(world, p)["id"] or row["status"] != "booked":
            return False
    return True


def goal_says_how_many(world, p):
    """Says how many bookings are moved."""
    return world.report.says("moved", len(_jobs(world, p)))


def goal_says_the_new_day(world, p):
    """Says the new day."""
    return world.report.says("new_day", _target(world, p)["day"])


def goal_says_the_new_part(world, p):
    """Says the new part of the day."""
    return world.report.says("new_part", _target(world, p)["part_of_day"])


def goal_says_the_new_driver(world, p):
    """Says who drives then."""
    return world.report.says("new_driver", _target(world, p)["driver"])


def guard_changes_only_their_slot(world, p):
    """Changed nothing but the van slot of these bookings."""
    jobs = [job["id"] for job in _jobs(world, p)]
    target = _target(world, p)["id"]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "deliveries" or before is None or after is None or after["id"] not in jobs:
            return False
        if after["van_slot_id"] != target or any(after[name] != before[name] for name in after if name != "van_slot_id"):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
