import datetime

GIVEN = ("Adosinda", "Belmira", "Conceição", "Deolinda", "Ermelinda", "Florinda", "Graciete", "Hermínia", "Idalina", "Leopoldina")
SURNAMES = ("Abreu", "Barbosa", "Carvalhal", "Damásio", "Espinho", "Figueira", "Gouveia", "Homem", "Jardim", "Leitão",
            "Morgado", "Noronha", "Paixão", "Raposo", "Severino", "Travassos", "Vilhena")
NEEDS = ("wheelchair", "reduced_walking", "regular_treatment")
LONG = (("Suspension gear", 300, 47500, 52000), ("Motor bearing", 330, 49700, 52300), ("Guide shoes and rails", 360, 41800, 58600),
        ("Governor and rope", 270, 44200, 46500), ("Travelling cable", 300, 38900, 54800))
SHORT = (("Buttons of the landings", 120, 26500, 13400), ("Car lighting", 90, 17800, 9900), ("Pit ladder", 150, 21400, 16300),
         ("Handrail of the car", 60, 19300, 7600))


def _free(day, feasts):
    return day.weekday() < 5 and day.isoformat() not in feasts


def _go(day, steps, feasts):
    way = 1 if steps > 0 else -1
    for _ in range(abs(steps)):
        day += datetime.timedelta(days=way)
        while not _free(day, feasts):
            day += datetime.timedelta(days=way)
    return day


def _stops(world, p):
    """The stops of the lift that this person relies on in that time, each with what is arranged for that person."""
    return world.query(
        "SELECT s.id, substr(s.starts_at, 1, 10) AS day, s.duration_minutes AS minutes, (SELECT COUNT(*)"
        " FROM alternative_arrangements a WHERE a.stop_id = s.id AND a.dependent_id = d.id AND a.voided_at IS NULL"
        " AND a.alternative_status <> 'refused') AS arranged,"
        " date(s.starts_at, '-2 days') AS last_day FROM dependents d"
        " JOIN dependent_lifts x ON x.dependent_id = d.id JOIN planned_stops s ON s.lift_id = x.lift_id"
        " WHERE d.building_id = :house AND d.dependent_name = :name AND d.dependent_status <> 'ended'"
        " AND s.stop_status IN ('awaiting_alternative', 'confirmed', 'in_progress')"
        " AND substr(s.starts_at, 1, 10) BETWEEN :since AND :until ORDER BY s.starts_at",
        {"house": p["house"], "name": p["name"], "since": p["since"], "until": p["until"]},
    )


