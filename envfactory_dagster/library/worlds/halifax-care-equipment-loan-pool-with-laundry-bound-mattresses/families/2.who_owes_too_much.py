import datetime

OWNERS = ("Abner Cook", "Bessie Tufts", "Calvin Purdy", "Dora Embree", "Ellis Fader", "Fannie Goreham", "Gilbert Huskins", "Hattie Isnor", "Ira Josey", "Juanita Kaiser", "Kenneth Leaman", "Lottie Merlin")
WAYS = ("Rosedale Drive, Dartmouth", "Springvale Avenue, Halifax", "Millview Avenue, Bedford", "Sunnybrae Avenue, Halifax", "Gaston Road, Dartmouth", "Cow Bay Road, Dartmouth", "Beaver Crescent, Lower Sackville", "Leiblin Drive, Halifax")
PARTS = (("bed", "handset", 4500, 13), ("hoist", "sling", 6000, 13), ("wheelchair", "left footrest", 2500, 6), ("wheelchair", "right footrest", 2500, 6), ("syringe pump", "lockbox", 8000, 4), ("pressure mattress", "hook", 600, 8))


def instances(world, rng):
    """Several addresses the user speaks for, with unpaid, waived and credited charges, and a limit that some go beyond."""
    today = datetime.date.fromisoformat(world.clock[:10])
    types = {row["name"]: row["id"] for row in world.query("SELECT id, name FROM item_types ORDER BY name DESC")}
    c0 = world.one("SELECT MAX(id) AS top FROM clients")["top"]
    h0 = world.one("SELECT MAX(id) AS top FROM households")["top"]
    i0 = world.one("SELECT MAX(id) AS top FROM items")["top"]
    a0 = world.one("SELECT MAX(id) AS top FROM item_parts")["top"]
    r0 = world.one("SELECT MAX(id) AS top FROM requests")["top"]
    l0 = world.one("SELECT MAX(id) AS top FROM loans")["top"]
    f0 = world.one("SELECT MAX(id) AS top FROM fees")["top"]
    nurse = world.one("SELECT MIN(id) AS top FROM prescribers")["top"]
    present = world.query(
        "SELECT h.id, COALESCE((SELECT SUM(f.amount_cents) FROM fees f JOIN loans l ON l.id = f.loan_id"
        " JOIN household_members m ON m.client_id = l.client_id WHERE m.household_id = h.id AND f.status = 'open'), 0) AS owed"
        " FROM households h WHERE h.contact_client_id = 1 ORDER BY h.id"
    )
    for _ in range(3000):
        given = {"clients": [], "households": [], "household_members": [], "items": [], "item_parts": [], "requests": [], "loans": [], "fees": []}
        owed = [row["owed"] for row in present]
        for number, name in enumerate(rng.sample(OWNERS, rng.randint(4, 7))):
            client, household = c0 + 1 + number, h0 + 1 + number
            given["clients"].append({"id": client, "name": name, "phone": f"902-555-{rng.randint(200, 899):04d}", "weight_kg": float(rng.randint(48, 99))})
            given["households"].append({"id": household, "address": f"{10 + number * 20 + rng.randint(0, 19)} {rng.choice(WAYS)}", "contact_client_id": 1, "stairs_noted": rng.choice((0, 1))})
            given["household_members"].append({"household_id": household, "client_id": client})
            lost = rng.sample(PARTS, rng.randint(1, 4))
            total = 0
            for kind in sorted({part[0] for part in lost}):
                item, loan, request = i0 + 1 + len(given["items"]), l0 + 1 + len(given["loans"]), r0 + 1 + len(given["requests"])
                weeks = [part[3] for part in lost if part[0] == kind][0]
                out = today - datetime.timedelta(days=rng.randint(12, 26))
                while out.weekday() > 4:
                    out -= datetime.timedelta(days=1)
                letter = {"pressure mattress": "M", "syringe pump": "P"}.get(kind, kind[0].upper())
                given["items"].append({"id": item, "tag": f"{letter}-{800 + len(given['items'])}", "item_type_id": types[kind], "maker": "Cedar Hollow", "model": "Everyday", "serial": f"CH{3000 + len(given['items'])}", "weight_limit_kg": 170.0, "width_cm": None, "status": "on_loan"})
                given["requests"].append({"id": request, "client_id": client, "item_type_id": types[kind], "requested_at": f"{out - datetime.timedelta(days=11)}T15:25:00", "priority": 3, "prescriber_id": nurse, "min_width_cm": None, "moved_back_at": None, "status": "accepted", "closed_at": f"{out - datetime.timedelta(days=3)}T12:10:00"})
                given["loans"].append({"id": loan, "client_id": client, "item_id": item, "request_id": request, "status": "on_loan", "reserved_until": None, "out_on": out.isoformat(), "due_on": (out + datetime.timedelta(weeks=weeks)).isoformat(), "renewals_used": 0, "soiled_at": None, "collection_asked_on": None, "returned_on": None, "deposit_cents": 0, "deposit_refunded_on": None})
                for _, part, price, _ in [row for row in lost if row[0] == kind]:
                    status = rng.choice(("open", "open", "open", "waived", "credited"))
                    gone = (today - datetime.timedelta(days=rng.randint(4, 10))).isoformat()
                    key = a0 + 1 + len(given["item_parts"])
                    given["item_parts"].append({"id": key, "item_id": item, "name": part, "lost_price_cents": price, "status": "with_item" if status == "credited" else "lost", "lost_on": None if status == "credited" else gone})
                    given["fees"].append({"id": f0 + 1 + len(given["fees"]), "loan_id": loan, "kind": "lost_part", "late_week": None, "item_part_id": key, "amount_cents": price, "charged_on": gone, "status": status, "payment_id": None, "settled_at": None if status == "open" else f"{today - datetime.timedelta(days=2)}T11:45:00"})
                    total += price if status == "open" else 0
            owed.append(total)
        limit = rng.randrange(1000, 9000, 50)
        beyond = sorted((amount for amount in owed if amount > limit), reverse=True)
        if len(beyond) < 2 or len(beyond) == len(owed) or beyond[0] == beyond[1]:
            continue
        yield {"p": {"limit": limit}, "given": given}


