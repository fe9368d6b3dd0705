BOOKING = "BK-00211"
DAY_OF_THE_TOUR = "2027-02-06"
MAREK = 4


def _changed(world, table):
    return [change for change in world.changes if change["table"] == table]


def _booking_id(world):
    return world.initial.one("SELECT id FROM bookings WHERE code = ?", [BOOKING])["id"]


def _places(database):
    """The user's places on that Saturday's tour, with their status."""
    rows = database.query(
        """
        SELECT s.id, s.status FROM tour_signups s JOIN tour_dates d ON d.id = s.tour_date_id
        WHERE s.signed_up_by = 1 AND substr(d.starts_at, 1, 10) = ?
        """,
        [DAY_OF_THE_TOUR],
    )
    return {row["id"]: row["status"] for row in rows}


def _refunded(world):
    return sum(change["after"]["amount_cents"] for change in _changed(world, "refunds"))


def goal_the_stay_is_cancelled(world) -> bool:
    """Has cancelled the stay."""
    return world.final.one("SELECT status FROM bookings WHERE code = ?", [BOOKING])["status"] == "cancelled"


def goal_all_three_places_are_given_back(world) -> bool:
    """Has given back all three places on Saturday's tour."""
    return list(_places(world.final).values()) == ["cancelled"] * 3


def goal_marek_is_no_companion(world) -> bool:
    """Has taken Marek off the companions."""
    return world.final.one("SELECT id FROM companions WHERE member_id = 1 AND person_id = ?", [MAREK]) is None


def goal_says_what_comes_back(world) -> bool:
    """Says how much money comes back for all that was cancelled."""
    return _refunded(world) > 0 and world.report.says("money_back", _refunded(world))


def guard_cancels_only_this_weekend(world) -> bool:
    """Cancelled no other stay, meal, gear or tour."""
    booking_id, places = _booking_id(world), _places(world.initial)
    parts = _changed(world, "meal_orders") + _changed(world, "gear_rentals")
    charges = _changed(world, "charges")
    return (
        all(change["key"][0] == booking_id for change in _changed(world, "bookings"))
        and all(change["before"] is not None for change in parts + charges)
        and all(change["before"]["booking_id"] == booking_id for change in parts)
        and all(change["key"][0] in places for change in _changed(world, "tour_signups"))
        and all(
            change["before"]["booking_id"] == booking_id or change["before"]["tour_signup_id"] in places
            for change in charges
        )
    )


def guard_removes_only_marek(world) -> bool:
    """Removed no other companion, and nobody from the past."""
    companions = _changed(world, "companions")
    return all(change["after"] is None and change["before"]["person_id"] == MAREK for change in companions) and all(
        change["after"] is not None for change in world.changes if change["table"] != "companions"
    )


def guard_changes_nothing_else(world) -> bool:
    """Left all other kinds of things alone."""
    allowed = ["bookings", "meal_orders", "gear_rentals", "tour_signups", "charges", "refunds", "companions"]
    return all(change["table"] in allowed for change in world.changes)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
