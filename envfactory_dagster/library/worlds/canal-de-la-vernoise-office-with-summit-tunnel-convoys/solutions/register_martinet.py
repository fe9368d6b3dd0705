def solve(tools):
    boat = tools.register_boat(name="Martinet", propulsion="electric", length_m=7.8, width_m=2.3, draught_m=0.6,
                               air_draught_m=1.9, electric_register_day="2023-05-12")["boat"]
    licence = tools.buy_licence(boat_id=boat["id"], duration="7 days", valid_from="2026-10-10")["licence"]
    convoys = tools.search_convoys(first_day="2026-10-10", last_day="2026-10-10", letter="EL", direction="north", status="planned")["convoys"]
    convoy = next(c for c in convoys if c["boats_left"] > 0)
    passage = tools.book_passage(boat_id=boat["id"], convoy_id=convoy["id"])["passage"]
    kind = next(k for k in tools.get_conditions()["convoy_kinds"] if k["letter"] == "EL")
    total = licence["price_cents"] + passage["due_cents"]
    return {
        "outcome": "done",
        "answers": {"total": total, "deposit": kind["deposit_cents"]},
        "reason": None,
        "message": "Martinet is entered, licensed from 10 October and booked on %s that day; it comes to %.2f euro, and the deposit of %.2f euro is left at the post when you arrive."
                   % (passage["convoy"], total / 100, kind["deposit_cents"] / 100),
    }
