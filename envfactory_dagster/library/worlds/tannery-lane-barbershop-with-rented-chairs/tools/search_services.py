def search_services(env, *, barber_id: int = None, name: str = None, max_price_cents: int = None) -> dict:
    """Lists the services that meet all the given conditions, in order of price."""
    if barber_id is not None and env.one("SELECT id FROM barbers WHERE id = :id", {"id": barber_id}) is None:
        raise env.Error(f"there is no barber {barber_id}")
    rows = env.query(
        "SELECT s.id, s.barber_id, b.name AS barber_name, s.name, s.duration_minutes, s.price_cents"
        " FROM services s JOIN barbers b ON b.id = s.barber_id"
        " WHERE (:barber_id IS NULL OR s.barber_id = :barber_id)"
        " AND (:max_price_cents IS NULL OR s.price_cents <= :max_price_cents)"
        " ORDER BY s.price_cents, s.id",
        {"barber_id": barber_id, "max_price_cents": max_price_cents},
    )
    if name is not None:
        wanted = name.casefold()
        rows = [row for row in rows if wanted in row["name"].casefold()]
    return {"services": rows}
