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


def list_customer_people(env, *, customer_id: int, role: str | None = None) -> dict:
    """Lists the people of one of the user's customers by role."""
    customer = _list_customer_people_customer(env, customer_id)
    people = env.query(
        "SELECT r.person_id, p.full_name, p.birth_date, r.role, r.committee_letter_id FROM person_roles r "
        "JOIN people p ON p.id = r.person_id WHERE r.customer_id = :customer_id AND (:role IS NULL OR r.role = :role) "
        "ORDER BY CASE r.role WHEN 'signatory' THEN 1 WHEN 'collector' THEN 2 ELSE 3 END, p.full_name, r.id",
        {"customer_id": customer["id"], "role": role},
    )
    return {"people": people}
