import datetime

RULE = "season_turn_contact_or_deputy"
GROUPS = (("juniors", "under_20"), ("adults", "adult"))
CLOSED = ("2026-04-03", "2026-05-01")
NAMES = ("Tero Hannula", "Minttu Saarela", "Olli-Pekka Laine", "Janika Forss", "Samuel Aho-Rinne", "Kirsikka Palo")

def _plus(day, n):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=n)).isoformat()


def _dates(db, club_id, group, first, last):
    """The dates of the season turns of that group in these days which have no row yet, with turn, price and hour."""
    found, day = [], first
    turns = db.query(
        "SELECT id, weekday, starts_at, price_cents, starts_on, ends_on FROM season_turns WHERE club_id = ? AND age_group = ? AND status <> 'in_queue' ORDER BY id", [club_id, dict(GROUPS)[group]]
    )
    while day <= last:
        for t in turns:
            if t["weekday"] == datetime.date.fromisoformat(day).isoweekday() and t["starts_on"] <= day <= t["ends_on"]:
                if db.one("SELECT id FROM lane_bookings WHERE season_turn_id = ? AND first_on = ?", [t["id"], day]) is None:
                    found.append({"turn": t["id"], "day": day, "starts_at": t["starts_at"], "price": t["price_cents"]})
        day = _plus(day, 1)
    return found


def _fee(clock, day, starts_at, price):
    if (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(clock[:10])).days >= 7:
        return 0
    left = datetime.datetime.fromisoformat(day + "T" + starts_at + ":00") - datetime.datetime.fromisoformat(clock)
    return price // 2 if left > datetime.timedelta(hours=24) else price


def instances(world, rng):
    """A club with several dates in some days to come, and somebody of it who may cancel them or may not."""
    today = world.clock[:10]
    clubs = world.query("SELECT id, name FROM clubs c WHERE EXISTS (SELECT 1 FROM season_turns t WHERE t.club_id = c.id AND t.ends_on > ?) ORDER BY id", [today])
    people = {r["name"] for r in world.query("SELECT name FROM customers")}
    person = world.one("SELECT max(id) AS n FROM customers")["n"] + 1
    role = world.one("SELECT max(id) AS n FROM club_representatives")["n"] + 1
    booking = world.one("SELECT max(id) AS n FROM lane_bookings")["n"] + 1
    while True:
        club, group = rng.choice(clubs), rng.choice(GROUPS)[0]
        first = _plus(today, rng.choice((1, 1, 2, 3, 4, 6, 9)))
        last = _plus(first, rng.randint(3, 13))
        dates = _dates(world, club["id"], group, first, last)
        if len(dates) < 2 or len(dates) > 7 or any(first <= c <= last for c in CLOSED):
            continue
        may = world.query(
            "SELECT p.id, p.name FROM club_representatives r JOIN customers p ON p.id = r.customer_id WHERE r.club_id = ? AND r.role IN ('contact', 'deputy') AND ? BETWEEN r.valid_from AND r.valid_until ORDER BY r.id",
            [club["id"], today],
        )
        given = {"lane_bookings": []}
        if rng.random() < 0.3:
            name = rng.choice([n for n in NAMES if n not in people])
            given["customers"] = [{"id": person, "name": name, "born_on": f"19{rng.randint(80, 98)}-0{rng.randint(1, 9)}-{rng.randint(10, 28)}", "phone": f"041 55{rng.randint(1000, 9999)}", "recorded_by": 1}]
            given["club_representatives"] = [{"id": role, "club_id": club["id"], "customer_id": person, "role": "coach", "valid_from": _plus(today, -20), "valid_until": _plus(today, 300), "recorded_by": 1}]
            who, allowed = {"id": person, "name": name}, False
        else:
            who, allowed = rng.choice(may), True
        if len(dates) > 2 and rng.random() < 0.5:
            gone = rng.choice(dates)
            dates.remove(gone)
            turn = world.one("SELECT * FROM season_turns WHERE id = ?", [gone["turn"]])
            at = _plus(today, -1) + "T16:10:00"
            given["lane_bookings"].append({
                "id": booking, "kind": "season_date", "club_id": club["id"], "season_turn_id": turn["id"], "lane": turn["lane"], "first_on": gone["day"], "last_on": gone["day"], "starts_at": turn["starts_at"],
                "ends_at": turn["ends_at"], "price_cents": turn["price_cents"], "status": "cancelled", "cancelled_at": at, "cancelled_by_id": may[0]["id"], "cancel_channel": "email",
                "fee_cents": _fee(at, gone["day"], turn["starts_at"], turn["price_cents"]), "recorded_by": 1, "recorded_at": at})
        p = {"who": who["name"], "club": club["name"].rsplit(" ", 1)[0], "group": group, "first": first, "last": last, "person": who["id"], "club_id": club["id"], "allowed": allowed, "clock": world.clock}
        instance = {"p": p, "given": {t: rows for t, rows in given.items() if rows}}
        if not allowed:
            instance["kind"], instance["rule"] = "refusal", RULE
        yield instance


