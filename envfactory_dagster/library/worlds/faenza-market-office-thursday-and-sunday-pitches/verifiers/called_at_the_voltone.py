def _call(world):
    """The user's call of this morning."""
    return world.initial.one(
        "SELECT a.id AS id, a.spunta_register_entry_id AS entry_id, e.attendances AS attendances, e.stall_m AS stall_m, p.front_m AS front_m, p.is_corner AS is_corner,"
        " p.row_name AS row_name, m.fee_thirds AS fee_thirds, k.spuntista_cents_per_m AS rate FROM spunta_assignments a JOIN spunta_register_entries e ON e.id = a.spunta_register_entry_id"
        " JOIN market_days m ON m.id = a.market_day_id JOIN pitches p ON p.id = a.pitch_id JOIN price_categories k ON k.id = e.price_category_id"
        " WHERE e.trader_id = 1 AND a.status = 'called' AND m.held_on = '2026-06-21'"
    )


def _price(world):
    call = _call(world)
    top = call["rate"] * int(call["front_m"] * 2) * (115 if call["is_corner"] else 100) * (90 if call["row_name"] == "via_pistocchi" else 100)
    cents = max(600, (top + 10000) // 20000)
    return (2 * cents * call["fee_thirds"] + 3) // 6


def goal_pitch_accepted(world) -> bool:
    """The pitch that the user was called for is accepted."""
    row = world.final.one("SELECT status, attendance_change FROM spunta_assignments WHERE id = ?", [_call(world)["id"]])
    return row["status"] == "accepted" and row["attendance_change"] == 1


def goal_days_charge_paid_by_card(world) -> bool:
    """The charge for the day is paid by card."""
    row = world.final.one(
        "SELECT count(*) AS n FROM fee_charges WHERE trader_id = 1 AND kind = 'spunta_day' AND spunta_assignment_id = ? AND pitch_cents = ?"
        " AND electricity_cents = 0 AND surcharge_cents = 0 AND status = 'paid' AND paid_by = 'card'",
        [_call(world)["id"], _price(world)],
    )
    return row["n"] == 1


def goal_says_the_attendances(world) -> bool:
    """Says how many Sunday attendances there are after this morning."""
    return world.report.says("sunday_attendances", _call(world)["attendances"] + 1)


def guard_changes_only_what_accepting_and_paying_bring(world) -> bool:
    """Touched nothing but the call, the attendances in the Sunday register and one charge for the day."""
    call = _call(world)
    new_charges = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        changed = set() if before is None else {column for column in before if before[column] != after[column]}
        if change["table"] == "spunta_assignments":
            if before is None or before["id"] != call["id"] or not changed <= {"status", "attendance_change", "answered_at"} or after["status"] != "accepted":
                return False
        elif change["table"] == "spunta_register_entries":
            if before is None or before["id"] != call["entry_id"] or not changed <= {"attendances", "last_seen_on"}:
                return False
            if after["attendances"] != call["attendances"] + 1 or after["last_seen_on"] != "2026-06-21":
                return False
        elif change["table"] == "fee_charges":
            new_charges += 1
            if before is not None or after["trader_id"] != 1 or after["spunta_assignment_id"] != call["id"] or after["concession_id"] is not None:
                return False
            if after["period_from"] != "2026-06-21" or after["period_to"] != "2026-06-21" or after["due_on"] != "2026-06-21" or after["pitch_cents"] != _price(world):
                return False
        else:
            return False
    return new_charges <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, on the ground of no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
