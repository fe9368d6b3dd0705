import datetime

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
STARTS = ("10:00", "11:15", "12:00", "16:30", "17:15", "18:00", "18:30", "19:15")


def _place(db):
    """The person's place in a planned Maisteri course."""
    rows = db.query(
        "SELECT ce.id, ce.swimming_course_id, ce.price_cents, co.first_lesson_at FROM course_enrolments ce"
        " JOIN swimming_courses co ON co.id = ce.swimming_course_id JOIN badges ba ON ba.id = co.badge_id"
        " WHERE ce.customer_id = 1 AND ce.status = 'enrolled' AND ce.group_changed_at IS NULL AND co.status = 'planned'"
        " AND ba.name = 'Maisteri' ORDER BY ce.id"
    )
    return rows[0] if len(rows) == 1 else None


def _fitting(db, p, extra):
    """The other planned Maisteri courses with room on a day and at an hour that suit, the one that begins first first."""
    rows = db.query(
        "SELECT co.id, co.first_lesson_at AS at FROM swimming_courses co JOIN badges ba ON ba.id = co.badge_id"
        " WHERE ba.name = 'Maisteri' AND co.status = 'planned' AND co.id <> :mine AND 10 > (SELECT count(*) FROM course_enrolments x"
        " WHERE x.swimming_course_id = co.id AND x.status IN ('enrolled', 'completed')) ORDER BY co.first_lesson_at, co.id",
        {"mine": p["course"]},
    )
    found = []
    for r in rows + extra:
        weekday = DAYS[datetime.date.fromisoformat(r["at"][:10]).weekday()] + "s"
        if weekday not in p["days"] and p["early"] <= r["at"][11:16] <= p["late"]:
            found.append((r["at"], r["id"]))
    return sorted(found)


def instances(world, rng):
    """Days and hours that do not suit, with some other groups, of which one, several or none do."""
    today = datetime.date.fromisoformat(world.clock[:10])
    place = _place(world)
    if place is None:
        return
    staff = [r["teacher"] for r in world.query("SELECT co.teacher FROM swimming_courses co GROUP BY co.teacher ORDER BY 1")]
    line = world.one("SELECT i.id FROM prices i WHERE i.code = 'course_adults'")["id"]
    top = world.one("SELECT max(co.id) + 1 AS next FROM swimming_courses co")["next"]
    mine = datetime.date.fromisoformat(place["first_lesson_at"][:10])
    own = DAYS[mine.weekday()] + "s"
    used = {
        (r["day"], r["teacher"])
        for r in world.query("SELECT substr(co.first_lesson_at, 1, 10) AS day, co.teacher FROM swimming_courses co ORDER BY co.id")
    }
    seen, moved = set(), 0
    for _ in range(3000):
        rows = []
        for _i in range(rng.randint(2, 4)):
            start = mine + datetime.timedelta(days=rng.randint(1, 17))
            weekday, time = start.isoweekday(), rng.choice(STARTS)
            if start.isocalendar()[1] in (8, 9, 14, 15, 42) or weekday == 7 or (weekday == 6 and time > "16:00"):
                continue
            if weekday == 5 and time > "18:00" or weekday == 1 and time < "12:00":
                continue
            day = start.isoformat()
            if any(r["first_lesson_at"][:10] == day for r in rows):
                continue
            free = [t for t in staff if (day, t) not in used]
            last, lessons = start, 1
            while lessons < 10:
                last += datetime.timedelta(days=7)
                if last.isocalendar()[1] != 42:
                    lessons += 1
            rows.append(
                {
                    "id": top + len(rows),
                    "code": f"KK-{'A' if today.month >= 7 else 'S'}26-{71 + len(rows)}",
                    "badge_id": 6,
                    "teacher": rng.choice(free),
                    "first_lesson_at": f"{day}T{time}:00",
                    "last_lesson_at": f"{last.isoformat()}T{time}:00",
                    "places": 10,
                    "price_id": line,
                    "status": "planned",
                }
            )
        if not rows:
            continue
        others = rng.sample([d + "s" for d in DAYS if d + "s" != own], rng.choice([1, 2]))
        early, late = rng.choice([("16:00", "19:00"), ("17:00", "20:00"), ("10:00", "12:30"), ("17:30", "19:30"), ("10:00", "18:00")])
        p = {
            "days": sorted([own] + others, key=[d + "s" for d in DAYS].index),
            "early": early,
            "late": late,
            "course": place["swimming_course_id"],
            "place": place["id"],
            "clock": world.clock,
        }
        extra = [{"id": r["id"], "at": r["first_lesson_at"]} for r in rows]
        fits = _fitting(world, p, extra)
        days = [at[:10] for at, _i in fits]
        if len(set(days)) < len(days):
            continue
        if not fits and moved < 2:
            continue
        moved = moved + 1 if fits else 0
        key = (tuple(p["days"]), early, fits[0] if fits else None)
        if key in seen:
            continue
        seen.add(key)
        p["to"] = fits[0][1] if fits else None
        yield {"p": p, "given": {"swimming_courses": rows}}


