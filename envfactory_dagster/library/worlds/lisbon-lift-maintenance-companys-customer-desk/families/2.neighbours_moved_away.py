import datetime

WOMEN = ("Amália", "Celeste", "Dulce", "Eugénia", "Felismina", "Georgina", "Lucília", "Madalena", "Odete", "Virgínia")
MEN = ("Abílio", "Baltazar", "Domingos", "Eliseu", "Fausto", "Gaspar", "Horácio", "Leonel", "Narciso", "Valdemar")
FAMILIES = ("Amorim", "Beirão", "Castelo", "Delgado", "Evaristo", "Faísca", "Galvão", "Infante", "Lacerda", "Macieira",
            "Negrão", "Palhares", "Quaresma", "Redondo", "Sampaio", "Tavira", "Ulrich", "Varela")
NEEDS = ("wheelchair", "reduced_walking", "regular_treatment", "medical_equipment")
WORKS = (("New ropes", 300, 58200, 46100), ("Motor bearing", 330, 49700, 52300), ("Safety gear", 270, 61200, 38800))


def _is_free(day, holidays):
    return day.weekday() > 4 or day.isoformat() in holidays


def _shift(day, count, holidays):
    step = datetime.timedelta(days=1 if count > 0 else -1)
    for _ in range(abs(count)):
        day += step
        while _is_free(day, holidays):
            day += step
    return day


def _gone(world, p):
    return world.query(
        "SELECT d.id, d.dependent_name FROM dependents d WHERE d.building_id = :house AND d.dependent_status <> 'ended'"
        " AND d.dependent_name IN (SELECT value FROM json_each(:names)) ORDER BY d.dependent_name",
        {"house": p["house"], "names": "[" + ",".join('"' + name + '"' for name in p["names"]) + "]"},
    )


def _dropped(world, p):
    """Standing arrangements of these people for stops of over four hours that are still ahead."""
    people = {row["id"] for row in _gone(world, p)}
    return [row for row in world.query(
        "SELECT a.id, a.dependent_id, a.stop_id FROM alternative_arrangements a JOIN planned_stops s ON s.id = a.stop_id"
        " JOIN lifts l ON l.id = s.lift_id WHERE l.building_id = ? AND a.alternative_status <> 'refused'"
        " AND a.voided_at IS NULL AND s.stop_status IN ('awaiting_alternative', 'confirmed')"
        " AND s.duration_minutes > 240 AND s.starts_at > ? ORDER BY a.id", [p["house"], p["now"]],
    ) if row["dependent_id"] in people]


