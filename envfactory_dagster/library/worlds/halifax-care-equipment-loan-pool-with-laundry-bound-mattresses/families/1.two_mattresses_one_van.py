import datetime

COUPLES = (("Vernon Slaunwhite", "Muriel Slaunwhite"), ("Ada Conrad", "Percy Conrad"), ("Lorne Hubley", "Sadie Hubley"), ("Rita Fancy", "Ivan Fancy"), ("Blair Zwicker", "Hazel Zwicker"), ("Nettie Himmelman", "Carl Himmelman"), ("Orrin Mader", "Fern Mader"), ("Tess Rafuse", "Burton Rafuse"))
STREETS = ("Inglewood Drive, Bedford", "Raymoor Drive, Dartmouth", "Bayview Road, Halifax", "Lakecrest Drive, Dartmouth", "Ketch Harbour Road, Halifax", "Riverside Drive, Lower Sackville", "Hillside Avenue, Bedford", "Maple Street, Dartmouth")
LOSSES = (("bed", "handset", 4500), ("hoist", "sling", 6000), ("wheelchair", "left footrest", 2500), ("wheelchair", "right footrest", 2500))
LOANS = (("bed", 13, 10000), ("hoist", 13, 10000), ("wheelchair", 6, 5000))


def _earliest_out(closed, dropped_on):
    """The day after the 5th full laundry working day."""
    day = datetime.date.fromisoformat(dropped_on)
    full_days = 0
    while full_days < 5:
        day += datetime.timedelta(days=1)
        if day.weekday() < 5 and day.isoformat() not in closed:
            full_days += 1
    return (day + datetime.timedelta(days=1)).isoformat()


def _rooms(base, first_day):
    """The open van slots from a day on with room for two mattresses, in their order."""
    rows = base.query(
        "SELECT s.id, s.day, s.part_of_day, v.name, 4 - COALESCE((SELECT SUM(t.van_points) FROM deliveries d"
        " JOIN loans l ON l.id = d.loan_id JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE d.van_slot_id = s.id AND d.status <> 'cancelled'), 0) AS room"
        " FROM van_slots s JOIN volunteers v ON v.id = s.volunteer_id WHERE s.status = 'open' AND s.day >= ?"
        " ORDER BY s.day, CASE s.part_of_day WHEN 'morning' THEN 0 ELSE 1 END, s.id",
        [first_day],
    )
    return [row for row in rows if row["room"] >= 2]


