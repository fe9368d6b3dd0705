def list_contacts(env) -> dict:
    """Lists the posts and persons of the office."""
    return {"contacts": env.query(
        "SELECT k.post, k.person, k.telephone, k.vhf, k.open_hours, m.mooring_code FROM contacts k"
        " LEFT JOIN moorings m ON m.id = k.waiting_basin_id ORDER BY k.id")}
