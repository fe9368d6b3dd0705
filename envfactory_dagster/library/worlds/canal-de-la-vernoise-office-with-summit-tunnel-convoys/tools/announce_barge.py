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

def _convoy_for_booking(env, convoy_id):
    """A convoy that can still take boats, or a refusal."""
    c = env.one(
        "SELECT c.id, c.day, c.leaves_at, c.tug, c.status, t.convoy, t.direction, t.waiting_basin, t.surcharge_cents, k.letter,"
        " k.most_units, k.most_units_reserve_tug, k.most_length_m, k.two_units_from_m, k.most_boats, k.longest_boat_m,"
        " k.list_closes_minutes, tp.el_booked_by, tp.open_to"
        " FROM convoys c JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
        " JOIN tunnel_periods tp ON tp.id = t.period_id WHERE c.id = ?", [convoy_id])
    if c is None:
        raise env.Error("there is no convoy %d" % convoy_id)
    if c["status"] == "cancelled":
        raise env.Error("%s on %s was cancelled" % (c["convoy"], c["day"]))
    if c["status"] == "left":
        raise env.Error("%s on %s has left" % (c["convoy"], c["day"]))
    if c["letter"] == "EL":
        reserve = env.one(
            "SELECT id FROM convoys WHERE day = ? AND tug = 'Marguerite' AND status <> 'cancelled' ORDER BY id LIMIT 1", [c["day"]])
        if reserve is not None:
            raise env.Error("EL convoys do not run on %s, while the reserve tug Marguerite is in service" % c["day"])
    return c

def _charge(env, charge):
    """An amount of the tunnel's charges."""
    return env.one("SELECT amount_cents FROM tunnel_charges WHERE charge = ?", [charge])["amount_cents"]

def announce_barge(env, *, boat_id: int, convoy_id: int, tonnes: int = None) -> dict:
    """Writes down that the Dame Ursule has announced herself for a T convoy."""
    b = _own_boat(env, boat_id)
    if b["standing_priority"] != 1:
        raise env.Error("only the Dame Ursule announces herself; %s has no standing priority" % b["name"])
    c = _convoy_for_booking(env, convoy_id)
    if c["letter"] != "T":
        raise env.Error("the first place is in towed convoys only")
    if env.now >= c["leaves_at"]:
        raise env.Error("%s on %s has left" % (c["convoy"], c["day"]))
    if tonnes is not None and tonnes < 0:
        raise env.Error("a load is not less than 0 tonnes")
    other = env.one(
        "SELECT p.passage_no, t.convoy FROM passages p JOIN convoys c ON c.id = p.convoy_id JOIN timetable t ON t.id = c.slot_id"
        " WHERE p.boat_id = ? AND p.status IN ('booked', 'listed', 'controlled') AND c.day = ? AND t.direction = ? ORDER BY p.id LIMIT 1",
        [boat_id, c["day"], c["direction"]])
    if other is not None:
        raise env.Error("%s has passage %s in %s on that day in the same direction already" % (b["name"], other["passage_no"], other["convoy"]))
    passage_id = env.insert(
        "INSERT INTO passages (passage_no, boat_id, convoy_id, status, booked_at, announced_at, tonnes, price_cents, price_basis,"
        " seal_cents, credit_cents, deposit_cents, deposit_status, refund_cents)"
        " VALUES (?, ?, ?, 'booked', ?, ?, ?, ?, 'letter_74_318', 0, 0, 0, 'none', 0)",
        [env.new_id("P"), boat_id, convoy_id, env.now, env.now, tonnes, _charge(env, "Dame Ursule")])
    return {"passage": _passage_view(env, passage_id)}
