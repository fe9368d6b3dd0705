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

def seal_engine(env, *, boat_id: int) -> dict:
    """Notes that the tunnel post has sealed the engine of a hybrid."""
    b = _own_boat(env, boat_id)
    if b["propulsion"] != "hybrid":
        raise env.Error("%s is no hybrid; only the engine of a hybrid is sealed" % b["name"])
    if b["length_m"] > 14.0:
        raise env.Error("%s is %.2f m long; engines are sealed in hybrids of at most 14.00 m" % (b["name"], b["length_m"]))
    lies = env.one("SELECT mooring_code FROM moorings WHERE id = ?", [b["mooring_id"]])
    if lies is None or lies["mooring_code"] not in ("VAU-03", "ESS-01"):
        raise env.Error("the engine is sealed at the tunnel post, while the boat lies at VAU-03 or ESS-01")
    if b["engine_sealed_at"] is None:
        env.execute("UPDATE boats SET engine_sealed_at = ? WHERE id = ?", [env.now, boat_id])
    return {"boat": _boat_view(env, boat_id)}
