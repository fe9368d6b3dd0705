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


def change_knife(env, *, course_registration_id: int, knife: str) -> dict:
    """Changes the knife that is lent for a registration."""
    row = _get_course_registration_view(env, course_registration_id)
    if row["status"] == "cancelled":
        raise env.Error("Registration " + row["code"] + " is cancelled.")
    if row["held_on"] <= env.now[:10]:
        raise env.Error("Course " + row["course_code"] + " on " + row["held_on"] + " is not to come any more.")
    if knife == "left-handed" and _register_for_course_left_handed(env, row["course_id"], course_registration_id) >= 2:
        raise env.Error("Both left-handed knives are lent for course " + row["course_code"] + ".")
    if row["knife"] != knife:
        env.execute(
            "UPDATE course_registrations SET knife = :knife "
            "WHERE id = :course_registration_id AND member_id = :member_id",
            {"knife": knife, "course_registration_id": course_registration_id, "member_id": env.user_id},
        )
    return {"course_registration": _get_course_registration_view(env, course_registration_id)}
