def _lift(world):
    return world.initial.one(
        "SELECT l.* FROM lifts l JOIN buildings b ON b.id = l.building_id WHERE b.address = ? AND l.entrance = ?",
        ["Rua dos Lagares 14", "Bloco A"],
    )


def _quotation(world):
    return world.initial.one(
        "SELECT q.* FROM quotations q WHERE q.lift_id = ? AND q.quotation_status = 'issued'"
        " AND lower(q.title) LIKE '%door operator%' AND ((SELECT SUM(x.net_cents) FROM quotation_lines x"
        " WHERE x.quotation_id = q.id) * (100 + q.vat_rate) + 50) / 100 = 118000",
        [_lift(world)["id"]],
    )


def _slots(world):
    lift, quotation = _lift(world), _quotation(world)
    return world.initial.query(
        "SELECT t.* FROM stop_slots t WHERE t.lift_id = :lift AND t.work_kind = :kind"
        " AND t.duration_minutes = :minutes AND substr(t.starts_at, 1, 10) BETWEEN '2026-03-16' AND '2026-03-20'"
        " AND NOT EXISTS (SELECT 1 FROM planned_stops s JOIN lifts o ON o.id = s.lift_id"
        " WHERE o.building_id = :building AND o.id <> :lift AND s.stop_status NOT IN ('cancelled', 'lapsed')"
        " AND substr(s.starts_at, 1, 10) <= substr(t.ends_at, 1, 10)"
        " AND substr(s.ends_at, 1, 10) >= substr(t.starts_at, 1, 10)) ORDER BY t.id",
        {"lift": lift["id"], "kind": quotation["work_kind"], "minutes": quotation["duration_minutes"],
         "building": lift["building_id"]},
    )


def _people(world, day):
    return world.initial.query(
        "SELECT d.id FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id WHERE x.lift_id = :lift"
        " AND d.dependent_status IN ('provisional', 'active') AND (d.valid_until IS NULL OR d.valid_until >= :day)"
        " AND (d.effective_date IS NULL OR d.effective_date >= :day) ORDER BY d.id",
        {"lift": _lift(world)["id"], "day": day},
    )


def _cheapest(world, stop, people):
    return world.initial.one(
        "SELECT * FROM alternative_kinds k WHERE k.alternative_kind <> 'other_lift' AND (k.units_available IS NULL"
        " OR k.units_available - (SELECT COUNT(*) FROM alternative_arrangements a JOIN planned_stops s"
        " ON s.id = a.stop_id WHERE a.alternative_kind_id = k.id AND a.alternative_status <> 'refused'"
        " AND a.voided_at IS NULL AND s.stop_status IN ('awaiting_alternative', 'confirmed', 'in_progress')"
        " AND s.starts_at < :ends AND s.ends_at > :starts) >= :people) ORDER BY k.price_cents LIMIT 1",
        {"starts": stop["starts_at"], "ends": stop["ends_at"], "people": people},
    )


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_approves_the_door_operator(world) -> bool:
    """Has approved the quotation for the door operator in the user's name."""
    row = world.final.one("SELECT * FROM quotations WHERE id = ?", [_quotation(world)["id"]])
    return row is not None and row["quotation_status"] == "approved" and row["approved_by_customer_id"] == 1


def goal_books_a_free_slot_from_16_to_20_march(world) -> bool:
    """Has one new stop for that work in a free slot from 16 to 20 March, with the caretaker as contact."""
    stops = _new(world, "planned_stops")
    if len(stops) != 1:
        return False
    stop = stops[0]
    slot = next((one for one in _slots(world) if one["id"] == stop["slot_id"]), None)
    if slot is None:
        return False
    affected = slot["duration_minutes"] > 240 and _people(world, slot["starts_at"][:10])
    wanted = {
        "lift_id": slot["lift_id"], "customer_id": 1, "quotation_id": _quotation(world)["id"], "inspection_id": None,
        "work_kind": slot["work_kind"], "starts_at": slot["starts_at"], "ends_at": slot["ends_at"],
        "duration_minutes": slot["duration_minutes"], "site_contact_phone": "+351934220118",
        "stop_status": "awaiting_alternative" if affected else "confirmed", "moves_used": 0,
    }
    return all(stop[column] == value for column, value in wanted.items())


def goal_arranges_the_cheapest_alternative_for_each(world) -> bool:
    """Has arranged the cheapest alternative to be had for everybody who depends on that lift."""
    stops, made = _new(world, "planned_stops"), _new(world, "alternative_arrangements")
    if len(stops) != 1:
        return False
    people = [one["id"] for one in _people(world, stops[0]["starts_at"][:10])]
    kind = _cheapest(world, stops[0], len(people))
    return kind is not None and sorted(one["dependent_id"] for one in made) == people and all(
        one["stop_id"] == stops[0]["id"] and one["alternative_kind_id"] == kind["id"] and one["customer_id"] == 1
        and one["total_cents"] == kind["price_cents"] and one["lift_id"] is None and one["voided_at"] is None
        and one["alternative_status"] in ("offered", "confirmed") for one in made
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the approval, one stop for it and one arrangement for each dependent of that lift."""
    quotation, lift = _quotation(world)["id"], _lift(world)["id"]
    columns = ("quotation_status", "approved_by_customer_id", "approved_at", "withdraw_until", "parts_ready_date")
    stops, people = _new(world, "planned_stops"), {one["id"] for one in _people(world, "2026-03-16")}
    arranged = []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "quotations" and before:
            if before["id"] != quotation or any(before[k] != after[k] for k in before if k not in columns):
                return False
        elif change["table"] == "planned_stops" and before is None:
            if after["lift_id"] != lift or after["quotation_id"] != quotation:
                return False
        elif change["table"] == "alternative_arrangements" and before is None:
            arranged.append(after["dependent_id"])
            if after["stop_id"] not in [stop["id"] for stop in stops] or after["dependent_id"] not in people:
                return False
        else:
            return False
    return len(stops) <= 1 and len(arranged) == len(set(arranged))
