import datetime


def say(day):
    day = datetime.date.fromisoformat(day[:10])
    return f"{day.day} {day:%B %Y}"


def my_child(tools, name):
    return next(c for c in tools.list_my_children()["children"] if c["name"] == name)


def solve(tools):
    outings = tools.search_woodland_outings(
        status="open", first_day="2026-05-18", last_day="2026-05-29"
    )["woodland_outings"]
    details = [tools.get_woodland_outing(woodland_outing_id=o["id"]) for o in outings]

    def left(outing):
        return 4 * outing["staff_count"] - outing["taken_places"]

    best = max(details, key=left)
    mira = my_child(tools, "Mira")
    has_place = any(p["child_id"] == mira["id"] and p["status"] == "taken" for p in best["my_outing_places"])
    return {
        "outcome": "done",
        "answers": {
            "outing_date": best["leaves_at"][:10],
            "places_left": left(best),
            "meeting_spot": best["meeting_spot"],
            "mira_has_place": has_place,
        },
        "reason": None,
        "message": (
            f"The outing on {say(best['leaves_at'])} has the most places left, {left(best)}, "
            f"and meets at {best['meeting_spot']}. "
            f"Mira {'already has a' if has_place else 'does not have a'} place on it."
        ),
    }
