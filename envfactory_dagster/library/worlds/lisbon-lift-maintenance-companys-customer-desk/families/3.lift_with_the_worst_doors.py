import datetime

WORN = (
    ("wear", "Doors close only at the second try.", "Replaced the belt of the door operator.", 1),
    ("wear", "The door stays half open on the ground floor.", "Replaced two door rollers.", 0),
    ("wear", "Doors scrape along the sill.", "Replaced the door shoes.", 0),
    ("wear", "Door lock does not catch on the 2nd floor.", "Replaced the lock contact.", 0),
    ("adjustment", "Doors open again for no reason.", "Light curtain aligned.", 0),
    ("adjustment", "Doors close too hard.", "Closing force adjusted.", 0),
    ("adjustment", "Door rattles when it opens.", "Door track cleaned and adjusted.", 0),
)
OUTSIDE = (
    ("misuse", "A removal knocked against the landing door.", "Straightened the landing door.", 0),
    ("misuse", "Somebody held the doors open with a cart.", "Put the car door back on its rail.", 0),
    ("misuse", "A bicycle got stuck in the closing doors.", "Straightened the door leaf, tested the lock.", 1),
    ("vandalism", "The landing door has been kicked in.", "Beat out the door leaf, tested the lock.", 0),
    ("vandalism", "Chewing gum in the door sill.", "Cleaned the sill and the contacts.", 0),
    ("water", "Doors stay open since the stairs were washed.", "Dried the door contacts.", 0),
    ("power_supply", "Doors stay open since the power cut.", "Reset the door control.", 0),
)
REST = (
    ("noise", "adjustment", "Knocking between the floors.", "Guide shoes adjusted."),
    ("lighting", "wear", "One lamp of the car is out.", "Lamp replaced."),
    ("alarm_or_phone", "wear", "The alarm button sticks.", "Alarm button replaced."),
    ("levelling", "adjustment", "Stops a little above the floor.", "Levelling adjusted."),
)
EVENING = "Evening surcharge 25 percent"
WISHES = (
    "a proper repair of the doors", "an overhaul of the doors", "the repair of the car and landing doors",
    "putting the doors right for good", "having the doors repaired", "a thorough repair of the doors",
)


def _open_day(day, off):
    return day.weekday() < 5 and day.isoformat() not in off


def _on(day, count, off):
    while count or not _open_day(day, off):
        day += datetime.timedelta(days=1)
        count -= bool(count) and _open_day(day, off)
    return day


def _latest(moment, off):
    left = 480
    while True:
        if _open_day(moment.date(), off) and moment.hour < 18:
            moment = max(moment, moment.replace(hour=8, minute=0))
            rest = int((moment.replace(hour=18, minute=0) - moment).total_seconds()) // 60
            if rest >= left:
                return moment + datetime.timedelta(minutes=left)
            left -= rest
        moment = moment.replace(hour=0, minute=0) + datetime.timedelta(days=1)


def _worn(world, p):
    """The lifts of the building with their door faults from wear or for want of adjusting, most of them first."""
    return world.query(
        "SELECT l.id, l.entrance, COUNT(*) AS times FROM call_outs f JOIN lifts l ON l.id = f.lift_id"
        " WHERE l.building_id = :house AND f.fault_kind = 'door_fault' AND f.call_out_status = 'closed'"
        " AND f.cause_kind IN ('wear', 'adjustment') AND f.reported_at >= :since GROUP BY l.id ORDER BY times DESC, l.id",
        {"house": p["house"], "since": p["since"]},
    )


