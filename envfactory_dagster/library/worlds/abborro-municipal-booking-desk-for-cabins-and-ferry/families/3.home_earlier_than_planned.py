import datetime


def _to(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _long(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def _least(first, last):
    """The fewest nights that a stay on these days may have."""
    return 3 if any("06-15" <= _to(first, n)[5:] <= "08-09" for n in range(_long(first, last))) else 2


def _nights_to_spare(world):
    """How many nights the household may still take this season."""
    spare = 21
    for row in world.query(
            "SELECT a.leaves_on, a.arrives_on, a.booked_at, a.cancelled_at, a.resold, a.cancelled_by, a.status"
            " FROM stays a WHERE a.status <> 'lapsed' AND a.household_id = 1 AND a.split_from_stay_id IS NULL"
            " ORDER BY a.id"):
        if row["status"] == "cancelled" and (
                row["resold"] or row["cancelled_by"] == "desk" or _long(row["cancelled_at"][:10], row["arrives_on"]) > 13):
            continue
        if row["booked_at"] < _to(row["arrives_on"], -3) + "T00:00:00":
            spare -= _long(row["arrives_on"], row["leaves_on"])
    return spare


def instances(world, rng):
    """A paid stay with crossings and sauna evenings, and an earlier day of leaving that is or is not allowed."""
    cabins = world.query(
        "SELECT c.id, c.name, c.island_id, s.id AS sauna_id FROM cabins c JOIN saunas s ON s.id ="
        " (SELECT min(z.id) FROM saunas z WHERE z.island_id = c.island_id) WHERE c.has_ramp = 0 ORDER BY c.id")
    stood = world.query(
        "SELECT a.household_id, a.cabin_id, a.arrives_on AS first, a.leaves_on AS last FROM stays a"
        " WHERE a.status NOT IN ('lapsed', 'cancelled')"
        " UNION ALL SELECT 0, k.cabin_id, k.closes_on, k.reopens_on FROM closures k ORDER BY 2, 3")
    ferries = {(row["leaves_at"], row["direction"]): row["id"] for row in world.query(
        "SELECT f.id, f.leaves_at, f.direction FROM departures f WHERE f.leaves_at > ? ORDER BY f.leaves_at, f.id",
        [world.clock])}
    bathing = {(row["sauna_id"], row["starts_at"]) for row in world.query(
        "SELECT b.sauna_id, b.starts_at FROM sauna_turns b WHERE b.status = 'booked' ORDER BY b.id DESC")}
    tariff = world.one(
        "SELECT y.* FROM tariffs y WHERE y.name = (SELECT CASE u.standing WHEN 'ordinary' THEN 'ordinary' ELSE 'resident'"
        " END FROM households u WHERE u.id = 1)")
    top = world.one(
        "SELECT (SELECT max(id) FROM stays) AS stay, (SELECT max(id) FROM departures) AS departure,"
        " (SELECT max(id) FROM crossings) AS crossing, (SELECT max(id) FROM sauna_turns) AS turn,"
        " (SELECT max(id) FROM payments) AS payment")
    today, year, spare = world.clock[:10], world.clock[:4], _nights_to_spare(world)
    for _ in range(4000):
        cabin = rng.choice(cabins)
        soon = spare < 3 or rng.random() < 0.25
        if soon:
            arrives, booked = _to(today, rng.randint(2, 3)), today + "T08:05:00"
            leaves = _to(arrives, rng.randint(3, 6))
        else:
            arrives = _to(max(_to(today, 8), year + "-08-10"), rng.randint(0, 44))
            booked = _to(today, -rng.randint(4, 9)) + "T18:10:00"
            leaves = _to(arrives, rng.randint(3, min(6, spare)))
        if leaves > year + "-09-29":
            continue
        if _long(arrives, leaves) < _least(arrives, leaves):
            continue
        if any(row["first"] < leaves and row["last"] > arrives
               and (row["cabin_id"] == cabin["id"] or row["household_id"] == 1) for row in stood):
            continue
        new = _to(arrives, rng.randint(1, _long(arrives, leaves) - 1))
        refused = _long(arrives, new) < _least(arrives, new)
        if refused and rng.random() < 0.4:
            continue
        time = rng.choice(("13:00", "17:30"))
        if time == "13:00" and any(datetime.date.fromisoformat(day).weekday() == 2 for day in (new, leaves, arrives)):
            continue
        ids, departures = {}, []
        for day, way in ((arrives, "out"), (new, "back"), (leaves, "back")):
            key = (f"{day}T{time}:00", way)
            if key in ferries:
                ids[(day, way)] = ferries[key]
            else:
                ids[(day, way)] = top["departure"] + 1 + len(departures)
                departures.append({
                    "id": ids[(day, way)], "leaves_at": key[0], "direction": way, "places": 48, "deck_m": 34.0,
                    "held_m": 6.0, "shop_bottles": 0, "status": "scheduled", "entered_at": None})
        stay_id, out_id = top["stay"] + 1, top["crossing"] + 1
        price = sum(tariff["cabin_high_cents"] if "06-15" <= _to(arrives, n)[5:] <= "08-09"
                    else tariff["cabin_other_cents"] for n in range(_long(arrives, leaves)))
        gone = sum(tariff["cabin_high_cents"] if "06-15" <= _to(new, n)[5:] <= "08-09"
                   else tariff["cabin_other_cents"] for n in range(_long(new, leaves)))
        evenings = [day for day in (_to(arrives, n) for n in range(_long(arrives, leaves)))
                    if (cabin["sauna_id"], day + "T20:00:00") not in bathing and rng.random() < 0.7]
        if len(evenings) < 2 or not refused and not any(day >= new for day in evenings):
            continue
        turns = [{
            "id": top["turn"] + 1 + number, "household_id": 1, "sauna_id": cabin["sauna_id"], "stay_id": stay_id,
            "tariff_id": tariff["id"], "starts_at": day + "T20:00:00", "price_cents": tariff["sauna_turn_cents"],
            "status": "booked", "booked_at": booked, "moved_at": None, "cancelled_at": None}
            for number, day in enumerate(evenings)]
        fare = 2 * tariff["adult_cents"]
        total = price + 2 * fare + len(turns) * tariff["sauna_turn_cents"]
        ahead = _long(today, arrives)
        back = max(0, gone - 2000) if ahead > 30 else gone // 2 if ahead >= 14 else 0
        given = {
            "departures": departures,
            "stays": [{
                "id": stay_id, "code": f"ST-{37000 + stay_id}", "household_id": 1, "cabin_id": cabin["id"],
                "tariff_id": tariff["id"], "split_from_stay_id": None, "arrives_on": arrives, "leaves_on": leaves,
                "adults": 2, "children": 0, "infants": 0, "own_boat": 0, "price_cents": price, "status": "paid",
                "booked_at": booked, "cancelled_at": None, "cancelled_by": None, "resold": 0}],
            "crossings": [{
                "id": out_id + number, "code": f"CR-{37000 + out_id + number}", "household_id": 1,
                "departure_id": ids[key], "island_id": cabin["island_id"], "stay_id": stay_id, "vehicle_id": None,
                "tariff_id": tariff["id"], "adults": 2, "children": 0, "infants": 0, "dogs": 0, "price_cents": fare,
                "status": "booked", "booked_at": booked, "cancelled_at": None}
                for number, key in enumerate(((arrives, "out"), (leaves, "back")))],
            "sauna_turns": turns,
            "payments": [{
                "id": top["payment"] + 1, "household_id": 1, "stay_id": stay_id, "crossing_id": None,
                "sauna_turn_id": None, "mooring_booking_id": None, "kind": "balance", "method": "card",
                "amount_cents": total, "paid_at": booked[:14] + "25:00"}],
        }
        instance = {"p": {"cabin": cabin["name"], "leaves": leaves, "new": new, "time": time, "stay": stay_id,
                          "home": out_id + 1, "ferry": ids[(new, "back")], "price": price - gone, "back": back,
                          "turns": [row["id"] for row in turns if row["starts_at"][:10] >= new],
                          "each": tariff["sauna_turn_cents"], "refused": refused},
                    "given": {table: rows for table, rows in given.items() if rows}}
        if refused:
            instance["kind"], instance["rule"] = "refusal", "minimum_stay"
        yield instance


def solve(tools, p):
    stay = next(row for row in tools.list_stays()["stays"] if row["cabin_name"] == p["cabin"]
                and row["leaves_on"] == p["leaves"] and row["status"] not in ("cancelled", "lapsed"))
    bill = tools.get_stay(stay_id=stay["stay_id"])
    home = next(row for row in bill["crossings"] if row["direction"] == "back" and row["status"] == "booked")
    ferries = tools.list_departures(first_day=p["new"], last_day=p["new"], direction="back")["departures"]
    ferry = next(row for row in ferries if row["leaves_at"] == f"{p['new']}T{p['time']}:00")
    try:
        refund = tools.shorten_stay(stay_id=stay["stay_id"], leaves_on=p["new"])["refund_cents"]
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"refund": None},
            "reason": "minimum_stay",
            "message": f"{p['cabin']} cannot be left that early: a stay must remain at least 2 nights long, or 3 nights"
                       " if one of them lies between 15 June and 9 August.",
        }
    tools.move_crossing(crossing_id=home["crossing_id"], departure_id=ferry["departure_id"])
    for turn in bill["sauna_turns"]:
        if turn["status"] == "booked" and turn["starts_at"][:10] >= p["new"]:
            tools.cancel_sauna_turn(sauna_turn_id=turn["sauna_turn_id"])
    return {
        "outcome": "done",
        "answers": {"refund": refund},
        "reason": None,
        "message": f"You leave {p['cabin']} on {p['new']} and go home at {p['time']} that day. The sauna evenings after"
                   f" that are cancelled, and for the nights you get {refund / 100:.2f} euros back.",
    }


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == "minimum_stay"


