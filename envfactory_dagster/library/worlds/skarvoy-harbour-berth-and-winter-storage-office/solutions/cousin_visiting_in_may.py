def kroner(cents):
    return f"{cents / 100:,.2f} kroner"


def solve(tools):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == "Lomvi")
    free = tools.search_berths(
        kind="guest",
        min_length_cm=boat["length_cm"] + 50,
        min_width_cm=boat["beam_cm"] + 40,
        min_depth_cm=boat["draught_cm"] + 30,
        free_first_day="2026-05-14",
        free_last_day="2026-05-17",
    )["berths"]
    cheapest = min(free, key=lambda b: (b["night_price_cents"], b["code"]))
    stay = tools.book_guest_stay(
        boat_id=boat["id"], berth_id=cheapest["id"], first_day="2026-05-14", last_day="2026-05-17"
    )["guest_stay"]
    return {
        "outcome": "done",
        "answers": {"guest_berth": stay["berth_code"], "stay_total": stay["total_cents"]},
        "reason": None,
        "message": f"Guest berth {stay['berth_code']} is booked for the Lomvi from 14 to 17 May 2026; the {stay['nights']} nights "
                   f"come to {kroner(stay['total_cents'])}.",
    }
