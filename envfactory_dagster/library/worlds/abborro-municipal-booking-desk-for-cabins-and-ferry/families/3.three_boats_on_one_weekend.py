import datetime

CLUB_BOATS_NAMES = ("Lehto", "Strandberg", "Väisänen", "Lindgren", "Rajala", "Sundqvist", "Kemppainen", "Ekblad",
                    "Heino", "Fors", "Piirainen", "Nyberg", "Hiltunen", "Öst")


def _plus_days(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _weekends(first, last):
    day, found = first, []
    while _plus_days(day, 2) <= last:
        if datetime.date.fromisoformat(day).weekday() == 4:
            found.append(day)
        day = _plus_days(day, 1)
    return found


def _all_fit(free, boats):
    """Whether each boat can have a mooring of its own among some lengths."""
    left = sorted(free)
    for boat in sorted(boats, reverse=True):
        fitting = [length for length in left if length >= boat]
        if not fitting:
            return False
        left.remove(fitting[0])
    return True


def _good_weekends(moorings, bookings, fridays, boats):
    good = []
    for friday in fridays:
        sunday = _plus_days(friday, 2)
        free = [m["max_length_m"] for m in moorings if not any(
            b["mooring_id"] == m["id"] and b["arrives_on"] < sunday and b["leaves_on"] > friday for b in bookings)]
        if _all_fit(free, boats):
            good.append(friday)
    return good


def instances(world, rng):
    """Three boats of different length that want to lie at one island on the same weekend, where room is short."""
    moorings = world.query("SELECT m.id, m.island_id, m.max_length_m, i.name AS island FROM moorings m"
                           " JOIN islands i ON i.id = m.island_id ORDER BY m.max_length_m DESC, m.id")
    bookings = world.query("SELECT n.mooring_id, n.arrives_on, n.leaves_on FROM mooring_bookings n"
                           " WHERE n.cancelled_at IS NULL ORDER BY n.arrives_on, n.id")
    top = world.one("SELECT (SELECT max(id) FROM mooring_bookings) AS booking,"
                    " (SELECT max(id) FROM households) AS household")
    today, year = world.clock[:10], world.clock[:4]
    for _ in range(3000):
        island = rng.choice(sorted({row["island"] for row in moorings}))
        here = [row for row in moorings if row["island"] == island]
        lengths = sorted({row["max_length_m"] for row in here}, reverse=True)
        boats = [round(rng.uniform(lengths[0] - 1.8, lengths[0] - 0.2), 1),
                 round(rng.uniform(lengths[0] - 1.8, lengths[0] - 0.2), 1),
                 round(rng.uniform(lengths[1] - 1.7, lengths[1] - 0.2), 1)]
        if len(set(boats)) < 3:
            continue
        rng.shuffle(boats)
        first = _plus_days(today, rng.randint(3, 40))
        last = _plus_days(first, rng.randint(22, 48))
        if last > year + "-09-29":
            continue
        fridays = _weekends(first, last)
        if len(fridays) < 3:
            continue
        given, names = [], rng.sample(CLUB_BOATS_NAMES, len(CLUB_BOATS_NAMES))
        for friday in fridays:
            draw = rng.random()
            if draw > 0.75:
                continue
            big = [row for row in here if row["max_length_m"] == lengths[0]]
            rng.shuffle(big)
            for row in big[:1 if draw > 0.3 else 2]:
                begin, end = _plus_days(friday, -rng.randint(0, 2)), _plus_days(friday, rng.randint(1, 3))
                if len(given) < len(names) and not any(
                        b["mooring_id"] == row["id"] and b["arrives_on"] < end and b["leaves_on"] > begin
                        for b in bookings + given):
                    number = len(given)
                    given.append({
                        "id": top["booking"] + 1 + number, "code": f"MB-{40001 + top['booking'] + number}",
                        "household_id": top["household"] + 1 + number, "mooring_id": row["id"], "tariff_id": 1,
                        "boat_name": ("Marina", "Tyrsky", "Fenja", "Ukko", "Sälgrund", "Ilo", "Bris")[number % 7],
                        "boat_length_m": row["max_length_m"] - 0.5, "arrives_on": begin, "leaves_on": end,
                        "price_cents": 3000 * (datetime.date.fromisoformat(end)
                                               - datetime.date.fromisoformat(begin)).days,
                        "status": "booked", "booked_at": _plus_days(today, -9 - number) + "T12:35:00",
                        "cancelled_at": None})
        good = _good_weekends(here, bookings + given, fridays, boats)
        if not good or len(good) == len(fridays) or not given:
            continue
        yield {"p": {"island": island, "first": first, "last": last, "boat": f"{boats[0]:.1f}",
                     "second_boat": f"{boats[1]:.1f}", "third_boat": f"{boats[2]:.1f}"},
               "given": {"households": [{"id": row["household_id"], "name": names[number], "standing": "ordinary",
                                         "reduced_mobility": 0} for number, row in enumerate(given)],
                         "mooring_bookings": given}}


def solve(tools, p):
    island = next(row for row in tools.list_islands()["islands"] if row["name"] == p["island"])["island_id"]
    boats = [float(p[name]) for name in ("boat", "second_boat", "third_boat")]
    good = []
    for friday in _weekends(p["first"], p["last"]):
        free = {}
        for boat in boats:
            for row in tools.search_moorings(arrives_on=friday, leaves_on=_plus_days(friday, 2), boat_length_m=boat,
                                             island_id=island)["moorings"]:
                free[row["mooring_id"]] = row["max_length_m"]
        if _all_fit(list(free.values()), boats):
            good.append(friday)
    return {
        "outcome": "done",
        "answers": {"fridays": good},
        "reason": None,
        "message": f"All three boats find a mooring on the weekends from {', '.join(good)}.",
    }


def goal_says_on_which_weekends(world, p):
    """Names exactly the Fridays on which each of the three boats can have a mooring of its own until Sunday."""
    moorings = world.initial.query("SELECT m.id, m.max_length_m FROM moorings m WHERE m.island_id ="
                                   " (SELECT i.id FROM islands i WHERE i.name = ?)", [p["island"]])
    bookings = world.initial.query("SELECT mooring_id, arrives_on, leaves_on FROM mooring_bookings"
                                   " WHERE status <> 'cancelled'")
    return world.report.says("fridays", _good_weekends(
        moorings, bookings, _weekends(p["first"], p["last"]),
        [float(p[name]) for name in ("boat", "second_boat", "third_boat")]))


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
