import datetime

def _moment_plus(env, moment, minutes):
    """A moment so many minutes later, or earlier where they are negative."""
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()

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

def _check_licence(env, b, day):
    """Refuses a boat without an engine, or without a licence of her class that is valid on the day."""
    k = _boat_class_row(env, b["boat_use"], b["propulsion"], b["length_m"])
    if b["propulsion"] == "none":
        raise env.Error("boats without an engine do not pass the tunnel")
    if k["class_code"] == "F":
        return
    held = env.one("SELECT id FROM licences WHERE boat_id = ? AND class_id = ? AND valid_from <= ? AND valid_to >= ? ORDER BY id LIMIT 1",
                   [b["id"], k["id"], day, day])
    if held is None:
        raise env.Error("%s has no licence of class %s that is valid on %s" % (b["name"], k["class_code"], day))

def _check_size(env, b, day):
    """Refuses a boat over the dimensions in force in the tunnel and on the summit pound."""
    for place, measure, column in (("tunnel", "air draught", "air_draught_m"), ("summit pound", "draught", "draught_m")):
        limit = env.one(
            "SELECT metres FROM size_limits WHERE place = :p AND measure = :m"
            " AND (boat IS NULL OR (:prio = 1 AND boat = :n)) AND (from_day IS NULL OR from_day <= :d)"
            " ORDER BY CASE WHEN boat IS NULL THEN 1 ELSE 0 END, COALESCE(from_day, '') DESC, id DESC LIMIT 1",
            {"p": place, "m": measure, "prio": b["standing_priority"], "n": b["name"], "d": day})
        if limit is not None and b[column] > limit["metres"]:
            raise env.Error("%s has %.2f m %s, and %.2f m are allowed (%s)" % (b["name"], b[column], measure, limit["metres"], place))

def _on_list(env, convoy_id):
    """The boats that count for the room in a convoy, in the order in which they go."""
    return env.query(
        "SELECT p.id, p.status, p.put_off_from_passage_id, b.length_m, b.standing_priority FROM passages p JOIN boats b ON b.id = p.boat_id"
        " WHERE p.convoy_id = ? AND p.status IN ('booked', 'listed', 'controlled')"
        " ORDER BY CASE WHEN p.arrived_at IS NULL THEN 1 ELSE 0 END, b.standing_priority DESC,"
        " CASE WHEN p.put_off_from_passage_id IS NULL THEN 1 ELSE 0 END, COALESCE(p.arrived_at, p.booked_at), p.id", [convoy_id])


def _too_full(env, c, lengths):
    """Why boats of these lengths do not fit into a convoy, or None."""
    if c["letter"] == "EL":
        if len(lengths) > c["most_boats"]:
            return "an EL convoy takes %d boats" % c["most_boats"]
        return None
    most = c["most_units_reserve_tug"] if c["tug"] == "Marguerite" else c["most_units"]
    if sum(2 if x >= c["two_units_from_m"] else 1 for x in lengths) > most:
        return "it takes %d units, and a boat of %d m or more counts as 2" % (most, c["two_units_from_m"])
    if round(sum(lengths), 2) > c["most_length_m"]:
        return "it takes %d m of boats" % c["most_length_m"]
    return None

def _list_barge(env, c, b, passage_id, announced):
    """Checks that the barge is in time and puts off the last boats of a full list; returns nothing."""
    latest = _moment_plus(env, c["leaves_at"], -10)
    in_time = b["arrived_at"] is not None and b["arrived_at"] <= latest and env.now <= c["leaves_at"]
    waited_for = announced and env.now <= _moment_plus(env, c["leaves_at"], 30)
    if not in_time and not waited_for:
        raise env.Error("%s has first place in %s on %s only at the basin 10 minutes before departure, or within 30 minutes after it when she has announced herself"
                        % (b["name"], c["convoy"], c["day"]))
    rows = [r for r in _on_list(env, c["id"]) if r["id"] != passage_id]
    stay = list(rows)
    out = []
    for r in reversed(rows):
        if _too_full(env, c, [x["length_m"] for x in stay] + [b["length_m"]]) is None:
            break
        if r["status"] == "listed" and r["put_off_from_passage_id"] is None and r["standing_priority"] == 0:
            stay.remove(r)
            out.append(r)
    if _too_full(env, c, [x["length_m"] for x in stay] + [b["length_m"]]) is not None:
        raise env.Error("%s on %s is full of boats that were put off before, and no boat is put off twice" % (c["convoy"], c["day"]))
    article = env.one("SELECT id FROM articles WHERE article_no = ?", [20])
    for r in out:
        env.execute("UPDATE passages SET status = 'put_off', ended_at = ?, article_id = ? WHERE id = ?",
                    [env.now, article["id"], r["id"]])

def check_in_passage(env, *, passage_id: int) -> dict:
    """Puts a booked passage on the list when the boat lies at the waiting basin of her convoy."""
    p = _own_passage(env, passage_id)
    if p["status"] != "booked":
        raise env.Error("passage %s is %s; only a booked one is checked in" % (p["passage_no"], p["status"]))
    if p["convoy_status"] != "planned":
        raise env.Error("%s on %s was cancelled or has left" % (p["convoy"], p["day"]))
    if p["day"] != env.now[:10]:
        raise env.Error("%s leaves on %s; boats are checked in on that day" % (p["convoy"], p["day"]))
    if p["mooring_code"] != p["waiting_basin"]:
        raise env.Error("%s does not lie at %s" % (p["boat_name"], p["waiting_basin"]))
    b = env.one("SELECT * FROM boats WHERE id = ? AND boater_id = ?", [p["boat_id"], env.user_id])
    barge = b["standing_priority"] == 1 and p["letter"] == "T"
    if not barge:
        closes = _moment_plus(env, p["leaves_at"], -p["list_closes_minutes"])
        if env.now > closes:
            raise env.Error("the list of %s on %s closed at %s" % (p["convoy"], p["day"], closes[11:16]))
    if p["letter"] == "EL" and p["propulsion"] == "hybrid" and p["engine_sealed_at"] is None:
        raise env.Error("the engine of %s is not sealed" % p["boat_name"])
    _check_size(env, b, p["day"])
    _check_licence(env, b, p["day"])
    if barge:
        c = env.one(
            "SELECT c.id, c.day, c.leaves_at, c.tug, t.convoy, k.letter, k.most_units, k.most_units_reserve_tug, k.most_length_m,"
            " k.two_units_from_m, k.most_boats FROM convoys c JOIN timetable t ON t.id = c.slot_id"
            " JOIN convoy_kinds k ON k.id = t.letter_id WHERE c.id = ?", [p["convoy_id"]])
        _list_barge(env, c, b, passage_id, p["announced_at"] is not None)
    deposit = 0
    if p["letter"] == "EL" and not (p["electric_register_day"] is not None and p["electric_register_day"] < "2011-01-01"):
        deposit = p["kind_deposit_cents"]
    env.execute("UPDATE passages SET status = 'listed', arrived_at = ?, deposit_cents = ?, deposit_status = ? WHERE id = ?",
                [b["arrived_at"], deposit, "held" if deposit > 0 else "none", passage_id])
    return {"passage": _passage_view(env, passage_id)}
