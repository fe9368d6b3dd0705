import datetime

EXTEND_LOAN_MOST_DAYS = 14
EXTEND_LOAN_DAY_PRICE_CENTS = 400


def extend_loan(env, *, loan_id: int, extra_days: int) -> dict:
    """Extend an open loan once, by at most 14 days."""
    loan = env.one(
        "SELECT l.id, l.due_on, l.extended_at, l.returned_on, cl.repair_ready_on, b.code"
        " FROM loans l JOIN claims cl ON cl.id = l.claim_id JOIN loan_bicycles b ON b.id = l.loan_bicycle_id"
        " WHERE l.id = ? AND cl.member_id = ?",
        [loan_id, env.user_id],
    )
    if loan is None:
        raise env.Error(f"you have no loan {loan_id}")
    if loan["returned_on"] is not None:
        raise env.Error(f"loan bicycle {loan['code']} was returned on {loan['returned_on']}")
    if loan["extended_at"] is not None:
        raise env.Error(f"the loan of {loan['code']} was extended before; that can be done only once")
    if loan["repair_ready_on"] is not None:
        raise env.Error(f"the bicycle in repair is ready, so the loan of {loan['code']} cannot be extended")
    if extra_days < 1:
        raise env.Error("a loan is extended by at least 1 day")
    if extra_days > EXTEND_LOAN_MOST_DAYS:
        raise env.Error(f"a loan can be extended by at most {EXTEND_LOAN_MOST_DAYS} days")
    due = datetime.date.fromisoformat(loan["due_on"]) + datetime.timedelta(days=extra_days)
    env.execute(
        "UPDATE loans SET due_on = ?, extended_at = ?, extra_days = ?, day_price_cents = ? WHERE id = ?",
        [due.isoformat(), env.now, extra_days, EXTEND_LOAN_DAY_PRICE_CENTS, loan_id],
    )
    return env.one(
        "SELECT id, loan_bicycle_id, claim_id, starts_on, due_on, extended_at, extra_days, day_price_cents,"
        " returned_on, created_at FROM loans WHERE id = ?",
        [loan_id],
    )
