def _get_loan_shape(env, row):
    loan = dict(row)
    if loan["returned_short"] is not None:
        loan["returned_short"] = bool(loan["returned_short"])
    return loan


def _get_loan_loan(env, loan_id):
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
    return None if row is None else _get_loan_shape(env, row)


def _get_loan_others_waiting(env, title_id):
    return env.one(
        """
        SELECT COUNT(*) AS number FROM holds
        WHERE title_id = :title_id AND status = 'waiting' AND member_id <> :member_id
        """,
        {"title_id": title_id, "member_id": env.user_id},
    )["number"]


def get_loan(env, *, loan_id: int) -> dict:
    """Shows one of the user's own loans and how many other members wait for its title."""
    loan = _get_loan_loan(env, loan_id)
    if loan is None:
        raise env.Error(f"you have no loan {loan_id}")
    loan["others_waiting"] = _get_loan_others_waiting(env, loan["title_id"])
    return loan
