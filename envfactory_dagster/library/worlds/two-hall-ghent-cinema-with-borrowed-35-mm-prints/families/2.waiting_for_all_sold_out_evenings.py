import datetime

FILMS = (
    ("Avond in Drongen", 91), ("De zwemmer van Rozebroeken", 103), ("Zout water", 88), ("Lila en de reiger", 79), ("De ramen van Sint-Jacobs", 110), ("Man op een dak", 96),
    ("De lange kaai", 118), ("Kersenmei", 84), ("Het nummer van Bert", 101), ("Ochtendblad", 93),
)
EVENINGS = ("18:30", "19:40", "20:05", "20:25")
DAYTIME = ("10:40", "14:20", "15:50")


def _structured(number):
    body = "096" + str(number % 10000000).zfill(7)
    body += str(int(body) % 97 or 97).zfill(2)
    return "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _wanted(db, first, last, clock):
    """The sold-out public evenings of a span for which the person has no ticket and no open place."""
    return db.query(
        "SELECT s.id, s.starts_at FROM screenings s JOIN halls h ON h.id = s.hall_id WHERE s.kind = 'public' AND s.status = 'scheduled' AND s.starts_at > ?"
        " AND substr(s.starts_at, 1, 10) BETWEEN ? AND ? AND substr(s.starts_at, 12, 5) >= '18:00'"
        " AND h.seats - s.seats_held - (SELECT COUNT(*) FROM tickets k WHERE k.screening_id = s.id AND k.status <> 'returned')"
        " - (SELECT COALESCE(SUM(w.seats_offered), 0) FROM waiting_list_entries w WHERE w.screening_id = s.id AND w.status = 'offered' AND w.offer_lapses_at >= ?) <= 0"
        " AND NOT EXISTS (SELECT 1 FROM tickets k WHERE k.screening_id = s.id AND k.account_id = 1 AND k.status = 'valid')"
        " AND NOT EXISTS (SELECT 1 FROM waiting_list_entries w WHERE w.screening_id = s.id AND w.account_id = 1 AND w.status IN ('waiting', 'offered'))"
        " ORDER BY s.starts_at, s.id", [clock, first, last, clock])


def instances(world, rng):
    """Some weeks with many screenings, most evenings sold out, some of them with a ticket or a place of the person already."""
    today = world.clock[:10]
    busy = {(row["hall_id"], row["day"]) for row in world.query(
        "SELECT hall_id, substr(starts_at, 1, 10) AS day FROM screenings WHERE status = 'scheduled'"
        " UNION SELECT hall_id, substr(starts_at, 1, 10) FROM hall_bookings WHERE status IN ('option', 'confirmed') AND ends_at > ?", [world.clock])}
    top = world.one(
        "SELECT (SELECT MAX(id) FROM titles) AS t, (SELECT MAX(id) FROM copies) AS c, (SELECT MAX(id) FROM screenings) AS s, (SELECT MAX(id) FROM tickets) AS k,"
        " (SELECT MAX(id) FROM payments) AS p, (SELECT MAX(id) FROM waiting_list_entries) AS w")
    while True:
        first = _plus(today, rng.randint(4, 25))
        span = rng.randint(27, 41)
        last = _plus(first, span)
        free = [(h, _plus(first, n)) for h in (1, 2) for n in range(span + 1) if (h, _plus(first, n)) not in busy]
        number = rng.randint(28, 36)
        if len(free) < number:
            continue
        there = _wanted(world, first, last, world.clock)
        titles = [{"id": top["t"] + 1 + n, "name": f[0], "year": 2025, "director": "Roos Taelman", "minutes": f[1], "languages": "Dutch", "kijkwijzer_age": 9} for n, f in enumerate(FILMS)]
        copies = [{"id": top["c"] + 1 + n, "title_id": top["t"] + 1 + n, "carrier": "DCP", "lender": "Kouter Distributie", "condition": "good", "guessed_fee_cents": 15000} for n in range(len(FILMS))]
        screenings, tickets, payments, places, wanted = [], [], [], [], list(there)
        for place, (hall, day) in enumerate(rng.sample(free, number)):
            seats = 142 if hall == 1 else 58
            screening = top["s"] + 1 + place
            sold_out = rng.random() < 0.8
            evening = rng.random() < 0.85
            state = rng.choice(("none", "none", "none", "none", "ticket", "place")) if sold_out else "none"
            start = day + "T" + rng.choice(EVENINGS if evening else DAYTIME) + ":00"
            sale = _plus(today, -rng.randint(12, 25)) + "T10:00:00"
            mine = 1 if state == "ticket" else 0
            screenings.append({
                "id": screening, "copy_id": top["c"] + 1 + rng.randrange(len(FILMS)), "hall_id": hall, "starts_at": start, "kind": "public", "is_preview": 0,
                "sale_opens_at": sale, "seats_held": seats - mine - (0 if sold_out else rng.randint(1, 30)), "status": "scheduled",
            })
            if mine:
                payment = top["p"] + 1 + len(payments)
                bought = _plus(today, -rng.randint(2, 9)) + "T21:05:00"
                payments.append({"id": payment, "account_id": 1, "amount_cents": 1100, "method": "credit_card", "structured_communication": _structured(5000 + payment), "paid_at": bought, "refunded_cents": 0})
                tickets.append({"id": top["k"] + 1 + len(tickets), "screening_id": screening, "account_id": 1, "tariff": "standard", "price_cents": 1100, "voucher_cents": 0, "payment_id": payment, "bought_at": bought, "swapped": 0, "status": "valid"})
            if state == "place":
                places.append({"id": top["w"] + 1 + len(places), "screening_id": screening, "account_id": 1, "seats_wanted": rng.randint(1, 2), "since": _plus(today, -rng.randint(1, 6)) + "T13:30:00", "lapsed_offers": 0, "status": "waiting"})
            if sold_out and evening and state == "none":
                wanted.append({"id": screening, "starts_at": start})
        given = {"titles": titles, "copies": copies, "screenings": screenings}
        if tickets:
            given["payments"] = payments
            given["tickets"] = tickets
        if places:
            given["waiting_list_entries"] = places
        if not 15 <= len(wanted) <= 32:
            continue
        yield {"p": {"first": first, "last": last, "seats": rng.randint(2, 4), "now": world.clock}, "given": given}


