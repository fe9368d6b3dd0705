import re


def _owed(world):
    return world.initial.one(
        "SELECT coalesce(sum(l.amount_cents), 0) AS n FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
        " WHERE i.customer_id = 1 AND i.status = 'open'"
    )["n"]


def _held(world):
    return world.initial.one(
        "SELECT coalesce(sum(deposit_cents), 0) AS n FROM removals"
        " WHERE customer_id = 1 AND status = 'confirmed' AND deposit_paid_on IS NOT NULL"
    )["n"]


def _booking(world):
    return world.initial.one(
        "SELECT b.id FROM part_load_bookings b JOIN part_load_trips t ON t.id = b.part_load_trip_id"
        " WHERE b.customer_id = 1 AND b.status = 'booked' AND t.destination = 'Salzburg' AND t.trip_day = '2025-04-29'"
    )["id"]


def _price(world):
    trip = world.initial.one(
        "SELECT t.* FROM part_load_trips t JOIN part_load_bookings b ON b.part_load_trip_id = t.id WHERE b.id = ?",
        [_booking(world)],
    )
    pickups = world.initial.query(
        "SELECT floor, has_usable_lift, volume_m3 FROM part_load_pickups WHERE part_load_booking_id = ?", [_booking(world)]
    )
    volume = sum(p["volume_m3"] for p in pickups) + 2
    floors = sum(p["floor"] for p in pickups if p["has_usable_lift"] == 0) + 1
    price = volume * trip["price_per_m3_cents"]
    if volume <= trip["discount_up_to_m3"]:
        price = price * (100 - trip["discount_percent"]) / 100
    return round(price) + floors * trip["floor_fee_cents"]


def _plain(text):
    return re.sub(r"[^a-z0-9äöüß]", "", text.casefold())


def goal_says_what_is_owed(world) -> bool:
    """Says what is open on all invoices of the person together."""
    return world.report.says("open_invoices", _owed(world))


def goal_says_what_is_held(world) -> bool:
    """Says what has been paid in deposits on the confirmed moves."""
    return world.report.says("deposits_held", _held(world))


def goal_says_new_price(world) -> bool:
    """Says what the Salzburg place costs with the 2 m³ more."""
    return world.report.says("salzburg_price", None if _owed(world) > _held(world) else _price(world))


def goal_adds_the_pickup(world) -> bool:
    """Put the 2 m³ from Lendplatz 12 on the Salzburg place, since the deposits come to more."""
    new = [c["after"] for c in world.changes if c["table"] == "part_load_pickups" and c["before"] is None]
    return len(new) == 1 and (
        new[0]["part_load_booking_id"] == _booking(world)
        and _plain(new[0]["street"]) == _plain("Lendplatz 12")
        and _plain(new[0]["town"]) == _plain("Graz")
        and new[0]["floor"] == 1
        and new[0]["has_usable_lift"] == 0
        and new[0]["volume_m3"] == 2
    )


def goal_prices_the_booking(world) -> bool:
    """The booking has the price that follows from its whole volume and stays booked."""
    row = world.final.one("SELECT price_cents, status FROM part_load_bookings WHERE id = ?", [_booking(world)])
    return row["price_cents"] == _price(world) and row["status"] == "booked"


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_the_salzburg_place_only(world) -> bool:
    """Changed nothing but the price of the Salzburg booking and one new pickup on it."""
    pickups = 0
    for c in world.changes:
        if c["table"] == "part_load_pickups" and c["before"] is None:
            pickups += 1
            if c["after"]["part_load_booking_id"] != _booking(world):
                return False
        elif c["table"] == "part_load_bookings" and c["before"] is not None and c["after"] is not None:
            if c["before"]["id"] != _booking(world):
                return False
            if any(c["before"][k] != c["after"][k] for k in c["before"] if k != "price_cents"):
                return False
        else:
            return False
    return pickups <= 1
