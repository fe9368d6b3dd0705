def _list_customer_people_customer(env, customer_id: int) -> dict:
    """A customer the user is attached to."""
    customer = env.one(
        "SELECT c.id, c.name, c.kind FROM customers c WHERE c.id = ? AND EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = c.id AND r.person_id = ?)",
        [customer_id, env.user_id],
    )
    if customer is None:
        raise env.Error(f"you are not attached to a customer {customer_id}")
    return customer


def list_committee_letters(env, *, customer_id: int) -> dict:
    """Lists the committee letters of one of the user's customers."""
    customer = _list_customer_people_customer(env, customer_id)
    letters = []
    for row in env.query(
        "SELECT id, received_on, expires_on FROM committee_letters WHERE customer_id = ? ORDER BY received_on, id",
        [customer["id"]],
    ):
        signatories = env.query(
            "SELECT r.person_id, p.full_name, r.letter_place FROM person_roles r JOIN people p ON p.id = r.person_id "
            "WHERE r.committee_letter_id = ? ORDER BY r.letter_place, r.id",
            [row["id"]],
        )
        letters.append({"id": row["id"], "received_on": row["received_on"], "expires_on": row["expires_on"], "signatories": signatories})
    return {"committee_letters": letters}
