def list_bulk_rounds(env, *, status: str | None = None) -> dict:
    """Lists the bulk rounds with the treatments on offer."""
    rounds = env.query(
        """SELECT id, round_no, name, opens_on, closes_on, sack_price_cents, sack_kg, status FROM bulk_rounds
           WHERE :status IS NULL OR status = :status
           ORDER BY closes_on DESC, id DESC""",
        {"status": status},
    )
    result = []
    for r in rounds:
        offers = env.query(
            "SELECT id AS treatment_id, name, price_cents FROM treatments WHERE bulk_round_id = ? ORDER BY id",
            [r["id"]],
        )
        row = {k: v for k, v in r.items() if k != "id"}
        row["treatments"] = [dict(o) for o in offers]
        result.append(row)
    return {"bulk_rounds": result}
