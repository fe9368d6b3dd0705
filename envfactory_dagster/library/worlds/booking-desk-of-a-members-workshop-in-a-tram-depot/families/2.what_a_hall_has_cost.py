import datetime

HALLS = ("wood", "metal", "laser")
STATIONS = ("W3", "B1", "B2", "B3", "B4", "M1", "M2", "L2")
SLOTS = ((9, 11), (10, 11), (11, 14), (13, 15), (14, 15), (16, 18), (17, 18), (17, 19), (18, 20), (20, 22))


def _bookings(db, p):
    """The user's bookings in the hall that begin in the stretch, with what credit paid in the end."""
    return db.query(
        "SELECT b.id, s.code, b.price_cents - COALESCE(b.refund_cents, 0) AS net,"
        " COALESCE((SELECT -SUM(c.amount_cents) FROM credit_entries c WHERE c.booking_id = b.id), 0) AS credit"
        " FROM bookings b JOIN stations s ON s.id = b.station_id JOIN halls h ON h.id = s.hall_id"
        " WHERE b.member_id = 1 AND h.name = ? AND substr(b.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY b.id",
        [p["hall"], p["first"], p["last"]],
    )


def _figures(rows):
    """How many bookings, their net cost, the part that credit bore, and the dearest station; None where unclear."""
    if len(rows) < 3:
        return None
    stations = {}
    for row in rows:
        stations[row["code"]] = stations.get(row["code"], 0) + row["net"]
    order = sorted(stations, key=lambda code: (-stations[code], code))
    if len(order) < 2 or stations[order[0]] == stations[order[1]]:
        return None
    net, credit = sum(row["net"] for row in rows), sum(row["credit"] for row in rows)
    if net == credit or credit == 0:
        return None
    return len(rows), net, credit, order[0]


