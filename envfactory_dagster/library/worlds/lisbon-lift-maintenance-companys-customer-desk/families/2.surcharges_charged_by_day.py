import datetime

CALLS = (
    ("door_fault", "misuse", "A pram was pushed against the closing doors.", "Put the car door back on its rail."),
    ("other", "misuse", "Something heavy was dropped in the car, the sill is bent.", "Straightened the sill."),
    ("levelling", "misuse", "The car stops too low with boxes in it.", "Overloaded; levelling reset."),
    ("lighting", "vandalism", "Lamps in the car unscrewed.", "Fitted two lamps."),
    ("vandalism", "vandalism", "Sticky stuff all over the buttons.", "Cleaned the panel, replaced a button."),
    ("alarm_or_phone", "power_supply", "The phone is dead since the lights went out.", "Reset the phone, tested the battery."),
    ("other", "power_supply", "The display stays black after a power cut.", "Restarted the control."),
    ("water_or_fire", "water", "Water on the car roof.", "Dried the roof, checked the wiring."),
)


def _weekday(day, holidays):
    return day.weekday() < 5 and day.isoformat() not in holidays


def _count_on(day, number, holidays):
    while number:
        day += datetime.timedelta(days=1)
        if _weekday(day, holidays):
            number -= 1
    return day


