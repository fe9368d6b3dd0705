import datetime

CLUBS = ("Kaukajärven Masters ry", "Annalan Uimarit ry", "Tampereen Snorklaajat ry", "Levonmäen Liikunta ry")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _idle(db, p):
    """The dates of the turn in that time for which the club paid without swimming, with what it paid."""
    return db.query(
        "SELECT substr(d.starts_at, 1, 10) AS day, CASE d.status WHEN 'no_show' THEN d.price_cents ELSE d.cancellation_fee_cents END"
        " AS paid FROM lane_bookings d WHERE d.season_turn_id = :t AND substr(d.starts_at, 1, 10) >= :first"
        " AND d.starts_at < :now AND (d.status = 'no_show' OR (d.status = 'cancelled' AND d.cancellation_fee_cents > 0))"
        " ORDER BY d.starts_at",
        {"t": p["turn"], "first": p["first"], "now": p["clock"]},
    )


def instances(world, rng):
    """A club that the person acts for, with a turn of which some dates were paid for and not used."""
    today = datetime.date.fromisoformat(world.clock[:10])
    year = today.year if today.month >= 8 else today.year - 1
    season, end = datetime.date(year, 8, 3), datetime.date(year + 1, 5, 31)
    begin = season if (today - season).days > 100 else season - datetime.timedelta(days=210)
    acts = world.one(
        "SELECT f.club_id AS id, g.name FROM club_representatives f JOIN clubs g ON g.id = f.club_id WHERE f.customer_id = 1"
        " AND f.role <> 'named_person' AND f.valid_from <= :d AND f.valid_to >= :d",
        {"d": world.clock[:10]},
    )
    free = list(range(1, 8))
    if acts is not None:
        turns = world.query("SELECT m.opening_hours_id AS weekday FROM season_turns m WHERE m.club_id = ?", [acts["id"]])
        free = [n for n in free if n not in {t["weekday"] for t in turns}]
    price = world.one("SELECT h.id, h.price_cents AS cents FROM prices h WHERE h.code = 'lane_adults' AND h.category = 'lane_hour'")
    top = world.one(
        "SELECT (SELECT max(id) FROM clubs) AS club, (SELECT max(id) FROM club_representatives) AS role,"
        " (SELECT max(id) FROM season_turns) AS turn, (SELECT max(id) FROM lane_bookings) AS lane"
    )
    closes = {r["id"]: int(r["hall_closes"][:2]) for r in world.query("SELECT id, hall_closes FROM opening_hours ORDER BY id")}
    seen = set()
    for _ in range(3000):
        number, lane = rng.choice(free), rng.randint(2, 6)
        hour = rng.choice([15, 16]) if number > 5 else rng.choice([17, 18, 19])
        if hour + 1 > closes[number]:
            continue
        clash = world.one(
            "SELECT count(*) AS n FROM season_turns m WHERE m.opening_hours_id = ? AND m.lane = ? AND m.starts_time < ?"
            " AND m.ends_time > ? AND m.valid_to >= ?",
            [number, lane, f"{hour + 1}:00", f"{hour}:00", begin.isoformat()],
        )
        if clash["n"]:
            continue
        club = acts if acts is not None else {"id": top["club"] + 1, "name": rng.choice(CLUBS)}
        turn = {
            "id": top["turn"] + 1,
            "club_id": club["id"],
            "basis": "season",
            "lane": lane,
            "opening_hours_id": number,
            "starts_time": f"{hour}:00",
            "ends_time": f"{hour + 1}:00",
            "price_id": price["id"],
            "valid_from": (begin + datetime.timedelta(days=2)).isoformat(),
            "valid_to": end.isoformat(),
            "status": "active",
        }
        day = begin + datetime.timedelta(days=(number - begin.isoweekday()) % 7 + 7)
        days = []
        while day < today:
            closed = datetime.date(day.year, 6, 8) <= day <= datetime.date(day.year, 8, 2)
            if not closed and (day.month, day.day) not in ((12, 24), (12, 25), (12, 26), (12, 31), (1, 1), (1, 6), (5, 1)):
                days.append(day)
            day += datetime.timedelta(days=7)
        days = days[-rng.randint(12, 20) :]
        if len(days) < 10:
            continue
        taken = world.query(
            "SELECT q.starts_at FROM lane_bookings q WHERE q.lane = :l AND q.status <> 'cancelled' AND substr(q.starts_at, 12, 2) IN (:h, :g)",
            {"l": lane, "h": str(hour), "g": str(hour - 1)},
        )
        if {r["starts_at"][:10] for r in taken} & {d.isoformat() for d in days}:
            continue
        odd = rng.sample(days, rng.randint(4, 6))
        rows = []
        for d in days:
            row = {
                "id": top["lane"] + 1 + len(rows),
                "code": f"LANE-{39001 + len(rows) * 3}",
                "season_turn_id": turn["id"],
                "club_id": club["id"],
                "lane": lane,
                "starts_at": f"{d.isoformat()}T{hour}:00:00",
                "ends_at": f"{d.isoformat()}T{hour + 1}:00:00",
                "price_id": price["id"],
                "price_cents": price["cents"],
                "status": "used",
            }
            if d in odd:
                kind = ("no_show", "half", "free", "no_show", "full", "free")[odd.index(d)]
                if kind == "no_show":
                    row["status"] = "no_show"
                else:
                    before = {"half": 3, "full": 0, "free": 9}[kind]
                    fee = {"half": price["cents"] // 2, "full": price["cents"], "free": 0}[kind]
                    row.update(
                        {
                            "status": "cancelled",
                            "cancelled_at": f"{(d - datetime.timedelta(days=before)).isoformat()}T11:{10 + len(rows)}:00",
                            "cancelled_by_id": 1,
                            "cancellation_fee_cents": fee,
                        }
                    )
            rows.append(row)
        first = days[rng.randint(0, 4)] - datetime.timedelta(days=rng.randint(1, 6))
        p = {
            "club": club["name"],
            "weekday": DAYS[number - 1],
            "first": first.isoformat(),
            "turn": turn["id"],
            "clock": world.clock,
        }
        given = {}
        if acts is None:
            given["clubs"] = [{"id": club["id"], "name": club["name"], "tampere_based": 1}]
            given["club_representatives"] = [
                {
                    "id": top["role"] + 1,
                    "club_id": club["id"],
                    "customer_id": 1,
                    "role": "contact",
                    "valid_from": begin.isoformat(),
                    "valid_to": end.isoformat(),
                }
            ]
        given["season_turns"] = [turn]
        given["lane_bookings"] = rows
        idle = [
            r for r in rows if r["starts_at"][:10] >= p["first"] and (r["status"] == "no_show" or r.get("cancellation_fee_cents"))
        ]
        if len(idle) < 2 or (p["club"], p["weekday"], p["first"]) in seen:
            continue
        seen.add((p["club"], p["weekday"], p["first"]))
        yield {"p": p, "given": given}


def solve(tools, p):
    role = next(r for r in tools.get_my_profile()["club_roles"] if r["club_name"] == p["club"])
    turns = tools.list_season_turns(club_id=role["club_id"])["season_turns"]
    mine = {t["id"] for t in turns if t["weekday"] == p["weekday"] and t["basis"] == "season"}
    paid = {}
    for status in ("no_show", "cancelled"):
        dates = tools.list_lane_bookings(basis="season", status=status, club_id=role["club_id"], first_day=p["first"])["lane_bookings"]
        for d in dates:
            if d["season_turn_id"] not in mine:
                continue
            cents = d["price_cents"] if status == "no_show" else d["cancellation_fee_cents"] or 0
            if cents:
                paid[d["starts_at"][:10]] = cents
    days = sorted(paid)
    return {
        "outcome": "done",
        "answers": {"days_paid_for_nothing": days, "amount_lost": sum(paid.values())},
        "reason": None,
        "message": f"{p['club']} paid {sum(paid.values()) / 100:.2f} euros without swimming, for {', '.join(days)}.",
    }


def goal_says_which_days_were_paid_for_nothing(world, p):
    """Says for which days the club paid without swimming."""
    return world.report.says("days_paid_for_nothing", [r["day"] for r in _idle(world.initial, p)])


def goal_says_what_was_lost(world, p):
    """Says how much it paid for them."""
    return world.report.says("amount_lost", sum(r["paid"] for r in _idle(world.initial, p)))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0
