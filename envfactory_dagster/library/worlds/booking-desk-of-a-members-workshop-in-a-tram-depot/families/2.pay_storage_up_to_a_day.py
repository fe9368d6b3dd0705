import datetime


def _next(day):
    """The last day of the month that is paid after a day."""
    first = datetime.date.fromisoformat(day) + datetime.timedelta(days=1)
    year, month = (first.year + 1, 1) if first.month == 12 else (first.year, first.month + 1)
    number = first.day
    while True:
        try:
            return (datetime.date(year, month, number) - datetime.timedelta(days=1)).isoformat()
        except ValueError:
            number -= 1


def _payments(paid_until, day):
    """How many months have to be paid to reach a day, and up to when that is paid."""
    count = 0
    while paid_until < day:
        count, paid_until = count + 1, _next(paid_until)
    return count, paid_until


def _rentals(db):
    """The user's running boxes and rack places."""
    return db.query(
        "SELECT r.* FROM storage_rentals r JOIN storage_places p ON p.id = r.storage_place_id WHERE r.member_id = 1"
        " AND r.status = 'running' AND p.kind IN ('box', 'rack') ORDER BY r.id"
    )


def _portions(db, clock):
    """What is left of each portion of the user's credit."""
    rows = db.query(
        "SELECT e.expires_on, SUM(e.amount_cents) AS left_over FROM credit_entries e JOIN membership_members mm"
        " ON mm.membership_id = e.membership_id AND mm.member_id = 1 WHERE e.expires_on >= ? GROUP BY e.expires_on"
        " ORDER BY e.expires_on",
        [clock[:10]],
    )
    return [(row["expires_on"], row["left_over"]) for row in rows if row["left_over"] > 0]


def _plan(db, p):
    """What each rental needs, the number and the sum of the payments, and whether credit covers them."""
    needs = {row["id"]: _payments(row["paid_until"], p["day"]) + (row["price_cents"],) for row in _rentals(db)}
    count = sum(times for times, _, _ in needs.values())
    cost = sum(times * price for times, _, price in needs.values())
    return needs, count, cost, cost <= sum(cents for _, cents in _portions(db, p["clock"]))


def instances(world, rng):
    """A day up to which everything is to be paid, with another rental where the user has only one."""
    today = datetime.date.fromisoformat(world.clock[:10])
    have = world.query(
        "SELECT p.kind FROM storage_places p JOIN storage_rentals r ON r.storage_place_id = p.id AND r.status = 'running'"
        " WHERE r.member_id = 1 ORDER BY p.kind"
    )
    kinds = [row["kind"] for row in have]
    free = world.query(
        "SELECT id, kind, price_cents FROM storage_places WHERE kind IN ('box', 'rack') AND id NOT IN"
        " (SELECT storage_place_id FROM storage_rentals WHERE status = 'running') ORDER BY id"
    )
    top = world.one("SELECT MAX(id) AS id FROM storage_rentals")["id"]
    for _ in range(3000):
        reach = rng.choice((rng.randint(3, 40), rng.randint(41, 120), rng.randint(121, 360)))
        p = {"day": (today + datetime.timedelta(days=reach)).isoformat(), "clock": world.clock}
        instance = {"p": p}
        rentals = _rentals(world)
        given = []
        for place in rng.sample(free, len(free)):
            if place["kind"] in kinds or place["kind"] in [row["kind"] for row in given] or rng.random() < 0.25:
                continue
            started = today - datetime.timedelta(days=rng.randint(20, 150))
            until = _next((started - datetime.timedelta(days=1)).isoformat())
            while until < (today - datetime.timedelta(days=12)).isoformat():
                until = _next(until)
            given.append(
                {
                    "id": top + 1 + len(given),
                    "storage_place_id": place["id"],
                    "member_id": 1,
                    "status": "running",
                    "price_cents": place["price_cents"],
                    "started_on": started.isoformat(),
                    "paid_until": until,
                    "ended_on": None,
                    "kind": place["kind"],
                }
            )
        rows = rentals + given
        counts = [_payments(row["paid_until"], p["day"])[0] for row in rows]
        cost = sum(count * row["price_cents"] for count, row in zip(counts, rows))
        credit = sum(cents for _, cents in _portions(world, world.clock))
        if sum(counts) < 2 or cost == credit:
            continue
        if given:
            instance["given"] = {
                "storage_rentals": [{name: row[name] for name in row if name != "kind"} for row in given]
            }
        yield instance


