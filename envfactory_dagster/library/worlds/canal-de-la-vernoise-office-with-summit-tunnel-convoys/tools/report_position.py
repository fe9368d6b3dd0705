def _boat_class_row(env, boat_use, propulsion, length_m):
    """The class of a boat by use, propulsion and length."""
    if boat_use == "freight":
        return env.one("SELECT * FROM licence_classes WHERE class_code = ?", ["F"])
    if propulsion == "none":
        return env.one("SELECT * FROM licence_classes WHERE class_code = ?", ["U"])
    return env.one(
        "SELECT * FROM licence_classes WHERE class_code NOT IN ('F', 'U')"
        " AND (length_from_m IS NULL OR length_from_m <= :l) AND (length_below_m IS NULL OR length_below_m > :l)",
        {"l": length_m})

def _boat_view(env, boat_id):
    """A boat as the tools show it."""
    b = env.one(
        "SELECT b.id, b.registration_no, b.name, b.boat_use, b.propulsion, b.length_m, b.width_m, b.draught_m,"
        " b.air_draught_m, b.electric_register_day, b.wooden_hull, b.built_year, b.standing_priority,"
        " m.mooring_code, b.arrived_at, b.engine_sealed_at, b.registered_at"
        " FROM boats b LEFT JOIN moorings m ON m.id = b.mooring_id WHERE b.id = ?", [boat_id])
    b["class_code"] = _boat_class_row(env, b["boat_use"], b["propulsion"], b["length_m"])["class_code"]
    return b

def _own_boat(env, boat_id):
    """The boat of the boater, or a refusal."""
    b = env.one("SELECT * FROM boats WHERE id = ? AND boater_id = ?", [boat_id, env.user_id])
    if b is None:
        raise env.Error("you have no boat %d" % boat_id)
    return b

def report_position(env, *, boat_id: int, mooring_id: int) -> dict:
    """Writes down that a boat of the boater lies at a mooring from now on."""
    b = _own_boat(env, boat_id)
    m = env.one("SELECT * FROM moorings WHERE id = ?", [mooring_id])
    if m is None:
        raise env.Error("there is no mooring %d" % mooring_id)
    if m["max_length_m"] is not None and b["length_m"] > m["max_length_m"]:
        raise env.Error("%s takes boats of at most %.2f m, and %s is %.2f m long" % (m["mooring_code"], m["max_length_m"], b["name"], b["length_m"]))
    if b["mooring_id"] != mooring_id:
        env.execute("UPDATE boats SET mooring_id = ?, arrived_at = ? WHERE id = ?", [mooring_id, env.now, boat_id])
    return {"boat": _boat_view(env, boat_id)}
