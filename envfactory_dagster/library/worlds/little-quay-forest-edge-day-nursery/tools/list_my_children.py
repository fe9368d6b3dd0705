def list_my_children(env) -> dict:
    """List the user as guardian and the user's own children by name."""
    guardian = env.one("SELECT id, name FROM guardians WHERE id = ?", [env.user_id])
    if guardian is None:
        raise env.Error("you are not known as a guardian at the nursery")
    children = env.query(
        "SELECT id, name, birth_date, group_name FROM children WHERE guardian_id = ? ORDER BY name, id",
        [env.user_id],
    )
    return {"guardian": guardian, "children": children}
