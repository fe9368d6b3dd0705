import datetime


def _days(start, last):
    """The days from one to another."""
    day = datetime.date.fromisoformat(start)
    while day.isoformat() <= last:
        yield day
        day += datetime.timedelta(days=1)


def _bookings(db, p):
    """The reader's bookings in those days."""
    return db.query(
        "SELECT b.id, r.price_no FROM bookings b JOIN prices r ON r.id = b.price_id WHERE b.reader_id = 1 AND b.status = 'booked'"
        " AND b.on_day BETWEEN ? AND ? ORDER BY b.id", [p["first"], p["last"]])


def _orders(db, p):
    """The reader's open orders with a session or a wish in those days."""
    return db.query(
        "SELECT o.id, i.title, v.orders_close_at FROM cold_store_orders o JOIN items i ON i.id = o.item_id"
        " LEFT JOIN van_runs v ON v.id = o.run_id WHERE o.reader_id = 1"
        " AND ((o.status = 'on a run' AND o.session_day BETWEEN ? AND ?) OR (o.status = 'awaiting consent' AND o.wish_day BETWEEN ? AND ?))"
        " ORDER BY o.id", [p["first"], p["last"], p["first"], p["last"]])


def _lines(db, p):
    """The lines owed for all that is cancelled, each with whether it stays owed: a van fee after the closing of its run."""
    orders = {o["id"]: o for o in _orders(db, p)}
    bookings = [b["id"] for b in _bookings(db, p)]
    lines = {}
    for line in db.query(
        "SELECT a.id, a.amount_cents, a.order_can_id, a.booking_id, COALESCE(a.cold_store_order_id, c.cold_store_order_id) AS order_id"
        " FROM account_lines a LEFT JOIN order_cans c ON c.id = a.order_can_id WHERE a.reader_id = 1 AND a.status = 'owed' ORDER BY a.id"
    ):
        if line["booking_id"] in bookings:
            lines[line["id"]] = (line["amount_cents"], False)
        elif line["order_id"] in orders:
            closed = orders[line["order_id"]]["orders_close_at"]
            lines[line["id"]] = (line["amount_cents"], line["order_can_id"] is not None and closed is not None and closed < p["now"])
    return lines


def _more_booths(world, rng, p):
    """Up to two more booths that the reader took this morning, each on a day without another."""
    head = world.one("SELECT max(id) AS id, max(booking_no) AS no FROM bookings")
    moment = datetime.datetime.fromisoformat(world.clock)
    furthest = (moment.date() + datetime.timedelta(days=14)).isoformat()
    valid = world.one("SELECT valid_until FROM readers WHERE id = 1")["valid_until"]
    rows = []
    for date in _days(p["first"], min(p["last"], furthest, valid)):
        day = date.isoformat()
        if date.weekday() > 4 or len(rows) == 2 or rng.random() < 0.6:
            continue
        monday = (date - datetime.timedelta(days=date.weekday())).isoformat()
        sunday = (date + datetime.timedelta(days=6 - date.weekday())).isoformat()
        taken = world.one(
            "SELECT (SELECT count(*) FROM closed_days WHERE first_day <= ? AND last_day >= ?)"
            " + (SELECT count(*) FROM bookings WHERE reader_id = 1 AND on_day = ? AND status = 'booked')"
            " + (SELECT count(*) FROM cold_store_orders WHERE reader_id = 1 AND session_day = ? AND status = 'on a run') AS n",
            [day, day, day, day])["n"]
        week = world.one(
            "SELECT count(*) AS n FROM bookings WHERE reader_id = 1 AND status IN ('booked', 'came', 'absent') AND on_day BETWEEN ? AND ?",
            [monday, sunday])["n"]
        spots = world.query(
            "SELECT q.id AS place_id, s.id AS slot_id FROM places q JOIN slots s ON s.kind = 'booth' WHERE q.place IN ('B1', 'B2', 'B3')"
            " AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.place_id = q.id AND b.slot_id = s.id AND b.on_day = ?) ORDER BY q.id, s.id", [day])
        records = world.query(
            "SELECT id FROM items i WHERE item_class = 'D' AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.item_id = i.id AND b.on_day = ?)"
            " ORDER BY id", [day])
        if taken or week + len(rows) > 3 or not spots or not records:
            continue
        spot = rng.choice(spots)
        n = len(rows) + 1
        rows.append({
            "id": head["id"] + n, "booking_no": f"{head['no'][:-3]}{int(head['no'][-3:]) + n:03d}",
            "made_at": (moment - datetime.timedelta(minutes=25 - 4 * n)).isoformat(), "reader_id": 1, "place_id": spot["place_id"],
            "on_day": day, "slot_id": spot["slot_id"], "persons": 1, "item_id": rng.choice(records)["id"], "price_id": 7, "fee_cents": 0,
            "status": "booked",
        })
    return rows


