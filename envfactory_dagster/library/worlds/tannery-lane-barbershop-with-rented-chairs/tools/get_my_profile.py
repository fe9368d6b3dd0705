from datetime import datetime, timedelta

GET_MY_PROFILE_MISSED_DAYS = 90


def get_my_profile(env) -> dict:
    """Shows the user as a customer, with the appointments to come and those missed of late."""
    customer = env.one(
        "SELECT id, name, phone FROM customers WHERE id = :user_id",
        {"user_id": env.user_id},
    )
    if customer is None:
        raise env.Error("you are not known as a customer of this shop")
    since = (datetime.fromisoformat(env.now) - timedelta(days=GET_MY_PROFILE_MISSED_DAYS)).isoformat()
    open_ones = env.one(
        "SELECT COUNT(*) AS n FROM appointments"
        " WHERE customer_id = :user_id AND status IN ('booked', 'confirmed') AND starts_at > :now",
        {"user_id": env.user_id, "now": env.now},
    )
    missed = env.one(
        "SELECT COUNT(*) AS n FROM appointments"
        " WHERE customer_id = :user_id AND status = 'missed' AND starts_at >= :since",
        {"user_id": env.user_id, "since": since},
    )
    return {
        "id": customer["id"],
        "name": customer["name"],
        "phone": customer["phone"],
        "open_appointments": open_ones["n"],
        "missed_past_90_days": missed["n"],
    }
