def _starts(world):
    """Every beginning on 16 or 17 July, 13:00 or later and over by 21:00, whose three hours are free."""
    found = []
    for day in ("2026-07-16", "2026-07-17"):
        for hour in range(13, 19):
            begins = day + "T" + str(hour) + ":00:00"
            ends = day + "T" + str(hour + 3) + ":00:00"
            row = world.initial.one(
                "SELECT count(*) AS n FROM well_bookings WHERE status <> 'cancelled' AND starts_at < ? AND ends_at > ?",
                [ends, begins],
            )
            if row["n"] == 0:
                found.append(begins)
    return found


def _fits(world, row):
    plot = world.initial.one("SELECT id FROM plots WHERE plot = 16")
    price = world.initial.one(
        "SELECT id, price_cents FROM prices WHERE section = 'Pozo San Roque' AND applies_from <= ? ORDER BY applies_from DESC LIMIT 1",
        ["2026-07-16"],
    )
    return (
        row["member_id"] == 1
        and row["plot_id"] == plot["id"]
        and row["starts_at"] in _starts(world)
        and row["ends_at"] == row["starts_at"][:11] + str(int(row["starts_at"][11:13]) + 3) + ":00:00"
        and row["hours"] == 3
        and row["status"] == "booked"
        and row["paid_by"] == "card"
        and row["price_id"] == price["id"]
        and row["price_cents"] == 3 * price["price_cents"]
        and row["price_cents"] <= 2340
        and row["kept_cents"] == row["price_cents"]
        and row["cancelled_at"] is None
    )


def goal_has_three_hours_of_the_well(world) -> bool:
    """Has one new booking of three free hours on one of the two afternoons for plot 16, paid by card."""
    before = {row["id"] for row in world.initial.query("SELECT id FROM well_bookings")}
    new = [row for row in world.final.query("SELECT * FROM well_bookings ORDER BY id") if row["id"] not in before]
    return len(new) == 1 and _fits(world, new[0])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule_as_reason(world) -> bool:
    """Gives no rule as a reason, since nothing was refused."""
    return world.report.reason is None


def guard_adds_only_one_such_booking(world) -> bool:
    """Touches no row but at most one new booking that fits."""
    return len(world.changes) <= 1 and all(
        change["table"] == "well_bookings"
        and change["before"] is None
        and change["after"] is not None
        and _fits(world, change["after"])
        for change in world.changes
    )
