def _change_report_report(env, report_id):
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


def change_report(env, *, report_id: int, format: str = None, language: str = None) -> dict:
    """Changes the format, the language or both of the user's own undelivered report."""
    report = _change_report_report(env, report_id)
    if report is None:
        raise env.Error(f"you have no report {report_id}")
    if report["status"] != "ordered":
        raise env.Error(
            f"only a report that is ordered and still undelivered can be changed, "
            f"and report {report_id} is {report['status']}"
        )
    if format is None and language is None:
        raise env.Error("say which format or which language the report should have")
    env.execute(
        """
        UPDATE reports
        SET format = COALESCE(:format, format), language = COALESCE(:language, language)
        WHERE id = :report_id
        """,
        {"format": format, "language": language, "report_id": report_id},
    )
    return {"report": dict(_change_report_report(env, report_id))}
