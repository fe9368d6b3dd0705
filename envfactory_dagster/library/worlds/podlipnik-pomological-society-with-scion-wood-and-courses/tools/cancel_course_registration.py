from datetime import date, timedelta

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


def cancel_course_registration(env, *, course_registration_id: int) -> dict:
    """Cancels a registration for a course that is still to come."""
    row = _get_course_registration_view(env, course_registration_id)
    if row["status"] == "cancelled":
        raise env.Error("Registration " + row["code"] + " is cancelled already.")
    today = env.now[:10]
    if row["status"] == "attended" or row["held_on"] <= today:
        raise env.Error("Course " + row["course_code"] + " on " + row["held_on"] + " is not to come any more.")
    last_day = (date.fromisoformat(row["held_on"]) - timedelta(days=7)).isoformat()
    waiting = env.one(
        "SELECT COUNT(*) AS waiting FROM course_registrations WHERE course_id = :course_id "
        "AND status = 'waiting list' AND id <> :course_registration_id",
        {"course_id": row["course_id"], "course_registration_id": course_registration_id},
    )["waiting"]
    comes_back = today <= last_day or waiting > 0
    refund = None
    if row["paid_on"] is not None:
        paid_in_money = row["fee_cents"] - round(row["points_set"] * 150)
        refund = max(paid_in_money - 500, 0) if comes_back else 0
    env.execute(
        "UPDATE course_registrations SET status = 'cancelled', cancelled_on = :today, refund_cents = :refund "
        "WHERE id = :course_registration_id AND member_id = :member_id",
        {
            "today": today,
            "refund": refund,
            "course_registration_id": course_registration_id,
            "member_id": env.user_id,
        },
    )
    if row["points_set"] > 0 and (comes_back or row["paid_on"] is None):
        env.execute(
            "DELETE FROM points_entries WHERE course_registration_id = :course_registration_id "
            "AND member_id = :member_id AND kind = 'used'",
            {"course_registration_id": course_registration_id, "member_id": env.user_id},
        )
    return {"course_registration": _get_course_registration_view(env, course_registration_id)}
