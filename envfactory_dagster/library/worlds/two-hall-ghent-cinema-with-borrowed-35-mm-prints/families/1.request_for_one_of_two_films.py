import datetime

HOLIDAYS = ("2025-11-01", "2025-11-11", "2025-12-25", "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25", "2026-07-21")
FILMS = (
    "De melkboer van Sleidinge", "Winter aan de Lieve", "Het geheim van Patershol", "Een boot voor Adriaan", "De vlasoogst", "Vier dagen mist",
    "De klokkenluider", "Zand in de raderen", "Het lied van Ertvelde", "Tante Godelieve", "De brug bij Merendree", "Nachtdienst in Sint-Lucas",
    "De kermisbokser", "Het verloren orgel", "Meisje met de zwarte hond", "Over de Schelde", "De leerling-drukker", "Een wit paard in Vinderhoute",
    "Achter de dijk", "De dochter van de sluis", "Zomerpolder", "Het duivenhok", "De trein van vijf uur", "Een handvol zout",
)


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _works(day):
    return datetime.date.fromisoformat(day).weekday() < 5 and day not in HOLIDAYS


def _deadline(day, count):
    while count > 0:
        day = _plus(day, -1)
        if _works(day):
            count -= 1
    return day + "T17:00:00"


def _weeks(days):
    return len({datetime.date.fromisoformat(d).isocalendar()[:2] for d in days})


def _taken(rows, first, last):
    return [r for r in rows if first <= r["day"] <= last]


def instances(world, rng):
    """Two films that are known on both carriers, and three evenings for which a request may or may not come in time."""
    today = world.clock[:10]
    club = world.one("SELECT id, name, partner_since FROM clubs WHERE treasurer_account_id = 1 ORDER BY id")
    used = world.query(
        "SELECT substr(s.starts_at, 1, 10) AS day, c.carrier FROM screenings s JOIN copies c ON c.id = s.copy_id WHERE s.club_id = ? AND s.status <> 'cancelled'"
        " UNION ALL SELECT substr(COALESCE(r.quoted_start_at, r.first_wish_at), 1, 10), r.carrier FROM programming_requests r WHERE r.club_id = ?"
        " AND (r.status IN ('to_be_traced', 'submitted') OR (r.status = 'quoted' AND r.quote_valid_until >= ?))",
        [club["id"], club["id"], world.clock])
    limit = 10 if _plus(club["partner_since"], 3653) < today else 8
    top = world.one("SELECT (SELECT MAX(id) FROM titles) AS t, (SELECT MAX(id) FROM copies) AS c, (SELECT MAX(id) FROM programming_requests) AS r")
    old = world.one("SELECT MIN(id) AS id FROM titles")["id"]
    season = _taken(used, "2025-09-01", "2026-08-31")
    room = limit - len(season)
    while True:
        film_a, film_b = rng.sample(FILMS, 2)
        fees = rng.sample(range(12000, 48000, 500), 4)
        more = []
        if room > 1 and rng.random() < 0.4 and len([r for r in season if r["carrier"] == "35mm"]) == 2:
            more.append({"day": "2026-06-10", "carrier": "35mm"})
        month_full = room > 3 and rng.random() < 0.25
        first = _plus(today, rng.randint(18, 95))
        dates = [first, _plus(first, rng.choice((1, 5, 6, 7, 8, 12)))]
        dates.append(_plus(dates[1], rng.choice((1, 2, 7, 9, 14))))
        if any(datetime.date.fromisoformat(d).weekday() > 3 or d in HOLIDAYS or d > "2026-06-30" for d in dates):
            continue
        month = [r for r in season + more if r["day"][:7] == first[:7]]
        if month_full and len(month) < 2 and first[:7] != "2026-06":
            while len(month) < 2:
                extra = {"day": first[:8] + ("24" if month else "17"), "carrier": "DCP"}
                more.append(extra)
                month.append(extra)
        if any(_deadline(m["day"], 30 if m["carrier"] == "35mm" else 15) < _plus(today, -12) for m in more):
            continue
        if len(season) + len(more) + 1 > limit:
            continue
        carrier = "35mm" if len([r for r in season + more if r["carrier"] == "35mm"]) < 3 else "DCP"
        late = world.clock > _deadline(first, 30 if carrier == "35mm" else 15)
        refused = late or _weeks(dates) < 2 or len(month) >= 2
        if refused and rng.random() < 0.6:
            continue
        titles, copies = [], []
        for place, film in enumerate((film_a, film_b)):
            titles.append({"id": top["t"] + 1 + place, "name": film, "year": 1961 + place * 12, "director": "Odiel Rombaut", "minutes": 92 + place * 7, "languages": "Dutch", "kijkwijzer_age": 12})
            copies.append({"id": top["c"] + 1 + 2 * place, "title_id": top["t"] + 1 + place, "carrier": "35mm", "lender": "Filmdepot Laken", "reels": 5, "condition": "good", "guessed_fee_cents": fees[2 * place]})
            copies.append({"id": top["c"] + 2 + 2 * place, "title_id": top["t"] + 1 + place, "carrier": "DCP", "lender": "Noordzee Film", "condition": "good", "guessed_fee_cents": fees[2 * place + 1]})
        given = {"titles": titles, "copies": copies}
        if more:
            given["programming_requests"] = [{
                "id": top["r"] + 1 + place, "club_id": club["id"], "title_id": old, "carrier": row["carrier"], "first_wish_at": row["day"] + "T20:00:00",
                "second_wish_at": _plus(row["day"], 7) + "T20:00:00", "third_wish_at": _plus(row["day"], 14) + "T20:00:00", "expected_public": 60,
                "status": "submitted", "submitted_at": _plus(today, -13) + "T19:30:00",
            } for place, row in enumerate(more)]
        by_fee = 0 if carrier == "35mm" else 1
        cheaper = 0 if fees[by_fee] < fees[2 + by_fee] else 1
        instance = {
            "p": {
                "club": club["name"], "film_a": film_a, "film_b": film_b, "first": dates[0], "second": dates[1], "third": dates[2], "people": rng.randint(35, 120),
                "title": top["t"] + 1 + cheaper, "carrier": carrier, "left": limit - len(season) - len(more) - 1, "refused": refused,
            },
            "given": given,
        }
        if refused:
            instance["kind"] = "refusal"
            instance["rule"] = "club_quota_and_deadlines"
        yield instance


