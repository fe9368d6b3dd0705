def correct_plate(env, *, vehicle_id: int, plate: str) -> dict:
    """Corrects the plate of a vehicle of the household."""
    vehicle = env.one("SELECT plate FROM vehicles WHERE id = ? AND household_id = ?", [vehicle_id, env.user_id])
    if vehicle is None:
        raise env.Error(f"You have no vehicle {vehicle_id}.")
    if vehicle["plate"] == plate:
        raise env.Error(f"That vehicle has the plate {plate} already.")
    others = env.query("SELECT plate FROM vehicles WHERE id <> ? ORDER BY id", [vehicle_id])
    if any(other["plate"] == plate for other in others):
        raise env.Error(f"Another vehicle has the plate {plate}.")
    env.execute("UPDATE vehicles SET plate = :new WHERE id = :vehicle AND household_id = :me",
                {"new": plate, "vehicle": vehicle_id, "me": env.user_id})
    return {"vehicle": env.one("SELECT id AS vehicle_id, plate, length_m FROM vehicles WHERE id = ?"
                               " AND household_id = ?", [vehicle_id, env.user_id])}
