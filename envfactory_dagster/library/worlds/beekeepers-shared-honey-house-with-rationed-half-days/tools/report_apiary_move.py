def report_apiary_move(env, *, register_no: str, place: str, lat: float, lon: float) -> dict:
    """Enters the new place of a migratory apiary of the user."""
    a = env.one(
        "SELECT id, migratory FROM apiaries WHERE register_no = ? AND member_id = ?",
        [register_no, env.user_id],
    )
    if a is None:
        raise env.Error("you have no apiary " + register_no)
    if not a["migratory"]:
        raise env.Error("the apiary " + register_no + " is not migratory, so it cannot move")
    spot = place.strip()
    if not spot:
        raise env.Error("say where the apiary stands now")
    env.execute(
        "UPDATE apiaries SET place = ?, lat = ?, lon = ? WHERE id = ?",
        [spot, float(lat), float(lon), a["id"]],
    )
    return {"register_no": register_no, "place": spot, "lat": float(lat), "lon": float(lon), "migratory": a["migratory"]}
