import datetime

PEOPLE = ("Alma Rector", "Boyd Lantz", "Cora Swinimer", "Dexter Hiltz", "Edna Crouse", "Fraser Publicover", "Greta Oickle", "Harlan Joudrey", "Iona Veinot", "Jasper Eisnor", "Leta Wentzell", "Murdoch Keddy")
PLACES = ("Tulip Street, Dartmouth", "Braeburn Road, Halifax", "Flying Cloud Drive, Dartmouth", "Kearney Lake Road, Halifax", "Shore Drive, Bedford", "Caldwell Road, Dartmouth", "Purcells Lane, Halifax", "Glenwood Avenue, Dartmouth")
TERMS = (("bed", 13, 2, 10000), ("hoist", 13, 2, 10000), ("pressure mattress", 8, 1, 5000), ("wheelchair", 6, 2, 5000), ("commode", 12, 2, 0), ("syringe pump", 4, 1, 0))


def _renewable(base, row, today):
    """Whether the rules let this loan be renewed."""
    if row["renewals_used"] >= row["max_renewals"]:
        return False
    if (datetime.date.fromisoformat(today) - datetime.date.fromisoformat(row["due_on"])).days > 14:
        return False
    urgent = base.one(
        "SELECT COUNT(*) AS n FROM requests WHERE item_type_id = ? AND status = 'waiting' AND priority IN (1, 2)",
        [row["item_type_id"]],
    )["n"]
    free = base.one(
        "SELECT COUNT(*) AS n FROM items i WHERE i.item_type_id = ? AND i.status = 'in_store' AND NOT EXISTS ("
        " SELECT 1 FROM offers o WHERE o.item_id = i.id AND o.status = 'open' AND o.lapses_at >= ?)",
        [row["item_type_id"], today + "T09:00:00"],
    )["n"]
    return urgent == 0 or free > 0