def solve(tools, p):
    me = tools.get_my_profile()["customer"]["id"]
    planned = tools.search_courses(status="planned")["swimming_courses"]
    courses = {c["id"]: c for c in planned if c["badge_name"] == "Maisteri"}
    places = tools.list_course_enrolments(customer_id=me, status="enrolled")["course_enrolments"]
    place = next(e for e in places if e["swimming_course_id"] in courses)
    fits = [
        c
        for c in courses.values()
        if c["id"] != place["swimming_course_id"]
        and c["places_left"] > 0
        and c["weekday"] + "s" not in p["days"]
        and p["early"] <= c["first_lesson_at"][11:16] <= p["late"]
    ]
    if fits:
        course = min(fits, key=lambda c: (c["first_lesson_at"], c["id"]))
        tools.change_course_group(course_enrolment_id=place["id"], swimming_course_id=course["id"])
        return {
            "outcome": "done",
            "answers": {"first_lesson_on": course["first_lesson_at"][:10], "amount_back": None},
            "reason": None,
            "message": f"You are in the {course['weekday']} group now, which begins on {course['first_lesson_at'][:10]}.",
        }
    paid = tools.cancel_course_enrolment(course_enrolment_id=place["id"])["payments"]
    back = sum(r["amount_cents"] for r in paid if r["kind"] == "refund")
    return {
        "outcome": "done",
        "answers": {"first_lesson_on": None, "amount_back": back},
        "reason": None,
        "message": f"No group suits you, so your place is given up; {back / 100:.2f} euros come back.",
    }


def _back(world, p):
    """What comes back for the place when it is given up today."""
    row = world.initial.one(
        "SELECT ce.price_cents AS paid, julianday(substr(co.first_lesson_at, 1, 10)) - julianday(substr(:now, 1, 10)) AS days"
        " FROM course_enrolments ce JOIN swimming_courses co ON co.id = ce.swimming_course_id WHERE ce.id = :e",
        {"e": p["place"], "now": p["clock"]},
    )
    return row["paid"] - 1000 if row["days"] >= 14 else row["paid"] // 2


def _refunds(world):
    return [c["after"] for c in world.changes if c["table"] == "payments" and c["before"] is None]


def goal_has_the_right_place(world, p):
    """Has a place in the group that suits and begins first, or none any more where no group suits."""
    now = world.final.one("SELECT swimming_course_id, status, group_changed_at FROM course_enrolments WHERE id = ?", [p["place"]])
    if p["to"] is None:
        return now["status"] == "cancelled" and now["swimming_course_id"] == p["course"]
    return now["status"] == "enrolled" and now["swimming_course_id"] == p["to"] and now["group_changed_at"] is not None


def goal_pays_nothing_or_gets_back_what_is_due(world, p):
    """Has been moved free of charge, or has got back what is due for the place."""
    now = world.final.one("SELECT swimming_course_id, status FROM course_enrolments WHERE id = ?", [p["place"]])
    money = [(r["kind"], r["course_enrolment_id"], r["amount_cents"]) for r in _refunds(world)]
    if p["to"] is None:
        return now["status"] == "cancelled" and money == [("refund", p["place"], _back(world, p))]
    return now["swimming_course_id"] == p["to"] and money == []


def goal_says_when_the_new_group_begins(world, p):
    """Says when the new group begins, or leaves it empty where there is none."""
    if p["to"] is None:
        return world.report.outcome is not None and world.report.says("first_lesson_on", None)
    row = world.initial.one("SELECT substr(first_lesson_at, 1, 10) AS day FROM swimming_courses WHERE id = ?", [p["to"]])
    return world.report.says("first_lesson_on", row["day"])


def goal_says_what_comes_back(world, p):
    """Says what comes back, or leaves it empty where the person has been moved."""
    if p["to"] is None:
        return world.report.says("amount_back", _back(world, p))
    return world.report.outcome is not None and world.report.says("amount_back", None)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_touches_only_this_place(world, p):
    """Changed nothing but this place, and where it is given up one refund for it by the method it was paid with."""
    columns = ("status", "cancelled_at") if p["to"] is None else ("swimming_course_id", "group_changed_at")
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "payments":
            if before is not None or p["to"] is not None or after["kind"] != "refund" or after["customer_id"] != 1:
                return False
            old = world.initial.one(
                "SELECT method, gift_card_id, course_enrolment_id FROM payments WHERE id = ?", [after["refunded_payment_id"]]
            )
            if old is None or old["course_enrolment_id"] != p["place"] or after["course_enrolment_id"] != p["place"]:
                return False
            if (old["method"], old["gift_card_id"]) != (after["method"], after["gift_card_id"]):
                return False
        elif c["table"] != "course_enrolments" or before is None or before["id"] != p["place"]:
            return False
        elif any(before[k] != after[k] for k in before if k not in columns):
            return False
    return len(_refunds(world)) <= 1
