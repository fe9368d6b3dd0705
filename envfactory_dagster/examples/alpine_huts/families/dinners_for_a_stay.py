import datetime

NIGHTS = (1, 2, 3, 4)


def _later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """A stay of one's own that is still to come, at a hut with a kitchen, outside its closures."""
    today = world.clock[:10]
    huts = world.query(
        """
        SELECT h.id, h.name, h.season_start, h.season_end, m.id AS room_id, m.member_price_cents
        FROM huts h JOIN rooms m ON m.hut_id = h.id
        WHERE h.season_end > ? AND EXISTS (SELECT 1 FROM meals d WHERE d.hut_id = h.id AND d.course = 'dinner')
        ORDER BY m.id
        """,
        [today],
    )
    companions = world.query("SELECT person_id FROM companions WHERE member_id = 1 ORDER BY person_id")
    last = world.one("SELECT (SELECT max(id) FROM bookings) AS booking, (SELECT max(id) FROM booking_guests) AS guest")
    while True:
        hut = rng.choice(huts)
        nights = rng.choice(NIGHTS)
        arrival = _later(max(today, hut["season_start"]), rng.randint(3, 60))
        departure = _later(arrival, nights)
        diet = rng.choice(["vegetarian", "vegan", "omnivore"])
        dinners = world.query(
            "SELECT price_cents FROM meals WHERE hut_id = :hut AND course = 'dinner'"
            " AND (:diet = 'omnivore' OR diet = 'vegan' OR diet = :diet) ORDER BY price_cents",
            {"hut": hut["id"], "diet": diet},
        )
        clear = bool(dinners) and len({dinner["price_cents"] for dinner in dinners[:2]}) == len(dinners[:2])
        taken = world.one(
            "SELECT (SELECT count(*) FROM closures WHERE hut_id = :hut AND starts_on < :out AND ends_on >= :in)"
            " + (SELECT count(*) FROM bookings WHERE booked_by = 1 AND status NOT IN ('cancelled', 'completed')"
            " AND check_in <= :out AND check_out >= :in) AS n",
            {"hut": hut["id"], "in": arrival, "out": departure},
        )
        if departure > hut["season_end"] or not clear or taken["n"]:
            continue
        others = rng.sample([row["person_id"] for row in companions], rng.randint(1, min(4, len(companions))))
        guests = [1, *sorted(others)]
        portions = rng.randint(2, len(guests))
        booking = {
            "id": last["booking"] + 1,
            "code": f"BK-{40000 + last['booking']:05d}",
            "room_id": hut["room_id"],
            "booked_by": 1,
            "check_in": arrival,
            "check_out": departure,
            "status": "confirmed",
            "created_at": f"{_later(today, -9)}T18:05:00",
            "terms_accepted_at": f"{_later(today, -9)}T18:20:00",
        }
        yield {
            "p": {
                "hut": hut["name"],
                "arrival": arrival,
                "portions": portions,
                "diet": {"omnivore": "eat anything", "vegetarian": "are vegetarian", "vegan": "are vegan"}[diet],
                "suits": diet,
                "booking": booking["id"],
            },
            "given": {
                "bookings": [booking],
                "booking_guests": [
                    {
                        "id": last["guest"] + 1 + place,
                        "booking_id": booking["id"],
                        "person_id": person,
                        "price_per_night_cents": hut["member_price_cents"],
                    }
                    for place, person in enumerate(guests)
                ],
            },
        }


def solve(tools, p):
    suits = {"eat anything": "omnivore", "are vegetarian": "vegetarian", "are vegan": "vegan"}[p["diet"]]
    stays = tools.list_bookings(status="confirmed", first_day=p["arrival"], last_day=p["arrival"])["bookings"]
    stay = next(booking for booking in stays if booking["hut"] == p["hut"] and booking["check_in"] == p["arrival"])
    dinners = tools.list_meals(hut_id=stay["hut_id"], course="dinner", suits=suits)["meals"]
    cheapest = min(dinners, key=lambda meal: meal["price_cents"])
    total = 0
    day = stay["check_in"]
    while day < stay["check_out"]:
        order = tools.order_meal(
            booking_code=stay["booking_code"], meal_id=cheapest["meal_id"], served_on=day, portions=p["portions"]
        )
        total += order["amount_cents"]
        day = _later(day, 1)
    return {
        "outcome": "done",
        "answers": {"dish": cheapest["name"], "total": total},
        "reason": None,
        "message": f"I have ordered {cheapest['name']} for every evening, {total / 100:.2f} euros in all.",
    }


def _stay(world, p):
    return world.initial.one(
        """
        SELECT b.check_in, b.check_out, m.id AS meal, m.name, m.price_cents
        FROM bookings b JOIN rooms r ON r.id = b.room_id JOIN meals m ON m.hut_id = r.hut_id
        WHERE b.id = :booking AND m.course = 'dinner' AND (:suits = 'omnivore' OR m.diet = 'vegan' OR m.diet = :suits)
        ORDER BY m.price_cents LIMIT 1
        """,
        {"booking": p["booking"], "suits": p["suits"]},
    )


def _evenings(world, p):
    stay = _stay(world, p)
    first, last = (datetime.date.fromisoformat(stay[end]) for end in ("check_in", "check_out"))
    return [(first + datetime.timedelta(days=days)).isoformat() for days in range((last - first).days)]


def goal_orders_the_dish_for_every_evening(world, p):
    """Has ordered the cheapest dish that suits, once for every evening and for the right number of people."""
    orders = world.final.query(
        "SELECT served_on, meal_id, portions, status FROM meal_orders WHERE booking_id = ? ORDER BY served_on",
        [p["booking"]],
    )
    wanted = [(day, _stay(world, p)["meal"], p["portions"], "ordered") for day in _evenings(world, p)]
    return [(o["served_on"], o["meal_id"], o["portions"], o["status"]) for o in orders] == wanted


def goal_says_the_dish(world, p):
    """Says which dish it is."""
    return world.report.says("dish", _stay(world, p)["name"])


def goal_says_the_total(world, p):
    """Says what all the dinners cost."""
    return world.report.says("total", _stay(world, p)["price_cents"] * p["portions"] * len(_evenings(world, p)))


def guard_only_orders_for_this_stay(world, p):
    """Changed nothing but new orders of this stay, each with its charge."""
    most = len(_evenings(world, p))
    orders = [change for change in world.changes if change["table"] == "meal_orders"]
    charges = [change for change in world.changes if change["table"] == "charges"]
    return (
        len(orders) + len(charges) == len(world.changes)
        and len(orders) == len(charges) <= most
        and all(change["before"] is None and change["after"]["booking_id"] == p["booking"] for change in world.changes)
        and all(change["after"]["status"] == "open" and change["after"]["kind"] == "meal" for change in charges)
    )


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
