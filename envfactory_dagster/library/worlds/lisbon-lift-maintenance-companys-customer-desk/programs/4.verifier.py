def _lift(world):
    return world.initial.one(
        "SELECT l.* FROM lifts l JOIN buildings b ON b.id = l.building_id"
        " WHERE b.address = 'Rua da Beneficência 40' AND l.entrance = 'Bloco B'"
    )


def _quotation(world):
    return world.initial.one(
        "SELECT * FROM quotations WHERE lift_id = ? AND quotation_status = 'approved'"
        " AND lower(title) LIKE '%governor rope%'", [_lift(world)["id"]]
    )


def _people(world):
    return world.initial.query(
        "SELECT d.id FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id"
        " WHERE x.lift_id = ? AND d.dependent_status IN ('provisional', 'active')"
        " AND d.dependent_name = 'Beatriz Lobo' ORDER BY d.id", [_lift(world)["id"]]
    )


def _slot(world):
    lift, quotation = _lift(world), _quotation(world)
    return world.initial.one(
        "SELECT t.* FROM stop_slots t WHERE t.lift_id = :lift AND t.work_kind = 'repair'"
        " AND t.duration_minutes = :minutes AND t.starts_at >= '2026-06-11T10:00:00'"
        " AND substr(t.starts_at, 1, 10) BETWEEN :ready AND '2026-06-30'"
        " AND NOT EXISTS (SELECT 1 FROM planned_stops s JOIN lifts o ON o.id = s.lift_id"
        " WHERE o.building_id = :building AND s.stop_status NOT IN ('cancelled', 'lapsed')"
        " AND substr(s.starts_at, 1, 10) <= substr(t.ends_at, 1, 10)"
        " AND substr(s.ends_at, 1, 10) >= substr(t.starts_at, 1, 10)) ORDER BY t.starts_at LIMIT 1",
        {"lift": lift["id"], "building": lift["building_id"], "minutes": quotation["duration_minutes"],
         "ready": quotation["parts_ready_date"]},
    )


def _best(world):
    slot = _slot(world)
    return world.initial.one(
        "SELECT k.* FROM alternative_kinds k WHERE k.alternative_kind <> 'other_lift'"
        " AND (k.units_available IS NULL OR k.units_available > (SELECT COUNT(*) FROM alternative_arrangements a"
        " JOIN planned_stops s ON s.id = a.stop_id WHERE a.alternative_kind_id = k.id"
        " AND a.alternative_status <> 'refused' AND a.voided_at IS NULL"
        " AND s.starts_at < :ends AND s.ends_at > :starts)) ORDER BY k.price_cents LIMIT 1",
        {"starts": slot["starts_at"], "ends": slot["ends_at"]},
    )


def _names():
    return {"stair_climber": "stair climber", "carried_assistance": "carried assistance",
            "temporary_lodging": "temporary lodging", "absent": "being away"}


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_books_the_earliest_lawful_time(world) -> bool:
    """Books the governor rope for the earliest time that may be had, with the right phone."""
    slot, made = _slot(world), _new(world, "planned_stops")
    return len(made) == 1 and all(
        made[0][key] == value for key, value in {
            "slot_id": slot["id"], "starts_at": slot["starts_at"], "ends_at": slot["ends_at"],
            "lift_id": slot["lift_id"], "quotation_id": _quotation(world)["id"], "work_kind": "repair",
            "site_contact_phone": "+351927518360", "customer_id": 1, "stop_status": "awaiting_alternative",
        }.items()
    )


def goal_arranges_the_cheapest_alternative(world) -> bool:
    """Arranges the cheapest alternative for whoever is affected, with one outing at noon."""
    stops, made, best = _new(world, "planned_stops"), _new(world, "alternative_arrangements"), _best(world)
    if best["price_cents"] > 4000:
        return len(stops) == 1 and not made
    trips = _new(world, "arrangement_trips")
    return (
        len(stops) == 1 and sorted(a["dependent_id"] for a in made) == [p["id"] for p in _people(world)]
        and all(a["stop_id"] == stops[0]["id"] and a["alternative_kind_id"] == best["id"]
                and a["alternative_status"] == "offered" and a["voided_at"] is None
                and a["total_cents"] == best["price_cents"] and a["lift_id"] is None for a in made)
        and sorted((t["arrangement_id"], t["trip_at"]) for t in trips)
        == sorted((a["id"], _slot(world)["starts_at"][:10] + "T12:00:00") for a in made)
    )


def goal_says_the_day(world) -> bool:
    """Says on which day the work is."""
    return world.report.says("day", _slot(world)["starts_at"][:10])


def goal_says_the_time(world) -> bool:
    """Says at what time it starts."""
    return world.report.says("starts_at", _slot(world)["starts_at"][11:16])


def goal_says_the_price_if_nothing_is_arranged(world) -> bool:
    """Says what the cheapest alternative costs, if it was too dear to arrange; else leaves it empty."""
    if world.report.outcome is None:
        return False
    price = _best(world)["price_cents"]
    return world.report.says("price_if_not", price if price > 4000 else None)


def goal_says_what_is_arranged(world) -> bool:
    """Says what is arranged, or leaves it empty if it would cost more than 40 euros."""
    if world.report.outcome is None:
        return False
    best = _best(world)
    return world.report.says("arranged", _names()[best["alternative_kind"]] if best["price_cents"] <= 4000 else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_makes_no_other_change(world) -> bool:
    """Adds at most one stop, one arrangement and one outing for each person, and touches nothing else."""
    people = len(_people(world))
    counts = {"planned_stops": 1, "alternative_arrangements": people, "arrangement_trips": people}
    return all(c["before"] is None and c["table"] in counts for c in world.changes) and all(
        len(_new(world, table)) <= most for table, most in counts.items()
    )
