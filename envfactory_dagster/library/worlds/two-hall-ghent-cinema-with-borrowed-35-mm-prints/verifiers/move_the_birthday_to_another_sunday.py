from datetime import date


def _old(world):
    return world.initial.one(
        "SELECT b.id, b.hall_id, b.deposit_payment_id, b.deposit_cents FROM hall_bookings b JOIN halls h ON h.id = b.hall_id"
        " WHERE b.account_id = 1 AND b.status = 'confirmed' AND h.name = 'Zaal 2' AND substr(b.starts_at, 1, 10) = '2026-05-10'")


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_old_booking_is_cancelled(world) -> bool:
    """The booking of 10 May is cancelled for 25 euros."""
    row = world.final.one("SELECT status, cancellation_fee_cents FROM hall_bookings WHERE id = ?", [_old(world)["id"]])
    return row["status"] == "cancelled" and row["cancellation_fee_cents"] == 2500


def goal_rest_of_the_deposit_came_back(world) -> bool:
    """The old deposit less 25 euros is paid back."""
    row = world.final.one("SELECT refunded_cents FROM payments WHERE id = ?", [_old(world)["deposit_payment_id"]])
    return row["refunded_cents"] == _old(world)["deposit_cents"] - 2500


def goal_another_sunday_afternoon_in_may(world) -> bool:
    """Has Zaal 2 on the afternoon of another Sunday in May."""
    rows = _new(world, "hall_bookings")
    if len(rows) != 1 or rows[0]["account_id"] != 1 or rows[0]["club_id"] is not None:
        return False
    day = rows[0]["starts_at"][:10]
    return (rows[0]["hall_id"] == _old(world)["hall_id"] and day[:7] == "2026-05" and day != "2026-05-10"
            and date.fromisoformat(day).weekday() == 6 and rows[0]["starts_at"][11:] == "14:00:00")


def goal_guests_and_film(world) -> bool:
    """It is for 25 guests, the youngest 7, with Pelle en de vos."""
    rows = _new(world, "hall_bookings")
    if len(rows) != 1 or rows[0]["guests"] != 25 or rows[0]["youngest_age"] != 7:
        return False
    film = world.initial.one("SELECT t.name FROM copies c JOIN titles t ON t.id = c.title_id WHERE c.id = ?", [rows[0]["copy_id"]])
    return film is not None and film["name"] == "Pelle en de vos"


def goal_deposit_is_paid(world) -> bool:
    """Its deposit is paid by Bancontact."""
    rows = _new(world, "hall_bookings")
    payments = _new(world, "payments")
    return (len(rows) == 1 and len(payments) == 1 and rows[0]["deposit_payment_id"] == payments[0]["id"] and payments[0]["account_id"] == 1
            and payments[0]["method"] == "bancontact" and payments[0]["amount_cents"] == rows[0]["deposit_cents"])


def goal_new_booking_is_fixed(world) -> bool:
    """It is confirmed."""
    rows = _new(world, "hall_bookings")
    return len(rows) == 1 and rows[0]["status"] == "confirmed"


def guard_changes_nothing_else(world) -> bool:
    """Touched only the old booking with its deposit and one new booking with its own."""
    if len(_new(world, "hall_bookings")) > 1 or len(_new(world, "payments")) > 1:
        return False
    old = _old(world)
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if before is None:
            if c["table"] not in ("hall_bookings", "payments") or after["account_id"] != 1:
                return False
        elif c["table"] == "hall_bookings":
            if before["id"] != old["id"] or any(before[f] != after[f] for f in before if f not in ("status", "cancelled_at", "cancellation_fee_cents")):
                return False
        elif c["table"] == "payments":
            if before["id"] != old["deposit_payment_id"] or any(before[f] != after[f] for f in before if f != "refunded_cents"):
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
