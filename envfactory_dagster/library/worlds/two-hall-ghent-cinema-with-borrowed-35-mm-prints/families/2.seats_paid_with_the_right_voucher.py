import datetime

FILMS = (
    "Het goud van Gentbrugge", "De dag dat het regende", "Mevrouw Vanneste", "De verre neef", "Spoor drie", "Achter het rolluik", "Zeventien treden", "De kunst van het wachten",
    "Twee koffers", "Buiten de lijntjes", "De nieuwe buren", "Een half uur te vroeg", "Hotel Belvedere", "De vondeling van Wondelgem", "Noordenwind", "Kamer te huur",
)
STARTS = (("14:10", "19:50"), ("15:20", "20:20"), ("13:40", "20:05"))


def _structured(number):
    body = "095" + str(number % 10000000).zfill(7)
    body += str(int(body) % 97 or 97).zfill(2)
    return "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _choice(vouchers, total):
    """The voucher to be used: the first to run out of those that cover it, otherwise the one with most left."""
    covering = [v for v in vouchers if v["left_cents"] >= total]
    if covering:
        return min(covering, key=lambda v: v["expires_on"])
    return max(vouchers, key=lambda v: v["left_cents"])


def instances(world, rng):
    """A film with two showings on a day, a number of seats, and several vouchers of which some cover the price."""
    today = world.clock[:10]
    memberships = world.query("SELECT kind, starts_on, ends_on FROM memberships WHERE account_id = 1 ORDER BY starts_on, id")
    own = world.query("SELECT id, code, left_cents, expires_on FROM vouchers WHERE account_id = 1 AND left_cents > 0 AND expires_on >= ? ORDER BY id", [today])
    halls = world.query("SELECT DISTINCT hall_id, substr(starts_at, 1, 10) AS day FROM screenings WHERE status <> 'cancelled' AND starts_at > ?", [world.clock])
    hires = world.query("SELECT DISTINCT hall_id, substr(starts_at, 1, 10) AS day FROM hall_bookings WHERE status IN ('option', 'confirmed') AND starts_at > ?", [world.clock])
    busy = {(row["hall_id"], row["day"]) for row in halls + hires}
    top = world.one(
        "SELECT (SELECT MAX(id) FROM titles) AS t, (SELECT MAX(id) FROM copies) AS c, (SELECT MAX(id) FROM screenings) AS s, (SELECT MAX(id) FROM tickets) AS k,"
        " (SELECT MAX(id) FROM payments) AS p, (SELECT MAX(id) FROM vouchers) AS v")
    while True:
        film = rng.choice(FILMS)
        day = _plus(today, rng.choice((rng.randint(3, 6), rng.randint(2, 45))))
        hall = rng.choice((1, 2))
        if (hall, day) in busy:
            continue
        full = rng.randint(0, 4)
        seats = 2 + full
        total = 1600 + 1100 * full
        held = rng.choice((0, 0, 1, 2, 3))
        vouchers = []
        for n in range(rng.randint(2, 4)):
            old = rng.random() < 0.2
            issued = _plus(today, -rng.randint(200, 260)) if old else _plus(today, -rng.randint(3, 150))
            value = rng.randrange(900, 7000, 100)
            vouchers.append({
                "id": top["v"] + 1 + n, "code": "VB-" + str(30000 + rng.randint(0, 9000) * 2 + n % 2), "account_id": 1, "origin": "goodwill", "value_cents": value, "left_cents": value,
                "issued_on": issued, "expires_on": _plus(issued, 181),
            })
        usable = own + [v for v in vouchers if v["expires_on"] >= today]
        if len({v["code"] for v in vouchers}) < len(vouchers) or len({v["left_cents"] for v in usable}) < len(usable) or len({v["expires_on"] for v in usable}) < len(usable):
            continue
        valid = [m for m in memberships if m["starts_on"] <= day <= m["ends_on"]]
        refused = held + seats > 6 or not valid
        if refused and rng.random() < 0.55:
            continue
        if not refused and seats == 2 and rng.random() < 0.5:
            continue
        times = rng.choice(STARTS)
        screenings = [{
            "id": top["s"] + 1 + n, "copy_id": top["c"] + 1, "hall_id": hall, "starts_at": day + "T" + times[n] + ":00", "kind": "public", "is_preview": 0,
            "sale_opens_at": _plus(today, -18) + "T10:00:00", "seats_held": rng.randint(8, 40), "status": "scheduled",
        } for n in (0, 1)]
        given = {
            "titles": [{"id": top["t"] + 1, "name": film, "year": 2025, "director": "Wannes Mertens", "minutes": rng.randint(86, 117), "languages": "Dutch", "kijkwijzer_age": rng.choice((6, 9, 12))}],
            "copies": [{"id": top["c"] + 1, "title_id": top["t"] + 1, "carrier": "DCP", "lender": "Noordzee Film", "condition": "good", "guessed_fee_cents": 17000}],
            "screenings": screenings, "vouchers": vouchers,
        }
        if held:
            bought = _plus(today, -rng.randint(2, 9)) + "T20:15:00"
            given["payments"] = [{"id": top["p"] + 1, "account_id": 1, "amount_cents": 1100 * held, "method": "transfer", "structured_communication": _structured(4000 + top["p"]), "paid_at": bought, "refunded_cents": 0}]
            given["tickets"] = [{
                "id": top["k"] + 1 + n, "screening_id": top["s"] + 2, "account_id": 1, "tariff": "standard", "price_cents": 1100, "voucher_cents": 0, "payment_id": top["p"] + 1,
                "bought_at": bought, "swapped": 0, "status": "valid",
            } for n in range(held)]
        chosen = _choice(usable, total)
        if chosen["left_cents"] >= total and chosen["left_cents"] == max(v["left_cents"] for v in usable):
            continue
        instance = {
            "p": {
                "film": film, "day": day, "seats": seats, "screening": top["s"] + 2, "voucher": chosen["id"], "code": chosen["code"], "total": total,
                "rest": max(0, total - chosen["left_cents"]), "refused": refused,
            },
            "given": given,
        }
        if refused:
            instance["kind"] = "refusal"
            instance["rule"] = "ticket_limits"
        yield instance


