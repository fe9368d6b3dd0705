import datetime

CAUSES = (("vandalism", "vandalism"), ("water damage", "water"), ("power failures", "power_supply"))
REPORTS = (
    ("vandalism", "vandalism", "Buttons burnt with a lighter.", "Replaced two push buttons.", 0),
    ("vandalism", "vandalism", "Mirror kicked in.", "Took out the splinters and secured the frame.", 0),
    ("vandalism", "door_fault", "Chewing gum in the door contact.", "Cleaned and tested the contact.", 0),
    ("vandalism", "vandalism", "Panel of the landing torn off the wall.", "Fixed the panel again, new screws.", 1),
    ("water", "water_or_fire", "Water dripping through the car ceiling.", "Dried the car roof, checked the wiring.", 1),
    ("water", "water_or_fire", "Puddle in the pit after heavy rain.", "Pumped out the pit, tested the switches.", 1),
    ("water", "alarm_or_phone", "Alarm rings on its own since a pipe burst.", "Dried the intercom and its plug.", 0),
    ("misuse", "door_fault", "A sofa was pushed against the doors.", "Put the door back on its track.", 0),
    ("misuse", "levelling", "Car hangs too low, loaded with tiles.", "Car overloaded; levelling reset.", 0),
    ("misuse", "door_fault", "Doors blocked with a wedge of wood.", "Removed the wedge, adjusted the closing force.", 0),
    ("misuse", "other", "A bicycle is stuck in the doors.", "Freed the bicycle, straightened the sill.", 1),
    ("power_supply", "lighting", "No light in the car since the power cut.", "Changed the fuse of the lighting.", 0),
    ("power_supply", "alarm_or_phone", "Phone dead after the power cut.", "Reset the phone, charged its battery.", 0),
    ("power_supply", "other", "Display shows nonsense since the lights flickered.", "Restarted the control, checked the supply.", 0),
    ("wear", "noise", "Grinding at every start.", "Replaced a worn roller.", 0),
    ("wear", "lighting", "One lamp of the car is out.", "Lamp replaced.", 0),
    ("wear", "door_fault", "Doors close only at the second try.", "Replaced the belt of the door operator.", 1),
    ("wear", "alarm_or_phone", "The alarm button sticks.", "Alarm button replaced.", 0),
    ("adjustment", "levelling", "Stops a little above the floor.", "Levelling adjusted on two floors.", 0),
    ("adjustment", "noise", "Knocking between the floors.", "Guide shoes adjusted.", 0),
    ("adjustment", "door_fault", "Doors open again for no reason.", "Light curtain aligned.", 0),
)
BANDS = (("day", 0), ("evening", 25), ("holiday_day", 50))
SURCHARGES = (("evening", "Evening surcharge 25 percent"), ("holiday_day", "Weekend surcharge 50 percent"))


def _at_work(day, off):
    return day.weekday() < 5 and day.isoformat() not in off


def _work_day(day, off, step=1):
    while not _at_work(day, off):
        day += datetime.timedelta(days=step)
    return day


def _arrive_by(moment, off):
    left = datetime.timedelta(hours=8)
    while True:
        opening = moment.replace(hour=8, minute=0)
        closing = moment.replace(hour=18, minute=0)
        if moment < closing and _at_work(moment.date(), off):
            moment = max(moment, opening)
            if closing - moment >= left:
                return moment + left
            left -= closing - moment
        moment = opening.replace(hour=0) + datetime.timedelta(days=1)


def _claimed(world, p):
    return world.query(
        "SELECT k.id, k.reported_at, (k.net_cents * (100 + k.vat_rate) + 50) / 100 AS cents, k.net_cents,"
        " EXISTS (SELECT 1 FROM invoice_lines x WHERE x.call_out_id = k.id) AS billed"
        " FROM call_outs k JOIN lifts l ON l.id = k.lift_id JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = 1"
        " WHERE l.building_id = :building AND k.call_out_status = 'closed' AND k.cause_kind = :kind"
        " AND (r.customer_role <> 'shop_owner' OR c.customer_id = 1)"
        " AND substr(k.reported_at, 1, 10) >= :since ORDER BY k.reported_at",
        {"building": p["building"], "kind": p["kind"], "since": p["since"]},
    )


