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

def _open_passages(env, boat_id):
    """How many open passages a boat has."""
    return env.one("SELECT COUNT(*) AS n FROM passages WHERE boat_id = ? AND status IN ('booked', 'listed', 'controlled')", [boat_id])["n"]

def update_boat(env, *, boat_id: int, name: str = None, boat_use: str = None, propulsion: str = None, length_m: float = None, width_m: float = None, draught_m: float = None, air_draught_m: float = None, electric_register_day: str = None, wooden_hull: int = None, built_year: int = None) -> dict:
    """Corrects what is entered of one of the boater's boats."""
    b = _own_boat(env, boat_id)
    new = {"name": b["name"] if name is None else name.strip(),
           "boat_use": b["boat_use"] if boat_use is None else boat_use,
           "propulsion": b["propulsion"] if propulsion is None else propulsion,
           "length_m": b["length_m"] if length_m is None else float(length_m),
           "width_m": b["width_m"] if width_m is None else float(width_m),
           "draught_m": b["draught_m"] if draught_m is None else float(draught_m),
           "air_draught_m": b["air_draught_m"] if air_draught_m is None else float(air_draught_m),
           "electric_register_day": b["electric_register_day"] if electric_register_day is None else electric_register_day,
           "wooden_hull": b["wooden_hull"] if wooden_hull is None else int(wooden_hull),
           "built_year": b["built_year"] if built_year is None else built_year}
    if not new["name"]:
        raise env.Error("the boat needs a name")
    if min(new["length_m"], new["width_m"], new["draught_m"], new["air_draught_m"]) <= 0:
        raise env.Error("length, width, draught and air draught are more than 0 m")
    if new["length_m"] > 38.9:
        raise env.Error("the canal takes boats of at most 38.90 m in length")
    if new["width_m"] > 5.1:
        raise env.Error("the canal takes boats of at most 5.10 m in width")
    if new["draught_m"] > 1.6:
        raise env.Error("the canal takes boats of at most 1.60 m draught")
    if new["air_draught_m"] > 3.45:
        raise env.Error("the canal takes boats of at most 3.45 m air draught")
    if new["built_year"] is not None and (new["built_year"] < 1850 or new["built_year"] > int(env.now[:4])):
        raise env.Error("a boat cannot have been built in %d" % new["built_year"])
    if electric_register_day is not None:
        if new["propulsion"] != "electric":
            raise env.Error("only electric boats stand in the electric register")
        if electric_register_day > env.now[:10]:
            raise env.Error("the day of entry in the electric register, %s, lies ahead" % electric_register_day)
    if new["propulsion"] != "electric":
        new["electric_register_day"] = None
    if _open_passages(env, boat_id):
        for field in ("boat_use", "propulsion", "length_m", "width_m", "draught_m", "air_draught_m", "electric_register_day"):
            if new[field] != b[field]:
                raise env.Error("%s has an open passage; only her name, hull and year of building can be changed until it has ended" % b["name"])
    old_class = _boat_class_row(env, b["boat_use"], b["propulsion"], b["length_m"])
    new_class = _boat_class_row(env, new["boat_use"], new["propulsion"], new["length_m"])
    if old_class["id"] != new_class["id"]:
        held = env.one("SELECT licence_no FROM licences WHERE boat_id = ? AND class_id = ? AND valid_to >= ? ORDER BY id LIMIT 1",
                       [boat_id, old_class["id"], env.now[:10]])
        if held is not None:
            raise env.Error("that would take %s from class %s to %s, and she holds licence %s of class %s"
                            % (b["name"], old_class["class_code"], new_class["class_code"], held["licence_no"], old_class["class_code"]))
    seal = b["engine_sealed_at"]
    if new["propulsion"] != "hybrid" or new["length_m"] > 14.0:
        seal = None
    env.execute(
        "UPDATE boats SET name = :name, boat_use = :boat_use, propulsion = :propulsion, length_m = :length_m,"
        " width_m = :width_m, draught_m = :draught_m, air_draught_m = :air_draught_m,"
        " electric_register_day = :electric_register_day, wooden_hull = :wooden_hull, built_year = :built_year,"
        " engine_sealed_at = :seal WHERE id = :id",
        dict(new, seal=seal, id=boat_id))
    return {"boat": _boat_view(env, boat_id)}
