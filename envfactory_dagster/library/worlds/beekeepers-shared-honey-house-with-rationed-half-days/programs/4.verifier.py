NOW = "2025-08-19T09:30:00"
FEE = 2100
MORNING = (
    "SELECT d.id, d.held_on FROM half_days d WHERE d.half = 'AM' AND d.status = 'open' AND d.closes_at >= ?"
    " AND d.held_on >= '2025-08-19' AND d.held_on <= '2025-08-31'"
    " AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.half_day_id = d.id"
    " AND b.status IN ('awaiting_mentor', 'confirmed', 'extracted'))"
    " ORDER BY d.held_on LIMIT 1"
)
SPRUCE = (
    "SELECT b.id, b.fee_cents FROM bookings b JOIN half_days d ON d.id = b.half_day_id"
    " WHERE b.member_id = 1 AND b.status = 'confirmed' AND b.honey_type = 'spruce'"
    " AND d.held_on >= '2025-09-01' AND d.held_on <= '2025-09-30' AND d.full_refund_until >= ?"
)


def _left(world):
    hives = world.initial.one(
        "SELECT SUM(h.hives) AS n FROM hive_counts h JOIN apiaries a ON a.id = h.apiary_id"
        " WHERE a.member_id = 1 AND h.counted_on ="
        " (SELECT MAX(x.counted_on) FROM hive_counts x WHERE x.apiary_id = a.id)",
        [],
    )["n"]
    used = world.initial.one(
        "SELECT COUNT(*) AS n FROM bookings b JOIN half_days d ON d.id = b.half_day_id"
        " WHERE b.member_id = 1 AND b.status NOT IN ('lapsed', 'cancelled')"
        " AND d.held_on >= '2025-05-20' AND d.held_on <= '2025-08-31'",
        [],
    )["n"]
    return min(5, (hives + 11) // 12) - used


def _balance(world):
    return world.initial.one("SELECT SUM(amount_cents) AS n FROM ledger_entries WHERE member_id = 1", [])["n"]


def _morning(world):
    return world.initial.one(MORNING, [NOW])


def _to_cancel(world):
    if _balance(world) - FEE < -2500:
        return world.initial.one(SPRUCE, [NOW])
    return None


def _new_bookings(world):
    return [c["after"] for c in world.changes if c["table"] == "bookings" and c["before"] is None]


def _is_wanted_booking(world, b):
    return (
        b["member_id"] == 1
        and b["half_day_id"] == _morning(world)["id"]
        and b["honey_type"] == "chestnut"
        and b["hive_type"] == "AZ"
        and b["super_count"] == 30
        and b["fee_cents"] == FEE
        and b["status"] == "confirmed"
        and b["mentor_id"] is None
    )


def goal_says_half_days_left(world) -> bool:
    """Says how many half-days the quota had left before."""
    return world.report.says("half_days_left", _left(world))


def goal_says_day(world) -> bool:
    """Says which day the booked morning is."""
    return world.report.says("day", _morning(world)["held_on"])


def goal_says_fee(world) -> bool:
    """Says what the booked morning costs."""
    return world.report.says("fee", FEE)


def goal_says_what_comes_back(world) -> bool:
    """Says what comes back of the cancelled spruce half-day, or nothing if none was to be cancelled."""
    row = _to_cancel(world)
    return world.report.says("comes_back", None if row is None else row["fee_cents"])


def goal_says_what_is_owed(world) -> bool:
    """Says how much is owed in the end."""
    row = _to_cancel(world)
    balance = _balance(world) - FEE + (0 if row is None else row["fee_cents"])
    return world.report.says("owed", max(0, -balance))


def goal_books_the_earliest_morning(world) -> bool:
    """The earliest morning that can still be booked is booked for 30 AZ supers of chestnut."""
    new = _new_bookings(world)
    return len(new) == 1 and _is_wanted_booking(world, new[0])


def goal_charges_the_fee(world) -> bool:
    """The fee of the new booking stands once on the user's ledger."""
    ids = [b["id"] for b in _new_bookings(world)]
    fees = [
        c["after"] for c in world.changes
        if c["table"] == "ledger_entries" and c["before"] is None and c["after"]["kind"] == "room_fee"
    ]
    return (
        len(fees) == 1 and fees[0]["member_id"] == 1 and fees[0]["amount_cents"] == -FEE and fees[0]["booking_id"] in ids
    )


def goal_cancels_the_spruce_half_day_with_full_refund(world) -> bool:
    """The spruce half-day in September is cancelled for the member and its whole fee is credited once."""
    old = _to_cancel(world)
    row = world.final.one("SELECT status, cancel_reason, refund_cents FROM bookings WHERE id = ?", [old["id"]])
    credits = world.final.query(
        "SELECT member_id, amount_cents FROM ledger_entries WHERE booking_id = ? AND kind = 'room_refund'", [old["id"]]
    )
    return (
        row["status"] == "cancelled"
        and row["cancel_reason"] == "member"
        and row["refund_cents"] == old["fee_cents"]
        and credits == [{"member_id": 1, "amount_cents": old["fee_cents"]}]
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_only_that_booking_and_its_entries(world) -> bool:
    """Added no row but the wanted booking, its fee and the refund of the spruce half-day, each at most once."""
    old = _to_cancel(world)
    ids = [b["id"] for b in _new_bookings(world)]
    kinds = []
    for c in world.changes:
        if c["before"] is not None:
            continue
        row = c["after"]
        if c["table"] == "bookings":
            if not _is_wanted_booking(world, row):
                return False
            kinds.append("booking")
        elif c["table"] == "ledger_entries" and row["member_id"] == 1 and row["kind"] == "room_fee":
            if row["booking_id"] not in ids:
                return False
            kinds.append("fee")
        elif c["table"] == "ledger_entries" and row["member_id"] == 1 and row["kind"] == "room_refund":
            if old is None or row["booking_id"] != old["id"]:
                return False
            kinds.append("refund")
        else:
            return False
    return len(kinds) == len(set(kinds))


def guard_changes_no_other_row(world) -> bool:
    """Changed no row but the spruce half-day in September, and of it only what a cancellation fills in; deleted none."""
    old = _to_cancel(world)
    free = ("status", "cancelled_at", "cancel_reason", "refund_cents")
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["before"] is None:
            continue
        if old is None or c["table"] != "bookings" or c["before"]["id"] != old["id"]:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in free):
            return False
    return True
