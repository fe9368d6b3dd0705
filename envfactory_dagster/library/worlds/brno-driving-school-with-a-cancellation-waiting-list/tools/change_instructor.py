import datetime

CHANGE_INSTRUCTOR_SECOND_CENTS = 50000


def _list_charges_due_in_14_days(env):
    """The day on which a fee of today is due."""
    return (datetime.date.fromisoformat(env.now[:10]) + datetime.timedelta(days=14)).isoformat()


def change_instructor(env, *, instructor_id: int) -> dict:
    """Changes the pupil's instructor, or asks the head instructor to."""
    instructor = env.one("SELECT id, name, max_pupils FROM instructors WHERE id = ?", [instructor_id])
    if instructor is None:
        raise env.Error(f"there is no instructor {instructor_id}")
    package = env.one(
        "SELECT id, instructor_id, expires_on FROM course_packages WHERE pupil_id = :pupil AND status = 'active'"
        " ORDER BY CASE WHEN kind IN ('full_course', 'student_course') THEN 0 ELSE 1 END,"
        " CASE WHEN expires_on < :today THEN 1 ELSE 0 END, id LIMIT 1", {"pupil": env.user_id, "today": env.now[:10]})
    if package is None:
        raise env.Error("you have no active package")
    if package["expires_on"] is not None and package["expires_on"] < env.now[:10]:
        raise env.Error(f"your course ended on {package['expires_on']}, so its instructor cannot be changed any more")
    if package["instructor_id"] == instructor_id:
        raise env.Error(f"{instructor['name']} is your instructor already")
    earlier = env.one(
        "SELECT COALESCE(SUM(status = 'made'), 0) AS made, COALESCE(SUM(status = 'waiting_for_head_instructor'), 0) AS waiting"
        " FROM instructor_changes WHERE pupil_id = ?", [env.user_id])
    if earlier["waiting"]:
        raise env.Error("a change of instructor is waiting for the head instructor already")
    pupils = env.one(
        "SELECT COUNT(DISTINCT pupil_id) AS pupils FROM course_packages WHERE instructor_id = ? AND status = 'active' AND pupil_id <> ?",
        [instructor_id, env.user_id])["pupils"]
    if pupils >= instructor["max_pupils"]:
        raise env.Error(f"{instructor['name']} has the most pupils allowed, {instructor['max_pupils']}")
    fee = CHANGE_INSTRUCTOR_SECOND_CENTS if earlier["made"] else 0
    change_id = env.insert(
        "INSERT INTO instructor_changes (pupil_id, course_package_id, from_instructor_id, to_instructor_id, asked_at, status)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [env.user_id, package["id"], package["instructor_id"], instructor_id, env.now,
         "waiting_for_head_instructor" if fee else "made"])
    if fee:
        env.insert(
            "INSERT INTO charges (pupil_id, kind, instructor_change_id, amount_cents, charged_at, due_on)"
            " VALUES (?, 'instructor_change', ?, ?, ?, ?)",
            [env.user_id, change_id, fee, env.now, _list_charges_due_in_14_days(env)])
    else:
        env.execute("UPDATE course_packages SET instructor_id = ? WHERE pupil_id = ? AND status = 'active'", [instructor_id, env.user_id])
    change = env.one(
        "SELECT id, course_package_id, from_instructor_id, to_instructor_id, asked_at, status FROM instructor_changes WHERE id = ?", [change_id])
    return {"instructor_change": change, "fee_cents": fee}
