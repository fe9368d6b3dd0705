def list_vets(env, *, practice: str = None) -> dict:
    """List the vets of both practices."""
    return {"vets": env.query("SELECT id, name, practice FROM vets WHERE (:practice IS NULL OR practice = :practice) ORDER BY id", {"practice": practice})}
