import datetime

SMALL = (
    ("LED lighting of the shaft", 180, 41000, 26000), ("Handrail and mirror of the car", 120, 31000, 14500),
    ("Indicators on two landings", 150, 36500, 19000), ("Rope of the overspeed governor", 210, 28800, 37500),
    ("Shoes of the landing doors", 240, 33700, 42000), ("Buttons of the car panel", 120, 45200, 17300),
    ("Buffers in the pit", 180, 39400, 31200), ("Floor covering of the car", 150, 34900, 22800),
)
LARGE = (
    ("Traction sheave", 240, 214000, 92000), ("Frequency drive", 210, 268000, 76000),
    ("Door operator and car doors", 240, 239500, 98500), ("Motor fan and brake", 240, 197000, 88000),
    ("Landing door locks on all floors", 240, 226000, 124000),
)
FEASTS = ("01-01", "04-25", "05-01", "06-10", "08-15", "10-05", "11-01", "12-01", "12-08", "12-25")
MOVING = ("2026-04-03", "2026-06-04", "2027-03-26", "2027-05-27")
LOCAL = (("lisboa", "06-13"), ("amadora", "09-11"), ("odivelas", "11-19"), ("loures", "07-26"), ("oeiras", "06-07"),
         ("cascais", "06-13"), ("sintra", "06-29"), ("almada", "06-24"))


def _days_to(first, start, closed):
    """Working days from the day of cancelling to the day before the start."""
    count = 0
    while first < start:
        count += first.weekday() < 5 and first.isoformat() not in closed
        first += datetime.timedelta(days=1)
    return count


def _plus(day, number, closed):
    step = datetime.timedelta(days=1 if number >= 0 else -1)
    left = abs(number)
    while left or day.weekday() > 4 or day.isoformat() in closed:
        day += step
        if left and day.weekday() < 5 and day.isoformat() not in closed:
            left -= 1
    return day


def _closed(world, house):
    return {row["holiday_date"] for row in world.query(
        "SELECT h.holiday_date FROM buildings b JOIN holidays h ON h.municipality_id IS NULL"
        " OR h.municipality_id = b.municipality_id WHERE b.id = ? ORDER BY h.holiday_date", [house],
    )}


def _repairs(world, p):
    """The repairs ahead at that address in that time, each with whether it can be called off without loss."""
    closed = _closed(world, p["house"])
    today = datetime.date.fromisoformat(p["now"][:10]) + datetime.timedelta(days=p["now"][11:] >= "12:00:00")
    rows = world.query(
        "SELECT s.*, q.safety_level FROM planned_stops s JOIN lifts l ON l.id = s.lift_id"
        " JOIN contracts c ON c.id = l.contract_id JOIN quotations q ON q.id = s.quotation_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = 1"
        " WHERE l.building_id = :house AND s.work_kind = 'repair' AND s.stop_status IN ('awaiting_alternative', 'confirmed')"
        " AND s.starts_at > :now AND substr(s.starts_at, 1, 10) <= :until"
        " AND (r.customer_role <> 'shop_owner' OR c.customer_id = 1) ORDER BY s.starts_at",
        {"house": p["house"], "now": p["now"], "until": p["until"]},
    )
    for row in rows:
        row["left"] = _days_to(today, datetime.date.fromisoformat(row["starts_at"][:10]), closed)
        row["free"] = row["safety_level"] != "C1" and row["left"] >= (10 if row["deposit_cents"] else 3)
    return rows


