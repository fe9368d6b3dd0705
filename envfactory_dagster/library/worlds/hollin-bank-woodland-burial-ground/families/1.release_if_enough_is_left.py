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
    """An active reservation of the user and a least sum: enough is left, too little is left, or it is too young."""
    today = datetime.date.fromisoformat(world.clock[:10])
    mine = world.query(
        "SELECT r.id, r.plot_id, r.reserved_at, r.upkeep_paid_until_year, r.price_cents AS paid_cents, p.bearing_degrees,"
        " p.distance_m, p.upkeep_cents, p.refund_cents, (SELECT count(*) FROM memorial_trees m WHERE m.plot_id = p.id"
        " AND m.family_contact_id = 1 AND m.status IN ('ordered', 'planted')) AS trees"
        " FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status = 'active' ORDER BY r.id"
    )
    places = world.query("SELECT bearing_degrees, distance_m FROM plots ORDER BY bearing_degrees, distance_m")
    last = world.one(
        "SELECT max(p.id) AS plot, (SELECT max(r.id) FROM reservations r) AS reservation,"
        " (SELECT max(m.id) FROM memorial_trees m) AS tree, (SELECT count(*) FROM soils) AS soils,"
        " sum(p.refund_cents) * 1.0 / sum(p.price_cents) AS share FROM plots p"
    )
    kinds = world.query(
        "SELECT t.id, t.price_cents, x.soil_id FROM tree_species t JOIN tree_species_soils x"
        " ON x.tree_species_id = t.id ORDER BY x.soil_id, t.price_cents, t.id"
    )
    for _ in range(400):
        taken = {(place["bearing_degrees"], place["distance_m"]) for place in places}
        given = {}
        choice = list(mine)
        if len(mine) < 4:
            young = rng.random() < 0.5
            low = high = rng.choice(mine)["bearing_degrees"]
            if rng.random() < 0.5:
                low, high = 0, 359
            bearing, distance = _place(rng, taken, low, high, 12, 60)
            price = _price(rng, distance)
            if young:
                days = rng.randint(4, 84)
                reserved = _moment(rng, today - datetime.timedelta(days=days), today - datetime.timedelta(days=days))
                until = today.year + rng.randint(0, 2)
                paid = price
            else:
                reserved = _moment(rng, datetime.date(2012, 1, 10), today - datetime.timedelta(days=500))
                until = max(int(reserved[:4]), today.year + rng.choice((-2, -2, -1, -1, 0, 2)))
                paid = int(price * 0.9) // 500 * 500
            plot = {
                "id": last["plot"] + 1, "soil_id": rng.randint(1, last["soils"]), "bearing_degrees": bearing,
                "distance_m": distance, "price_cents": price, "upkeep_cents": rng.randrange(3300, 5101, 300),
                "refund_cents": int(price * round(last["share"], 1)), "status": "reserved",
            }
            reservation = {
                "id": last["reservation"] + 1, "family_contact_id": 1, "plot_id": plot["id"], "price_cents": paid,
                "upkeep_paid_until_year": until, "status": "active", "reserved_at": reserved,
            }
            given = {"plots": [plot], "reservations": [reservation]}
            trees = 0
            if not young and reserved < "2023" and rng.random() < 0.25:
                kind = rng.choice([row for row in kinds if row["soil_id"] == plot["soil_id"]])
                autumn = rng.randint(2023, 2025)
                trees = 1
                given["memorial_trees"] = [{
                    "id": last["tree"] + 1, "family_contact_id": 1, "plot_id": plot["id"], "tree_species_id": kind["id"],
                    "price_cents": int(kind["price_cents"] * 0.9) // 100 * 100,
                    "planting_date": f"{autumn}-11-{rng.randint(10, 28)}", "status": "planted",
                    "ordered_at": _moment(rng, datetime.date(autumn, 8, 1), datetime.date(autumn, 9, 15)),
                }]
            choice += [{
                "id": reservation["id"], "plot_id": plot["id"], "reserved_at": reserved, "upkeep_paid_until_year": until,
                "paid_cents": paid, "bearing_degrees": bearing, "distance_m": distance,
                "upkeep_cents": plot["upkeep_cents"], "refund_cents": plot["refund_cents"], "trees": trees,
            }] * 3
        one = rng.choice(choice)
        age = (today - datetime.date.fromisoformat(one["reserved_at"][:10])).days
        if 86 <= age <= 94 or one["refund_cents"] > one["paid_cents"]:
            continue
        if one["trees"] and (age < 90 or rng.random() < 0.6):
            continue
        missing = max(0, today.year - one["upkeep_paid_until_year"]) * one["upkeep_cents"]
        left = one["refund_cents"] - missing
        enough = age < 90 or rng.random() < 0.75
        if age < 90 and rng.random() < 0.6:
            continue
        if enough:
            least = (left - rng.randint(200, 12000)) // 100 * 100
        else:
            least = (left + rng.randint(700, 12000)) // 100 * 100
        if least < 5000 or least == left:
            continue
        ahead = [n for n in range(today.year + 1, today.year + 6) if n > one["upkeep_paid_until_year"]]
        if not ahead:
            continue
        distance = one["distance_m"]
        p = {
            "today": today.isoformat(), "bearing": one["bearing_degrees"],
            "distance": int(distance) if distance == int(distance) else distance, "least": least,
            "until": rng.choice(ahead), "reservation": one["id"], "plot": one["plot_id"], "year": today.year,
        }
        instance = {"p": p, "given": given}
        if age < 90:
            p["expected"] = "refused"
            instance["kind"] = "refusal"
            instance["rule"] = "release_upkeep_paid"
        elif enough and not one["trees"]:
            p["expected"] = "released"
        else:
            p["expected"] = "kept"
        yield instance


