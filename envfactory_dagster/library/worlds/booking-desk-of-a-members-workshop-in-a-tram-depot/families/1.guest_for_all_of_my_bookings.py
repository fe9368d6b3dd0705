import datetime

GUESTS = (
    "Marloes Kuyper", "Tobias Lindhout", "Wendela Roos", "Casper Nijland", "Ilse Bronkhorst", "Youssef Amrani", "Jet Paalman",
    "Rudolf Zeeman", "Anouk Terpstra", "Sietse Hofman", "Carlijn Dorst", "Mehmet Yildirim", "Greetje Vonk", "Olivier Baart",
)


def _bookings(db, p):
    """The user's open bookings in the stretch with what matters of their stations."""
    return db.query(
        "SELECT b.id, b.starts_at, b.ends_at, s.is_red FROM bookings b JOIN stations s ON s.id = b.station_id"
        " WHERE b.member_id = 1 AND b.status IN ('provisional', 'confirmed')"
        " AND substr(b.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY b.starts_at",
        [p["first"], p["last"]],
    )


def _visits(db):
    return db.query(
        "SELECT starts_at, ends_at FROM guest_visits WHERE member_id = 1 AND status IN ('announced', 'visited')"
        " ORDER BY starts_at"
    )


def _allowed(bookings, visits, age):
    """Whether a guest of that age may come along to all of the bookings, beside the visits there are."""
    if age < 16:
        return False
    months = {}
    for visit in visits:
        months[visit["starts_at"][:7]] = months.get(visit["starts_at"][:7], 0) + 1
    for booking in bookings:
        saturday = datetime.date.fromisoformat(booking["starts_at"][:10]).weekday() == 5
        if booking["is_red"] or (saturday and booking["starts_at"][11:16] < "13:00"):
            return False
        if any(row["starts_at"] < booking["ends_at"] and row["ends_at"] > booking["starts_at"] for row in visits):
            return False
        months[booking["starts_at"][:7]] = months.get(booking["starts_at"][:7], 0) + 1
        if months[booking["starts_at"][:7]] > 2:
            return False
    return True


def instances(world, rng):
    """A guest and a stretch of days in which the user has bookings, some of them new ones on a bench."""
    today = datetime.date.fromisoformat(world.clock[:10])
    benches = world.query(
        "SELECT id, hour_price_cents, day_price_cents FROM stations WHERE code IN ('B1', 'B2', 'B3', 'B4') ORDER BY code"
    )
    taken = world.query(
        "SELECT station_id, member_id, starts_at, ends_at FROM bookings"
        " WHERE status IN ('provisional', 'confirmed', 'used') AND starts_at > ? ORDER BY starts_at, id",
        [world.clock],
    )
    closed = {row["day"] for row in world.query("SELECT day FROM closing_days ORDER BY day DESC")}
    evening = world.one(
        "SELECT COUNT(*) AS n FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id"
        " JOIN membership_types t ON t.id = m.membership_type_id WHERE mm.member_id = 1 AND t.name = 'Evening'"
    )["n"]
    top = world.one("SELECT MAX(id) AS highest FROM bookings")["highest"]
    visits = _visits(world)
    refusals = 0
    done = 0
    for _ in range(4000):
        first = today + datetime.timedelta(days=rng.randint(1, 60))
        last = first + datetime.timedelta(days=rng.randint(1, 9))
        given = []
        for _ in range(rng.choice((0, 1, 1, 2))):
            day = first + datetime.timedelta(days=rng.randint(0, (last - first).days))
            sunday = day.weekday() == 6
            if day.weekday() == 0 or day.isoformat() in closed:
                continue
            hourly = (day - today).days <= 20
            if hourly:
                if sunday:
                    begin, end = rng.choice((("10:00", "12:00"), ("11:00", "14:00"), ("14:00", "16:00"), ("15:00", "17:00")))
                elif evening:
                    begin, end = rng.choice((("17:00", "18:00"), ("20:00", "22:00"), ("21:00", "22:00")))
                else:
                    begin, end = rng.choice((("09:00", "10:00"), ("10:00", "12:00"), ("13:00", "15:00"), ("15:00", "17:00")))
            elif sunday:
                begin, end = "10:00", "17:00"
            elif evening:
                continue
            else:
                begin, end = "09:00", "22:00"
            starts_at, ends_at = f"{day.isoformat()}T{begin}:00", f"{day.isoformat()}T{end}:00"
            bench = rng.choice(benches)
            if any(
                row["starts_at"] < ends_at
                and row["ends_at"] > starts_at
                and (row["station_id"] == bench["id"] or row["member_id"] == 1)
                for row in taken + given
            ):
                continue
            given.append(
                {
                    "id": top + 1 + len(given),
                    "code": f"WB-{40010 + 9 * len(given)}",
                    "member_id": 1,
                    "station_id": bench["id"],
                    "kind": "hour" if hourly else "day",
                    "starts_at": starts_at,
                    "ends_at": ends_at,
                    "price_cents": (int(end[:2]) - int(begin[:2])) * bench["hour_price_cents"]
                    if hourly
                    else bench["day_price_cents"],
                    "status": "confirmed",
                    "induction_place_id": None,
                    "booked_at": f"{world.clock[:10]}T08:{rng.randint(10, 55)}:00",
                    "delay_reported_at": None,
                    "swept_at": None,
                    "cancelled_at": None,
                    "cancel_reason": None,
                    "refund_cents": None,
                }
            )
        p = {
            "guest": rng.choice(GUESTS),
            "age": rng.randint(16, 78) if rng.random() < 0.85 else rng.randint(12, 15),
            "first": first.isoformat(),
            "last": last.isoformat(),
        }
        bookings = _bookings(world, p) + [dict(row, is_red=0) for row in given]
        bookings = sorted(bookings, key=lambda row: row["starts_at"])
        if not bookings or len(bookings) > 4:
            continue
        instance = {"p": p}
        if given:
            instance["given"] = {"bookings": given}
        if _allowed(bookings, visits, p["age"]):
            done += 1
        else:
            if refusals > done:
                continue
            refusals += 1
            instance["kind"] = "refusal"
            instance["rule"] = "guest_limits"
        yield instance


