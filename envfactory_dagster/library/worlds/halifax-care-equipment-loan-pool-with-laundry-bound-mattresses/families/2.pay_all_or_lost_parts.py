import datetime

CALLED = ("Archie", "Blanche", "Cyril", "Della", "Earle", "Fern", "Glen", "Hazel", "Ivor", "June")
FAMILY = ("Oxner", "Pulsifer", "Ritcey", "Saulnier", "Tupper", "Vaughan", "Whitman", "Young")
CORNERS = ("Jubilee Lane, Halifax", "Kings Road, Dartmouth", "Lucasville Road, Bedford", "Main Street, Dartmouth", "North Green Road, Halifax", "Oceanview Drive, Bedford")
LATE = (("bed", 13, 2), ("commode", 12, 2), ("pressure mattress", 8, 1))
GONE = (("wheelchair", "left footrest", 2500, 6), ("wheelchair", "right footrest", 2500, 6), ("hoist", "sling", 6000, 13), ("syringe pump", "lockbox", 8000, 4))


def _open_fees(base, household):
    """The unpaid fees of a household."""
    return base.query(
        "SELECT f.id, f.kind, f.amount_cents FROM fees f JOIN loans l ON l.id = f.loan_id"
        " JOIN household_members m ON m.client_id = l.client_id WHERE m.household_id = ? AND f.status = 'open' ORDER BY f.id",
        [household],
    )