def solve(tools, p):
    beyond = []
    for household in tools.list_households()["households"]:
        account = tools.get_household_account(household_id=household["household_id"])
        if account["owed_cents"] > p["limit"]:
            beyond.append(account)
    top = max(beyond, key=lambda account: account["owed_cents"])
    fees = tools.list_fees(household_id=top["household_id"], kind="lost_part", status="open")["fees"]
    total = sum(account["owed_cents"] for account in beyond)
    addresses = [account["address"] for account in beyond]
    return {
        "outcome": "done",
        "answers": {"addresses": addresses, "together": total, "owes_most": top["address"], "lost_parts": len(fees)},
        "reason": None,
        "message": f"Beyond that are {'; '.join(addresses)}, ${total / 100:.2f} together; {top['address']} owes most and has {len(fees)} lost parts unpaid.",
    }


def _beyond(world, p):
    """The user's addresses that owe more than the limit, the one that owes most first."""
    rows = world.initial.query(
        "SELECT h.id, h.address, COALESCE((SELECT SUM(f.amount_cents) FROM fees f JOIN loans l ON l.id = f.loan_id"
        " JOIN household_members m ON m.client_id = l.client_id WHERE m.household_id = h.id AND f.status = 'open'), 0) AS owed"
        " FROM households h WHERE h.contact_client_id = 1 OR EXISTS (SELECT 1 FROM household_members u"
        " WHERE u.household_id = h.id AND u.client_id = 1) ORDER BY owed DESC, h.id"
    )
    return [row for row in rows if row["owed"] > p["limit"]]


def goal_names_the_addresses(world, p):
    """Names the addresses that owe more than that."""
    return world.report.says("addresses", [row["address"] for row in _beyond(world, p)])


def goal_says_what_they_owe_together(world, p):
    """Says what these addresses owe together."""
    return world.report.says("together", sum(row["owed"] for row in _beyond(world, p)))


def goal_names_the_one_that_owes_most(world, p):
    """Names the address that owes most."""
    return world.report.says("owes_most", _beyond(world, p)[0]["address"])


def goal_counts_its_lost_parts(world, p):
    """Says how many lost parts are unpaid at the address that owes most."""
    row = world.initial.one(
        "SELECT COUNT(*) AS n FROM fees f JOIN loans l ON l.id = f.loan_id JOIN household_members m ON m.client_id = l.client_id"
        " WHERE m.household_id = ? AND f.kind = 'lost_part' AND f.status = 'open'",
        [_beyond(world, p)[0]["id"]],
    )
    return world.report.says("lost_parts", row["n"])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
