PLACES_PER_STAFF = 4
MINIMUM_AGE_YEARS = 2


def take_outing_place(env, *, woodland_outing_id: int, child_id: int) -> dict:
    """Take a place on an open woodland outing for one of the user's own children."""
    outing = env.one(
        "SELECT id, leaves_at, meeting_spot, staff_count, status FROM woodland_outings WHERE id = ?",
        [woodland_outing_id],
    )
    if outing is None:
        raise env.Error(f"there is no woodland outing {woodland_outing_id}")
    child = env.one(
        "SELECT id, name, birth_date FROM children WHERE id = ? AND guardian_id = ?",
        [child_id, env.user_id],
    )
    if child is None:
        raise env.Error(f"you have no child {child_id} at the nursery")
    if outing["status"] != "open":
        raise env.Error("places can be taken only on outings that are open")
    if outing["leaves_at"] <= env.now:
        raise env.Error("this outing has already left")
    birth_date = child["birth_date"]
    old_enough_from = f"{int(birth_date[:4]) + MINIMUM_AGE_YEARS:04d}{birth_date[4:]}"
    if outing["leaves_at"][:10] < old_enough_from:
        raise env.Error(
            f"{child['name']} is not yet 24 months old on the date of this outing"
        )
    present = env.one(
        """
        SELECT id FROM outing_places
        WHERE woodland_outing_id = ? AND child_id = ? AND status IN ('taken', 'attended')
        """,
        [woodland_outing_id, child_id],
    )
    if present is not None:
        raise env.Error(f"{child['name']} already has a place on this outing")
    taken = env.one(
        """
        SELECT COUNT(*) AS n FROM outing_places
        WHERE woodland_outing_id = ? AND status IN ('taken', 'attended')
        """,
        [woodland_outing_id],
    )["n"]
    limit = PLACES_PER_STAFF * outing["staff_count"]
    if taken + 1 > limit:
        raise env.Error(
            f"this outing is full: {outing['staff_count']} staff may take at most {limit} children"
        )
    place_id = env.insert(
        """
        INSERT INTO outing_places (woodland_outing_id, child_id, status, taken_at, given_up_at)
        VALUES (?, ?, 'taken', ?, NULL)
        """,
        [woodland_outing_id, child_id, env.now],
    )
    return {
        "outing_place": {
            "id": place_id,
            "woodland_outing_id": outing["id"],
            "child_id": child["id"],
            "child_name": child["name"],
            "leaves_at": outing["leaves_at"],
            "meeting_spot": outing["meeting_spot"],
            "status": "taken",
            "taken_at": env.now,
            "given_up_at": None,
        }
    }
