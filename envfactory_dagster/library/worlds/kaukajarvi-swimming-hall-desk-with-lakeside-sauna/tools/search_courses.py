def search_courses(env, *, badge_id: int | None = None, first_day: str | None = None, last_day: str | None = None, status: str | None = None) -> dict:
    """Searches swimming courses by level, first lesson and status."""
    if badge_id is not None and env.one("SELECT id FROM badges WHERE id = ?", [badge_id]) is None:
        raise env.Error(f"there is no level {badge_id}")
    rows = env.query(
        "SELECT w.id, w.code, w.badge_id, g.name AS badge_name, g.requirement, w.teacher, o.weekday, w.first_lesson_at, w.last_lesson_at, w.places, MAX(0, w.places - (SELECT COUNT(*) FROM course_enrolments e WHERE e.swimming_course_id = w.id AND e.status IN ('enrolled', 'completed'))) AS places_left, (SELECT COUNT(*) FROM course_enrolments q WHERE q.swimming_course_id = w.id AND q.status = 'queued') AS queue_length, p.code AS price_code, p.price_cents, w.status FROM swimming_courses w JOIN badges g ON g.id = w.badge_id JOIN prices p ON p.id = w.price_id JOIN opening_hours o ON o.id = (strftime('%w', w.first_lesson_at) + 6) % 7 + 1 WHERE (:b IS NULL OR w.badge_id = :b) AND (:s IS NULL OR w.status = :s) AND (:first IS NULL OR substr(w.first_lesson_at, 1, 10) >= :first) AND (:last IS NULL OR substr(w.first_lesson_at, 1, 10) <= :last) ORDER BY w.first_lesson_at, w.id",
        {"b": badge_id, "s": status, "first": first_day, "last": last_day},
    )
    return {"swimming_courses": rows}
