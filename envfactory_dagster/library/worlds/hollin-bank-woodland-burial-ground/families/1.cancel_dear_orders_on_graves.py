import datetime


def _moment(rng, first, last):
    """A moment in office hours on a day from first to last."""
    day = first + datetime.timedelta(days=rng.randint(0, (last - first).days))
    return f"{day.isoformat()}T{rng.randint(9, 17):02d}:{rng.choice((0, 5, 10, 20, 25, 40, 55)):02d}:00"


def _place(rng, taken, low, high, near, far):
    """A bearing and a distance that no plot has yet."""
    while True:
        bearing = rng.randint(low, high)
        distance = rng.randint(near * 2, far * 2) / 2
        if (bearing, distance) not in taken:
            taken.add((bearing, distance))
            return bearing, distance


def _price(rng, distance):
    """A price that falls with the distance from the survey post."""
    return max(48000, (112000 - int(distance * 900) + rng.randrange(-9000, 9001)) // 500 * 500)


def instances(world, rng):
    """Graves in use with trees on order: some dear and in time, some dear and too late, some cheap."""
    today = datetime.date.fromisoformat(world.clock[:10])
    plots = world.query("SELECT id, bearing_degrees, distance_m, price_cents, refund_cents FROM plots ORDER BY id")
    kinds = world.query(
        "SELECT x.soil_id, t.id, t.price_cents FROM tree_species_soils x JOIN tree_species t ON t.id = x.tree_species_id"
        " ORDER BY x.soil_id, t.id"
    )
    last = world.one(
        "SELECT (SELECT max(id) FROM reservations) AS reservation, (SELECT max(id) FROM memorial_trees) AS tree"
    )
    prices = sorted({kind["price_cents"] for kind in kinds})
    year = today.year if today.month >= 4 else today.year - 1
    season = [datetime.date(year, 11, 1) + datetime.timedelta(days=n) for n in range(151)]
    season = [day for day in season if day <= datetime.date(year + 1, 3, 31)]
    in_time = [day for day in season if (day - today).days >= 22]
    too_late = [day for day in season if 1 <= (day - today).days <= 20]
    for _ in range(400):
        limit = rng.randrange(prices[1] + 200, prices[-2], 50)
        if limit in prices:
            continue
        dear = [kind for kind in kinds if kind["price_cents"] > limit]
        cheap = [kind for kind in kinds if kind["price_cents"] < limit]
        if not dear or not cheap:
            continue
        wanted = [(dear, in_time)] * rng.randint(2, 4) + [(dear, too_late)] * rng.randint(0, 2)
        wanted += [(cheap, in_time)] * rng.randint(1, 2)
        rng.shuffle(wanted)
        taken = {(plot["bearing_degrees"], plot["distance_m"]) for plot in plots}
        given = {"plots": [], "reservations": [], "memorial_trees": []}
        for number, (choice, days) in enumerate(wanted, 1):
            kind = rng.choice(choice)
            bearing, distance = _place(rng, taken, 0, 359, 12, 60)
            price = _price(rng, distance)
            share = plots[0]["refund_cents"] / plots[0]["price_cents"]
            reserved = _moment(rng, datetime.date(2006, 1, 10), datetime.date(2018, 12, 20))
            used = _moment(rng, datetime.date(2019, 2, 1), today - datetime.timedelta(days=200))
            ordered = _moment(rng, today - datetime.timedelta(days=120), today - datetime.timedelta(days=25))
            plot_id = plots[-1]["id"] + number
            given["plots"].append({
                "id": plot_id, "soil_id": kind["soil_id"], "bearing_degrees": bearing, "distance_m": distance,
                "price_cents": price, "upkeep_cents": rng.randrange(3300, 5101, 300),
                "refund_cents": int(price * share), "status": "closed",
            })
            given["reservations"].append({
                "id": last["reservation"] + number, "family_contact_id": 1, "plot_id": plot_id,
                "price_cents": int(price * 0.85) // 500 * 500, "upkeep_paid_until_year": today.year + rng.randint(0, 4),
                "status": "used", "reserved_at": reserved, "used_at": used,
            })
            given["memorial_trees"].append({
                "id": last["tree"] + number, "family_contact_id": 1, "plot_id": plot_id,
                "tree_species_id": kind["id"], "price_cents": kind["price_cents"],
                "planting_date": rng.choice(days).isoformat(), "status": "ordered", "ordered_at": ordered,
            })
        yield {"p": {"today": today.isoformat(), "limit": limit}, "given": given}


def solve(tools, p):
    used = {r["plot_id"] for r in tools.list_my_reservations(status="used")["reservations"]}
    today = datetime.date.fromisoformat(p["today"])
    total = 0
    cancelled = 0
    too_late = 0
    for tree in tools.list_my_memorial_trees(status="ordered")["memorial_trees"]:
        if tree["plot_id"] not in used or tree["price_cents"] <= p["limit"]:
            continue
        last_day = datetime.date.fromisoformat(tree["planting_date"]) - datetime.timedelta(days=21)
        if today > last_day:
            too_late += 1
            continue
        tools.cancel_memorial_tree(memorial_tree_id=tree["id"])
        total += tree["price_cents"]
        cancelled += 1
    return {
        "outcome": "done",
        "answers": {"cancelled_total": total, "too_late": too_late},
        "reason": None,
        "message": (
            f"Trees cancelled: {cancelled}, at {total / 100:.2f} euros altogether."
            f" Trees it was too late to cancel: {too_late}."
        ),
    }


def _dear(world, p):
    """The trees on order above the limit on the user's graves in use."""
    return world.initial.query(
        "SELECT m.* FROM memorial_trees m JOIN reservations r ON r.plot_id = m.plot_id AND r.status = 'used'"
        " WHERE m.family_contact_id = 1 AND r.family_contact_id = 1 AND m.status = 'ordered' AND m.price_cents > ?"
        " ORDER BY m.id",
        [p["limit"]],
    )


def _in_time(row, p):
    """Whether an order can still be cancelled today."""
    planting = datetime.date.fromisoformat(row["planting_date"])
    return (planting - datetime.date.fromisoformat(p["today"])).days >= 21


def goal_cancelled_every_dear_order_in_time(world, p):
    """Every dear tree on a grave in use that could still be cancelled is cancelled and otherwise unchanged."""
    rows = [row for row in _dear(world, p) if _in_time(row, p)]
    for row in rows:
        now = world.final.one("SELECT * FROM memorial_trees WHERE id = ?", [row["id"]])
        if now is None or now["status"] != "cancelled" or now["cancelled_at"] is None:
            return False
        if {**now, "status": "ordered", "cancelled_at": None} != row:
            return False
    return len(rows) > 0


def goal_says_total(world, p):
    """Says what the cancelled trees come to altogether."""
    return world.report.says("cancelled_total", sum(row["price_cents"] for row in _dear(world, p) if _in_time(row, p)))


def goal_says_how_many_too_late(world, p):
    """Says for how many of the dear trees it is too late."""
    return world.report.says("too_late", sum(1 for row in _dear(world, p) if not _in_time(row, p)))


def guard_cancels_only_what_was_meant(world, p):
    """Changed nothing but the state of dear orders on graves in use that could still be cancelled."""
    allowed = {row["id"] for row in _dear(world, p) if _in_time(row, p)}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "memorial_trees" or before is None or after is None:
            return False
        if before["id"] not in allowed or after["status"] != "cancelled":
            return False
        if {**after, "status": before["status"], "cancelled_at": before["cancelled_at"]} != before:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
