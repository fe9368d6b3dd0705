from datetime import date, timedelta

RENEW_LOAN_MOST_RENEWALS = 2
RENEW_LOAN_MORE_DAYS = 14
RENEW_LOAN_MOST_UNPAID_CENTS = 1000


def _renew_loan_unpaid_cents(env):
    return env.one(
        """
        SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM replacement_charges
        WHERE member_id = :member_id AND status = 'unpaid'
        """,
        {"member_id": env.user_id},
    )["cents"]


def _renew_loan_others_waiting(env, title_id):
    return env.one(
        """
        SELECT COUNT(*) AS number FROM holds
        WHERE title_id = :title_id AND status = 'waiting' AND member_id <> :member_id
        """,
        {"title_id": title_id, "member_id": env.user_id},
    )["number"]


def _renew_loan_shape(env, row):
    loan = dict(row)
    if loan["returned_short"] is not None:
        loan["returned_short"] = bool(loan["returned_short"])
    return loan


def _renew_loan_loan(env, loan_id):
    row = env.one(
        """
        SELECT l.id, l.copy_id, c.label, c.title_id, t.name AS title_name, t.kind, l.status,
               l.borrowed_at, l.due_day, l.renewals, l.returned_at, l.returned_short
        FROM loans l
        JOIN copies c ON c.id = l.copy_id
        JOIN titles t ON t.id = c.title_id
        WHERE l.id = :loan_id AND l.member_id = :member_id
        """,
        {"loan_id": loan_id, "member_id": env.user_id},
    )
    return None if row is None else _renew_loan_shape(env, row)


def renew_loan(env, *, loan_id: int) -> dict:
    """Renews the user's own loan: its due day moves 14 days later."""
    loan = _renew_loan_loan(env, loan_id)
    if loan is None:
        raise env.Error(f"you have no loan {loan_id}")
    if loan["status"] != "out":
        raise env.Error(f"your loan {loan_id} of {loan['title_name']} has already been returned")
    if loan["renewals"] >= RENEW_LOAN_MOST_RENEWALS:
        raise env.Error(f"your loan {loan_id} has already been renewed {loan['renewals']} times, the most allowed is 2")
    if env.now[:10] > loan["due_day"]:
        raise env.Error(f"your loan {loan_id} was due on {loan['due_day']} and can no longer be renewed")
    waiting = _renew_loan_others_waiting(env, loan["title_id"])
    if waiting > 0:
        raise env.Error(f"{loan['title_name']} cannot be renewed, another member is waiting for it")
    unpaid = _renew_loan_unpaid_cents(env)
    if unpaid > RENEW_LOAN_MOST_UNPAID_CENTS:
        raise env.Error(
            f"your unpaid replacement charges add up to {unpaid / 100:.2f} euros; "
            "with more than 10.00 euros unpaid nothing can be renewed"
        )
    due_day = (date.fromisoformat(loan["due_day"]) + timedelta(days=RENEW_LOAN_MORE_DAYS)).isoformat()
    env.execute(
        """
        UPDATE loans SET due_day = :due_day, renewals = renewals + 1
        WHERE id = :loan_id AND member_id = :member_id
        """,
        {"due_day": due_day, "loan_id": loan_id, "member_id": env.user_id},
    )
    return {"loan": _renew_loan_loan(env, loan_id)}
