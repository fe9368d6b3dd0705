def search_chair_rentals(
    env,
    *,
    barber_id: int = None,
    first_day: str = None,
    last_day: str = None,
    half: str = None,
    status: str = None,
) -> dict:
    """Lists the half-days of barbers that meet all the given conditions, in order of their start."""
    if barber_id is not None and env.one("SELECT id FROM barbers WHERE id = :id", {"id": barber_id}) is None:
        raise env.Error(f"there is no barber {barber_id}")
    rows = env.query(
        "SELECT r.id, r.barber_id, b.name AS barber_name, r.day, r.half, r.starts_at, r.ends_at,"
        " r.status, r.given_back_at"
        " FROM chair_rentals r JOIN barbers b ON b.id = r.barber_id"
        " WHERE (:barber_id IS NULL OR r.barber_id = :barber_id)"
        " AND (:first_day IS NULL OR r.day >= :first_day)"
        " AND (:last_day IS NULL OR r.day <= :last_day)"
        " AND (:half IS NULL OR r.half = :half)"
        " AND (:status IS NULL OR r.status = :status)"
        " ORDER BY r.starts_at, r.id",
        {
            "barber_id": barber_id,
            "first_day": first_day,
            "last_day": last_day,
            "half": half,
            "status": status,
        },
    )
    return {"chair_rentals": rows}