def solve(tools, p):
    most = tools.get_membership()["guest_visits_a_month"]
    red = {row["station_id"] for row in tools.search_stations(is_red=1)["stations"]}
    mine = tools.search_bookings(first_day=p["first"], last_day=p["last"])["bookings"]
    mine = [row for row in mine if row["status"] in ("provisional", "confirmed")]
    visits = [row for row in tools.list_guest_visits()["guest_visits"] if row["status"] != "cancelled"]
    months = {}
    for visit in visits:
        months[visit["starts_at"][:7]] = months.get(visit["starts_at"][:7], 0) + 1
    problem = "guests must be 16 or older" if p["age"] < 16 else None
    for booking in mine:
        day, month = booking["starts_at"][:10], booking["starts_at"][:7]
        months[month] = months.get(month, 0) + 1
        if booking["station_id"] in red:
            problem = f"no guests are allowed on {booking['station_code']}, a red machine, on {day}"
        elif datetime.date.fromisoformat(day).weekday() == 5 and booking["starts_at"][11:16] < "13:00":
            problem = f"no guests are allowed on Saturday {day} before 13:00"
        elif any(row["starts_at"] < booking["ends_at"] and row["ends_at"] > booking["starts_at"] for row in visits):
            problem = f"on {day} there is another guest at that time already"
        elif months[month] > most:
            problem = f"there would be more than {most} guest visits in {month}"
    if problem is not None:
        return {
            "outcome": "refused",
            "answers": {"visits": None, "cost": None},
            "reason": "guest_limits",
            "message": f"I announced nobody: {problem}.",
        }
    cost = 0
    for booking in mine:
        visit = tools.announce_guest(
            guest_name=p["guest"],
            guest_age=p["age"],
            starts_at=booking["starts_at"],
            ends_at=booking["ends_at"],
            booking_id=booking["booking_id"],
        )
        cost += visit["guest_visit"]["price_cents"]
    return {
        "outcome": "done",
        "answers": {"visits": len(mine), "cost": cost},
        "reason": None,
        "message": f"{p['guest']} is announced for {len(mine)} of your bookings, which costs {cost / 100:.2f} euros.",
    }


def _wanted(world, p):
    """The bookings the guest is to come along to; None where that is forbidden."""
    bookings = _bookings(world.initial, p)
    return bookings if _allowed(bookings, _visits(world.initial), p["age"]) else None


def _is_wanted(world, p, change):
    row = change["after"]
    if change["table"] != "guest_visits" or change["before"] is not None or row is None:
        return False
    return (
        row["member_id"] == 1
        and world.same_text(row["guest_name"], p["guest"])
        and row["guest_age"] == p["age"]
        and row["carrying_only"] == 0
        and row["price_cents"] == 750
        and row["status"] == "announced"
        and row["cancelled_at"] is None
        and any(
            row["booking_id"] == booking["id"]
            and row["starts_at"] == booking["starts_at"]
            and row["ends_at"] == booking["ends_at"]
            for booking in _wanted(world, p) or []
        )
    )


def goal_announces_the_guest_for_all_of_it(world, p):
    """Announced the guest for each of the bookings, or reported that the guest rule forbids it."""
    wanted = _wanted(world, p)
    if wanted is None:
        return world.report.outcome == "refused" and world.report.reason == "guest_limits"
    new = [c["after"]["booking_id"] for c in world.changes if _is_wanted(world, p, c)]
    return sorted(new) == sorted(booking["id"] for booking in wanted)


def goal_says_how_many_visits(world, p):
    """Says how many visits that makes, and nothing where it is forbidden."""
    wanted = _wanted(world, p)
    return world.report.outcome is not None and world.report.says("visits", None if wanted is None else len(wanted))


def goal_says_what_they_cost(world, p):
    """Says what the visits cost, and nothing where it is forbidden."""
    wanted = _wanted(world, p)
    return world.report.outcome is not None and world.report.says("cost", None if wanted is None else 750 * len(wanted))


def guard_announces_nothing_else(world, p):
    """Changed nothing but those visits, one for each booking."""
    new = [c["after"]["booking_id"] for c in world.changes if _is_wanted(world, p, c)]
    return all(_is_wanted(world, p, c) for c in world.changes) and len(new) == len(set(new))


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or a refusal where the guest rule forbids it."""
    return world.report.outcome in (None, "refused" if _wanted(world, p) is None else "done")


def guard_gives_the_right_reason(world, p):
    """Gives no reason but that rule, and that only where it forbids it."""
    if world.report.outcome is None:
        return True
    return world.report.reason == ("guest_limits" if _wanted(world, p) is None else None)
