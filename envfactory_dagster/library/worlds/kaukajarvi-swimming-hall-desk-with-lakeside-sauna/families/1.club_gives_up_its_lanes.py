import datetime

NAMES = ("Kaukajärven Kuntouimarit ry", "Tampereen Triathlonistit ry", "Pirkanmaan Avovesiuimarit ry", "Lukonmäen Uimakerho ry")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _crowd(world, starts, ends, lanes):
    """How many lanes are taken at that time, or 9 if one of these lanes is."""
    rows = world.query(
        "SELECT lane FROM lane_bookings WHERE status <> 'cancelled' AND starts_at < ? AND ends_at > ?", [ends, starts]
    )
    taken = {r["lane"] for r in rows}
    return 9 if taken & set(lanes) else len(taken)


def _turn_is_free(world, number, hour, lanes, first):
    rows = world.query(
        "SELECT lane FROM season_turns WHERE opening_hours_id = ? AND starts_time < ? AND ends_time > ?"
        " AND status = 'active' AND valid_to >= ?",
        [number, f"{hour + 1:02d}:00", f"{hour:02d}:00", first],
    )
    taken = {r["lane"] for r in rows}
    return not taken & set(lanes) and len(taken) <= 2


def instances(world, rng):
    """A club that the person acts for, with a turn on two lanes, and a time in which it cannot use it."""
    today = datetime.date.fromisoformat(world.clock[:10])
    season = datetime.date(today.year if today.month >= 8 else today.year - 1, 8, 3)
    end = datetime.date(season.year + 1, 5, 31)
    mine = world.one(
        "SELECT c.id, c.name FROM club_representatives r JOIN clubs c ON c.id = r.club_id WHERE r.customer_id = 1"
        " AND r.role IN ('contact', 'deputy') AND ? BETWEEN r.valid_from AND r.valid_to ORDER BY r.id",
        [world.clock[:10]],
    )
    used = set()
    if mine is not None:
        used = {
            r["opening_hours_id"]
            for r in world.query("SELECT DISTINCT opening_hours_id FROM season_turns WHERE club_id = ?", [mine["id"]])
        }
    hours = {r["id"]: r for r in world.query("SELECT id, hall_opens, hall_closes FROM opening_hours ORDER BY id")}
    price = world.one("SELECT id, price_cents FROM prices WHERE code = 'lane_adults'")
    top = {
        "clubs": world.one("SELECT max(id) AS n FROM clubs")["n"],
        "club_representatives": world.one("SELECT max(id) AS n FROM club_representatives")["n"],
        "season_turns": world.one("SELECT max(id) AS n FROM season_turns")["n"],
        "lane_bookings": world.one("SELECT max(id) AS n FROM lane_bookings")["n"],
    }
    for _ in range(1500):
        number = rng.choice([n for n in range(1, 8) if n not in used])
        closes = int(hours[number]["hall_closes"][:2])
        hour = rng.choice([15, 16]) if number >= 6 else rng.choice([17, 18, 19])
        lanes = rng.choice([(2, 3), (3, 4), (4, 5), (5, 6)])
        if hour + 1 > closes or not _turn_is_free(world, number, hour, lanes, today.isoformat()):
            continue
        given = {}
        if mine is None:
            club = {"id": top["clubs"] + 1, "name": rng.choice(NAMES), "tampere_based": 1}
            given["clubs"] = [club]
            given["club_representatives"] = [
                {
                    "id": top["club_representatives"] + 1,
                    "club_id": club["id"],
                    "customer_id": 1,
                    "role": rng.choice(["contact", "deputy"]),
                    "valid_from": season.isoformat(),
                    "valid_to": end.isoformat(),
                }
            ]
        else:
            club = mine
        given["season_turns"] = [
            {
                "id": top["season_turns"] + 1 + i,
                "club_id": club["id"],
                "basis": "season",
                "lane": lane,
                "opening_hours_id": number,
                "starts_time": f"{hour:02d}:00",
                "ends_time": f"{hour + 1:02d}:00",
                "price_id": price["id"],
                "valid_from": (season + datetime.timedelta(days=1)).isoformat(),
                "valid_to": end.isoformat(),
                "status": "active",
            }
            for i, lane in enumerate(lanes)
        ]
        start = today + datetime.timedelta(days=(number - today.isoweekday()) % 7)
        if start == today:
            start += datetime.timedelta(days=7)
        days = []
        while start <= end and len(days) < 18:
            days.append(start)
            start += datetime.timedelta(days=7)
        crowd = [
            _crowd(world, f"{d.isoformat()}T{hour:02d}:00:00", f"{d.isoformat()}T{hour + 1:02d}:00:00", lanes) for d in days
        ]
        if max(crowd) > 2:
            continue
        begin = rng.choice([0, 0, 0, 1, 2])
        length = rng.randint(7, 14)
        if begin + length > len(days):
            continue
        span = days[begin : begin + length]
        kept = span[rng.randint(2, length - 2)]
        gone = rng.choice([d for d in span[2:] if d != kept]) if rng.random() < 0.4 else None
        bookings = []
        for d in days:
            for i, lane in enumerate(lanes):
                row = {
                    "id": top["lane_bookings"] + 1 + len(bookings),
                    "code": f"LANE-{30001 + len(bookings) * 7}",
                    "season_turn_id": top["season_turns"] + 1 + i,
                    "club_id": club["id"],
                    "lane": lane,
                    "starts_at": f"{d.isoformat()}T{hour:02d}:00:00",
                    "ends_at": f"{d.isoformat()}T{hour + 1:02d}:00:00",
                    "price_id": price["id"],
                    "price_cents": price["price_cents"],
                    "status": "booked",
                }
                if d == gone and i == 0:
                    row.update(
                        {
                            "status": "cancelled",
                            "cancelled_at": f"{(today - datetime.timedelta(days=2)).isoformat()}T12:30:00",
                            "cancelled_by_id": 1,
                            "cancellation_fee_cents": 0,
                        }
                    )
                bookings.append(row)
        given["lane_bookings"] = bookings
        free = [d for d in span if d != kept and (d - today).days >= 7]
        ids = [
            b["id"] for b in bookings if b["status"] == "booked" and datetime.date.fromisoformat(b["starts_at"][:10]) in free
        ]
        left = [d.isoformat() for d in span if d not in free]
        first = span[0] - datetime.timedelta(days=rng.randint(0, min(3, (span[0] - today).days - 1)))
        last = span[-1] + datetime.timedelta(days=rng.randint(0, 3))
        yield {
            "p": {
                "club": club["name"],
                "weekday": WEEKDAYS[number - 1],
                "first": first.isoformat(),
                "last": last.isoformat(),
                "kept": kept.isoformat(),
                "ids": ids,
                "left": left,
            },
            "given": given,
        }


