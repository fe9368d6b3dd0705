def _search_tree_species_soils(env, tree_species_id):
    rows = env.query(
        """
        SELECT x.soil_id, o.name AS soil_name
        FROM tree_species_soils x
        JOIN soils o ON o.id = x.soil_id
        WHERE x.tree_species_id = :tree_species_id
        ORDER BY o.name, x.soil_id
        """,
        {"tree_species_id": tree_species_id},
    )
    return [dict(row) for row in rows]


def search_tree_species(env, *, soil_id: int = None, name: str = None, max_price_cents: int = None) -> dict:
    """Lists the tree species that meet all the given conditions, each with the soils it is listed for."""
    if soil_id is not None:
        soil = env.one("SELECT id FROM soils WHERE id = :soil_id", {"soil_id": soil_id})
        if soil is None:
            raise env.Error(f"there is no soil {soil_id}")
    rows = env.query(
        """
        SELECT s.id, s.name, s.price_cents
        FROM tree_species s
        WHERE (:soil_id IS NULL OR EXISTS (
                  SELECT 1 FROM tree_species_soils x WHERE x.tree_species_id = s.id AND x.soil_id = :soil_id))
          AND (:name IS NULL OR instr(lower(s.name), lower(:name)) > 0)
          AND (:max_price_cents IS NULL OR s.price_cents <= :max_price_cents)
        ORDER BY s.price_cents, s.name, s.id
        """,
        {"soil_id": soil_id, "name": name, "max_price_cents": max_price_cents},
    )
    return {
        "tree_species": [
            {
                "id": row["id"],
                "name": row["name"],
                "price_cents": row["price_cents"],
                "soils": _search_tree_species_soils(env, row["id"]),
            }
            for row in rows
        ]
    }
