def get_my_profile(env) -> dict:
    """Show the user as a family contact, with the number of active reservations."""
    contact = env.one("SELECT id, name FROM family_contacts WHERE id = ?", [env.user_id])
    if contact is None:
        raise env.Error("you are not known as a family contact of the burial ground")
    active = env.one(
        "SELECT COUNT(*) AS n FROM reservations WHERE family_contact_id = ? AND status = 'active'",
        [env.user_id],
    )["n"]
    return {"id": contact["id"], "name": contact["name"], "active_reservations": active}
