def report_damage(env, *, removal_id: int, description: str, amount_cents: int) -> dict:
    """Reports damage done on a removal of the user's that is over."""
    removal = env.one(
        "SELECT code, status FROM removals WHERE id = :removal AND customer_id = :user",
        {"removal": removal_id, "user": env.user_id},
    )
    if removal is None:
        raise env.Error(f"You have no removal {removal_id}.")
    if removal["status"] not in ("carried_out", "invoiced"):
        raise env.Error(
            f"Removal {removal['code']} is {removal['status']}; damage can be reported only once it has been carried out."
        )
    if not description:
        raise env.Error("Say what was damaged.")
    if amount_cents < 1:
        raise env.Error("The damage must be more than €0.")
    claim = env.insert(
        """INSERT INTO damage_claims (customer_id, removal_id, description, amount_cents, reported_at, status)
           VALUES (:user, :removal, :description, :amount, :now, 'reported')""",
        {
            "user": env.user_id,
            "removal": removal_id,
            "description": description,
            "amount": amount_cents,
            "now": env.now,
        },
    )
    return {
        "damage_claim_id": claim,
        "removal_id": removal_id,
        "description": description,
        "amount_cents": amount_cents,
        "reported_at": env.now,
        "status": "reported",
    }
