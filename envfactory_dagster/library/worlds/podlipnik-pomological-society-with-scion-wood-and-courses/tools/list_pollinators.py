def list_pollinators(env, *, variety_id: int) -> dict:
    """Lists the varieties that pollinate the variety `variety_id`."""
    variety = env.one("SELECT id FROM varieties WHERE id = :variety_id", {"variety_id": variety_id})
    if variety is None:
        raise env.Error("There is no variety " + str(variety_id) + ".")
    rows = env.query(
        "SELECT v.id AS pollinator_id, v.code, v.name, v.also_known_as, v.fruit, v.orchard_row, v.place, v.second_tree, "
        "v.ripening, v.keeps_until, v.ploidy, v.scions_2026, v.remark "
        "FROM pollinations p JOIN varieties v ON v.id = p.pollinator_id "
        "WHERE p.variety_id = :variety_id ORDER BY v.id",
        {"variety_id": variety_id},
    )
    return {"pollinators": rows}
