import datetime


def _move(world):
    """The move out of Grabenstraße on 24 April, with its term and what comes back of the deposit."""
    row = world.initial.one(
        "SELECT r.*, a.id AS address_id FROM removals r JOIN removal_addresses a ON a.removal_id = r.id"
        " WHERE r.customer_id = 1 AND r.removal_day = '2025-04-24' AND r.status = 'confirmed' AND a.stop = 'from'"
        " AND a.street LIKE 'Grabenstraße%'"
    )
    row["days"] = (datetime.date.fromisoformat(row["removal_day"]) - datetime.date(2025, 4, 17)).days
    term = world.initial.one(
        "SELECT id, percent_of_price FROM cancellation_terms WHERE min_days_before <= ?"
        " ORDER BY min_days_before DESC LIMIT 1",
        [row["days"]],
    )
    row["term"] = term["id"]
    row["back"] = max(0, row["deposit_cents"] - (row["price_cents"] * term["percent_of_price"] + 50) // 100)
    return row


def _zones(world):
    return world.initial.query(
        "SELECT * FROM no_stopping_zones WHERE removal_address_id = ? AND status <> 'withdrawn' ORDER BY id",
        [_move(world)["address_id"]],
    )


def goal_cancels_the_move(world) -> bool:
    """The move out of Grabenstraße is cancelled, at the term for 7 days."""
    row = world.final.one("SELECT status, cancellation_term_id FROM removals WHERE id = ?", [_move(world)["id"]])
    return row["status"] == "cancelled" and row["cancellation_term_id"] == _move(world)["term"]


def goal_withdraws_both_zones(world) -> bool:
    """Both zones in Grabenstraße are withdrawn."""
    return all(
        world.final.one("SELECT status FROM no_stopping_zones WHERE id = ?", [zone["id"]])["status"] == "withdrawn"
        for zone in _zones(world)
    )


def goal_says_whether_seven_days(world) -> bool:
    """Says that it is a full seven days."""
    return world.report.says("full_seven_days", _move(world)["days"] >= 7)


def goal_says_what_comes_back(world) -> bool:
    """Says what comes back of the deposit."""
    return world.report.says("gets_back", _move(world)["back"])


def goal_says_that_the_zones_come_on_top(world) -> bool:
    """Says that something for the zones is owed on top: the applications, and signs only where they are up."""
    owed = 0
    for zone in _zones(world):
        owed += zone["application_fee_cents"]
        if zone["signs_up_on"] <= "2025-04-17":
            owed += zone["sign_rent_cents"]
    return world.report.says("zones_on_top", owed > 0)


def guard_changes_this_move_and_its_zones_only(world) -> bool:
    """Changed nothing but the cancellation of this move and the withdrawal of its two zones."""
    zones = {zone["id"] for zone in _zones(world)}
    for c in world.changes:
        if c["before"] is None or c["after"] is None:
            return False
        if c["table"] == "removals" and c["before"]["id"] == _move(world)["id"]:
            free = ("status", "cancelled_at", "cancellation_term_id")
            good = c["after"]["status"] == "cancelled"
        elif c["table"] == "no_stopping_zones" and c["before"]["id"] in zones:
            free = ("status", "withdrawn_at")
            good = c["after"]["status"] == "withdrawn"
        else:
            return False
        if not good or any(c["before"][k] != c["after"][k] for k in c["before"] if k not in free):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