def goal_leaves_earlier(world, p):
    """Leaves the cabin on the earlier day; or is told that it cannot be."""
    if p["refused"]:
        return _refused(world)
    return world.final.one("SELECT leaves_on FROM stays WHERE id = ?", [p["stay"]])["leaves_on"] == p["new"]


def goal_goes_home_that_day(world, p):
    """Goes home on the ferry of that day; or is told that it cannot be."""
    if p["refused"]:
        return _refused(world)
    return world.final.one("SELECT departure_id FROM crossings WHERE id = ? AND status = 'booked'",
                           [p["home"]])["departure_id"] == p["ferry"]


def goal_gives_up_the_later_sauna_evenings(world, p):
    """Has cancelled the sauna turns from that day on; or is told that it cannot be."""
    if p["refused"]:
        return _refused(world)
    return all(world.final.one("SELECT status FROM sauna_turns WHERE id = ?", [turn])["status"] == "cancelled"
               for turn in p["turns"])


def goal_says_what_comes_back(world, p):
    """Says what comes back for the nights, and leaves it empty where it is refused."""
    if p["refused"]:
        return _refused(world) and world.report.says("refund", None)
    return world.report.says("refund", p["back"])


def guard_adds_only_the_dropped_nights_and_refunds(world, p):
    """Added nothing but the dropped nights as a cancelled stay and what comes back for nights and sauna."""
    new = [change for change in world.changes if change["before"] is None]
    if p["refused"]:
        return world.changes == []
    nights = [change["after"] for change in new if change["table"] == "stays"]
    money = [change["after"] for change in new if change["table"] == "payments"]
    amounts = [row["amount_cents"] for row in money]
    allowed = [p["each"]] * len(p["turns"]) + ([p["back"]] if p["back"] else [])
    return (len(new) == len(nights) + len(money) and len(nights) <= 1
            and all(row["household_id"] == 1 and row["split_from_stay_id"] == p["stay"] and row["status"] == "cancelled"
                    and row["cancelled_by"] == "household" and (row["arrives_on"], row["leaves_on"])
                    == (p["new"], p["leaves"]) for row in nights)
            and all(row["household_id"] == 1 and row["stay_id"] == p["stay"] and row["kind"] == "refund"
                    for row in money)
            and all(amounts.count(amount) <= allowed.count(amount) for amount in amounts))


def guard_changes_only_that_stay(world, p):
    """Changed only the end and price of the stay, the ferry home and the later sauna turns."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None:
            continue
        may = {"stays": ("leaves_on", "price_cents"), "crossings": ("departure_id",),
               "sauna_turns": ("status", "cancelled_at")}.get(change["table"], ())
        if after is None or any(after[column] != value for column, value in before.items() if column not in may):
            return False
        if not (change["table"] == "stays" and before["id"] == p["stay"]
                and (after["leaves_on"], after["price_cents"]) == (p["new"], p["price"])
                or change["table"] == "crossings" and before["id"] == p["home"]
                and after["departure_id"] == p["ferry"]
                or change["table"] == "sauna_turns" and before["id"] in p["turns"]
                and after["status"] == "cancelled"):
            return False
    return True


def guard_reports_the_right_end(world, p):
    """Reports that it is done, or refused by the rule on the fewest nights."""
    return world.report.outcome is None or (
        _refused(world) if p["refused"] else world.report.outcome == "done")
