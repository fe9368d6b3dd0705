import datetime

FORENAMES = ("Alden", "Bernice", "Colby", "Dot", "Everett", "Fleur", "Gus", "Heloise", "Ivan", "Joanie", "Karl", "Lorna")
HOUSES = ("Acker", "Blakeney", "Colp", "Demone", "Eisenhauer", "Frausel", "Gerhardt", "Haughn", "Inness", "Jollimore")
TERRACES = ("Arklow Drive, Dartmouth", "Bromley Road, Halifax", "Chinook Court, Dartmouth", "Dingle Road, Halifax", "Emerald Crescent, Halifax", "Fernleigh Drive, Bedford")
OFFERED = (("bed", 10000), ("hoist", 10000), ("pressure mattress", 5000), ("wheelchair", 5000), ("commode", 0), ("syringe pump", 0))
CARRIES = (110.0, 120.0, 130.0, 140.0, 150.0, 160.0, 180.0, 200.0)


def instances(world, rng):
    """Somebody with several open offers, of which some are strong enough and some are not."""
    now = datetime.datetime.fromisoformat(world.clock)
    types = {row["name"]: row["id"] for row in world.query("SELECT name, id, deposit_cents FROM item_types ORDER BY id")}
    highest = {
        row["part"]: row["number"]
        for row in world.query(
            "SELECT 'offer' AS part, MAX(id) AS number FROM offers UNION ALL SELECT 'request', MAX(id) FROM requests"
            " UNION ALL SELECT 'item', MAX(id) FROM items UNION ALL SELECT 'household', MAX(id) FROM households"
            " UNION ALL SELECT 'client', MAX(id) FROM clients"
        )
    }
    nurses = [row["id"] for row in world.query("SELECT id FROM prescribers ORDER BY name DESC")]
    for _ in range(3000):
        client, household = highest["client"] + 1, highest["household"] + 1
        name = f"{rng.choice(FORENAMES)} {rng.choice(HOUSES)}"
        weight = rng.choice((112, 115, 120, 126, 130, 133, 138, 140, 146, 150))
        chosen = rng.sample(OFFERED, rng.randint(3, 6))
        given = {
            "clients": [{"id": client, "name": name, "phone": f"902-555-{rng.randint(200, 899):04d}", "weight_kg": float(weight - rng.randint(8, 25))}],
            "households": [{"id": household, "address": f"{rng.randint(2, 160)} {rng.choice(TERRACES)}", "contact_client_id": 1, "stairs_noted": 0}],
            "household_members": [{"household_id": household, "client_id": client}],
            "items": [], "requests": [], "offers": [],
        }
        strong = 0
        for number, (kind, _) in enumerate(chosen):
            limit = rng.choice(CARRIES + (float(weight), float(weight - 1)))
            strong += limit >= weight
            item, request = highest["item"] + 1 + number, highest["request"] + 1 + number
            letter = {"pressure mattress": "M", "syringe pump": "P"}.get(kind, kind[0].upper())
            made = now - datetime.timedelta(hours=rng.randint(2, 20))
            lapses = made + datetime.timedelta(hours=48 if made.weekday() < 3 else 96)
            asked = (now - datetime.timedelta(days=rng.randint(6, 50))).date()
            given["items"].append({"id": item, "tag": f"{letter}-{1100 + number * 8 + rng.randint(0, 7)}", "item_type_id": types[kind], "maker": "Gable End", "model": f"Home {number + 3}", "serial": f"GE{6400 + number}", "weight_limit_kg": limit, "width_cm": None, "status": "in_store"})
            given["requests"].append({"id": request, "client_id": client, "item_type_id": types[kind], "requested_at": f"{asked}T10:05:00", "priority": rng.choice((2, 3, 4)), "prescriber_id": rng.choice(nurses), "min_width_cm": None, "moved_back_at": None, "status": "waiting", "closed_at": None})
            given["offers"].append({"id": highest["offer"] + 1 + number, "request_id": request, "item_id": item, "made_at": made.isoformat(), "lapses_at": lapses.isoformat(), "status": "open", "answered_at": None})
        counted = sum(1 for kind, _ in chosen if kind != "syringe pump")
        if strong == 0 or strong == len(chosen) or counted > 5:
            continue
        yield {"p": {"name": name, "weight": weight, "client": client}, "given": given}