def instances(world, rng):
    """An address with several repairs booked, with and without a deposit, soon and later."""
    lifts = world.query(
        "SELECT l.id, l.entrance, l.building_id AS house, b.address, c.id AS contract, c.vat_rate,"
        " r.customer_role AS part, u.phone, (SELECT MIN(s.id) FROM planned_stops s WHERE s.lift_id = l.id"
        " AND s.stop_status = 'in_progress') AS stopped FROM lifts l JOIN contracts c ON c.id = l.contract_id"
        " JOIN buildings b ON b.id = c.building_id JOIN building_roles r ON r.building_id = b.id"
        " JOIN customers u ON u.id = r.customer_id WHERE u.id = 1 AND l.lift_status IN ('in_service', 'fault')"
        " AND l.lift_kind = 'passenger' AND (r.customer_role = 'administrator'"
        " OR (r.customer_role = 'shop_owner' AND c.customer_id = 1)) AND NOT EXISTS (SELECT 1 FROM invoices i"
        " WHERE i.contract_id = c.id AND i.invoice_status = 'overdue' AND i.due_date < date(?, '-45 days')) ORDER BY l.id",
        [world.clock],
    )
    tops = {name: world.one(sql)["high"] + 1 for name, sql in (
        ("quotation", "SELECT MAX(id) AS high FROM quotations"), ("price", "SELECT MAX(id) AS high FROM quotation_lines"),
        ("slot", "SELECT MAX(id) AS high FROM stop_slots"), ("stop", "SELECT MAX(id) AS high FROM planned_stops"),
        ("bill", "SELECT MAX(id) AS high FROM invoices"), ("line", "SELECT MAX(id) AS high FROM invoice_lines"),
        ("paid", "SELECT MAX(id) AS high FROM payments"),
    )}
    printed = world.query("SELECT issued_on, invoice_number FROM invoices ORDER BY issued_on, invoice_number")
    ahead = world.query(
        "SELECT l.building_id AS house, s.lift_id, s.starts_at, s.ends_at, s.work_kind FROM planned_stops s"
        " JOIN lifts l ON l.id = s.lift_id WHERE s.stop_status NOT IN ('cancelled', 'lapsed', 'done') ORDER BY s.id"
    )
    titles = " ".join(row["title"] for row in world.query("SELECT title FROM quotations ORDER BY id"))
    slots = {(row["lift_id"], row["starts_at"]) for row in world.query("SELECT lift_id, starts_at FROM stop_slots ORDER BY id")}
    today = datetime.date.fromisoformat(world.clock[:10])
    houses = sorted({one["house"] for one in lifts})
    shut = {house: _closed(world, house) for house in houses}
    for _ in range(6000):
        house = rng.choice(houses)
        own = [one for one in lifts if one["house"] == house and one["stopped"] is None]
        closed = shut[house]
        sorts = ["late deposit"] + rng.sample(["soon", "middle deposit", "late", "late", "late deposit"], rng.randint(1, 3))
        if not {"soon", "middle deposit"} & set(sorts) and rng.random() < 0.8:
            continue
        small, large = rng.sample(SMALL, 5), rng.sample(LARGE, 3)
        taken = {one["invoice_number"] for one in printed}
        given = {"quotations": [], "quotation_lines": [], "stop_slots": [], "planned_stops": [], "invoices": [],
                 "invoice_lines": [], "payments": []}
        busy, load = set(), {}
        for one in ahead:
            if one["house"] == house:
                day = datetime.date.fromisoformat(one["starts_at"][:10])
                while day.isoformat() <= one["ends_at"][:10]:
                    busy.add(day)
                    day += datetime.timedelta(days=1)
                load[one["lift_id"]] = load.get(one["lift_id"], 0) + (one["work_kind"] != "inspection")
        for sort in sorts:
            lift = rng.choice(own)
            deposit = "deposit" in sort
            title, minutes, parts, labour = (large if deposit else small).pop()
            count = {"soon": rng.choice((0, 1)), "middle deposit": rng.randint(4, 8), "late": rng.randint(5, 20),
                     "late deposit": rng.randint(12, 24)}[sort]
            day = _plus(today, count + (today.weekday() > 4 or today.isoformat() in closed), closed)
            at = datetime.datetime.combine(day, datetime.time(rng.choice((8, 9, 14))))
            if day in busy or day <= today or load.get(lift["id"], 0) > 2 or (lift["id"], at.isoformat()) in slots \
                    or title.lower() in titles.lower() or (at.hour == 14 and minutes > 210):
                continue
            busy.add(day)
            load[lift["id"]] = load.get(lift["id"], 0) + 1
            asked = _plus(today, -rng.randint(22, 26), closed)
            issued, approved = _plus(asked, 4, closed), _plus(asked, rng.randint(6, 9), closed)
            booked = _plus(approved, rng.randint(5, 7), closed)
            parts, labour = parts + 500 * rng.randint(-6, 6), labour + 500 * rng.randint(-4, 4)
            rate = 100 + lift["vat_rate"]
            total = ((parts + labour) * rate + 50) // 100
            quotation, stop = tops["quotation"] + len(given["quotations"]), tops["stop"] + len(given["planned_stops"])
            net = ((total * 40 + 50) // 100 * 100 + rate // 2) // rate if total > 250000 else 0
            held = (net * rate + 50) // 100
            if (held > 0) != deposit:
                break
            given["quotations"].append({
                "id": quotation, "lift_id": lift["id"], "customer_id": 1, "call_out_id": None, "inspection_id": None,
                "work_kind": "repair", "title": f"{title}, {lift['entrance']}",
                "fault_details": f"A price is wanted: {title.lower()}.", "quotation_status": "approved",
                "safety_level": "none", "fee_cents": 0, "requested_on": asked.isoformat(),
                "issue_due_date": _plus(asked, 5, closed).isoformat(), "issued_on": issued.isoformat(),
                "valid_until": (issued + datetime.timedelta(days=30)).isoformat(), "duration_minutes": minutes,
                "vat_rate": lift["vat_rate"], "parts_lead_days": 8, "approved_by_customer_id": 1,
                "approved_at": f"{approved}T{rng.randint(9, 17):02d}:20:00",
                "minutes_ref": f"{rng.randint(31, 48)}/{_plus(issued, 1, closed)}"
                               if total > 150000 and lift["part"] == "administrator" else None,
                "minutes_due_date": None, "withdraw_until": f"{_plus(approved, 2, closed)}T18:00:00",
                "parts_ordered_at": None, "parts_ready_date": _plus(approved, 8, closed).isoformat(),
            })
            for number, (kind, text, cents) in enumerate((("parts", title, parts), ("labour", "Fitting", labour)), 1):
                given["quotation_lines"].append({
                    "id": tops["price"] + len(given["quotation_lines"]), "quotation_id": quotation,
                    "line_number": number, "line_kind": kind, "line_text": text, "net_cents": cents, "made_to_order": 0,
                })
            slot = tops["slot"] + len(given["stop_slots"])
            end = at + datetime.timedelta(minutes=minutes)
            given["stop_slots"].append({
                "id": slot, "lift_id": lift["id"], "work_kind": "repair", "starts_at": at.isoformat(),
                "ends_at": end.isoformat(), "duration_minutes": minutes, "surcharge_percent": 0,
            })
            given["planned_stops"].append({
                "id": stop, "lift_id": lift["id"], "customer_id": 1, "slot_id": slot, "quotation_id": quotation,
                "inspection_id": None, "work_kind": "repair", "starts_at": at.isoformat(), "ends_at": end.isoformat(),
                "duration_minutes": minutes, "stop_status": "confirmed", "site_contact_phone": lift["phone"],
                "notice_sent_at": None, "moves_used": 0, "move_reason": None, "deposit_cents": held, "fee_cents": 0,
                "cancelled_at": None, "cancel_ground": None, "cancel_reason": None, "refund_cents": None,
            })
            if not held:
                continue
            serial = 1 + max([int(one["invoice_number"].split("/")[1]) for one in printed
                              if one["issued_on"] <= approved.isoformat()
                              and one["issued_on"][:4] == str(approved.year)], default=0)
            while f"FT LX{approved.year % 100}/{serial}" in taken:
                serial += 1
            taken.add(f"FT LX{approved.year % 100}/{serial}")
            bill = tops["bill"] + len(given["invoices"])
            given["invoices"].append({
                "id": bill, "invoice_number": f"FT LX{approved.year % 100}/{serial}", "atcud": f"JF7H{bill:03d}R-{serial}",
                "contract_id": lift["contract"], "quotation_id": quotation, "invoice_status": "paid",
                "issued_on": approved.isoformat(),
                "due_date": _plus(approved + datetime.timedelta(days=30), 0, closed).isoformat(),
                "vat_rate": lift["vat_rate"], "interest_cents": 0,
            })
            given["invoice_lines"].append({
                "id": tops["line"] + len(given["invoice_lines"]), "invoice_id": bill, "line_number": 1,
                "line_kind": "parts", "line_text": f"Deposit of 40 percent, {title.lower()} of {lift['entrance']}",
                "net_cents": net, "call_out_id": None,
            })
            paid = _plus(approved, 2, closed)
            given["payments"].append({
                "id": tops["paid"] + len(given["payments"]), "invoice_id": bill, "customer_id": 1,
                "payment_method": "bank_transfer", "payment_status": "settled", "total_cents": held, "in_part": 0,
                "phone": None, "mb_entity": None, "mb_reference": None, "iban": "PT50003300004512987630105",
                "created_at": f"{paid}T{rng.randint(9, 17):02d}:{rng.randint(10, 50)}:00",
                "pay_before": f"{_plus(paid, 5, closed)}T18:00:00",
            })
        if not given["planned_stops"]:
            continue
        until = datetime.date.fromisoformat(max(one["starts_at"] for one in given["planned_stops"])[:10])
        until += datetime.timedelta(days=rng.randint(1, 16))
        p = {"address": own[0]["address"], "until": until.isoformat(), "house": house, "now": world.clock}
        old = _repairs(world, p)
        first = today + datetime.timedelta(days=world.clock[11:] >= "12:00:00")
        rows = old + [{
            "free": _days_to(first, datetime.date.fromisoformat(one["starts_at"][:10]), closed)
            >= (10 if one["deposit_cents"] else 3), "deposit_cents": one["deposit_cents"],
        } for one in given["planned_stops"]]
        off = [row for row in rows if row["free"]]
        if len(given["planned_stops"]) < 2 or not 3 <= len(rows) <= 5 or len(off) == len(rows):
            continue
        if not any(row["deposit_cents"] for row in off) or any(world.one(
            "SELECT COUNT(*) AS n FROM quotation_lines x JOIN quotations q ON q.id = x.quotation_id"
            " WHERE q.id = ? AND q.parts_ordered_at IS NOT NULL AND x.made_to_order = 1", [row["quotation_id"]],
        )["n"] for row in old):
            continue
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    local = dict(LOCAL)[house["municipality"]]
    lift = tools.list_lifts(building_id=house["building_id"], page_size=100)["lifts"][0]
    now = tools.estimate_call_out(lift_id=lift["lift_id"], fault_kind="other")["reported_at"]
    first = datetime.date.fromisoformat(now[:10]) + datetime.timedelta(days=int(now[11:13]) >= 12)
    closed = {f"{year}-{day}" for year in (first.year, first.year + 1) for day in FEASTS + (local,)} | set(MOVING)
    stops = []
    for state in ("awaiting_alternative", "confirmed"):
        stops += tools.list_planned_stops(
            building_id=house["building_id"], work_kind="repair", stop_status=state, date_end=p["until"], page_size=100
        )["planned_stops"]
    days, back = [], 0
    for stop in sorted(stops, key=lambda one: one["starts_at"]):
        if stop["starts_at"] <= now:
            continue
        left = _days_to(first, datetime.date.fromisoformat(stop["starts_at"][:10]), closed)
        if left < (10 if stop["deposit_cents"] else 3):
            continue
        if tools.get_quotation(quotation_id=stop["quotation_id"])["safety_level"] == "C1":
            continue
        done = tools.cancel_planned_stop(
            stop_id=stop["stop_id"], reason="The money for it is not there now.", cancel_ground="own_choice"
        )
        days.append(stop["starts_at"][:10])
        back += done["refund_cents"]
    return {
        "outcome": "done", "answers": {"days": days, "deposit_back": back}, "reason": None,
        "message": f"Called off are the repairs of {', '.join(days)}; {back / 100:.2f} EUR of deposit come back.",
    }


def goal_calls_off_each_of_them(world, p):
    """Has called off, by choice, every repair of that time that costs nothing to cancel, with its whole deposit."""
    rows = [world.final.one("SELECT * FROM planned_stops WHERE id = ?", [row["id"]])
            for row in _repairs(world.initial, p) if row["free"]]
    return all(
        row["stop_status"] == "cancelled" and row["cancel_ground"] == "own_choice"
        and row["refund_cents"] == row["deposit_cents"] for row in rows
    )


def goal_says_on_which_days(world, p):
    """Says which days' repairs are called off."""
    return world.report.says("days", [row["starts_at"][:10] for row in _repairs(world.initial, p) if row["free"]])


def goal_says_what_comes_back(world, p):
    """Says how much deposit comes back in all."""
    return world.report.says("deposit_back", sum(row["deposit_cents"] for row in _repairs(world.initial, p) if row["free"]))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_leaves_all_others(world, p):
    """Changed nothing but these stops, without a charge, and what was arranged for people during them."""
    right = {row["id"] for row in _repairs(world.initial, p) if row["free"]}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        other = {key for key in before if before[key] != after[key]}
        if change["table"] == "planned_stops":
            fine = before["id"] in right and other <= {
                "stop_status", "cancelled_at", "cancel_ground", "cancel_reason", "refund_cents"}
        else:
            fine = change["table"] == "alternative_arrangements" and before["stop_id"] in right and other == {"voided_at"}
        if not fine:
            return False
    return True