def instances(world, rng):
    """A person who relies on one lift, and some weeks in which it is stopped for short and for long."""
    lifts = world.query(
        "SELECT l.id, l.entrance, l.floors, b.id AS house, b.address, b.municipality_id AS area, c.vat_rate,"
        " c.contract_kind AS sort, r.customer_role AS part, u.phone, (SELECT y.customer_id FROM building_roles y"
        " WHERE y.building_id = b.id AND y.customer_role = 'administrator' LIMIT 1) AS head"
        " FROM lifts l JOIN contracts c ON c.id = l.contract_id JOIN buildings b ON b.id = l.building_id"
        " JOIN building_roles r ON r.building_id = b.id JOIN customers u ON u.id = r.customer_id"
        " WHERE u.id = 1 AND r.customer_role <> 'shop_owner' AND l.lift_kind = 'passenger' AND l.lift_status = 'in_service'"
        " AND b.building_use <> 'commercial' AND NOT EXISTS (SELECT 1 FROM planned_stops z WHERE z.lift_id = l.id"
        " AND z.stop_status = 'in_progress') ORDER BY l.id"
    )
    first = {name: world.one(sql)["id"] + 1 for name, sql in (
        ("person", "SELECT MAX(id) AS id FROM dependents"), ("stop", "SELECT MAX(id) AS id FROM planned_stops"),
        ("slot", "SELECT MAX(id) AS id FROM stop_slots"), ("quotation", "SELECT MAX(id) AS id FROM quotations"),
        ("price", "SELECT MAX(id) AS id FROM quotation_lines"), ("help", "SELECT MAX(id) AS id FROM alternative_arrangements"),
    )}
    helps = {row["alternative_kind"]: row for row in world.query("SELECT * FROM alternative_kinds ORDER BY id DESC")}
    planned = world.query(
        "SELECT l.building_id AS house, p.id, p.lift_id, p.work_kind, p.starts_at, p.ends_at, p.duration_minutes,"
        " p.stop_status, p.notice_sent_at FROM planned_stops p"
        " JOIN lifts l ON l.id = p.lift_id WHERE p.stop_status IN ('awaiting_alternative', 'confirmed', 'in_progress')"
        " ORDER BY p.starts_at, p.id"
    )
    names = {row["dependent_name"] for row in world.query("SELECT dependent_name FROM dependents ORDER BY id")}
    titles = " ".join(row["title"].lower() for row in world.query("SELECT title FROM quotations ORDER BY title, id"))
    slots = {(row["lift_id"], row["starts_at"]) for row in world.query("SELECT lift_id, starts_at, id FROM stop_slots")}
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(1500):
        lift = rng.choice(lifts)
        beside = [one for one in lifts if one["house"] == lift["house"] and one["id"] != lift["id"]]
        feasts = {row["holiday_date"] for row in world.query(
            "SELECT holiday_date, municipality_id FROM holidays WHERE municipality_id IS NULL OR municipality_id = ?",
            [lift["area"]],
        )}
        since = today + datetime.timedelta(days=rng.randint(1, 5))
        until = since + datetime.timedelta(days=rng.randint(28, 45))
        people, family = [], rng.sample(SURNAMES, 2)
        floors = rng.sample(range(2, lift["floors"]), 2)
        for number, (surname, floor) in enumerate(((family[0], floors[0]), (rng.choice(family), floors[1]))):
            people.append({
                "id": first["person"] + number, "building_id": lift["house"], "customer_id": 1,
                "dependent_name": f"{rng.choice(GIVEN)} {surname}", "unit": f"{floor}.º {rng.choice(('Dto.', 'Esq.'))}",
                "phone": f"+35121{rng.randint(3000000, 8999999)}", "need_kind": rng.choice(NEEDS),
                "dependent_status": "active", "registered_on": _go(today, -rng.randint(50, 160), feasts).isoformat(),
                "valid_until": None, "proof_due_date": None, "document_ref": f"DOC-{rng.randint(1000, 48000):06d}",
                "consent_given": 1, "end_ground": None, "effective_date": None,
            })
        if people[0]["dependent_name"] == people[1]["dependent_name"] or names & {one["dependent_name"] for one in people}:
            continue
        places = [lift, lift if not beside or rng.random() < 0.5 else rng.choice(beside)]
        busy, load = set(), {}
        for row in planned:
            if row["house"] == lift["house"]:
                day = datetime.date.fromisoformat(row["starts_at"][:10])
                while day.isoformat() <= row["ends_at"][:10]:
                    busy.add(day)
                    day += datetime.timedelta(days=1)
                load[row["lift_id"]] = load.get(row["lift_id"], 0) + (row["work_kind"] != "inspection")
        old = [row for row in planned if row["duration_minutes"] > 240 and row["lift_id"] in [one["id"] for one in places]]
        if any(row["notice_sent_at"] is None for row in old):
            continue
        plan = [(lift, "long")] * rng.choice((2, 2, 1)) + [(lift, "short")] * rng.choice((0, 1))
        if beside:
            plan.append((rng.choice(beside), rng.choice(("short", "long"))))
        works = {"long": rng.sample(LONG, len(LONG)), "short": rng.sample(SHORT, len(SHORT))}
        given = {"quotations": [], "quotation_lines": [], "stop_slots": [], "planned_stops": [], "dependents": people,
                 "dependent_lifts": [{"dependent_id": one["id"], "lift_id": where["id"]} for one, where in zip(people, places)],
                 "alternative_arrangements": []}
        for place, sort in plan:
            title, minutes, parts, labour = works[sort].pop()
            day = _go(today, rng.randint(4, 26), feasts)
            start = datetime.datetime.combine(day, datetime.time(rng.choice((8, 9)), rng.choice((0, 30))))
            if day in busy or load.get(place["id"], 0) > 2 or title.lower() in titles \
                    or (place["id"], start.isoformat()) in slots:
                continue
            busy.add(day)
            load[place["id"]] = load.get(place["id"], 0) + 1
            asked = _go(today, -rng.randint(17, 20), feasts)
            issued, approved = _go(asked, 4, feasts), _go(asked, rng.randint(6, 8), feasts)
            noticed = _go(approved, rng.randint(2, 4), feasts)
            quotation, stop = first["quotation"] + len(given["quotations"]), first["stop"] + len(given["planned_stops"])
            slot, end = first["slot"] + len(given["stop_slots"]), start + datetime.timedelta(minutes=minutes)
            small = ((parts + labour) * (100 + place["vat_rate"]) + 50) // 100 <= 50000
            given["quotations"].append({
                "id": quotation, "lift_id": place["id"], "customer_id": 1, "call_out_id": None, "inspection_id": None,
                "work_kind": "repair", "title": f"{title}, {place['entrance']}",
                "fault_details": f"A price for this is wanted: {title.lower()}.", "quotation_status": "approved",
                "safety_level": "none", "fee_cents": 0, "requested_on": asked.isoformat(),
                "issue_due_date": _go(asked, 5, feasts).isoformat(), "issued_on": issued.isoformat(),
                "valid_until": (issued + datetime.timedelta(days=30)).isoformat(), "duration_minutes": minutes,
                "vat_rate": place["vat_rate"], "parts_lead_days": 5,
                "approved_by_customer_id": 1 if place["part"] == "administrator" or small else place["head"],
                "approved_at": f"{approved}T{rng.randint(9, 17):02d}:15:00", "minutes_ref": None, "minutes_due_date": None,
                "withdraw_until": f"{_go(approved, 2, feasts)}T18:00:00", "parts_ordered_at": None,
                "parts_ready_date": _go(approved, 5, feasts).isoformat(),
            })
            for number, (kind, text, cents) in enumerate((("parts", title, parts), ("labour", "Fitting", labour)), 1):
                given["quotation_lines"].append({
                    "id": first["price"] + len(given["quotation_lines"]), "quotation_id": quotation, "line_number": number,
                    "line_kind": kind, "line_text": text, "net_cents": cents, "made_to_order": 0,
                })
            given["stop_slots"].append({
                "id": slot, "lift_id": place["id"], "work_kind": "repair", "starts_at": start.isoformat(),
                "ends_at": end.isoformat(), "duration_minutes": minutes, "surcharge_percent": 0,
            })
            touched = [one for one, where in zip(people, places) if where["id"] == place["id"] and sort == "long"]
            others = world.query(
                "SELECT d.id FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id WHERE x.lift_id = ?"
                " AND d.dependent_status IN ('active', 'provisional')", [place["id"]],
            ) if sort == "long" else []
            helped = [one for one in touched if rng.random() < 0.5]
            done = not others and len(helped) == len(touched)
            given["planned_stops"].append({
                "id": stop, "lift_id": place["id"], "customer_id": 1, "slot_id": slot, "quotation_id": quotation,
                "inspection_id": None, "work_kind": "repair", "starts_at": start.isoformat(), "ends_at": end.isoformat(),
                "duration_minutes": minutes, "stop_status": "confirmed" if done else "awaiting_alternative",
                "site_contact_phone": place["phone"],
                "notice_sent_at": f"{noticed}T10:{rng.randint(10, 50)}:00" if touched or others else None, "moves_used": 0,
                "move_reason": None, "deposit_cents": 0, "fee_cents": 0, "cancelled_at": None, "cancel_ground": None,
                "cancel_reason": None, "refund_cents": None,
            })
            for one in helped:
                kind = helps[rng.choice(("carried_assistance", "absent", "temporary_lodging"))]
                given["alternative_arrangements"].append({
                    "id": first["help"] + len(given["alternative_arrangements"]), "stop_id": stop, "dependent_id": one["id"],
                    "customer_id": 1, "alternative_kind_id": kind["id"], "lift_id": None, "alternative_status": "confirmed",
                    "total_cents": 0 if place["sort"] == "complete" else kind["price_cents"],
                    "arranged_at": f"{_go(noticed, 1, feasts)}T{rng.randint(10, 17)}:{rng.randint(10, 50)}:00",
                    "voided_at": None,
                })
        for row in old:
            for one, where in zip(people, places):
                if where["id"] != row["lift_id"] or (row["stop_status"] != "confirmed" and rng.random() < 0.6):
                    continue
                kind = helps[rng.choice(("carried_assistance", "absent"))]
                told = datetime.date.fromisoformat(row["notice_sent_at"][:10])
                given["alternative_arrangements"].append({
                    "id": first["help"] + len(given["alternative_arrangements"]), "stop_id": row["id"],
                    "dependent_id": one["id"], "customer_id": 1, "alternative_kind_id": kind["id"], "lift_id": None,
                    "alternative_status": "confirmed", "total_cents": 0 if where["sort"] == "complete" else kind["price_cents"],
                    "arranged_at": f"{_go(told, 1, feasts)}T{rng.randint(10, 17)}:{rng.randint(10, 50)}:00", "voided_at": None,
                })
        p = {"address": lift["address"], "name": people[0]["dependent_name"], "since": since.isoformat(),
             "until": until.isoformat(), "house": lift["house"]}
        mine = [row["starts_at"][:10] for row in planned + given["planned_stops"] if row["lift_id"] == lift["id"]]
        seen = [day for day in mine if p["since"] <= day <= p["until"]]
        fresh = [row for row in given["planned_stops"] if row["lift_id"] == lift["id"]
                 and p["since"] <= row["starts_at"][:10] <= p["until"]]
        if p["since"] in mine or p["until"] in mine:
            continue
        helped_at = {row["stop_id"] for row in given["alternative_arrangements"]
                     if row["dependent_id"] == people[0]["id"]}
        bare = [row for row in planned + given["planned_stops"] if row["lift_id"] == lift["id"]
                and row["duration_minutes"] > 240 and row["id"] not in helped_at
                and p["since"] < row["starts_at"][:10] < p["until"]]
        if len(bare) != 1:
            continue
        if len(set(seen)) < len(seen) or not 3 <= len(seen) <= 5 or not any(row["duration_minutes"] > 240 for row in fresh):
            continue
        if any(row["lift_id"] == lift["id"] and row["starts_at"][:10] != row["ends_at"][:10] for row in planned):
            continue
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    people, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_dependents(building_id=house["building_id"], page_size=100, **more)
        people += page["dependents"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    person = next(one for one in people if one["dependent_name"] == p["name"] and one["dependent_status"] != "ended")
    days, bare = [], []
    for lift in person["lift_ids"]:
        stops = tools.list_planned_stops(lift_id=lift, date_start=p["since"], date_end=p["until"], page_size=100)
        for stop in stops["planned_stops"]:
            if stop["stop_status"] in ("cancelled", "lapsed", "done"):
                continue
            days.append(stop["starts_at"][:10])
            if not stop["alternative_required"]:
                continue
            for one in tools.list_dependents(stop_id=stop["stop_id"], page_size=100)["dependents"]:
                if one["dependent_id"] == person["dependent_id"] and one["arrangement_id"] is None:
                    bare.append(stop)
    day, last = bare[0]["starts_at"][:10], bare[0]["alternative_due_at"][:10]
    return {
        "outcome": "done", "answers": {"days": days, "without_help": day, "arrange_by": last}, "reason": None,
        "message": f"The lift stands still on {', '.join(days)}. Nothing is arranged yet for {day}; that can be done until {last}.",
    }


def goal_says_on_which_days(world, p):
    """Says on which days in that time the lift is stopped."""
    return world.report.says("days", [row["day"] for row in _stops(world.initial, p)])


def _bare(world, p):
    return [row for row in _stops(world, p) if row["minutes"] > 240 and not row["arranged"]][0]


def goal_says_where_help_is_missing(world, p):
    """Says on which of these days the lift is out for more than four hours without anything arranged."""
    return world.report.says("without_help", _bare(world.initial, p)["day"])


def goal_says_until_when_it_can_be_arranged(world, p):
    """Says until which day something can still be arranged for it, 48 hours before the start."""
    return world.report.says("arrange_by", _bare(world.initial, p)["last_day"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return not world.changes
