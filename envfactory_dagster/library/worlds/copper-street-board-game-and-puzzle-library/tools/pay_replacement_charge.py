def pay_replacement_charge(env, *, replacement_charge_id: int) -> dict:
    """Pay one of the user's own unpaid replacement charges in full."""
    charge = env.one(
        """
        SELECT g.id, g.piece_report_id, t.name AS title_name, r.piece, r.reported_at,
               g.amount_cents, g.status, g.charged_at, g.paid_at
        FROM replacement_charges g
        JOIN piece_reports r ON r.id = g.piece_report_id
        JOIN copies c ON c.id = r.copy_id
        JOIN titles t ON t.id = c.title_id
        WHERE g.id = ? AND g.member_id = ?
        """,
        [replacement_charge_id, env.user_id],
    )
    if charge is None:
        raise env.Error(f"you have no replacement charge {replacement_charge_id}")
    if charge["status"] != "unpaid":
        raise env.Error("this charge is already paid")
    env.execute(
        "UPDATE replacement_charges SET status = 'paid', paid_at = ? WHERE id = ? AND member_id = ?",
        [env.now, replacement_charge_id, env.user_id],
    )
    result = dict(charge)
    result["status"] = "paid"
    result["paid_at"] = env.now
    return {"replacement_charge": result}
