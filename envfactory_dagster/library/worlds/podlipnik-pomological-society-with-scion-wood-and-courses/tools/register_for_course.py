def _get_course_registration_view(env, course_registration_id):
    row = env.one(
        "SELECT r.id AS course_registration_id, r.code, r.course_id, c.code AS course_code, c.title, c.held_on, "
        "r.participant_name, r.fee_kind, r.fee_cents, r.knife, r.status, r.registered_on, r.paid_on, "
        "r.cancelled_on, r.refund_cents "
        "FROM course_registrations r JOIN courses c ON c.id = r.course_id "
        "WHERE r.id = :course_registration_id AND r.member_id = :member_id",
        {"course_registration_id": course_registration_id, "member_id": env.user_id},
    )
    if row is None:
        raise env.Error("You have no course registration with the id " + str(course_registration_id) + ".")
    points = env.one(
        "SELECT COALESCE(SUM(points), 0) AS points FROM points_entries "
        "WHERE course_registration_id = :course_registration_id AND kind = 'used'",
        {"course_registration_id": course_registration_id},
    )["points"]
    row["points_set"] = points
    left = row["fee_cents"] - round(points * 150)
    row["left_to_pay_cents"] = max(left, 0) if row["status"] == "awaiting payment" else 0
    return row


def _register_for_course_left_handed(env, course_id, but):
    return env.one(
        "SELECT COUNT(*) AS lent FROM course_registrations WHERE course_id = :course_id AND id <> :but "
        "AND knife = 'left-handed' AND status IN ('awaiting payment', 'held', 'attended')",
        {"course_id": course_id, "but": but},
    )["lent"]


def _register_for_course_fee(env, course, fee_kind):
    fee = course["member_fee_cents"]
    if fee_kind == "member":
        return fee
    if fee_kind == "pupil or student":
        if course["code"] == "T2":
            raise env.Error("Pupils and students pay half, except at T2.")
        return fee // 2
    if fee_kind == "repeat of T1":
        if course["code"] not in ("T1", "T1b"):
            raise env.Error("Only T1 may be repeated for 8.00 EUR.")
        return min(fee, 800)
    if course["code"] != "T4":
        raise env.Error("Couples with family membership pay once at T4 only, and twice for all other courses.")
    family = env.one(
        "SELECT m.id FROM members m JOIN price_items p ON p.id = m.dues_item_id "
        "WHERE m.id = :member_id AND p.item LIKE 'Family%'",
        {"member_id": env.user_id},
    )
    if family is None:
        raise env.Error("Only couples with family membership pay once at T4.")
    down = env.one(
        "SELECT COALESCE(SUM(fee_kind = 'member'), 0) AS paying, COALESCE(SUM(fee_kind = 'free'), 0) AS free "
        "FROM course_registrations WHERE member_id = :member_id AND course_id = :course_id "
        "AND status IN ('awaiting payment', 'held', 'attended')",
        {"member_id": env.user_id, "course_id": course["id"]},
    )
    if down["paying"] < 1 or down["free"] > 0:
        raise env.Error("At T4 the second of the couple is free, beside one who pays.")
    return 0


def register_for_course(
    env, *, course_id: int, participant_name: str, fee_kind: str = "member", knife: str = "none"
) -> dict:
    """Registers a participant for a course that is still to come."""
    course = env.one(
        "SELECT id, code, held_on, seats, member_fee_cents FROM courses WHERE id = :course_id",
        {"course_id": course_id},
    )
    if course is None:
        raise env.Error("There is no course with the id " + str(course_id) + ".")
    today = env.now[:10]
    if course["held_on"] <= today:
        raise env.Error("Course " + course["code"] + " on " + course["held_on"] + " is not to come any more.")
    name = " ".join(participant_name.split())
    if not name:
        raise env.Error("The name of the participant is missing.")
    down = env.query(
        "SELECT participant_name FROM course_registrations WHERE member_id = :member_id AND course_id = :course_id "
        "AND status <> 'cancelled' ORDER BY id",
        {"member_id": env.user_id, "course_id": course_id},
    )
    if any(row["participant_name"].casefold() == name.casefold() for row in down):
        raise env.Error(name + " is down for course " + course["code"] + " already.")
    if knife == "left-handed" and _register_for_course_left_handed(env, course_id, 0) >= 2:
        raise env.Error("Both left-handed knives are lent for course " + course["code"] + ".")
    fee = _register_for_course_fee(env, course, fee_kind)
    taken = env.one(
        "SELECT COUNT(*) AS taken FROM course_registrations WHERE course_id = :course_id "
        "AND status IN ('awaiting payment', 'held', 'attended')",
        {"course_id": course_id},
    )["taken"]
    if taken >= course["seats"]:
        status = "waiting list"
    elif fee == 0:
        status = "held"
    else:
        status = "awaiting payment"
    new_registration = env.insert(
        "INSERT INTO course_registrations (code, member_id, course_id, participant_name, fee_kind, fee_cents, knife, "
        "status, registered_on, paid_on) VALUES (:code, :member_id, :course_id, :name, :fee_kind, :fee, :knife, "
        ":status, :today, :paid_on)",
        {
            "code": env.new_id("CR"),
            "member_id": env.user_id,
            "course_id": course_id,
            "name": name,
            "fee_kind": fee_kind,
            "fee": fee,
            "knife": knife,
            "status": status,
            "today": today,
            "paid_on": today if status == "held" else None,
        },
    )
    return {"course_registration": _get_course_registration_view(env, new_registration)}
