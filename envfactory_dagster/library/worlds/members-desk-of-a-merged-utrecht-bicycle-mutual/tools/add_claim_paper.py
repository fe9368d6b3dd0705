def add_claim_paper(env, *, claim_id: int, kind: str, description: str) -> dict:
    """Add a paper to a claim that is reported or submitted."""
    claim = env.one(
        "SELECT id, claim_number, status FROM claims WHERE id = ? AND member_id = ?",
        [claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no claim {claim_id}")
    if claim["status"] not in ("reported", "submitted"):
        raise env.Error(f"claim {claim['claim_number']} is {claim['status']}; papers can no longer be added")
    paper_id = env.insert(
        "INSERT INTO claim_papers (claim_id, kind, description, added_at) VALUES (?, ?, ?, ?)",
        [claim_id, kind, description, env.now],
    )
    return env.one("SELECT id, claim_id, kind, description, added_at FROM claim_papers WHERE id = ?", [paper_id])
