import datetime

FILMS = (
    ("De Amerikaanse tante", 94), ("Brand in de Wolterslaan", 108), ("Twintig winters", 99), ("De zaak Verstuyft", 117), ("Kleur van regen", 87), ("De achterkant van de maan", 123),
    ("Op de tocht", 82), ("Noorderpand", 104), ("Het recht van de eerste", 111), ("Zeebenen", 90), ("Wie klopt daar", 96), ("Zus en zo", 85), ("De vrouw van de bakker van Heusden", 101),
    ("Stilstand", 92), ("Paardenmarkt", 107), ("De oude tram", 89), ("Ongezien", 98), ("Een klein gebaar", 80),
)
STARTS = ("10:25", "14:55", "19:55", "20:35")


def _structured(number):
    body = "094" + str(number % 10000000).zfill(7)
    body += str(int(body) % 97 or 97).zfill(2)
    return "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _value(ticket, memberships, at):
    """Money and worth in all of a ticket at a moment, a ride counting as one."""
    left = datetime.datetime.fromisoformat(ticket["starts_at"]) - at
    if left < datetime.timedelta(hours=2):
        return 0, 0
    if ticket["pass_id"] is not None:
        return 0, 1
    member = any(m["starts_on"] <= at.date().isoformat() <= m["ends_on"] for m in memberships)
    days = (at.date() - datetime.date.fromisoformat(ticket["bought_at"][:10])).days
    paid = ticket["price_cents"] - ticket["voucher_cents"]
    if left > datetime.timedelta(hours=24):
        percent = 100 if days <= 60 else 80
        if days <= 14:
            money = max(0, paid - (0 if member else 100))
            return money, money + ticket["voucher_cents"] * percent // 100
    elif member:
        percent = 80
    else:
        return 0, 0
    return 0, paid * percent // 100 + ticket["voucher_cents"] * percent // 100


def _worse(ticket, memberships, clock):
    """The moment from which a ticket brings back less, and its worth today."""
    now = datetime.datetime.fromisoformat(clock)
    start = datetime.datetime.fromisoformat(ticket["starts_at"])
    bought = datetime.datetime.fromisoformat(ticket["bought_at"][:10])
    moments = [start - datetime.timedelta(hours=24), start - datetime.timedelta(hours=2), bought + datetime.timedelta(days=15), bought + datetime.timedelta(days=61)]
    moments += [datetime.datetime.fromisoformat(m["ends_on"]) + datetime.timedelta(days=1) for m in memberships]
    money, worth = _value(ticket, memberships, now)
    for moment in sorted(m for m in moments if m >= now):
        then = _value(ticket, memberships, moment + datetime.timedelta(seconds=1))
        if then[1] < worth or then[0] < money:
            return moment, worth
    return None, worth


def _pressing(tickets, memberships, day, clock):
    found = []
    for ticket in tickets:
        moment, worth = _worse(ticket, memberships, clock)
        if moment is not None and moment.date().isoformat() <= day:
            found.append({"film": ticket["film"], "moment": moment, "worth": worth if ticket["pass_id"] is None else 0})
    return found


