import datetime

GIVEN_NAMES = ("Aubrey", "Bertha", "Cecil", "Dulcie", "Elroy", "Faye", "Gerard", "Hester", "Irwin", "Joyce", "Kenzie", "Lionel")
SURNAMES = ("Baltzer", "Cluett", "DeMone", "Ernst", "Feener", "Gaul", "Hebb", "Jodrey", "Knickle", "Lohnes", "Mosley", "Naas")
ROADS = ("Chebucto Lane, Halifax", "Lawnsdale Drive, Dartmouth", "Fort Sackville Road, Bedford", "Old Sambro Road, Halifax", "Penhorn Drive, Dartmouth", "Hartlen Avenue, Halifax")
KINDS = (("bed", 13, 10000), ("hoist", 13, 10000), ("pressure mattress", 8, 5000), ("wheelchair", 6, 5000), ("commode", 12, 0), ("syringe pump", 4, 0))


def _van(base, slot_id):
    """A van slot with its driver and the points it has left."""
    return base.one(
        "SELECT s.id, s.day, s.part_of_day, v.name, v.hoist_cleared_until, 4 - COALESCE((SELECT SUM(t.van_points)"
        " FROM deliveries d JOIN loans l ON l.id = d.loan_id JOIN items i ON i.id = l.item_id"
        " JOIN item_types t ON t.id = i.item_type_id WHERE d.van_slot_id = s.id AND d.status <> 'cancelled'), 0) AS room"
        " FROM van_slots s JOIN volunteers v ON v.id = s.volunteer_id WHERE s.id = ?",
        [slot_id],
    )


def instances(world, rng):
    """Somebody with things on loan that all fit in a certain van, or do not, or with a hoist that its driver may not lift."""
    today = datetime.date.fromisoformat(world.clock[:10])
    types = {row["name"]: row for row in world.query("SELECT id, name, van_points FROM item_types ORDER BY id")}
    coming = world.query(
        "SELECT id FROM van_slots WHERE status = 'open' AND day > ? ORDER BY day, part_of_day DESC, id", [today.isoformat()]
    )
    vans = [_van(world, row["id"]) for row in coming]
    ends = {
        row["what"]: row["id"]
        for row in world.query(
            "SELECT 'client' AS what, MAX(id) AS id FROM clients UNION SELECT 'household', MAX(id) FROM households"
            " UNION SELECT 'item', MAX(id) FROM items UNION SELECT 'request', MAX(id) FROM requests"
            " UNION SELECT 'loan', MAX(id) FROM loans UNION SELECT 'job', MAX(id) FROM deliveries"
        )
    }
    nurse = world.one("SELECT MAX(id) AS id FROM prescribers")["id"]
    for _ in range(3000):
        van = rng.choice(vans)
        if van["room"] < 1:
            continue
        chosen = rng.sample(KINDS, rng.randint(3, 5))
        booked = rng.choice((None, None, chosen[-1]))
        todo = [kind for kind in chosen if kind is not booked]
        needed = sum(types[kind[0]]["van_points"] for kind in todo)
        hoist = any(kind[0] == "hoist" for kind in todo)
        cleared = van["hoist_cleared_until"] is not None and van["hoist_cleared_until"] >= van["day"]
        forbidden = needed > van["room"] or (hoist and not cleared)
        if forbidden and rng.random() < 0.75:
            continue
        if booked is not None and booked[0] == "hoist":
            continue
        client, household = ends["client"] + 1, ends["household"] + 1
        name = f"{rng.choice(GIVEN_NAMES)} {rng.choice(SURNAMES)}"
        given = {
            "clients": [{"id": client, "name": name, "phone": f"902-555-{rng.randint(200, 899):04d}", "weight_kg": float(rng.randint(49, 97))}],
            "households": [{"id": household, "address": f"{rng.randint(2, 199)} {rng.choice(ROADS)}", "contact_client_id": 1, "stairs_noted": 0}],
            "household_members": [{"household_id": household, "client_id": client}],
            "items": [], "requests": [], "loans": [], "deliveries": [],
        }
        held = 0
        fine = True
        for number, (kind, weeks, deposit) in enumerate(chosen):
            out = today - datetime.timedelta(days=rng.randint(4, 26))
            while out.weekday() > 4:
                out -= datetime.timedelta(days=1)
            share = min(deposit, 20000 - held)
            held += share
            item, request, loan = ends["item"] + 1 + number, ends["request"] + 1 + number, ends["loan"] + 1 + number
            letter = {"pressure mattress": "M", "syringe pump": "P"}.get(kind, kind[0].upper())
            asked = (today - datetime.timedelta(days=1)).isoformat() if booked is not None and booked[0] == kind else None
            given["items"].append({"id": item, "tag": f"{letter}-{700 + number * 15 + rng.randint(0, 14)}", "item_type_id": types[kind]["id"], "maker": "Pinegrove", "model": f"Mark {number + 2}", "serial": f"PG{1200 + number}", "weight_limit_kg": 175.0, "width_cm": None, "status": "on_loan"})
            given["requests"].append({"id": request, "client_id": client, "item_type_id": types[kind]["id"], "requested_at": f"{out - datetime.timedelta(days=8)}T14:05:00", "priority": rng.choice((2, 3)), "prescriber_id": nurse, "min_width_cm": None, "moved_back_at": None, "status": "accepted", "closed_at": f"{out - datetime.timedelta(days=2)}T09:35:00"})
            given["loans"].append({"id": loan, "client_id": client, "item_id": item, "request_id": request, "status": "on_loan", "reserved_until": None, "out_on": out.isoformat(), "due_on": (out + datetime.timedelta(weeks=weeks)).isoformat(), "renewals_used": 0, "soiled_at": None, "collection_asked_on": asked, "returned_on": None, "deposit_cents": share, "deposit_refunded_on": None})
            if asked is not None:
                free = [other for other in vans if other["id"] != van["id"] and other["room"] >= types[kind]["van_points"]]
                if not free or asked < out.isoformat():
                    fine = False
                    break
                given["deliveries"].append({"id": ends["job"] + 1, "loan_id": loan, "van_slot_id": rng.choice(free)["id"], "kind": "collection", "status": "booked", "booked_at": f"{asked}T10:30:00", "cancelled_at": None, "cancel_reason": None})
        if not fine:
            continue
        if not given["deliveries"]:
            del given["deliveries"]
        p = {"name": name, "driver": van["name"], "day": van["day"], "part": van["part_of_day"], "van": van["id"], "client": client, "today": today.isoformat(), "forbidden": forbidden}
        if forbidden:
            yield {"p": p, "given": given, "kind": "refusal", "rule": "van_slot_and_hoist_clearance"}
        else:
            yield {"p": p, "given": given}