def solve(tools, p):
    shows = tools.search_screenings(title_contains=p["film"], first_day=p["day"], last_day=p["day"], kind="public")["screenings"]
    show = max((s for s in shows if s["title_name"] == p["film"]), key=lambda s: s["starts_at"])
    detail = tools.get_screening(screening_id=show["id"])
    total = 2 * detail["price_member_cents"] + (p["seats"] - 2) * detail["price_standard_cents"]
    vouchers = [v for v in tools.list_my_passes_and_vouchers()["vouchers"] if v["usable"]]
    covering = [v for v in vouchers if v["left_cents"] >= total]
    pool = covering or [max(vouchers, key=lambda v: v["left_cents"])]
    voucher = min(pool, key=lambda v: v["expires_on"])
    seats = [{"tariff": "member"}] * 2 + [{"tariff": "standard"}] * (p["seats"] - 2)
    try:
        bought = tools.buy_tickets(screening_id=show["id"], seats=seats, voucher_id=voucher["id"], payment_method="bancontact")
    except tools.Error as error:
        return {
            "outcome": "refused", "answers": {"voucher": None, "paid_by_bancontact": None}, "reason": "ticket_limits",
            "message": f"The seats cannot be bought, because of the limits for tickets: {error}",
        }
    return {
        "outcome": "done", "answers": {"voucher": voucher["code"], "paid_by_bancontact": bought["money_cents"]}, "reason": None,
        "message": f"You have {p['seats']} seats for {p['film']}; voucher {voucher['code']} went on it, and {bought['money_cents'] / 100:.2f} euros were paid by Bancontact.",
    }


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_seats_are_bought_or_refused(world, p):
    """Has so many seats at the last showing of that day, two at the members' price, or the refusal."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "ticket_limits"
    rows = _new(world, "tickets")
    return sorted(r["tariff"] for r in rows) == ["member"] * 2 + ["standard"] * (p["seats"] - 2) and all(
        r["screening_id"] == p["screening"] and r["account_id"] == 1 and r["status"] == "valid" for r in rows)


def goal_voucher_went_on_it(world, p):
    """The right voucher paid as much as it could, or nothing is taken off one and the refusal reported."""
    if p["refused"]:
        return world.report.outcome == "refused" and not world.changes
    paid = sum(r["voucher_cents"] for r in _new(world, "tickets") if r["voucher_id"] == p["voucher"])
    before = world.initial.one("SELECT left_cents AS n FROM vouchers WHERE id = ?", [p["voucher"]])["n"]
    after = world.final.one("SELECT left_cents AS n FROM vouchers WHERE id = ?", [p["voucher"]])["n"]
    return paid == p["total"] - p["rest"] and before - after == paid


def goal_rest_was_paid(world, p):
    """What the voucher does not cover is paid by Bancontact, and no more, or the refusal is reported."""
    if p["refused"]:
        return world.report.outcome == "refused" and not _new(world, "payments")
    rows = _new(world, "payments")
    return bool(_new(world, "tickets")) and sum(r["amount_cents"] for r in rows) == p["rest"] and all(r["method"] == "bancontact" for r in rows)


def goal_says_voucher(world, p):
    """Says which voucher it was, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("voucher", None if p["refused"] else p["code"])


def goal_says_paid_by_bancontact(world, p):
    """Says what was still paid by Bancontact, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("paid_by_bancontact", None if p["refused"] else p["rest"])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the limits forbid it."""
    return world.report.outcome in (None, "refused" if p["refused"] else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule for a refusal and no rule otherwise."""
    return world.report.outcome is None or world.report.reason == ("ticket_limits" if p["refused"] else None)


def guard_changes_nothing_else(world, p):
    """Added only these seats and a payment, drew on that voucher and counted the discount; nothing where it is refused."""
    if p["refused"]:
        return len(world.changes) == 0
    if len(_new(world, "tickets")) > p["seats"] or len(_new(world, "payments")) > (1 if p["rest"] > 0 else 0):
        return False
    members = len([r for r in _new(world, "tickets") if r["tariff"] == "member"])
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if before is None:
            if c["table"] not in ("tickets", "payments") or after["account_id"] != 1:
                return False
        elif c["table"] == "vouchers" and before["id"] == p["voucher"]:
            if any(before[f] != after[f] for f in before if f != "left_cents"):
                return False
        elif c["table"] == "memberships" and before["account_id"] == 1:
            if after["discount_enjoyed_cents"] - before["discount_enjoyed_cents"] != 300 * members or any(before[f] != after[f] for f in before if f != "discount_enjoyed_cents"):
                return False
        else:
            return False
    return True
