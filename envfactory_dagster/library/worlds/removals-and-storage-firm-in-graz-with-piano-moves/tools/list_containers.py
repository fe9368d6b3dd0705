def list_containers(env, *, number: int = None) -> dict:
    """Lists the containers by number and whether each is let."""
    return {
        "containers": env.query(
            """SELECT c.id AS container_id, c.number, c.size_m3, c.monthly_price_cents,
                      EXISTS (SELECT 1 FROM storage_contracts s
                              WHERE s.container_id = c.id AND s.status <> 'cleared') AS is_let
               FROM containers c
               WHERE (:number IS NULL OR c.number = :number)
               ORDER BY c.number""",
            {"number": number},
        )
    }
