import datetime

LEGAL = ("2025-11-01", "2025-11-11", "2025-12-25", "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25", "2026-07-21", "2026-08-15")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PURPOSES = (
    "farewell party", "birthday party", "staff outing", "reunion of the choir", "family gathering", "prize-giving of the chess club", "silver wedding", "street party",
    "gathering of the neighbourhood committee", "thank-you for the volunteers", "baby shower", "meeting of the allotment society",
)


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _last_moment(day):
    left = 10
    while left > 0:
        day = _plus(day, -1)
        if datetime.date.fromisoformat(day).weekday() < 5 and day not in LEGAL:
            left -= 1
    return day + "T17:00:00"


def _price(hall, day):
    price = hall["block_price_cents"]
    return price * 5 // 4 if datetime.date.fromisoformat(day).weekday() == 6 or day in LEGAL else price


def _free(db, hall_id, start, clock):
    """Whether a hall is free for the four hours from a moment."""
    end = (datetime.datetime.fromisoformat(start) + datetime.timedelta(hours=4)).isoformat()
    shows = db.query(
        "SELECT s.starts_at, t.minutes FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE s.hall_id = ? AND s.status <> 'cancelled' AND substr(s.starts_at, 1, 10) = ?", [hall_id, start[:10]])
    for s in shows:
        over = (datetime.datetime.fromisoformat(s["starts_at"]) + datetime.timedelta(minutes=s["minutes"])).isoformat()
        if s["starts_at"] < end and over > start:
            return False
    hires = db.query(
        "SELECT starts_at, ends_at FROM hall_bookings WHERE hall_id = ? AND (status = 'confirmed' OR (status = 'option' AND option_until >= ?))", [hall_id, clock])
    return not any(h["starts_at"] < end and h["ends_at"] > start for h in hires)


def _first(db, hall_id, first, last, weekday, clock_time, clock):
    """The first day of that weekday on which the block can be hired."""
    day = first
    while day <= last:
        if WEEKDAYS[datetime.date.fromisoformat(day).weekday()] == weekday and clock <= _last_moment(day) and _free(db, hall_id, day + "T" + clock_time + ":00", clock):
            return day
        day = _plus(day, 1)
    return None


def instances(world, rng):
    """A weekday and time of day for a party, in the smallest hall that takes all guests, with a film that suits the youngest."""
    today = world.clock[:10]
    halls = world.query("SELECT id, name, seats, block_price_cents FROM halls ORDER BY seats")
    films = world.query(
        "SELECT t.name, COALESCE(t.kijkwijzer_age, 12) AS rating, MIN(c.id) AS copy, MIN(c.key_from) AS opens, MIN(c.key_until) AS closes FROM titles t JOIN copies c ON c.title_id = t.id"
        " WHERE c.carrier = 'DCP' GROUP BY t.id HAVING COUNT(*) = 1 AND rating < 16 ORDER BY t.name")
    extra = world.query("SELECT id FROM hall_bookings ORDER BY id DESC LIMIT 1")[0]["id"]
    while True:
        weekday = rng.choice(WEEKDAYS)
        start = rng.choice(("10:00", "14:00", "18:00"))
        if weekday in ("Friday", "Saturday") and start == "18:00":
            continue
        first = _plus(today, rng.randint(3, 80))
        last = _plus(first, rng.randint(27, 60))
        guests = rng.choice((rng.randint(12, 57), 58, 59, rng.randint(60, 140)))
        hall = next(h for h in halls if h["seats"] >= guests)
        film = rng.choice(films)
        youngest = film["rating"] + rng.randint(0, 6)
        given = {}
        day = _first(world, hall["id"], first, last, weekday, start, world.clock)
        if day is None:
            continue
        if rng.random() < 0.6:
            taken = day + "T" + start + ":00"
            option = _plus(today, -3) + "T11:15:00"
            price = _price(hall, day)
            given["hall_bookings"] = [{
                "id": extra + 1, "account_id": 2, "hall_id": hall["id"], "starts_at": taken, "ends_at": (datetime.datetime.fromisoformat(taken) + datetime.timedelta(hours=4)).isoformat(),
                "purpose": "rehearsal", "guests": 20, "hall_cents": price, "licence_cents": 0, "projection_35mm_cents": 0, "deposit_cents": price * 3 // 10,
                "optioned_at": option, "option_until": _plus(today, 4) + "T11:15:00", "status": "option",
            }]
            if _last_moment(day) < option:
                continue
            day = _first(world, hall["id"], _plus(day, 1), last, weekday, start, world.clock)
            if day is None:
                continue
        begin = day + "T" + start + ":00"
        if film["opens"] is not None and not film["opens"] <= begin <= _plus(day, 1) + "T00:00:00" <= film["closes"]:
            continue
        if any("2026-07-17" <= d <= "2026-07-26" or d[5:] > "12-23" for d in (day,)):
            continue
        instance = {
            "p": {
                "weekday": weekday, "start": start, "first": first, "last": last, "guests": guests, "youngest": youngest, "film": film["name"], "purpose": rng.choice(PURPOSES),
                "hall": hall["id"], "day": day, "copy": film["copy"], "hall_cents": _price(hall, day),
            },
        }
        if given:
            instance["given"] = given
        yield instance