def solve(tools, p):
    shows = tools.search_screenings(first_day=p["first"], last_day=p["last"], kind="public")["screenings"]
    held = {t["screening_id"] for t in tools.list_my_tickets(status="valid", first_day=p["first"], last_day=p["last"])["tickets"]}
    waiting = {e["screening_id"] for e in tools.list_my_waiting_list_entries()["entries"] if e["status"] in ("waiting", "offered")}
    joined = []
    for show in shows:
        if show["starts_at"][11:16] < "18:00" or show["seats_left"] > 0 or show["id"] in held or show["id"] in waiting:
            continue
        tools.join_waiting_list(screening_id=show["id"], seats_wanted=p["seats"])
        joined.append(show["starts_at"])
    return {
        "outcome": "done", "answers": {"lists": len(joined), "first_evening": min(joined)[:10]}, "reason": None,
        "message": f"You are on {len(joined)} more waiting lists now; the first of these evenings is {min(joined)[:10]}.",
    }


def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "waiting_list_entries" and c["before"] is None]


def goal_waits_for_every_such_evening(world, p):
    """Has one new place for every sold-out evening without a ticket or place, and for no other."""
    ids = [s["id"] for s in _wanted(world.initial, p["first"], p["last"], p["now"])]
    return sorted(r["screening_id"] for r in _new(world)) == sorted(ids)


def goal_waits_for_so_many_seats(world, p):
    """Every new place is for the number of seats that was asked for."""
    rows = _new(world)
    return len(rows) > 0 and all(r["seats_wanted"] == p["seats"] and r["status"] == "waiting" and r["account_id"] == 1 for r in rows)


def goal_says_how_many_lists(world, p):
    """Says how many lists were joined."""
    return world.report.says("lists", len(_wanted(world.initial, p["first"], p["last"], p["now"])))


def goal_says_first_evening(world, p):
    """Says the day of the first of these evenings."""
    return world.report.says("first_evening", _wanted(world.initial, p["first"], p["last"], p["now"])[0]["starts_at"][:10])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_places_only(world, p):
    """Added nothing but places of the person on such lists, one for each."""
    ids = [s["id"] for s in _wanted(world.initial, p["first"], p["last"], p["now"])]
    new = [r["screening_id"] for r in _new(world)]
    return len(new) == len(world.changes) and len(new) == len(set(new)) and all(i in ids for i in new) and all(r["account_id"] == 1 for r in _new(world))