def instances(world, rng):
    """A hall and a stretch of past weeks with more bookings of the user, used and cancelled, some paid by credit."""
    today = datetime.date.fromisoformat(world.clock[:10])
    stations = {
        row["code"]: row
        for row in world.query(
            "SELECT s.id, s.code, s.hour_price_cents, s.induction_type_id, h.name AS hall FROM stations s"
            " JOIN halls h ON h.id = s.hall_id ORDER BY s.code"
        )
    }
    valid = {
        row["induction_type_id"]: row
        for row in world.query("SELECT induction_type_id, passed_on, valid_until FROM inductions WHERE member_id = 1 ORDER BY id")
    }
    membership = world.one(
        "SELECT m.id, t.name FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id"
        " JOIN membership_types t ON t.id = m.membership_type_id WHERE mm.member_id = 1"
    )
    closed = {row["day"] for row in world.query("SELECT day FROM closing_days WHERE day < ? ORDER BY day", [world.clock[:10]])}
    taken = world.query(
        "SELECT station_id, member_id, starts_at, ends_at FROM bookings WHERE status <> 'lapsed' AND ends_at < ? ORDER BY id",
        [world.clock],
    )
    blocked = world.query("SELECT station_id, starts_at, COALESCE(lifted_at, ends_at, '9') AS until FROM station_blocks ORDER BY starts_at")
    portions = world.query(
        "SELECT expires_on, SUM(amount_cents) AS cents, MIN(entered_at) AS since FROM credit_entries"
        " WHERE membership_id = ? AND expires_on >= ? GROUP BY expires_on ORDER BY expires_on",
        [membership["id"], world.clock[:10]],
    )
    ids = world.one("SELECT (SELECT MAX(id) FROM bookings) AS b, (SELECT MAX(id) FROM credit_entries) AS c")
    for _ in range(2500):
        hall = rng.choice(HALLS)
        first = today - datetime.timedelta(days=rng.randint(14, 30))
        last = today - datetime.timedelta(days=rng.randint(1, 6))
        p = {"hall": hall, "first": first.isoformat(), "last": last.isoformat()}
        codes = [code for code in STATIONS if stations[code]["hall"] == hall]
        left = {row["expires_on"]: row["cents"] for row in portions}
        given, entries = [], []
        for _ in range(rng.randint(4, 9)):
            day = first + datetime.timedelta(days=rng.randint(-4, (last - first).days))
            station = stations[rng.choice(codes)]
            begin, end = rng.choice(SLOTS)
            if day.weekday() == 0 or day.isoformat() in closed or (day.weekday() == 6 and (begin < 10 or end > 17)):
                continue
            if membership["name"] == "Evening" and day.weekday() != 6 and begin < 17:
                continue
            induction = valid.get(station["induction_type_id"])
            if induction is None or not induction["passed_on"] <= day.isoformat() <= induction["valid_until"]:
                continue
            starts_at, ends_at = f"{day.isoformat()}T{begin:02d}:00:00", f"{day.isoformat()}T{end:02d}:00:00"
            if any(
                row["starts_at"] < ends_at
                and row["ends_at"] > starts_at
                and (row["station_id"] == station["id"] or row["member_id"] == 1)
                for row in taken + given
            ) or any(
                row["station_id"] == station["id"] and row["starts_at"] < ends_at and row["until"] > starts_at for row in blocked
            ):
                continue
            price = (end - begin) * station["hour_price_cents"]
            booked = day - datetime.timedelta(days=rng.randint(4, 9))
            booked_at = f"{booked.isoformat()}T{rng.randint(9, 20):02d}:{rng.randint(1, 59):02d}:00"
            row = {
                "id": ids["b"] + 1 + len(given),
                "code": f"WB-{12013 + 7 * len(given)}",
                "member_id": 1,
                "station_id": station["id"],
                "kind": "hour",
                "starts_at": starts_at,
                "ends_at": ends_at,
                "price_cents": price,
                "status": "used",
                "induction_place_id": None,
                "booked_at": booked_at,
                "delay_reported_at": None,
                "swept_at": f"{ends_at[:14]}{rng.randint(3, 28):02d}:00",
                "cancelled_at": None,
                "cancel_reason": None,
                "refund_cents": None,
            }
            if rng.random() < 0.45:
                notice, refund = rng.choice(((60, price), (24, price // 2), (5, 0)))
                start = datetime.datetime.fromisoformat(starts_at)
                row["status"], row["swept_at"], row["cancel_reason"] = "cancelled", None, "member"
                row["cancelled_at"] = (start - datetime.timedelta(hours=notice)).isoformat()
                row["refund_cents"] = refund
            given.append(row)
            for portion in portions:
                if portion["since"] < booked_at and left[portion["expires_on"]] > 0 and rng.random() < 0.8:
                    used = min(price, left[portion["expires_on"]])
                    entry = {
                        "id": ids["c"] + 1 + len(entries),
                        "membership_id": membership["id"],
                        "kind": "use",
                        "amount_cents": -used,
                        "expires_on": portion["expires_on"],
                        "booking_id": row["id"],
                        "storage_rental_id": None,
                        "entered_at": booked_at,
                    }
                    entries.append(entry)
                    left[portion["expires_on"]] -= used
                    back = 0 if row["refund_cents"] is None else row["refund_cents"] * used // price
                    if back:
                        entries.append(
                            dict(entry, id=entry["id"] + 1, kind="refund", amount_cents=back, entered_at=row["cancelled_at"])
                        )
                    break
        rows = _bookings(world, p)
        for row in given:
            if p["first"] <= row["starts_at"][:10] <= p["last"]:
                code = next(code for code in codes if stations[code]["id"] == row["station_id"])
                credit = -sum(entry["amount_cents"] for entry in entries if entry["booking_id"] == row["id"])
                rows.append({"id": row["id"], "code": code, "net": row["price_cents"] - (row["refund_cents"] or 0), "credit": credit})
        if not given or not entries or _figures(rows) is None:
            continue
        yield {"p": p, "given": {"bookings": given, "credit_entries": entries}}


def solve(tools, p):
    hall = next(row for row in tools.list_halls()["halls"] if row["name"] == p["hall"])
    codes = {row["station_id"]: row["code"] for row in tools.search_stations(hall_id=hall["hall_id"])["stations"]}
    mine = tools.search_bookings(first_day=p["first"], last_day=p["last"])["bookings"]
    mine = [row for row in mine if row["station_id"] in codes]
    stations, net, credit = {}, 0, 0
    for booking in mine:
        cost = booking["price_cents"] - (booking["refund_cents"] or 0)
        entries = tools.list_credit_entries(booking_id=booking["booking_id"])["credit_entries"]
        credit -= sum(entry["amount_cents"] for entry in entries)
        net += cost
        code = codes[booking["station_id"]]
        stations[code] = stations.get(code, 0) + cost
    dearest = max(sorted(stations), key=lambda code: stations[code])
    return {
        "outcome": "done",
        "answers": {"bookings": len(mine), "cost": net, "from_credit": credit, "dearest_station": dearest},
        "reason": None,
        "message": f"You had {len(mine)} bookings in the {p['hall']} hall. They cost you {net / 100:.2f} euros in the end, "
        f"{credit / 100:.2f} of it in credit, and the most went to {dearest}.",
    }


def _right(world, p):
    return _figures(_bookings(world.initial, p))


def goal_says_how_many_bookings(world, p):
    """Says how many bookings there were."""
    return world.report.says("bookings", _right(world, p)[0])


def goal_says_what_they_cost(world, p):
    """Says what they cost in the end, with what came back taken off."""
    return world.report.says("cost", _right(world, p)[1])


def goal_says_what_credit_bore(world, p):
    """Says how much of it credit bore in the end."""
    return world.report.says("from_credit", _right(world, p)[2])


def goal_says_the_dearest_station(world, p):
    """Says on which station the most was spent."""
    return world.report.says("dearest_station", _right(world, p)[3])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Names no rule that would forbid it."""
    return world.report.reason is None
