from datetime import date, timedelta

NOW = "2025-11-03T10:00:00"


def _days(text):
    return (date.fromisoformat(text[:10]) - date.fromisoformat(NOW[:10])).days


def _deadline(text, count):
    day = date.fromisoformat(text[:10])
    while count > 0:
        day -= timedelta(days=1)
        if day.weekday() < 5 and day.isoformat() not in ("2025-11-01", "2025-11-11", "2025-12-25", "2026-01-01"):
            count -= 1
    return day.isoformat() + "T17:00:00"


def _hall_total(world):
    total = 0
    for b in world.initial.query("SELECT * FROM hall_bookings WHERE account_id = 1 AND status = 'confirmed' AND starts_at > ?", [NOW]):
        days = _days(b["starts_at"])
        total += 2500 if days > 30 else b["deposit_cents"] if days >= 11 else b["hall_cents"] + b["licence_cents"]
    return total


def _school_total(world):
    total = 0
    rows = world.initial.query(
        "SELECT b.pupils_announced, s.starts_at FROM school_bookings b JOIN schools o ON o.id = b.school_id JOIN screenings s ON s.id = b.screening_id"
        " WHERE o.contact_account_id = 1 AND b.status = 'confirmed' AND s.starts_at > ?", [NOW])
    for b in rows:
        full = max(40, b["pupils_announced"]) * 500
        if NOW > _deadline(b["starts_at"], 5):
            total += full
        elif NOW > _deadline(b["starts_at"], 10):
            total += full // 2
    return total


def _option(world):
    """Table and first row of the option that is to go."""
    if _hall_total(world) > _school_total(world):
        return "hall_bookings", world.initial.one(
            "SELECT id, starts_at FROM hall_bookings WHERE account_id = 1 AND status = 'option' AND option_until >= ?", [NOW])
    return "school_bookings", world.initial.one(
        "SELECT b.id, s.starts_at FROM school_bookings b JOIN schools o ON o.id = b.school_id JOIN screenings s ON s.id = b.screening_id"
        " WHERE o.contact_account_id = 1 AND b.status = 'option' AND b.option_until >= ?", [NOW])


def goal_says_hall_total(world) -> bool:
    """Says what cancelling the confirmed hall hires would cost."""
    return world.report.says("hall_total", _hall_total(world))


def goal_says_school_total(world) -> bool:
    """Says what cancelling the confirmed school outings would cost."""
    return world.report.says("school_total", _school_total(world))


def goal_says_day_given_up(world) -> bool:
    """Says the day of the option that was given up."""
    return world.report.says("day_given_up", _option(world)[1]["starts_at"][:10])


def goal_option_is_cancelled(world) -> bool:
    """The option of the dearer lot is cancelled for nothing."""
    table, row = _option(world)
    if table == "hall_bookings":
        after = world.final.one("SELECT status, cancellation_fee_cents, cancelled_at FROM hall_bookings WHERE id = ?", [row["id"]])
    else:
        after = world.final.one("SELECT status, cancellation_fee_cents, cancelled_at FROM school_bookings WHERE id = ?", [row["id"]])
    return after is not None and after["status"] == "cancelled" and after["cancellation_fee_cents"] == 0 and after["cancelled_at"] is not None


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the status of that one option."""
    table, row = _option(world)
    for c in world.changes:
        if c["table"] != table or c["before"] is None or c["after"] is None or c["before"]["id"] != row["id"]:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in ("status", "cancelled_at", "cancellation_fee_cents")):
            return False
    return True
