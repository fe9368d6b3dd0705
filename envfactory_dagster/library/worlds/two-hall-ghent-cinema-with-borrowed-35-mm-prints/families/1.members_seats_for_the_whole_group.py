import datetime

FILMS = (
    ("De postbode van Ename", 83), ("Wit lawaai", 121), ("Het jaar van de haas", 97), ("Boven de daken van Rabot", 88), ("De wijnkelder", 104), ("Zeven bruggen", 112),
    ("Ver van Oostende", 79), ("De stem van Mariette", 91), ("Kleine Kyra", 74), ("Broodtijd", 99), ("Het meer zonder naam", 126), ("Loslaten", 93),
    ("De sneeuwkoningin van Lochristi", 81), ("Tot de ochtend", 107), ("Paviljoen zes", 115), ("De tuinman en het meisje", 95),
)
STARTS = ("10:30", "15:30", "20:10")


def _structured(number):
    body = "097" + str(number % 10000000).zfill(7)
    body += str(int(body) % 97 or 97).zfill(2)
    return "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _open(shows, tickets, memberships, people, clock):
    """The screenings at which so many more can still have seats at the members' price."""
    found = []
    for s in shows:
        mine = [k for k in tickets if k["screening_id"] == s["id"]]
        valid = [m for m in memberships if m["starts_on"] <= s["starts_at"][:10] <= m["ends_on"]]
        price = 0 if not valid else 4 if valid[0]["kind"] == "duo" else 2
        early = (s["carrier"] == "35mm" or s["is_preview"]) and datetime.datetime.fromisoformat(clock) < datetime.datetime.fromisoformat(s["sale_opens_at"]) + datetime.timedelta(hours=48)
        left = (4 if early else 6) - len(mine)
        price -= len([k for k in mine if k["tariff"] == "member"])
        if min(left, price) >= people and s["seats_left"] >= people:
            found.append(s)
    return found


def _shows(db, first, last, clock):
    return db.query(
        "SELECT s.id, s.starts_at, s.is_preview, s.sale_opens_at, c.carrier, t.name AS film, t.minutes, h.seats - s.seats_held"
        " - (SELECT COUNT(*) FROM tickets k WHERE k.screening_id = s.id AND k.status <> 'returned')"
        " - (SELECT COALESCE(SUM(w.seats_offered), 0) FROM waiting_list_entries w WHERE w.screening_id = s.id AND w.status = 'offered' AND w.offer_lapses_at >= ?) AS seats_left"
        " FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id JOIN halls h ON h.id = s.hall_id"
        " WHERE s.kind = 'public' AND s.status = 'scheduled' AND s.starts_at > ? AND substr(s.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY s.starts_at, s.id",
        [clock, clock, first, last])


