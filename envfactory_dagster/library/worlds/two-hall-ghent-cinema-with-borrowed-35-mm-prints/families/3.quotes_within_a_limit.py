import datetime

LEGAL = ("2025-11-01", "2025-11-11", "2025-12-25", "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25")


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _stands_until(day):
    """A quote stands for seven days, and on to the next working day."""
    day = _plus(day, 7)
    while datetime.date.fromisoformat(day).weekday() > 4 or day in LEGAL:
        day = _plus(day, 1)
    return day + "T17:00:00"


def _quotes(db, club):
    return db.query(
        "SELECT r.id, r.carrier, r.quoted_copy_id, r.quoted_hall_id, r.quoted_start_at, r.quote_loan_fee_cents, r.quote_valid_until, t.name AS film,"
        " r.quote_hall_cents + r.quote_loan_fee_cents + r.quote_35mm_cents AS total FROM programming_requests r JOIN titles t ON t.id = r.title_id"
        " JOIN clubs b ON b.id = r.club_id WHERE b.name = ? AND r.status = 'quoted' ORDER BY r.id", [club])


def instances(world, rng):
    """Some quotes for a club, a few of them lapsed, and a limit that part of them keep."""
    today = world.clock[:10]
    club = world.one("SELECT id, name, partner_since FROM clubs WHERE treasurer_account_id = 1 ORDER BY name")
    limit = 10 if _plus(club["partner_since"], 3653) < today else 8
    used = world.query(
        "SELECT substr(s.starts_at, 1, 7) AS month, c.carrier FROM screenings s JOIN copies c ON c.id = s.copy_id WHERE s.club_id = ? AND s.status <> 'cancelled' AND s.starts_at >= '2025-09-01'"
        " UNION ALL SELECT substr(COALESCE(r.quoted_start_at, r.first_wish_at), 1, 7), r.carrier FROM programming_requests r WHERE r.club_id = ?"
        " AND (r.status IN ('to_be_traced', 'submitted') OR (r.status = 'quoted' AND r.quote_valid_until >= ?))", [club["id"], club["id"], world.clock])
    there = _quotes(world, club["name"])
    busy = {(row["hall_id"], row["day"]) for row in world.query(
        "SELECT hall_id, substr(starts_at, 1, 10) AS day FROM screenings WHERE starts_at > ? AND status <> 'cancelled'"
        " UNION SELECT hall_id, substr(starts_at, 1, 10) FROM hall_bookings WHERE starts_at > ? AND status IN ('option', 'confirmed')", [world.clock, world.clock])}
    films = world.query(
        "SELECT t.id AS title, t.name, MIN(c.id) AS copy, c.carrier FROM titles t JOIN copies c ON c.title_id = t.id WHERE c.condition IN ('good', 'worn')"
        " AND (c.key_until IS NULL) GROUP BY t.id, c.carrier ORDER BY t.name, c.carrier")
    halls = {h["id"]: h["block_price_cents"] for h in world.query("SELECT id, block_price_cents FROM halls ORDER BY id")}
    top = world.one("SELECT MAX(id) AS r FROM programming_requests")
    while True:
        months = [row["month"] for row in used]
        prints = len([row for row in used if row["carrier"] == "35mm"])
        names = {q["film"] for q in there}
        days = {q["quoted_start_at"][:10] for q in there}
        rows, quotes = [], [{"total": q["total"], "stands": q["quote_valid_until"] >= world.clock} for q in there]
        room = limit - len(used)
        for _ in range(rng.randint(max(1, 3 - len(there)), 4)):
            film = rng.choice(films)
            carrier = film["carrier"]
            day = _plus(today, rng.randint(50 if carrier == "DCP" else 66, 225))
            hall = 1 if carrier == "35mm" else rng.choice((1, 2))
            lapsed = rng.random() < 0.3
            if film["name"] in names or day in days or day > "2026-06-26" or datetime.date.fromisoformat(day).weekday() > 3 or day in LEGAL or (hall, day) in busy:
                continue
            if months.count(day[:7]) >= 2 or (carrier == "35mm" and prints >= 3) or (not lapsed and room <= 1):
                continue
            if not lapsed:
                room -= 1
                months.append(day[:7])
                prints += 1 if carrier == "35mm" else 0
            names.add(film["name"])
            days.add(day)
            quoted = _plus(today, -rng.randint(13, 17)) if lapsed else _plus(today, -rng.randint(1, 6))
            fee = rng.randrange(9000, 46000, 500)
            base = halls[hall] * 3 // 4
            extra = 18000 if carrier == "35mm" else 0
            rows.append({
                "id": top["r"] + 1 + len(rows), "club_id": club["id"], "title_id": film["title"], "carrier": carrier, "first_wish_at": day + "T20:00:00",
                "second_wish_at": _plus(day, 7) + "T20:00:00", "third_wish_at": _plus(day, 14) + "T20:00:00", "expected_public": rng.randint(30, 110), "status": "quoted",
                "submitted_at": _plus(today, -22) + "T18:40:00", "quoted_copy_id": film["copy"], "quoted_hall_id": hall, "quoted_start_at": day + "T20:00:00",
                "quote_hall_cents": base, "quote_loan_fee_cents": fee, "quote_35mm_cents": extra, "quote_valid_until": _stands_until(quoted),
            })
            quotes.append({"total": base + fee + extra, "stands": not lapsed})
        if not rows or len(quotes) < 3:
            continue
        amount = rng.randrange(26000, 76000, 1000)
        taken = [q for q in quotes if q["stands"] and q["total"] <= amount]
        if not taken or len(taken) == len(quotes):
            continue
        yield {"p": {"club": club["name"], "limit": amount, "now": world.clock}, "given": {"programming_requests": rows}}


