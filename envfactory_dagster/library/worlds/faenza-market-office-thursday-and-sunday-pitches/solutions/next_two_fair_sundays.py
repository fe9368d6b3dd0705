def solve(tools):
    names = {
        "fruit_vegetables": "fruit and vegetables", "own_produce": "own produce", "cured_meat": "cured meat", "other_food": "other food",
        "roast_and_frying": "roast and frying", "plants_flowers": "plants and flowers",
    }
    me = tools.get_my_details()["trader"]
    home = tools.search_concessions(trader_id=me["id"], pitch_code="P12", weekday="sunday")["concessions"][0]
    rate = next(c["holder_cents_per_m"] for c in tools.get_price_list()["price_categories"] if c["id"] == home["price_category_id"])
    tools.search_committee_decisions(text="second Sundays")
    answers = {"cost_ordinary_sunday": int(rate * home["front_m"] + 0.5)}
    parts = []
    for key, day in (("april", "2026-04-12"), ("may", "2026-05-10")):
        turns = tools.list_replacement_turns(first_day=day, last_day=day)["replacement_turns"]
        mine = next(t for t in turns if t["concession_id"] == home["id"])
        pitch = tools.get_pitch(pitch_id=mine["pitch_id"])["pitch"]
        goods = []
        for other in tools.search_pitches(row_name=pitch["row_name"])["pitches"]:
            if abs(other["number"] - pitch["number"]) != 1:
                continue
            if any(t["pitch_id"] == other["id"] for t in turns):
                goods.append("cheese")
                continue
            for concession in tools.get_pitch(pitch_id=other["id"])["concessions"]:
                if concession["weekday"] == "sunday":
                    goods.append(names.get(concession["goods"], concession["goods"]))
        metres = min(home["front_m"], pitch["front_m"])
        cost = rate * metres
        if pitch["code"] == "T7":
            cost = cost / 2
        answers["pitch_" + key] = pitch["code"]
        answers["goods_beside_" + key] = goods
        answers["metres_" + key] = metres
        answers["cost_" + key] = max(600, int(cost + 0.5))
        parts.append(f"on {day} {pitch['code']} beside {', '.join(goods)}, {metres:g} m for {answers['cost_' + key] / 100:.2f} euro")
    return {
        "outcome": "done",
        "answers": answers,
        "reason": None,
        "message": "You stand " + "; ".join(parts) + f"; an ordinary Sunday on P12 costs {answers['cost_ordinary_sunday'] / 100:.2f} euro.",
    }
