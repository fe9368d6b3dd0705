import datetime
import re


def _move(world):
    """The move to Neufeldweg 140 that costs less to cancel, with its fee and what comes back."""
    found = []
    for row in world.initial.query(
        "SELECT r.*, f.street, f.town, f.floor FROM removals r"
        " JOIN removal_addresses f ON f.removal_id = r.id AND f.stop = 'from'"
        " JOIN removal_addresses t ON t.removal_id = r.id AND t.stop = 'to'"
        " WHERE r.customer_id = 1 AND r.status = 'confirmed' AND t.street = 'Neufeldweg 140'"
        " AND r.removal_day BETWEEN '2025-08-01' AND '2025-08-31'"
    ):
        days = (datetime.date.fromisoformat(row["removal_day"]) - datetime.date(2025, 7, 24)).days
        term = world.initial.one(
            "SELECT id, percent_of_price FROM cancellation_terms WHERE min_days_before <= ?"
            " ORDER BY min_days_before DESC LIMIT 1",
            [days],
        )
        row["fee"] = (row["price_cents"] * term["percent_of_price"] + 50) // 100
        row["term"] = term["id"]
        row["back"] = max(0, row["deposit_cents"] - row["fee"])
        found.append(row)
    return min(found, key=lambda row: row["fee"])


def _trip(world):
    """The cheapest open trip to Vienna in August with 5 m³ left, with its price, or None if it is not covered."""
    move = _move(world)
    found = []
    for trip in world.initial.query(
        "SELECT t.*, t.bookable_m3 - (SELECT coalesce(sum(p.volume_m3), 0) FROM part_load_pickups p"
        " JOIN part_load_bookings b ON b.id = p.part_load_booking_id"
        " WHERE b.part_load_trip_id = t.id AND b.status <> 'cancelled') AS room"
        " FROM part_load_trips t WHERE t.destination = 'Vienna' AND t.status = 'open'"
        " AND t.trip_day BETWEEN '2025-08-01' AND '2025-08-31'"
    ):
        percent = trip["discount_percent"] if trip["discount_up_to_m3"] >= 5 else 0
        trip["price"] = round(5 * trip["price_per_m3_cents"] * (100 - percent) / 100) + move["floor"] * trip["floor_fee_cents"]
        if trip["room"] >= 5:
            found.append(trip)
    best = min(found, key=lambda trip: trip["price"])
    return best if best["price"] <= move["back"] else None


def _plain(text):
    return re.sub(r"[^a-z0-9äöüß]", "", text.casefold())


def goal_says_which_day_is_off(world) -> bool:
    """Says the day of the cancelled move."""
    return world.report.says("cancelled_day", _move(world)["removal_day"])


def goal_says_what_cancelling_costs(world) -> bool:
    """Says what cancelling costs."""
    return world.report.says("cancellation_cost", _move(world)["fee"])


def goal_says_what_comes_back(world) -> bool:
    """Says what comes back of the deposit."""
    return world.report.says("comes_back", _move(world)["back"])


def goal_says_the_day_to_vienna(world) -> bool:
    """Says the day of the Vienna trip, since it is covered."""
    trip = _trip(world)
    return world.report.says("vienna_day", None if trip is None else trip["trip_day"])


def goal_says_the_price_to_vienna(world) -> bool:
    """Says what the place to Vienna costs, since it is covered."""
    trip = _trip(world)
    return world.report.says("vienna_price", None if trip is None else trip["price"])


def goal_cancels_the_cheaper_one(world) -> bool:
    """The move that costs less to cancel is cancelled, at its term."""
    row = world.final.one("SELECT status, cancellation_term_id FROM removals WHERE id = ?", [_move(world)["id"]])
    return row["status"] == "cancelled" and row["cancellation_term_id"] == _move(world)["term"]


def goal_books_the_cheaper_trip(world) -> bool:
    """Booked 5 m³ on the cheaper trip, from where the cancelled move would have started, without a lift."""
    move = _move(world)
    trip = _trip(world)
    bookings = [c["after"] for c in world.changes if c["table"] == "part_load_bookings" and c["before"] is None]
    pickups = [c["after"] for c in world.changes if c["table"] == "part_load_pickups" and c["before"] is None]
    if trip is None or len(bookings) != 1 or len(pickups) != 1:
        return False
    booking = bookings[0]
    pickup = pickups[0]
    return (
        booking["part_load_trip_id"] == trip["id"]
        and booking["customer_id"] == 1
        and booking["status"] == "booked"
        and booking["price_cents"] == trip["price"]
        and pickup["part_load_booking_id"] == booking["id"]
        and _plain(pickup["street"]) == _plain(move["street"])
        and _plain(pickup["town"]) == _plain(move["town"])
        and pickup["floor"] == move["floor"]
        and pickup["has_usable_lift"] == 0
        and pickup["volume_m3"] == 5
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_one_move_and_one_place_only(world) -> bool:
    """Changed nothing but that move's cancellation and one new booking with one pickup."""
    new = []
    for c in world.changes:
        if c["table"] == "removals" and c["before"] is not None and c["after"] is not None:
            if c["before"]["id"] != _move(world)["id"]:
                return False
            if any(
                c["before"][k] != c["after"][k]
                for k in c["before"]
                if k not in ("status", "cancelled_at", "cancellation_term_id")
            ):
                return False
        elif c["table"] in ("part_load_bookings", "part_load_pickups") and c["before"] is None:
            new.append(c["table"])
        else:
            return False
    return new.count("part_load_bookings") <= 1 and new.count("part_load_pickups") <= 1
