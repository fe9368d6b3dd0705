FINDINGS_NEEDED = 3
LOWEST_GRADE = 3


def _order_report_report(env, report_id):
    return env.one(
        """
        SELECT r.id, r.commission_id, c.surname, r.format, r.language, r.status, r.ordered_at,
               r.delivered_at, r.cancelled_at
        FROM reports r
        JOIN commissions c ON c.id = r.commission_id
        WHERE r.id = :report_id AND c.client_id = :client_id
        """,
        {"report_id": report_id, "client_id": env.user_id},
    )


def order_report(env, *, commission_id: int, format: str, language: str = "English") -> dict:
    """Orders a report on the user's own commission."""
    commission = env.one(
        "SELECT id FROM commissions WHERE id = :commission_id AND client_id = :client_id",
        {"commission_id": commission_id, "client_id": env.user_id},
    )
    if commission is None:
        raise env.Error(f"you have no commission {commission_id}")
    ordered = env.one(
        "SELECT id FROM reports WHERE commission_id = :commission_id AND status = 'ordered'",
        {"commission_id": commission_id},
    )
    if ordered is not None:
        raise env.Error(
            f"report {ordered['id']} on commission {commission_id} is already ordered and still undelivered"
        )
    found = env.one(
        """
        SELECT COUNT(*) AS number FROM findings
        WHERE commission_id = :commission_id AND status = 'open' AND confidence_grade >= :grade
        """,
        {"commission_id": commission_id, "grade": LOWEST_GRADE},
    )["number"]
    if found < FINDINGS_NEEDED:
        raise env.Error(
            f"a report needs at least 3 open findings of confidence grade 3 or higher, "
            f"and commission {commission_id} has {found}"
        )
    report_id = env.insert(
        """
        INSERT INTO reports (commission_id, format, language, status, ordered_at, delivered_at, cancelled_at)
        VALUES (:commission_id, :format, :language, 'ordered', :now, NULL, NULL)
        """,
        {"commission_id": commission_id, "format": format, "language": language, "now": env.now},
    )
    return {"report": dict(_order_report_report(env, report_id))}
