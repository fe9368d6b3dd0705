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


def _set_points_against_trees_balance(env):
    return env.one(
        "SELECT COALESCE(SUM(CASE WHEN kind IN ('used', 'expired') THEN -points ELSE points END), 0) AS balance, "
        "COALESCE(SUM(CASE WHEN kind = 'used' AND substr(entered_on, 1, 4) = :year THEN points ELSE 0 END), 0) AS used "
        "FROM points_entries WHERE member_id = :member_id",
        {"member_id": env.user_id, "year": env.now[:4]},
    )


def _set_points_against_trees_check(env, points, points_set, invoice_cents):
    if points <= 0 or points * 2 != int(points * 2):
        raise env.Error("Points are set in whole or half points, and more than none.")
    if (points_set + points) * 300 > invoice_cents:
        raise env.Error("Points of 1.50 EUR each may pay at most half of it.")
    state = _set_points_against_trees_balance(env)
    if state["used"] + points > 30:
        raise env.Error(
            "At most 30 points may be used in a calendar year; you have used " + str(state["used"]) + " this year."
        )
    if points > state["balance"]:
        raise env.Error("You have " + str(state["balance"]) + " points.")


def set_points_against_course(env, *, course_registration_id: int, points: float) -> dict:
    """Sets points against the fee of a registration that awaits payment."""
    row = _get_course_registration_view(env, course_registration_id)
    if row["status"] != "awaiting payment":
        raise env.Error("Registration " + row["code"] + " awaits no payment; its status is " + row["status"] + ".")
    _set_points_against_trees_check(env, points, row["points_set"], row["fee_cents"])
    env.insert(
        "INSERT INTO points_entries (member_id, kind, points, entered_on, course_registration_id) "
        "VALUES (:member_id, 'used', :points, :today, :course_registration_id)",
        {
            "member_id": env.user_id,
            "points": float(points),
            "today": env.now[:10],
            "course_registration_id": course_registration_id,
        },
    )
    state = _set_points_against_trees_balance(env)
    return {
        "course_registration": _get_course_registration_view(env, course_registration_id),
        "points_balance": state["balance"],
        "points_used_this_year": state["used"],
    }
