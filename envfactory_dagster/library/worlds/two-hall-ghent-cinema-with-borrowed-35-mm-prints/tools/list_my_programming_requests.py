def _get_club_quota_club(env, club_id):
    """A club the user is a contact of."""
    club = env.one(
        "SELECT id, name, treasurer_account_id, partner_since, last_settlement_open_cents FROM clubs "
        "WHERE id = :id AND (treasurer_account_id = :user OR second_contact_account_id = :user)",
        {"id": club_id, "user": env.user_id},
    )
    if club is None:
        raise env.Error("You are no contact of a club " + str(club_id) + ".")
    return club


def list_my_programming_requests(env, *, club_id: int | None = None, status: str | None = None) -> dict:
    """Lists the programming requests of the user's clubs."""
    if club_id is not None:
        _get_club_quota_club(env, club_id)
    rows = env.query(
        """
        SELECT r.id, r.club_id, b.name AS club_name, r.title_id, t.name AS title_name, r.carrier, r.first_wish_at, r.second_wish_at, r.third_wish_at,
               r.expected_public, r.status, r.submitted_at, r.quoted_hall_id, r.quoted_start_at, r.quote_hall_cents, r.quote_loan_fee_cents,
               r.quote_35mm_cents, r.quote_valid_until, r.closed_at
        FROM programming_requests r JOIN titles t ON t.id = r.title_id
        JOIN clubs b ON b.id = r.club_id AND (b.treasurer_account_id = :user OR b.second_contact_account_id = :user)
        WHERE (:club_id IS NULL OR r.club_id = :club_id) AND (:status IS NULL OR r.status = :status)
        ORDER BY r.submitted_at DESC, r.id
        """,
        {"user": env.user_id, "club_id": club_id, "status": status},
    )
    return {"programming_requests": rows}
