def _wanted(world):
    return world.initial.query(
        "SELECT a.id AS id, b.name AS barber, s.id AS service_id, s.price_cents AS price_cents, a.status AS status,"
        " a.starts_at AS starts_at,"
        " strftime('%Y-%m-%dT%H:%M:%S', a.starts_at, '+' || s.duration_minutes || ' minutes') AS ends_at"
        " FROM appointments a JOIN services o ON o.id = a.service_id"
        " JOIN barbers b ON b.id = o.barber_id"
        " JOIN services s ON s.barber_id = o.barber_id AND s.name = 'Haircut with beard trim'"
        " WHERE a.customer_id = 1 AND a.status IN ('booked', 'confirmed') AND a.starts_at > '2026-04-14T09:05:00'"
    )


def _changed_with(world, barber):
    rows = [row for row in _wanted(world) if row["barber"] == barber]
    for row in rows:
        now = world.final.one("SELECT * FROM appointments WHERE id = ?", (row["id"],))
        if now is None:
            return False
        if any(now[c] != row[c] for c in ("service_id", "price_cents", "ends_at", "starts_at", "status")):
            return False
    return len(rows) > 0


def goal_changes_the_one_with_jo(world) -> bool:
    """Made the coming appointment with Jo Tanner a haircut with beard trim, with its end and price, at the same start."""
    return _changed_with(world, "Jo Tanner")


def goal_changes_the_one_with_rosa(world) -> bool:
    """Made the coming appointment with Rosa Hale a haircut with beard trim, with its end and price, at the same start."""
    return _changed_with(world, "Rosa Hale")


def goal_says_total_price(world) -> bool:
    """Says what all the coming appointments cost together now."""
    return world.report.says("total_price", sum(row["price_cents"] for row in _wanted(world)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_coming_appointments_of_the_user(world) -> bool:
    """Changed no other row than the user's coming appointments, and added and deleted none."""
    ids = [row["id"] for row in _wanted(world)]
    for change in world.changes:
        if change["table"] != "appointments" or change["before"] is None or change["after"] is None:
            return False
        if change["before"]["id"] not in ids:
            return False
    return True


def guard_changes_only_service_end_and_price(world) -> bool:
    """Changed nothing of an appointment but its service, end and price."""
    for change in world.changes:
        if change["before"] is None or change["after"] is None:
            return False
        for column in change["before"]:
            if column not in ("service_id", "ends_at", "price_cents"):
                if change["before"][column] != change["after"][column]:
                    return False
    return True
