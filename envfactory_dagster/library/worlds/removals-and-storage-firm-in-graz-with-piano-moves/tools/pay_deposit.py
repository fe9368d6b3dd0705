def pay_deposit(env, *, removal_id: int) -> dict:
    """The user pays the deposit of an offered removal."""
    removal = env.one(
        """SELECT code, status, deposit_cents, deposit_paid_on FROM removals
           WHERE id = :removal AND customer_id = :user""",
        {"removal": removal_id, "user": env.user_id},
    )
    if removal is None:
        raise env.Error(f"You have no removal {removal_id}.")
    if removal["status"] != "offered":
        raise env.Error(f"Removal {removal['code']} is {removal['status'].replace('_', ' ')}; a deposit is paid on an offer only.")
    if removal["deposit_paid_on"] is not None:
        raise env.Error(f"The deposit of removal {removal['code']} was paid on {removal['deposit_paid_on']} already.")
    if removal["deposit_cents"] is None:
        raise env.Error(f"Removal {removal['code']} asks for no deposit.")
    today = env.now[:10]
    env.execute(
        "UPDATE removals SET deposit_paid_on = :today WHERE id = :removal AND customer_id = :user",
        {"today": today, "removal": removal_id, "user": env.user_id},
    )
    return {"removal_id": removal_id, "deposit_cents": removal["deposit_cents"], "deposit_paid_on": today}
