def _get_stay_row(env, stay_id):
    """A stay of the household as the tools show it."""
    row = env.one(
        "SELECT s.id AS stay_id, s.code, s.cabin_id, c.name AS cabin_name, c.island_id, s.arrives_on, s.leaves_on,"
        " s.adults, s.children, s.infants, s.own_boat, s.price_cents, s.status, s.booked_at, s.cancelled_at,"
        " s.cancelled_by, s.split_from_stay_id FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " WHERE s.id = ? AND s.household_id = ?", [stay_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no stay {stay_id}.")
    return row


def list_crossings(env, *, status: str = None, stay_id: int = None, first_day: str = None,
                   last_day: str = None) -> dict:
    """Lists the crossings of the household with the dangerous items reported for them."""
    if stay_id is not None:
        _get_stay_row(env, stay_id)
    if first_day is not None and last_day is not None and last_day < first_day:
        raise env.Error("The last day must not come before the first.")
    crossings = env.query(
        "SELECT c.id AS crossing_id, c.code, c.departure_id, d.leaves_at, d.direction, d.status AS departure_status,"
        " c.island_id, c.stay_id, c.vehicle_id, c.adults, c.children, c.infants, c.dogs, c.price_cents, c.status,"
        " c.booked_at, c.cancelled_at FROM crossings c JOIN departures d ON d.id = c.departure_id"
        " WHERE c.household_id = :me AND (:status IS NULL OR c.status = :status)"
        " AND (:stay IS NULL OR c.stay_id = :stay) AND (:first IS NULL OR substr(d.leaves_at, 1, 10) >= :first)"
        " AND (:last IS NULL OR substr(d.leaves_at, 1, 10) <= :last) ORDER BY d.leaves_at, c.id",
        {"me": env.user_id, "status": status, "stay": stay_id, "first": first_day, "last": last_day})
    for crossing in crossings:
        crossing["dangerous_items"] = env.query(
            "SELECT id AS dangerous_item_id, kind, bottles, kg_each, litres, status, reported_at FROM dangerous_items"
            " WHERE crossing_id = ? ORDER BY id", [crossing["crossing_id"]])
    return {"crossings": crossings}