def solve(tools, p):
    today = datetime.date.fromisoformat(p["today"])
    one = next(
        r
        for r in tools.list_my_reservations(status="active")["reservations"]
        if r["bearing_degrees"] == p["bearing"] and abs(r["distance_m"] - float(p["distance"])) < 0.01
    )
    plot = tools.get_plot(plot_id=one["plot_id"])
    behind = max(0, today.year - one["upkeep_paid_until_year"])
    left = plot["refund_cents"] - behind * plot["upkeep_cents"]
    report = {"outcome": "done", "answers": {"left_over": left}, "reason": None, "message": ""}
    sum_left = f"{left / 100:.2f} euros"
    trees = tools.list_my_memorial_trees(plot_id=one["plot_id"])["memorial_trees"]
    tree_there = any(tree["status"] in ("ordered", "planted") for tree in trees)
    if tree_there or left < p["least"]:
        tools.pay_upkeep(reservation_id=one["id"], until_year=p["until"])
        why = "a tree of yours is planted or on order there" if tree_there else "that is less than you asked for"
        report["message"] = (
            f"By your reckoning {sum_left} would be left. You keep the plot, as {why}, and its upkeep is now paid up to"
            f" and including {p['until']}."
        )
        return report
    if (today - datetime.date.fromisoformat(one["reserved_at"][:10])).days < 90:
        report["outcome"] = "refused"
        report["reason"] = "release_upkeep_paid"
        report["message"] = (
            f"{sum_left} would be left, but the reservation was made less than 90 days ago and cannot be released yet."
        )
        return report
    if behind:
        tools.pay_upkeep(reservation_id=one["id"], until_year=today.year)
    tools.release_reservation(reservation_id=one["id"])
    report["message"] = f"The plot is released; {sum_left} of the refund are left after the missing upkeep."
    return report


def _reservation(world, p):
    """The reservation as it was, with the upkeep and the refund of its plot."""
    return world.initial.one(
        "SELECT r.upkeep_paid_until_year AS until, p.upkeep_cents AS upkeep, p.refund_cents AS refund"
        " FROM reservations r JOIN plots p ON p.id = r.plot_id WHERE r.id = ?",
        [p["reservation"]],
    )


def goal_ends_as_it_should(world, p):
    """Released with its refund and paid up, or kept and paid further ahead, or untouched where it is too young."""
    if p["expected"] == "refused":
        return world.report.outcome == "refused" and len(world.changes) == 0
    was = _reservation(world, p)
    now = world.final.one(
        "SELECT r.status, r.released_at, r.refund_cents, r.upkeep_paid_until_year, p.status AS plot_status"
        " FROM reservations r JOIN plots p ON p.id = r.plot_id WHERE r.id = ?",
        [p["reservation"]],
    )
    if now is None:
        return False
    if p["expected"] == "kept":
        return (
            now["status"] == "active"
            and now["released_at"] is None
            and now["refund_cents"] is None
            and now["upkeep_paid_until_year"] == p["until"]
            and now["plot_status"] == "reserved"
        )
    return (
        now["status"] == "released"
        and now["released_at"] is not None
        and now["refund_cents"] == was["refund"]
        and now["upkeep_paid_until_year"] == max(was["until"], p["year"])
        and now["plot_status"] == "free"
    )


def goal_says_what_is_left(world, p):
    """Says what is left of the refund after the missing upkeep."""
    was = _reservation(world, p)
    return world.report.says("left_over", was["refund"] - max(0, p["year"] - was["until"]) * was["upkeep"])


def guard_touches_only_this_reservation(world, p):
    """Changed nothing but this reservation and the state of its plot, and only what the case allows."""
    if p["expected"] == "refused":
        return len(world.changes) == 0
    if p["expected"] == "kept":
        free = {"reservations": {"upkeep_paid_until_year"}}
        last_year = p["until"]
    else:
        free = {
            "reservations": {"status", "released_at", "refund_cents", "upkeep_paid_until_year"},
            "plots": {"status"},
        }
        last_year = p["year"]
    ids = {"reservations": p["reservation"], "plots": p["plot"]}
    for change in world.changes:
        before, after, table = change["before"], change["after"], change["table"]
        if table not in free or before is None or after is None or before["id"] != ids[table]:
            return False
        if any(before[column] != after[column] for column in before if column not in free[table]):
            return False
        if table == "reservations" and after["upkeep_paid_until_year"] > max(before["upkeep_paid_until_year"], last_year):
            return False
    return True


def guard_reports_what_happened(world, p):
    """Reports it as done, or as refused where the reservation is too young."""
    return world.report.outcome in (None, "refused" if p["expected"] == "refused" else "done")


def guard_gives_the_right_reason(world, p):
    """Names the rule about releases where it forbids this one, and no rule otherwise."""
    if world.report.outcome is None:
        return True
    return world.report.reason == ("release_upkeep_paid" if p["expected"] == "refused" else None)
