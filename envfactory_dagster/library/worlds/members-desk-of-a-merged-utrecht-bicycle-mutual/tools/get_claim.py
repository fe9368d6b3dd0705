def get_claim(env, *, claim_id: int) -> dict:
    """Show one claim of the member with all that belongs to it."""
    claim = env.one(
        "SELECT cl.id, cl.claim_number, cl.cover_id, cl.kind, cl.status, cl.happened_at, cl.discovered_at, cl.place,"
        " cl.description, cl.police_number, cl.repair_shop_id, cl.repair_amount_cents, cl.brought_in_on,"
        " cl.repair_expected_on, cl.repair_ready_on, cl.own_risk_cents, cl.reported_at, cl.submitted_at,"
        " cl.decided_at, cl.withdrawn_at, co.bicycle_id"
        " FROM claims cl JOIN covers co ON co.id = cl.cover_id WHERE cl.id = ? AND cl.member_id = ?",
        [claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no claim {claim_id}")
    papers = env.query(
        "SELECT id, claim_id, kind, description, added_at FROM claim_papers WHERE claim_id = ? ORDER BY added_at, id",
        [claim_id],
    )
    keys = env.query(
        "SELECT id, claim_id, lock_id, quality, way, handed_in_at FROM handed_in_keys"
        " WHERE claim_id = ? ORDER BY handed_in_at, id",
        [claim_id],
    )
    estimates = env.query(
        "SELECT id, claim_id, repair_shop_id, amount_cents, description, status, asked_at, decided_at"
        " FROM estimates WHERE claim_id = ? ORDER BY asked_at, id",
        [claim_id],
    )
    payments = env.query(
        "SELECT id, claim_id, kind, amount_cents, paid_on FROM payments WHERE claim_id = ? ORDER BY paid_on, id",
        [claim_id],
    )
    loans = env.query(
        "SELECT id, loan_bicycle_id, claim_id, starts_on, due_on, extended_at, extra_days, day_price_cents,"
        " returned_on, created_at FROM loans WHERE claim_id = ? ORDER BY starts_on, id",
        [claim_id],
    )
    return {
        "claim": claim,
        "claim_papers": papers,
        "handed_in_keys": keys,
        "estimates": estimates,
        "payments": payments,
        "loans": loans,
    }