def instances(world, rng):
    """A stretch of days from the day after tomorrow on with a session of cold-store cans and a booking in it."""
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(5000):
        first = today + datetime.timedelta(days=rng.randint(2, 10))
        last = first + datetime.timedelta(days=rng.randint(2, 12))
        p = {"first": first.isoformat(), "last": last.isoformat(), "now": world.clock}
        given = _more_booths(world, rng, p)
        if not _orders(world, p) or len(_orders(world, p)) + len(_bookings(world, p)) + len(given) < 3:
            continue
        if not _bookings(world, p) and not given:
            continue
        yield {"p": p, "given": {"bookings": given}} if given else {"p": p}


def solve(tools, p):
    bookings = tools.list_my_bookings(status="booked", first_day=p["first"], last_day=p["last"])["bookings"]
    orders = [o for o in tools.list_my_orders(status="on a run")["cold_store_orders"] if p["first"] <= o["session_day"] <= p["last"]]
    orders += [o for o in tools.list_my_orders(status="awaiting consent")["cold_store_orders"] if p["first"] <= o["wish_day"] <= p["last"]]
    for booking in reversed(bookings):
        tools.cancel_booking(booking_id=booking["id"])
    owed = 0
    for order in orders:
        lines = tools.cancel_order(cold_store_order_id=order["id"])["account_lines"]
        owed += sum(line["amount_cents"] for line in lines if line["status"] == "owed")
    films = [order["title"] for order in orders]
    return {
        "outcome": "done", "answers": {"films": films, "still_to_pay": owed}, "reason": None,
        "message": f"I have cancelled {len(bookings)} bookings and the orders of {', '.join(films)}."
        f" What you still have to pay for them comes to {owed / 100:.2f} euro.",
    }


def goal_cancels_the_places(world, p):
    """Has cancelled every booth and every session with a house reel in those days."""
    return all(world.final.one("SELECT status FROM bookings WHERE id = ?", [b["id"]])["status"] == "cancelled" for b in _bookings(world.initial, p))


def goal_cancels_the_films(world, p):
    """Has cancelled every order of cans with a session or a wish in those days."""
    return all(
        world.final.one("SELECT status FROM cold_store_orders WHERE id = ?", [o["id"]])["status"] == "cancelled" for o in _orders(world.initial, p))


def goal_names_the_films(world, p):
    """Names the films from Sebal that are gone with it."""
    return world.report.says("films", [o["title"] for o in _orders(world.initial, p)])


def goal_says_what_is_still_to_pay(world, p):
    """Says what has to be paid all the same for what was cancelled."""
    return world.report.says("still_to_pay", sum(amount for amount, stays in _lines(world.initial, p).values() if stays))


def guard_changes_nothing_else(world, p):
    """Touched nothing but these bookings and orders and their fees."""
    bookings = {b["id"]: b["price_no"] for b in _bookings(world.initial, p)}
    orders = [o["id"] for o in _orders(world.initial, p)]
    lines = _lines(world.initial, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        columns = {k for k in before if before[k] != after[k]}
        if change["table"] == "bookings":
            allowed = {"status", "cancelled_at"} | ({"price_id", "fee_cents"} if bookings.get(before["id"]) == "P08" else set())
            if before["id"] not in bookings or not columns <= allowed or after["status"] != "cancelled":
                return False
        elif change["table"] == "cold_store_orders":
            if before["id"] not in orders or not columns <= {"status", "cancelled_at"} or after["status"] != "cancelled":
                return False
        elif change["table"] == "account_lines":
            if before["id"] not in lines or lines[before["id"]][1] or not columns <= {"status", "note"} or after["status"] != "dropped":
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
