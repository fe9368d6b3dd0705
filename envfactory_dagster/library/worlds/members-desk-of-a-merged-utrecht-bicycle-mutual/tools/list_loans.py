def list_loans(env, *, open_only: bool = False) -> dict:
    """List the loan bicycles that the member has or had, latest first."""
    rows = env.query(
        "SELECT l.id, l.loan_bicycle_id, l.claim_id, l.starts_on, l.due_on, l.extended_at, l.extra_days,"
        " l.day_price_cents, l.returned_on, l.created_at, b.code, s.name AS shop_name,"
        " cl.repair_expected_on, cl.repair_ready_on"
        " FROM loans l JOIN claims cl ON cl.id = l.claim_id"
        " JOIN loan_bicycles b ON b.id = l.loan_bicycle_id JOIN repair_shops s ON s.id = b.repair_shop_id"
        " WHERE cl.member_id = :member AND (:open = 0 OR l.returned_on IS NULL)"
        " ORDER BY l.starts_on DESC, l.id DESC",
        {"member": env.user_id, "open": 1 if open_only else 0},
    )
    return {"loans": rows}
