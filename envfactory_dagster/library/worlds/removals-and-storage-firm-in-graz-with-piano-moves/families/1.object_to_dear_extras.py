import datetime

WHAT = ("waiting", "overtime", "floors")
REASONS = (
    "Nobody told us about this on the day.",
    "This was not in the offer we signed.",
    "Your men could have known that beforehand.",
    "We agreed on the phone that this is included.",
    "The hours do not match what we wrote down.",
    "The caretaker saw it differently.",
    "It was your lorry that was late.",
    "We never signed for that.",
)
PLACES = (
    "Alberstraße 9",
    "Beethovenstraße 23",
    "Brandhofgasse 11",
    "Gartengasse 17",
    "Harrachgasse 28",
    "Hartiggasse 4",
    "Humboldtstraße 37",
    "Katzianergasse 6",
    "Lichtenfelsgasse 15",
    "Maiffredygasse 10",
    "Nibelungengasse 22",
    "Rittergasse 3",
    "Schumanngasse 14",
    "Swethgasse 8",
)


def _plus(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _line(rng, kind, day):
    """A charge of one sort on an invoice for a move on that day, with whole quarters of an hour."""
    if kind == "floors":
        number = rng.randint(2, 5)
        return {"kind": kind, "description": f"Floor {number} without lift", "amount_cents": number * 2500}
    minutes = rng.randint(1, 10) * 15
    men = rng.randint(2, 5)
    start = datetime.datetime.fromisoformat(day + ("T11:00:00" if kind == "waiting" else "T15:30:00"))
    end = start + datetime.timedelta(minutes=minutes)
    rate = 3600 if kind == "waiting" else 4500
    name = "Waiting beyond the free hour" if kind == "waiting" else "Overtime beyond 8 hours"
    return {
        "kind": kind,
        "description": f"{name}, {minutes} minutes, {men} men",
        "amount_cents": minutes * men * rate // 60,
        "charged_from": start.isoformat(),
        "charged_to": end.isoformat(),
        "men": men,
    }


def instances(world, rng):
    """A sort of charge, a limit and a first day, with many invoices of which some charges are above the limit."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM removals) AS removals, (SELECT max(id) FROM removal_addresses) AS places,"
        " (SELECT max(id) FROM work_sheets) AS sheets, (SELECT max(id) FROM invoices) AS invoices,"
        " (SELECT max(id) FROM invoice_lines) AS lines, (SELECT max(id) FROM invoice_objections) AS objections"
    )
    used = {row["d"] for row in world.query("SELECT removal_day AS d FROM removals")}
    for _ in range(500):
        what = rng.choice(WHAT)
        limit = rng.randint(6, 40) * 1000 if what != "floors" else rng.randint(2, 4) * 2500
        first = _plus(world.clock, -rng.randint(60, 110))
        given = {
            "removals": [],
            "removal_addresses": [],
            "work_sheets": [],
            "invoices": [],
            "invoice_lines": [],
            "invoice_objections": [],
        }
        days = [d for d in (_plus(world.clock, -n) for n in range(12, 125)) if d not in used]
        for number, day in enumerate(sorted(rng.sample(days, rng.randint(15, 20)))):
            removal = tops["removals"] + 1 + number
            price = rng.randint(70, 300) * 1000
            leader = rng.randint(1, 4)
            given["removals"].append(
                {
                    "id": removal,
                    "code": f"U-2025-{700 + number:04d}",
                    "customer_id": 1,
                    "removal_day": day,
                    "volume_m3": float(rng.randint(7, 30)),
                    "price_cents": price,
                    "is_fixed_price": 0,
                    "deposit_cents": price * 3 // 10,
                    "deposit_paid_on": _plus(day, -20),
                    "insured_value_cents": 2000000,
                    "premium_per_thousand_cents": 300,
                    "crew_leader_id": leader,
                    "vehicle_id": rng.randint(1, 4),
                    "status": "invoiced",
                    "date_changes": 0,
                    "requested_at": _plus(day, -35) + "T10:00:00",
                    "confirmed_at": _plus(day, -25) + "T11:00:00",
                }
            )
            for stop, street in zip(("from", "to"), rng.sample(PLACES, 2)):
                given["removal_addresses"].append(
                    {
                        "id": tops["places"] + 1 + len(given["removal_addresses"]),
                        "removal_id": removal,
                        "stop": stop,
                        "street": street,
                        "town": "Graz",
                        "floor": rng.randint(2, 5),
                        "has_lift": 0,
                    }
                )
            lines = [_line(rng, kind, day) for kind in WHAT if rng.random() < 0.6]
            waiting = [line for line in lines if line["kind"] == "waiting"]
            over = [line for line in lines if line["kind"] == "overtime"]
            men = waiting[0]["men"] if waiting else 3
            if over and waiting:
                minutes = int(over[0]["description"].split(", ")[1].split(" ")[0])
                over[0]["description"] = f"Overtime beyond 8 hours, {minutes} minutes, {men} men"
                over[0]["amount_cents"] = minutes * men * 75
            elif over:
                men = over[0]["men"]
            given["work_sheets"].append(
                {
                    "id": tops["sheets"] + 1 + number,
                    "removal_id": removal,
                    "crew_leader_id": leader,
                    "men": men,
                    "started_at": day + "T07:00:00",
                    "ended_at": over[0]["charged_to"] if over else day + "T15:00:00",
                    "break_minutes": 30,
                    "waiting_from": day + "T10:00:00" if waiting else None,
                    "waiting_to": waiting[0]["charged_to"] if waiting else None,
                    "free_waiting_minutes": 60,
                    "is_signed": 1,
                }
            )
            status = rng.choice(("open", "paid", "paid", "open", "cancelled"))
            issued = _plus(day, rng.randint(4, 9))
            invoice = tops["invoices"] + 1 + number
            given["invoices"].append(
                {
                    "id": invoice,
                    "code": f"RE-2025-{700 + number:04d}",
                    "customer_id": 1,
                    "removal_id": removal,
                    "issued_on": issued,
                    "paid_on": _plus(issued, 2) if status == "paid" else None,
                    "status": status,
                }
            )
            whole = [{"kind": "transport", "description": "Removal as agreed", "amount_cents": price}]
            whole += lines + [{"kind": "insurance", "description": "Insurance premium", "amount_cents": 6000}]
            for line in whole:
                row = {
                    "id": tops["lines"] + 1 + len(given["invoice_lines"]),
                    "invoice_id": invoice,
                    "kind": line["kind"],
                    "description": line["description"],
                    "amount_cents": line["amount_cents"],
                    "charged_from": line.get("charged_from"),
                    "charged_to": line.get("charged_to"),
                }
                given["invoice_lines"].append(row)
                if line["kind"] in WHAT and rng.random() < 0.2:
                    given["invoice_objections"].append(
                        {
                            "id": tops["objections"] + 1 + len(given["invoice_objections"]),
                            "invoice_line_id": row["id"],
                            "reason": "That is too much.",
                            "raised_at": _plus(issued, 1) + "T18:00:00",
                            "status": rng.choice(("open", "rejected") if status != "cancelled" else ("accepted",)),
                        }
                    )
        counted = {i["id"] for i in given["invoices"] if i["issued_on"] >= first and i["status"] != "cancelled"}
        before = {o["invoice_line_id"] for o in given["invoice_objections"]}
        due = [
            (line["id"], line["amount_cents"])
            for line in given["invoice_lines"]
            if line["invoice_id"] in counted
            and line["kind"] == what
            and line["amount_cents"] > limit
            and line["id"] not in before
        ]
        due += [
            (row["id"], row["amount_cents"])
            for row in world.query(
                "SELECT l.id, l.amount_cents FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
                " WHERE i.customer_id = 1 AND i.removal_id IS NOT NULL AND i.status <> 'cancelled' AND i.issued_on >= ?"
                " AND l.kind = ? AND l.amount_cents > ?"
                " AND l.id NOT IN (SELECT invoice_line_id FROM invoice_objections)",
                [first, what, limit],
            )
        ]
        if len(due) < 3 or len(counted) < 12:
            continue
        yield {
            "p": {
                "first": first,
                "what": what,
                "limit": limit,
                "reason": rng.choice(REASONS),
                "due": sorted(number for number, _amount in due),
                "total": sum(amount for _number, amount in due),
            },
            "given": given,
        }


def solve(tools, p):
    count = 0
    total = 0
    for short in tools.list_invoices()["invoices"]:
        if short["removal_id"] is None or short["status"] == "cancelled" or short["issued_on"] < p["first"]:
            continue
        for line in tools.get_invoice(invoice_id=short["invoice_id"])["lines"]:
            if line["kind"] == p["what"] and line["amount_cents"] > p["limit"] and line["objection_status"] is None:
                tools.object_to_invoice_line(invoice_line_id=line["invoice_line_id"], reason=p["reason"])
                count += 1
                total += line["amount_cents"]
    return {
        "outcome": "done",
        "answers": {"objections": count, "disputed": total},
        "reason": None,
        "message": f"Objections raised: {count}, over €{total / 100:.2f} altogether.",
    }


def goal_objects_to_every_such_charge(world, p):
    """Every charge of this sort above the limit has one open objection with the reason given."""
    for number in p["due"]:
        rows = world.final.query("SELECT reason, status FROM invoice_objections WHERE invoice_line_id = ?", [number])
        if len(rows) != 1 or rows[0]["status"] != "open" or not world.same_text(rows[0]["reason"], p["reason"]):
            return False
    return True


def goal_says_how_many_objections(world, p):
    """Says how many charges were objected to."""
    return world.report.says("objections", len(p["due"]))


def goal_says_what_is_in_dispute(world, p):
    """Says what these charges add up to."""
    total = 0
    for number in p["due"]:
        total += world.initial.one("SELECT amount_cents AS n FROM invoice_lines WHERE id = ?", [number])["n"]
    return world.report.says("disputed", total)


def guard_adds_only_these_objections(world, p):
    """Changed nothing but new objections to these charges, with the reason given."""
    return all(
        c["table"] == "invoice_objections"
        and c["before"] is None
        and c["after"]["invoice_line_id"] in p["due"]
        and world.same_text(c["after"]["reason"], p["reason"])
        for c in world.changes
    ) and len(world.changes) <= len(p["due"])


def guard_reports_that_it_is_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
