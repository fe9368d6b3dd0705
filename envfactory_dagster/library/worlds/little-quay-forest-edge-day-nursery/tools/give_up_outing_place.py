from datetime import date, timedelta


def give_up_outing_place(env, *, outing_place_id: int) -> dict:
    """Give up a taken outing place of one of the user's own children."""
    place = env.one(
        """
        SELECT p.id, p.woodland_outing_id, p.child_id, c.name AS child_name, o.leaves_at,
               o.meeting_spot, p.status, p.taken_at
        FROM outing_places p
        JOIN children c ON c.id = p.child_id
        JOIN woodland_outings o ON o.id = p.woodland_outing_id
        WHERE p.id = ? AND c.guardian_id = ?
        """,
        [outing_place_id, env.user_id],
    )
    if place is None:
        raise env.Error(f"you have no outing place {outing_place_id}")
    if place["status"] == "given_up":
        raise env.Error("this place has already been given up")
    if place["status"] != "taken":
        raise env.Error("the outing of this place has already been carried out")
    day_before = date.fromisoformat(place["leaves_at"][:10]) - timedelta(days=1)
    deadline = day_before.isoformat() + "T18:00:00"
    if env.now > deadline:
        raise env.Error(
            "a place can be given up only until 18:00 on the day before the outing, "
            f"which was {day_before.isoformat()}"
        )
    env.execute(
        "UPDATE outing_places SET status = 'given_up', given_up_at = ? WHERE id = ?",
        [env.now, outing_place_id],
    )
    return {
        "outing_place": {
            "id": place["id"],
            "woodland_outing_id": place["woodland_outing_id"],
            "child_id": place["child_id"],
            "child_name": place["child_name"],
            "leaves_at": place["leaves_at"],
            "meeting_spot": place["meeting_spot"],
            "status": "given_up",
            "taken_at": place["taken_at"],
            "given_up_at": env.now,
        }
    }
