def _turn(world):
    """The small sauna of 19 September 2026 at 15:00."""
    return world.initial.one(
        "SELECT t.* FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id WHERE t.customer_id = 1"
        " AND t.status = 'booked' AND t.held_on = '2026-09-19' AND s.sauna = 'small' AND s.starts_time = '15:00'"
    )


def _bag(world):
    """Elias's blue swim bag of 12 September."""
    return world.initial.one(
        "SELECT * FROM found_items WHERE found_on = '2026-09-12' AND status = 'held'"
        " AND description LIKE '%blue swim bag%' AND description LIKE '%Elias%'"
    )


def goal_moves_the_sauna_turn(world) -> bool:
    """The turn is now on 3 or 4 October, at a time that was free and starts between 13:00 and 17:00, at the same price."""
    turn = _turn(world)
    now = world.final.one(
        "SELECT t.*, s.sauna, s.starts_time, s.opening_hours_id FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id"
        " WHERE t.id = ?",
        [turn["id"]],
    )
    if now is None or now["status"] != "booked" or now["price_cents"] != turn["price_cents"] or now["sauna"] != "small":
        return False
    if (now["held_on"], now["opening_hours_id"]) not in (("2026-10-03", 6), ("2026-10-04", 7)):
        return False
    if not "13:00" <= now["starts_time"] <= "17:00" or now["moved_at"] is None:
        return False
    taken = world.initial.one(
        "SELECT count(*) AS n FROM sauna_turns WHERE sauna_slot_id = ? AND held_on = ? AND status <> 'cancelled'",
        [now["sauna_slot_id"], now["held_on"]],
    )
    return taken["n"] == 0


def goal_fetches_the_swim_bag(world) -> bool:
    """Elias's blue swim bag is recorded as his and fetched by the person, without a fee."""
    now = world.final.one("SELECT * FROM found_items WHERE id = ?", [_bag(world)["id"]])
    elias = world.initial.one("SELECT id FROM customers WHERE guardian_id = 1 AND name LIKE 'Elias %'")["id"]
    return (
        now is not None
        and now["status"] == "fetched"
        and now["owner_id"] == elias
        and now["fetched_by_id"] == 1
        and now["fetched_at"] is not None
        and now["fee_cents"] == 0
    )


def guard_names_no_cost(world) -> bool:
    """Leaves the cost empty, as the turn could be moved free of charge."""
    return world.report.outcome is None or world.report.says("cost_of_giving_up_the_turn", None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but this sauna turn and this bag, and in them only what a move and a fetching change."""
    allowed = {
        "sauna_turns": (_turn(world)["id"], {"sauna_slot_id", "held_on", "moved_at"}),
        "found_items": (_bag(world)["id"], {"status", "owner_id", "fetched_by_id", "fetched_at", "fee_cents"}),
    }
    for c in world.changes:
        if c["table"] not in allowed or c["before"] is None or c["after"] is None:
            return False
        row, columns = allowed[c["table"]]
        if c["before"]["id"] != row or any(c["before"][k] != c["after"][k] for k in c["before"] if k not in columns):
            return False
    return True
