REQUEST_COURSE_EXTENSION_CENTS = 150000


def _list_course_packages_one(env, course_package_id):
    """One package of the user's as the tools show it."""
    return env.one(
        "SELECT id, instructor_id, kind, transmission, hours_included, price_cents, bought_at, first_lesson_on, expires_on, extended_at,"
        " free_move_used_at, instructor_yes_at, early_exam_agreed_at, status FROM course_packages WHERE id = ? AND pupil_id = ?",
        [course_package_id, env.user_id])


def request_course_extension(env, *, course_package_id: int) -> dict:
    """Asks for the extension of a course and charges it."""
    package = _list_course_packages_one(env, course_package_id)
    if package is None:
        raise env.Error(f"you have no package {course_package_id}")
    if package["kind"] not in ("full_course", "student_course"):
        raise env.Error("only a course can be extended, not top-up lessons")
    if package["status"] != "active" or (package["expires_on"] is not None and package["expires_on"] < env.now[:10]):
        raise env.Error("this course has ended; an extension must be asked for before")
    if package["expires_on"] is None:
        raise env.Error("this course has not begun, so it has no end to extend yet")
    if package["extended_at"] is not None:
        raise env.Error("this course has been extended already, which is possible once")
    if env.one(
        "SELECT id FROM charges WHERE course_package_id = ? AND kind = 'course_extension' AND credited_cents < amount_cents ORDER BY id LIMIT 1",
        [course_package_id]):
        raise env.Error("the extension has been asked for already; its charge is waiting to be paid")
    charge_id = env.insert(
        "INSERT INTO charges (pupil_id, kind, course_package_id, amount_cents, charged_at, due_on) VALUES (?, 'course_extension', ?, ?, ?, ?)",
        [env.user_id, course_package_id, REQUEST_COURSE_EXTENSION_CENTS, env.now, package["expires_on"]])
    return {"charge": env.one(
        "SELECT id, kind, course_package_id, amount_cents, charged_at, due_on FROM charges WHERE id = ?", [charge_id])}
