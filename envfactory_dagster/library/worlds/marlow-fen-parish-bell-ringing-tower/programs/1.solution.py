def solve(tools):
    found = {}
    for kind in ("sunday", "wedding"):
        found[kind] = tools.search_ringing_sessions(
            kind=kind, status="open", first_day="2026-06-08", last_day="2026-06-30"
        )["ringing_sessions"]
    sunday_minutes = sum(s["length_minutes"] for s in found["sunday"])
    wedding_minutes = sum(s["length_minutes"] for s in found["wedding"])
    longest_wedding_day = None
    first_sunday_day = None
    if wedding_minutes > sunday_minutes:
        more = "weddings"
        longest = max(found["wedding"], key=lambda s: s["length_minutes"])
        longest_wedding_day = longest["starts_at"][:10]
        rest = f"The longest of the weddings is on {longest_wedding_day}."
    else:
        more = "Sunday ringing"
        first = min(found["sunday"], key=lambda s: s["starts_at"])
        first_sunday_day = first["starts_at"][:10]
        rest = f"The first of the Sunday sessions is on {first_sunday_day}."
    return {
        "outcome": "done",
        "answers": {
            "sunday_minutes": sunday_minutes,
            "wedding_minutes": wedding_minutes,
            "more_minutes": more,
            "longest_wedding_day": longest_wedding_day,
            "first_sunday_day": first_sunday_day,
        },
        "reason": None,
        "message": (
            f"From 8 to 30 June there are {sunday_minutes} minutes of Sunday ringing and {wedding_minutes} minutes of"
            f" weddings open for places, so {more} come to more. {rest}"
        ),
    }