def _eight_hours(moment, holidays):
    minutes, at = 480, moment
    while True:
        if _weekday(at.date(), holidays) and at.hour < 18:
            at = max(at, at.replace(hour=8, minute=0))
            left = int((at.replace(hour=18, minute=0) - at).total_seconds() // 60)
            if left >= minutes:
                return at + datetime.timedelta(minutes=minutes)
            minutes -= left
        at = (at + datetime.timedelta(days=1)).replace(hour=0, minute=0)


def _wrong(world, p):
    """Surcharge lines on invoices of that time for call-outs reported by day."""
    return world.query(
        "SELECT i.id, i.invoice_number, i.invoice_status, x.id AS line FROM invoice_lines x"
        " JOIN invoices i ON i.id = x.invoice_id JOIN contracts c ON c.id = i.contract_id"
        " JOIN call_outs k ON k.id = x.call_out_id JOIN building_roles r ON r.building_id = c.building_id"
        " WHERE c.building_id = :house AND r.customer_id = 1 AND x.line_kind = 'surcharge' AND k.tariff_band = 'day'"
        " AND i.issued_on BETWEEN :since AND :until AND ((r.customer_role = 'shop_owner' AND c.customer_id = 1)"
        " OR (r.customer_role = 'administrator' AND c.customer_id IS NULL)) ORDER BY i.id, x.line_number",
        {"house": p["house"], "since": p["since"], "until": p["until"]},
    )


def instances(world, rng):
    """Recent invoices of an address with call-outs of day and evening, all of them charged with a surcharge."""
    lifts = world.query(
        "SELECT l.id, l.entrance, c.id AS contract, c.vat_rate, c.night_cover, b.id AS house, b.address,"
        " b.municipality_id AS area, (SELECT u.phone FROM customers u WHERE u.id = 1) AS phone"
        " FROM contracts c JOIN lifts l ON l.contract_id = c.id JOIN buildings b ON b.id = l.building_id"
        " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = 1 WHERE c.night_cover = 0"
        " AND ((r.customer_role = 'administrator' AND c.customer_id IS NULL)"
        " OR (r.customer_role = 'shop_owner' AND c.customer_id = 1)) ORDER BY l.id"
    )
    top = {}
    for name, sql in (("call", "SELECT MAX(id) AS most FROM call_outs"),
                      ("invoice", "SELECT MAX(id) AS most FROM invoices"),
                      ("line", "SELECT MAX(id) AS most FROM invoice_lines")):
        top[name] = world.one(sql)["most"] + 1
    old = world.query("SELECT lift_id, fault_kind, substr(reported_at, 1, 10) AS day FROM call_outs ORDER BY day, id")
    printed = world.query("SELECT invoice_number AS text, issued_on AS day FROM invoices ORDER BY day DESC, id DESC")
    today = datetime.date.fromisoformat(world.clock[:10])
    houses = sorted({one["house"] for one in lifts})
    for _ in range(1500):
        house = rng.choice(houses)
        own = [one for one in lifts if one["house"] == house]
        holidays = {row["holiday_date"] for row in world.query(
            "SELECT holiday_date FROM holidays WHERE ifnull(municipality_id, ?) = ?", [own[0]["area"], own[0]["area"]]
        )}
        since = today - datetime.timedelta(days=rng.randint(12, 25))
        until = min(since + datetime.timedelta(days=rng.randint(8, 20)), today - datetime.timedelta(days=1))
        calls, invoices, lines, busy = [], [], [], []
        taken = {row["text"] for row in printed}
        for number in range(rng.randint(4, 6)):
            issued = since + datetime.timedelta(days=rng.randint(-9, (today - since).days - 1))
            if not _weekday(issued, holidays) or issued in [one[0] for one in busy]:
                continue
            invoice, rows = top["invoice"] + len(invoices), []
            for _call in range(rng.choice((1, 1, 2))):
                lift = rng.choice(own)
                fault, cause, details, done = rng.choice(CALLS)
                day = issued - datetime.timedelta(days=rng.randint(5, 16))
                if not _weekday(day, holidays) or any(
                    one == day or (lift_id == lift["id"] and (kind == fault or abs((one - day).days) < 4))
                    for _issue, one, lift_id, kind in busy
                ) or any(
                    row["lift_id"] == lift["id"] and abs((datetime.date.fromisoformat(row["day"]) - day).days)
                    < (35 if row["fault_kind"] == fault else 4) for row in old
                ):
                    continue
                by_day = rng.random() < 0.5
                hour = rng.choice((9, 11, 14, 16, 17)) if by_day else rng.choice((18, 19, 20, 21))
                at = datetime.datetime.combine(day, datetime.time(hour, rng.choice((5, 15, 30, 45, 50))))
                due_at = _eight_hours(at, holidays)
                arrived = at + datetime.timedelta(hours=1, minutes=35)
                if not by_day or hour >= 16:
                    arrived = datetime.datetime.combine(_count_on(day, 1, holidays), datetime.time(8, 40))
                net = 9500 if by_day else 11875
                call = top["call"] + len(calls)
                calls.append({
                    "id": call, "lift_id": lift["id"], "customer_id": 1, "fault_kind": fault, "fault_details": details,
                    "phone": lift["phone"], "lift_stopped": 0, "priority": "p3", "call_out_status": "closed",
                    "reported_at": at.isoformat(), "tariff_band": "day" if by_day else "evening",
                    "arrive_by": due_at.isoformat(), "arrived_at": arrived.isoformat(),
                    "closed_at": (arrived + datetime.timedelta(minutes=rng.randint(18, 29))).isoformat(),
                    "cancelled_at": None, "cancel_reason": None, "cause_kind": cause, "work_done": done, "covered": 0,
                    "uses_quota": 0, "net_cents": net, "vat_rate": lift["vat_rate"],
                })
                busy.append((issued, day, lift["id"], fault))
                said = f"{day.day} {day:%B}"
                rows.append(("call_out", f"Call-out of {said}, {lift['entrance']}", 9500, call))
                if not by_day or rng.random() < 0.75:
                    rows.append(("surcharge", f"Evening surcharge 25 percent, call-out of {said}", 2375, call))
            if not rows:
                continue
            serial = 1 + max([int(row["text"].split("/")[1]) for row in printed
                              if row["day"] <= issued.isoformat() and row["day"][:4] == str(issued.year)], default=0)
            while f"FT LX{issued.year % 100}/{serial}" in taken:
                serial += 1
            taken.add(f"FT LX{issued.year % 100}/{serial}")
            due = issued + datetime.timedelta(days=30)
            while not _weekday(due, holidays):
                due += datetime.timedelta(days=1)
            invoices.append({
                "id": invoice, "invoice_number": f"FT LX{issued.year % 100}/{serial}",
                "atcud": f"JF7W{invoice:03d}R-{serial}", "contract_id": own[0]["contract"], "quotation_id": None,
                "invoice_status": "open", "issued_on": issued.isoformat(), "due_date": due.isoformat(),
                "vat_rate": own[0]["vat_rate"], "interest_cents": 0,
            })
            for line_number, (kind, text, cents, call) in enumerate(rows, 1):
                lines.append({"id": top["line"] + len(lines), "invoice_id": invoice, "line_number": line_number,
                              "line_kind": kind, "line_text": text, "net_cents": cents, "call_out_id": call})
        p = {"address": own[0]["address"], "since": since.isoformat(), "until": until.isoformat(),
             "house": house, "today": today.isoformat()}
        bands = {call["id"]: call["tariff_band"] for call in calls}
        recent = {row["id"] for row in invoices if p["since"] <= row["issued_on"] <= p["until"]}
        right = {x["invoice_id"] for x in lines if x["line_kind"] == "surcharge" and bands[x["call_out_id"]] == "day"
                 and x["invoice_id"] in recent}
        if not right or len(recent) < 2 or right == recent or _wrong(world, p):
            continue
        yield {"p": p, "given": {"call_outs": calls, "invoices": invoices, "invoice_lines": lines}}


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_invoices(building_id=house["building_id"], date_start=p["since"], date_end=p["until"],
                                   page_size=100, **more)
        rows += page["invoices"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    numbers, answer_by = [], None
    for row in reversed(rows):
        invoice = tools.get_invoice(invoice_id=row["invoice_id"])
        wrong = []
        for line in invoice["lines"]:
            if line["line_kind"] != "surcharge" or not line["call_out_id"]:
                continue
            if tools.get_call_out(call_out_id=line["call_out_id"])["tariff_band"] == "day":
                wrong.append(line["line_number"])
        if wrong:
            made = tools.dispute_invoice(
                invoice_id=row["invoice_id"], line_numbers=wrong, dispute_reason="wrong_tariff_band",
                reason="The fault was reported on a working day between 8 and 18 o'clock, so no surcharge is due.",
            )
            numbers.append(invoice["invoice_number"])
            answer_by = made["answer_due_date"]
    return {
        "outcome": "done", "answers": {"invoices": numbers or None, "answer_by": answer_by}, "reason": None,
        "message": f"Disputed: {', '.join(numbers) or 'none'}; the answer must come by {answer_by}.",
    }


def _made(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and not change["before"]]


def goal_disputes_each_wrong_surcharge(world, p):
    """Has one dispute of each invoice with such surcharges, for just these lines, as a wrong tariff band."""
    wrong, made = _wrong(world.initial, p), _made(world, "invoice_disputes")
    owner = {row["id"]: row["invoice_id"] for row in made}
    lines = sorted((owner.get(row["dispute_id"]), row["invoice_line_id"]) for row in _made(world, "dispute_lines"))
    return (
        sorted(row["invoice_id"] for row in made) == sorted({row["id"] for row in wrong})
        and lines == sorted((row["id"], row["line"]) for row in wrong)
        and all(row["dispute_reason"] == "wrong_tariff_band" and row["customer_id"] == 1
                and row["dispute_status"] == "open" for row in made)
    )


def goal_says_which_invoices_are_disputed(world, p):
    """Says which invoices are disputed now."""
    return world.report.says("invoices", sorted({row["invoice_number"] for row in _wrong(world.initial, p)}))


def goal_says_by_when_they_must_answer(world, p):
    """Says by when the company must answer."""
    holidays = {row["holiday_date"] for row in world.initial.query(
        "SELECT h.holiday_date FROM holidays h LEFT JOIN buildings b ON b.municipality_id = h.municipality_id"
        " WHERE h.municipality_id IS NULL OR b.id = ?", [p["house"]],
    )}
    return world.report.says("answer_by", _count_on(datetime.date.fromisoformat(p["today"]), 15, holidays).isoformat())


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_disputes_nothing_else(world, p):
    """Changed nothing but disputes of these lines and the status of their invoices."""
    wrong = _wrong(world.initial, p)
    invoices, lines = {row["id"] for row in wrong}, {row["line"] for row in wrong}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "invoices" and before and after:
            right = before["id"] in invoices and all(
                before[key] == after[key] for key in before if key != "invoice_status"
            ) and after["invoice_status"] == "part_disputed"
        elif change["table"] == "invoice_disputes" and before is None:
            right = after["invoice_id"] in invoices
        else:
            right = change["table"] == "dispute_lines" and before is None and after["invoice_line_id"] in lines
        if not right:
            return False
    made = [row["invoice_id"] for row in _made(world, "invoice_disputes")]
    return len(made) == len(set(made))
