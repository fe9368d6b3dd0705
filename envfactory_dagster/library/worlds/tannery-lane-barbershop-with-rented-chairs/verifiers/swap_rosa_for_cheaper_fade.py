def _own(world):
    """Thursday's haircut with Rosa Hale, as it was at the start."""
    return world.initial.one(
        "SELECT a.* FROM appointments a"
        " JOIN services s ON s.id = a.service_id"
        " JOIN barbers b ON b.id = s.barber_id"
        " WHERE a.customer_id = 1 AND b.name = ? AND s.name = ? AND substr(a.starts_at, 1, 10) = ?"
        " AND a.status IN ('booked', 'confirmed')",
        ["Rosa Hale", "Haircut", "2026-04-16"],
    )


def goal_thursdays_haircut_is_cancelled(world) -> bool:
    """The haircut with Rosa Hale on Thursday 16 April is cancelled."""
    row = world.final.one("SELECT status FROM appointments WHERE id = ?", [_own(world)["id"]])
    return row is not None and row["status"] == "cancelled"


def goal_has_the_cheaper_skin_fade_on_saturday_morning(world) -> bool:
    """Has one skin fade booked with the cheaper of Imran Sadiq and Piotr Wolny on Saturday 18 April in the morning,
    at a free time that starts before 11:00 and ends by noon."""
    fade = world.initial.one(
        "SELECT s.id, s.barber_id, s.duration_minutes, s.price_cents FROM services s"
        " JOIN barbers b ON b.id = s.barber_id"
        " WHERE s.name = ? AND b.name IN (?, ?) ORDER BY s.price_cents LIMIT 1",
        ["Skin fade", "Imran Sadiq", "Piotr Wolny"],
    )
    row = world.final.one(
        "SELECT count(*) AS n FROM appointments a JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " WHERE a.customer_id = 1 AND a.service_id = ? AND a.status = 'booked' AND a.price_cents = ?"
        " AND r.barber_id = ? AND r.day = '2026-04-18' AND r.half = 'morning' AND r.status = 'active'"
        " AND a.starts_at >= r.starts_at AND a.ends_at <= r.ends_at"
        " AND a.starts_at < '2026-04-18T11:00:00' AND a.ends_at <= '2026-04-18T12:00:00'"
        " AND a.ends_at = strftime('%Y-%m-%dT%H:%M:%S', a.starts_at, ?)"
        " AND NOT EXISTS (SELECT 1 FROM appointments o WHERE o.chair_rental_id = a.chair_rental_id AND o.id <> a.id"
        " AND o.status IN ('booked', 'confirmed') AND o.starts_at < a.ends_at AND a.starts_at < o.ends_at)",
        [fade["id"], fade["price_cents"], fade["barber_id"], f"+{fade['duration_minutes']} minutes"],
    )
    return row["n"] == 1


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but Thursday's haircut, cancelled and otherwise as it was, and one new appointment of the user."""
    own = _own(world)
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "appointments" or after is None:
            return False
        if before is None:
            new += 1
            if after["customer_id"] != 1:
                return False
        elif change["key"] != [own["id"]] or after["status"] != "cancelled" or any(
            after[c] != value for c, value in before.items() if c not in ("status", "cancelled_at")
        ):
            return False
    return new <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None
