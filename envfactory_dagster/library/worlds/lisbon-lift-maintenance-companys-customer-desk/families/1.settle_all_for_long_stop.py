import datetime

FIRST = ("Adelina", "Bento", "Cremilde", "Délio", "Ermelinda", "Faustino", "Gracinda", "Hermínio", "Idalina",
         "Jacinto", "Laurinda", "Manuel", "Natércia", "Olegário", "Palmira", "Quitéria", "Rosa", "Silvério", "Zulmira")
LAST = ("Abreu", "Barata", "Caldeira", "Dourado", "Espinho", "Figueira", "Gouveia", "Horta", "Leitão", "Mendonça",
        "Nogueira", "Oliveira", "Pestana", "Queirós", "Rebocho", "Saraiva", "Trindade", "Valente", "Xavier")
SIDES = ("Dto.", "Esq.")
WORKS = (("Suspension ropes", 300, 62800, 48900), ("Door operator", 330, 71200, 37600),
         ("Brake overhaul", 270, 43900, 41200), ("Travelling cable", 300, 38600, 40700),
         ("Guide shoes and rails", 360, 46500, 61200), ("Buffer and pit ladder", 270, 39900, 33800))
ERRANDS = ("the parish bus", "the bus to the day centre", "the library van", "the minibus to the health centre",
           "the taxi for the market")
OUTINGS = ("10:00", "10:30", "11:00", "11:30", "12:00", "12:30", "13:00")


def _move(day, count, shut):
    step = datetime.timedelta(days=1 if count > 0 else -1)
    left = abs(count)
    while left:
        day += step
        left -= day.weekday() < 5 and day.isoformat() not in shut
    return day


def _affected(world, lift, day):
    return world.query(
        "SELECT d.id, d.dependent_name, d.need_kind FROM dependents d WHERE d.id IN (SELECT x.dependent_id"
        " FROM dependent_lifts x WHERE x.lift_id = :lift) AND d.dependent_status <> 'ended'"
        " AND COALESCE(d.valid_until, :day) >= :day AND COALESCE(d.effective_date, :day) >= :day ORDER BY d.id",
        {"lift": lift, "day": day},
    )


def _climbers_out(world, starts, ends):
    return world.one(
        "SELECT COUNT(*) AS n FROM alternative_arrangements a JOIN alternative_kinds k ON k.id = a.alternative_kind_id"
        " JOIN planned_stops s ON s.id = a.stop_id WHERE k.alternative_kind = 'stair_climber' AND a.voided_at IS NULL"
        " AND a.alternative_status <> 'refused' AND s.stop_status NOT IN ('done', 'cancelled', 'lapsed')"
        " AND s.starts_at < :ends AND s.ends_at > :starts",
        {"starts": starts, "ends": ends},
    )["n"]


