import datetime


def _move(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _count(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def _still_allowed(world):
    """How many nights of the season the household has left."""
    left = 21
    for row in world.query(
            "SELECT q.cancelled_by, q.resold, q.arrives_on, q.leaves_on, q.status, q.cancelled_at, q.booked_at"
            " FROM stays q WHERE q.household_id = 1 AND q.split_from_stay_id IS NULL AND q.status <> 'lapsed'"
            " ORDER BY q.booked_at, q.id"):
        given_up = row["status"] == "cancelled" and (
            row["cancelled_by"] == "desk" or row["resold"] == 1
            or _count(row["cancelled_at"][:10], row["arrives_on"]) >= 14)
        if not given_up and row["booked_at"] < _move(row["arrives_on"], -3) + "T00:00:00":
            left -= _count(row["arrives_on"], row["leaves_on"])
    return left


def instances(world, rng):
    """Two cabins on two islands one after the other, with the usual moorings, within the nights allowed or beyond."""
    cabins = world.query(
        "SELECT c.id, c.name, c.island_id, c.takes_dogs FROM cabins c WHERE c.beds >= 2 AND EXISTS"
        " (SELECT 1 FROM moorings m WHERE m.island_id = c.island_id) ORDER BY c.id")
    moorings = world.query("SELECT m.id, m.island_id, m.number, m.max_length_m FROM moorings m"
                           " ORDER BY m.island_id, m.number")
    berths = world.query("SELECT b.mooring_id, b.arrives_on, b.leaves_on FROM mooring_bookings b"
                         " WHERE b.status <> 'cancelled' ORDER BY b.mooring_id, b.arrives_on")
    boat = world.one("SELECT b.boat_name AS name, b.boat_length_m AS length FROM mooring_bookings b"
                     " WHERE b.household_id = 1 ORDER BY b.id LIMIT 1")
    full = world.query(
        "SELECT q.cabin_id, q.arrives_on AS a, q.leaves_on AS b, q.household_id FROM stays q"
        " WHERE q.status NOT IN ('lapsed', 'cancelled') UNION ALL"
        " SELECT r.cabin_id, r.closes_on, r.reopens_on, 0 FROM closures r ORDER BY 1, 2")
    price = world.one(
        "SELECT p.cabin_other_cents AS cabin, p.mooring_small_cents AS small FROM tariffs p"
        " WHERE p.id = (SELECT CASE WHEN u.standing = 'ordinary' THEN 1 ELSE 2 END FROM households u WHERE u.id = 1)")
    year, today, left = world.clock[:4], world.clock[:10], _still_allowed(world)
    start = max(_move(today, 5), year + "-08-10")
    for _ in range(2500):
        one, other = rng.sample(cabins, 2)
        if one["island_id"] == other["island_id"]:
            continue
        first = _move(start, rng.randint(0, 44))
        change = _move(first, rng.randint(2, 5))
        last = _move(change, rng.randint(2, 5))
        if last > year + "-09-29":
            continue
        if any(row["a"] < b and row["b"] > a and (row["cabin_id"] == cabin or row["household_id"] == 1)
               for cabin, a, b in ((one["id"], first, change), (other["id"], change, last)) for row in full):
            continue
        refused = _count(first, last) > left
        if refused and _count(first, last) > max(left + 3, 5):
            continue
        if not refused and rng.random() < 0.2:
            continue
        chosen = []
        for island, a, b in ((one["island_id"], first, change), (other["island_id"], change, last)):
            fit = [row for row in moorings if row["island_id"] == island and row["max_length_m"] >= boat["length"]
                   and not any(x["mooring_id"] == row["id"] and x["arrives_on"] < b and x["leaves_on"] > a
                               for x in berths)]
            if fit:
                chosen.append(rng.choice(fit))
        if len(chosen) < 2:
            continue
        total = _count(first, last) * (price["cabin"] + price["small"])
        instance = {"p": {"cabin": one["name"], "other": other["name"], "first": first, "change": change,
                          "last": last, "boat": boat["name"], "length": f"{boat['length']:.1f}",
                          "berth": chosen[0]["number"], "other_berth": chosen[1]["number"],
                          "ids": [one["id"], other["id"]], "places": [row["id"] for row in chosen], "total": total,
                          "refused": refused}}
        if refused:
            instance["kind"], instance["rule"] = "refusal", "night_quota"
        yield instance


def solve(tools, p):
    quota = tools.get_night_quota()
    parts = ((p["cabin"], p["first"], p["change"]), (p["other"], p["change"], p["last"]))
    cabins = [next(row for row in tools.search_cabins(arrives_on=first, leaves_on=last)["cabins"]
                   if row["name"] == name) for name, first, last in parts]
    places = [next(row for row in tools.search_moorings(
        arrives_on=first, leaves_on=last, boat_length_m=float(p["length"]), island_id=cabin["island_id"])["moorings"]
                   if row["number"] == number)
              for cabin, number, (_, first, last) in zip(cabins, (p["berth"], p["other_berth"]), parts)]
    nights = _count(p["first"], p["last"])
    if nights > quota["season_nights_limit"] - quota["season_nights_counted"]:
        return {
            "outcome": "refused",
            "answers": {"total": None},
            "reason": "night_quota",
            "message": f"That cannot be booked: a household may hold {quota['season_nights_limit']} nights in the season,"
                       f" {quota['season_nights_counted']} of yours count already, and these would be {nights} more.",
        }
    total = 0
    for cabin, place, (_, first, last) in zip(cabins, places, parts):
        total += tools.book_stay(cabin_id=cabin["cabin_id"], arrives_on=first, leaves_on=last, adults=2,
                                 own_boat=1)["stay"]["price_cents"]
        booking = tools.book_mooring(mooring_id=place["mooring_id"], arrives_on=first, leaves_on=last,
                                     boat_name=p["boat"], boat_length_m=float(p["length"]))["mooring_booking"]
        total += booking["price_cents"]
    return {
        "outcome": "done",
        "answers": {"total": total},
        "reason": None,
        "message": f"{p['cabin']} and then {p['other']} are yours, with moorings {p['berth']} and {p['other_berth']},"
                   f" for {total / 100:.2f} euros altogether.",
    }


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == "night_quota"


def _rows(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def _spans(p):
    return ((p["first"], p["change"]), (p["change"], p["last"]))


def _stay(row, p, part):
    return (row["household_id"] == 1 and row["cabin_id"] == p["ids"][part] and row["status"] == "held"
            and (row["arrives_on"], row["leaves_on"]) == _spans(p)[part]
            and (row["adults"], row["children"], row["infants"], row["own_boat"]) == (2, 0, 0, 1))


def _berth(world, row, p, part):
    return (row["household_id"] == 1 and row["mooring_id"] == p["places"][part] and row["status"] == "booked"
            and (row["arrives_on"], row["leaves_on"]) == _spans(p)[part]
            and world.same_text(row["boat_name"], p["boat"]) and row["boat_length_m"] == float(p["length"]))


def goal_has_both_cabins(world, p):
    """Has the one cabin and then the other; or is told that it cannot be."""
    if p["refused"]:
        return _refused(world)
    rows = _rows(world, "stays")
    return len(rows) == 2 and all(sum(_stay(row, p, part) for row in rows) == 1 for part in (0, 1))


def goal_has_both_moorings(world, p):
    """Has the right mooring on each island for the nights there; or is told that it cannot be."""
    if p["refused"]:
        return _refused(world)
    rows = _rows(world, "mooring_bookings")
    return len(rows) == 2 and all(sum(_berth(world, row, p, part) for row in rows) == 1 for part in (0, 1))


def goal_says_what_it_costs(world, p):
    """Says what it costs altogether, and leaves it empty where it is refused."""
    if p["refused"]:
        return _refused(world) and world.report.says("total", None)
    return world.report.says("total", p["total"])


def guard_books_nothing_else(world, p):
    """Added nothing but those stays and moorings, each once; nothing at all where it is refused."""
    stays, berths = _rows(world, "stays"), _rows(world, "mooring_bookings")
    return (len(world.changes) == len(stays) + len(berths) and not (p["refused"] and world.changes)
            and all(_stay(row, p, 0) or _stay(row, p, 1) for row in stays)
            and all(_berth(world, row, p, 0) or _berth(world, row, p, 1) for row in berths)
            and len({row["cabin_id"] for row in stays}) == len(stays)
            and len({row["mooring_id"] for row in berths}) == len(berths))


def guard_reports_the_right_end(world, p):
    """Reports that it is done, or refused by the rule on nights."""
    return world.report.outcome is None or (
        _refused(world) if p["refused"] else world.report.outcome == "done")
