def list_vet_prices(env, *, service_id: int) -> dict:
    """List who does a service and at what price."""
    if env.one("SELECT id FROM services WHERE id = ?", [service_id]) is None:
        raise env.Error(f"There is no service {service_id}.")
    return {"prices": env.query("""
        SELECT x.vet_id, v.name AS vet_name, v.practice, s.price_basis, x.price_cents
        FROM vet_services x JOIN vets v ON v.id = x.vet_id JOIN services s ON s.id = x.service_id
        WHERE x.service_id = ? ORDER BY x.vet_id""", [service_id])}
