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


def get_membership(env) -> dict:
    """Shows the user's membership with its limits."""
    row = _get_membership_row(env)
    studio = row["type_name"] == "Studio"
    members = env.query(
        """SELECT m.id AS member_id, m.number, m.name FROM membership_members mm
           JOIN members m ON m.id = mm.member_id WHERE mm.membership_id = ? ORDER BY m.id""", [row["id"]])
    return {"membership_id": row["id"], "number": row["number"],
            "membership_type_id": row["membership_type_id"], "membership_type_name": row["type_name"],
            "monthly_fee_cents": row["monthly_fee_cents"],
            "monthly_credit_cents": row["monthly_credit_cents"], "started_on": row["started_on"],
            "members": members, "laser_hours_a_week": 12 if studio else 6,
            "days_ahead": 28 if studio else 21, "guest_visits_a_month": 4 if studio else 2}