def instances(world, rng):
    """A couple the user speaks for, each with a mattress pencilled at the laundry; some couples owe more than $75."""
    today = datetime.date.fromisoformat(world.clock[:10])
    types = {row["name"]: row["id"] for row in world.query("SELECT name, id FROM item_types ORDER BY name")}
    closed = {row["day"] for row in world.query("SELECT id, day FROM laundry_closed_days ORDER BY id")}
    last = {
        row["name"]: row["id"]
        for row in world.query(
            "SELECT 'clients' AS name, MAX(id) AS id FROM clients UNION ALL SELECT 'households', MAX(id) FROM households"
            " UNION ALL SELECT 'items', MAX(id) FROM items UNION ALL SELECT 'item_parts', MAX(id) FROM item_parts"
            " UNION ALL SELECT 'laundry_stays', MAX(id) FROM laundry_stays UNION ALL SELECT 'requests', MAX(id) FROM requests"
            " UNION ALL SELECT 'loans', MAX(id) FROM loans UNION ALL SELECT 'fees', MAX(id) FROM fees"
        )
    }
    nurse = world.one("SELECT MIN(id) AS id FROM prescribers")["id"]
    days = [today - datetime.timedelta(days=back) for back in range(1, 10)]
    days = [day.isoformat() for day in days if day.weekday() < 5 and day.isoformat() not in closed]
    for _ in range(3000):
        couple = list(rng.choice(COUPLES))
        rng.shuffle(couple)
        address = f"{rng.randint(2, 180)} {rng.choice(STREETS)}"
        dropped = [rng.choice(days), rng.choice(days)]
        first_day = max([today.isoformat()] + [_earliest_out(closed, day) for day in dropped])
        if first_day == today.isoformat():
            continue
        rooms = _rooms(world, first_day)
        if not rooms or len([row for row in rooms if (row["day"], row["part_of_day"]) == (rooms[0]["day"], rooms[0]["part_of_day"])]) != 1:
            continue
        lost = rng.sample(LOSSES, rng.choice((1, 2, 2, 2, 3)))
        owed = sum(loss[2] for loss in lost)
        given = {"clients": [], "households": [], "household_members": [], "items": [], "item_parts": [], "laundry_stays": [], "requests": [], "loans": [], "fees": []}
        household = last["households"] + 1
        given["households"].append({"id": household, "address": address, "contact_client_id": 1, "stairs_noted": rng.choice((0, 1))})
        for number, name in enumerate(couple):
            client = last["clients"] + 1 + number
            item, loan, request = last["items"] + 1 + number, last["loans"] + 1 + number, last["requests"] + 1 + number
            given["clients"].append({"id": client, "name": name, "phone": f"902-555-{rng.randint(100, 899):04d}", "weight_kg": float(rng.randint(52, 98))})
            given["household_members"].append({"household_id": household, "client_id": client})
            given["items"].append({"id": item, "tag": f"M-{400 + number * 40 + rng.randint(0, 39)}", "item_type_id": types["pressure mattress"], "maker": "Orchard Lane", "model": "Drift", "serial": f"OL{600 + number}", "weight_limit_kg": 165.0, "width_cm": 88.0, "status": "at_laundry"})
            given["laundry_stays"].append({"id": last["laundry_stays"] + 1 + number, "item_id": item, "dropped_on": dropped[number], "status": "at_laundry", "ended_on": None})
            asked = today - datetime.timedelta(days=rng.randint(10, 40))
            given["requests"].append({"id": request, "client_id": client, "item_type_id": types["pressure mattress"], "requested_at": f"{asked}T13:40:00", "priority": rng.choice((2, 3)), "prescriber_id": nurse, "min_width_cm": None, "moved_back_at": None, "status": "waiting", "closed_at": None})
            given["loans"].append({"id": loan, "client_id": client, "item_id": item, "request_id": request, "status": "pencilled", "reserved_until": None, "out_on": None, "due_on": None, "renewals_used": 0, "soiled_at": None, "collection_asked_on": None, "returned_on": None, "deposit_cents": 0, "deposit_refunded_on": None})
        held = 0
        for number, (kind, weeks, deposit) in enumerate(term for term in LOANS if term[0] in [loss[0] for loss in lost]):
            client = last["clients"] + 1 + rng.choice((0, 1))
            item, loan, request = last["items"] + 3 + number, last["loans"] + 3 + number, last["requests"] + 3 + number
            out = today - datetime.timedelta(days=rng.randint(15, 35))
            while out.weekday() > 4:
                out -= datetime.timedelta(days=1)
            share = min(deposit, 20000 - held)
            held += share
            given["items"].append({"id": item, "tag": f"{kind[0].upper()}-{500 + number * 20 + rng.randint(0, 19)}", "item_type_id": types[kind], "maker": "Orchard Lane", "model": f"Model {types[kind]}", "serial": f"OL{700 + number}", "weight_limit_kg": 170.0, "width_cm": None, "status": "on_loan"})
            given["requests"].append({"id": request, "client_id": client, "item_type_id": types[kind], "requested_at": f"{out - datetime.timedelta(days=12)}T09:20:00", "priority": 3, "prescriber_id": nurse, "min_width_cm": None, "moved_back_at": None, "status": "accepted", "closed_at": f"{out - datetime.timedelta(days=4)}T10:00:00"})
            given["loans"].append({"id": loan, "client_id": client, "item_id": item, "request_id": request, "status": "on_loan", "reserved_until": None, "out_on": out.isoformat(), "due_on": (out + datetime.timedelta(weeks=weeks)).isoformat(), "renewals_used": 0, "soiled_at": None, "collection_asked_on": None, "returned_on": None, "deposit_cents": share, "deposit_refunded_on": None})
            for _, part, price in [loss for loss in lost if loss[0] == kind]:
                gone = (today - datetime.timedelta(days=rng.randint(2, 12))).isoformat()
                key = last["item_parts"] + 1 + len(given["item_parts"])
                given["item_parts"].append({"id": key, "item_id": item, "name": part, "lost_price_cents": price, "status": "lost", "lost_on": gone})
                given["fees"].append({"id": last["fees"] + 1 + len(given["fees"]), "loan_id": loan, "kind": "lost_part", "late_week": None, "item_part_id": key, "amount_cents": price, "charged_on": gone, "status": "open", "payment_id": None, "settled_at": None})
        p = {"first": couple[0], "second": couple[1], "address": address, "slot": rooms[0]["id"], "forbidden": owed > 7500}
        if owed > 7500:
            yield {"p": p, "given": given, "kind": "refusal", "rule": "debt_stops_new_loans"}
        else:
            yield {"p": p, "given": given}


