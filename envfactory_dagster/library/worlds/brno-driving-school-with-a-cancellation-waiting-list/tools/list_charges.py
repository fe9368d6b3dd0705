def list_charges(env, *, kind: str = None, only_outstanding: bool = False) -> dict:
    """Lists what the pupil has been charged."""
    charges = env.query(
        "SELECT id, kind, course_package_id, driving_lesson_id, simulator_session_id, exam_place_id, first_aid_booking_id,"
        " instructor_change_id, amount_cents, charged_at, due_on, credited_cents, credited_at, credit_reason,"
        " (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.charge_id = charges.id) AS paid_cents,"
        " amount_cents - credited_cents - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.charge_id = charges.id)"
        " AS outstanding_cents FROM charges WHERE pupil_id = :pupil AND (:kind IS NULL OR kind = :kind)"
        " AND (:every OR amount_cents - credited_cents"
        " <> (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.charge_id = charges.id)) ORDER BY charged_at, id",
        {"pupil": env.user_id, "kind": kind, "every": 0 if only_outstanding else 1})
    return {"charges": charges, "total_outstanding_cents": sum(charge["outstanding_cents"] for charge in charges)}