def solve(tools, p):
    accepted = []
    declined = []
    deposits = 0
    for household in tools.list_households()["households"]:
        for client in household["clients"]:
            if client["name"] == p["name"]:
                client_id = client["client_id"]
    for offer in tools.list_offers(client_id=client_id, status="open")["offers"]:
        if tools.get_item(item_id=offer["item_id"])["weight_limit_kg"] >= p["weight"]:
            deposits += tools.accept_offer(offer_id=offer["offer_id"])["deposit_cents"]
            accepted.append(offer["item_type_name"])
        else:
            tools.decline_offer(offer_id=offer["offer_id"])
            declined.append(offer["item_type_name"])
    return {
        "outcome": "done",
        "answers": {"accepted": accepted, "declined": declined, "deposits": deposits},
        "reason": None,
        "message": f"Accepted: {', '.join(accepted)}; declined: {', '.join(declined)}. The deposits come to ${deposits / 100:.2f}.",
    }


def _offers(world, p):
    """The open offers to the person."""
    return world.initial.query(
        "SELECT o.id, o.request_id, o.item_id, i.weight_limit_kg, t.name, t.deposit_cents FROM offers o"
        " JOIN requests r ON r.id = o.request_id JOIN items i ON i.id = o.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE r.client_id = ? AND o.status = 'open' ORDER BY o.id",
        [p["client"]],
    )


def _strong(world, p):
    return [row for row in _offers(world, p) if row["weight_limit_kg"] >= p["weight"]]


def _weak(world, p):
    return [row for row in _offers(world, p) if row["weight_limit_kg"] < p["weight"]]


def goal_strong_ones_are_accepted(world, p):
    """Every offer of a thing that carries the weight is accepted and the thing reserved for the person."""
    for row in _strong(world, p):
        offer = world.final.one("SELECT status FROM offers WHERE id = ?", [row["id"]])
        loans = world.final.query(
            "SELECT status FROM loans WHERE client_id = ? AND item_id = ? AND request_id = ?",
            [p["client"], row["item_id"], row["request_id"]],
        )
        if offer["status"] != "accepted" or [loan["status"] for loan in loans] != ["reserved"]:
            return False
    return True


def goal_weak_ones_are_declined(world, p):
    """Every other offer to the person is declined."""
    return all(
        world.final.one("SELECT status FROM offers WHERE id = ?", [row["id"]])["status"] == "declined" for row in _weak(world, p)
    )


def goal_names_what_is_accepted(world, p):
    """Names what is accepted."""
    return world.report.says("accepted", [row["name"] for row in _strong(world, p)])


def goal_names_what_is_declined(world, p):
    """Names what is declined."""
    return world.report.says("declined", [row["name"] for row in _weak(world, p)])


def goal_says_the_deposits(world, p):
    """Says what the deposits come to, at most $200."""
    return world.report.says("deposits", min(20000, sum(row["deposit_cents"] for row in _strong(world, p))))


def guard_changes_nothing_else(world, p):
    """Changed nothing but these offers, and the requests, items and loans of the accepted ones."""
    strong = {row["id"]: row for row in _strong(world, p)}
    weak = {row["id"] for row in _weak(world, p)}
    items = {row["item_id"]: row for row in strong.values()}
    requests = {row["request_id"] for row in strong.values()}
    new = []
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if table != "loans" or after["item_id"] not in items or after["client_id"] != p["client"]:
                return False
            if after["request_id"] != items[after["item_id"]]["request_id"] or after["status"] != "reserved":
                return False
            if after["renewals_used"] != 0 or not 0 <= after["deposit_cents"] <= items[after["item_id"]]["deposit_cents"]:
                return False
            new.append(after["item_id"])
            continue
        columns = {name for name in after if after[name] != before[name]}
        if table == "offers" and after["id"] in strong:
            if not columns <= {"status", "answered_at"} or after["status"] != "accepted":
                return False
        elif table == "offers" and after["id"] in weak:
            if not columns <= {"status", "answered_at"} or after["status"] != "declined":
                return False
        elif table == "items" and after["id"] in items:
            if columns != {"status"} or after["status"] != "reserved":
                return False
        elif table == "requests" and after["id"] in requests:
            if not columns <= {"status", "closed_at"} or after["status"] != "accepted":
                return False
        else:
            return False
    return len(new) == len(set(new))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
