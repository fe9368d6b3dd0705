def solve(tools):
    card = tools.renew_card(proof_from="University of Coimbra", proof_dated="2026-09-14")["card"]
    record = next(i for i in tools.list_items(title_contains="Quarteto Almedina: guitarra")["items"])
    free = [
        p for p in tools.find_free_places(on_day="2026-10-06", kind="booth")["free_places"]
        if p["equipment"] == "hearing loop" and p["starts"] >= "12:00"
    ]
    place = min(free, key=lambda p: p["starts"])
    booking = tools.book_booth(place_id=place["place_id"], on_day="2026-10-06", slot_id=place["slot_id"], item_id=record["id"])["booking"]
    return {
        "outcome": "done",
        "answers": {"card_good_until": card["valid_until"]},
        "reason": None,
        "message": f"Your card is good until {card['valid_until']}, and you have booth {booking['place']} on 6 October in {booking['slot']} at {booking['starts']} for Quarteto Almedina: guitarra.",
    }
