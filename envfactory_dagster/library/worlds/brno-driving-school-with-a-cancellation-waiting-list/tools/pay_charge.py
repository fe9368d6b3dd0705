def _pay_charge_outstanding(env, charge_id):
    """What is outstanding of a charge of the user's, or None when there is no such charge."""
    row = env.one(
        "SELECT amount_cents - credited_cents - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.charge_id = charges.id)"
        " AS cents FROM charges WHERE id = ? AND pupil_id = ?", [charge_id, env.user_id])
    return None if row is None else row["cents"]


def pay_charge(env, *, charge_id: int) -> dict:
    """The pupil pays what is outstanding of one charge."""
    outstanding = _pay_charge_outstanding(env, charge_id)
    if outstanding is None:
        raise env.Error(f"you have no charge {charge_id}")
    if outstanding <= 0:
        raise env.Error("nothing is outstanding of this charge")
    payment_id = env.insert(
        "INSERT INTO payments (charge_id, amount_cents, paid_on) VALUES (?, ?, ?)", [charge_id, outstanding, env.now[:10]])
    return {"payment": env.one("SELECT id, charge_id, amount_cents, paid_on FROM payments WHERE id = ?", [payment_id])}
