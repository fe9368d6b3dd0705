TODAY = "2026-05-06"


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


START, END = "2026-05-08T14:00:00", "2026-05-08T16:00:00"


def _saw(world):
    return world.initial.one("SELECT * FROM stations WHERE code = ?", ["W3"])


def _booking(world):
    return world.initial.one(
        "SELECT * FROM bookings WHERE member_id = 1 AND station_id = ? AND starts_at = ? AND ends_at = ?"
        " AND status = 'confirmed'",
        [_saw(world)["id"], START, END],
    )


def _benches(world):
    """The benches that were free for those hours."""
    rows = world.initial.query("SELECT * FROM stations WHERE code IN ('B1', 'B2', 'B3', 'B4') ORDER BY id", [])
    return [row for row in rows if _free(world, row["id"], START, END)]


def _is_bench(world, row):
    return any(_is_booking(row, bench, START, END, 2) for bench in _benches(world))


def _is_block(world, row):
    return (
        row["station_id"] == _saw(world)["id"]
        and row["kind"] == "unsafe"
        and row["reported_by_member_id"] == 1
        and row["status"] == "in_force"
        and row["ends_at"] is None
        and row["lifted_at"] is None
        and row["reason"].strip() != ""
    )


def _cancelled(row):
    return (
        row["status"] == "cancelled"
        and row["cancel_reason"] in ("machine_down", "member")
        and row["refund_cents"] == row["price_cents"]
    )


def _used(world):
    """What the booking on the bandsaw took from each portion of credit."""
    rows = world.initial.query(
        "SELECT membership_id, expires_on, SUM(-amount_cents) AS cents FROM credit_entries"
        " WHERE booking_id = ? AND kind = 'use' GROUP BY membership_id, expires_on ORDER BY membership_id, expires_on",
        [_booking(world)["id"]],
    )
    return [(row["membership_id"], row["expires_on"], row["cents"]) for row in rows]


def _is_refund(world, row):
    return (
        row["kind"] == "refund"
        and row["booking_id"] == _booking(world)["id"]
        and (row["membership_id"], row["expires_on"], row["amount_cents"]) in _used(world)
    )


def goal_reports_the_bandsaw(world) -> bool:
    """The bandsaw is reported as unsafe by the user, because of the goose."""
    new = _new(world, "station_blocks")
    return len(new) == 1 and _is_block(world, new[0]) and "goose" in new[0]["reason"].lower()


def goal_takes_the_user_off_the_bandsaw(world) -> bool:
    """The booking on the bandsaw is cancelled, because the machine is down, with everything back."""
    row = world.final.one("SELECT * FROM bookings WHERE id = ?", [_booking(world)["id"]])
    return row is not None and _cancelled(row) and row["cancel_reason"] == "machine_down"


def goal_gives_the_credit_back(world) -> bool:
    """What credit had paid for the bandsaw went back to where it came from."""
    back = [row for row in _new(world, "credit_entries") if _is_refund(world, row)]
    return sorted((row["membership_id"], row["expires_on"], row["amount_cents"]) for row in back) == sorted(_used(world))


def goal_has_a_free_bench_instead(world) -> bool:
    """Has one of the free benches for the same two hours."""
    new = _new(world, "bookings")
    return len(new) == 1 and _is_bench(world, new[0])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_reports_nothing_else(world) -> bool:
    """Reported no station but the bandsaw, and that once."""
    rows = [c for c in world.changes if c["table"] == "station_blocks"]
    return len(rows) <= 1 and all(
        c["before"] is None and c["after"] is not None and _is_block(world, c["after"]) for c in rows
    )


def guard_changes_no_other_booking(world) -> bool:
    """Cancelled no booking but that one and made no more than one, of a free bench."""
    free = {"status", "cancelled_at", "cancel_reason", "refund_cents"}
    rows = [c for c in world.changes if c["table"] == "bookings"]
    made = [c for c in rows if c["before"] is None]
    changed = [c for c in rows if c["before"] is not None]
    return (
        len(made) <= 1
        and all(c["after"] is not None and _is_bench(world, c["after"]) for c in made)
        and all(
            _other_columns_kept(c, free) and c["after"]["id"] == _booking(world)["id"] and _cancelled(c["after"])
            for c in changed
        )
    )


def guard_writes_no_other_credit(world) -> bool:
    """Wrote no credit entry but the refund and what the bench used."""
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
    return _only(world, ("station_blocks", "bookings", "credit_entries"))
