def list_my_customers(env) -> dict:
    """Lists the customers the user is attached to, with the user's roles there."""
    customers = []
    for row in env.query(
        "SELECT c.id, c.name, c.kind FROM customers c WHERE EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = c.id AND r.person_id = ?) ORDER BY c.name, c.id",
        [env.user_id],
    ):
        roles = env.query(
            "SELECT DISTINCT role FROM person_roles WHERE customer_id = ? AND person_id = ? "
            "ORDER BY CASE role WHEN 'signatory' THEN 1 WHEN 'collector' THEN 2 ELSE 3 END",
            [row["id"], env.user_id],
        )
        customers.append({"id": row["id"], "name": row["name"], "kind": row["kind"], "roles": [role["role"] for role in roles]})
    return {"customers": customers}