def solve(tools, p):
    numbers = {"Monday": 1, "Tuesday": 2, "Wednesday": 3, "Thursday": 4, "Friday": 5, "Saturday": 6, "Sunday": 7}
    title = next(t for t in tools.search_titles(name_contains=p["film"], carrier="DCP")["titles"] if t["name"] == p["film"])
    copy = next(c for c in title["copies"] if c["carrier"] == "DCP")
    blocks = tools.search_hall_blocks(first_day=p["first"], last_day=p["last"], weekday=numbers[p["weekday"]])["blocks"]
    fitting = [b for b in blocks if b["starts_at"][11:16] == p["start"] and b["seats"] >= p["guests"]]
    smallest = min(b["seats"] for b in fitting)
    block = min((b for b in fitting if b["seats"] == smallest), key=lambda b: b["starts_at"])
    option = tools.take_hall_option(
        hall_id=block["hall_id"], starts_at=block["starts_at"], purpose=p["purpose"], guests=p["guests"], youngest_age=p["youngest"], copy_id=copy["id"])
    tools.pay_hall_deposit(hall_booking_id=option["hall_booking_id"], payment_method="bancontact")
    tools.confirm_hall_booking(hall_booking_id=option["hall_booking_id"])
    day = block["starts_at"][:10]
    return {
        "outcome": "done", "answers": {"day": day, "total": option["total_cents"], "deposit": option["deposit_cents"]}, "reason": None,
        "message": f"{block['hall_name']} is booked for {day} at {p['start']}, {option['total_cents'] / 100:.2f} euros in all, of which {option['deposit_cents'] / 100:.2f} euros are paid.",
    }


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_hall_is_booked_that_day(world, p):
    """Has one confirmed booking of the smallest hall that fits, on the first day that is free."""
    rows = _new(world, "hall_bookings")
    return len(rows) == 1 and rows[0]["account_id"] == 1 and rows[0]["club_id"] is None and rows[0]["hall_id"] == p["hall"] and (
        rows[0]["starts_at"] == p["day"] + "T" + p["start"] + ":00" and rows[0]["status"] == "confirmed")


def goal_guests_film_and_purpose(world, p):
    """It is for those guests, that youngest age, that film and that purpose."""
    rows = _new(world, "hall_bookings")
    return len(rows) == 1 and rows[0]["guests"] == p["guests"] and rows[0]["youngest_age"] == p["youngest"] and rows[0]["copy_id"] == p["copy"] and bool(
        world.same_text(rows[0]["purpose"], p["purpose"]))


def goal_deposit_is_paid(world, p):
    """The deposit is paid by Bancontact."""
    rows, paid = _new(world, "hall_bookings"), _new(world, "payments")
    return len(rows) == 1 and len(paid) == 1 and rows[0]["deposit_payment_id"] == paid[0]["id"] and paid[0]["method"] == "bancontact" and (
        paid[0]["account_id"] == 1 and paid[0]["amount_cents"] == (p["hall_cents"] + 15000) * 3 // 10)


def goal_says_day(world, p):
    """Says the day."""
    return world.report.says("day", p["day"])


def goal_says_total(world, p):
    """Says what it costs in all."""
    return world.report.says("total", p["hall_cents"] + 15000)


def goal_says_deposit(world, p):
    """Says how much of it is paid as the deposit."""
    return world.report.says("deposit", (p["hall_cents"] + 15000) * 3 // 10)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_booking_and_payment_only(world, p):
    """Added at most one booking and one payment of the person."""
    return all(c["before"] is None and c["table"] in ("hall_bookings", "payments") and c["after"]["account_id"] == 1 for c in world.changes) and (
        len(_new(world, "hall_bookings")) <= 1 and len(_new(world, "payments")) <= 1)