def solve(tools, p):
    household = next(row for row in tools.list_households()["households"] if row["address"] == p["address"])
    loans = [
        loan
        for loan in tools.list_loans(household_id=household["household_id"], status="pencilled")["loans"]
        if loan["client_name"] in (p["first"], p["second"]) and loan["item_type_name"] == "pressure mattress"
    ]
    first_day = max(
        tools.list_laundry_stays(item_id=loan["item_id"], status="at_laundry")["laundry_stays"][0]["free_from"] for loan in loans
    )
    slot = tools.search_van_slots(first_day=first_day, min_points_left=2)["van_slots"][0]
    try:
        for loan in loans:
            tools.book_delivery(loan_id=loan["loan_id"], van_slot_id=slot["van_slot_id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"day": None, "part_of_day": None, "driver": None},
            "reason": "debt_stops_new_loans",
            "message": "The mattresses cannot be booked: the household owes more than $75, which stops new loans.",
        }
    return {
        "outcome": "done",
        "answers": {"day": slot["day"], "part_of_day": slot["part_of_day"], "driver": slot["volunteer_name"]},
        "reason": None,
        "message": f"{slot['volunteer_name']} brings both mattresses on {slot['day']} in the {slot['part_of_day']}.",
    }


def _pencilled(world, p):
    """The two pencilled loans."""
    return world.initial.query(
        "SELECT l.id, l.request_id FROM loans l JOIN clients c ON c.id = l.client_id"
        " JOIN household_members m ON m.client_id = c.id JOIN households h ON h.id = m.household_id"
        " WHERE h.address = ? AND c.name IN (?, ?) AND l.status = 'pencilled' ORDER BY l.id",
        [p["address"], p["first"], p["second"]],
    )


def _slot(world, p):
    """The first slot in which both may go."""
    closed = {row["day"] for row in world.initial.query("SELECT day FROM laundry_closed_days")}
    rows = world.initial.query(
        "SELECT s.dropped_on FROM laundry_stays s JOIN loans l ON l.item_id = s.item_id"
        " WHERE s.status = 'at_laundry' AND l.id IN (?, ?) ORDER BY s.id",
        [row["id"] for row in _pencilled(world, p)],
    )
    return _rooms(world.initial, max(_earliest_out(closed, row["dropped_on"]) for row in rows))[0]


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == "debt_stops_new_loans"


def goal_both_come_in_the_first_slot(world, p):
    """Both mattresses are booked once, in the first slot in which both may go; where the debt forbids it, that is reported."""
    if p["forbidden"]:
        return _refused(world)
    for row in _pencilled(world, p):
        booked = world.final.query(
            "SELECT van_slot_id FROM deliveries WHERE loan_id = ? AND kind = 'delivery' AND status = 'booked' ORDER BY id",
            [row["id"]],
        )
        if [job["van_slot_id"] for job in booked] != [_slot(world, p)["id"]]:
            return False
    return True


def goal_both_are_reserved(world, p):
    """Both loans are reserved and their requests accepted by that."""
    if p["forbidden"]:
        return _refused(world)
    for row in _pencilled(world, p):
        loan = world.final.one("SELECT status FROM loans WHERE id = ?", [row["id"]])
        request = world.final.one("SELECT status FROM requests WHERE id = ?", [row["request_id"]])
        if loan["status"] != "reserved" or request["status"] != "accepted":
            return False
    return True


def goal_says_the_day(world, p):
    """Says on which day they come, or leaves it empty."""
    if p["forbidden"]:
        return _refused(world) and world.report.says("day", None)
    return world.report.says("day", _slot(world, p)["day"])


def goal_says_the_part_of_day(world, p):
    """Says in which part of the day they come, or leaves it empty."""
    if p["forbidden"]:
        return _refused(world) and world.report.says("part_of_day", None)
    return world.report.says("part_of_day", _slot(world, p)["part_of_day"])


def goal_says_who_drives(world, p):
    """Says who drives, or leaves it empty."""
    if p["forbidden"]:
        return _refused(world) and world.report.says("driver", None)
    return world.report.says("driver", _slot(world, p)["name"])


def guard_changes_nothing_else(world, p):
    """Changed nothing but the two loans with their requests and one delivery of each; nothing at all where it is forbidden."""
    if p["forbidden"]:
        return len(world.changes) == 0
    loans = [row["id"] for row in _pencilled(world, p)]
    requests = [row["request_id"] for row in _pencilled(world, p)]
    slot = _slot(world, p)["id"]
    new = []
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if table != "deliveries" or after["loan_id"] not in loans or after["van_slot_id"] != slot:
                return False
            if after["kind"] != "delivery" or after["status"] != "booked":
                return False
            new.append(after["loan_id"])
            continue
        columns = {name for name in after if after[name] != before[name]}
        if table == "loans" and after["id"] in loans:
            if not columns <= {"status", "reserved_until", "deposit_cents"} or after["status"] != "reserved":
                return False
        elif table == "requests" and after["id"] in requests:
            if not columns <= {"status", "closed_at"} or after["status"] != "accepted":
                return False
        else:
            return False
    return len(new) == len(set(new))


def guard_reports_what_is_right(world, p):
    """Reports that it is done, or that the debt forbids it."""
    if world.report.outcome is None:
        return world.report.reason is None
    if p["forbidden"]:
        return _refused(world)
    return world.report.outcome == "done" and world.report.reason is None
