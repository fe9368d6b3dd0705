from datetime import date

NOW = "2025-11-03T10:00:00"


def _requests(world):
    return world.initial.query(
        "SELECT r.id FROM programming_requests r JOIN clubs b ON b.id = r.club_id WHERE b.name = 'De Lichtbak'"
        " AND r.status IN ('to_be_traced', 'submitted', 'quoted') AND substr(r.first_wish_at, 1, 4) = '2026'", [])


def _bookings(world):
    """The confirmed hires to come that cost at most 30 euro, with the fee."""
    found = []
    for b in world.initial.query("SELECT * FROM hall_bookings WHERE account_id = 1 AND status = 'confirmed' AND starts_at > ?", [NOW]):
        days = (date.fromisoformat(b["starts_at"][:10]) - date.fromisoformat(NOW[:10])).days
        fee = 2500 if days > 30 else b["deposit_cents"] if days >= 11 else b["hall_cents"] + b["licence_cents"]
        if fee <= 3000:
            found.append({"id": b["id"], "fee": fee, "payment": b["deposit_payment_id"], "back": max(0, b["deposit_cents"] - fee)})
    return found


def _left(world):
    club = world.initial.one("SELECT id, partner_since FROM clubs WHERE name = 'De Lichtbak'")
    shown = world.initial.one(
        "SELECT COUNT(*) AS n FROM screenings WHERE club_id = ? AND status <> 'cancelled' AND substr(starts_at, 1, 10) BETWEEN '2025-09-01' AND '2026-08-31'", [club["id"]])["n"]
    gone = [r["id"] for r in _requests(world)]
    waiting = world.initial.query(
        "SELECT id FROM programming_requests WHERE club_id = ? AND (status IN ('to_be_traced', 'submitted') OR (status = 'quoted' AND quote_valid_until >= ?))"
        " AND substr(COALESCE(quoted_start_at, first_wish_at), 1, 10) BETWEEN '2025-09-01' AND '2026-08-31'", [club["id"], NOW])
    limit = 10 if club["partner_since"] < "2015-11-03" else 8
    return limit - shown - len([r for r in waiting if r["id"] not in gone])


def goal_says_requests_withdrawn(world) -> bool:
    """Says how many requests were withdrawn."""
    return world.report.says("requests_withdrawn", len(_requests(world)))


def goal_says_deposits_back(world) -> bool:
    """Says how much of the deposits comes back."""
    return world.report.says("deposits_back", sum(b["back"] for b in _bookings(world)))


def goal_says_screenings_left(world) -> bool:
    """Says how many screenings the club can still have."""
    return world.report.says("screenings_left", _left(world))


def goal_requests_are_withdrawn(world) -> bool:
    """All open requests for 2026 are withdrawn."""
    rows = [world.final.one("SELECT status, closed_at FROM programming_requests WHERE id = ?", [r["id"]]) for r in _requests(world)]
    return all(r["status"] == "withdrawn" and r["closed_at"] is not None for r in rows)


def goal_cheap_hires_are_cancelled(world) -> bool:
    """All hires that cost at most 30 euro are cancelled for that fee."""
    for b in _bookings(world):
        row = world.final.one("SELECT status, cancellation_fee_cents, cancelled_at FROM hall_bookings WHERE id = ?", [b["id"]])
        if row["status"] != "cancelled" or row["cancellation_fee_cents"] != b["fee"] or row["cancelled_at"] is None:
            return False
    return True


def goal_deposits_are_refunded(world) -> bool:
    """The rest of each deposit is paid back."""
    for b in _bookings(world):
        before = world.initial.one("SELECT refunded_cents FROM payments WHERE id = ?", [b["payment"]])
        after = world.final.one("SELECT refunded_cents FROM payments WHERE id = ?", [b["payment"]])
        if after["refunded_cents"] != before["refunded_cents"] + b["back"]:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_what_fits(world) -> bool:
    """Changed only the requests, hires and deposits that fit, and of these only what follows."""
    allowed = {
        "programming_requests": ([r["id"] for r in _requests(world)], ("status", "closed_at")),
        "hall_bookings": ([b["id"] for b in _bookings(world)], ("status", "cancelled_at", "cancellation_fee_cents")),
        "payments": ([b["payment"] for b in _bookings(world)], ("refunded_cents",)),
    }
    for c in world.changes:
        if c["before"] is None or c["after"] is None or c["table"] not in allowed:
            return False
        ids, columns = allowed[c["table"]]
        if c["before"]["id"] not in ids or any(c["before"][f] != c["after"][f] for f in c["before"] if f not in columns):
            return False
    return True
