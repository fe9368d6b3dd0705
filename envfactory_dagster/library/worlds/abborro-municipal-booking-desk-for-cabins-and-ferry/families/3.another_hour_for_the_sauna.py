import datetime

LATER_SAUNA_NAMES = ("Hirvonen", "Sjöblad", "Korpela", "Törnqvist", "Manninen", "Ahlberg")


def _dated(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _number(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def _nights_open(world):
    """How many nights of this season are open to the household."""
    nights = 21
    for row in world.query(
            "SELECT l.resold, l.cancelled_by, l.cancelled_at, l.booked_at, l.status, l.leaves_on, l.arrives_on"
            " FROM stays l WHERE l.split_from_stay_id IS NULL AND l.household_id = 1 AND l.status <> 'lapsed'"
            " ORDER BY l.leaves_on, l.id"):
        free = row["status"] == "cancelled" and (
            row["cancelled_by"] == "desk" or row["resold"]
            or _number(row["cancelled_at"][:10], row["arrives_on"]) >= 14)
        if not free and row["booked_at"] < _dated(row["arrives_on"], -3) + "T00:00:00":
            nights -= _number(row["arrives_on"], row["leaves_on"])
    return nights


def instances(world, rng):
    """A stay with a sauna turn on every evening, of which some can go to another hour and some cannot."""
    cabins = world.query(
        "SELECT c.id, c.name, c.island_id, s.id AS sauna_id FROM cabins c, saunas s WHERE s.island_id = c.island_id"
        " AND c.has_ramp = 0 AND EXISTS (SELECT 1 FROM moorings m WHERE m.island_id = c.island_id) ORDER BY c.name")
    held = world.query(
        "SELECT l.cabin_id, l.household_id, l.arrives_on AS first, l.leaves_on AS last FROM stays l"
        " WHERE l.status NOT IN ('cancelled', 'lapsed')"
        " UNION ALL SELECT e.cabin_id, 0, e.closes_on, e.reopens_on FROM closures e ORDER BY 1, 3")
    hot = {(row["sauna_id"], row["starts_at"]) for row in world.query(
        "SELECT h.sauna_id, h.starts_at FROM sauna_turns h WHERE h.cancelled_at IS NULL ORDER BY h.starts_at")}
    rates = world.one(
        "SELECT r.id, r.cabin_high_cents, r.cabin_other_cents, r.sauna_turn_cents FROM households o JOIN tariffs r"
        " ON r.id = CASE WHEN o.standing = 'ordinary' THEN 1 ELSE 2 END WHERE o.id = 1")
    top = world.one("SELECT (SELECT max(id) FROM stays) AS stay, (SELECT max(id) FROM households) AS household,"
                    " (SELECT max(id) FROM sauna_turns) AS turn")
    today, year, room = world.clock[:10], world.clock[:4], _nights_open(world)
    for _ in range(4000):
        cabin = rng.choice(cabins)
        if room < 3 or rng.random() < 0.2:
            arrives, booked = _dated(today, rng.randint(2, 3)), today + "T08:15:00"
            leaves = _dated(arrives, rng.randint(3, 6))
        else:
            arrives = _dated(max(_dated(today, 8), year + "-08-10"), rng.randint(0, 44))
            booked = _dated(today, -1) + "T19:15:00"
            leaves = _dated(arrives, rng.randint(3, min(6, room)))
        if leaves > year + "-09-29" or any(
                row["first"] < leaves and row["last"] > arrives
                and (row["cabin_id"] == cabin["id"] or row["household_id"] == 1) for row in held):
            continue
        evenings = [_dated(arrives, n) for n in range(_number(arrives, leaves))]
        time, other = rng.choice((("18:00", "20:00"), ("20:00", "18:00"), ("16:00", "20:00"), ("16:00", "18:00")))
        if any((cabin["sauna_id"], f"{day}T{one}:00") in hot for day in evenings for one in (time, other)):
            continue
        states = {day: rng.choice(("free", "free", "free", "taken", "moved")) for day in evenings}
        good = [day for day in evenings if states[day] == "free"]
        if len(good) < 2 or len(good) == len(evenings):
            continue
        stay_id = top["stay"] + 1
        price = sum(rates["cabin_high_cents"] if "06-15" <= day[5:] <= "08-09" else rates["cabin_other_cents"]
                    for day in evenings)
        turns = [{
            "id": top["turn"] + 1 + number, "household_id": 1, "sauna_id": cabin["sauna_id"], "stay_id": stay_id,
            "tariff_id": rates["id"], "starts_at": f"{day}T{time}:00", "price_cents": rates["sauna_turn_cents"],
            "status": "booked", "booked_at": booked, "moved_at": world.clock[:11] + "08:40:00"
            if states[day] == "moved" else None, "cancelled_at": None} for number, day in enumerate(evenings)]
        others = [day for day in evenings if states[day] == "taken"]
        turns += [{
            "id": top["turn"] + 1 + len(evenings) + number, "household_id": top["household"] + 1 + number,
            "sauna_id": cabin["sauna_id"], "stay_id": None, "tariff_id": 1, "starts_at": f"{day}T{other}:00",
            "price_cents": 3000, "status": "booked", "booked_at": _dated(today, -6 - number) + "T17:30:00",
            "moved_at": None, "cancelled_at": None} for number, day in enumerate(others)]
        given = {
            "households": [{"id": top["household"] + 1 + number, "name": LATER_SAUNA_NAMES[number],
                            "standing": "ordinary", "reduced_mobility": 0} for number in range(len(others))],
            "stays": [{
                "id": stay_id, "code": f"ST-{39000 + stay_id}", "household_id": 1, "cabin_id": cabin["id"],
                "tariff_id": rates["id"], "split_from_stay_id": None, "arrives_on": arrives, "leaves_on": leaves,
                "adults": 2, "children": 0, "infants": 0, "own_boat": 1, "price_cents": price, "status": "held",
                "booked_at": booked, "cancelled_at": None, "cancelled_by": None, "resold": 0}],
            "sauna_turns": turns,
        }
        yield {"p": {"cabin": cabin["name"], "arrives": arrives, "time": time, "other_time": other,
                     "right": {str(row["id"]): f"{row['starts_at'][:10]}T{other}:00" for row in turns
                               if row["household_id"] == 1 and states[row["starts_at"][:10]] == "free"},
                     "moved": good, "kept": [day for day in evenings if day not in good]},
               "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    stay = next(row for row in tools.list_stays(first_day=p["arrives"])["stays"]
                if row["cabin_name"] == p["cabin"] and row["arrives_on"] == p["arrives"]
                and row["status"] not in ("cancelled", "lapsed"))
    moved, kept = [], []
    for turn in tools.list_sauna_turns(status="booked")["sauna_turns"]:
        day, time = turn["starts_at"][:10], turn["starts_at"][11:16]
        if turn["stay_id"] != stay["stay_id"] or time != p["time"]:
            continue
        new = f"{day}T{p['other_time']}:00"
        free = any(row["sauna_id"] == turn["sauna_id"] and row["starts_at"] == new
                   for row in tools.search_sauna_turns(day=day)["sauna_turns"])
        try:
            if not free:
                raise ValueError(new)
            tools.move_sauna_turn(sauna_turn_id=turn["sauna_turn_id"], sauna_id=turn["sauna_id"], starts_at=new)
            moved.append(day)
        except (ValueError, tools.Error):
            kept.append(day)
    return {
        "outcome": "done",
        "answers": {"moved": moved, "kept": kept},
        "reason": None,
        "message": f"On {', '.join(moved)} you have the sauna at {p['other_time']} now; on {', '.join(kept)} it stays at"
                   f" {p['time']}.",
    }


def goal_moves_every_turn_it_can(world, p):
    """Moved every sauna turn of the stay that can go to the other hour."""
    return all(world.final.one("SELECT starts_at, status FROM sauna_turns WHERE id = ?", [int(turn)])
               == {"starts_at": start, "status": "booked"} for turn, start in p["right"].items())


def goal_says_which_evenings_changed(world, p):
    """Says on which evenings the hour has changed."""
    return world.report.says("moved", p["moved"])


def goal_says_which_evenings_did_not(world, p):
    """Says on which evenings it stays at the old hour."""
    return world.report.says("kept", p["kept"])


def guard_moves_nothing_else(world, p):
    """Changed nothing but the hour of those turns."""
    return all(
        change["table"] == "sauna_turns" and change["before"] is not None and change["after"] is not None
        and p["right"].get(str(change["before"]["id"])) == change["after"]["starts_at"]
        and all(change["after"][column] == value for column, value in change["before"].items()
                if column not in ("starts_at", "moved_at")) for change in world.changes)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
