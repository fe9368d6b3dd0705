FREE = (
    "SELECT d.id FROM half_days d WHERE d.half = 'AM' AND d.held_on >= '2025-06-26' AND d.held_on <= '2025-06-28'"
    " AND d.status = 'open' AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.half_day_id = d.id"
    " AND b.status IN ('awaiting_mentor', 'confirmed', 'extracted')) ORDER BY d.id"
)
OLD = (
    "SELECT b.id, b.fee_cents, b.hive_type FROM bookings b JOIN half_days d ON d.id = b.half_day_id"
    " WHERE b.member_id = 1 AND d.held_on = '2025-06-21' AND d.half = 'PM' AND b.status = 'confirmed'"
)
FEE = 1400 + 50 * (22 - 16)


def _only(change, columns):
    """Whether a changed row differs in these columns alone."""
    before, after = change["before"], change["after"]
    return all(before[name] == after[name] for name in before if name not in columns)


def _new(world, table):
    """The rows that are new in a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _wanted_booking(world, row):
    """Whether a new booking is one that was asked for."""
    old = world.initial.one(OLD, [])
    return (
        row["member_id"] == 1
        and row["half_day_id"] in [d["id"] for d in world.initial.query(FREE, [])]
        and row["mentor_id"] is None
        and row["honey_type"] == "linden"
        and row["hive_type"] == old["hive_type"]
        and row["super_count"] == 22
        and row["fee_cents"] == FEE
        and row["status"] == "confirmed"
    )


def goal_old_half_day_is_cancelled(world) -> bool:
    """The booking of 21 June in the afternoon is cancelled for the member with its full fee back."""
    old = world.initial.one(OLD, [])
    row = world.final.one("SELECT status, cancel_reason, refund_cents FROM bookings WHERE id = ?", [old["id"]])
    return (
        row["status"] == "cancelled" and row["cancel_reason"] == "member" and row["refund_cents"] == old["fee_cents"]
    )


def goal_refund_is_credited(world) -> bool:
    """The full fee of the old booking is credited once on the user's ledger."""
    old = world.initial.one(OLD, [])
    rows = world.final.query(
        "SELECT member_id, amount_cents FROM ledger_entries WHERE booking_id = ? AND kind = 'room_refund'", [old["id"]]
    )
    return rows == [{"member_id": 1, "amount_cents": old["fee_cents"]}]


def goal_a_free_morning_is_booked(world) -> bool:
    """Has one new booking for 22 supers of linden on a free morning from 26 to 28 June."""
    new = _new(world, "bookings")
    return len(new) == 1 and _wanted_booking(world, new[0])


def goal_new_fee_is_charged(world) -> bool:
    """The fee of the new booking is charged once on the user's ledger."""
    ids = [b["id"] for b in _new(world, "bookings")]
    fees = [e for e in _new(world, "ledger_entries") if e["kind"] == "room_fee"]
    return (
        len(fees) == 1
        and fees[0]["member_id"] == 1
        and fees[0]["amount_cents"] == -FEE
        and fees[0]["booking_id"] in ids
    )


def goal_says_what_comes_back(world) -> bool:
    """Has told what comes back for the old half-day."""
    return world.report.says("comes_back", world.initial.one(OLD, [])["fee_cents"])


def goal_says_what_the_new_one_costs(world) -> bool:
    """Has told what the new half-day costs."""
    return world.report.says("new_cost", FEE)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_new_rows_are_the_wanted_ones(world) -> bool:
    """Added at most the wanted booking, its fee and the refund of the old one, each once."""
    old = world.initial.one(OLD, [])
    ids = [b["id"] for b in _new(world, "bookings")]
    found = []
    for change in world.changes:
        if change["before"] is not None:
            continue
        row = change["after"]
        if change["table"] == "bookings" and _wanted_booking(world, row):
            found.append("booking")
        elif change["table"] == "ledger_entries" and row["member_id"] == 1 and row["kind"] == "room_fee":
            if row["booking_id"] not in ids or row["amount_cents"] != -FEE:
                return False
            found.append("fee")
        elif change["table"] == "ledger_entries" and row["member_id"] == 1 and row["kind"] == "room_refund":
            if row["booking_id"] != old["id"] or row["amount_cents"] != old["fee_cents"]:
                return False
            found.append("refund")
        else:
            return False
    return len(found) == len(set(found))


def guard_changes_only_the_old_booking(world) -> bool:
    """Changed no row but the old booking, only what a cancellation fills in, and deleted none."""
    old = world.initial.one(OLD, [])
    for change in world.changes:
        if change["after"] is None:
            return False
        if change["before"] is None:
            continue
        if change["table"] != "bookings" or change["before"]["id"] != old["id"]:
            return False
        if not _only(change, ("status", "cancelled_at", "cancel_reason", "refund_cents")):
            return False
    return True
