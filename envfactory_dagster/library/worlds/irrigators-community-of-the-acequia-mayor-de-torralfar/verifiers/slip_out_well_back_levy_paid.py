def _slip(world):
    return world.initial.one(
        "SELECT s.id FROM slips s JOIN draws d ON d.id = s.draw_id WHERE s.member_id = 1 AND s.status = 'in_box' AND d.thursday = ?",
        ["2026-08-20"],
    )


def _booking(world):
    """The well hours of 16 August; they are more than 12 hours away, so all of the price comes back."""
    return world.initial.one(
        "SELECT id, price_cents FROM well_bookings WHERE member_id = 1 AND status = 'booked' AND substr(starts_at, 1, 10) = ?",
        ["2026-08-16"],
    )


def _half(world):
    return world.initial.one(
        "SELECT l.id FROM levy_halves l JOIN calendar_entries c ON c.id = l.calendar_entry_id"
        " WHERE l.member_id = 1 AND l.status = 'due' AND c.to_day = ? AND l.amount_cents = ?",
        ["2026-09-30", 21600],
    )


def goal_slip_is_taken_out(world) -> bool:
    """Has taken the slip for the draw of 20 August out of the box."""
    row = world.final.one("SELECT status FROM slips WHERE id = ?", [_slip(world)["id"]])
    return row is not None and row["status"] == "taken_out"


def goal_well_of_sunday_is_cancelled(world) -> bool:
    """Has cancelled the well hours of 16 August with all of the price back."""
    row = world.final.one("SELECT status, kept_cents FROM well_bookings WHERE id = ?", [_booking(world)["id"]])
    return row is not None and row["status"] == "cancelled" and row["kept_cents"] == 0


def goal_half_levy_is_paid_by_transfer(world) -> bool:
    """Has paid the half levy due on 30 September whole by transfer, without surcharge."""
    row = world.final.one("SELECT * FROM levy_halves WHERE id = ?", [_half(world)["id"]])
    return (
        row is not None
        and row["status"] == "paid"
        and row["paid_by"] == "transfer"
        and row["paid_at"] is not None
        and row["amount_cents"] == 21600
        and row["surcharge_cents"] == 0
    )


def goal_says_what_comes_back(world) -> bool:
    """Has told how much of the price comes back."""
    return world.report.says("comes_back", _booking(world)["price_cents"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule_as_reason(world) -> bool:
    """Gives no rule as a reason, since nothing was refused."""
    return world.report.reason is None


def guard_changes_only_these_three(world) -> bool:
    """Touches only the slip, the booking of 16 August and the half levy, and of them only what follows."""
    allowed = {
        ("slips", _slip(world)["id"]): {"status": "taken_out", "closed_at": None},
        ("well_bookings", _booking(world)["id"]): {"status": "cancelled", "kept_cents": 0, "cancelled_at": None},
        ("levy_halves", _half(world)["id"]): {"status": "paid", "paid_by": "transfer", "paid_at": None},
    }
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        wanted = allowed.get((change["table"], before["id"]))
        if wanted is None:
            return False
        for name in before:
            if name not in wanted:
                if before[name] != after[name]:
                    return False
            elif wanted[name] is not None and after[name] != wanted[name]:
                return False
    return True
