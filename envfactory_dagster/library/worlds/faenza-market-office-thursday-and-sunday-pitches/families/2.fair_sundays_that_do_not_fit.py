FELLOWS = ("Oreste Bandini", "Giuliana Samorì", "Domenico Liverani", "Ivana Laghi")
ENDS = ("2026-06-30", "2026-07-31", "2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31")


def instances(world, rng):
    """A cheese seller with a new van and counter, and a day until which the fair Sundays are looked at."""
    me = world.one("SELECT name FROM traders WHERE id = 1")["name"]
    turns = world.query(
        "SELECT t.name AS name, m.held_on AS held_on, p.front_m AS front_m, (SELECT max(e.max_kw) FROM pitch_electricity_tariffs x JOIN electricity_tariffs e"
        " ON e.id = x.electricity_tariff_id WHERE x.pitch_id = p.id) AS kw FROM replacement_turns r JOIN market_days m ON m.id = r.market_day_id"
        " JOIN concessions c ON c.id = r.concession_id JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = r.pitch_id WHERE r.status = 'planned' ORDER BY m.held_on, r.id")
    cases = []
    for name in FELLOWS:
        for last in ENDS:
            for metres in (6, 6.5, 7, 7.5):
                for kw in (0.8, 1.2, 1.4, 1.8, 2.0, 2.4, 2.8):
                    cases.append((name, last, metres, kw))
    rng.shuffle(cases)
    for name, last, metres, kw in cases:
        mine = [t for t in turns if t["name"] == name and t["held_on"] <= last]
        bad = [t["held_on"] for t in mine if t["front_m"] < metres or t["kw"] < kw]
        if name == me or len(mine) < 3 or not bad or len(bad) == len(mine):
            continue
        yield {"p": {"name": name, "last": last, "metres": f"{metres:g}", "kw": f"{kw:g}"}}


def solve(tools, p):
    own = next(c for c in tools.search_concessions(trader_name=p["name"], weekday="sunday", status="active")["concessions"] if c["goods"] == "cheese")
    days = []
    for turn in tools.list_replacement_turns(concession_id=own["id"], last_day=p["last"])["replacement_turns"]:
        if turn["status"] != "planned":
            continue
        shown = tools.get_pitch(pitch_id=turn["pitch_id"])
        long_enough = shown["pitch"]["front_m"] >= float(p["metres"])
        current = any(t["max_kw"] is None or t["max_kw"] >= float(p["kw"]) for t in shown["electricity_tariffs"])
        if not long_enough or not current:
            days.append(turn["held_on"])
    return {
        "outcome": "done",
        "answers": {"days": days},
        "reason": None,
        "message": f"It will not work on {', '.join(days)}.",
    }


def goal_says_on_which_days_it_will_not_work(world, p):
    """Says on which fair Sundays the pitch is too short or the current too weak."""
    rows = world.initial.query(
        "SELECT m.held_on AS held_on, p.front_m AS front_m, max(e.max_kw) AS kw FROM replacement_turns r JOIN market_days m ON m.id = r.market_day_id"
        " JOIN concessions c ON c.id = r.concession_id JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = r.pitch_id"
        " JOIN pitch_electricity_tariffs x ON x.pitch_id = p.id JOIN electricity_tariffs e ON e.id = x.electricity_tariff_id"
        " WHERE t.name = ? AND r.status = 'planned' AND m.held_on <= ? GROUP BY r.id ORDER BY m.held_on",
        [p["name"], p["last"]])
    return world.report.says("days", [r["held_on"] for r in rows if r["front_m"] < float(p["metres"]) or r["kw"] < float(p["kw"])])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
