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

def list_licences(env, *, boat_id: int = None, valid_on: str = None) -> dict:
    """Lists the licences of the boater's boats, the latest first."""
    if boat_id is not None:
        _own_boat(env, boat_id)
    rows = env.query(
        "SELECT l.id FROM licences l JOIN boats b ON b.id = l.boat_id WHERE b.boater_id = :u"
        " AND (:b IS NULL OR l.boat_id = :b) AND (:d IS NULL OR (l.valid_from <= :d AND l.valid_to >= :d))"
        " ORDER BY l.valid_from DESC, l.id DESC", {"u": env.user_id, "b": boat_id, "d": valid_on})
    return {"licences": [_licence_view(env, r["id"]) for r in rows]}
