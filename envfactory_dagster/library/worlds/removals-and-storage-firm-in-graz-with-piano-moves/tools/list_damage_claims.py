def list_damage_claims(env, *, status: str = None, removal_id: int = None) -> dict:
    """Lists the user's damage claims that meet every filter, newest first."""
    return {
        "damage_claims": env.query(
            """SELECT id AS damage_claim_id, removal_id, description, amount_cents, reported_at, status
               FROM damage_claims
               WHERE customer_id = :user
                 AND (:status IS NULL OR status = :status)
                 AND (:removal IS NULL OR removal_id = :removal)
               ORDER BY reported_at DESC, id DESC""",
            {"user": env.user_id, "status": status, "removal": removal_id},
        )
    }
