import datetime

LANES = (
    "Ägydigasse 15",
    "Bürgergasse 2",
    "Carnerigasse 30",
    "Defreggergasse 18",
    "Eisengasse 9",
    "Fellingergasse 24",
    "Göstinger Straße 60",
    "Heinrichstraße 131",
    "Idlhofgasse 74",
    "Josefigasse 45",
    "Keplerstraße 112",
    "Lange Gasse 33",
    "Mariengasse 20",
    "Neubaugasse 51",
    "Oeverseegasse 12",
    "Prankergasse 39",
)
PIANOS = (
    ("Yamaha U1", "upright", 12000),
    ("Petrof P 125", "upright", 12000),
    ("Kawai GX-2", "grand", 32000),
    ("Blüthner Model 10", "baby_grand", 24000),
    ("Bösendorfer 225", "grand", 32000),
    ("Italian harpsichord", "harpsichord", 18000),
)


def _ahead(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _working_days(first, last, holidays):
    days = []
    day = datetime.date.fromisoformat(first)
    while day.isoformat() <= last:
        if day.weekday() < 5 and day.isoformat() not in holidays:
            days.append(day.isoformat())
        day += datetime.timedelta(days=1)
    return days


def instances(world, rng):
    """A move and a stretch of days with one first day that works, or a rule in the way, and only one."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM removals) AS m, (SELECT max(id) FROM removal_addresses) AS a,"
        " (SELECT max(id) FROM pianos) AS p"
    )
    people = [row["id"] for row in world.query("SELECT id FROM customers WHERE id <> 1 ORDER BY id")]
    holidays = {row["day"] for row in world.query("SELECT day FROM public_holidays ORDER BY day")}
    lifted = {
        row["removal_day"]
        for row in world.query(
            "SELECT DISTINCT x.removal_day FROM removals x JOIN pianos y ON y.removal_id = x.id WHERE x.status <> 'cancelled'"
        )
    }
    busy = {row["removal_day"] for row in world.query("SELECT removal_day FROM removals WHERE status = 'confirmed'")}
    for _ in range(900):
        wish = rng.choice(("works",) * 7 + ("changes", "late", "lift"))
        piano = rng.random() < 0.7 or wish == "lift"
        now = _ahead(world.clock, rng.randint(1, 4) if wish == "late" else rng.randint(5, 30))
        start = rng.randint(4, 28)
        first = _ahead(world.clock, start)
        last = _ahead(world.clock, start + (rng.randint(0, 3) if wish == "lift" else rng.randint(5, 12)))
        if now in busy or now in lifted or first <= now <= last:
            continue
        days = _working_days(first, last, holidays)
        open_days = [day for day in days if day not in lifted]
        if wish == "lift":
            taken = open_days
        else:
            taken = sorted(rng.sample(open_days, min(len(open_days), rng.randint(1, 3))))
        if any(day in busy for day in taken):
            continue
        free = [day for day in days if not piano or (day not in lifted and day not in taken)]
        if not days or (not free) != (wish == "lift"):
            continue
        streets = rng.sample(LANES, 2 + 2 * len(taken))
        removals = []
        addresses = []
        pianos = []
        for number, day in enumerate([now] + taken):
            own = number == 0
            model, kind, surcharge = rng.choice(PIANOS)
            with_piano = piano or not own
            price = rng.randint(80, 300) * 1000 + (surcharge if with_piano else 0)
            changes = 2 if own and wish == "changes" else rng.randint(0, 1)
            row = {
                "id": tops["m"] + 1 + number,
                "code": f"U-2025-{900 + number:04d}",
                "customer_id": 1 if own else rng.choice(people),
                "removal_day": day,
                "volume_m3": float(rng.randint(9, 36)),
                "price_cents": price,
                "is_fixed_price": 0,
                "deposit_cents": price * 3 // 10,
                "deposit_paid_on": _ahead(world.clock, -9),
                "insured_value_cents": 4500000,
                "premium_per_thousand_cents": 300,
                "crew_leader_id": rng.randint(1, 2),
                "vehicle_id": rng.randint(1, 3),
                "status": "confirmed",
                "date_changes": changes,
                "requested_at": _ahead(world.clock, -28) + "T14:00:00",
                "confirmed_at": _ahead(world.clock, -19) + "T14:00:00",
            }
            removals.append(row)
            for stop, street in zip(("from", "to"), streets[2 * number : 2 * number + 2]):
                addresses.append(
                    {
                        "id": tops["a"] + 1 + len(addresses),
                        "removal_id": row["id"],
                        "stop": stop,
                        "street": street,
                        "town": "Graz",
                        "floor": rng.randint(0, 3),
                        "has_lift": rng.randint(0, 1),
                    }
                )
            if with_piano:
                pianos.append(
                    {
                        "id": tops["p"] + 1 + len(pianos),
                        "removal_id": row["id"],
                        "model": model,
                        "kind": kind,
                        "surcharge_cents": surcharge,
                    }
                )
        given = {"removals": removals, "removal_addresses": addresses}
        if pianos:
            given["pianos"] = pianos
        rule = None
        if wish == "lift":
            rule = "one_piano_removal_a_day"
        elif wish != "works":
            rule = "date_change_limit"
        instance = {
            "p": {
                "street": streets[0],
                "first": first,
                "last": last,
                "move": removals[0]["id"],
                "changes": removals[0]["date_changes"],
                "day": free[0] if rule is None else None,
                "rule": rule,
            },
            "given": given,
        }
        if rule is not None:
            instance["kind"] = "refusal"
            instance["rule"] = rule
        yield instance


def _refused(rule, why):
    return {"outcome": "refused", "answers": {"new_day": None}, "reason": rule, "message": why}


def solve(tools, p):
    moves = tools.list_removals(status="confirmed", street=p["street"])["removals"]
    short = [move for move in moves if move["from_street"] == p["street"]][0]
    move = tools.get_removal(removal_id=short["removal_id"])
    holidays = {h["day"] for h in tools.list_public_holidays(first_day=p["first"], last_day=p["last"])["public_holidays"]}
    days = _working_days(p["first"], p["last"], holidays)
    free = days
    if move["pianos"]:
        lift = tools.list_piano_days(first_day=p["first"], last_day=p["last"])["days"]
        taken = {day["removal_day"] for day in lift}
        free = [day for day in days if day not in taken]
    try:
        moved = tools.move_removal(removal_id=move["removal_id"], removal_day=(free or days)[0])
    except tools.Error:
        if not free:
            return _refused(
                "one_piano_removal_a_day",
                "That cannot be done: there is only one piano lift, and on all these working days another removal with a"
                " piano already stands.",
            )
        return _refused(
            "date_change_limit",
            "That cannot be done: a confirmed removal may be moved at most 2 times, and no later than 5 days before the"
            " day agreed.",
        )
    return {
        "outcome": "done",
        "answers": {"new_day": moved["removal_day"]},
        "reason": None,
        "message": f"The move from {p['street']} now stands on {moved['removal_day']}.",
    }


def goal_stands_on_the_first_day(world, p):
    """The move stands on the first day that works; where a rule forbids it, that rule is reported."""
    if p["rule"] is not None:
        return world.report.outcome == "refused" and world.report.reason == p["rule"]
    row = world.final.one("SELECT removal_day, status, date_changes FROM removals WHERE id = ?", [p["move"]])
    return row["removal_day"] == p["day"] and row["status"] == "confirmed" and row["date_changes"] == p["changes"] + 1


def goal_says_the_new_day(world, p):
    """Says the new day; nothing where a rule forbids it."""
    if p["rule"] is not None:
        return world.report.outcome == "refused" and world.report.says("new_day", None)
    return world.report.says("new_day", p["day"])


def guard_changes_only_the_day_of_this_move(world, p):
    """Changed nothing but the day of this move and the count of its changes; nothing where a rule forbids it."""
    if p["rule"] is not None:
        return world.changes == []
    for c in world.changes:
        if c["table"] != "removals" or c["before"] is None or c["after"] is None or c["before"]["id"] != p["move"]:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in ("removal_day", "date_changes")):
            return False
    return True


def guard_reports_what_happened(world, p):
    """Reports that it is done, or, where a rule forbids it, that it is refused for that."""
    if world.report.outcome is None:
        return True
    if p["rule"] is not None:
        return world.report.outcome == "refused" and world.report.reason == p["rule"]
    return world.report.outcome == "done" and world.report.reason is None
