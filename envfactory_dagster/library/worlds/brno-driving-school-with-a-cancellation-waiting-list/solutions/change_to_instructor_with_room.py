def solve(tools):
    instructors = {i["name"]: i for i in tools.list_instructors()["instructors"]}
    new = instructors["Ondřej Vrba"]
    if new["current_pupils"] >= new["max_pupils"]:
        new = instructors["Milan Řehák"]
    change = tools.change_instructor(instructor_id=new["id"])
    booked = tools.list_driving_lessons(status="booked")["driving_lessons"]
    days = [l["starts_at"][:10] for l in booked if l["instructor_id"] == instructors["Jitka Malá"]["id"]]
    return {
        "outcome": "done",
        "answers": {"lessons_with_jitka": days},
        "reason": None,
        "message": f"Your instructor is now {new['name']}, for {change['fee_cents'] // 100} CZK."
        f" Your lessons on {', '.join(days)} will still be with Jitka Malá.",
    }
