def _get_membership_row(env):
    row = env.one(
        """SELECT m.id, m.number, m.membership_type_id, t.name AS type_name, t.monthly_fee_cents,
                  t.monthly_credit_cents, m.started_on
           FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id
           JOIN membership_types t ON t.id = m.membership_type_id WHERE mm.member_id = ?""",
        [env.user_id])
    if row is None:
        raise env.Error("you have no membership")
    return row


def _get_credit_balance_portions(env, membership_id):
    return env.query(
        """SELECT expires_on, SUM(amount_cents) AS left_cents FROM credit_entries
           WHERE membership_id = ? AND expires_on >= ? GROUP BY expires_on
           HAVING SUM(amount_cents) > 0 ORDER BY expires_on""", [membership_id, env.now[:10]])


def get_credit_balance(env) -> dict:
    """Shows what credit is left today, in all and per portion."""
    portions = _get_credit_balance_portions(env, _get_membership_row(env)["id"])
    return {"total_cents": sum(portion["left_cents"] for portion in portions), "portions": portions}
