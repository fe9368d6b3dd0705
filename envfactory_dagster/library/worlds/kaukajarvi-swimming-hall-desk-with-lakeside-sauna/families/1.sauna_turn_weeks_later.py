import datetime

HOURS = ("", "15:00 16:30 18:00 19:30", "15:00 16:30 18:00 19:30", "15:00", "15:00 16:30 18:00 19:30", "15:00 16:30 18:00 20:00", "13:30 15:00 16:30 18:00", "13:30 15:00 16:30 18:00")
CLOSED = ("2026-04-03", "2026-05-01", "2026-12-06", "2026-12-24", "2026-12-25", "2026-12-26")
RULE = "private_sauna_turn_booker"


def _end(hour):
    minutes = int(hour[:2]) * 60 + int(hour[3:]) + 90
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _plus(day, n):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=n)).isoformat()


def instances(world, rng):
    """Somebody with one private turn in the small sauna, some later weeks of which are taken; in part of the cases moved before or too near."""
    today = world.clock[:10]
    people = world.query(
        "SELECT c.id, c.name FROM customers c WHERE c.guardian_id IS NULL AND c.born_on < '2001-01-01'"
        " AND NOT EXISTS (SELECT 1 FROM sauna_turns s WHERE s.customer_id = c.id) AND c.email LIKE '%posti%' ORDER BY c.id"
    )
    booked = world.query("SELECT turn_on, starts_at, ends_at FROM sauna_turns WHERE sauna = 'small' AND kind = 'private' AND status = 'booked'")
    turn_id = world.one("SELECT max(id) AS n FROM sauna_turns")["n"] + 1
    pay_id = world.one("SELECT max(id) AS n FROM payments")["n"] + 1
    now = datetime.datetime.fromisoformat(world.clock)

    def taken(day, hour, rows):
        return any(r["turn_on"] == day and r["starts_at"] < _end(hour) and r["ends_at"] > hour for r in rows)

    while True:
        sort = rng.choice(("free", "free", "free", "free", "moved", "near"))
        day = _plus(today, rng.randint(1, 3) if sort == "near" else rng.randint(4, 24))
        hour = rng.choice(HOURS[datetime.date.fromisoformat(day).isoweekday()].split())
        left = datetime.datetime.fromisoformat(day + "T" + hour + ":00") - now
        if day in CLOSED or taken(day, hour, booked) or (left <= datetime.timedelta(hours=72)) != (sort == "near"):
            continue
        chosen = rng.sample(people, 5)
        blocked = [_plus(day, 7 * n) for n in (1, 2, 3) if rng.random() < (0.6, 0.45, 0.3)[n - 1]]
        turns, payments, rows = [], [], list(booked)
        for n, (who, on) in enumerate(zip(chosen, [day] + blocked)):
            if on in CLOSED or (n and taken(on, hour, booked)):
                continue
            before = max(1, 59 - (datetime.date.fromisoformat(on) - now.date()).days)
            at = _plus(today, -rng.randint(1, min(before, 30))) + f"T{rng.randint(15, 17)}:{rng.choice((5, 15, 25, 35, 50)):02d}:00"
            moved = 1 if n == 0 and sort == "moved" else 0
            turns.append({"id": turn_id + len(turns), "kind": "private", "customer_id": who["id"], "sauna": "small", "turn_on": on, "starts_at": hour, "ends_at": _end(hour),
                          "price_cents": 5500, "status": "booked", "free_moves": moved, "booked_at": at, "fee_cents": 0, "recorded_by": 1})
            payments.append({"id": pay_id + len(payments), "customer_id": who["id"], "kind": "charge", "method": rng.choice(("card", "cash")), "amount_cents": 5500,
                             "purpose": "sauna_turn", "sauna_turn_id": turns[-1]["id"], "paid_at": at, "recorded_by": 1})
            rows.append({"turn_on": on, "starts_at": hour, "ends_at": _end(hour)})
        later = [_plus(day, 7 * n) for n in range(1, 9)]
        target = next(d for d in later if not taken(d, hour, rows))
        if any(d in CLOSED for d in later if d <= target) or target > _plus(today, 60):
            continue
        p = {"who": chosen[0]["name"], "day": day, "turn": turns[0]["id"], "target": target if sort == "free" else None}
        instance = {"p": p, "given": {"sauna_turns": turns, "payments": payments}}
        if sort != "free":
            instance["kind"], instance["rule"] = "refusal", RULE
        yield instance


