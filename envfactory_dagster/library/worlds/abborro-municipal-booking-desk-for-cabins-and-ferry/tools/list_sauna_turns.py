def list_sauna_turns(env, *, status: str = None) -> dict:
    """Lists the sauna turns of the household by their start."""
    return {"sauna_turns": env.query(
        "SELECT t.id AS sauna_turn_id, t.sauna_id, s.name AS sauna_name, s.island_id, t.stay_id, t.starts_at,"
        " t.price_cents, t.status, t.booked_at, t.moved_at, t.cancelled_at FROM sauna_turns t"
        " JOIN saunas s ON s.id = t.sauna_id WHERE t.household_id = :me AND (:status IS NULL OR t.status = :status)"
        " ORDER BY t.starts_at, t.id", {"me": env.user_id, "status": status})}
