def list_moorings(env, *, mooring_code: str = None) -> dict:
    """Lists the moorings at Vaucreuse and Les Essarts."""
    return {"moorings": env.query(
        "SELECT id, mooring_code, site, km, between_locks, bank, places, depth_m, max_length_m, electricity_a, water,"
        " night_high_cents, night_rest_cents, remarks FROM moorings"
        " WHERE (:c IS NULL OR upper(mooring_code) = upper(:c)) ORDER BY km, id", {"c": mooring_code})}
