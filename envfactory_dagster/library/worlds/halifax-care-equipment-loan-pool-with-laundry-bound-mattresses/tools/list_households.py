def list_households(env) -> dict:
    """Lists the user's households with the clients who live there."""
    households = env.query(
        """SELECT h.id AS household_id, h.address, h.stairs_noted, c.name AS contact_name
           FROM households h JOIN clients c ON c.id = h.contact_client_id
           WHERE h.contact_client_id = :user OR EXISTS (
             SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user)
           ORDER BY h.id""",
        {"user": env.user_id},
    )
    for household in households:
        household["clients"] = env.query(
            """SELECT c.id AS client_id, c.name, c.weight_kg, EXISTS (
                 SELECT 1 FROM hospice_periods p WHERE p.client_id = c.id AND p.started_on <= :today
                 AND (p.ended_on IS NULL OR p.ended_on > :today)) AS on_hospice
               FROM household_members m JOIN clients c ON c.id = m.client_id
               WHERE m.household_id = :household ORDER BY c.id""",
            {"household": household["household_id"], "today": env.now[:10]},
        )
    return {"households": households}
