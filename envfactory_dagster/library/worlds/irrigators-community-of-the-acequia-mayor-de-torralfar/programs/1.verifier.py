def _bookings(world):
    return world.initial.query(
        "SELECT id, price_cents FROM well_bookings WHERE member_id = 1 AND status = 'booked'"
        " AND substr(starts_at, 1, 10) BETWEEN '2026-07-20' AND '2026-08-02' ORDER BY id"
    )


def _fines(world):
    return world.initial.query("SELECT id, amount_cents FROM fines WHERE member_id = 1 AND status = 'open' ORDER BY id")


def _back(world):
    """All of these hours are more than 12 hours away on 14 July, so the whole price comes back."""
    return sum(row["price_cents"] for row in _bookings(world))


def _fine_is_covered(world):
    return _back(world) >= sum(row["amount_cents"] for row in _fines(world))


def _only(change, columns):
    before, after = change["before"], change["after"]
    if before is None or after is None:
        return False
    return all(before[name] == after[name] for name in before if name not in columns)


def goal_cancels_every_booking_of_those_days(world) -> bool:
    """Cancels all well hours of the member from 20 July to 2 August, with all of the price back."""
    for row in _bookings(world):
        now = world.final.one("SELECT status, cancelled_at, kept_cents FROM well_bookings WHERE id = ?", [row["id"]])
        if now is None or now["status"] != "cancelled" or now["cancelled_at"] is None or now["kept_cents"] != 0:
            return False
    return True


def goal_pays_the_fine_by_card_if_covered(world) -> bool:
    """Pays the open fine by card, since what comes back covers it."""
    if not _fine_is_covered(world):
        return False
    for row in _fines(world):
        now = world.final.one("SELECT status, paid_by, paid_at FROM fines WHERE id = ?", [row["id"]])
        if now is None or now["status"] != "paid" or now["paid_by"] != "card" or now["paid_at"] is None:
            return False
    return True


def goal_says_what_comes_back(world) -> bool:
    """Says how much of the price comes back."""
    return world.report.says("comes_back", _back(world))


def goal_says_whether_the_fine_is_paid(world) -> bool:
    """Says whether the fine is paid."""
    return world.report.says("fine_paid", _fine_is_covered(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changes only those bookings and, where it is covered, the open fine, and of them only what follows."""
    bookings = {row["id"] for row in _bookings(world)}
    fines = {row["id"] for row in _fines(world)} if _fine_is_covered(world) else set()
    for change in world.changes:
        if change["before"] is None or change["after"] is None:
            return False
        if change["table"] == "well_bookings" and change["before"]["id"] in bookings:
            if not _only(change, ("status", "cancelled_at", "kept_cents")):
                return False
        elif change["table"] == "fines" and change["before"]["id"] in fines:
            if not _only(change, ("status", "paid_at", "paid_by")):
                return False
        else:
            return False
    return True
