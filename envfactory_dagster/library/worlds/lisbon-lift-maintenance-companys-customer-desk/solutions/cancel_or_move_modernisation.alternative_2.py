import datetime


def _all(call, key, **arguments):
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = call(page_size=100, **arguments, **more)
        rows += page[key]
        cursor = page["next_page_cursor"]
        if not cursor:
            return rows


def _building(tools, address):
    return next(b for b in _all(tools.list_buildings, "buildings") if b["address"] == address)


def solve(tools):
    building = _building(tools, "Largo do Intendente 22")
    stops = _all(tools.list_planned_stops, "planned_stops", building_id=building["building_id"],
                 work_kind="modernisation", date_start="2026-06-18", date_end="2026-06-18")
    stop = next(one for one in stops if one["stop_status"] in ("awaiting_alternative", "confirmed"))
    day, weekdays = datetime.date(2026, 6, 9), 0
    while day < datetime.date(2026, 6, 18):
        weekdays += day.weekday() < 5
        day += datetime.timedelta(days=1)
    if weekdays >= 10:
        done = tools.cancel_planned_stop(
            stop_id=stop["stop_id"], reason="New tenants are moving in that day.", cancel_ground="own_choice"
        )
        return {
            "outcome": "done", "answers": {"new_day": None, "move_cost": None}, "reason": None,
            "message": f"The modernisation is cancelled and {done['refund_cents'] / 100:.2f} EUR comes back.",
        }
    slots = tools.find_stop_slots(
        lift_id=stop["lift_id"], work_kind="modernisation", quotation_id=stop["quotation_id"],
        date_start="2026-07-06", date_end="2026-07-12",
    )["slots"]
    slot = sorted(slots, key=lambda one: one["starts_at"])[2]
    moved = tools.move_planned_stop(
        stop_id=stop["stop_id"], slot_id=slot["slot_id"], reason="New tenants are moving in that day."
    )
    return {
        "outcome": "done",
        "answers": {"new_day": moved["starts_at"][:10], "move_cost": moved["fee_cents"]},
        "reason": None,
        "message": f"Cancelling today would not bring the whole deposit back, so the modernisation is moved to"
                   f" {moved['starts_at'][:10]}; the move costs {moved['fee_cents'] / 100:.2f} EUR.",
    }