def solve(tools, p):
    club = next(c for c in tools.search_clubs(name=p["club"])["clubs"] if c["name"].startswith(p["club"]))
    who = next(r["customer_id"] for r in club["club_representatives"] if r["customer_name"] == p["who"])
    turns = [t for t in tools.list_season_turns(club_id=club["id"])["season_turns"] if t["age_group"] == dict(GROUPS)[p["group"]] and t["status"] != "in_queue"]
    rows = tools.list_lane_bookings(club_id=club["id"], kind="season_date", first_day=p["first"], last_day=p["last"])["lane_bookings"]
    known = {(r["season_turn_id"], r["first_on"]) for r in rows}
    costs, day = 0, p["first"]
    while day <= p["last"]:
        for turn in turns:
            if turn["weekday"] != datetime.date.fromisoformat(day).isoweekday() or not turn["starts_on"] <= day <= turn["ends_on"] or (turn["id"], day) in known:
                continue
            try:
                costs += tools.cancel_season_date(season_turn_id=turn["id"], day=day, asking_customer_id=who, cancel_channel="desk")["lane_booking"]["fee_cents"]
            except tools.Error as error:
                return {"outcome": "refused", "answers": {"costs": None}, "reason": RULE, "message": f"The dates stay as they are: {error}."}
        day = _plus(day, 1)
    return {"outcome": "done", "answers": {"costs": costs}, "reason": None, "message": f"All hours of the {p['group']} of {p['club']} in these days are cancelled; that costs {costs / 100:.2f} euros."}


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == RULE


def goal_all_dates_are_cancelled(world, p):
    """Every date of that group in these days is cancelled by this person at the desk at the fee that is due; where somebody asks who may not, that is reported."""
    if not p["allowed"]:
        return _refused(world)
    return all(
        world.final.one("SELECT status, cancelled_by_id, cancel_channel, fee_cents FROM lane_bookings WHERE season_turn_id = ? AND first_on = ?", [d["turn"], d["day"]])
        == {"status": "cancelled", "cancelled_by_id": p["person"], "cancel_channel": "desk", "fee_cents": _fee(p["clock"], d["day"], d["starts_at"], d["price"])}
        for d in _dates(world.initial, p["club_id"], p["group"], p["first"], p["last"])
    )


def goal_says_what_it_costs(world, p):
    """Says what it costs altogether, and nothing where it was refused."""
    if not p["allowed"]:
        return _refused(world) and world.report.says("costs", None)
    return world.report.says("costs", sum(_fee(p["clock"], d["day"], d["starts_at"], d["price"]) for d in _dates(world.initial, p["club_id"], p["group"], p["first"], p["last"])))


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule forbids it."""
    return world.report.outcome in (None, "done" if p["allowed"] else "refused")


def guard_gives_the_rule_only_where_it_forbids(world, p):
    """Gives the rule as reason where it forbids the request, and no reason otherwise."""
    return world.report.outcome is None or world.report.reason == (None if p["allowed"] else RULE)


def guard_cancels_nothing_else(world, p):
    """Added nothing but the cancelled dates that were meant, and changed nothing."""
    meant = {(d["turn"], d["day"]) for d in _dates(world.initial, p["club_id"], p["group"], p["first"], p["last"])} if p["allowed"] else set()
    return all(
        c["table"] == "lane_bookings" and c["before"] is None and c["after"] is not None and c["after"]["kind"] == "season_date" and c["after"]["status"] == "cancelled"
        and (c["after"]["season_turn_id"], c["after"]["first_on"]) in meant
        for c in world.changes
    )
