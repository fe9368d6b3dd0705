def _monday(world):
    """The member's booking of Monday 20 July; it is more than 12 hours away, so all of its price comes back."""
    return world.initial.one(
        "SELECT * FROM well_bookings WHERE member_id = 1 AND status = 'booked' AND substr(starts_at, 1, 10) = ?",
        ["2026-07-20"],
    )


def _starts(world, hours):
    """Every beginning from 21 to 24 July whose hours are free and over by 14:00."""
    found = []
    for day in ("2026-07-21", "2026-07-22", "2026-07-23", "2026-07-24"):
        for hour in range(8, 15 - hours):
            begins = day + "T" + str(hour).zfill(2) + ":00:00"
            ends = day + "T" + str(hour + hours).zfill(2) + ":00:00"
            row = world.initial.one(
                "SELECT count(*) AS n FROM well_bookings WHERE status <> 'cancelled' AND starts_at < ? AND ends_at > ?",
                [ends, begins],
            )
            if row["n"] == 0:
                found.append(begins)
    return found


def _fits(world, row):
    hours = 4 if _starts(world, 4) else 3
    price = world.initial.one(
        "SELECT id, price_cents FROM prices WHERE section = 'Pozo San Roque' AND applies_from <= ? ORDER BY applies_from DESC LIMIT 1",
        ["2026-07-21"],
    )
    return (
        row["member_id"] == 1
        and row["plot_id"] == _monday(world)["plot_id"]
        and row["starts_at"] in _starts(world, hours)
        and row["ends_at"] == row["starts_at"][:11] + str(int(row["starts_at"][11:13]) + hours).zfill(2) + ":00:00"
        and row["hours"] == hours
        and row["status"] == "booked"
        and row["paid_by"] == "card"
        and row["price_id"] == price["id"]
        and row["price_cents"] == hours * price["price_cents"]
        and row["kept_cents"] == row["price_cents"]
        and row["cancelled_at"] is None
    )


def goal_monday_is_cancelled(world) -> bool:
    """Has cancelled the hours of Monday 20 July with all of the price back."""
    row = world.final.one("SELECT status, kept_cents, cancelled_at FROM well_bookings WHERE id = ?", [_monday(world)["id"]])
    return row is not None and row["status"] == "cancelled" and row["kept_cents"] == 0 and row["cancelled_at"] is not None


def goal_has_the_morning_instead(world) -> bool:
    """Has one new booking of four hours on a morning that is free, paid by card."""
    before = {row["id"] for row in world.initial.query("SELECT id FROM well_bookings")}
    new = [row for row in world.final.query("SELECT * FROM well_bookings ORDER BY id") if row["id"] not in before]
    return len(new) == 1 and _fits(world, new[0])


def goal_says_what_comes_back(world) -> bool:
    """Has told how much of Monday's price comes back."""
    return world.report.says("comes_back", _monday(world)["price_cents"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule_as_reason(world) -> bool:
    """Gives no rule as a reason, since nothing was refused."""
    return world.report.reason is None


def guard_changes_only_monday_and_one_new_booking(world) -> bool:
    """Touches only Monday's booking, by cancelling it, and at most one new booking that fits."""
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "well_bookings" or after is None:
            return False
        if before is None:
            new += 1
            if not _fits(world, after):
                return False
        else:
            if before["id"] != _monday(world)["id"] or after["status"] != "cancelled" or after["kept_cents"] != 0:
                return False
            if any(before[name] != after[name] for name in before if name not in ("status", "cancelled_at", "kept_cents")):
                return False
    return new <= 1