def instances(world, rng):
    """A building of several lifts whose doors have failed often for a year, from wear on one more than on the rest."""
    lifts = world.query(
        "SELECT l.id, l.entrance, l.building_id AS house, b.address, b.municipality_id AS area, c.id AS contract,"
        " c.contract_kind AS sort, c.night_cover, c.vat_rate, c.term_start, u.phone,"
        " (SELECT COUNT(*) FROM lifts o WHERE o.building_id = b.id AND o.entrance = l.entrance) AS beside"
        " FROM customers u JOIN building_roles r ON r.customer_id = u.id JOIN buildings b ON b.id = r.building_id"
        " JOIN lifts l ON l.building_id = b.id JOIN contracts c ON c.id = l.contract_id"
        " WHERE u.id = 1 AND r.customer_role <> 'shop_owner' AND l.lift_kind = 'passenger'"
        " AND NOT EXISTS (SELECT 1 FROM invoices i JOIN contracts k ON k.id = i.contract_id WHERE k.building_id = b.id"
        " AND i.invoice_status = 'overdue' AND i.due_date < date(?, '-50 days')) ORDER BY l.id", [world.clock],
    )
    past = world.query("SELECT id, lift_id, fault_kind, reported_at, closed_at, uses_quota FROM call_outs ORDER BY id")
    works = world.query("SELECT lift_id, ends_at FROM planned_stops WHERE stop_status = 'done' ORDER BY lift_id, ends_at")
    serials = world.query("SELECT invoice_number AS number, issued_on FROM invoices ORDER BY id")
    top = {name: world.one(sql)["top"] + 1 for name, sql in (
        ("call", "SELECT MAX(id) AS top FROM call_outs"), ("bill", "SELECT MAX(id) AS top FROM invoices"),
        ("line", "SELECT MAX(id) AS top FROM invoice_lines"), ("paid", "SELECT MAX(id) AS top FROM payments"),
    )}
    payers = {row["building_id"]: row["customer_id"] for row in world.query(
        "SELECT building_id, customer_id FROM building_roles WHERE customer_role = 'administrator' ORDER BY building_id"
    )}
    now = datetime.datetime.fromisoformat(world.clock)
    today = now.date()
    houses = [house for house in sorted({one["house"] for one in lifts})
              if sum(one["house"] == house for one in lifts) > 1]
    for _ in range(2500):
        house = rng.choice(houses)
        own = [one for one in lifts if one["house"] == house]
        off = {row["holiday_date"] for row in world.query(
            "SELECT holiday_date FROM holidays WHERE coalesce(municipality_id, :area) = :area ORDER BY holiday_date",
            {"area": own[0]["area"]},
        )}
        since = today - datetime.timedelta(days=rng.randint(190, 330))
        since = since.replace(day=rng.choice((1, 1, 10, 15, rng.randint(2, 28))))
        worst = rng.choice([one for one in own if one["beside"] == 1])
        other = rng.choice([one for one in own if one["id"] != worst["id"]])
        plan = []
        for lift in own:
            best = rng.randint(4, 6)
            worn = best if lift is worst else rng.randint(1, 3)
            broken = rng.randint(0, 1) if lift is worst else rng.randint(5, 6) if lift is other else rng.randint(2, 4)
            if lift is other:
                worn = 2
            plan += [(lift, "worn")] * worn + [(lift, "broken")] * broken + [(lift, "rest")] * rng.randint(0, 2)
        wanted = []
        for lift in own:
            kinds = [kind for one, kind in plan if one is lift]
            rng.shuffle(kinds)
            span = (today - since).days + 40
            step = span / (len(kinds) + 0.5)
            for number, kind in enumerate(kinds):
                wanted.append((since - datetime.timedelta(days=30) + datetime.timedelta(
                    days=int(step * number) + rng.randint(0, max(1, int(step) - 34))), lift, kind))
        begun = min([own[0]["term_start"]] + [row["reported_at"][:10] for row in past
                                              if row["lift_id"] in [one["id"] for one in own]])
        if since.isoformat() < begun:
            continue
        wanted.sort(key=lambda one: (one[0], one[1]["id"]))
        calls, bills, lines, paids, busy, taken = [], [], [], [], [], {row["number"] for row in serials}
        used = {}
        for row in past:
            if row["uses_quota"]:
                used.setdefault((row["lift_id"], row["reported_at"][:4]), []).append(row["reported_at"])
        for day, lift, kind in wanted:
            while not _open_day(day, off):
                day += datetime.timedelta(days=1)
            if day > today - datetime.timedelta(days=6) or day.isoformat() < begun:
                continue
            if kind == "rest":
                fault, why, details, done = rng.choice(REST)
                extra = 0
            else:
                fault = "door_fault"
                why, details, done, extra = rng.choice(WORN if kind == "worn" else OUTSIDE)
            late = rng.random() < 0.2
            at = datetime.datetime.combine(
                day, datetime.time(rng.randint(18, 20) if late else rng.randint(8, 15), rng.choice((5, 15, 20, 35, 40, 50)))
            )
            if any(one == day or (other_id == lift["id"] and abs((one - day).days) < (33 if name == fault else 4))
                   for one, other_id, name in busy) or any(
                row["lift_id"] == lift["id"] and abs((datetime.date.fromisoformat(row["reported_at"][:10]) - day).days)
                < (45 if row["fault_kind"] == fault else 6) for row in past
            ) or any(
                row["lift_id"] == lift["id"] and row["ends_at"] <= at.isoformat()
                and row["ends_at"] >= (at - datetime.timedelta(days=8)).isoformat() for row in works
            ):
                continue
            percent = 25 if late and not lift["night_cover"] else 0
            charge = (9500 + 3200 * extra) * percent // 100
            covered, quota, net = 0, 0, 9500 + 3200 * extra + charge
            if why in ("wear", "adjustment") and lift["sort"] == "complete":
                covered, net = 1, 0
            elif why in ("wear", "adjustment"):
                spent = used.setdefault((lift["id"], str(day.year)), [])
                if len(spent) < 2:
                    covered, quota, net = 1, 1, charge
                    spent.append(at.isoformat())
                elif at.isoformat() < max(spent):
                    continue
            latest = _latest(at, off)
            came = at + datetime.timedelta(hours=1, minutes=rng.randint(20, 55))
            if late:
                came = datetime.datetime.combine(_on(day, 1, off), datetime.time(9, rng.choice((10, 25, 40))))
            closed = came + datetime.timedelta(minutes=rng.randint(18, 29) + 28 * extra)
            busy.append((day, lift["id"], fault))
            call = top["call"] + len(calls)
            calls.append({
                "id": call, "lift_id": lift["id"], "customer_id": 1, "fault_kind": fault, "fault_details": details,
                "phone": lift["phone"], "lift_stopped": 0, "priority": "p3", "call_out_status": "closed",
                "reported_at": at.isoformat(), "tariff_band": "evening" if late else "day",
                "arrive_by": latest.isoformat(), "arrived_at": came.isoformat(), "closed_at": closed.isoformat(),
                "cancelled_at": None, "cancel_reason": None, "cause_kind": why, "work_done": done, "covered": covered,
                "uses_quota": quota, "net_cents": net, "vat_rate": lift["vat_rate"],
            })
            issued = _on(closed.date() + datetime.timedelta(days=rng.randint(6, 12)), 0, off)
            if net == 0 or (today - issued).days < 20:
                continue
            serial = 1 + max([int(row["number"].split("/")[1]) for row in serials
                              if row["issued_on"][:4] == str(issued.year) and row["issued_on"] <= issued.isoformat()], default=0)
            while f"FT LX{issued.year % 100}/{serial}" in taken:
                serial += 1
            taken.add(f"FT LX{issued.year % 100}/{serial}")
            bill = top["bill"] + len(bills)
            bills.append({
                "id": bill, "invoice_number": f"FT LX{issued.year % 100}/{serial}", "atcud": f"JF7D{bill:03d}R-{serial}",
                "contract_id": lift["contract"], "quotation_id": None, "invoice_status": "paid",
                "issued_on": issued.isoformat(), "due_date": _on(issued + datetime.timedelta(days=30), 0, off).isoformat(),
                "vat_rate": lift["vat_rate"], "interest_cents": 0,
            })
            text = f"{day.day} {day:%B}"
            parts = [] if covered else [("call_out", f"Call-out of {text}, {lift['entrance']}", net - charge)]
            if charge:
                parts.append(("surcharge", f"{EVENING}, call-out of {text}", charge))
            for number, (sort, line_text, cents) in enumerate(parts, 1):
                lines.append({"id": top["line"] + len(lines), "invoice_id": bill, "line_number": number,
                              "line_kind": sort, "line_text": line_text, "net_cents": cents, "call_out_id": call})
            made = _on(issued + datetime.timedelta(days=rng.randint(3, 9)), 0, off)
            paids.append({
                "id": top["paid"] + len(paids), "invoice_id": bill, "customer_id": payers[house],
                "payment_method": "bank_transfer", "payment_status": "settled",
                "total_cents": (net * (100 + lift["vat_rate"]) + 50) // 100, "in_part": 0, "phone": None,
                "mb_entity": None, "mb_reference": None, "iban": "PT50003300004512987630105",
                "created_at": f"{made}T{rng.randint(9, 17):02d}:{rng.randint(10, 50)}:00",
                "pay_before": f"{_on(made, 5, off)}T18:00:00",
            })
        p = {"address": own[0]["address"], "since": since.isoformat(), "wish": rng.choice(WISHES), "house": house,
             "due": _on(today, 5, off).isoformat()}
        counts = {row["id"]: row["times"] for row in _worn(world, p)}
        total = {}
        for row in past:
            if row["fault_kind"] == "door_fault" and row["reported_at"] >= p["since"]:
                total[row["lift_id"]] = total.get(row["lift_id"], 0) + 1
        for call in calls:
            if call["fault_kind"] == "door_fault" and call["reported_at"] >= p["since"]:
                lift_id = call["lift_id"]
                total[lift_id] = total.get(lift_id, 0) + 1
                counts[lift_id] = counts.get(lift_id, 0) + (call["cause_kind"] in ("wear", "adjustment"))
        ranks = sorted(counts.values(), reverse=True) + [0]
        if counts.get(worst["id"], 0) != ranks[0] or ranks[0] < ranks[1] + 1 or ranks[0] < 3:
            continue
        if max(total.values()) <= total[worst["id"]] and rng.random() < 0.8:
            continue
        if sum(total.values()) < 9 or any(call["reported_at"][:10] == p["since"] for call in calls):
            continue
        given = {"call_outs": calls, "invoices": bills, "invoice_lines": lines, "payments": paids}
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_call_outs(
            building_id=house["building_id"], fault_kind="door_fault", date_start=p["since"], page_size=100, **more
        )
        rows += page["call_outs"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    times = {}
    for row in rows:
        if row["call_out_status"] != "closed":
            continue
        if tools.get_call_out(call_out_id=row["call_out_id"])["cause_kind"] in ("wear", "adjustment"):
            times[row["lift_id"]] = times.get(row["lift_id"], 0) + 1
    lift = tools.get_lift(lift_id=max(times, key=times.get))
    quotation = tools.request_quotation(
        lift_id=lift["lift_id"], work_kind="repair",
        fault_details=f"The doors keep failing from wear; we would like a price for {p['wish']}.",
    )
    return {
        "outcome": "done", "answers": {"lift": lift["entrance"], "quotation_by": quotation["issue_due_date"]},
        "reason": None,
        "message": f"It is the lift of {lift['entrance']}, {times[lift['lift_id']]} times; the quotation for its doors"
                   f" comes by {quotation['issue_due_date']}.",
    }


def _asked(world):
    return [change["after"] for change in world.changes if change["table"] == "quotations" and not change["before"]]


def goal_asks_for_one_quotation_there(world, p):
    """Has one new request for a quotation for the repair of the doors of the lift whose doors failed most."""
    rows = _asked(world)
    return len(rows) == 1 and rows[0]["lift_id"] == _worn(world.initial, p)[0]["id"] \
        and rows[0]["work_kind"] == "repair" and rows[0]["quotation_status"] == "requested" \
        and rows[0]["customer_id"] == 1 and rows[0]["inspection_id"] is None and "door" in rows[0]["fault_details"].lower()


def goal_says_which_lift(world, p):
    """Says which lift it is."""
    return world.report.says("lift", _worn(world.initial, p)[0]["entrance"])


def goal_says_when_it_comes(world, p):
    """Says by when the quotation comes."""
    return world.report.says("quotation_by", p["due"])


def guard_adds_one_quotation_only(world, p):
    """Changed nothing but one new quotation."""
    return len(world.changes) <= 1 and all(
        change["table"] == "quotations" and change["before"] is None for change in world.changes
    )


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
