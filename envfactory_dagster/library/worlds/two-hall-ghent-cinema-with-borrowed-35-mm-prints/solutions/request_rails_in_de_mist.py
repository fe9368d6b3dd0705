def solve(tools):
    club = next(c for c in tools.get_my_account()["clubs"] if c["name"] == "De Lichtbak")
    title = next(t for t in tools.search_titles(name_contains="Rails in de mist")["titles"] if t["name"] == "Rails in de mist")
    quota = tools.get_club_quota(club_id=club["id"], month="2026-01")
    carrier = "35mm" if quota["season_35mm_left"] > 0 else "DCP"
    request = tools.submit_programming_request(
        club_id=club["id"],
        title_id=title["id"],
        carrier=carrier,
        first_wish_at="2026-01-15T20:00:00",
        second_wish_at="2026-01-21T20:00:00",
        third_wish_at="2026-01-29T20:00:00",
        expected_public=70,
    )
    how = "on 35 mm" if carrier == "35mm" else "on DCP"
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The request for Rails in de mist {how} on 15, 21 or 29 January at 20:00 is in; its status is {request['status']}.",
    }