def instances(world, rng):
    """An address, a cause that an insurer pays for, and many months of call-outs of every sort."""
    lifts = world.query(
        "SELECT l.id, l.building_id, l.entrance, b.address, b.municipality_id, c.id AS contract, c.contract_kind,"
        " c.night_cover, c.vat_rate, c.term_start, u.phone FROM building_roles r JOIN customers u ON u.id = r.customer_id"
        " JOIN buildings b ON b.id = r.building_id JOIN lifts l ON l.building_id = b.id"
        " JOIN contracts c ON c.id = l.contract_id WHERE u.id = 1 AND (r.customer_role = 'administrator'"
        " OR (r.customer_role = 'shop_owner' AND c.customer_id = u.id)) ORDER BY b.id, l.id"
    )
    past = world.query("SELECT lift_id, fault_kind, reported_at, uses_quota FROM call_outs ORDER BY reported_at")
    serials = world.query("SELECT issued_on, invoice_number FROM invoices ORDER BY invoice_number")
    top = {name: world.one(sql)["id"] + 1 for name, sql in (
        ("call", "SELECT MAX(id) AS id FROM call_outs"), ("invoice", "SELECT MAX(id) AS id FROM invoices"),
        ("line", "SELECT MAX(id) AS id FROM invoice_lines"), ("payment", "SELECT MAX(id) AS id FROM payments"),
    )}
    now = datetime.datetime.fromisoformat(world.clock)
    today = now.date()
    houses = sorted({one["building_id"] for one in lifts})
    for _ in range(600):
        house = rng.choice(houses)
        own = [one for one in lifts if one["building_id"] == house]
        off = {row["holiday_date"] for row in world.query(
            "SELECT holiday_date FROM holidays h WHERE h.municipality_id IS NULL OR EXISTS (SELECT 1 FROM buildings b"
            " WHERE b.id = ? AND b.municipality_id = h.municipality_id)", [house],
        )}
        cause, kind = rng.choice(CAUSES)
        since = today - datetime.timedelta(days=rng.randint(150, 330))
        since = since.replace(day=rng.choice((1, 1, 15, rng.randint(2, 28))))
        calls, invoices, lines, payments, busy = [], [], [], [], []
        used = {}
        for row in past:
            if row["uses_quota"]:
                used.setdefault((row["lift_id"], row["reported_at"][:4]), []).append(row["reported_at"])
        wanted = rng.randint(2, 4)
        amount = min(6 + 6 * len(own), rng.randint(16, 30))
        days = sorted(rng.sample(range((today - since).days - 4), amount))
        picks = set(rng.sample(range(amount), wanted))
        if rng.random() < 0.65:
            days = sorted(set(days[:-1]) | {(today - since).days - rng.randint(10, 28)})
            picks.add(len(days) - 1)
        taken = {row["invoice_number"] for row in serials}
        for number, offset in enumerate(days):
            lift = rng.choice(own)
            reported = since + datetime.timedelta(days=offset + 1)
            sorts = [one for one in REPORTS if (one[0] == kind) == (number in picks)]
            why, fault, details, done, extra = rng.choice(sorts)
            band = rng.choices(("day", "evening", "holiday_day"), (6, 2, 1))[0]
            if band == "holiday_day":
                reported += datetime.timedelta(days=(5 - reported.weekday()) % 7)
            elif not _at_work(reported, off):
                reported = _work_day(reported, off)
            if reported >= today - datetime.timedelta(days=4) or (band == "holiday_day" and reported.isoformat() in off):
                continue
            hour = {"day": rng.randint(8, 17), "evening": rng.randint(18, 20), "holiday_day": rng.randint(9, 20)}[band]
            moment = datetime.datetime.combine(reported, datetime.time(hour, rng.choice((5, 10, 20, 25, 35, 40, 50))))
            near = [row for row in past if row["lift_id"] == lift["id"]
                    and abs((datetime.date.fromisoformat(row["reported_at"][:10]) - reported).days) < 9]
            same = [row for row in past if row["lift_id"] == lift["id"] and row["fault_kind"] == fault
                    and abs((datetime.date.fromisoformat(row["reported_at"][:10]) - reported).days) < 45]
            if near or same or reported.isoformat() < lift["term_start"] or any(
                one == reported or (lift_id == lift["id"] and abs((one - reported).days) < (40 if f == fault else 9))
                for lift_id, one, f in busy
            ) or world.one(
                "SELECT id FROM planned_stops WHERE lift_id = ? AND stop_status = 'done' AND ends_at BETWEEN ? AND ?"
                " LIMIT 1", [lift["id"], (moment - datetime.timedelta(days=8)).isoformat(), moment.isoformat()],
            ):
                continue
            percent = 0 if band == "evening" and lift["night_cover"] else dict(BANDS)[band]
            surcharge = (9500 + 3200 * extra) * percent // 100
            outside = why in ("vandalism", "water", "misuse", "power_supply")
            covered, quota, net = 0, 0, 9500 + 3200 * extra + surcharge
            if not outside and lift["contract_kind"] == "complete":
                covered, net = 1, 0
            elif not outside:
                spent = used.setdefault((lift["id"], str(reported.year)), [])
                if len(spent) < 2:
                    covered, quota, net = 1, 1, surcharge
                    spent.append(moment.isoformat())
                elif moment.isoformat() < max(spent):
                    continue
            arrive_by = _arrive_by(moment, off)
            arrived = moment + datetime.timedelta(hours=2, minutes=rng.randint(0, 40))
            if band != "day" or arrived.hour >= 17:
                next_day = _work_day(reported + datetime.timedelta(days=1), off)
                arrived = datetime.datetime.combine(next_day, datetime.time(9, rng.choice((5, 15, 30, 45))))
            arrived = min(arrived, arrive_by - datetime.timedelta(minutes=25))
            closed = arrived + datetime.timedelta(minutes=rng.randint(20, 30) + 28 * extra)
            if closed > now - datetime.timedelta(days=1):
                continue
            busy.append((lift["id"], reported, fault))
            call = top["call"] + len(calls)
            calls.append({
                "id": call, "lift_id": lift["id"], "customer_id": 1, "fault_kind": fault, "fault_details": details,
                "phone": lift["phone"], "lift_stopped": 0, "priority": "p3", "call_out_status": "closed",
                "reported_at": moment.isoformat(), "tariff_band": band, "arrive_by": arrive_by.isoformat(),
                "arrived_at": arrived.isoformat(), "closed_at": closed.isoformat(), "cancelled_at": None,
                "cancel_reason": None, "cause_kind": why, "work_done": done, "covered": covered, "uses_quota": quota,
                "net_cents": net, "vat_rate": lift["vat_rate"],
            })
            if net == 0 or (today - reported).days <= 32:
                continue
            issued = _work_day(closed.date() + datetime.timedelta(days=rng.randint(6, 14)), off)
            due = _work_day(issued + datetime.timedelta(days=30), off)
            paid = min(_work_day(issued + datetime.timedelta(days=rng.randint(4, 12)), off), due)
            if paid >= today:
                paid = _work_day(today - datetime.timedelta(days=1), off, -1)
            serial = max([int(row["invoice_number"].split("/")[1]) for row in serials if row["issued_on"][:4]
                          == str(issued.year) and row["issued_on"] <= issued.isoformat()], default=0) + 1
            while f"FT LX{issued.year % 100}/{serial}" in taken:
                serial += 1
            taken.add(f"FT LX{issued.year % 100}/{serial}")
            invoice = top["invoice"] + len(invoices)
            invoices.append({
                "id": invoice, "invoice_number": f"FT LX{issued.year % 100}/{serial}",
                "atcud": f"JF7V{invoice:03d}R-{serial}", "contract_id": lift["contract"], "quotation_id": None,
                "invoice_status": "paid", "issued_on": issued.isoformat(), "due_date": due.isoformat(),
                "vat_rate": lift["vat_rate"], "interest_cents": 0,
            })
            day = f"{reported.day} {reported:%B}"
            parts = [] if covered else [("call_out", f"Call-out of {day}, {lift['entrance']}", net - surcharge)]
            if surcharge:
                parts.append(("surcharge", dict(SURCHARGES)[band] + (f", call-out of {day}" if covered else ""), surcharge))
            for line, (line_kind, text, cents) in enumerate(parts, 1):
                lines.append({"id": top["line"] + len(lines), "invoice_id": invoice, "line_number": line,
                              "line_kind": line_kind, "line_text": text, "net_cents": cents, "call_out_id": call})
            sent = datetime.datetime.combine(paid, datetime.time(rng.randint(9, 17), rng.choice((5, 20, 40))))
            before = paid
            for _step in range(5):
                before = _work_day(before + datetime.timedelta(days=1), off)
            payments.append({
                "id": top["payment"] + len(payments), "invoice_id": invoice, "customer_id": 1,
                "payment_method": "bank_transfer", "payment_status": "settled",
                "total_cents": (net * (100 + lift["vat_rate"]) + 50) // 100, "in_part": 0, "phone": None,
                "mb_entity": None, "mb_reference": None, "iban": "PT50003300004512987630105",
                "created_at": sent.isoformat(), "pay_before": f"{before}T18:00:00",
            })
        p = {"address": own[0]["address"], "cause": cause, "since": since.isoformat(), "building": house, "kind": kind}
        right = _claimed(world, p) + [call for call in calls if call["cause_kind"] == kind]
        dates = [row["reported_at"][:10] for row in right]
        if not 2 <= len(right) <= 6 or len(set(dates)) < len(dates) or any(row["net_cents"] == 0 for row in right):
            continue
        if len(calls) < 6:
            continue
        given = {"call_outs": calls, "invoices": invoices, "invoice_lines": lines, "payments": payments}
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_call_outs(
            building_id=house["building_id"], call_out_status="closed", date_start=p["since"], page_size=100, **more
        )
        rows += page["call_outs"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    kind = {"vandalism": "vandalism", "water damage": "water", 
            "power failures": "power_supply"}[p["cause"]]
    days, open_days, total = [], [], 0
    for row in reversed(rows):
        call = tools.get_call_out(call_out_id=row["call_out_id"])
        if call["cause_kind"] != kind:
            continue
        days.append(call["reported_at"][:10])
        total += call["total_cents"]
        if call["invoice_id"] is None:
            open_days.append(call["reported_at"][:10])
    tail = f"not billed yet: {', '.join(open_days)}" if open_days else "all of them are billed"
    return {
        "outcome": "done",
        "answers": {"days": days, "claim": total, "not_billed": open_days or None}, "reason": None,
        "message": f"Call-outs put down to {p['cause']}: {', '.join(days)}, {total / 100:.2f} EUR with IVA; {tail}.",
    }


def goal_says_on_which_days(world, p):
    """Says on which days those call-outs were reported."""
    return world.report.says("days", [row["reported_at"][:10] for row in _claimed(world.initial, p)])


def goal_says_what_to_claim(world, p):
    """Says what they cost, with IVA."""
    return world.report.says("claim", sum(row["cents"] for row in _claimed(world.initial, p)))


def goal_says_which_are_not_billed(world, p):
    """Says for which of them no invoice has come yet, or nothing where all are billed."""
    days = [row["reported_at"][:10] for row in _claimed(world.initial, p) if not row["billed"]]
    return world.report.outcome is not None and world.report.says("not_billed", days or None)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return not world.changes
