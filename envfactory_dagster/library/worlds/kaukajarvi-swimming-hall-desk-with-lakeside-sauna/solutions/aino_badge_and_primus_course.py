def solve(tools):
    profile = tools.get_my_profile()
    me = profile["customer"]["id"]
    aino = next(c for c in profile["children"] if c["name"].startswith("Aino"))["id"]
    slip = next(
        b
        for b in tools.list_swimmer_badges(customer_id=aino)["swimmer_badges"]
        if b["badge_name"] == "Kultakala" and b["source"] == "slip" and b["passed_on"] == "2026-05-28" and b["bought_at"] is None
    )
    paid = tools.buy_badge(swimmer_badge_id=slip["id"], method="bank_card")["payments"]
    badge_cents = sum(p["amount_cents"] for p in paid)
    today = paid[0]["paid_at"][:10]
    level = slip["badge_id"] + 1
    courses = [
        c
        for c in tools.search_courses(badge_id=level, first_day="2026-09-28", last_day="2026-10-04", status="planned")["swimming_courses"]
        if c["weekday"] in ("Tuesday", "Thursday")
        and "16:30" <= c["first_lesson_at"][11:16] <= "18:00"
        and c["places_left"] > 0
    ]
    course = max(courses, key=lambda c: c["places_left"])
    cards = [
        g
        for g in tools.list_gift_cards()["gift_cards"]
        if g["holder_id"] == me and g["status"] == "valid" and g["expires_on"] >= today and g["balance_cents"] > 0
    ]
    how = {"swimming_course_id": course["id"], "customer_id": aino, "method": "bank_card"}
    if cards:
        how["gift_card_id"] = min(cards, key=lambda g: (g["expires_on"], g["id"]))["id"]
    given = tools.enrol_in_course(**how)
    by_card = sum(p["amount_cents"] for p in given["payments"] if p["method"] == "bank_card")
    by_gift = sum(p["amount_cents"] for p in given["payments"] if p["method"] == "gift_card")
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"Aino has her Kultakala badge for {badge_cents / 100:.2f} euros and a place in {course['code']}, which begins on"
            f" {course['weekday']} {course['first_lesson_at'][:10]} at {course['first_lesson_at'][11:16]}. Of the price"
            f" {by_gift / 100:.2f} euros came from the gift card and {by_card / 100:.2f} from your bank card."
        ),
    }