def solve(tools, p):
    client = next(
        row for household in tools.list_households()["households"] for row in household["clients"] if row["name"] == p["name"]
    )
    booked = {
        row["loan_id"]
        for row in tools.list_deliveries(client_id=client["client_id"], kind="collection", status="booked")["deliveries"]
    }
    loans = [
        loan
        for loan in tools.list_loans(client_id=client["client_id"], status="on_loan")["loans"]
        if loan["loan_id"] not in booked
    ]
    points = {row["name"]: row["van_points"] for row in tools.list_item_types()["item_types"]}
    slots = tools.search_van_slots(first_day=p["day"], last_day=p["day"], part_of_day=p["part"])["van_slots"]
    slot = next(row for row in slots if row["volunteer_name"] == p["driver"])
    needed = sum(points[loan["item_type_name"]] for loan in loans)
    hoist = any(loan["item_type_name"] == "hoist" for loan in loans)
    cleared = slot["hoist_cleared_until"] is not None and slot["hoist_cleared_until"] >= p["day"]
    if needed > slot["points_left"] or (hoist and not cleared):
        return {
            "outcome": "refused",
            "answers": {"things": None, "points_left": None},
            "reason": "van_slot_and_hoist_clearance",
            "message": "It cannot all go in that van: a slot takes what its points allow, and a hoist needs a cleared volunteer.",
        }
    for loan in loans:
        tools.book_collection(loan_id=loan["loan_id"], van_slot_id=slot["van_slot_id"])
    return {
        "outcome": "done",
        "answers": {"things": len(loans), "points_left": slot["points_left"] - needed},
        "reason": None,
        "message": f"{p['driver']} collects {len(loans)} things on {p['day']}; {slot['points_left'] - needed} points are left.",
    }


def _things(world, p):
    """The loans of the person without a booked collection."""
    return world.initial.query(
        "SELECT l.id, t.van_points FROM loans l JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE l.client_id = ? AND l.status = 'on_loan' AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.loan_id = l.id"
        " AND d.kind = 'collection' AND d.status = 'booked') ORDER BY l.id",
        [p["client"]],
    )


def _says_it_is_refused(world):
    return world.report.outcome == "refused" and world.report.reason == "van_slot_and_hoist_clearance"


def goal_all_goes_in_that_van(world, p):
    """All that was not booked yet is collected once, in that van; where the rule forbids it, that is reported."""
    if p["forbidden"]:
        return _says_it_is_refused(world)
    for row in _things(world, p):
        jobs = world.final.query(
            "SELECT van_slot_id FROM deliveries WHERE loan_id = ? AND kind = 'collection' AND status = 'booked'", [row["id"]]
        )
        if [job["van_slot_id"] for job in jobs] != [p["van"]]:
            return False
    return True


def goal_says_how_many_things(world, p):
    """Says how many things are collected, or leaves it empty."""
    if p["forbidden"]:
        return _says_it_is_refused(world) and world.report.says("things", None)
    return world.report.says("things", len(_things(world, p)))


def goal_says_what_room_is_left(world, p):
    """Says how many points the van has left, or leaves it empty."""
    if p["forbidden"]:
        return _says_it_is_refused(world) and world.report.says("points_left", None)
    left = _van(world.initial, p["van"])["room"] - sum(row["van_points"] for row in _things(world, p))
    return world.report.says("points_left", left)


def guard_changes_nothing_else(world, p):
    """Changed nothing but one new collection of each of these things, and nothing where it is forbidden."""
    if p["forbidden"]:
        return len(world.changes) == 0
    loans = [row["id"] for row in _things(world, p)]
    new = []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "deliveries" and before is None:
            if after["loan_id"] not in loans or after["van_slot_id"] != p["van"]:
                return False
            if after["kind"] != "collection" or after["status"] != "booked":
                return False
            new.append(after["loan_id"])
        elif change["table"] == "loans" and before is not None and after["id"] in loans:
            if {name for name in after if after[name] != before[name]} != {"collection_asked_on"}:
                return False
            if after["collection_asked_on"] != p["today"]:
                return False
        else:
            return False
    return len(new) == len(set(new))


def guard_reports_what_is_right(world, p):
    """Reports that it is done, or that the rule forbids it."""
    if world.report.outcome is None:
        return world.report.reason is None
    if p["forbidden"]:
        return _says_it_is_refused(world)
    return world.report.outcome == "done" and world.report.reason is None