def instances(world, rng):
    """People registered in a building, some of whom have moved away, and a long stop ahead."""
    lifts = world.query(
        "SELECT l.id, l.entrance, l.floors, l.building_id, b.address, b.municipality_id AS area, c.vat_rate,"
        " c.contract_kind, r.customer_role, (SELECT phone FROM customers WHERE id = 1) AS phone FROM lifts l"
        " JOIN buildings b ON b.id = l.building_id AND b.building_use <> 'commercial'"
        " JOIN contracts c ON c.id = l.contract_id JOIN building_roles r ON r.building_id = b.id AND r.customer_id = 1"
        " WHERE r.customer_role IN ('administrator', 'committee_member') AND l.lift_kind = 'passenger'"
        " AND l.lift_status <> 'sealed' AND NOT EXISTS (SELECT 1 FROM planned_stops s WHERE s.lift_id = l.id"
        " AND s.duration_minutes > 240 AND s.stop_status IN ('awaiting_alternative', 'confirmed', 'in_progress')"
        " AND s.ends_at > :now AND julianday(s.starts_at) < julianday(:now) + 2.1) ORDER BY l.id",
        {"now": world.clock},
    )
    kinds = {row["alternative_kind"]: row for row in world.query(
        "SELECT id, alternative_kind, price_cents FROM alternative_kinds ORDER BY id"
    )}
    known = world.query("SELECT building_id, dependent_name, unit FROM dependents ORDER BY id")
    tops = {}
    for name, sql in (
        ("person", "SELECT MAX(id) AS last FROM dependents"), ("stop", "SELECT MAX(id) AS last FROM planned_stops"),
        ("slot", "SELECT MAX(id) AS last FROM stop_slots"), ("quotation", "SELECT MAX(id) AS last FROM quotations"),
        ("line", "SELECT MAX(id) AS last FROM quotation_lines"),
        ("arrangement", "SELECT MAX(id) AS last FROM alternative_arrangements"),
    ):
        tops[name] = world.one(sql)["last"] + 1
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(1000):
        lift = rng.choice(lifts)
        house = lift["building_id"]
        own = [one for one in lifts if one["building_id"] == house]
        holidays = {row["holiday_date"] for row in world.query(
            "SELECT DISTINCT holiday_date FROM holidays WHERE municipality_id = :area OR municipality_id IS NULL",
            {"area": lift["area"]},
        )}
        title, minutes, parts, labour = rng.choice(WORKS)
        day = _shift(today, rng.randint(4, 16), holidays)
        start = datetime.datetime.combine(day, datetime.time(rng.choice((8, 9)), 30))
        end = start + datetime.timedelta(minutes=minutes)
        if world.one(
            "SELECT MIN(s.id) AS id FROM planned_stops s WHERE s.lift_id IN (SELECT id FROM lifts WHERE building_id = ?)"
            " AND s.stop_status NOT IN ('cancelled', 'lapsed') AND substr(s.starts_at, 1, 10) <= ?"
            " AND substr(s.ends_at, 1, 10) >= ?", [house, day.isoformat(), day.isoformat()],
        )["id"] or world.one(
            "SELECT MIN(id) AS id FROM stop_slots WHERE lift_id = ? AND starts_at = ?", [lift["id"], start.isoformat()]
        )["id"]:
            continue
        taken = {row["dependent_name"] for row in known}
        units = {row["unit"] for row in known if row["building_id"] == house}
        people, places = [], []
        for number in range(rng.randint(3, 5)):
            where = lift if number < 2 else rng.choice(own)
            if people and rng.random() < 0.3:
                unit, family = people[-1]["unit"], people[-1]["dependent_name"].split()[1]
                where = places[-1]
            else:
                unit, family = f"{rng.randint(2, where['floors'] - 1)}.º {rng.choice(('Dto.', 'Esq.'))}", rng.choice(FAMILIES)
                if unit in units or unit in [one["unit"] for one in people]:
                    continue
            name = f"{rng.choice(WOMEN + MEN)} {family}"
            if name in taken or name in [one["dependent_name"] for one in people]:
                continue
            people.append({
                "id": tops["person"] + len(people), "building_id": house, "customer_id": 1, "dependent_name": name,
                "unit": unit, "phone": f"+35121{rng.randint(3000000, 8999999)}", "need_kind": rng.choice(NEEDS),
                "dependent_status": "active", "registered_on": _shift(today, -rng.randint(60, 200), holidays).isoformat(),
                "valid_until": None, "proof_due_date": None, "document_ref": f"DOC-{rng.randint(1000, 48000):06d}",
                "consent_given": 1, "end_ground": None, "effective_date": None,
            })
            places.append(where)
        if len(people) < 3:
            continue
        here = [one for one, where in zip(people, places) if where["id"] == lift["id"]]
        asked = _shift(today, -18, holidays)
        approved, noticed = _shift(today, -9, holidays), _shift(today, -6, holidays)
        arranged = []
        for person in here:
            if rng.random() < 0.75:
                kind = kinds["carried_assistance"]
                arranged.append({
                    "id": tops["arrangement"] + len(arranged), "stop_id": tops["stop"], "dependent_id": person["id"],
                    "customer_id": 1, "alternative_kind_id": kind["id"], "lift_id": None,
                    "alternative_status": rng.choice(("confirmed", "confirmed", "offered")),
                    "total_cents": 0 if lift["contract_kind"] == "complete" else kind["price_cents"],
                    "arranged_at": f"{_shift(noticed, 2, holidays)}T{rng.randint(10, 17)}:{rng.randint(10, 55)}:00",
                    "voided_at": None,
                })
        names = sorted(one["dependent_name"] for one in rng.sample(people, 3 if len(people) > 3 and rng.random() < 0.5 else 2))
        rng.shuffle(names)
        given = {
            "quotations": [{
                "id": tops["quotation"], "lift_id": lift["id"], "customer_id": 1, "call_out_id": None,
                "inspection_id": None, "work_kind": "repair", "title": f"{title}, {lift['entrance']}",
                "fault_details": f"Seen at maintenance: {title.lower()} needed.", "quotation_status": "approved",
                "safety_level": "none", "fee_cents": 0, "requested_on": asked.isoformat(),
                "issue_due_date": _shift(asked, 5, holidays).isoformat(),
                "issued_on": _shift(asked, 4, holidays).isoformat(),
                "valid_until": (_shift(asked, 4, holidays) + datetime.timedelta(days=30)).isoformat(),
                "duration_minutes": minutes, "vat_rate": lift["vat_rate"], "parts_lead_days": 6,
                "approved_by_customer_id": 1 if lift["customer_role"] == "administrator" else world.one(
                    "SELECT customer_id FROM building_roles WHERE building_id = ? AND customer_role = 'administrator'",
                    [house],
                )["customer_id"],
                "approved_at": f"{approved}T10:30:00", "minutes_ref": None, "minutes_due_date": None,
                "withdraw_until": f"{_shift(approved, 2, holidays)}T18:00:00", "parts_ordered_at": None,
                "parts_ready_date": _shift(approved, 6, holidays).isoformat(),
            }],
            "quotation_lines": [
                {"id": tops["line"], "quotation_id": tops["quotation"], "line_number": 1, "line_kind": "parts",
                 "line_text": title, "net_cents": parts, "made_to_order": 0},
                {"id": tops["line"] + 1, "quotation_id": tops["quotation"], "line_number": 2, "line_kind": "labour",
                 "line_text": "Replacement", "net_cents": labour, "made_to_order": 0},
            ],
            "stop_slots": [{
                "id": tops["slot"], "lift_id": lift["id"], "work_kind": "repair", "starts_at": start.isoformat(),
                "ends_at": end.isoformat(), "duration_minutes": minutes, "surcharge_percent": 0,
            }],
            "planned_stops": [{
                "id": tops["stop"], "lift_id": lift["id"], "customer_id": 1, "slot_id": tops["slot"],
                "quotation_id": tops["quotation"], "inspection_id": None, "work_kind": "repair",
                "starts_at": start.isoformat(), "ends_at": end.isoformat(), "duration_minutes": minutes,
                "stop_status": "awaiting_alternative", "site_contact_phone": lift["phone"],
                "notice_sent_at": f"{noticed}T11:05:00", "moves_used": 0, "move_reason": None, "deposit_cents": 0,
                "fee_cents": 0, "cancelled_at": None, "cancel_ground": None, "cancel_reason": None,
                "refund_cents": None,
            }],
            "dependents": people,
            "dependent_lifts": [
                {"dependent_id": one["id"], "lift_id": where["id"]} for one, where in zip(people, places)
            ],
            "alternative_arrangements": arranged,
        }
        settled = {row["dependent_id"] for row in arranged if row["alternative_status"] == "confirmed"}
        rest = world.query(
            "SELECT x.dependent_id FROM dependent_lifts x JOIN dependents d ON d.id = x.dependent_id"
            " WHERE x.lift_id = ? AND d.dependent_status <> 'ended'", [lift["id"]],
        )
        if not rest and all(one["id"] in settled for one in here):
            given["planned_stops"][0]["stop_status"] = "confirmed"
        yield {
            "p": {"address": lift["address"], "names": names, "house": house, "now": world.clock},
            "given": {table: rows for table, rows in given.items() if rows},
        }


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
    gone = [one for one in people if one["dependent_name"] in p["names"] and one["dependent_status"] != "ended"]
    ids = {one["dependent_id"]: one["dependent_name"] for one in gone}
    helped = set()
    for state in ("awaiting_alternative", "confirmed"):
        stops = tools.list_planned_stops(building_id=house["building_id"], stop_status=state, page_size=100)
        for stop in stops["planned_stops"]:
            if not stop["alternative_required"]:
                continue
            for one in tools.list_dependents(stop_id=stop["stop_id"], page_size=100)["dependents"]:
                if one["dependent_id"] in ids and one["arrangement_id"]:
                    helped.add(ids[one["dependent_id"]])
    for one in gone:
        tools.end_dependent_registration(dependent_id=one["dependent_id"], end_ground="moved_away")
    names = sorted(helped)
    tail = f"Help had been arranged for {', '.join(names)}." if names else "No help had been arranged for them."
    return {
        "outcome": "done", "answers": {"help_dropped": names or None}, "reason": None,
        "message": f"The registrations of {', '.join(p['names'])} are ended. {tail}",
    }