def solve(tools, p):
    who = next(c for c in tools.search_customers(name=p["who"])["customers"] if c["name"] == p["who"])
    turn = tools.list_sauna_turns(customer_id=who["id"], sauna="small", status="booked", first_day=p["day"], last_day=p["day"])["sauna_turns"][0]
    others = tools.list_sauna_turns(sauna="small", first_day=p["day"], last_day=_plus(p["day"], 63))["sauna_turns"]
    standing = [s for s in tools.list_standing_sauna_turns()["standing_sauna_turns"] if s["sauna"] == "small"]
    for weeks in range(1, 10):
        day = _plus(p["day"], 7 * weeks)
        that_day = [t for t in others if t["turn_on"] == day]
        off = {t["standing_sauna_turn_id"] for t in that_day if t["kind"] == "standing_date"}
        rows = [t for t in that_day if t["kind"] == "private" and t["status"] == "booked"]
        rows += [s for s in standing if s["weekday"] == datetime.date.fromisoformat(day).isoweekday() and s["id"] not in off]
        if any(r["starts_at"] < turn["ends_at"] and r["ends_at"] > turn["starts_at"] for r in rows):
            continue
        try:
            moved = tools.move_sauna_turn(sauna_turn_id=turn["id"], asking_customer_id=who["id"], turn_on=day, starts_at=turn["starts_at"])["sauna_turn"]
        except tools.Error as error:
            return {"outcome": "refused", "answers": {"new_day": None}, "reason": RULE,
                    "message": f"The turn of {p['who']} cannot be moved: {error}; it is moved free of charge only once and only more than 72 hours before its start."}
        return {"outcome": "done", "answers": {"new_day": moved["turn_on"]}, "reason": None,
                "message": f"{p['who']} has the small sauna on {moved['turn_on']} at {moved['starts_at']} now."}


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == RULE


def _first_free(world, p):
    """The first later week in which the hour of this turn is free."""
    turn = world.initial.one("SELECT * FROM sauna_turns WHERE id = ?", [p["turn"]])
    weekday = datetime.date.fromisoformat(turn["turn_on"]).isoweekday()
    for weeks in range(1, 10):
        day = _plus(turn["turn_on"], 7 * weeks)
        private = world.initial.one(
            "SELECT count(*) AS n FROM sauna_turns WHERE sauna = 'small' AND kind = 'private' AND status = 'booked' AND turn_on = ? AND starts_at < ? AND ends_at > ?",
            [day, turn["ends_at"], turn["starts_at"]],
        )["n"]
        standing = world.initial.one(
            "SELECT count(*) AS n FROM standing_sauna_turns s WHERE s.sauna = 'small' AND s.weekday = ? AND s.starts_at < ? AND s.ends_at > ?"
            " AND NOT EXISTS (SELECT 1 FROM sauna_turns x WHERE x.standing_sauna_turn_id = s.id AND x.turn_on = ?)",
            [weekday, turn["ends_at"], turn["starts_at"], day],
        )["n"]
        if private + standing == 0:
            return day


def goal_the_turn_is_on_the_first_free_day(world, p):
    """The turn is on the same hour of the first later week in which it was free; where it cannot be moved, that is reported."""
    if p["target"] is None:
        return _refused(world)
    before = world.initial.one("SELECT starts_at, ends_at FROM sauna_turns WHERE id = ?", [p["turn"]])
    row = world.final.one("SELECT turn_on, starts_at, ends_at, status, free_moves FROM sauna_turns WHERE id = ?", [p["turn"]])
    return row == {"turn_on": _first_free(world, p), "starts_at": before["starts_at"], "ends_at": before["ends_at"], "status": "booked", "free_moves": 1}


def goal_says_the_new_day(world, p):
    """Says on which day the turn is now, and no day where it cannot be moved."""
    if p["target"] is None:
        return _refused(world) and world.report.says("new_day", None)
    return world.report.says("new_day", _first_free(world, p))


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule forbids it."""
    return world.report.outcome in (None, "done" if p["target"] else "refused")


def guard_gives_the_rule_only_where_it_forbids(world, p):
    """Gives the rule as reason where it forbids the move, and no reason otherwise."""
    return world.report.outcome is None or world.report.reason == (None if p["target"] else RULE)


def guard_changes_this_turn_only(world, p):
    """Changed nothing but day, hour and the count of moves of this turn, and nothing at all where it cannot be moved."""
    if p["target"] is None:
        return world.changes == []
    for change in world.changes:
        if change["table"] != "sauna_turns" or change["before"] is None or change["after"] is None or change["before"]["id"] != p["turn"]:
            return False
        if any(k not in ("turn_on", "starts_at", "ends_at", "free_moves") and change["before"][k] != change["after"][k] for k in change["after"]):
            return False
    return True
