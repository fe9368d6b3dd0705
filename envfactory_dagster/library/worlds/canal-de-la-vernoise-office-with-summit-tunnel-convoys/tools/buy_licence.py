import datetime

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

def _licence_view(env, licence_id):
    """A licence as the tools show it."""
    return env.one(
        "SELECT l.id, l.licence_no, l.boat_id, b.name AS boat_name, k.class_code, l.duration, l.valid_from, l.valid_to,"
        " r.who AS reduction, l.price_cents, l.bought_at FROM licences l JOIN boats b ON b.id = l.boat_id"
        " JOIN licence_classes k ON k.id = l.class_id LEFT JOIN licence_reductions r ON r.id = l.reduction_id"
        " WHERE l.id = ?", [licence_id])

def _own_boat(env, boat_id):
    """The boat of the boater, or a refusal."""
    b = env.one("SELECT * FROM boats WHERE id = ? AND boater_id = ?", [boat_id, env.user_id])
    if b is None:
        raise env.Error("you have no boat %d" % boat_id)
    return b

def buy_licence(env, *, boat_id: int, duration: str, valid_from: str) -> dict:
    """Buys a licence for a boat of the boater, of the class of her length, at the tariff."""
    b = _own_boat(env, boat_id)
    k = _boat_class_row(env, b["boat_use"], b["propulsion"], b["length_m"])
    if k["class_code"] == "F":
        raise env.Error("%s is a freight boat; class F has no licence but pays a toll" % b["name"])
    price = {"year": k["year_price_cents"], "30 days": k["thirty_days_price_cents"],
             "7 days": k["seven_days_price_cents"], "1 day": k["one_day_price_cents"]}[duration]
    if price is None:
        raise env.Error("there is no licence of %s for class %s" % (duration, k["class_code"]))
    today = env.now[:10]
    if valid_from < today:
        raise env.Error("a licence cannot begin before today, %s" % today)
    if valid_from > "2026-12-31":
        raise env.Error("the tariff holds to 2026-12-31; a licence begins on that day at the latest")
    if duration == "year":
        valid_to = "2026-12-31"
    else:
        days = {"30 days": 30, "7 days": 7, "1 day": 1}[duration]
        valid_to = (datetime.date.fromisoformat(valid_from) + datetime.timedelta(days=days - 1)).isoformat()
    held = env.one(
        "SELECT licence_no, valid_from, valid_to FROM licences WHERE boat_id = ? AND class_id = ? AND valid_from <= ? AND valid_to >= ?"
        " ORDER BY valid_from, id LIMIT 1", [boat_id, k["id"], valid_to, valid_from])
    if held is not None:
        raise env.Error("%s holds licence %s of class %s from %s to %s already"
                        % (b["name"], held["licence_no"], k["class_code"], held["valid_from"], held["valid_to"]))
    reduction_id = None
    if duration == "year":
        if b["boat_use"] == "hire":
            price = round(price * 135 / 100)
        boater = env.one("SELECT riverside_inhabitant FROM boaters WHERE id = ?", [env.user_id])
        fits = {"electric boats in the register": b["propulsion"] == "electric" and b["electric_register_day"] is not None,
                "wooden hull, built 50 or more years ago": b["wooden_hull"] == 1 and b["built_year"] is not None and int(today[:4]) - b["built_year"] >= 50,
                "first registration before 31 March": today < today[:4] + "-03-31",
                "inhabitants of the 14 riverside communes": boater["riverside_inhabitant"] == 1}
        best = None
        for r in env.query("SELECT id, who, percent FROM licence_reductions ORDER BY percent DESC, id"):
            if best is None and fits.get(r["who"], False):
                best = r
        if best is not None:
            reduction_id = best["id"]
            price = round(price * (100 - best["percent"]) / 100)
    licence_id = env.insert(
        "INSERT INTO licences (licence_no, boat_id, class_id, duration, valid_from, valid_to, reduction_id, price_cents, bought_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [env.new_id("L"), boat_id, k["id"], duration, valid_from, valid_to, reduction_id, price, env.now])
    return {"licence": _licence_view(env, licence_id)}
