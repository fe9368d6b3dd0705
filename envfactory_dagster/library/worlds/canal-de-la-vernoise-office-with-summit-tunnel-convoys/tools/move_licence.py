import datetime

def _licence_view(env, licence_id):
    """A licence as the tools show it."""
    return env.one(
        "SELECT l.id, l.licence_no, l.boat_id, b.name AS boat_name, k.class_code, l.duration, l.valid_from, l.valid_to,"
        " r.who AS reduction, l.price_cents, l.bought_at FROM licences l JOIN boats b ON b.id = l.boat_id"
        " JOIN licence_classes k ON k.id = l.class_id LEFT JOIN licence_reductions r ON r.id = l.reduction_id"
        " WHERE l.id = ?", [licence_id])

def move_licence(env, *, licence_id: int, valid_from: str) -> dict:
    """Moves the first day of a licence that is not yet valid."""
    l = env.one("SELECT l.*, b.name AS boat_name FROM licences l JOIN boats b ON b.id = l.boat_id"
                " WHERE l.id = ? AND b.boater_id = ?", [licence_id, env.user_id])
    if l is None:
        raise env.Error("you have no licence %d" % licence_id)
    today = env.now[:10]
    if l["duration"] == "year":
        raise env.Error("an annual licence cannot be moved")
    if l["valid_from"] <= today:
        raise env.Error("licence %s has begun on %s" % (l["licence_no"], l["valid_from"]))
    if valid_from < today:
        raise env.Error("a licence cannot begin before today, %s" % today)
    if valid_from > "2026-12-31":
        raise env.Error("the tariff holds to 2026-12-31; a licence begins on that day at the latest")
    days = {"30 days": 30, "7 days": 7, "1 day": 1}[l["duration"]]
    valid_to = (datetime.date.fromisoformat(valid_from) + datetime.timedelta(days=days - 1)).isoformat()
    held = env.one(
        "SELECT licence_no, valid_from, valid_to FROM licences WHERE boat_id = ? AND class_id = ? AND id <> ?"
        " AND valid_from <= ? AND valid_to >= ? ORDER BY valid_from, id LIMIT 1",
        [l["boat_id"], l["class_id"], licence_id, valid_to, valid_from])
    if held is not None:
        raise env.Error("%s holds licence %s from %s to %s already" % (l["boat_name"], held["licence_no"], held["valid_from"], held["valid_to"]))
    for p in env.query(
            "SELECT p.passage_no, c.day FROM passages p JOIN convoys c ON c.id = p.convoy_id"
            " WHERE p.boat_id = ? AND p.status IN ('booked', 'listed', 'controlled') AND c.day BETWEEN ? AND ? ORDER BY c.day, p.id",
            [l["boat_id"], l["valid_from"], l["valid_to"]]):
        if not valid_from <= p["day"] <= valid_to:
            raise env.Error("passage %s on %s needs the licence on that day" % (p["passage_no"], p["day"]))
    env.execute("UPDATE licences SET valid_from = ?, valid_to = ? WHERE id = ?", [valid_from, valid_to, licence_id])
    return {"licence": _licence_view(env, licence_id)}
