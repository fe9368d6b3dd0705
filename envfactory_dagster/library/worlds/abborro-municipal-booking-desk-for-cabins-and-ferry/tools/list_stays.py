def list_stays(env, *, status: str = None, first_day: str = None) -> dict:
    """Lists the stays of the household by day of arrival."""
    return {"stays": env.query(
        "SELECT s.id AS stay_id, s.code, s.cabin_id, c.name AS cabin_name, c.island_id, s.arrives_on, s.leaves_on,"
        " s.adults, s.children, s.infants, s.own_boat, s.price_cents, s.status, s.booked_at, s.cancelled_at,"
        " s.cancelled_by, s.split_from_stay_id FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " WHERE s.household_id = :me AND (:status IS NULL OR s.status = :status)"
        " AND (:first IS NULL OR s.arrives_on >= :first) ORDER BY s.arrives_on, s.id",
        {"me": env.user_id, "status": status, "first": first_day})}
