def list_vehicles(env) -> dict:
    """Lists the vehicles of the household."""
    return {"vehicles": env.query("SELECT id AS vehicle_id, plate, length_m FROM vehicles WHERE household_id = ?"
                                  " ORDER BY id", [env.user_id])}
