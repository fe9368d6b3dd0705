def _passage_view(env, passage_id):
    """A passage as the tools show it, with its place on the list."""
    p = env.one(
        "SELECT p.id, p.passage_no, p.boat_id, b.name AS boat_name, p.convoy_id, t.convoy, k.letter, t.direction, c.day,"
        " c.leaves_at, p.status, p.booked_at, p.arrived_at, p.announced_at, p.battery_percent, p.read_at, p.tonnes,"
        " p.put_off_from_passage_id, p.price_cents, p.price_basis, p.seal_cents, p.credit_cents, p.credit_from_passage_id,"
        " p.deposit_cents, p.deposit_status, p.refund_cents, a.article_no, p.ended_at"
        " FROM passages p JOIN boats b ON b.id = p.boat_id JOIN convoys c ON c.id = p.convoy_id"
        " JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
        " LEFT JOIN articles a ON a.id = p.article_id WHERE p.id = ?", [passage_id])
    on_list = env.query(
        "SELECT p.id FROM passages p JOIN boats b ON b.id = p.boat_id"
        " WHERE p.convoy_id = ? AND p.status IN ('booked', 'listed', 'controlled', 'passed')"
        " ORDER BY CASE WHEN p.arrived_at IS NULL THEN 1 ELSE 0 END, b.standing_priority DESC,"
        " CASE WHEN p.put_off_from_passage_id IS NULL THEN 1 ELSE 0 END, COALESCE(p.arrived_at, p.booked_at), p.id", [p["convoy_id"]])
    p["place"] = None
    for number, row in enumerate(on_list, 1):
        if row["id"] == passage_id:
            p["place"] = number
    p["due_cents"] = p["price_cents"] + p["seal_cents"] - p["credit_cents"]
    return p

def _own_boat(env, boat_id):
    """The boat of the boater, or a refusal."""
    b = env.one("SELECT * FROM boats WHERE id = ? AND boater_id = ?", [boat_id, env.user_id])
    if b is None:
        raise env.Error("you have no boat %d" % boat_id)
    return b

def list_passages(env, *, boat_id: int = None, status: str = None, first_day: str = None, last_day: str = None) -> dict:
    """Lists the passages of the boater's boats, the latest convoy first."""
    if boat_id is not None:
        _own_boat(env, boat_id)
    rows = env.query(
        "SELECT p.id FROM passages p JOIN boats b ON b.id = p.boat_id JOIN convoys c ON c.id = p.convoy_id"
        " WHERE b.boater_id = :u AND (:b IS NULL OR p.boat_id = :b) AND (:s IS NULL OR p.status = :s)"
        " AND (:f IS NULL OR c.day >= :f) AND (:l IS NULL OR c.day <= :l) ORDER BY c.leaves_at DESC, p.id DESC",
        {"u": env.user_id, "b": boat_id, "s": status, "f": first_day, "l": last_day})
    return {"passages": [_passage_view(env, r["id"]) for r in rows]}
