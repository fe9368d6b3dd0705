def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None and c["after"] is not None]


def _only(world, tables):
    return all(change["table"] in tables for change in world.changes)


def _other_columns_kept(change, free):
    before, after = change["before"], change["after"]
    return before is not None and after is not None and all(before[k] == after[k] for k in before if k not in free)


def _lathe(world):
    return world.initial.one(
        "SELECT b.* FROM bookings b JOIN stations s ON s.id = b.station_id WHERE b.member_id = 1"
        " AND s.machine = ? AND b.starts_at = ? AND b.ends_at = ? AND b.status = 'confirmed'",
        ["Lathe", "2026-05-07T14:00:00", "2026-05-07T16:00:00"],
    )


def _half(world):
    """Between 12 and 48 hours of notice give back half."""
    return _lathe(world)["price_cents"] // 2


def _portion(world):
    """The portion of credit that paid the lathe."""
    return world.initial.one(
        "SELECT membership_id, expires_on, SUM(-amount_cents) AS cents FROM credit_entries"
        " WHERE booking_id = ? AND kind = 'use' GROUP BY membership_id, expires_on",
        [_lathe(world)["id"]],
    )


def _place(world):
    """The user's place in the welding refresher of 8 May."""
    return world.initial.one(
        "SELECT p.* FROM induction_places p JOIN induction_sessions se ON se.id = p.induction_session_id"
        " JOIN induction_types t ON t.id = se.induction_type_id WHERE p.member_id = 1 AND p.status = 'booked'"
        " AND t.name = ? AND se.kind = 'refresher' AND substr(se.starts_at, 1, 10) = ?",
        ["Welding", "2026-05-08"],
    )


def _sessions(world):
    """The welding refreshers from 13 to 17 May that had a free place, by id."""
    rows = world.initial.query(
        "SELECT se.id, substr(se.starts_at, 1, 10) AS day FROM induction_sessions se"
        " JOIN induction_types t ON t.id = se.induction_type_id WHERE t.name = ? AND se.kind = 'refresher'"
        " AND substr(se.starts_at, 1, 10) BETWEEN ? AND ? AND se.places > (SELECT COUNT(*) FROM induction_places p"
        " WHERE p.induction_session_id = se.id AND p.status <> 'cancelled') ORDER BY se.id",
        ["Welding", "2026-05-13", "2026-05-17"],
    )
    return {row["id"]: row["day"] for row in rows}


def _moved_to(world):
    """The session the place is in now, if it is one of those and nothing else of the place has changed."""
    place = _place(world)
    row = world.final.one("SELECT * FROM induction_places WHERE id = ?", [place["id"]])
    if row is None or row["induction_session_id"] not in _sessions(world):
        return None
    kept = all(row[k] == place[k] for k in place if k != "induction_session_id")
    return row["induction_session_id"] if kept else None


def _cancelled(world, row):
    return row["status"] == "cancelled" and row["cancel_reason"] == "member" and row["refund_cents"] == _half(world)


def _is_refund(world, row):
    portion = _portion(world)
    return (
        row["kind"] == "refund"
        and row["booking_id"] == _lathe(world)["id"]
        and row["membership_id"] == portion["membership_id"]
        and row["expires_on"] == portion["expires_on"]
        and row["amount_cents"] == _half(world)
    )


def goal_scraps_the_lathe(world) -> bool:
    """The lathe is cancelled with half of its price back."""
    row = world.final.one("SELECT * FROM bookings WHERE id = ?", [_lathe(world)["id"]])
    return row is not None and _cancelled(world, row)


def goal_gives_the_half_back(world) -> bool:
    """The half went back to the credit it came from."""
    new = _new(world, "credit_entries")
    return len(new) == 1 and _is_refund(world, new[0])


def goal_moves_the_refresher(world) -> bool:
    """The place is in a welding refresher from 13 to 17 May that had a free place."""
    return _moved_to(world) is not None


def goal_says_what_came_back(world) -> bool:
    """Says how much came back."""
    return world.report.says("money_back", _half(world))


def goal_says_the_day_of_the_refresher(world) -> bool:
    """Says on which day the refresher is now."""
    session = _moved_to(world)
    return session is not None and world.report.says("refresher_day", _sessions(world)[session])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_no_other_booking(world) -> bool:
    """Changed no booking but the lathe, and cancelled that only."""
    free = {"status", "cancelled_at", "cancel_reason", "refund_cents"}
    return all(
        _other_columns_kept(c, free) and c["after"]["id"] == _lathe(world)["id"] and _cancelled(world, c["after"])
        for c in world.changes
        if c["table"] == "bookings"
    )


def guard_changes_no_other_place(world) -> bool:
    """Changed no place but that one, and moved that only."""
    return all(
        _other_columns_kept(c, {"induction_session_id"})
        and c["after"]["id"] == _place(world)["id"]
        and c["after"]["induction_session_id"] in _sessions(world)
        for c in world.changes
        if c["table"] == "induction_places"
    )


def guard_writes_no_other_credit(world) -> bool:
    """Wrote no credit entry but that refund."""
    rows = [c for c in world.changes if c["table"] == "credit_entries"]
    return len(rows) <= 1 and all(
        c["before"] is None and c["after"] is not None and _is_refund(world, c["after"]) for c in rows
    )


def guard_touches_no_other_table(world) -> bool:
    """Touched no other table."""
    return _only(world, ("bookings", "induction_places", "credit_entries"))
