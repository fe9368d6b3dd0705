def _club(world):
    return world.initial.one("SELECT id FROM clubs WHERE name = 'Sukellusseura Kaukahauki ry'")["id"]


def _tuesday(world):
    """Lane 4 on Tuesday 10 March 2026, 18 to 20."""
    return world.initial.one(
        "SELECT b.* FROM lane_bookings b JOIN season_turns t ON t.id = b.season_turn_id WHERE b.club_id = ? AND t.basis = 'contract'"
        " AND b.lane = 4 AND b.starts_at = '2026-03-10T18:00:00' AND b.status = 'booked'",
        [_club(world)],
    )


def _thursday(world):
    """The season turn of Thursday 12 March 2026, 19 to 20."""
    return world.initial.one(
        "SELECT b.* FROM lane_bookings b JOIN season_turns t ON t.id = b.season_turn_id WHERE b.club_id = ? AND t.basis = 'season'"
        " AND b.starts_at = '2026-03-12T19:00:00' AND b.status = 'booked'",
        [_club(world)],
    )


def _cancelled_free(world, booking_id):
    now = world.final.one("SELECT * FROM lane_bookings WHERE id = ?", [booking_id])
    return (
        now is not None
        and now["status"] == "cancelled"
        and now["cancelled_at"] is not None
        and now["cancelled_by_id"] == 1
        and now["cancellation_fee_cents"] == 0
    )


def _price(world):
    return world.initial.one("SELECT id, price_cents FROM prices WHERE code = 'lane_adults'")


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_cancels_the_tuesday(world) -> bool:
    """Lane 4 on Tuesday 10 March is cancelled free of charge."""
    return _cancelled_free(world, _tuesday(world)["id"])


def goal_cancels_the_thursday(world) -> bool:
    """The Thursday turn of 12 March is cancelled free of charge."""
    return _cancelled_free(world, _thursday(world)["id"])


def goal_books_one_deep_hour_for_the_club(world) -> bool:
    """The club has one loose hour on Wednesday 11 March at 17, 18 or 19, on a lane over the deep end that was free."""
    rows = _new(world, "lane_bookings")
    if len(rows) != 1:
        return False
    row = rows[0]
    if (row["club_id"], row["booked_by_id"], row["season_turn_id"], row["status"]) != (_club(world), 1, None, "booked"):
        return False
    if row["lane"] not in (4, 5, 6) or row["price_cents"] != _price(world)["price_cents"]:
        return False
    hours = {"2026-03-11T17:00:00": "2026-03-11T18:00:00", "2026-03-11T18:00:00": "2026-03-11T19:00:00", "2026-03-11T19:00:00": "2026-03-11T20:00:00"}
    if hours.get(row["starts_at"]) != row["ends_at"]:
        return False
    taken = world.initial.one(
        "SELECT count(*) AS n FROM lane_bookings WHERE lane = ? AND status <> 'cancelled' AND starts_at < ? AND ends_at > ?",
        [row["lane"], row["ends_at"], row["starts_at"]],
    )
    return taken["n"] == 0


def goal_pays_it_with_the_bank_card(world) -> bool:
    """That hour has been paid once, at the price for adults from Tampere, with the bank card."""
    booked = [r["id"] for r in _new(world, "lane_bookings")]
    paid = [
        (p["kind"], p["method"], p["price_id"], p["amount_cents"])
        for p in _new(world, "payments")
        if len(booked) == 1 and p["lane_booking_id"] == booked[0]
    ]
    return paid == [("payment", "bank_card", _price(world)["id"], _price(world)["price_cents"])]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but these two dates, one new loose hour of the club and its payment."""
    dates = {_tuesday(world)["id"], _thursday(world)["id"]}
    columns = {"status", "cancelled_at", "cancelled_by_id", "cancellation_fee_cents"}
    booked = {r["id"] for r in _new(world, "lane_bookings")}
    if len(booked) > 1 or len(_new(world, "payments")) > 1:
        return False
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "lane_bookings" and before is None:
            if after["club_id"] != _club(world) or after["booked_by_id"] != 1 or after["status"] != "booked":
                return False
            if after["season_turn_id"] is not None or after["starts_at"][:10] != "2026-03-11":
                return False
        elif c["table"] == "lane_bookings":
            if before["id"] not in dates or any(before[k] != after[k] for k in before if k not in columns):
                return False
        elif c["table"] == "payments":
            if before is not None or after["kind"] != "payment" or after["customer_id"] != 1 or after["lane_booking_id"] not in booked:
                return False
        else:
            return False
    return True
