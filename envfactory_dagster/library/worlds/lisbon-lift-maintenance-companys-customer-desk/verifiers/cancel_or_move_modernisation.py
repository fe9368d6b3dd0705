def _stop(world):
    return world.initial.one(
        "SELECT s.* FROM planned_stops s JOIN lifts l ON l.id = s.lift_id JOIN buildings b ON b.id = l.building_id"
        " WHERE b.address = ? AND s.work_kind = 'modernisation' AND substr(s.starts_at, 1, 10) = '2026-06-18'"
        " AND s.stop_status IN ('awaiting_alternative', 'confirmed')",
        ["Largo do Intendente 22"],
    )


def _slots(world):
    stop = _stop(world)
    return world.initial.query(
        "SELECT t.* FROM stop_slots t JOIN lifts l ON l.id = t.lift_id WHERE t.lift_id = :lift"
        " AND t.work_kind = :kind AND t.duration_minutes = :minutes"
        " AND substr(t.starts_at, 1, 10) BETWEEN '2026-07-06' AND '2026-07-12'"
        " AND NOT EXISTS (SELECT 1 FROM planned_stops s JOIN lifts o ON o.id = s.lift_id"
        " WHERE o.building_id = l.building_id AND o.id <> t.lift_id AND s.stop_status NOT IN ('cancelled', 'lapsed')"
        " AND substr(s.starts_at, 1, 10) <= substr(t.ends_at, 1, 10)"
        " AND substr(s.ends_at, 1, 10) >= substr(t.starts_at, 1, 10)) ORDER BY t.id",
        {"lift": stop["lift_id"], "kind": stop["work_kind"], "minutes": stop["duration_minutes"]},
    )


def _moved(world):
    return world.final.one("SELECT * FROM planned_stops WHERE id = ?", [_stop(world)["id"]])


def _cost(world):
    return 4500 if _stop(world)["moves_used"] >= 2 else 0


def goal_moves_it_into_the_week_of_6_july(world) -> bool:
    """Has moved the modernisation once, to a free slot in the week of 6 July, and not cancelled it."""
    stop, moved = _stop(world), _moved(world)
    slot = next((one for one in _slots(world) if moved and one["id"] == moved["slot_id"]), None)
    if slot is None:
        return False
    wanted = {
        "starts_at": slot["starts_at"], "ends_at": slot["ends_at"], "duration_minutes": slot["duration_minutes"],
        "stop_status": "confirmed", "moves_used": stop["moves_used"] + 1,
        "fee_cents": stop["fee_cents"] + _cost(world), "refund_cents": None,
    }
    return all(moved[column] == value for column, value in wanted.items())


def goal_says_which_day_it_is(world) -> bool:
    """Says the day to which it was moved."""
    day = _moved(world)["starts_at"][:10]
    return "2026-07-06" <= day <= "2026-07-12" and world.report.says("new_day", day)


def goal_says_what_the_move_costs(world) -> bool:
    """Says what the move costs, as the stop was moved twice before."""
    return world.report.says("move_cost", _cost(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the time of that stop, with what a move writes."""
    stop = _stop(world)["id"]
    columns = ("slot_id", "starts_at", "ends_at", "moves_used", "move_reason", "fee_cents")
    return all(
        c["table"] == "planned_stops" and c["before"] and c["after"] and c["before"]["id"] == stop
        and all(c["before"][k] == c["after"][k] for k in c["before"] if k not in columns) for c in world.changes
    )
