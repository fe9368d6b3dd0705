def goal_temporary_address_is_filed(world) -> bool:
    """The flat is down as temporary address for exactly those dates."""
    query = (
        "SELECT count(*) AS n FROM addresses WHERE member_id = 1 AND kind = 'temporary' AND same_text(street, 'Haifadreef')"
        " AND house_number = '112' AND postcode = '3561 KS' AND (same_text(city, 'Utrecht') OR same_text(city, 'Overvecht'))"
        " AND starts_on = '2026-09-14' AND ends_on = '2027-02-28'"
    )
    return world.final.one(query)["n"] == 1 and world.initial.one(query)["n"] == 0


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_home_stays_as_it_is(world) -> bool:
    """The home is the same one and has no last day."""
    query = "SELECT * FROM addresses WHERE member_id = 1 AND kind = 'home' ORDER BY id"
    return world.final.query(query) == world.initial.query(query)


def guard_adds_one_temporary_address_only(world) -> bool:
    """Changed nothing but one new temporary address of the member."""
    return len(world.changes) <= 1 and all(
        c["table"] == "addresses"
        and c["before"] is None
        and c["after"]["member_id"] == 1
        and c["after"]["kind"] == "temporary"
        for c in world.changes
    )
