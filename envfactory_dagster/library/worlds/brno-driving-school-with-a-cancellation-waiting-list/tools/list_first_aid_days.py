def list_first_aid_days(env) -> dict:
    """Lists the first aid Saturdays."""
    days = []
    for row in env.query(
        "SELECT d.id, d.calendar_day, d.places, d.least_pupils, d.status, (SELECT COUNT(*) FROM first_aid_bookings b"
        " WHERE b.first_aid_day_id = d.id AND b.status <> 'cancelled') AS taken FROM first_aid_days d ORDER BY d.calendar_day, d.id", []):
        days.append({
            "id": row["id"], "calendar_day": row["calendar_day"], "places": row["places"], "least_pupils": row["least_pupils"],
            "status": row["status"], "places_left": max(0, row["places"] - row["taken"]),
        })
    return {"first_aid_days": days}