def instances(world, rng):
    """A long stop ahead of a lift of the user's, with people who depend on it, some of them settled already."""
    lifts = world.query(
        "SELECT l.id, l.entrance, l.floors, b.id AS house, b.address, b.municipality_id, c.vat_rate, u.phone"
        " FROM building_roles r JOIN buildings b ON b.id = r.building_id JOIN lifts l ON l.building_id = b.id"
        " JOIN contracts c ON c.id = l.contract_id JOIN customers u ON u.id = r.customer_id"
        " WHERE r.customer_id = 1 AND r.customer_role = 'administrator' AND l.lift_kind = 'passenger'"
        " AND l.lift_status = 'in_service' AND b.building_use <> 'commercial'"
        " AND (SELECT COUNT(*) FROM lifts o WHERE o.building_id = b.id AND o.entrance = l.entrance) = 1 ORDER BY l.id"
    )
    kinds = {row["alternative_kind"]: row for row in world.query("SELECT * FROM alternative_kinds ORDER BY price_cents")}
    names = {row["dependent_name"] for row in world.query("SELECT dependent_name FROM dependents")}
    units = {(row["building_id"], row["unit"]) for row in world.query("SELECT building_id, unit FROM dependents")}
    top = {name: world.one(sql)["top"] + 1 for name, sql in (
        ("stop", "SELECT MAX(id) AS top FROM planned_stops"), ("slot", "SELECT MAX(id) AS top FROM stop_slots"),
        ("quotation", "SELECT MAX(id) AS top FROM quotations"), ("line", "SELECT MAX(id) AS top FROM quotation_lines"),
        ("person", "SELECT MAX(id) AS top FROM dependents"),
        ("arrangement", "SELECT MAX(id) AS top FROM alternative_arrangements"),
    )}
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(1200):
        lift = rng.choice(lifts)
        shut = {row["holiday_date"] for row in world.query(
            "SELECT holiday_date FROM holidays WHERE municipality_id = ? OR municipality_id IS NULL",
            [lift["municipality_id"]],
        )}
        title, minutes, parts, labour = rng.choice(WORKS)
        day = _move(today, rng.randint(4, 20), shut)
        start = datetime.datetime.combine(day, datetime.time(9, rng.choice((0, 30))))
        end = start + datetime.timedelta(minutes=minutes)
        if world.one(
            "SELECT s.id FROM planned_stops s JOIN lifts l ON l.id = s.lift_id WHERE l.building_id = :house"
            " AND s.stop_status NOT IN ('cancelled', 'lapsed') AND :day BETWEEN substr(s.starts_at, 1, 10)"
            " AND substr(s.ends_at, 1, 10) LIMIT 1", {"house": lift["house"], "day": day.isoformat()},
        ) or world.one(
            "SELECT id FROM stop_slots WHERE lift_id = ? AND work_kind = 'repair' AND starts_at = ?"
            " AND duration_minutes = ?", [lift["id"], start.isoformat(), minutes],
        ):
            continue
        asked = _move(today, -rng.randint(16, 20), shut)
        issued, approved, noticed = _move(asked, 4, shut), _move(asked, 7, shut), _move(today, -rng.randint(2, 5), shut)
        if noticed < approved:
            continue
        people = []
        for number in range(rng.randint(2, 4)):
            name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
            unit = f"{rng.randint(2, lift['floors'] - 1)}.º {rng.choice(SIDES)}"
            need = rng.choice(("wheelchair", "reduced_walking", "regular_treatment", "medical_equipment", "wheelchair"))
            if name in names or (lift["house"], unit) in units or any(
                name == one["dependent_name"] or unit == one["unit"] for one in people
            ):
                continue
            people.append({
                "id": top["person"] + len(people), "building_id": lift["house"], "customer_id": 1,
                "dependent_name": name, "unit": unit, "phone": f"+3519{rng.choice('1236')}{rng.randint(1000000, 9999999)}",
                "need_kind": need, "dependent_status": "active",
                "registered_on": _move(asked, -rng.randint(20, 120), shut).isoformat(), "valid_until": None,
                "proof_due_date": None, "document_ref": f"DOC-{rng.randint(500, 49000):06d}", "consent_given": 1,
                "end_ground": None, "effective_date": None,
            })
        everybody = _affected(world, lift["id"], day.isoformat()) + people
        settled = rng.choice(people) if len(everybody) > 2 and people and rng.random() < 0.6 else None
        waiting = [one for one in everybody if one is not settled]
        climbing = [one for one in waiting if one["need_kind"] != "wheelchair"]
        taken = _climbers_out(world, start.isoformat(), end.isoformat())
        arranged = []
        if settled:
            kind = kinds["carried_assistance" if settled["need_kind"] == "wheelchair" else "stair_climber"]
            taken += kind["alternative_kind"] == "stair_climber"
            price = 0 if world.one(
                "SELECT contract_kind FROM contracts WHERE id = (SELECT contract_id FROM lifts WHERE id = ?)",
                [lift["id"]],
            )["contract_kind"] == "complete" else kind["price_cents"]
            arranged.append({
                "id": top["arrangement"], "stop_id": top["stop"], "dependent_id": settled["id"], "customer_id": 1,
                "alternative_kind_id": kind["id"], "lift_id": None, "alternative_status": "confirmed",
                "total_cents": price, "arranged_at": f"{_move(noticed, 1, shut)}T{rng.randint(9, 17):02d}:15:00",
                "voided_at": None,
            })
            if arranged[0]["arranged_at"] >= world.clock:
                continue
        if not 2 <= len(waiting) <= 4 or len(climbing) > kinds["stair_climber"]["units_available"] - taken:
            continue
        outing = rng.choice(OUTINGS)
        if start.isoformat()[11:16] >= outing or outing >= end.isoformat()[11:16]:
            continue
        quotation = {
            "id": top["quotation"], "lift_id": lift["id"], "customer_id": 1, "call_out_id": None,
            "inspection_id": None, "work_kind": "repair", "title": f"{title}, {lift['entrance']}",
            "fault_details": f"Found at maintenance: {title.lower()} to be done.", "quotation_status": "approved",
            "safety_level": "none", "fee_cents": 0, "requested_on": asked.isoformat(),
            "issue_due_date": _move(asked, 5, shut).isoformat(), "issued_on": issued.isoformat(),
            "valid_until": (issued + datetime.timedelta(days=30)).isoformat(), "duration_minutes": minutes,
            "vat_rate": lift["vat_rate"], "parts_lead_days": 5, "approved_by_customer_id": 1,
            "approved_at": f"{approved}T11:{rng.randint(10, 50)}:00", "minutes_ref": None, "minutes_due_date": None,
            "withdraw_until": f"{_move(approved, 2, shut)}T18:00:00", "parts_ordered_at": None,
            "parts_ready_date": _move(approved, 5, shut).isoformat(),
        }
        if quotation["parts_ready_date"] > day.isoformat():
            continue
        lines = [(1, "parts", title, parts), (2, "labour", "Replacement, two technicians", labour)]
        slot = {"id": top["slot"], "lift_id": lift["id"], "work_kind": "repair", "starts_at": start.isoformat(),
                "ends_at": end.isoformat(), "duration_minutes": minutes, "surcharge_percent": 0}
        stop = {
            "id": top["stop"], "lift_id": lift["id"], "customer_id": 1, "slot_id": top["slot"],
            "quotation_id": top["quotation"], "inspection_id": None, "work_kind": "repair",
            "starts_at": slot["starts_at"], "ends_at": slot["ends_at"], "duration_minutes": minutes,
            "stop_status": "awaiting_alternative", "site_contact_phone": lift["phone"],
            "notice_sent_at": f"{noticed}T09:40:00", "moves_used": 0, "move_reason": None, "deposit_cents": 0,
            "fee_cents": 0, "cancelled_at": None, "cancel_ground": None, "cancel_reason": None, "refund_cents": None,
        }
        given = {
            "quotations": [quotation], "quotation_lines": [
                {"id": top["line"] + n, "quotation_id": top["quotation"], "line_number": number, "line_kind": kind,
                 "line_text": text, "net_cents": net, "made_to_order": 0}
                for n, (number, kind, text, net) in enumerate(lines)
            ],
            "stop_slots": [slot], "planned_stops": [stop], "dependents": people,
            "dependent_lifts": [{"dependent_id": one["id"], "lift_id": lift["id"]} for one in people],
            "alternative_arrangements": arranged,
        }
        yield {
            "p": {"address": lift["address"], "entrance": lift["entrance"], "day": day.isoformat(), "outing": outing,
                  "errand": rng.choice(ERRANDS),
                  "stop": top["stop"], "lift": lift["id"]},
            "given": {table: rows for table, rows in given.items() if rows},
        }


