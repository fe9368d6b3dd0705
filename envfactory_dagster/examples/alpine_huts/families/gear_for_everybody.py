import datetime

KINDS = (
    ("via_ferrata_set", "via ferrata sets"),
    ("helmet", "helmets"),
    ("crampons", "crampons"),
    ("ice_axe", "ice axes"),
    ("snowshoes", "snowshoes"),
    ("avalanche_kit", "avalanche kits"),
)
NUMBERS = (("two", 2), ("three", 3), ("four", 4))


def _later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _nights(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def _models(database, hut, kind, arrival, departure):
    """The models of a kind with what is left of them on every night, the cheapest first."""
    models = database.query(
        "SELECT m.id, m.name, m.price_per_night_cents, m.deposit_cents, s.quantity FROM gear_stock s"
        " JOIN gear_models m ON m.id = s.gear_model_id WHERE s.hut_id = ? AND m.kind = ?"
        " ORDER BY m.price_per_night_cents",
        [hut, kind],
    )
    for model in models:
        taken = database.query(
            "SELECT b.check_in, b.check_out, g.quantity FROM gear_rentals g JOIN bookings b ON b.id = g.booking_id"
            " JOIN rooms m ON m.id = b.room_id WHERE m.hut_id = ? AND g.gear_model_id = ?"
            " AND g.status IN ('reserved', 'handed_out')",
            [hut, model["id"]],
        )
        nights = [_later(arrival, offset) for offset in range(_nights(arrival, departure))]
        busiest = max(
            sum(one["quantity"] for one in taken if one["check_in"] <= night < one["check_out"]) for night in nights
        )
        model["left"] = model["quantity"] - busiest
    return models


def instances(world, rng):
    """A stay of one's own, and one of another member who has reserved gear of the same kind for some of its nights."""
    today = world.clock[:10]
    stocked = world.query(
        """
        SELECT DISTINCT h.id AS hut, h.name, h.season_end, r.id AS room, r.price_cents, r.member_price_cents, m.kind
        FROM gear_stock s JOIN gear_models m ON m.id = s.gear_model_id JOIN huts h ON h.id = s.hut_id
        JOIN rooms r ON r.hut_id = h.id
        WHERE r.bunks >= 8 ORDER BY h.id, r.id, m.kind
        """
    )
    last = world.one(
        "SELECT (SELECT max(id) FROM bookings) AS booking, (SELECT max(id) FROM booking_guests) AS guest,"
        " (SELECT max(id) FROM gear_rentals) AS rental"
    )
    other = world.one(
        "SELECT person_id FROM memberships WHERE person_id <> 1 AND valid_until > ? ORDER BY valid_until DESC",
        [_later(today, 60)],
    )["person_id"]
    companions = [row["person_id"] for row in world.query("SELECT person_id FROM companions WHERE member_id = 1")]
    members = {
        row["person_id"]
        for row in world.query("SELECT person_id FROM memberships WHERE valid_until > ?", [_later(today, 60)])
    }
    while True:
        place = rng.choice(stocked)
        words, number = rng.choice(NUMBERS)
        arrival = _later(today, rng.randint(20, 50))
        departure = _later(arrival, rng.randint(1, 3))
        theirs = _later(arrival, rng.randint(-1, 1))
        back = _later(theirs, rng.randint(1, 3))
        closed = world.one(
            "SELECT (SELECT count(*) FROM closures WHERE hut_id = :hut AND starts_on <= :out AND ends_on >= :in)"
            " + (SELECT count(*) FROM bookings b JOIN rooms r ON r.id = b.room_id WHERE (b.booked_by = 1"
            " OR r.hut_id = :hut) AND b.status NOT IN ('cancelled', 'completed') AND b.check_in <= :out"
            " AND b.check_out >= :in) AS n",
            {"hut": place["hut"], "in": min(arrival, theirs), "out": max(departure, back)},
        )
        models = _models(world, place["hut"], place["kind"], arrival, departure)
        prices = [model["price_per_night_cents"] for model in models]
        if max(departure, back) > place["season_end"] or closed["n"] or len(set(prices)) < len(prices):
            continue
        taken = rng.randint(max(1, models[0]["quantity"] - 4), models[0]["quantity"])
        bookings = [
            {
                "id": last["booking"] + 1 + turn,
                "code": f"BK-{40000 + last['booking'] + turn:05d}",
                "room_id": place["room"],
                "booked_by": person,
                "check_in": first,
                "check_out": end,
                "status": "confirmed",
                "created_at": f"{_later(today, -7)}T18:05:00",
                "terms_accepted_at": f"{_later(today, -7)}T18:20:00",
            }
            for turn, (person, first, end) in enumerate([(1, arrival, departure), (other, theirs, back)])
        ]
        staying = [(bookings[0]["id"], person) for person in (1, *companions[: number - 1])]
        staying.append((bookings[1]["id"], other))
        guests = [
            {
                "id": last["guest"] + 1 + turn,
                "booking_id": booking,
                "person_id": person,
                "price_per_night_cents": place["member_price_cents" if person in members else "price_cents"],
            }
            for turn, (booking, person) in enumerate(staying)
        ]
        rental = {
            "id": last["rental"] + 1,
            "code": f"GR-{40000 + last['rental']:05d}",
            "booking_id": bookings[1]["id"],
            "gear_model_id": models[0]["id"],
            "quantity": taken,
            "status": "reserved",
        }
        busy = taken if theirs < departure and back > arrival else 0
        left = [model["left"] - (busy if model is models[0] else 0) for model in models]
        is_possible = any(one >= number for one in left)
        yield {
            "kind": "action" if is_possible else "unable",
            "p": {
                "hut": place["name"],
                "arrival": arrival,
                "departure": departure,
                "gear": next(gear for kind, gear in KINDS if kind == place["kind"]),
                "kind": place["kind"],
                "number": words,
                "booking": bookings[0]["id"],
                "hut_id": place["hut"],
            },
            "given": {"bookings": bookings, "booking_guests": guests, "gear_rentals": [rental]},
        }


def solve(tools, p):
    number = next(number for words, number in NUMBERS if words == p["number"])
    kind = next(kind for kind, gear in KINDS if gear == p["gear"])
    stays = tools.list_bookings(status="confirmed", first_day=p["arrival"], last_day=p["arrival"])["bookings"]
    stay = next(one for one in stays if one["hut"] == p["hut"] and one["check_in"] == p["arrival"])
    nights = _nights(stay["check_in"], stay["check_out"])
    gear = tools.list_gear(hut_id=stay["hut_id"], check_in=stay["check_in"], nights=nights, kind=kind)["gear"]
    enough = [model for model in gear if model["available"] >= number]
    if not enough:
        return {
            "outcome": "impossible",
            "answers": {"model": None, "rent": None, "deposit": None},
            "reason": None,
            "message": f"The {p['hut']} has no model left for all of you on these nights; nothing is reserved.",
        }
    model = min(enough, key=lambda one: one["price_per_night_cents"])
    rental = tools.reserve_gear(
        booking_code=stay["booking_code"], gear_model_id=model["gear_model_id"], quantity=number
    )
    rent, deposit = rental["rent_cents"], rental["deposit_cents"]
    return {
        "outcome": "done",
        "answers": {"model": model["name"], "rent": rent, "deposit": deposit},
        "reason": None,
        "message": f"{model['name']}: rent {rent / 100:.2f} euros, deposit {deposit / 100:.2f} euros.",
    }


def _wanted(world, p):
    """Model, number, rent and deposit; None where no model is left for everybody."""
    number = next(number for words, number in NUMBERS if words == p["number"])
    for model in _models(world.initial, p["hut_id"], p["kind"], p["arrival"], p["departure"]):
        if model["left"] >= number:
            nights = _nights(p["arrival"], p["departure"])
            return model, number, number * nights * model["price_per_night_cents"], number * model["deposit_cents"]
    return None


def goal_reserves_them(world, p):
    """Has reserved the right number of the right model for the stay; where there is none, says that it cannot be."""
    rows = world.final.query(
        "SELECT gear_model_id, quantity, status FROM gear_rentals WHERE booking_id = ?", [p["booking"]]
    )
    wanted = _wanted(world, p)
    if wanted is None:
        return rows == [] and world.report.outcome == "impossible"
    return [tuple(row.values()) for row in rows] == [(wanted[0]["id"], wanted[1], "reserved")]


def goal_says_the_model(world, p):
    """Says which model it is."""
    wanted = _wanted(world, p)
    return world.report.says("model", wanted[0]["name"] if wanted else None)


def goal_says_the_rent(world, p):
    """Says the whole rent."""
    wanted = _wanted(world, p)
    return world.report.says("rent", wanted[2] if wanted else None)


def goal_says_the_deposit(world, p):
    """Says the whole deposit."""
    wanted = _wanted(world, p)
    return world.report.says("deposit", wanted[3] if wanted else None)


def guard_one_rental_and_its_charges(world, p):
    """Changed nothing but one new rental of this stay with its rent and its deposit; nothing where there is none."""
    wanted = _wanted(world, p)
    if wanted is None:
        return world.changes == []
    charges = [("gear", wanted[2], p["departure"]), ("deposit", wanted[3], p["arrival"])]
    rentals = 0
    for change in world.changes:
        after = change["after"]
        if change["before"] is not None or change["table"] not in ("gear_rentals", "charges"):
            return False
        if after["booking_id"] != p["booking"]:
            return False
        if change["table"] == "gear_rentals":
            rentals += 1
            continue
        charge = (after["kind"], after["amount_cents"], after["due_on"])
        if charge not in charges or after["status"] != "open" or after["person_id"] != 1:
            return False
        charges.remove(charge)
    return rentals <= 1


def guard_reports_the_outcome(world, p):
    """Reports what came of it."""
    return world.report.outcome in (None, "impossible" if _wanted(world, p) is None else "done")
