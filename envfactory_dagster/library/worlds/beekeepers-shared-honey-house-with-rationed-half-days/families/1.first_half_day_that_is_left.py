import datetime

NAMES = ("Anton Kalan", "Breda Jensterle", "Ciril Demšar", "Darja Potočnik", "Edo Šuštar", "Fani Mohorič", "Gregor Tavčar")
VILLAGES = ("Lajše", "Podlonk", "Ojstri Vrh", "Torka", "Zgornja Luša", "Dolenčice", "Rovt")


def instances(world, rng):
    """A stretch of days with half-days that can still be booked, now and then with debts or without quota."""
    now = world.clock
    year = now[:4]
    days = world.query(
        "SELECT d.id, d.held_on, d.half, d.closes_at FROM half_days d WHERE d.status = 'open'"
        " AND d.held_on > :today AND d.held_on <= :last AND NOT EXISTS (SELECT 1 FROM bookings b"
        " WHERE b.half_day_id = d.id AND b.status IN ('awaiting_mentor', 'confirmed', 'extracted'))"
        " ORDER BY d.held_on, d.half",
        {"today": now[:10], "last": year + "-08-31"},
    )
    dates = sorted({d["held_on"] for d in days})
    balance = world.one("SELECT COALESCE(SUM(amount_cents), 0) AS n FROM ledger_entries WHERE member_id = 1", [])["n"]
    hives = world.one(
        "SELECT COALESCE(SUM(h.hives), 0) AS n FROM apiaries a JOIN hive_counts h ON h.apiary_id = a.id"
        " WHERE a.member_id = 1 AND h.counted_on ="
        " (SELECT MAX(x.counted_on) FROM hive_counts x WHERE x.apiary_id = a.id AND x.counted_on <= ?)",
        [now[:10]],
    )["n"]
    used = world.one(
        "SELECT COUNT(*) AS n FROM bookings b JOIN half_days d ON d.id = b.half_day_id WHERE b.member_id = 1"
        " AND b.status NOT IN ('lapsed', 'cancelled') AND d.held_on >= ? AND d.held_on <= ?",
        [year + "-05-20", year + "-08-31"],
    )["n"]
    left = min(5, (hives + 11) // 12) - used
    top = world.one(
        "SELECT (SELECT MAX(id) FROM members) AS members, (SELECT MAX(id) FROM apiaries) AS apiaries,"
        " (SELECT MAX(id) FROM hive_counts) AS hive_counts, (SELECT MAX(id) FROM bookings) AS bookings,"
        " (SELECT MAX(id) FROM ledger_entries) AS ledger_entries",
        [],
    )
    early = (datetime.datetime.fromisoformat(now) - datetime.timedelta(hours=26)).isoformat()
    for attempt in range(4000):
        if len(dates) < 4 or left <= 0:
            return
        first = rng.randrange(len(dates))
        span = dates[first:first + rng.randint(1, 6)]
        inside = [d for d in days if span[0] <= d["held_on"] <= span[-1]]
        given = {"members": [], "apiaries": [], "hive_counts": [], "bookings": [], "ledger_entries": []}

        def _enter(member_id, kind, cents, booking_id, moment):
            row = {
                "id": top["ledger_entries"] + len(given["ledger_entries"]) + 1,
                "member_id": member_id,
                "kind": kind,
                "amount_cents": cents,
                "entered_at": moment,
            }
            if booking_id is not None:
                row["booking_id"] = booking_id
            given["ledger_entries"].append(row)

        def _reserve(member_id, day, count):
            booking_id = top["bookings"] + len(given["bookings"]) + 1
            fee = 1400 + 50 * max(0, count - 16)
            given["bookings"].append(
                {
                    "id": booking_id,
                    "booking_no": "BK-4%04d" % (len(given["bookings"]) + 1),
                    "member_id": member_id,
                    "half_day_id": day["id"],
                    "honey_type": "linden",
                    "hive_type": "AZ",
                    "super_count": count,
                    "fee_cents": fee,
                    "status": "confirmed",
                    "booked_at": early,
                }
            )
            _enter(member_id, "room_fee", -fee, booking_id, early)

        taken = set()
        if rng.random() < 0.7:
            mornings = [d for d in inside if d["half"] == "AM"]
            afternoons = [d for d in inside if d["half"] == "PM"]
            rng.shuffle(afternoons)
            gone = mornings[:rng.randint(0, min(5, len(mornings)))] + afternoons[:rng.randint(0, 1)]
            for number, day in enumerate(gone):
                member_id = top["members"] + number + 1
                given["members"].append(
                    {
                        "id": member_id,
                        "member_no": "M-4%04d" % (number + 1),
                        "name": NAMES[number],
                        "village": VILLAGES[number],
                        "phone": "+386 41 600 1%02d" % number,
                        "is_mentor": 0,
                        "first_season": 0,
                        "hygiene_certified_on": "2023-03-11",
                        "treatment_journal_year": int(year) - 1,
                        "joined_on": "2019-04-02",
                    }
                )
                given["apiaries"].append(
                    {
                        "id": top["apiaries"] + number + 1,
                        "member_id": member_id,
                        "register_no": "AP-4%04d" % (number + 1),
                        "place": VILLAGES[number] + ", above the road",
                        "lat": 46.3 + number / 100,
                        "lon": 14.4 + number / 100,
                        "migratory": 0,
                    }
                )
                given["hive_counts"].append(
                    {
                        "id": top["hive_counts"] + number + 1,
                        "apiary_id": top["apiaries"] + number + 1,
                        "counted_on": year + "-04-15",
                        "hives": rng.randint(5, 20),
                    }
                )
                _reserve(member_id, day, rng.randint(6, 36))
                taken.add(day["id"])
        free = [d for d in inside if d["id"] not in taken and d["closes_at"] > now]
        free.sort(key=lambda d: (0 if d["half"] == "AM" else 1, d["held_on"]))
        if not free:
            continue
        case = rng.choice(("fine", "fine", "fine", "quota", "debt"))
        rule = None
        if case == "debt":
            _enter(1, "storage", -(balance + 4000) - rng.randint(1, 900), None, early)
            rule = "debt_limit"
        elif case == "quota":
            spare = [d for d in days if d["id"] not in taken and d["id"] != free[0]["id"] and d["closes_at"] > now]
            if len(spare) < left:
                continue
            _enter(1, "payment", 2000 + 2600 * left, None, early)
            for day in rng.sample(spare, left):
                _reserve(1, day, rng.randint(6, 36))
            mine = {b["half_day_id"] for b in given["bookings"]}
            if not [d for d in free if d["id"] not in mine]:
                continue
            rule = "half_day_quota"
        elif rng.random() < 0.5:
            _enter(1, "payment", 100 * rng.randint(3, 40), None, early)
        count = rng.randint(4, 40)
        instance = {
            "p": {
                "first": span[0],
                "last": span[-1],
                "count": count,
                "hive": rng.choice(("AZ", "LR")),
                "honey": rng.choice(("linden", "chestnut", "forest", "spruce")),
                "half_day": free[0]["id"],
                "fee": 1400 + 50 * max(0, count - 16),
                "rule": rule,
            },
            "given": {name: rows for name, rows in given.items() if rows},
        }
        if span[0] == span[-1]:
            continue
        if rule is not None:
            instance["kind"] = "refusal"
            instance["rule"] = rule
        yield instance


def solve(tools, p):
    me = tools.get_own_membership()["member_no"]
    left = tools.getMember(memberNo=me)["half_days_left"]
    mornings = tools.list_half_days(first_day=p["first"], last_day=p["last"], half="AM", free_only=True)["half_days"]
    afternoons = tools.list_half_days(first_day=p["first"], last_day=p["last"], half="PM", free_only=True)["half_days"]
    nothing = {"day": None, "half": None, "fee": None}
    for d in mornings + afternoons:
        try:
            booking = tools.bookHalfDay(
                memberNo=me,
                date=d["held_on"],
                half=d["half"],
                supers=[{"hiveType": p["hive"], "count": p["count"]}],
                honeyType=p["honey"],
            )
        except tools.Error as error:
            if "owe" in str(error):
                return {
                    "outcome": "refused",
                    "answers": nothing,
                    "reason": "debt_limit",
                    "message": "I can't book a half-day: a member who owes more than 40.00 EUR cannot book, and you owe more.",
                }
            if left <= 0 and "quota" in str(error):
                return {
                    "outcome": "refused",
                    "answers": nothing,
                    "reason": "half_day_quota",
                    "message": "I can't book a half-day: your quota from 20 May to 31 August, counted by your hives, is used up.",
                }
            continue
        half = "morning" if booking["half"] == "AM" else "afternoon"
        return {
            "outcome": "done",
            "answers": {"day": booking["held_on"], "half": half, "fee": booking["fee_cents"]},
            "reason": None,
            "message": f"The {half} of {booking['held_on']} is booked for {booking['fee_cents'] / 100:.2f} EUR.",
        }
    return {"outcome": "impossible", "answers": nothing, "reason": None, "message": "Nothing is left to book in those days."}


def _refused(world, p):
    """Whether the refusal that the rule asks for is reported."""
    return world.report.outcome == "refused" and world.report.reason == p["rule"]


def _wanted(world, p, row):
    """Whether a new booking is the one that was asked for."""
    return (
        row["member_id"] == 1
        and row["half_day_id"] == p["half_day"]
        and row["mentor_id"] is None
        and row["honey_type"] == p["honey"]
        and row["hive_type"] == p["hive"]
        and row["super_count"] == p["count"]
        and row["fee_cents"] == p["fee"]
        and row["status"] == "confirmed"
    )


def _new(world, table):
    """The rows that are new in a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_books_the_first_that_is_left(world, p):
    """The first morning that can be booked, or else the first afternoon, is booked; or the rule is given."""
    if p["rule"] is not None:
        return _refused(world, p)
    new = _new(world, "bookings")
    return len(new) == 1 and _wanted(world, p, new[0])


def goal_charges_the_fee(world, p):
    """The fee stands once on the person's ledger; or the rule is given."""
    if p["rule"] is not None:
        return _refused(world, p)
    ids = [b["id"] for b in _new(world, "bookings")]
    fees = _new(world, "ledger_entries")
    return len(fees) == 1 and fees[0]["amount_cents"] == -p["fee"] and fees[0]["booking_id"] in ids


def goal_says_the_day(world, p):
    """Says which day it is, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return _refused(world, p) and world.report.says("day", None)
    day = world.initial.one("SELECT held_on FROM half_days WHERE id = ?", [p["half_day"]])["held_on"]
    return world.report.says("day", day)


def goal_says_which_half(world, p):
    """Says whether it is a morning or an afternoon, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return _refused(world, p) and world.report.says("half", None)
    half = world.initial.one("SELECT half FROM half_days WHERE id = ?", [p["half_day"]])["half"]
    return world.report.says("half", "morning" if half == "AM" else "afternoon")


def goal_says_the_fee(world, p):
    """Says what it costs, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return _refused(world, p) and world.report.says("fee", None)
    return world.report.says("fee", p["fee"])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused for the rule that forbids it."""
    if world.report.outcome is None:
        return True
    if p["rule"] is not None:
        return _refused(world, p)
    return world.report.outcome == "done" and world.report.reason is None


def guard_adds_only_that_booking_and_its_fee(world, p):
    """Touched no row but one new booking as wanted and its fee, and none at all where the rule forbids it."""
    if p["rule"] is not None:
        return not world.changes
    ids = [b["id"] for b in _new(world, "bookings")]
    found = []
    for change in world.changes:
        row = change["after"]
        if change["before"] is not None:
            return False
        if change["table"] == "bookings" and _wanted(world, p, row):
            found.append("booking")
        elif change["table"] == "ledger_entries" and row["member_id"] == 1 and row["kind"] == "room_fee":
            if row["booking_id"] not in ids or row["amount_cents"] != -p["fee"]:
                return False
            found.append("fee")
        else:
            return False
    return len(found) == len(set(found))
