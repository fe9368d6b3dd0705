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

def _check_entry_time(env, c):
    """Refuses an entry after the list has closed, or after the hour of booking of an EL convoy."""
    closes = _moment_plus(env, c["leaves_at"], -c["list_closes_minutes"])
    if env.now > closes:
        raise env.Error("the list of %s on %s closed at %s, %d minutes before departure" % (c["convoy"], c["day"], closes[11:16], c["list_closes_minutes"]))
    if c["letter"] == "EL" and c["el_booked_by"] is not None:
        before = (datetime.date.fromisoformat(c["day"]) - datetime.timedelta(days=1)).isoformat()
        if env.now > "%sT%s:00" % (before, c["el_booked_by"]):
            raise env.Error("%s on %s had to be booked by %s on %s" % (c["convoy"], c["day"], c["el_booked_by"], before))

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

def _charge(env, charge):
    """An amount of the tunnel's charges."""
    return env.one("SELECT amount_cents FROM tunnel_charges WHERE charge = ?", [charge])["amount_cents"]

def book_passage(env, *, boat_id: int, convoy_id: int, tonnes: int = None, put_off_from_passage_id: int = None, missed_passage_id: int = None, credit_from_passage_id: int = None, full_convoy_id: int = None) -> dict:
    """Books a boat into an EL convoy, or puts her on the list of a T convoy."""
    b = _own_boat(env, boat_id)
    c = _convoy_for_booking(env, convoy_id)
    barge = b["standing_priority"] == 1 and c["letter"] == "T"
    if env.now >= c["leaves_at"] and not barge:
        raise env.Error("%s on %s has left" % (c["convoy"], c["day"]))
    announced = env.one(
        "SELECT id FROM passages WHERE boat_id = ? AND convoy_id = ? AND status = 'booked' AND announced_at IS NOT NULL ORDER BY id LIMIT 1",
        [boat_id, convoy_id]) if barge else None
    if b["propulsion"] == "none":
        raise env.Error("boats without an engine do not pass the tunnel")
    if c["letter"] == "EL":
        if b["propulsion"] not in ("electric", "hybrid"):
            raise env.Error("%s is driven by %s; only electric boats and sealed hybrids pass in an EL convoy" % (b["name"], b["propulsion"]))
        if b["length_m"] > c["longest_boat_m"]:
            raise env.Error("%s is %.2f m long; an EL convoy takes boats of at most %.2f m" % (b["name"], b["length_m"], c["longest_boat_m"]))
    if c["open_to"] == "freight only" and b["boat_use"] != "freight":
        raise env.Error("on %s only freight passes" % c["day"])
    _check_size(env, b, c["day"])
    other = env.one(
        "SELECT p.passage_no, t.convoy FROM passages p JOIN convoys c ON c.id = p.convoy_id JOIN timetable t ON t.id = c.slot_id"
        " WHERE p.boat_id = ? AND p.status IN ('booked', 'listed', 'controlled') AND c.day = ? AND t.direction = ? AND p.id <> ?"
        " ORDER BY p.id LIMIT 1", [boat_id, c["day"], c["direction"], announced["id"] if announced else 0])
    if other is not None:
        raise env.Error("%s has passage %s in %s on that day in the same direction already" % (b["name"], other["passage_no"], other["convoy"]))
    if not barge:
        _check_entry_time(env, c)
    lies = env.one("SELECT mooring_code FROM moorings WHERE id = ?", [b["mooring_id"]])
    if c["letter"] == "T" and (lies is None or lies["mooring_code"] != c["waiting_basin"]):
        raise env.Error("the list of a T convoy goes by arrival: %s has to lie at %s first" % (b["name"], c["waiting_basin"]))
    _check_licence(env, b, c["day"])
    if b["boat_use"] == "freight":
        if tonnes is None and b["standing_priority"] == 0:
            raise env.Error("say the load in tonnes, 0 when empty")
        if tonnes is not None and tonnes < 0:
            raise env.Error("a load is not less than 0 tonnes")
    elif tonnes is not None:
        raise env.Error("%s is no freight boat and has no load" % b["name"])
    if put_off_from_passage_id is not None and missed_passage_id is not None:
        raise env.Error("a passage takes the place of one that was put off or of one that was missed, not of both")
    if (put_off_from_passage_id is not None or missed_passage_id is not None) and (credit_from_passage_id is not None or full_convoy_id is not None):
        raise env.Error("after a passage that was put off or missed there is nothing to set against or to halve")

    surcharge = c["surcharge_cents"] or 0
    k = _boat_class_row(env, b["boat_use"], b["propulsion"], b["length_m"])
    seal = 0
    if c["letter"] == "EL":
        price = env.one("SELECT el_price_cents FROM licence_classes WHERE class_code = ?", ["A"])["el_price_cents"]
        if b["propulsion"] == "hybrid":
            seal = _charge(env, "seal of a hybrid for EL")
    elif b["standing_priority"] == 1:
        price = _charge(env, "Dame Ursule")
        surcharge = 0
    elif k["class_code"] == "F":
        price = max(k["tow_minimum_cents"], k["tow_price_per_tonne_cents"] * tonnes)
    else:
        price = k["tow_price_cents"]
    basis = "letter_74_318" if b["standing_priority"] == 1 and c["letter"] == "T" else "full"
    credit = 0

    if put_off_from_passage_id is not None:
        old = env.one(
            "SELECT p.status, c.leaves_at, t.direction, k.letter FROM passages p JOIN convoys c ON c.id = p.convoy_id"
            " JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id WHERE p.id = ? AND p.boat_id = ?",
            [put_off_from_passage_id, boat_id])
        if old is None or old["status"] != "put_off":
            raise env.Error("%s was not put off in passage %d" % (b["name"], put_off_from_passage_id))
        if old["letter"] != c["letter"] or old["direction"] != c["direction"]:
            raise env.Error("a boat put off goes first in the next convoy of the same letter and direction")
        used = env.one("SELECT passage_no FROM passages WHERE put_off_from_passage_id = ? AND status <> 'cancelled' ORDER BY id LIMIT 1", [put_off_from_passage_id])
        if used is not None:
            raise env.Error("passage %s has taken the place for that one already" % used["passage_no"])
        between = env.one(
            "SELECT t.convoy, c.day FROM convoys c JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
            " WHERE k.letter = ? AND t.direction = ? AND c.status <> 'cancelled' AND c.leaves_at > ? AND c.leaves_at < ?"
            " ORDER BY c.leaves_at LIMIT 1", [c["letter"], c["direction"], old["leaves_at"], c["leaves_at"]])
        if c["leaves_at"] <= old["leaves_at"] or between is not None:
            raise env.Error("the first place is in the next convoy of the same letter and direction only")
        price, seal, surcharge, basis = 0, 0, 0, "put_off"
    if missed_passage_id is not None:
        old = env.one(
            "SELECT p.status, p.ended_at, c.day, t.direction, k.letter FROM passages p JOIN convoys c ON c.id = p.convoy_id"
            " JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id WHERE p.id = ? AND p.boat_id = ?",
            [missed_passage_id, boat_id])
        if old is None or old["status"] != "missed":
            raise env.Error("%s did not miss a convoy in passage %d" % (b["name"], missed_passage_id))
        if old["letter"] != c["letter"] or old["direction"] != c["direction"]:
            raise env.Error("a missed passage stays valid for the same letter and direction")
        next_day = (datetime.date.fromisoformat(old["day"]) + datetime.timedelta(days=1)).isoformat()
        if c["day"] not in (old["day"], next_day):
            raise env.Error("a missed passage is valid again the same day, and the next day for a charge")
        used = env.one(
            "SELECT p.passage_no FROM passages p JOIN convoys c ON c.id = p.convoy_id JOIN timetable t ON t.id = c.slot_id"
            " JOIN convoy_kinds k ON k.id = t.letter_id WHERE p.boat_id = ? AND p.price_basis = 'missed' AND p.status <> 'cancelled'"
            " AND k.letter = ? AND t.direction = ? AND c.day IN (?, ?) AND p.id > ? ORDER BY p.id LIMIT 1",
            [boat_id, c["letter"], c["direction"], old["day"], next_day, missed_passage_id])
        if used is not None:
            raise env.Error("passage %s has been taken for the missed one already" % used["passage_no"])
        price = 0 if c["day"] == old["day"] else _charge(env, "convoy missed after payment, next day")
        seal, surcharge, basis = 0, 0, "missed"
    if full_convoy_id is not None:
        e = env.one(
            "SELECT c.id, c.day, c.status, t.convoy, t.direction, k.letter, k.most_boats, k.longest_boat_m FROM convoys c"
            " JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id WHERE c.id = ?", [full_convoy_id])
        if e is None:
            raise env.Error("there is no convoy %d" % full_convoy_id)
        if c["letter"] != "T" or e["letter"] != "EL" or e["day"] != c["day"] or e["direction"] != c["direction"]:
            raise env.Error("half the T price is for a T convoy, where an EL convoy of the same day and direction was full or cancelled")
        if b["propulsion"] != "electric" or b["length_m"] > e["longest_boat_m"]:
            raise env.Error("half the T price is for electric boats of at most %.2f m" % e["longest_boat_m"])
        if e["status"] != "cancelled":
            taken = env.one("SELECT COUNT(*) AS n FROM passages WHERE convoy_id = ? AND boat_id <> ? AND status IN ('booked', 'listed', 'controlled', 'passed')",
                            [full_convoy_id, boat_id])["n"]
            if taken < e["most_boats"]:
                raise env.Error("%s on %s is neither full nor cancelled" % (e["convoy"], e["day"]))
        price, basis = price // 2, "half"
    price = price + surcharge
    if credit_from_passage_id is not None:
        paid = env.one(
            "SELECT p.status, p.price_cents, p.refund_cents, k.letter FROM passages p JOIN convoys c ON c.id = p.convoy_id"
            " JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id WHERE p.id = ? AND p.boat_id = ?",
            [credit_from_passage_id, boat_id])
        if paid is None or paid["letter"] != "EL" or paid["status"] != "refused":
            raise env.Error("passage %d is no EL passage of %s that was refused at the control" % (credit_from_passage_id, b["name"]))
        if c["letter"] != "T":
            raise env.Error("an EL price is set against the price of a T passage only")
        if paid["price_cents"] == 0 or paid["refund_cents"] > 0:
            raise env.Error("nothing paid is left of passage %d" % credit_from_passage_id)
        used = env.one("SELECT passage_no FROM passages WHERE credit_from_passage_id = ? AND status <> 'cancelled' ORDER BY id LIMIT 1", [credit_from_passage_id])
        if used is not None:
            raise env.Error("its price was set against passage %s already" % used["passage_no"])
        credit = min(paid["price_cents"], price + seal)

    if barge:
        _list_barge(env, c, b, announced["id"] if announced else 0, announced is not None)
    else:
        reason = _too_full(env, c, [r["length_m"] for r in _on_list(env, convoy_id)] + [b["length_m"]])
        if reason is not None:
            raise env.Error("there is no room for %s in %s on %s: %s" % (b["name"], c["convoy"], c["day"], reason))
    if announced is not None:
        env.execute("UPDATE passages SET status = 'listed', arrived_at = ?, tonnes = COALESCE(?, tonnes) WHERE id = ?",
                    [b["arrived_at"], tonnes, announced["id"]])
        return {"passage": _passage_view(env, announced["id"])}
    listed = c["letter"] == "T"
    passage_id = env.insert(
        "INSERT INTO passages (passage_no, boat_id, convoy_id, status, booked_at, arrived_at, tonnes, put_off_from_passage_id,"
        " price_cents, price_basis, seal_cents, credit_cents, credit_from_passage_id, deposit_cents, deposit_status, refund_cents)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'none', 0)",
        [env.new_id("P"), boat_id, convoy_id, "listed" if listed else "booked", env.now, b["arrived_at"] if listed else None,
         tonnes, put_off_from_passage_id, price, basis, seal, credit, credit_from_passage_id if credit > 0 else None])
    return {"passage": _passage_view(env, passage_id)}
