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

def register_boat(env, *, name: str, propulsion: str, length_m: float, width_m: float, draught_m: float, air_draught_m: float, boat_use: str = "pleasure", electric_register_day: str = None, wooden_hull: int = 0, built_year: int = None) -> dict:
    """Enters a new boat under the boater's name."""
    name = name.strip()
    if not name:
        raise env.Error("the boat needs a name")
    if length_m <= 0 or width_m <= 0 or draught_m <= 0 or air_draught_m <= 0:
        raise env.Error("length, width, draught and air draught are more than 0 m")
    if length_m > 38.9:
        raise env.Error("the canal takes boats of at most 38.90 m in length")
    if width_m > 5.1:
        raise env.Error("the canal takes boats of at most 5.10 m in width")
    if draught_m > 1.6:
        raise env.Error("the canal takes boats of at most 1.60 m draught")
    if air_draught_m > 3.45:
        raise env.Error("the canal takes boats of at most 3.45 m air draught")
    if built_year is not None and (built_year < 1850 or built_year > int(env.now[:4])):
        raise env.Error("a boat cannot have been built in %d" % built_year)
    if electric_register_day is not None:
        if propulsion != "electric":
            raise env.Error("only electric boats stand in the electric register")
        if electric_register_day > env.now[:10]:
            raise env.Error("the day of entry in the electric register, %s, lies ahead" % electric_register_day)
    boat_id = env.insert(
        "INSERT INTO boats (registration_no, name, boater_id, boat_use, propulsion, length_m, width_m, draught_m,"
        " air_draught_m, electric_register_day, wooden_hull, built_year, standing_priority, registered_at)"
        " VALUES (:no, :name, :u, :use, :prop, :l, :w, :d, :a, :er, :wood, :built, 0, :now)",
        {"no": env.new_id("VE"), "name": name, "u": env.user_id, "use": boat_use, "prop": propulsion,
         "l": float(length_m), "w": float(width_m), "d": float(draught_m), "a": float(air_draught_m),
         "er": electric_register_day, "wood": int(wooden_hull), "built": built_year, "now": env.now})
    return {"boat": _boat_view(env, boat_id)}
