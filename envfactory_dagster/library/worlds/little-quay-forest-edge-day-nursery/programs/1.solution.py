def solve(tools):
    found = {}
    for spot in ("Old Oak", "Charcoal Circle"):
        outings = tools.search_woodland_outings(
            status="open", first_day="2026-05-18", last_day="2026-06-02", meeting_spot=spot
        )["woodland_outings"]
        found[spot] = sorted(o["leaves_at"] for o in outings)
    oak = found["Old Oak"]
    circle = found["Charcoal Circle"]
    first_oak = None
    last_circle = None
    if len(oak) > len(circle):
        more = "Old Oak"
        first_oak = oak[0][:10]
        tail = f"the first of its outings is on {first_oak}"
    else:
        more = "Charcoal Circle"
        last_circle = circle[-1][:10]
        tail = f"the last of its outings is on {last_circle}"
    return {
        "outcome": "done",
        "answers": {
            "old_oak_outings": len(oak),
            "charcoal_circle_outings": len(circle),
            "spot_with_more": more,
            "first_old_oak_day": first_oak,
            "last_charcoal_circle_day": last_circle,
        },
        "reason": None,
        "message": f"{len(oak)} open outings meet at the Old Oak and {len(circle)} at the Charcoal Circle. The {more} has more, and {tail}.",
    }
