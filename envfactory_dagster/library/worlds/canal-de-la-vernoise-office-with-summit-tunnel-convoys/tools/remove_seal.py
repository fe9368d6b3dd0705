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

def remove_seal(env, *, boat_id: int) -> dict:
    """Notes that the seal of a hybrid's engine was taken off."""
    b = _own_boat(env, boat_id)
    if b["engine_sealed_at"] is None:
        raise env.Error("the engine of %s is not sealed" % b["name"])
    listed = env.one(
        "SELECT t.convoy, c.day FROM passages p JOIN convoys c ON c.id = p.convoy_id JOIN timetable t ON t.id = c.slot_id"
        " JOIN convoy_kinds k ON k.id = t.letter_id"
        " WHERE p.boat_id = ? AND p.status IN ('listed', 'controlled') AND k.letter = 'EL' ORDER BY c.leaves_at LIMIT 1", [boat_id])
    if listed is not None:
        raise env.Error("%s is on the list of %s on %s and stays sealed until she has passed" % (b["name"], listed["convoy"], listed["day"]))
    env.execute("UPDATE boats SET engine_sealed_at = NULL WHERE id = ?", [boat_id])
    return {"boat": _boat_view(env, boat_id)}