def instances(world, rng):
    """Some weeks with twenty to forty public screenings, at part of which so many more can have seats at the members' price."""
    today = world.clock[:10]
    busy = {(row["hall_id"], row["day"]) for row in world.query(
        "SELECT hall_id, substr(starts_at, 1, 10) AS day FROM screenings WHERE status <> 'cancelled' AND substr(starts_at, 1, 10) > ?"
        " UNION SELECT hall_id, substr(starts_at, 1, 10) FROM hall_bookings WHERE status IN ('option', 'confirmed') AND substr(starts_at, 1, 10) > ?",
        [today, today])}
    memberships = world.query("SELECT kind, starts_on, ends_on FROM memberships WHERE account_id = 1 AND ends_on >= ? ORDER BY starts_on", [today])
    own = world.query("SELECT screening_id, tariff FROM tickets WHERE account_id = 1 AND status <> 'returned' ORDER BY id")
    top = world.one(
        "SELECT (SELECT MAX(id) FROM titles) AS t, (SELECT MAX(id) FROM copies) AS c, (SELECT MAX(id) FROM screenings) AS s, (SELECT MAX(id) FROM tickets) AS k,"
        " (SELECT MAX(id) FROM payments) AS p, (SELECT MAX(id) FROM memberships) AS m")
    while True:
        first = _plus(today, rng.randint(1, 8))
        last = _plus(first, rng.randint(16, 34))
        free = [(h, _plus(first, n)) for h in (1, 2) for n in range((datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1) if (h, _plus(first, n)) not in busy]
        there = _shows(world, first, last, world.clock)
        if any(s["sale_opens_at"] > world.clock for s in there):
            continue
        number = rng.randint(max(8, 20 - len(there)), max(12, 32 - len(there)))
        if len(free) < number:
            continue
        films = rng.sample(FILMS, 8)
        titles = [{"id": top["t"] + 1 + n, "name": f[0], "year": 2025, "director": "An Stevens", "minutes": f[1], "languages": "Dutch", "kijkwijzer_age": 6} for n, f in enumerate(films)]
        copies = [{"id": top["c"] + 1 + n, "title_id": top["t"] + 1 + n, "carrier": "DCP", "lender": "Kouter Distributie", "condition": "good", "guessed_fee_cents": 15000} for n in range(len(films))]
        screenings, tickets, payments, extra, added = [], [], [], [], []
        for place, (hall, day) in enumerate(rng.sample(free, number)):
            film = rng.randrange(len(films))
            seats = 142 if hall == 1 else 58
            screening = top["s"] + 1 + place
            left = rng.choice((0, 1, 2, 3, 9, 17, 26, 33, 41))
            sale = _plus(today, -rng.randint(9, 20)) + "T10:00:00"
            start = day + "T" + rng.choice(STARTS) + ":00"
            mine = rng.choice((3, 4, 5)) if left > 8 and rng.random() < 0.25 else 0
            screenings.append({"id": screening, "copy_id": top["c"] + 1 + film, "hall_id": hall, "starts_at": start, "kind": "public", "is_preview": 0, "sale_opens_at": sale, "seats_held": seats - left - mine, "status": "scheduled"})
            if mine:
                payment = top["p"] + 1 + len(payments)
                bought = _plus(today, -rng.randint(1, 8)) + "T09:15:00"
                payments.append({"id": payment, "account_id": 1, "amount_cents": 1100 * mine, "method": "bancontact", "structured_communication": _structured(9000 + payment), "paid_at": bought, "refunded_cents": 0})
                for _ in range(mine):
                    tickets.append({"id": top["k"] + 1 + len(tickets), "screening_id": screening, "account_id": 1, "tariff": "standard", "price_cents": 1100, "voucher_cents": 0, "payment_id": payment, "bought_at": bought, "swapped": 0, "status": "valid"})
                    extra.append({"screening_id": screening, "tariff": "standard"})
            added.append({"id": screening, "starts_at": start, "is_preview": 0, "sale_opens_at": sale, "carrier": "DCP", "film": films[film][0], "minutes": films[film][1], "seats_left": left})
        given = {"titles": titles, "copies": copies, "screenings": screenings}
        valid = list(memberships)
        if valid[-1]["ends_on"] < last and valid[-1]["kind"] == "single" and rng.random() < 0.7:
            starts = _plus(valid[-1]["ends_on"], 1)
            ends = str(int(starts[:4]) + 1) + valid[-1]["ends_on"][4:]
            payment = top["p"] + 1 + len(payments)
            payments.append({"id": payment, "account_id": 1, "amount_cents": 3500, "method": "transfer", "structured_communication": _structured(9000 + payment), "paid_at": _plus(today, -2) + "T11:40:00", "refunded_cents": 0})
            given["memberships"] = [{"id": top["m"] + 1, "account_id": 1, "kind": "single", "starts_on": starts, "ends_on": ends, "paid_on": _plus(today, -2), "payment_id": payment, "discount_enjoyed_cents": 0}]
            valid.append({"kind": "single", "starts_on": starts, "ends_on": ends})
        if payments:
            given["payments"] = payments
        if tickets:
            given["tickets"] = tickets
        people = rng.choice((2, 3, 4)) if valid[0]["kind"] == "duo" else 2
        found = _open(there + added, own + extra, valid, people, world.clock)
        if not 20 <= len(there) + len(added) <= 38 or len(found) < 3 or len(found) > len(there) + len(added) - 4:
            continue
        shortest = min(s["minutes"] for s in found)
        if len({s["film"] for s in found if s["minutes"] == shortest}) > 1 or shortest == len(found):
            continue
        yield {"p": {"first": first, "last": last, "people": people, "now": world.clock}, "given": given}


def solve(tools, p):
    shows = tools.search_screenings(first_day=p["first"], last_day=p["last"], kind="public")["screenings"]
    found = []
    for show in shows:
        detail = tools.get_screening(screening_id=show["id"])
        if detail["my_member_price_left"] >= p["people"] and detail["seats_left"] >= p["people"]:
            found.append(detail)
    shortest = min(found, key=lambda s: s["minutes"])
    return {
        "outcome": "done",
        "answers": {"screenings": len(found), "shortest_film": shortest["title_name"], "length": shortest["minutes"]},
        "reason": None,
        "message": f"At {len(found)} screenings {p['people']} of you can still have seats at the members' price; the shortest film among them is {shortest['title_name']}, {shortest['minutes']} minutes.",
    }


def _found(world, p):
    shows = _shows(world.initial, p["first"], p["last"], p["now"])
    tickets = world.initial.query("SELECT screening_id, tariff FROM tickets WHERE account_id = 1 AND status IN ('valid', 'used') ORDER BY id")
    memberships = world.initial.query("SELECT kind, starts_on, ends_on FROM memberships WHERE account_id = 1 ORDER BY starts_on DESC")
    return _open(shows, tickets, memberships, p["people"], p["now"])


def goal_says_how_many_screenings(world, p):
    """Says at how many screenings it is still possible."""
    return world.report.says("screenings", len(_found(world, p)))


def goal_says_shortest_film(world, p):
    """Says which of these films is the shortest."""
    return world.report.says("shortest_film", min(_found(world, p), key=lambda s: s["minutes"])["film"])


def goal_says_length(world, p):
    """Says how long that film runs."""
    return world.report.says("length", min(s["minutes"] for s in _found(world, p)))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0
