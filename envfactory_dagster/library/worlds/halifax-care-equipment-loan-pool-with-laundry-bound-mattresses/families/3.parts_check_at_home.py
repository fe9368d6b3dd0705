import datetime

FRONT = ("Ansel", "Beryl", "Carson", "Dinah", "Eldon", "Flo", "Grover", "Honor", "Isla", "Jabez")
BACK = ("Allby", "Brannen", "Chute", "Dorey", "Ettinger", "Fullerton", "Goucher", "Hennigar", "Illsley", "Jess")
HILLS = ("Armdale Lane, Halifax", "Bluff Road, Halifax", "Crichton Park, Dartmouth", "Dahlia Street, Dartmouth", "Ellenvale Avenue, Dartmouth")
HELD = (("bed", 13, 0, ("handset",), 10000), ("hoist", 13, 0, ("sling",), 10000), ("pressure mattress", 8, 1, ("hook",), 5000), ("wheelchair", 6, 1, ("left footrest", "right footrest"), 5000))
COSTS = (("handset", 4500), ("sling", 6000), ("hook", 600), ("left footrest", 2500), ("right footrest", 2500))


def instances(world, rng):
    """Somebody whose things have parts that are newly missing, back again, still missing, or where they should be."""
    today = datetime.date.fromisoformat(world.clock[:10])
    types = {row["name"]: row["id"] for row in world.query("SELECT id, name, max_renewals FROM item_types ORDER BY id")}
    top = world.one(
        "SELECT MAX(a.id) AS part, (SELECT MAX(id) FROM fees) AS fee, (SELECT MAX(id) FROM payments) AS payment,"
        " (SELECT MAX(id) FROM loans) AS loan, (SELECT MAX(id) FROM requests) AS request, (SELECT MAX(id) FROM items) AS item,"
        " (SELECT MAX(id) FROM households) AS household, (SELECT MAX(id) FROM clients) AS client FROM item_parts a"
    )
    nurse = world.one("SELECT MAX(p.id) AS id FROM prescribers p")["id"]
    costs = dict(COSTS)
    for _ in range(3000):
        client, household = top["client"] + 1, top["household"] + 1
        name = f"{rng.choice(FRONT)} {rng.choice(BACK)}"
        given = {
            "clients": [{"id": client, "name": name, "phone": f"902-555-{rng.randint(200, 899):04d}", "weight_kg": float(rng.randint(50, 99))}],
            "households": [{"id": household, "address": f"{rng.randint(2, 150)} {rng.choice(HILLS)}", "contact_client_id": 1, "stairs_noted": 0}],
            "household_members": [{"household_id": household, "client_id": client}],
            "items": [], "item_parts": [], "requests": [], "loans": [], "payments": [], "fees": [],
        }
        missing = []
        kinds = {"new": 0, "back": 0}
        held = 0
        for number, (kind, weeks, renewals, parts, deposit) in enumerate(rng.sample(HELD, rng.choice((3, 4, 4)))):
            item, loan, request = top["item"] + 1 + number, top["loan"] + 1 + number, top["request"] + 1 + number
            out = today - datetime.timedelta(days=rng.randint(70, 80))
            while out.weekday() > 4:
                out -= datetime.timedelta(days=1)
            share = min(deposit, 20000 - held)
            held += share
            letter = "M" if kind == "pressure mattress" else kind[0].upper()
            given["items"].append({"id": item, "tag": f"{letter}-{1200 + number * 12 + rng.randint(0, 11)}", "item_type_id": types[kind], "maker": "Harbourlight", "model": f"Nest {number + 1}", "serial": f"HL{8800 + number}", "weight_limit_kg": 175.0, "width_cm": None, "status": "on_loan"})
            given["requests"].append({"id": request, "client_id": client, "item_type_id": types[kind], "requested_at": f"{out - datetime.timedelta(days=15)}T13:55:00", "priority": 3, "prescriber_id": nurse, "min_width_cm": None, "moved_back_at": None, "status": "accepted", "closed_at": f"{out - datetime.timedelta(days=5)}T09:25:00"})
            given["loans"].append({"id": loan, "client_id": client, "item_id": item, "request_id": request, "status": "on_loan", "reserved_until": None, "out_on": out.isoformat(), "due_on": (out + datetime.timedelta(weeks=weeks * (renewals + 1))).isoformat(), "renewals_used": renewals, "soiled_at": None, "collection_asked_on": None, "returned_on": None, "deposit_cents": share, "deposit_refunded_on": None})
            for part in parts:
                key = top["part"] + 1 + len(given["item_parts"])
                was_lost = rng.random() < 0.5
                gone = today - datetime.timedelta(days=rng.choice((5, 20, 40, 59, 60, 61, 65)))
                given["item_parts"].append({"id": key, "item_id": item, "name": part, "lost_price_cents": costs[part], "status": "lost" if was_lost else "with_item", "lost_on": gone.isoformat() if was_lost else None})
                is_missing = rng.random() < 0.45
                if is_missing:
                    missing.append(part)
                kinds["new"] += is_missing and not was_lost
                kinds["back"] += was_lost and not is_missing
                if was_lost:
                    fee = {"id": top["fee"] + 1 + len(given["fees"]), "loan_id": loan, "kind": "lost_part", "late_week": None, "item_part_id": key, "amount_cents": costs[part], "charged_on": gone.isoformat(), "status": "open", "payment_id": None, "settled_at": None}
                    if rng.random() < 0.4:
                        moment = f"{gone + datetime.timedelta(days=2)}T15:10:00"
                        payment = top["payment"] + 1 + len(given["payments"])
                        given["payments"].append({"id": payment, "household_id": household, "client_id": 1, "amount_cents": costs[part], "paid_at": moment})
                        fee.update({"status": "paid", "payment_id": payment, "settled_at": moment})
                    given["fees"].append(fee)
        if not kinds["new"] or not kinds["back"] or len(missing) < 2:
            continue
        if not given["payments"]:
            del given["payments"]
        rng.shuffle(missing)
        yield {"p": {"name": name, "missing": missing, "client": client, "household": household, "today": today.isoformat()}, "given": given}


