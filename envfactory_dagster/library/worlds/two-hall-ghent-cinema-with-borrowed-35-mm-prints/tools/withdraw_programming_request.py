def _accept_quote_request(env, programming_request_id):
    """A request of a club the user is a contact of."""
    request = env.one(
        """
        SELECT r.id, r.club_id, r.title_id, r.carrier, r.status, r.quoted_copy_id, r.quoted_hall_id, r.quoted_start_at,
               r.quote_hall_cents, r.quote_loan_fee_cents, r.quote_35mm_cents, r.quote_valid_until, b.treasurer_account_id
        FROM programming_requests r JOIN clubs b ON b.id = r.club_id
        WHERE r.id = :id AND (b.treasurer_account_id = :user OR b.second_contact_account_id = :user)
        """,
        {"id": programming_request_id, "user": env.user_id},
    )
    if request is None:
        raise env.Error("Your club has no programming request " + str(programming_request_id) + ".")
    return request


def withdraw_programming_request(env, *, programming_request_id: int) -> dict:
    """Withdraws a request that is not closed yet."""
    request = _accept_quote_request(env, programming_request_id)
    if request["status"] not in ("to_be_traced", "submitted", "quoted"):
        raise env.Error("That request is closed already; it is " + request["status"] + ".")
    env.execute("UPDATE programming_requests SET status = 'withdrawn', closed_at = ? WHERE id = ?", [env.now, programming_request_id])
    return {"programming_request_id": programming_request_id, "status": "withdrawn", "closed_at": env.now}
