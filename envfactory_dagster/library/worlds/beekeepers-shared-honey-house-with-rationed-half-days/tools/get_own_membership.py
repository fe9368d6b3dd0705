def get_own_membership(env) -> dict:
    """Shows the user's own membership and balance."""
    m = env.one(
        """SELECT member_no, name, village, phone, is_mentor, first_season, hygiene_certified_on,
                  treatment_journal_year, joined_on,
                  (SELECT COALESCE(SUM(l.amount_cents), 0) FROM ledger_entries l WHERE l.member_id = members.id) AS balance_cents
           FROM members WHERE id = ?""",
        [env.user_id],
    )
    if m is None:
        raise env.Error("you are not a member of the honey house")
    return dict(m)
