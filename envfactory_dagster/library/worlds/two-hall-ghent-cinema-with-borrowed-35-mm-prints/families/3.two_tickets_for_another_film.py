import datetime

FILMS = (
    "De regenmaker", "Een kist vol brieven", "Het uur van de egel", "Vannacht op de Korenmarkt", "De glazenwasser", "Zonder adres", "De berg van Geraardsbergen", "Voetbal in de mist",
    "Het meisje van de Vrijdagmarkt", "Drie weken Knokke", "De onderhuurder", "Boterbloemen", "Bijna thuis", "De hand van Fatima Declercq", "Stadshonden", "De laatste garnaalvisser",
    "Kinderkopjes", "De vergissing", "Sluitingstijd", "Grijs gebied", "Een kamer op het oosten", "Het zwijgen van de molenaar",
)
EVENINGS = ("18:50", "19:35", "20:00", "20:40")


def _structured(number):
    body = "093" + str(number % 10000000).zfill(7)
    body += str(int(body) % 97 or 97).zfill(2)
    return "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """Two tickets for a film that may have been swapped already, and another film with several evenings."""
    today = world.clock[:10]
    names = [row["name"] for row in world.query("SELECT name FROM titles ORDER BY id")]
    films = [f for f in FILMS if f not in names]
    busy = {(row["hall_id"], row["day"]) for row in world.query(
        "SELECT hall_id, substr(starts_at, 1, 10) AS day FROM screenings WHERE status <> 'cancelled' AND substr(starts_at, 1, 10) >= ?"
        " UNION ALL SELECT hall_id, substr(starts_at, 1, 10) FROM hall_bookings WHERE status IN ('option', 'confirmed') AND substr(starts_at, 1, 10) >= ?", [today, today])}
    top = world.one(
        "SELECT (SELECT MAX(id) FROM copies) AS c, (SELECT MAX(id) FROM titles) AS t, (SELECT MAX(id) FROM tickets) AS k, (SELECT MAX(id) FROM screenings) AS s, (SELECT MAX(id) FROM payments) AS p")
    while True:
        old, new = rng.sample(films, 2)
        day = _plus(today, rng.randint(2, 30))
        first = _plus(today, rng.randint(4, 36))
        last = _plus(first, rng.randint(13, 25))
        span = (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days
        free = [(h, _plus(first, n)) for h in (1, 2) for n in range(span + 1) if (h, _plus(first, n)) not in busy]
        halls = [h for h in (1, 2) if (h, day) not in busy]
        days = sorted({d for _, d in free if d != day})
        number = rng.randint(4, 7)
        if not halls or len(days) < number:
            continue
        chosen = sorted(rng.sample(days, number))
        fit_from = rng.randint(1, number - 2)
        screenings = [{
            "id": top["s"] + 1, "copy_id": top["c"] + 1, "hall_id": rng.choice(halls), "starts_at": day + "T" + rng.choice(EVENINGS) + ":00", "kind": "public", "is_preview": 0,
            "sale_opens_at": _plus(today, -24) + "T10:00:00", "seats_held": rng.randint(12, 42), "status": "scheduled",
        }]
        payments, tickets = [], []
        swapped = rng.random() < 0.35
        counts = [2]
        for place, date in enumerate(chosen):
            hall = rng.choice([h for h, d in free if d == date])
            seats = 142 if hall == 1 else 58
            fits = place >= fit_from
            full = not fits and rng.random() < 0.5
            counts.append(0 if fits or full else rng.randint(5, 6))
            screenings.append({
                "id": top["s"] + 2 + place, "copy_id": top["c"] + 2, "hall_id": hall, "starts_at": date + "T" + rng.choice(EVENINGS) + ":00", "kind": "public", "is_preview": 0,
                "sale_opens_at": _plus(today, -24) + "T10:00:00", "seats_held": seats - rng.randint(0, 1) if full else rng.randint(9, 40), "status": "scheduled",
            })
        for place, count in enumerate(counts):
            if not count:
                continue
            payment = top["p"] + 1 + len(payments)
            bought = _plus(today, -rng.randint(2, 20)) + "T12:50:00"
            payments.append({"id": payment, "account_id": 1, "amount_cents": 1100 * count, "method": "bancontact", "structured_communication": _structured(2000 + payment), "paid_at": bought, "refunded_cents": 0})
            for _ in range(count):
                tickets.append({
                    "id": top["k"] + 1 + len(tickets), "screening_id": top["s"] + 1 + place, "account_id": 1, "tariff": "standard", "price_cents": 1100, "voucher_cents": 0,
                    "payment_id": payment, "bought_at": bought, "swapped": 1 if swapped and place == 0 else 0, "status": "valid",
                })
        instance = {
            "p": {"old": old, "day": day, "new": new, "first": first, "last": last, "target": top["s"] + 2 + fit_from, "tickets": [top["k"] + 1, top["k"] + 2], "swapped": swapped},
            "given": {
                "titles": [{"id": top["t"] + 1 + n, "name": name, "year": 2025, "director": "Mieke Vandorpe", "minutes": rng.randint(84, 115), "languages": "Dutch", "kijkwijzer_age": rng.choice((6, 9, 12, 14))} for n, name in enumerate((old, new))],
                "copies": [{"id": top["c"] + 1 + n, "title_id": top["t"] + 1 + n, "carrier": "DCP", "lender": "Kouter Distributie", "condition": "good", "guessed_fee_cents": 15000} for n in (0, 1)],
                "screenings": screenings, "payments": payments, "tickets": tickets,
            },
        }
        if swapped:
            instance["kind"] = "refusal"
            instance["rule"] = "return_and_swap_deadlines"
        yield instance


def solve(tools, p):
    tickets = [t for t in tools.list_my_tickets(status="valid", first_day=p["day"], last_day=p["day"])["tickets"] if t["title_name"] == p["old"]]
    shows = tools.search_screenings(title_contains=p["new"], first_day=p["first"], last_day=p["last"], kind="public")["screenings"]
    target = None
    for show in sorted(shows, key=lambda s: s["starts_at"]):
        detail = tools.get_screening(screening_id=show["id"])
        if detail["title_name"] == p["new"] and detail["seats_left"] >= 2 and detail["my_tickets_left"] >= 2:
            target = detail
            break
    try:
        for ticket in tickets:
            tools.swap_ticket(ticket_id=ticket["id"], screening_id=target["id"])
    except tools.Error as error:
        return {
            "outcome": "refused", "answers": {"day": None, "start": None}, "reason": "return_and_swap_deadlines",
            "message": f"The tickets cannot be swapped: {error}",
        }
    day, start = target["starts_at"][:10], target["starts_at"][11:16]
    return {
        "outcome": "done", "answers": {"day": day, "start": start}, "reason": None,
        "message": f"Your two tickets are now for {p['new']} on {day} at {start}.",
    }


def _show(world, p):
    return world.initial.one("SELECT starts_at FROM screenings WHERE id = ? AND status = 'scheduled'", [p["target"]])["starts_at"]


def goal_tickets_are_swapped_or_refused(world, p):
    """Both tickets are for the first evening of the other film that works, or the refusal is reported."""
    if p["swapped"]:
        return world.report.outcome == "refused" and world.report.reason == "return_and_swap_deadlines"
    rows = [world.final.one("SELECT screening_id, swapped, status FROM tickets WHERE id = ?", [i]) for i in p["tickets"]]
    return all(r["screening_id"] == p["target"] and r["swapped"] == 1 and r["status"] == "valid" for r in rows)


def goal_says_day(world, p):
    """Says the new day, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("day", None if p["swapped"] else _show(world, p)[:10])


def goal_says_start(world, p):
    """Says the new starting time, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("start", None if p["swapped"] else _show(world, p)[11:16])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the rule forbids it."""
    return world.report.outcome in (None, "refused" if p["swapped"] else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule for a refusal and no rule otherwise."""
    return world.report.outcome is None or world.report.reason == ("return_and_swap_deadlines" if p["swapped"] else None)


def guard_changes_these_tickets_only(world, p):
    """Changed nothing but the screening of these two tickets, and nothing where it is refused."""
    if p["swapped"]:
        return len(world.changes) == 0
    for c in world.changes:
        before, after = c["before"], c["after"]
        if c["table"] != "tickets" or before is None or after is None or before["id"] not in p["tickets"]:
            return False
        if after["screening_id"] != p["target"] or any(before[f] != after[f] for f in before if f not in ("screening_id", "swapped")):
            return False
    return True
