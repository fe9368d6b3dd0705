import datetime

def _moment_plus(env, moment, minutes):
    """A moment so many minutes later, or earlier where they are negative."""
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(minutes=minutes)).isoformat()

def _convoy_view(env, convoy_id):
    """A convoy as the tools show it, with the room that is left."""
    c = env.one(
        "SELECT c.id, c.day, t.convoy, k.letter, t.direction, c.leaves_at, t.waiting_basin, c.tug, c.status, c.left_at,"
        " c.clear_at, c.cancelled_at, k.most_units, k.most_units_reserve_tug, k.most_length_m, k.most_boats,"
        " k.two_units_from_m, k.list_closes_minutes, tp.el_booked_by"
        " FROM convoys c JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
        " JOIN tunnel_periods tp ON tp.id = t.period_id WHERE c.id = ?", [convoy_id])
    if c is None:
        raise env.Error("there is no convoy %s" % convoy_id)
    boats = env.query(
        "SELECT b.length_m FROM passages p JOIN boats b ON b.id = p.boat_id"
        " WHERE p.convoy_id = ? AND p.status IN ('booked', 'listed', 'controlled', 'passed') ORDER BY p.id", [convoy_id])
    towed = c["letter"] == "T"
    units = sum(2 if b["length_m"] >= c["two_units_from_m"] else 1 for b in boats) if towed else None
    length = round(sum(b["length_m"] for b in boats), 2)
    most_units = c["most_units_reserve_tug"] if c["tug"] == "Marguerite" else c["most_units"]
    planned = c["status"] == "planned"
    book_by = None
    if not towed and c["el_booked_by"] is not None:
        before = datetime.date.fromisoformat(c["day"]) - datetime.timedelta(days=1)
        book_by = "%sT%s:00" % (before.isoformat(), c["el_booked_by"])
    return {"id": c["id"], "day": c["day"], "convoy": c["convoy"], "letter": c["letter"], "direction": c["direction"],
            "leaves_at": c["leaves_at"], "list_closes_at": _moment_plus(env, c["leaves_at"], -c["list_closes_minutes"]),
            "book_by": book_by, "waiting_basin": c["waiting_basin"], "tug": c["tug"], "status": c["status"],
            "left_at": c["left_at"], "clear_at": c["clear_at"], "cancelled_at": c["cancelled_at"],
            "boats": len(boats), "units": units, "total_length_m": length,
            "boats_left": None if towed else (max(0, c["most_boats"] - len(boats)) if planned else 0),
            "units_left": (max(0, most_units - units) if planned else 0) if towed else None,
            "length_left_m": (round(max(0.0, c["most_length_m"] - length), 2) if planned else 0.0) if towed else None}

def get_convoy(env, *, convoy_id: int) -> dict:
    """Shows one convoy with its list in the order in which the boats go."""
    view = _convoy_view(env, convoy_id)
    more = env.one(
        "SELECT s.special_day, s.what_holds, t.remarks, k.two_units_from_m FROM convoys c JOIN timetable t ON t.id = c.slot_id"
        " JOIN convoy_kinds k ON k.id = t.letter_id LEFT JOIN special_days s ON s.id = c.special_day_id WHERE c.id = ?", [convoy_id])
    view["special_day"] = more["special_day"]
    view["what_holds"] = more["what_holds"]
    view["remarks"] = more["remarks"]
    rows = env.query(
        "SELECT b.name, b.length_m, b.boater_id, p.status, p.put_off_from_passage_id FROM passages p JOIN boats b ON b.id = p.boat_id"
        " WHERE p.convoy_id = ? AND p.status IN ('booked', 'listed', 'controlled', 'passed')"
        " ORDER BY CASE WHEN p.arrived_at IS NULL THEN 1 ELSE 0 END, b.standing_priority DESC,"
        " CASE WHEN p.put_off_from_passage_id IS NULL THEN 1 ELSE 0 END, COALESCE(p.arrived_at, p.booked_at), p.id", [convoy_id])
    boats = []
    for r in rows:
        double = more["two_units_from_m"] is not None and r["length_m"] >= more["two_units_from_m"]
        boats.append({"place": len(boats) + 1, "boat_name": r["name"], "length_m": r["length_m"], "units": 2 if double else 1,
                      "status": r["status"], "mine": 1 if r["boater_id"] == env.user_id else 0,
                      "put_off_before": 0 if r["put_off_from_passage_id"] is None else 1})
    return {"convoy": view, "boats_on_list": boats}