def instances(world, rng):
    """A household the user speaks for, with running loans of which some are due by a day and some of these can be renewed."""
    today = datetime.date.fromisoformat(world.clock[:10])
    types = {row["name"]: row["id"] for row in world.query("SELECT id, name FROM item_types ORDER BY id")}
    top = world.one(
        "SELECT (SELECT MAX(id) FROM clients) AS clients, (SELECT MAX(id) FROM households) AS households,"
        " (SELECT MAX(id) FROM items) AS items, (SELECT MAX(id) FROM requests) AS requests,"
        " (SELECT MAX(id) FROM loans) AS loans, (SELECT MAX(id) FROM fees) AS fees"
    )
    nurses = [row["id"] for row in world.query("SELECT id FROM prescribers ORDER BY id")]
    for _ in range(3000):
        people = rng.sample(PEOPLE, rng.choice((1, 2, 2)))
        address = f"{rng.randint(2, 240)} {rng.choice(PLACES)}"
        by = today + datetime.timedelta(days=rng.randint(2, 14))
        given = {"clients": [], "households": [], "household_members": [], "items": [], "requests": [], "loans": [], "fees": []}
        household = top["households"] + 1
        given["households"].append({"id": household, "address": address, "contact_client_id": 1, "stairs_noted": 0})
        wanted = []
        for number, name in enumerate(people):
            client = top["clients"] + 1 + number
            given["clients"].append({"id": client, "name": name, "phone": f"902-555-{rng.randint(500, 899):04d}", "weight_kg": float(rng.randint(50, 95))})
            given["household_members"].append({"household_id": household, "client_id": client})
            for term in rng.sample(TERMS, rng.randint(3, 4) if len(people) == 2 else rng.randint(4, 6)):
                wanted.append((client, term))
        counted = sum(1 for _, term in wanted if term[0] != "syringe pump")
        if counted > (7 if len(people) == 2 else 5):
            continue
        held = 0
        loans = []
        for number, (client, (kind, weeks, most, deposit)) in enumerate(wanted):
            used = rng.choice((0, 0, 0, 1, 1, most))
            due = today + datetime.timedelta(days=rng.choice((-20, -17, -15, -14, -13, -9, -4, 1, 2, 3, 5, 8, 11, 14, 17, 22)))
            if rng.random() < 0.15:
                due = by + datetime.timedelta(days=rng.choice((0, 1)))
            while due.weekday() > 4:
                due -= datetime.timedelta(days=1)
            out = due - datetime.timedelta(weeks=weeks * (used + 1))
            item, loan = top["items"] + 1 + number, top["loans"] + 1 + number
            request = top["requests"] + 1 + number
            share = min(deposit, 20000 - held)
            held += share
            tag = f"{kind[0].upper() if kind != 'pressure mattress' else 'M'}-{300 + number * 7 + rng.randint(0, 6)}"
            if kind == "syringe pump":
                tag = f"P-{300 + number * 7 + rng.randint(0, 6)}"
            given["items"].append({"id": item, "tag": tag, "item_type_id": types[kind], "maker": "Corrigan", "model": f"Series {types[kind]}", "serial": f"CG{4000 + number}", "weight_limit_kg": 180.0, "width_cm": None, "status": "on_loan"})
            given["requests"].append({"id": request, "client_id": client, "item_type_id": types[kind], "requested_at": f"{out - datetime.timedelta(days=9)}T10:15:00", "priority": 3, "prescriber_id": rng.choice(nurses), "min_width_cm": None, "moved_back_at": None, "status": "accepted", "closed_at": f"{out - datetime.timedelta(days=3)}T11:00:00"})
            given["loans"].append({"id": loan, "client_id": client, "item_id": item, "request_id": request, "status": "on_loan", "reserved_until": None, "out_on": out.isoformat(), "due_on": due.isoformat(), "renewals_used": used, "soiled_at": None, "collection_asked_on": None, "returned_on": None, "deposit_cents": share, "deposit_refunded_on": None})
            late = (today - due).days
            for week in range(2, (late + 6) // 7 + 1 if late > 0 else 2):
                charged = due + datetime.timedelta(days=1 + 7 * (week - 1))
                given["fees"].append({"id": top["fees"] + 1 + len(given["fees"]), "loan_id": loan, "kind": "late_week", "late_week": week, "item_part_id": None, "amount_cents": 500, "charged_on": charged.isoformat(), "status": "open", "payment_id": None, "settled_at": None})
            loans.append({"item_type_id": types[kind], "due_on": due.isoformat(), "renewals_used": used, "max_renewals": most})
        asked = [row for row in loans if row["due_on"] <= by.isoformat()]
        able = [row for row in asked if _renewable(world, row, today.isoformat())]
        if len(asked) < 4 or not able or len(able) == len(asked) or len(asked) == len(loans):
            continue
        if not given["fees"]:
            del given["fees"]
        yield {"p": {"address": address, "day": by.isoformat(), "today": today.isoformat()}, "given": given}


def solve(tools, p):
    household = next(row for row in tools.list_households()["households"] if row["address"] == p["address"])
    renewed = 0
    kept = []
    for loan in tools.list_loans(household_id=household["household_id"], status="on_loan")["loans"]:
        if loan["due_on"] is None or loan["due_on"] > p["day"]:
            continue
        try:
            tools.renew_loan(loan_id=loan["loan_id"])
            renewed += 1
        except tools.Error:
            kept.append(loan["tag"])
    return {
        "outcome": "done",
        "answers": {"renewed": renewed, "not_renewed": kept},
        "reason": None,
        "message": f"{renewed} of the loans are renewed; these could not be: {', '.join(kept)}.",
    }


def _asked(world, p):
    """The loans at the address that are due by the day."""
    return world.initial.query(
        "SELECT l.id, l.due_on, l.renewals_used, i.tag, i.item_type_id, t.max_renewals, t.loan_weeks FROM loans l"
        " JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " JOIN household_members m ON m.client_id = l.client_id JOIN households h ON h.id = m.household_id"
        " WHERE h.address = ? AND l.status = 'on_loan' AND l.due_on <= ? ORDER BY l.id",
        [p["address"], p["day"]],
    )


def _able(world, p):
    """Those of them that can be renewed, with the new due day."""
    able = {}
    for row in _asked(world, p):
        if _renewable(world.initial, row, p["today"]):
            due = datetime.date.fromisoformat(row["due_on"]) + datetime.timedelta(weeks=row["loan_weeks"])
            able[row["id"]] = (due.isoformat(), row["renewals_used"] + 1)
    return able


def goal_renews_all_that_can_be(world, p):
    """Every loan there that is due by the day and can be renewed is renewed once, from its old due day."""
    for key, wanted in _able(world, p).items():
        row = world.final.one("SELECT due_on, renewals_used FROM loans WHERE id = ?", [key])
        if row is None or (row["due_on"], row["renewals_used"]) != wanted:
            return False
    return True


def goal_says_how_many_are_renewed(world, p):
    """Says how many loans are renewed."""
    return world.report.says("renewed", len(_able(world, p)))


def goal_names_those_that_are_not(world, p):
    """Names those that are due by the day and cannot be renewed."""
    able = _able(world, p)
    return world.report.says("not_renewed", [row["tag"] for row in _asked(world, p) if row["id"] not in able])


def guard_changes_only_these_loans(world, p):
    """Changed nothing but due day and renewals of the loans that can be renewed, as one renewal does."""
    able = _able(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "loans" or before is None or after is None or after["id"] not in able:
            return False
        if (after["due_on"], after["renewals_used"]) != able[after["id"]]:
            return False
        if any(after[name] != before[name] for name in after if name not in ("due_on", "renewals_used")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
