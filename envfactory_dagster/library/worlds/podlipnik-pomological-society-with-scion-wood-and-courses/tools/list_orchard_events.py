def list_orchard_events(env, *, variety_id: int = None) -> dict:
    """Lists what happened in the orchard since the finding of fire blight."""
    if variety_id is not None:
        variety = env.one("SELECT id FROM varieties WHERE id = :variety_id", {"variety_id": variety_id})
        if variety is None:
            raise env.Error("There is no variety " + str(variety_id) + ".")
    rows = env.query(
        "SELECT event, when_text, happened_on, places, variety_id FROM orchard_events "
        "WHERE (:variety_id IS NULL OR variety_id = :variety_id) ORDER BY id",
        {"variety_id": variety_id},
    )
    return {"orchard_events": rows}
