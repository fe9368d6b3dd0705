PAY_FEE_CHARGE_LATE_PER_CENT = 5

def pay_fee_charge(env, *, fee_charge_id: int, paid_by: str) -> dict:
    """Pays one open charge of the user in full."""
    charge = env.one("SELECT id, code, kind, pitch_cents, electricity_cents, surcharge_cents, due_on, status FROM fee_charges WHERE id = ? AND trader_id = ?", [fee_charge_id, env.user_id])
    if charge is None:
        raise env.Error(f"You have no charge {fee_charge_id}.")
    if charge["status"] != "open":
        raise env.Error(f"The charge {charge['code']} is not open: it is {charge['status']}.")
    if charge["kind"] == "spunta_day" and paid_by != "card":
        raise env.Error("A day in the spunta is paid by card.")
    base = charge["pitch_cents"] + charge["electricity_cents"]
    surcharge = charge["surcharge_cents"]
    if charge["kind"] == "quarter" and env.now[:10] > charge["due_on"] and surcharge == 0:
        surcharge = (base * PAY_FEE_CHARGE_LATE_PER_CENT + 50) // 100
    env.execute(
        "UPDATE fee_charges SET status = 'paid', paid_at = ?, paid_by = ?, surcharge_cents = ? WHERE id = ?",
        [env.now, paid_by, surcharge, fee_charge_id])
    row = env.one("SELECT id, code, kind, concession_id, spunta_assignment_id, period_from, period_to, pitch_cents, electricity_cents, surcharge_cents, due_on, status, paid_at, paid_by FROM fee_charges WHERE id = ?", [fee_charge_id])
    return {"fee_charge": row, "paid_cents": base + surcharge}