def solve(tools, p):
    rentals = [
        row for row in tools.list_storage_rentals(status="running")["storage_rentals"] if row["kind"] in ("box", "rack")
    ]
    needs = [(row, _payments(row["paid_until"], p["day"])[0]) for row in rentals]
    count = sum(times for _, times in needs)
    cost = sum(row["price_cents"] * times for row, times in needs)
    enough = tools.get_credit_balance()["total_cents"] >= cost
    for row, times in needs:
        for _ in range(times):
            tools.pay_storage_rental(storage_rental_id=row["storage_rental_id"], use_credit=enough)
    return {
        "outcome": "done",
        "answers": {"payments": count, "cost": cost, "from_credit": enough},
        "reason": None,
        "message": f"That took {count} payments, {cost / 100:.2f} euros altogether, "
        + ("all from your credit." if enough else "all in money."),
    }


def _uses(world):
    """What was used for each rental, by its id."""
    sums = {}
    for change in world.changes:
        row = change["after"]
        if change["table"] == "credit_entries" and change["before"] is None and row is not None:
            sums[row["storage_rental_id"]] = sums.get(row["storage_rental_id"], 0) - row["amount_cents"]
    return sums


def goal_pays_each_place(world, p):
    """Each box and rack place is paid for just as many months as it takes to reach the day."""
    needs = _plan(world.initial, p)[0]
    now = {row["id"]: row["paid_until"] for row in _rentals(world.final)}
    return now == {rental: until for rental, (_, until, _) in needs.items()}


def goal_says_how_many_payments(world, p):
    """Says how many payments it took."""
    return world.report.says("payments", _plan(world.initial, p)[1])


def goal_says_what_it_cost(world, p):
    """Says what it cost altogether."""
    return world.report.says("cost", _plan(world.initial, p)[2])


def goal_says_whether_credit_paid(world, p):
    """Says whether credit paid all of it."""
    return world.report.says("from_credit", _plan(world.initial, p)[3])


def guard_pays_no_further(world, p):
    """Changed no rental but those, and paid none beyond what it takes."""
    needs = _plan(world.initial, p)[0]
    return all(
        c["before"] is not None
        and c["after"] is not None
        and c["after"]["id"] in needs
        and c["after"]["paid_until"] <= needs[c["after"]["id"]][1]
        and all(c["before"][name] == c["after"][name] for name in c["before"] if name != "paid_until")
        for c in world.changes
        if c["table"] == "storage_rentals"
    )


def guard_takes_the_right_purse(world, p):
    """Used credit for just what was paid where it covers everything, and none where it does not."""
    needs, _, _, enough = _plan(world.initial, p)
    rows = [c for c in world.changes if c["table"] == "credit_entries"]
    if not all(c["before"] is None and c["after"] is not None and c["after"]["kind"] == "use" for c in rows):
        return False
    if not enough:
        return not rows
    paid = {}
    for change in world.changes:
        if change["table"] == "storage_rentals" and change["before"] is not None and change["after"] is not None:
            times = _payments(change["before"]["paid_until"], change["after"]["paid_until"])[0]
            paid[change["after"]["id"]] = times * change["after"]["price_cents"]
    return _uses(world) == paid


def guard_touches_no_other_table(world, p):
    """Touched no other table."""
    return all(c["table"] in ("storage_rentals", "credit_entries") for c in world.changes)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Names no rule that would forbid it."""
    return world.report.reason is None
