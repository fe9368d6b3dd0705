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

def record_battery_reading(env, *, passage_id: int, battery_percent: int) -> dict:
    """Writes down the battery reading of a boat at the control."""
    p = _own_passage(env, passage_id)
    if p["letter"] != "EL":
        raise env.Error("only boats of an EL convoy are controlled")
    read_before = p["status"] == "refused" and p["battery_percent"] is not None
    if p["status"] not in ("listed", "controlled") and not read_before:
        raise env.Error("passage %s is %s; only boats on the list are controlled" % (p["passage_no"], p["status"]))
    if p["convoy_status"] != "planned":
        raise env.Error("%s on %s was cancelled or has left" % (p["convoy"], p["day"]))
    begins = _moment_plus(env, p["leaves_at"], -p["control_from_minutes"])
    ends = _moment_plus(env, p["leaves_at"], -p["control_to_minutes"])
    if env.now < begins or env.now > ends:
        raise env.Error("the control of %s on %s is from %s to %s" % (p["convoy"], p["day"], begins[11:16], ends[11:16]))
    if battery_percent < 0 or battery_percent > 100:
        raise env.Error("a battery reads from 0 to 100 %")
    if p["propulsion"] == "hybrid" and p["engine_sealed_at"] is None:
        raise env.Error("the engine of %s is not sealed" % p["boat_name"])
    if read_before:
        used = env.one("SELECT passage_no FROM passages WHERE credit_from_passage_id = ? AND status <> 'cancelled' ORDER BY id LIMIT 1", [passage_id])
        if used is not None:
            raise env.Error("its price was set against passage %s already" % used["passage_no"])
        other = env.one(
            "SELECT q.passage_no FROM passages q JOIN convoys c ON c.id = q.convoy_id JOIN timetable t ON t.id = c.slot_id"
            " WHERE q.boat_id = ? AND q.id <> ? AND q.status IN ('booked', 'listed', 'controlled') AND c.day = ? AND t.direction = ?"
            " ORDER BY q.id LIMIT 1", [p["boat_id"], passage_id, p["day"], p["direction"]])
        if other is not None:
            raise env.Error("%s has passage %s on that day in the same direction by now" % (p["boat_name"], other["passage_no"]))
    least = p["battery_least"]
    if p["propulsion"] == "electric" and p["electric_register_day"] is not None and p["electric_register_day"] < "2011-01-01":
        least = p["battery_least_before_2011"]
    has_deposit = p["deposit_cents"] > 0
    if battery_percent >= least:
        env.execute(
            "UPDATE passages SET status = 'controlled', battery_percent = ?, read_at = ?, ended_at = NULL, article_id = NULL,"
            " deposit_status = ? WHERE id = ?", [battery_percent, env.now, "held" if has_deposit else "none", passage_id])
    else:
        article = env.one("SELECT id FROM articles WHERE article_no = ?", [22])
        env.execute(
            "UPDATE passages SET status = 'refused', battery_percent = ?, read_at = ?, ended_at = ?, article_id = ?,"
            " deposit_status = ? WHERE id = ?",
            [battery_percent, env.now, env.now, article["id"], "returned" if has_deposit else "none", passage_id])
    return {"passage": _passage_view(env, passage_id)}
