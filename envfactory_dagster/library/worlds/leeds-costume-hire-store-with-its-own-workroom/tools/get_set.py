def get_set(env, *, set_id: int) -> dict:
    """Shows one set with its pieces."""
    found = env.one("SELECT id, name FROM sets WHERE id = ?", [set_id])
    if found is None:
        raise env.Error(f"there is no set {set_id}")
    pieces = env.query(
        "SELECT id, number, description, condition, cleaning_class, is_class_p, is_nativity FROM pieces WHERE set_id = ? ORDER BY number, id",
        [set_id],
    )
    return {"id": found["id"], "name": found["name"], "pieces": pieces}
