def list_my_memorial_trees(env, *, plot_id: int = None, status: str = None) -> dict:
    """Lists the user's own memorial trees in order of their planting date."""
    if plot_id is not None:
        plot = env.one("SELECT id FROM plots WHERE id = :plot_id", {"plot_id": plot_id})
        if plot is None:
            raise env.Error(f"there is no plot {plot_id}")
    rows = env.query(
        """
        SELECT t.id, t.plot_id, p.bearing_degrees, t.tree_species_id, s.name AS tree_species_name,
               t.price_cents, t.planting_date, t.status, t.ordered_at, t.cancelled_at, t.died_on
        FROM memorial_trees t
        JOIN plots p ON p.id = t.plot_id
        JOIN tree_species s ON s.id = t.tree_species_id
        WHERE t.family_contact_id = :family_contact_id
          AND (:plot_id IS NULL OR t.plot_id = :plot_id)
          AND (:status IS NULL OR t.status = :status)
        ORDER BY t.planting_date, t.id
        """,
        {"family_contact_id": env.user_id, "plot_id": plot_id, "status": status},
    )
    return {"memorial_trees": [dict(row) for row in rows]}