def solve(tools, p):
    club = next(c for c in tools.get_my_account()["clubs"] if c["name"] == p["club"])
    quota = tools.get_club_quota(club_id=club["id"], month=p["first"][:7])
    carrier = "35mm" if quota["season_35mm_left"] > 0 else "DCP"
    best = None
    fee = None
    for film in (p["film_a"], p["film_b"]):
        title = next(t for t in tools.search_titles(name_contains=film)["titles"] if t["name"] == film)
        cheapest = min(c["guessed_fee_cents"] for c in title["copies"] if c["carrier"] == carrier and c["condition"] in ("good", "worn"))
        if fee is None or cheapest < fee:
            best, fee = title, cheapest
    try:
        request = tools.submit_programming_request(
            club_id=club["id"], title_id=best["id"], carrier=carrier, first_wish_at=p["first"] + "T20:00:00", second_wish_at=p["second"] + "T20:00:00",
            third_wish_at=p["third"] + "T20:00:00", expected_public=p["people"],
        )
    except tools.Error as error:
        return {
            "outcome": "refused", "answers": {"film": None, "carrier": None, "screenings_left": None}, "reason": "club_quota_and_deadlines",
            "message": f"The request cannot be sent in, because of the quota and the deadlines for clubs: {error}",
        }
    how = "35 mm" if carrier == "35mm" else "digital"
    return {
        "outcome": "done", "answers": {"film": best["name"], "carrier": how, "screenings_left": request["quota_season_left"]}, "reason": None,
        "message": f"The request for {best['name']} ({how}) is in; {request['quota_season_left']} screenings of the season are left after it.",
    }


def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "programming_requests" and c["before"] is None]


def goal_request_for_the_cheaper_film(world, p):
    """Has one request of the club for the film that is cheaper to borrow on the right carrier, or the refusal."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "club_quota_and_deadlines"
    club = world.initial.one("SELECT id FROM clubs WHERE name = ?", [p["club"]])
    rows = _new(world)
    return len(rows) == 1 and rows[0]["club_id"] == club["id"] and rows[0]["title_id"] == p["title"] and rows[0]["carrier"] == p["carrier"] and rows[0]["status"] == "submitted"


def goal_request_names_evenings_and_people(world, p):
    """It names the three evenings in order and the people expected, or is refused."""
    if p["refused"]:
        return world.report.outcome == "refused" and not _new(world)
    rows = _new(world)
    return len(rows) == 1 and (rows[0]["first_wish_at"], rows[0]["second_wish_at"], rows[0]["third_wish_at"]) == (
        p["first"] + "T20:00:00", p["second"] + "T20:00:00", p["third"] + "T20:00:00") and rows[0]["expected_public"] == p["people"]


def goal_says_film(world, p):
    """Says which film it is, or leaves it empty where it is refused."""
    title = world.initial.one("SELECT name FROM titles WHERE id = ?", [p["title"]])
    return world.report.outcome is not None and world.report.says("film", None if p["refused"] else title["name"])


def goal_says_carrier(world, p):
    """Says how it is shown, or leaves it empty where it is refused."""
    how = "35 mm" if p["carrier"] == "35mm" else "digital"
    return world.report.outcome is not None and world.report.says("carrier", None if p["refused"] else how)


def goal_says_screenings_left(world, p):
    """Says how many screenings of the season are left, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("screenings_left", None if p["refused"] else p["left"])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the rule forbids it."""
    return world.report.outcome in (None, "refused" if p["refused"] else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule for a refusal and no rule otherwise."""
    return world.report.outcome is None or world.report.reason == ("club_quota_and_deadlines" if p["refused"] else None)


def guard_adds_one_request_only(world, p):
    """Added at most one request, and nothing where it is refused."""
    if p["refused"]:
        return len(world.changes) == 0
    return len(world.changes) <= 1 and all(c["table"] == "programming_requests" and c["before"] is None for c in world.changes)
