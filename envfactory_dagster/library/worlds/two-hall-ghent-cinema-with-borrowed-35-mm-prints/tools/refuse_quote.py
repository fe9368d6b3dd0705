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


def refuse_quote(env, *, programming_request_id: int) -> dict:
    """Turns down a quote and closes the request."""
    request = _accept_quote_request(env, programming_request_id)
    if request["treasurer_account_id"] != env.user_id:
        raise env.Error("Only the treasurer of the club may turn down a quote.")
    if request["status"] != "quoted":
        raise env.Error("There is no open quote for that request; it is " + request["status"] + ".")
    env.execute("UPDATE programming_requests SET status = 'refused', closed_at = ? WHERE id = ?", [env.now, programming_request_id])
    return {"programming_request_id": programming_request_id, "status": "refused", "closed_at": env.now}
