import datetime

FILMS = (
    "De nacht van Wetteren", "Rood op de Brusselpoort", "Stof en zilver", "De laatste veerman", "Onder de Sint-Michielsbrug", "Het erf van Aalter",
    "Koude grond", "De bewaker van kaai negen", "Een zomer in Doel", "Schaduwen van de Muinkkaai", "De slager van Zomergem", "Vuur in de Vlaamse Velden",
    "Glas en zand", "De man zonder fiets", "Sporen in het slib", "Wolven aan de Dender", "Tien voor twaalf", "De stille getuige van Melle",
    "IJzer en regen", "Het huis met de rode deur", "Dokter Vervloet", "Na de vloed", "De gijzeling", "Blinde muren",
)
STARTS = ("19:30", "19:45", "20:00", "20:15", "20:30")


def _structured(number):
    body = "098" + str(number % 10000000).zfill(7)
    body += str(int(body) % 97 or 97).zfill(2)
    return "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _forbidden(rating, kid):
    return (rating == 18 and kid < 18) or (rating == 16 and kid < 14)


def instances(world, rng):
    """A film with several evenings, at some of which three more seats are not to be had, and three people of known ages."""
    today = world.clock[:10]
    busy = {(row["hall_id"], row["day"]) for row in world.query(
        "SELECT hall_id, substr(starts_at, 1, 10) AS day FROM screenings WHERE status <> 'cancelled' AND starts_at > ?"
        " UNION SELECT hall_id, substr(starts_at, 1, 10) FROM hall_bookings WHERE status IN ('option', 'confirmed') AND starts_at > ?",
        [world.clock, world.clock])}
    known = {row["name"] for row in world.query("SELECT name FROM titles ORDER BY name")}
    top = world.one(
        "SELECT (SELECT MAX(id) FROM titles) AS t, (SELECT MAX(id) FROM copies) AS c, (SELECT MAX(id) FROM screenings) AS s,"
        " (SELECT MAX(id) FROM tickets) AS k, (SELECT MAX(id) FROM payments) AS p")
    films = [f for f in FILMS if f not in known]
    while True:
        film = rng.choice(films)
        rating = rng.choice((12, 14, 16, 16, 16, 18, 18))
        kid = rng.randint(11, 17)
        first = _plus(today, rng.randint(5, 30))
        last = _plus(first, rng.randint(14, 24))
        span = (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days
        free = [(hall, _plus(first, n)) for hall in (1, 2) for n in range(-3, span + 1) if (hall, _plus(first, n)) not in busy]
        days = sorted({day for _, day in free if day >= first})
        early = sorted({day for _, day in free if day < first})
        if len(days) < 6 or not early:
            continue
        number = rng.randint(4, 6)
        chosen = sorted(rng.sample(days, number))
        fit_from = rng.randint(2, number - 1)
        screenings, tickets, payments = [], [], []
        for place, day in enumerate([rng.choice(early)] + chosen):
            hall = rng.choice([h for h, d in free if d == day])
            seats = 142 if hall == 1 else 58
            screening = top["s"] + 1 + place
            late = place - 1 >= fit_from or place == 0
            full = not late and rng.random() < 0.5
            screenings.append({
                "id": screening, "copy_id": top["c"] + 1, "hall_id": hall, "starts_at": day + "T" + rng.choice(STARTS) + ":00", "kind": "public",
                "is_preview": 0, "sale_opens_at": _plus(today, -20) + "T10:00:00",
                "seats_held": seats - rng.randint(0, 2) if full else rng.randint(10, 40), "status": "scheduled",
            })
            if not late and not full:
                count = rng.randint(4, 6)
                payment = top["p"] + 1 + len(payments)
                bought = _plus(today, -rng.randint(2, 12)) + "T18:25:00"
                payments.append({
                    "id": payment, "account_id": 1, "amount_cents": 1100 * count, "method": "bancontact",
                    "structured_communication": _structured(8000 + payment), "paid_at": bought, "refunded_cents": 0,
                })
                for _ in range(count):
                    tickets.append({
                        "id": top["k"] + 1 + len(tickets), "screening_id": screening, "account_id": 1, "tariff": "standard", "holder_age": 40,
                        "price_cents": 1100, "voucher_cents": 0, "payment_id": payment, "bought_at": bought, "swapped": 0, "status": "valid",
                    })
        given = {
            "titles": [{"id": top["t"] + 1, "name": film, "year": 2024, "director": "Griet Hollevoet", "minutes": rng.randint(88, 118), "languages": "Dutch", "kijkwijzer_age": rating}],
            "copies": [{"id": top["c"] + 1, "title_id": top["t"] + 1, "carrier": "DCP", "lender": "Kouter Distributie", "condition": "good", "guessed_fee_cents": 16000}],
            "screenings": screenings,
        }
        if tickets:
            given["payments"] = payments
            given["tickets"] = tickets
        instance = {
            "p": {
                "film": film, "first": first, "last": last, "gran": rng.randint(66, 84), "sister": rng.randint(24, 52), "kid": kid,
                "screening": top["s"] + 2 + fit_from, "rating": rating,
            },
            "given": given,
        }
        if _forbidden(rating, kid):
            instance["kind"] = "refusal"
            instance["rule"] = "house_age_limit"
        yield instance


def solve(tools, p):
    shows = tools.search_screenings(title_contains=p["film"], first_day=p["first"], last_day=p["last"], kind="public")["screenings"]
    chosen = None
    for show in sorted(shows, key=lambda s: s["starts_at"]):
        detail = tools.get_screening(screening_id=show["id"])
        if show["title_name"] == p["film"] and detail["seats_left"] >= 3 and detail["my_tickets_left"] >= 3:
            chosen = detail
            break
    seats = [{"tariff": "standard", "holder_age": age} for age in (p["gran"], p["sister"], p["kid"])]
    try:
        bought = tools.buy_tickets(screening_id=chosen["id"], seats=seats, payment_method="bancontact")
    except tools.Error as error:
        return {
            "outcome": "refused", "answers": {"day": None, "start": None}, "reason": "house_age_limit",
            "message": f"I cannot buy the three seats, because of the age limit of the house: {error}",
        }
    day, start = chosen["starts_at"][:10], chosen["starts_at"][11:16]
    return {
        "outcome": "done", "answers": {"day": day, "start": start}, "reason": None,
        "message": f"You have three seats for {p['film']} on {day} at {start}, for {bought['price_cents'] / 100:.2f} euros.",
    }


def _refused(p):
    return _forbidden(p["rating"], p["kid"])


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _show(world, p):
    return world.initial.one("SELECT id, starts_at FROM screenings WHERE id = ?", [p["screening"]])


def goal_ends_as_the_age_limit_says(world, p):
    """Has three seats for the three ages at the first evening that works, or the refusal by the age limit."""
    if _refused(p):
        return world.report.outcome == "refused" and world.report.reason == "house_age_limit"
    rows = _new(world, "tickets")
    return len(rows) == 3 and sorted(r["holder_age"] or 0 for r in rows) == sorted((p["gran"], p["sister"], p["kid"])) and all(
        r["screening_id"] == p["screening"] and r["account_id"] == 1 and r["tariff"] == "standard" and r["status"] == "valid" for r in rows)


def goal_is_paid_by_bancontact(world, p):
    """The seats are paid in full by Bancontact, or nothing is paid and the refusal reported."""
    if _refused(p):
        return world.report.outcome == "refused" and not _new(world, "payments")
    rows = _new(world, "payments")
    return len(rows) == 1 and rows[0]["amount_cents"] == 3300 and rows[0]["method"] == "bancontact" and rows[0]["account_id"] == 1


def goal_says_day(world, p):
    """Says the day, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("day", None if _refused(p) else _show(world, p)["starts_at"][:10])


def goal_says_start(world, p):
    """Says when it starts, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("start", None if _refused(p) else _show(world, p)["starts_at"][11:16])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the age limit forbids it."""
    return world.report.outcome in (None, "refused" if _refused(p) else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule for a refusal and no rule otherwise."""
    return world.report.outcome is None or world.report.reason == ("house_age_limit" if _refused(p) else None)


def guard_adds_three_seats_and_a_payment_only(world, p):
    """Added at most three seats with one payment, and nothing where it is refused."""
    if _refused(p):
        return len(world.changes) == 0
    return all(c["before"] is None and c["table"] in ("tickets", "payments") and c["after"]["account_id"] == 1 for c in world.changes) and (
        len(_new(world, "tickets")) <= 3 and len(_new(world, "payments")) <= 1)