def instances(world, rng):
    """Twenty to thirty tickets for the weeks after a day, part of which bring back less if they are left until then."""
    today = world.clock[:10]
    memberships = world.query("SELECT starts_on, ends_on FROM memberships WHERE account_id = 1 ORDER BY ends_on")
    own = world.query(
        "SELECT k.bought_at, k.price_cents, k.voucher_cents, k.pass_id, s.starts_at, t.name AS film FROM tickets k JOIN screenings s ON s.id = k.screening_id"
        " JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id WHERE k.account_id = 1 AND k.status = 'valid' ORDER BY s.starts_at, k.id")
    busy = {(row["hall_id"], row["day"]) for row in world.query(
        "SELECT hall_id, substr(starts_at, 1, 10) AS day FROM screenings WHERE substr(starts_at, 1, 10) >= ? AND status <> 'cancelled'"
        " UNION SELECT hall_id, substr(starts_at, 1, 10) FROM hall_bookings WHERE substr(starts_at, 1, 10) >= ? AND status IN ('option', 'confirmed')", [today, today])}
    top = world.one(
        "SELECT (SELECT MAX(id) FROM titles) AS t, (SELECT MAX(id) FROM copies) AS c, (SELECT MAX(id) FROM screenings) AS s, (SELECT MAX(id) FROM tickets) AS k, (SELECT MAX(id) FROM payments) AS p")
    while True:
        day = _plus(today, rng.randint(2, 10))
        first = _plus(day, rng.randint(1, 2))
        last = _plus(first, rng.randint(26, 40))
        span = (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days
        free = [(h, _plus(first, n)) for h in (1, 2) for n in range(span + 1) if (h, _plus(first, n)) not in busy]
        there = [k for k in own if first <= k["starts_at"][:10] <= last]
        number = rng.randint(max(6, 20 - len(there)), max(8, 26 - len(there)))
        if len(free) < number:
            continue
        titles = [{"id": top["t"] + 1 + n, "name": f[0], "year": 2024, "director": "Karel Ongena", "minutes": f[1], "languages": "Dutch", "kijkwijzer_age": 12} for n, f in enumerate(FILMS)]
        copies = [{"id": top["c"] + 1 + n, "title_id": top["t"] + 1 + n, "carrier": "DCP", "lender": "Noordzee Film", "condition": "good", "guessed_fee_cents": 16000} for n in range(len(FILMS))]
        screenings, tickets, payments, mine = [], [], [], []
        for place, (hall, date) in enumerate(rng.sample(free, number)):
            film = rng.randrange(len(FILMS))
            start = date + "T" + rng.choice(STARTS) + ":00"
            ago = rng.choice((1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 24, 37, 50, 52, 54, 56, 58, 60, 61, 66, 72))
            bought = _plus(today, -ago) + "T" + rng.choice(("08:05", "13:45", "22:10")) + ":00"
            screenings.append({"id": top["s"] + 1 + place, "copy_id": top["c"] + 1 + film, "hall_id": hall, "starts_at": start, "kind": "public", "is_preview": 0, "sale_opens_at": _plus(today, -80) + "T10:00:00", "seats_held": rng.randint(6, 40), "status": "scheduled"})
            payments.append({"id": top["p"] + 1 + place, "account_id": 1, "amount_cents": 1100, "method": "bancontact", "structured_communication": _structured(3000 + top["p"] + place), "paid_at": bought, "refunded_cents": 0})
            tickets.append({"id": top["k"] + 1 + place, "screening_id": top["s"] + 1 + place, "account_id": 1, "tariff": "standard", "price_cents": 1100, "voucher_cents": 0, "payment_id": top["p"] + 1 + place, "bought_at": bought, "swapped": 0, "status": "valid"})
            mine.append({"bought_at": bought, "price_cents": 1100, "voucher_cents": 0, "pass_id": None, "starts_at": start, "film": FILMS[film][0]})
        pressing = _pressing(there + mine, memberships, day, world.clock)
        if not 3 <= len(pressing) <= len(there) + len(mine) - 4 or not 20 <= len(there) + len(mine) <= 36:
            continue
        yield {
            "p": {"day": day, "first": first, "last": last, "now": world.clock},
            "given": {"titles": titles, "copies": copies, "screenings": screenings, "payments": payments, "tickets": tickets},
        }


def solve(tools, p):
    tickets = tools.list_my_tickets(status="valid", first_day=p["first"], last_day=p["last"])["tickets"]
    pressing = []
    for ticket in tickets:
        refund = tools.get_ticket_refund(ticket_id=ticket["id"])
        if refund["worsens_at"] is not None and refund["worsens_at"][:10] <= p["day"]:
            worth = refund["money_cents"] + refund["new_voucher_cents"] + refund["same_voucher_cents"]
            pressing.append((refund["worsens_at"], worth))
    first = min(moment for moment, _ in pressing)[:10]
    total = sum(worth for _, worth in pressing)
    return {
        "outcome": "done", "answers": {"tickets": len(pressing), "worth_today": total, "first_day": first}, "reason": None,
        "message": f"{len(pressing)} tickets get worse by {p['day']}; today they would bring {total / 100:.2f} euros together, and the first of them gets worse on {first}.",
    }


def _found(world, p):
    tickets = world.initial.query(
        "SELECT k.bought_at, k.price_cents, k.voucher_cents, k.pass_id, s.starts_at, t.name AS film FROM tickets k JOIN screenings s ON s.id = k.screening_id"
        " JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id WHERE k.account_id = 1 AND k.status = 'valid'"
        " AND substr(s.starts_at, 1, 10) >= ? AND substr(s.starts_at, 1, 10) <= ? ORDER BY k.id", [p["first"], p["last"]])
    memberships = world.initial.query("SELECT starts_on, ends_on FROM memberships WHERE account_id = 1 ORDER BY starts_on, ends_on")
    return _pressing(tickets, memberships, p["day"], p["now"])


def goal_says_how_many_tickets(world, p):
    """Says how many tickets bring back less by that day."""
    return world.report.says("tickets", len(_found(world, p)))


def goal_says_worth_today(world, p):
    """Says what these would bring today in all."""
    return world.report.says("worth_today", sum(k["worth"] for k in _found(world, p)))


def goal_says_first_day(world, p):
    """Says on which day it first gets worse."""
    return world.report.says("first_day", min(k["moment"] for k in _found(world, p)).date().isoformat())


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0