def solve(tools, p):
    role = next(r for r in tools.get_my_profile()["club_roles"] if r["club_name"] == p["club"])
    dates = tools.list_lane_bookings(
        basis="season", status="booked", club_id=role["club_id"], first_day=p["first"], last_day=p["last"]
    )["lane_bookings"]
    cancelled, left = 0, set()
    for d in dates:
        day = d["starts_at"][:10]
        if WEEKDAYS[datetime.date.fromisoformat(day).weekday()] != p["weekday"]:
            continue
        if day == p["kept"] or d["fee_if_cancelled_now_cents"] != 0:
            left.add(day)
        else:
            tools.cancel_club_lane_date(lane_booking_id=d["id"])
            cancelled += 1
    return {
        "outcome": "done",
        "answers": {"days_left": sorted(left)},
        "reason": None,
        "message": f"{cancelled} dates are cancelled free of charge; the club still has its lanes on {', '.join(sorted(left))}.",
    }


def goal_cancels_all_that_cost_nothing(world, p):
    """All dates of that turn in that time that cost nothing are cancelled, without a fee."""
    for number in p["ids"]:
        row = world.final.one("SELECT * FROM lane_bookings WHERE id = ?", [number])
        if row["status"] != "cancelled" or row["cancelled_at"] is None or row["cancelled_by_id"] != 1:
            return False
        if row["cancellation_fee_cents"] != 0:
            return False
    return True


def goal_says_which_days_are_left(world, p):
    """Says on which days in that time the club still has its lanes."""
    return world.report.says("days_left", p["left"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_cancels_nothing_else(world, p):
    """Changed nothing but these dates, and in them only what a cancellation changes."""
    ids = set(p["ids"])
    columns = {"status", "cancelled_at", "cancelled_by_id", "cancellation_fee_cents"}
    for c in world.changes:
        if c["table"] != "lane_bookings" or c["before"] is None or c["after"] is None or c["before"]["id"] not in ids:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in columns):
            return False
    return True
