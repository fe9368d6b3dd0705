def _request_exam_place_missing(env, exam_day):
    """What the user still lacks for the driving exam on a day."""
    missing = []
    pupil = env.one("SELECT first_aid_excused FROM pupils WHERE id = ?", [env.user_id])
    if env.one(
        "SELECT e.id FROM exam_places e JOIN exam_blocks b ON b.id = e.exam_block_id WHERE e.pupil_id = ?"
        " AND b.kind = 'theory' AND e.status = 'passed' ORDER BY e.id LIMIT 1", [env.user_id]) is None:
        missing.append("theory passed")
    hours = env.one(
        "SELECT COALESCE(SUM(confirmed_at IS NOT NULL), 0) * 2 AS confirmed,"
        " COALESCE(SUM(confirmed_at IS NOT NULL AND kind = 'dark'), 0) * 2 AS dark,"
        " COALESCE(SUM(confirmed_at IS NOT NULL AND kind = 'motorway'), 0) * 2 AS motorway,"
        " COALESCE(SUM(status = 'booked' AND starts_at > :now AND substr(starts_at, 1, 10) < :exam), 0) * 2 AS ahead"
        " FROM driving_lessons WHERE pupil_id = :pupil",
        {"pupil": env.user_id, "now": env.now, "exam": exam_day})
    package = env.one(
        "SELECT MAX(instructor_yes_at) AS yes_at, MAX(early_exam_agreed_at) AS agreed_at FROM course_packages"
        " WHERE pupil_id = ? AND status = 'active'", [env.user_id])
    early = package["agreed_at"] is not None and hours["confirmed"] >= 26 and hours["confirmed"] + hours["ahead"] >= 28
    if hours["confirmed"] < 28 and not early:
        missing.append("28 confirmed hours (26 if the head instructor agreed and the last 2 are booked before the exam day)")
    if hours["dark"] < 4:
        missing.append("4 hours in the dark")
    if hours["motorway"] < 2:
        missing.append("2 hours on the motorway")
    attended = env.one("SELECT id FROM first_aid_bookings WHERE pupil_id = ? AND status = 'attended' ORDER BY id LIMIT 1", [env.user_id])
    if attended is None and not pupil["first_aid_excused"]:
        missing.append("first aid")
    if package["yes_at"] is None:
        missing.append("the instructor's yes")
    owed = env.one(
        "SELECT COALESCE(SUM(c.amount_cents - c.credited_cents - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p"
        " WHERE p.charge_id = c.id)), 0) AS cents FROM charges c WHERE c.pupil_id = ?", [env.user_id])["cents"]
    if owed > 0:
        missing.append(f"nothing owed (you owe {owed // 100} CZK)")
    return missing


def _list_my_exam_places_one(env, exam_place_id):
    """One exam place of the user's as the commands show it."""
    return env.one(
        "SELECT id, exam_block_id, status, pencilled_at, confirmed_at, withdrawn_at FROM exam_places WHERE id = ? AND pupil_id = ?",
        [exam_place_id, env.user_id])


def confirm_exam_place(env, *, exam_place_id: int) -> dict:
    """Confirms a pencilled exam place."""
    place = env.one(
        "SELECT e.status, b.kind, b.calendar_day, b.closes_at FROM exam_places e JOIN exam_blocks b ON b.id = e.exam_block_id"
        " WHERE e.id = ? AND e.pupil_id = ?", [exam_place_id, env.user_id])
    if place is None:
        raise env.Error(f"you have no exam place {exam_place_id}")
    if place["status"] != "pencilled":
        raise env.Error(f"only a pencilled place can be confirmed, this one is {place['status']}")
    if env.now > place["closes_at"][:10] + "T09:00:00":
        raise env.Error(f"the place had to be confirmed by 9:00 on {place['closes_at'][:10]}")
    if place["kind"] == "driving":
        missing = _request_exam_place_missing(env, place["calendar_day"])
        if missing:
            raise env.Error("you are not ready for the driving exam yet; you still need: " + ", ".join(missing))
    env.execute("UPDATE exam_places SET status = 'confirmed', confirmed_at = ? WHERE id = ?", [env.now, exam_place_id])
    return {"exam_place": _list_my_exam_places_one(env, exam_place_id)}
