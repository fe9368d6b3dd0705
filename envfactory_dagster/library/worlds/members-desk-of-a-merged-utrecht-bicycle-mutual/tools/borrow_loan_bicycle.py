import datetime


def borrow_loan_bicycle(env, *, claim_id: int, loan_bicycle_id: int, starts_on: str) -> dict:
    """Borrow a free loan bicycle for 14 days during the repair of a damage claim."""
    claim = env.one(
        "SELECT id, claim_number, kind, status, brought_in_on, repair_ready_on FROM claims"
        " WHERE id = ? AND member_id = ?",
        [claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no claim {claim_id}")
    if claim["kind"] != "damage":
        raise env.Error(f"claim {claim['claim_number']} is not about damage")
    if claim["status"] not in ("reported", "submitted", "approved"):
        raise env.Error(f"claim {claim['claim_number']} is {claim['status']}; nothing can be borrowed for it")
    if claim["brought_in_on"] is None:
        raise env.Error(f"the bicycle of claim {claim['claim_number']} was not brought to a shop yet")
    if claim["repair_ready_on"] is not None:
        raise env.Error(f"the repair of claim {claim['claim_number']} is ready")
    bicycle = env.one(
        "SELECT b.id, b.code, s.has_agreement FROM loan_bicycles b JOIN repair_shops s ON s.id = b.repair_shop_id"
        " WHERE b.id = ?",
        [loan_bicycle_id],
    )
    if bicycle is None:
        raise env.Error(f"there is no loan bicycle {loan_bicycle_id}")
    if not bicycle["has_agreement"]:
        raise env.Error("only shops with an agreement lend bicycles")
    try:
        first = datetime.datetime.strptime(starts_on, "%Y-%m-%d").date()
    except ValueError:
        raise env.Error("starts_on must be a day such as 2026-03-02")
    if starts_on < env.now[:10]:
        raise env.Error("a loan cannot start in the past")
    open_loan = env.one("SELECT id FROM loans WHERE claim_id = ? AND returned_on IS NULL", [claim_id])
    if open_loan is not None:
        raise env.Error(f"a loan bicycle for claim {claim['claim_number']} is out already")
    out = env.one("SELECT id FROM loans WHERE loan_bicycle_id = ? AND returned_on IS NULL", [loan_bicycle_id])
    if out is not None:
        raise env.Error(f"loan bicycle {bicycle['code']} is not free")
    loan_id = env.insert(
        "INSERT INTO loans (loan_bicycle_id, claim_id, starts_on, due_on, created_at) VALUES (?, ?, ?, ?, ?)",
        [loan_bicycle_id, claim_id, starts_on, (first + datetime.timedelta(days=14)).isoformat(), env.now],
    )
    return env.one(
        "SELECT id, loan_bicycle_id, claim_id, starts_on, due_on, extended_at, extra_days, day_price_cents,"
        " returned_on, created_at FROM loans WHERE id = ?",
        [loan_id],
    )