def solve(tools, p):
    charged = 0
    taken_back = 0
    loans = [loan for loan in tools.list_loans(status="on_loan")["loans"] if loan["client_name"] == p["name"]]
    for loan in loans:
        for part in tools.get_item(item_id=loan["item_id"])["parts"]:
            if part["name"] in p["missing"] and part["status"] == "with_item":
                charged += tools.report_part_lost(item_part_id=part["item_part_id"])["fee"]["amount_cents"]
            elif part["name"] not in p["missing"] and part["status"] == "lost":
                fee = tools.report_part_found(item_part_id=part["item_part_id"])["fee"]
                if fee is not None and fee["status"] in ("credited", "refunded"):
                    taken_back += fee["amount_cents"]
    address = next(
        household["household_id"]
        for household in tools.list_households()["households"]
        if p["name"] in [client["name"] for client in household["clients"]]
    )
    owed = tools.get_household_account(household_id=address)["owed_cents"]
    return {
        "outcome": "done",
        "answers": {"charged": charged, "taken_back": taken_back, "owed": owed},
        "reason": None,
        "message": f"${charged / 100:.2f} is newly charged, ${taken_back / 100:.2f} is credited or refunded, and ${owed / 100:.2f} is owed now.",
    }


def _parts(world, p):
    """The parts of the things on loan to the person, with the fee of the lost ones."""
    return world.initial.query(
        "SELECT a.id, a.name, a.status, a.lost_on, a.lost_price_cents, l.id AS loan_id, f.id AS fee_id, f.status AS fee_status,"
        " f.amount_cents FROM item_parts a JOIN loans l ON l.item_id = a.item_id AND l.status = 'on_loan'"
        " LEFT JOIN fees f ON f.item_part_id = a.id AND f.loan_id = l.id WHERE l.client_id = ? ORDER BY a.id",
        [p["client"]],
    )


