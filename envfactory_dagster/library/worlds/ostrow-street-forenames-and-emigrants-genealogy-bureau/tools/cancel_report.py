def _cancel_report_report(env, report_id):
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


def cancel_report(env, *, report_id: int) -> dict:
    """Cancels the user's own report that is ordered and still undelivered."""
    report = _cancel_report_report(env, report_id)
    if report is None:
        raise env.Error(f"you have no report {report_id}")
    if report["status"] != "ordered":
        raise env.Error(
            f"only a report that is ordered and still undelivered can be cancelled, "
            f"and report {report_id} is {report['status']}"
        )
    env.execute(
        "UPDATE reports SET status = 'cancelled', cancelled_at = :now WHERE id = :report_id",
        {"now": env.now, "report_id": report_id},
    )
    return {"report": dict(_cancel_report_report(env, report_id))}