def solve(tools, p):
    house = next(b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == p["address"])
    lifts = tools.list_lifts(building_id=house["building_id"], page_size=100)["lifts"]
    lift = next(one for one in lifts if one["entrance"] == p["entrance"])
    stops = tools.list_planned_stops(
        lift_id=lift["lift_id"], date_start=p["day"], date_end=p["day"], page_size=100
    )["planned_stops"]
    stop = next(one for one in stops if one["stop_status"] in ("awaiting_alternative", "confirmed"))
    people = tools.list_dependents(stop_id=stop["stop_id"], page_size=100)["dependents"]
    climbing, carried, cost = [], [], 0
    for person in people:
        if person["arrangement_id"]:
            continue
        kind = "carried_assistance" if person["need_kind"] == "wheelchair" else "stair_climber"
        offers = tools.list_alternatives(stop_id=stop["stop_id"], dependent_id=person["dependent_id"])["alternatives"]
        if not any(one["alternative_kind"] == kind and one["available"] for one in offers):
            continue
        made = tools.arrange_alternative(
            stop_id=stop["stop_id"], dependent_id=person["dependent_id"], alternative_kind=kind,
            trips=[{"trip_at": f"{p['day']}T{p['outing']}:00{stop['starts_at'][19:]}"}],
        )
        cost += made["total_cents"]
        (carried if kind == "carried_assistance" else climbing).append(person["dependent_name"])
    return {
        "outcome": "done",
        "answers": {"by_stair_climber": climbing or None, "carried": carried or None, "cost": cost},
        "reason": None,
        "message": f"With the stair climber: {', '.join(climbing) or 'nobody'}; carried: {', '.join(carried) or 'nobody'}."
                   f" It costs {cost / 100:.2f} EUR; everybody still has to agree.",
    }


