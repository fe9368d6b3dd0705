def _new(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def _valerie(world):
    """The person id of the sister, once the user may book for her."""
    row = world.final.one(
        """
        SELECT p.id FROM companions c JOIN people p ON p.id = c.person_id
        WHERE c.member_id = 1 AND c.relation = 'sibling' AND p.full_name = 'Valerie Brandstätter'
          AND p.birth_date = '1996-03-14'
        """
    )
    return None if row is None else row["id"]


def goal_valerie_is_a_companion(world) -> bool:
    """Has Valerie, the sister born on 14 March 1996, among the companions."""
    return _valerie(world) is not None


def goal_valerie_is_a_member_with_rescue_cover(world) -> bool:
    """Has a membership for Valerie that starts today, for her age of 30, with mountain rescue."""
    row = world.final.one(
        """
        SELECT count(*) AS n FROM memberships m JOIN membership_plans p ON p.id = m.plan_id
        WHERE m.person_id = ? AND m.valid_from = '2027-01-20' AND p.rescue_cover = 1
          AND p.min_age <= 30 AND coalesce(p.max_age, 30) >= 30
        """,
        [_valerie(world)],
    )
    return row["n"] == 1


def goal_a_night_for_two_is_booked(world) -> bool:
    """Has a confirmed night of 20 February for both, in a fitting hut, for at most 60 euros."""
    bookings = world.final.query(
        """
        SELECT b.id FROM bookings b JOIN rooms m ON m.id = b.room_id JOIN huts h ON h.id = m.hut_id
        JOIN regions r ON r.id = h.region_id JOIN hut_amenities a ON a.hut_id = h.id
        WHERE b.booked_by = 1 AND b.status = 'confirmed' AND b.check_in = '2027-02-20' AND b.check_out = '2027-02-21'
          AND r.name = 'Weißkogel' AND a.amenity = 'drying_room'
        """
    )
    if len(bookings) != 1:
        return False
    guests = world.final.query(
        "SELECT person_id, price_per_night_cents FROM booking_guests WHERE booking_id = ?", [bookings[0]["id"]]
    )
    price = sum(guest["price_per_night_cents"] for guest in guests)
    return {guest["person_id"] for guest in guests} == {1, _valerie(world)} and price <= 6000


def guard_adds_only_what_was_asked_for(world) -> bool:
    """Changed no row there was, and added one person, one membership and one booking at most."""
    at_most = {"people": 1, "companions": 1, "memberships": 1, "bookings": 1, "booking_guests": 2, "charges": 2}
    return all(change["before"] is None for change in world.changes) and all(
        len(_new(world, change["table"])) <= at_most.get(change["table"], 0) for change in world.changes
    )


def guard_leaves_the_bills_open(world) -> bool:
    """Put only the membership and the lodging on the bill, and paid neither."""
    charges = _new(world, "charges")
    return {charge["kind"] for charge in charges} <= {"membership", "lodging"} and all(
        charge["status"] == "open" for charge in charges
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
