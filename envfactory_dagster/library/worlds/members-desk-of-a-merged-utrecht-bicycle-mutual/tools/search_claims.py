def search_claims(
    env,
    *,
    status: str = None,
    kind: str = None,
    bicycle_id: int = None,
    first_day: str = None,
    last_day: str = None,
) -> dict:
    """List the member's claims, newest loss first."""
    if bicycle_id is not None:
        bicycle = env.one(
            "SELECT b.id FROM bicycles b JOIN policies p ON p.id = b.policy_id WHERE b.id = ? AND p.member_id = ?",
            [bicycle_id, env.user_id],
        )
        if bicycle is None:
            raise env.Error(f"there is no bicycle {bicycle_id} on your policy")
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("the first day lies after the last day")
    rows = env.query(
        "SELECT cl.id, cl.claim_number, cl.cover_id, cl.kind, cl.status, cl.happened_at, cl.place, cl.description,"
        " cl.repair_amount_cents, cl.own_risk_cents, cl.reported_at, co.bicycle_id"
        " FROM claims cl JOIN covers co ON co.id = cl.cover_id"
        " WHERE cl.member_id = :member"
        " AND (:status IS NULL OR cl.status = :status)"
        " AND (:kind IS NULL OR cl.kind = :kind)"
        " AND (:bicycle IS NULL OR co.bicycle_id = :bicycle)"
        " AND (:first IS NULL OR substr(cl.happened_at, 1, 10) >= :first)"
        " AND (:last IS NULL OR substr(cl.happened_at, 1, 10) <= :last)"
        " ORDER BY cl.happened_at DESC, cl.id DESC",
        {
            "member": env.user_id,
            "status": status,
            "kind": kind,
            "bicycle": bicycle_id,
            "first": first_day,
            "last": last_day,
        },
    )
    return {"claims": rows}