def _waiting(world, p):
    settled = {row["dependent_id"] for row in world.initial.query(
        "SELECT dependent_id FROM alternative_arrangements WHERE stop_id = ? AND alternative_status <> 'refused'"
        " AND voided_at IS NULL", [p["stop"]],
    )}
    return [one for one in _affected(world.initial, p["lift"], p["day"]) if one["id"] not in settled]


def _price(world, p, kind):
    row = world.initial.one(
        "SELECT CASE c.contract_kind WHEN 'complete' THEN 0 ELSE k.price_cents END AS cents, k.id"
        " FROM alternative_kinds k, lifts l JOIN contracts c ON c.id = l.contract_id"
        " WHERE k.alternative_kind = ? AND l.id = ?", [kind, p["lift"]],
    )
    return row["id"], row["cents"]


def _wanted(world, p):
    right = []
    for person in _waiting(world, p):
        kind = "carried_assistance" if person["need_kind"] == "wheelchair" else "stair_climber"
        right.append((person["id"], *_price(world, p, kind)))
    return sorted(right)


def _new(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def goal_arranges_the_right_help_for_everybody(world, p):
    """Has arranged carried assistance for those in a wheelchair and the stair climber for the others."""
    made = _new(world, "alternative_arrangements")
    return sorted(
        (row["dependent_id"], row["alternative_kind_id"], row["total_cents"]) for row in made
    ) == _wanted(world, p) and all(
        row["stop_id"] == p["stop"] and row["customer_id"] == 1 and row["lift_id"] is None
        and row["voided_at"] is None and row["alternative_status"] in ("offered", "confirmed") for row in made
    )


def goal_has_the_outing_for_everybody(world, p):
    """Has one outing for each of them, at the time that was asked for."""
    made = _new(world, "alternative_arrangements")
    trips = sorted((row["arrangement_id"], row["trip_at"]) for row in _new(world, "arrangement_trips"))
    return bool(made) and len(made) == len(_wanted(world, p)) and trips == sorted(
        (row["id"], f"{p['day']}T{p['outing']}:00") for row in made
    )


def goal_says_who_takes_the_stair_climber(world, p):
    """Says who is helped with the stair climber."""
    names = [one["dependent_name"] for one in _waiting(world, p) if one["need_kind"] != "wheelchair"]
    return world.report.outcome is not None and world.report.says("by_stair_climber", names or None)


def goal_says_who_is_carried(world, p):
    """Says who is carried."""
    names = [one["dependent_name"] for one in _waiting(world, p) if one["need_kind"] == "wheelchair"]
    return world.report.outcome is not None and world.report.says("carried", names or None)


def goal_says_what_it_costs(world, p):
    """Says what the condominium pays for it."""
    return world.report.outcome is not None and world.report.says("cost", sum(one[2] for one in _wanted(world, p)))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_leaves_everything_else(world, p):
    """Changed nothing but new arrangements with their outings for those who had none for this stop."""
    waiting, made = {one["id"] for one in _waiting(world, p)}, _new(world, "alternative_arrangements")
    for change in world.changes:
        before, after, table = change["before"], change["after"], change["table"]
        if after is None or (before is not None and table != "planned_stops"):
            return False
        if table == "planned_stops":
            if before is None or before["id"] != p["stop"] or any(
                before[key] != after[key] for key in before if key != "stop_status"
            ) or after["stop_status"] != "awaiting_alternative":
                return False
        elif table == "alternative_arrangements":
            if after["stop_id"] != p["stop"] or after["dependent_id"] not in waiting:
                return False
        elif table != "arrangement_trips" or after["arrangement_id"] not in {row["id"] for row in made}:
            return False
    return len(made) == len({row["dependent_id"] for row in made})
