def solve(tools):
    boat = next(b for b in tools.list_boats(name="Belle-de-Mai")["boats"] if b["name"] == "Belle-de-Mai")
    convoys = tools.search_convoys(first_day="2026-10-04", last_day="2026-10-05", letter="EL", direction="south", status="planned")["convoys"]
    convoy = next(c for day in ("2026-10-04", "2026-10-05") for c in convoys if c["day"] == day and c["boats_left"] > 0)
    held = [l for l in tools.list_licences(boat_id=boat["id"], valid_on=convoy["day"])["licences"] if l["class_code"] == boat["class_code"]]
    licence_price = None
    if not held:
        prices = tools.get_licence_tariff(class_code=boat["class_code"])["classes"][0]
        kinds = {"year": "year_price_cents", "30 days": "thirty_days_price_cents", "7 days": "seven_days_price_cents", "1 day": "one_day_price_cents"}
        on_sale = [k for k in kinds if prices[kinds[k]] is not None]
        cheapest = min(on_sale, key=lambda k: prices[kinds[k]])
        licence_price = tools.buy_licence(boat_id=boat["id"], duration=cheapest, valid_from=convoy["day"])["licence"]["price_cents"]
    passage = tools.book_passage(boat_id=boat["id"], convoy_id=convoy["id"])["passage"]
    message = "Belle-de-Mai is booked on %s south on %s for %.2f euro." % (passage["convoy"], passage["day"], passage["due_cents"] / 100)
    if licence_price is not None:
        message += " The licence for that day costs %.2f euro." % (licence_price / 100)
    return {
        "outcome": "done",
        "answers": {"passage_price": passage["due_cents"], "licence_price": licence_price},
        "reason": None,
        "message": message,
    }
