TODAY = "2026-06-16"


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None and c["after"] is not None]


def _only(world, tables):
    return all(change["table"] in tables for change in world.changes)


def _other_columns_kept(change, free):
    before, after = change["before"], change["after"]
    return before is not None and after is not None and all(before[k] == after[k] for k in before if k not in free)


def _is_use(row, booking_ids):
    return (
        row["kind"] == "use"
        and row["amount_cents"] < 0
        and row["booking_id"] in booking_ids
        and row["storage_rental_id"] is None
        and row["expires_on"] >= TODAY
    )


def _is_booking(row, station, starts_at, ends_at, hours):
    return (
        row["member_id"] == 1
        and row["station_id"] == station["id"]
        and row["kind"] == "hour"
        and row["starts_at"] == starts_at
        and row["ends_at"] == ends_at
        and row["price_cents"] == hours * station["hour_price_cents"]
        and row["status"] == "confirmed"
        and row["induction_place_id"] is None
        and row["delay_reported_at"] is None
        and row["swept_at"] is None
        and row["cancelled_at"] is None
    )


START, END = "2026-06-18T18:00:00", "2026-06-18T20:00:00"


def _watch(world):
    """The user's ember watch of tonight."""
    return world.initial.one(
        "SELECT w.* FROM ember_watches w JOIN bookings b ON b.id = w.booking_id WHERE w.member_id = 1"
        " AND w.status = 'assigned' AND substr(b.starts_at, 1, 10) = ?",
        [TODAY],
    )


def _sander(world):
    return world.initial.one("SELECT * FROM bookings WHERE id = ?", [_watch(world)["booking_id"]])


def _station(world):
    """The table saw if Fatima El Idrissi is on in the wood hall on Thursday evening, else the bandsaw."""
    row = world.initial.one(
        "SELECT m.name FROM supervisor_shifts f JOIN halls h ON h.id = f.hall_id"
        " JOIN members m ON m.id = f.supervisor_member_id WHERE h.name = 'wood' AND f.starts_at <= ? AND f.ends_at >= ?",
        [START, END],
    )
    code = "W1" if row is not None and row["name"] == "Fatima El Idrissi" else "W3"
    return world.initial.one("SELECT * FROM stations WHERE code = ?", [code])


def _used(world):
    """What the sander took from each portion of credit."""
    rows = world.initial.query(
        "SELECT membership_id, expires_on, SUM(-amount_cents) AS cents FROM credit_entries"
        " WHERE booking_id = ? AND kind = 'use' GROUP BY membership_id, expires_on ORDER BY membership_id, expires_on",
        [_sander(world)["id"]],
    )
    return [(row["membership_id"], row["expires_on"], row["cents"]) for row in rows]


def _is_refund(world, row):
    return (
        row["kind"] == "refund"
        and row["booking_id"] == _sander(world)["id"]
        and (row["membership_id"], row["expires_on"], row["amount_cents"]) in _used(world)
    )


def _given_up(row):
    return (
        row["status"] == "cancelled" and row["cancel_reason"] == "watch_refused" and row["refund_cents"] == row["price_cents"]
    )


def goal_refuses_the_watch(world) -> bool:
    """The ember watch of tonight is refused."""
    row = world.final.one("SELECT status FROM ember_watches WHERE id = ?", [_watch(world)["id"]])
    return row is not None and row["status"] == "refused"


def goal_gives_up_the_sander(world) -> bool:
    """The sander is given up with a full refund."""
    row = world.final.one("SELECT * FROM bookings WHERE id = ?", [_sander(world)["id"]])
    return row is not None and _given_up(row)


def goal_gives_the_credit_back(world) -> bool:
    """What credit had paid for the sander went back to where it came from."""
    back = [row for row in _new(world, "credit_entries") if _is_refund(world, row)]
    return sorted((row["membership_id"], row["expires_on"], row["amount_cents"]) for row in back) == sorted(_used(world))


def goal_books_the_right_saw(world) -> bool:
    """Has the right saw on Thursday 18 June from 18:00 to 20:00."""
    new = _new(world, "bookings")
    return len(new) == 1 and _is_booking(new[0], _station(world), START, END, 2)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_no_other_watch(world) -> bool:
    """Changed no ember watch but that of tonight, and refused that only."""
    return all(
        _other_columns_kept(c, {"status", "ended_at"})
        and c["after"]["id"] == _watch(world)["id"]
        and c["after"]["status"] == "refused"
        for c in world.changes
        if c["table"] == "ember_watches"
    )


def guard_changes_no_other_booking(world) -> bool:
    """Gave up no booking but the sander and made no more than one, of the right saw."""
    free = {"status", "cancelled_at", "cancel_reason", "refund_cents"}
    rows = [c for c in world.changes if c["table"] == "bookings"]
    made = [c for c in rows if c["before"] is None]
    changed = [c for c in rows if c["before"] is not None]
    return (
        len(made) <= 1
        and all(c["after"] is not None and _is_booking(c["after"], _station(world), START, END, 2) for c in made)
        and all(
            _other_columns_kept(c, free) and c["after"]["id"] == _sander(world)["id"] and _given_up(c["after"])
            for c in changed
        )
    )


def guard_writes_no_other_credit(world) -> bool:
    """Wrote no credit entry but the refund and what the saw used."""
    made = _new(world, "bookings")
    ids = [row["id"] for row in made]
    rows = [c for c in world.changes if c["table"] == "credit_entries"]
    if not all(c["before"] is None and c["after"] is not None for c in rows):
        return False
    uses = [c["after"] for c in rows if c["after"]["kind"] == "use"]
    backs = [c["after"] for c in rows if c["after"]["kind"] != "use"]
    used = sum(-row["amount_cents"] for row in uses)
    return (
        all(_is_use(row, ids) for row in uses)
        and used <= sum(row["price_cents"] for row in made)
        and all(_is_refund(world, row) for row in backs)
        and len(backs) <= len(_used(world))
    )


def guard_touches_no_other_table(world) -> bool:
    """Touched no other table."""
    return _only(world, ("ember_watches", "bookings", "credit_entries"))
