def _list_claims_vouchers(env, claim_id):
    """The vouchers given with a claim."""
    return env.query("SELECT id AS voucher_id, code, amount_cents, status, issued_at, used_at FROM vouchers"
                     " WHERE claim_id = ? AND household_id = ? ORDER BY id", [claim_id, env.user_id])


def list_claims(env, *, status: str = None) -> dict:
    """Lists the claims of the household with their vouchers."""
    claims = env.query(
        "SELECT id AS claim_id, code, crossing_id, kind, amount_cents, status, filed_at, settled_at FROM claims"
        " WHERE household_id = :me AND (:status IS NULL OR status = :status) ORDER BY filed_at, id",
        {"me": env.user_id, "status": status})
    return {"claims": [{**claim, "vouchers": _list_claims_vouchers(env, claim["claim_id"])} for claim in claims]}