def goal_ends_each_registration(world, p):
    """Has ended the registration of each of these people today, as they have moved away."""
    rows = [world.final.one("SELECT * FROM dependents WHERE id = ?", [one["id"]]) for one in _gone(world.initial, p)]
    return len(rows) == len(p["names"]) and all(
        row["dependent_status"] == "ended" and row["end_ground"] == "moved_away"
        and row["effective_date"] == p["now"][:10] for row in rows
    )


def goal_says_whose_help_is_dropped(world, p):
    """Says for whom of them help had been arranged, or nothing where it was for nobody."""
    people = {row["dependent_id"] for row in _dropped(world.initial, p)}
    names = [row["dependent_name"] for row in _gone(world.initial, p) if row["id"] in people]
    return world.report.outcome is not None and world.report.says("help_dropped", names or None)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_touches_nobody_else(world, p):
    """Changed nothing but these registrations, their arrangements, and a stop that everybody left has settled for."""
    people = {row["id"] for row in _gone(world.initial, p)}
    dropped = {row["id"]: row["stop_id"] for row in _dropped(world.initial, p)}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        odd = {key for key in before if before[key] != after[key]}
        if change["table"] == "dependents":
            right = before["id"] in people and odd <= {"dependent_status", "end_ground", "effective_date"}
        elif change["table"] == "alternative_arrangements":
            right = before["id"] in dropped and odd == {"voided_at"}
        else:
            right = change["table"] == "planned_stops" and odd == {"stop_status"} and after["stop_status"] == "confirmed" \
                and before["stop_status"] == "awaiting_alternative"
        if not right:
            return False
    return True
