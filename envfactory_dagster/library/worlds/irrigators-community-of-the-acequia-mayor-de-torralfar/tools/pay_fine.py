def _refuse_cash(env, paid_by):
    if paid_by == "cash":
        raise env.Error("Cash is taken only by hand at the Thursday table; choose card or transfer.")
    if paid_by not in ("card", "transfer"):
        raise env.Error("Payment is by card or transfer.")


def pay_fine(env, *, fine_id: int, paid_by: str) -> dict:
    """Pays a fine of the member whole."""
    fine = env.one(
        "SELECT id, case_code, amount_cents, status FROM fines WHERE id = ? AND member_id = ?",
        [fine_id, env.user_id],
    )
    if fine is None:
        raise env.Error("You have no fine " + str(fine_id) + ".")
    if fine["status"] == "paid":
        raise env.Error("The fine " + fine["case_code"] + " is paid already.")
    _refuse_cash(env, paid_by)
    env.execute(
        "UPDATE fines SET status = 'paid', paid_at = :now, paid_by = :by WHERE id = :fine",
        {"now": env.now, "by": paid_by, "fine": fine_id},
    )
    return {
        "fine_id": fine_id,
        "case_code": fine["case_code"],
        "status": "paid",
        "amount_cents": fine["amount_cents"],
        "paid_at": env.now,
        "paid_by": paid_by,
    }