def _new(world, p):
    return [row for row in _parts(world, p) if row["name"] in p["missing"] and row["status"] == "with_item"]


def _back(world, p):
    return [row for row in _parts(world, p) if row["name"] not in p["missing"] and row["status"] == "lost"]


def _after(row, p):
    """What becomes of the fee of a part that is back."""
    days = (datetime.date.fromisoformat(p["today"]) - datetime.date.fromisoformat(row["lost_on"])).days
    if days > 60:
        return row["fee_status"]
    return {"open": "credited", "paid": "refunded"}[row["fee_status"]]


def goal_missing_parts_are_recorded(world, p):
    """Every part that is newly missing is recorded as lost and charged once at today's price."""
    old = {row["id"] for row in world.initial.query("SELECT f.id FROM fees f ORDER BY f.id")}
    for row in _new(world, p):
        part = world.final.one("SELECT status FROM item_parts WHERE id = ?", [row["id"]])
        fees = world.final.query("SELECT id, loan_id, amount_cents FROM fees WHERE item_part_id = ? ORDER BY id", [row["id"]])
        fees = [(fee["loan_id"], fee["amount_cents"]) for fee in fees if fee["id"] not in old]
        if part["status"] != "lost" or fees != [(row["loan_id"], row["lost_price_cents"])]:
            return False
    return True


def goal_parts_that_are_back_are_recorded(world, p):
    """Every part that is back is recorded as found, and its fee taken back within 60 days."""
    for row in _back(world, p):
        part = world.final.one("SELECT status FROM item_parts WHERE id = ?", [row["id"]])
        fee = world.final.one("SELECT status FROM fees WHERE id = ?", [row["fee_id"]])
        if part["status"] != "with_item" or fee["status"] != _after(row, p):
            return False
    return True


def goal_says_what_is_charged(world, p):
    """Says what is newly charged."""
    return world.report.says("charged", sum(row["lost_price_cents"] for row in _new(world, p)))


def goal_says_what_is_taken_back(world, p):
    """Says what is credited or refunded."""
    return world.report.says(
        "taken_back", sum(row["amount_cents"] for row in _back(world, p) if _after(row, p) in ("credited", "refunded"))
    )


def goal_says_what_is_owed(world, p):
    """Says what is owed afterwards."""
    before = world.initial.one(
        "SELECT COALESCE(SUM(f.amount_cents), 0) AS cents FROM fees f JOIN loans l ON l.id = f.loan_id"
        " WHERE l.client_id = ? AND f.status = 'open'",
        [p["client"]],
    )["cents"]
    more = sum(row["lost_price_cents"] for row in _new(world, p))
    less = sum(row["amount_cents"] for row in _back(world, p) if _after(row, p) == "credited")
    return world.report.says("owed", before + more - less)


def guard_changes_nothing_else(world, p):
    """Changed nothing but these parts and their fees."""
    new = {row["id"]: row for row in _new(world, p)}
    back = {row["id"]: row for row in _back(world, p)}
    fees = {row["fee_id"]: row for row in back.values()}
    added = []
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            row = new.get(after.get("item_part_id")) if table == "fees" else None
            if row is None or after["loan_id"] != row["loan_id"] or after["kind"] != "lost_part" or after["status"] != "open":
                return False
            if after["amount_cents"] != row["lost_price_cents"]:
                return False
            added.append(after["item_part_id"])
            continue
        columns = {name for name in after if after[name] != before[name]}
        if table == "item_parts" and columns <= {"status", "lost_on"}:
            if not (after["id"] in new and after["status"] == "lost") and not (after["id"] in back and after["status"] == "with_item"):
                return False
        elif table == "fees" and columns <= {"status", "settled_at"} and after["id"] in fees:
            if after["status"] != _after(fees[after["id"]], p):
                return False
        else:
            return False
    return len(added) == len(set(added))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