def instances(world, rng):
    """An address with unpaid late weeks and lost parts, and an amount that what it owes is beyond or not."""
    today = datetime.date.fromisoformat(world.clock[:10])
    types = {row["name"]: row["id"] for row in world.query("SELECT id, name, loan_weeks FROM item_types ORDER BY id")}
    nurse = world.one("SELECT id FROM prescribers ORDER BY name LIMIT 1")["id"]
    ends = world.one(
        "SELECT (SELECT MAX(id) FROM fees) AS fee, (SELECT MAX(id) FROM item_parts) AS part, (SELECT MAX(id) FROM loans) AS loan,"
        " (SELECT MAX(id) FROM requests) AS request, (SELECT MAX(id) FROM items) AS item, (SELECT MAX(id) FROM clients) AS client,"
        " (SELECT MAX(id) FROM households) AS household, (SELECT MAX(id) FROM payments) AS payment"
    )
    for _ in range(3000):
        client, household = ends["client"] + 1, ends["household"] + 1
        address = f"{rng.randint(2, 220)} {rng.choice(CORNERS)}"
        given = {
            "clients": [{"id": client, "name": f"{rng.choice(CALLED)} {rng.choice(FAMILY)}", "phone": f"902-555-{rng.randint(200, 899):04d}", "weight_kg": float(rng.randint(50, 95))}],
            "households": [{"id": household, "address": address, "contact_client_id": 1, "stairs_noted": 1}],
            "household_members": [{"household_id": household, "client_id": client}],
            "items": [], "item_parts": [], "requests": [], "loans": [], "payments": [], "fees": [],
        }
        lost = rng.sample(GONE, rng.randint(1, 3))
        late = rng.sample(LATE, rng.randint(1, 3))
        things = [(kind, weeks, rng.choice((8, 12, 15, 19, 22, 27, 30))) for kind, weeks, _ in late]
        things += [(kind, [row[3] for row in lost if row[0] == kind][0], None) for kind in sorted({row[0] for row in lost})]
        for number, (kind, weeks, days) in enumerate(things):
            item, loan, request = ends["item"] + 1 + number, ends["loan"] + 1 + number, ends["request"] + 1 + number
            if days is None:
                out = today - datetime.timedelta(days=rng.randint(12, 25))
            else:
                out = today - datetime.timedelta(days=days) - datetime.timedelta(weeks=weeks)
            while out.weekday() > 5:
                out -= datetime.timedelta(days=1)
            due = out + datetime.timedelta(weeks=weeks)
            letter = {"pressure mattress": "M", "syringe pump": "P"}.get(kind, kind[0].upper())
            given["items"].append({"id": item, "tag": f"{letter}-{600 + number * 11 + rng.randint(0, 10)}", "item_type_id": types[kind], "maker": "Lantern Hill", "model": f"Type {number + 1}", "serial": f"LH{2100 + number}", "weight_limit_kg": 170.0, "width_cm": None, "status": "on_loan"})
            given["requests"].append({"id": request, "client_id": client, "item_type_id": types[kind], "requested_at": f"{out - datetime.timedelta(days=10)}T09:40:00", "priority": 3, "prescriber_id": nurse, "min_width_cm": None, "moved_back_at": None, "status": "accepted", "closed_at": f"{out - datetime.timedelta(days=3)}T10:20:00"})
            given["loans"].append({"id": loan, "client_id": client, "item_id": item, "request_id": request, "status": "on_loan", "reserved_until": None, "out_on": out.isoformat(), "due_on": due.isoformat(), "renewals_used": 0, "soiled_at": None, "collection_asked_on": None, "returned_on": None, "deposit_cents": 0, "deposit_refunded_on": None})
            over = (today - due).days
            for week in range(2, (over + 6) // 7 + 1 if over > 0 else 2):
                charged = due + datetime.timedelta(days=1 + 7 * (week - 1))
                fee = {"id": ends["fee"] + 1 + len(given["fees"]), "loan_id": loan, "kind": "late_week", "late_week": week, "item_part_id": None, "amount_cents": 500 if week <= 4 else 1000, "charged_on": charged.isoformat(), "status": "open", "payment_id": None, "settled_at": None}
                if week == 2 and over > 14 and not given["payments"] and rng.random() < 0.5:
                    moment = f"{charged + datetime.timedelta(days=1)}T16:05:00"
                    given["payments"].append({"id": ends["payment"] + 1, "household_id": household, "client_id": 1, "amount_cents": 500, "paid_at": moment})
                    fee.update({"status": "paid", "payment_id": ends["payment"] + 1, "settled_at": moment})
                given["fees"].append(fee)
            for _, part, price, _ in [row for row in lost if row[0] == kind and days is None]:
                gone = (today - datetime.timedelta(days=rng.randint(3, 10))).isoformat()
                key = ends["part"] + 1 + len(given["item_parts"])
                given["item_parts"].append({"id": key, "item_id": item, "name": part, "lost_price_cents": price, "status": "lost", "lost_on": gone})
                given["fees"].append({"id": ends["fee"] + 1 + len(given["fees"]), "loan_id": loan, "kind": "lost_part", "late_week": None, "item_part_id": key, "amount_cents": price, "charged_on": gone, "status": "open", "payment_id": None, "settled_at": None})
        unpaid = [fee for fee in given["fees"] if fee["status"] == "open"]
        parts = sum(fee["amount_cents"] for fee in unpaid if fee["kind"] == "lost_part")
        total = sum(fee["amount_cents"] for fee in unpaid)
        if parts == total or parts == 0:
            continue
        if not given["payments"]:
            del given["payments"]
        limit = max(500, total + rng.choice((-3000, -1500, -500, 0, 500, 1500, 3000)))
        if parts > limit:
            continue
        yield {"p": {"address": address, "limit": limit, "household": household}, "given": given}


def solve(tools, p):
    household = next(row for row in tools.list_households()["households"] if row["address"] == p["address"])
    owed = tools.get_household_account(household_id=household["household_id"])["owed_cents"]
    fees = tools.list_fees(household_id=household["household_id"], status="open")["fees"]
    if owed > p["limit"]:
        fees = [fee for fee in fees if fee["kind"] == "lost_part"]
    total = sum(fee["amount_cents"] for fee in fees)
    payment = tools.send_payment(household_id=household["household_id"], amount_cents=total)
    left = tools.settle_fees(payment_id=payment["payment_id"], fee_ids=[fee["fee_id"] for fee in fees])["owed_cents"]
    return {
        "outcome": "done",
        "answers": {"paid": total, "still_owed": left},
        "reason": None,
        "message": f"${total / 100:.2f} is paid and ${left / 100:.2f} is still owed.",
    }


def _due_now(world, p):
    """The fees that are to be paid."""
    fees = _open_fees(world.initial, p["household"])
    if sum(fee["amount_cents"] for fee in fees) > p["limit"]:
        fees = [fee for fee in fees if fee["kind"] == "lost_part"]
    return fees


def goal_settles_the_right_fees(world, p):
    """Every fee that is to be paid is paid."""
    return all(
        world.final.one("SELECT status FROM fees WHERE id = ?", [fee["id"]])["status"] == "paid" for fee in _due_now(world, p)
    )


def goal_money_is_sent(world, p):
    """The user has sent exactly what these fees add up to."""
    sent = sum(change["after"]["amount_cents"] for change in world.changes if change["table"] == "payments" and change["after"])
    return sent == sum(fee["amount_cents"] for fee in _due_now(world, p))


def goal_says_what_is_paid(world, p):
    """Says how much is paid."""
    return world.report.says("paid", sum(fee["amount_cents"] for fee in _due_now(world, p)))


def goal_says_what_is_still_owed(world, p):
    """Says how much is still owed."""
    total = sum(fee["amount_cents"] for fee in _open_fees(world.initial, p["household"]))
    return world.report.says("still_owed", total - sum(fee["amount_cents"] for fee in _due_now(world, p)))


def guard_changes_nothing_else(world, p):
    """Changed nothing but new payments by the user for this address and the fees that they settle."""
    wanted = {fee["id"] for fee in _due_now(world, p)}
    sent = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "payments" and before is None:
            if after["household_id"] != p["household"] or after["client_id"] != 1:
                return False
            sent += after["amount_cents"]
        elif change["table"] == "fees" and before is not None and after["id"] in wanted:
            if {name for name in after if after[name] != before[name]} != {"status", "payment_id", "settled_at"}:
                return False
            if after["status"] != "paid":
                return False
        else:
            return False
    return sent <= sum(fee["amount_cents"] for fee in _due_now(world, p))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
