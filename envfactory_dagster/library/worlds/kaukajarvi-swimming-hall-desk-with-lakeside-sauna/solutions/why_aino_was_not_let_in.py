import datetime


def solve(tools):
    profile = tools.get_my_profile()
    aino = next(c for c in profile["children"] if c["name"].startswith("Aino"))["id"]
    card = tools.list_season_cards(customer_id=aino, valid_on="2026-09-12")["season_cards"][0]
    what = {"kept_at_desk": "kept at the desk", "closed": "closed"}.get(card["status"], "neither")
    day, why, again = None, None, None
    if what != "neither":
        day = card["misused_at"][:10]
        why = card["misuse_reason"]
    if what == "closed":
        again = (datetime.date.fromisoformat(card["closed_until"]) + datetime.timedelta(days=1)).isoformat()
    entries = tools.list_entries(season_card_id=card["id"], first_day="2026-08-03")["entries"]
    entries = sorted(entries, key=lambda e: e["entered_at"])
    tickets = [
        t
        for t in tools.list_ten_visit_cards()["ten_visit_cards"]
        if t["discount"] == 1 and t["expires_on"] > "2026-09-12"
    ]
    ticket = max(tickets, key=lambda t: (t["visits_left"] > 0, t["sold_at"]))
    came = ", ".join(
        f"{e['entered_at'][:10]} at {e['entered_at'][11:16]} ({'Aino' if e['used_by_holder'] else e['customer_name'] or 'somebody else'})"
        for e in entries
    )
    return {
        "outcome": "done",
        "answers": {
            "what_was_done": what,
            "done_on": day,
            "why": why,
            "usable_from": again,
            "entry_days": [e["entered_at"][:10] for e in entries],
            "entry_times": [e["entered_at"][11:16] for e in entries],
            "visits_left": ticket["visits_left"],
            "ten_visit_card_expires": ticket["expires_on"],
        },
        "reason": None,
        "message": (
            f"Aino's card: {what}, on {day}, with the note '{why}', usable again from {again}; the entries with it since"
            f" 3 August 2026 are {came}. The discount 10-visit card has {ticket['visits_left']} visits left and expires on {ticket['expires_on']}."
        ),
    }
