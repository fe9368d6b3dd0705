import datetime

def _moment_plus(env, moment, minutes):
    """A moment so many minutes later, or earlier where they are negative."""
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()

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

def _own_passage(env, passage_id):
    """The passage of the boater with its boat and its convoy, or a refusal."""
    p = env.one(
        "SELECT p.*, b.name AS boat_name, b.length_m, b.propulsion, b.boat_use, b.electric_register_day, b.standing_priority,"
        " b.engine_sealed_at, b.arrived_at AS boat_arrived_at, m.mooring_code, c.day, c.leaves_at, c.status AS convoy_status,"
        " t.convoy, t.direction, t.waiting_basin, k.letter, k.list_closes_minutes, k.control_from_minutes, k.control_to_minutes,"
        " k.battery_percent AS battery_least, k.battery_percent_before_2011 AS battery_least_before_2011, k.deposit_cents AS kind_deposit_cents"
        " FROM passages p JOIN boats b ON b.id = p.boat_id LEFT JOIN moorings m ON m.id = b.mooring_id"
        " JOIN convoys c ON c.id = p.convoy_id JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
        " WHERE p.id = ? AND b.boater_id = ?", [passage_id, env.user_id])
    if p is None:
        raise env.Error("you have no passage %d" % passage_id)
    return p

def cancel_passage(env, *, passage_id: int) -> dict:
    """Cancels an open passage and gives back what was paid for it and a deposit that is held."""
    p = _own_passage(env, passage_id)
    if p["status"] not in ("booked", "listed", "controlled"):
        raise env.Error("passage %s is %s and cannot be cancelled" % (p["passage_no"], p["status"]))
    if p["convoy_status"] != "cancelled":
        if p["status"] == "controlled":
            raise env.Error("passage %s was controlled and cannot be cancelled any more" % p["passage_no"])
        closes = _moment_plus(env, p["leaves_at"], -p["list_closes_minutes"])
        if p["convoy_status"] == "left" or env.now > closes:
            raise env.Error("the list of %s on %s closed at %s; the passage cannot be cancelled any more" % (p["convoy"], p["day"], closes[11:16]))
    env.execute(
        "UPDATE passages SET status = 'cancelled', ended_at = ?, refund_cents = price_cents + seal_cents - credit_cents,"
        " deposit_status = CASE WHEN deposit_status = 'held' THEN 'returned' ELSE deposit_status END WHERE id = ?", [env.now, passage_id])
    return {"passage": _passage_view(env, passage_id)}
