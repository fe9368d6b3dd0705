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


def _list_membership_changes_show(env, membership_change_id):
    return env.one(
        """SELECT c.id AS membership_change_id, c.from_membership_type_id,
                  f.name AS from_membership_type_name, c.to_membership_type_id,
                  t.name AS to_membership_type_name, c.status, c.requested_at, c.effective_on,
                  c.fee_difference_cents
           FROM membership_changes c JOIN membership_types f ON f.id = c.from_membership_type_id
           JOIN membership_types t ON t.id = c.to_membership_type_id WHERE c.id = ?""",
        [membership_change_id])


def list_membership_changes(env, *, status: str = None) -> dict:
    """Lists the changes of the user's membership, newest request first."""
    rows = env.query(
        """SELECT id FROM membership_changes WHERE membership_id = :ms AND (:status IS NULL OR status = :status)
           ORDER BY requested_at DESC, id DESC""",
        {"ms": _get_membership_row(env)["id"], "status": status})
    return {"membership_changes": [_list_membership_changes_show(env, row["id"]) for row in rows]}