def solve(tools, p):
    club = next(c for c in tools.get_my_account()["clubs"] if c["name"] == p["club"])
    quotes = tools.list_my_programming_requests(club_id=club["id"], status="quoted")["programming_requests"]
    films = []
    total = 0
    for quote in quotes:
        cost = quote["quote_hall_cents"] + quote["quote_loan_fee_cents"] + quote["quote_35mm_cents"]
        if cost <= p["limit"]:
            try:
                total += tools.accept_quote(programming_request_id=quote["id"])["total_cents"]
                films.append(quote["title_name"])
                continue
            except tools.Error:
                pass
        tools.refuse_quote(programming_request_id=quote["id"])
    return {
        "outcome": "done", "answers": {"films": films, "total": total}, "reason": None,
        "message": f"Accepted: {', '.join(films)}, for {total / 100:.2f} euros together; the other quotes are turned down.",
    }


def _split(world, p):
    quotes = _quotes(world.initial, p["club"])
    good = [q for q in quotes if q["quote_valid_until"] >= p["now"] and q["total"] <= p["limit"]]
    return good, [q for q in quotes if q not in good]


def goal_good_quotes_are_accepted(world, p):
    """Every quote that stands and keeps the limit is accepted."""
    return all(world.final.one("SELECT status FROM programming_requests WHERE id = ?", [q["id"]])["status"] == "accepted" for q in _split(world, p)[0])


def goal_other_quotes_are_turned_down(world, p):
    """Every other quote is turned down."""
    return all(world.final.one("SELECT status FROM programming_requests WHERE id = ?", [q["id"]])["status"] == "refused" for q in _split(world, p)[1])


def goal_says_films(world, p):
    """Says which films were accepted."""
    return world.report.says("films", [q["film"] for q in _split(world, p)[0]])


def goal_says_total(world, p):
    """Says what the accepted quotes come to together."""
    return world.report.says("total", sum(q["total"] for q in _split(world, p)[0]))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world, p):
    """Closed only these quotes, and started only the loans and showings of accepted ones."""
    good, others = _split(world, p)
    by_id = {q["id"]: q for q in good}
    loans = {c["after"]["id"]: c["after"] for c in world.changes if c["table"] == "loan_agreements" and c["before"] is None}
    if len({a["programming_request_id"] for a in loans.values()}) < len(loans):
        return False
    shown = [c["after"]["loan_agreement_id"] for c in world.changes if c["table"] == "screenings" and c["before"] is None]
    if len(set(shown)) < len(shown):
        return False
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "programming_requests" and before is not None:
            right = "accepted" if before["id"] in by_id else "refused" if before["id"] in [q["id"] for q in others] else None
            if after["status"] != right or any(before[f] != after[f] for f in before if f not in ("status", "closed_at")):
                return False
        elif c["table"] == "loan_agreements" and before is None:
            quote = by_id.get(after["programming_request_id"])
            if quote is None or (after["copy_id"], after["fee_cents"], after["showings_allowed"], after["status"]) != (quote["quoted_copy_id"], quote["quote_loan_fee_cents"], 1, "requested"):
                return False
        elif c["table"] == "screenings" and before is None:
            loan = loans.get(after["loan_agreement_id"])
            quote = by_id.get(loan["programming_request_id"]) if loan else None
            if quote is None or quote["carrier"] != "DCP" or (after["hall_id"], after["starts_at"], after["copy_id"], after["kind"]) != (
                    quote["quoted_hall_id"], quote["quoted_start_at"], quote["quoted_copy_id"], "club"):
                return False
        else:
            return False
    return True
