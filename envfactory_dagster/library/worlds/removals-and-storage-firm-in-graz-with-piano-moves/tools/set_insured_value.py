import datetime

SET_INSURED_VALUE_CEILING_CENTS = 10000000
SET_INSURED_VALUE_DAYS_BEFORE = 7


def set_insured_value(env, *, removal_id: int, insured_value_cents: int) -> dict:
    """Changes the insured value of a removal of the user's and gives the new premium."""
    removal = env.one(
        """SELECT code, status, removal_day, premium_per_thousand_cents, insurer_approved_on FROM removals
           WHERE id = :removal AND customer_id = :user""",
        {"removal": removal_id, "user": env.user_id},
    )
    if removal is None:
        raise env.Error(f"You have no removal {removal_id}.")
    if removal["status"] not in ("requested", "offered", "confirmed"):
        raise env.Error(
            f"Removal {removal['code']} is {removal['status'].replace('_', ' ')}; its insured value can no longer be changed."
        )
    if insured_value_cents < 0:
        raise env.Error("The insured value cannot be negative.")
    today = datetime.date.fromisoformat(env.now[:10])
    if (datetime.date.fromisoformat(removal["removal_day"]) - today).days < SET_INSURED_VALUE_DAYS_BEFORE:
        raise env.Error(
            f"Removal {removal['code']} is due on {removal['removal_day']}; "
            "its insured value can be changed no later than 7 days before."
        )
    if insured_value_cents > SET_INSURED_VALUE_CEILING_CENTS and removal["insurer_approved_on"] is None:
        raise env.Error(
            f"Above €100,000 the insurer has to approve first, and no approval is on record for removal {removal['code']}."
        )
    env.execute(
        "UPDATE removals SET insured_value_cents = :value WHERE id = :removal AND customer_id = :user",
        {"value": insured_value_cents, "removal": removal_id, "user": env.user_id},
    )
    return {
        "removal_id": removal_id,
        "insured_value_cents": insured_value_cents,
        "premium_cents": insured_value_cents // 100000 * removal["premium_per_thousand_cents"],
    }
