def _boat(world):
    return world.initial.one("SELECT * FROM boats WHERE boat_owner_id = 1 AND name = 'Skarven'")


def _window(world):
    return world.initial.one(
        "SELECT w.*, substr(w.starts_at, 1, 10) AS day FROM tide_windows w"
        " WHERE w.starts_at >= '2026-10-01' AND w.starts_at < '2026-10-08' AND w.water_depth_cm >= ?"
        " AND (SELECT count(*) FROM crane_lifts l WHERE l.tide_window_id = w.id AND l.status = 'booked') < 4"
        " ORDER BY w.starts_at LIMIT 1",
        [_boat(world)["draught_cm"] + 20],
    )


def _free_bays(world):
    boat, window = _boat(world), _window(world)
    return world.initial.query(
        "SELECT b.* FROM shed_bays b WHERE b.length_cm >= ? AND b.width_cm >= ?"
        " AND NOT EXISTS (SELECT 1 FROM shed_places p WHERE p.shed_bay_id = b.id AND p.status IN ('reserved', 'occupied')"
        " AND p.first_day <= '2027-04-15' AND p.last_day >= ?)"
        " ORDER BY b.winter_price_cents, b.code",
        [boat["length_cm"], boat["beam_cm"], window["day"]],
    )


def goal_books_the_earliest_lift(world) -> bool:
    """Has one new lift out of the water booked for the Skarven in the earliest tide window of the week with room and enough water."""
    new = [c["after"] for c in world.changes if c["table"] == "crane_lifts" and c["before"] is None]
    return (
        len(new) == 1
        and new[0]["boat_id"] == _boat(world)["id"]
        and new[0]["tide_window_id"] == _window(world)["id"]
        and new[0]["direction"] == "out_of_water"
        and new[0]["status"] == "booked"
    )


def goal_reserves_the_cheapest_bay(world) -> bool:
    """Has one new shed place reserved for the Skarven from the day of the lift to 15 April 2027 in the cheapest free bay that takes her."""
    bays = _free_bays(world)
    new = [c["after"] for c in world.changes if c["table"] == "shed_places" and c["before"] is None]
    if len(new) != 1:
        return False
    place = new[0]
    cheapest = [b["id"] for b in bays if b["winter_price_cents"] == bays[0]["winter_price_cents"]]
    return (
        place["boat_id"] == _boat(world)["id"]
        and place["shed_bay_id"] in cheapest
        and place["first_day"] == _window(world)["day"]
        and place["last_day"] == "2027-04-15"
        and place["price_cents"] == bays[0]["winter_price_cents"]
        and place["status"] == "reserved"
    )


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new lift and one new shed place of the Skarven."""
    boat = _boat(world)
    tables = [c["table"] for c in world.changes]
    return (
        tables.count("crane_lifts") <= 1
        and tables.count("shed_places") <= 1
        and all(
            c["table"] in ("crane_lifts", "shed_places") and c["before"] is None and c["after"]["boat_id"] == boat["id"]
            for c in world.changes
        )
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
