import datetime

BOTH_SAUNAS_NAMES = ("Hautala", "Sundberg", "Karjalainen", "Öberg", "Mikkola", "Stenman", "Paananen", "Lindholm")


def _next(text, days=1):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """Four weeks in which both saunas of an island are free at the same hour on a few days only."""
    saunas = world.query(
        "SELECT s.id, s.island_id FROM saunas s WHERE s.island_id IN (SELECT island_id FROM saunas"
        " GROUP BY island_id HAVING count(*) = 2) ORDER BY s.id")
    gone = {(row["sauna_id"], row["starts_at"]) for row in world.query(
        "SELECT x.sauna_id, x.starts_at FROM sauna_turns x WHERE x.status <> 'cancelled' ORDER BY x.starts_at, x.id")}
    island = world.one("SELECT i.name, i.closes_on FROM islands i WHERE i.id = ?", [saunas[0]["island_id"]])
    top = world.one("SELECT (SELECT max(id) FROM sauna_turns) AS turn, (SELECT max(id) FROM households) AS household")
    today = world.clock[:10]
    for _ in range(1500):
        first = _next(today, rng.randint(2, 40))
        last = _next(first, rng.randint(20, 27))
        if last > island["closes_on"]:
            continue
        time = rng.choice(("14:00", "16:00", "18:00", "20:00"))
        days, turns = [], []
        day = first
        while day <= last:
            start = f"{day}T{time}:00"
            blocked = [row["id"] for row in saunas if (row["id"], start) in gone]
            weekend = datetime.date.fromisoformat(day).weekday() in (4, 5)
            for row in saunas:
                if row["id"] not in blocked and rng.random() < (0.6 if weekend else 0.45):
                    blocked.append(row["id"])
                    number = len(turns)
                    turns.append({
                        "id": top["turn"] + 1 + number,
                        "household_id": top["household"] + 1 + number % len(BOTH_SAUNAS_NAMES), "sauna_id": row["id"],
                        "stay_id": None, "tariff_id": 1, "starts_at": start, "price_cents": 3000, "status": "booked",
                        "booked_at": _next(today, -1 - number % 25) + f"T1{number % 9}:10:00", "moved_at": None,
                        "cancelled_at": None})
            if not blocked:
                days.append(day)
            day = _next(day)
        if not 2 <= len(days) <= 8:
            continue
        yield {"p": {"island": island["name"], "time": time, "first": first, "last": last},
               "given": {"households": [{"id": top["household"] + 1 + number, "name": name, "standing": "ordinary",
                                         "reduced_mobility": 0} for number, name in enumerate(BOTH_SAUNAS_NAMES)],
                         "sauna_turns": turns}}


def solve(tools, p):
    island = next(row for row in tools.list_islands()["islands"] if row["name"] == p["island"])["island_id"]
    days, day = [], p["first"]
    while day <= p["last"]:
        free = [row for row in tools.search_sauna_turns(day=day, island_id=island)["sauna_turns"]
                if row["starts_at"] == f"{day}T{p['time']}:00"]
        if len(free) == 2:
            days.append(day)
        day = _next(day)
    return {
        "outcome": "done",
        "answers": {"days": days},
        "reason": None,
        "message": f"Both saunas are free at {p['time']} on {', '.join(days)}.",
    }


def goal_says_on_which_days(world, p):
    """Names exactly the days on which both saunas of the island are free at that hour."""
    saunas = [row["id"] for row in world.initial.query(
        "SELECT s.id FROM saunas s JOIN islands i ON i.id = s.island_id WHERE i.name = ? ORDER BY s.id", [p["island"]])]
    taken = {(row["sauna_id"], row["starts_at"]) for row in world.initial.query(
        "SELECT sauna_id, starts_at FROM sauna_turns WHERE status = 'booked'")}
    days, day = [], p["first"]
    while day <= p["last"]:
        if not any((sauna, f"{day}T{p['time']}:00") in taken for sauna in saunas):
            days.append(day)
        day = _next(day)
    return world.report.says("days", days)


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
