def confirm_removal(env, *, removal_id: int) -> dict:
    """Confirms an offered removal of the user's whose deposit is paid."""
    removal = env.one(
        """SELECT code, status, removal_day, price_cents, deposit_paid_on FROM removals
           WHERE id = :removal AND customer_id = :user""",
        {"removal": removal_id, "user": env.user_id},
    )
    if removal is None:
        raise env.Error(f"You have no removal {removal_id}.")
    if removal["status"] != "offered":
        raise env.Error(f"Removal {removal['code']} is {removal['status'].replace('_', ' ')}; only an offer can be confirmed.")
    if removal["removal_day"] <= env.now[:10]:
        raise env.Error(f"The day of removal {removal['code']}, {removal['removal_day']}, has come already.")
    if removal["deposit_paid_on"] is None:
        raise env.Error(f"The deposit of removal {removal['code']} has to be paid first.")
    clash = env.one(
        """SELECT r.id FROM removals r
           WHERE r.removal_day = :day AND r.id <> :removal AND r.status <> 'cancelled'
             AND EXISTS (SELECT 1 FROM pianos p WHERE p.removal_id = r.id)
             AND EXISTS (SELECT 1 FROM pianos p WHERE p.removal_id = :removal)""",
        {"day": removal["removal_day"], "removal": removal_id},
    )
    if clash is not None:
        raise env.Error(f"The piano lift is taken by another removal on {removal['removal_day']}.")
    env.execute(
        "UPDATE removals SET status = 'confirmed', confirmed_at = :now WHERE id = :removal AND customer_id = :user",
        {"now": env.now, "removal": removal_id, "user": env.user_id},
    )
    return {
        "removal_id": removal_id,
        "status": "confirmed",
        "confirmed_at": env.now,
        "price_cents": removal["price_cents"],
        "removal_day": removal["removal_day"],
    }
