MAX_OPEN_COMMISSIONS = 2
MIN_BUDGET_HOURS = 2
MAX_BUDGET_HOURS = 60


def request_commission(env, *, surname: str, region: str, budget_hours: float) -> dict:
    """Request a new commission for the user."""
    surname = surname.strip()
    region = region.strip()
    if not surname:
        raise env.Error("a commission needs a surname to search for")
    if not region:
        raise env.Error("a commission needs a region to search in")
    if budget_hours < MIN_BUDGET_HOURS:
        raise env.Error("the budget of a new commission is at least 2 hours")
    if budget_hours > MAX_BUDGET_HOURS:
        raise env.Error("the budget of a commission is at most 60 hours")
    open_count = env.one(
        """
        SELECT COUNT(*) AS n FROM commissions
        WHERE client_id = ? AND status IN ('requested', 'active', 'paused')
        """,
        [env.user_id],
    )["n"]
    if open_count >= MAX_OPEN_COMMISSIONS:
        raise env.Error(
            f"you already have {open_count} commissions that are requested, active or paused; "
            "at most 2 are allowed at a time"
        )
    commission_id = env.insert(
        """
        INSERT INTO commissions (client_id, surname, region, budget_hours, status, requested_at,
                                 started_at, paused_at, consented_at, completed_at, cancelled_at)
        VALUES (?, ?, ?, ?, 'requested', ?, NULL, NULL, NULL, NULL, NULL)
        """,
        [env.user_id, surname, region, float(budget_hours), env.now],
    )
    commission = env.one(
        """
        SELECT id, surname, region, budget_hours, status, requested_at, started_at, paused_at,
               consented_at, completed_at, cancelled_at
        FROM commissions
        WHERE id = ? AND client_id = ?
        """,
        [commission_id, env.user_id],
    )
    return {"commission": commission}
