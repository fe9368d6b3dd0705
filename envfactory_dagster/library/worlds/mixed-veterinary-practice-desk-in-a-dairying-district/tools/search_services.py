def search_services(env, *, name: str = None, place: str = None) -> dict:
    """List the services that can be booked."""
    return {"services": env.query("""
        SELECT id, name, place, price_basis, base_minutes, minutes_per_head, deposit_cents, is_emergency, needs_estimate
        FROM services
        WHERE (:name IS NULL OR instr(lower(name), lower(:name)) > 0) AND (:place IS NULL OR place = :place)
        ORDER BY id""", {"name": name, "place": place})}
