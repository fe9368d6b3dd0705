def _left(world, p):
    """What is left, read off the databases."""
    cuts = world.one(
        "SELECT coalesce(sum(price_cents), 0) AS n FROM barber_appointments WHERE customer_id = 1"
        " AND status IN ('booked', 'confirmed') AND starts_at > ?",
        [p["now"]],
    )["n"]
    owed = world.one(
        "SELECT coalesce(sum(amount_cents), 0) AS n FROM club_replacement_charges WHERE member_id = 1 AND status = 'unpaid'"
    )["n"]
    return p["budget"] - cuts - owed


def _price(world, p):
    return world.one(
        "SELECT s.price_cents AS n FROM barber_services s JOIN barber_barbers b ON b.id = s.barber_id"
        " WHERE b.name = ? AND lower(s.name) = ?",
        [p["barber"], p["service"]],
    )["n"]


def instances(world, rng):
    """Sums around what is to be paid, and services whose price is near what is left."""
    services = world.query(
        "SELECT lower(s.name) AS service, b.name AS barber, s.price_cents FROM barber_services s"
        " JOIN barber_barbers b ON b.id = s.barber_id WHERE s.name NOT LIKE 'Children%' ORDER BY s.id"
    )
    due = world.one(
        "SELECT (SELECT sum(price_cents) FROM barber_appointments WHERE customer_id = 1"
        " AND status IN ('booked', 'confirmed')) + (SELECT sum(amount_cents) FROM club_replacement_charges"
        " WHERE member_id = 1 AND status = 'unpaid') AS n"
    )["n"]
    while True:
        one = rng.choice(services)
        over = one["price_cents"] + rng.choice([-1, 1]) * rng.randint(0, 9) * 100
        budget = (due + over) // 100 * 100 + rng.choice([0, 100])
        yield {"p": {"budget": budget, "service": one["service"], "barber": one["barber"], "now": world.clock}}


def solve(tools, p):
    ahead = [
        a for status in ("booked", "confirmed") for a in tools.barber_list_my_appointments(status=status)["appointments"]
    ]
    owed = tools.club_list_my_replacement_charges(status="unpaid")["replacement_charges"]
    left = p["budget"] - sum(a["price_cents"] for a in ahead) - sum(c["amount_cents"] for c in owed)
    found = tools.barber_search_services(name=p["service"])["services"]
    price = next(
        s["price_cents"] for s in found if s["barber_name"] == p["barber"] and s["name"].lower() == p["service"]
    )
    enough = left >= price
    return {
        "outcome": "done",
        "answers": {"left": left, "covers_it": enough},
        "reason": None,
        "message": f"That leaves {left / 100:.2f} euros, which is "
        + ("enough for it." if enough else "not enough for it."),
    }


def goal_says_what_is_left(world, p):
    """Says what is left."""
    return world.report.says("left", _left(world.initial, p))


def goal_says_whether_it_covers_the_service(world, p):
    """Says whether the further service fits."""
    return world.report.says("covers_it", _left(world.initial, p) >= _price(world.initial, p))


def guard_changes_nothing(world, p):
    """Changed nothing in either place."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
