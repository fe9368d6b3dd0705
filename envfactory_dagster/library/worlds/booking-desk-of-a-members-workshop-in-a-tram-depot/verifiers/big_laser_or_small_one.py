TODAY = "2026-05-06"


def _portions(db):
    """What is left of each portion of the user's credit that can still be used."""
    rows = db.query(
        "SELECT c.expires_on, SUM(c.amount_cents) AS cents FROM credit_entries c JOIN membership_members mm"
        " ON mm.membership_id = c.membership_id WHERE mm.member_id = 1 AND c.expires_on >= ?"
        " GROUP BY c.expires_on ORDER BY c.expires_on",
        [TODAY],
    )
    return [(row["expires_on"], row["cents"]) for row in rows if row["cents"] != 0]


def _total(db):
    return sum(cents for _, cents in _portions(db))


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


def _free(world, station_id, starts_at, ends_at):
    """Whether a station was free for the hours at the start."""
    taken = world.initial.one(
        "SELECT COUNT(*) AS n FROM bookings WHERE station_id = ? AND status IN ('provisional', 'confirmed', 'used')"
        " AND starts_at < ? AND ends_at > ?",
        [station_id, ends_at, starts_at],
    )
    blocked = world.initial.one(
        "SELECT COUNT(*) AS n FROM station_blocks WHERE station_id = ? AND status = 'in_force' AND starts_at < ?"
        " AND (ends_at IS NULL OR ends_at > ?)",
        [station_id, ends_at, starts_at],
    )
    return taken["n"] == 0 and blocked["n"] == 0


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


START, END = "2026-05-07T18:00:00", "2026-05-07T21:00:00"


def _laser(world):
    """The big laser if it was free for all three hours, else the small one."""
    big = world.initial.one("SELECT * FROM stations WHERE code = ?", ["L1"])
    small = world.initial.one("SELECT * FROM stations WHERE code = ?", ["L2"])
    return big if _free(world, big["id"], START, END) else small


def _left(world):
    """The portions of credit after paying what credit covers, what expires first going first."""
    rest, left = 3 * _laser(world)["hour_price_cents"], []
    for expires_on, cents in _portions(world.initial):
        part = min(rest, cents)
        rest -= part
        if cents > part:
            left.append((expires_on, cents - part))
    return left


def goal_books_the_right_laser(world) -> bool:
    """Has the right laser on 7 May from 18:00 to 21:00, once."""
    new = _new(world, "bookings")
    return len(new) == 1 and _is_booking(new[0], _laser(world), START, END, 3)


def goal_pays_it_from_credit(world) -> bool:
    """Credit paid it, what expires first going first."""
    ids = [row["id"] for row in _new(world, "bookings")]
    uses = [row for row in _new(world, "credit_entries") if _is_use(row, ids)]
    return len(uses) > 0 and _portions(world.final) == _left(world)


def goal_says_what_credit_is_left(world) -> bool:
    """Says how much credit is left."""
    return world.report.says("credit_left", sum(cents for _, cents in _left(world)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_makes_no_other_booking(world) -> bool:
    """Made or changed no booking but that one."""
    rows = [c for c in world.changes if c["table"] == "bookings"]
    return len(rows) <= 1 and all(
        c["before"] is None and c["after"] is not None and _is_booking(c["after"], _laser(world), START, END, 3)
        for c in rows
    )


def guard_uses_credit_for_nothing_else(world) -> bool:
    """Wrote no credit entry but what this booking used."""
    ids = [row["id"] for row in _new(world, "bookings")]
    return all(
        c["before"] is None and c["after"] is not None and _is_use(c["after"], ids)
        for c in world.changes
        if c["table"] == "credit_entries"
    )


def guard_touches_no_other_table(world) -> bool:
    """Touched no other table."""
    return _only(world, ("bookings", "credit_entries"))
