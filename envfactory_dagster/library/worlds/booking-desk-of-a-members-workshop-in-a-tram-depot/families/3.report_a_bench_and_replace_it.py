import datetime

BENCHES = ("B1", "B2", "B3", "B4")
REASONS = (
    "one of its legs has come loose and it tips over", "the vice drops open by itself", "there is a long crack right through the top",
    "a screw sticks out of it where one leans", "the light above it sparks", "its clamp flies off under load",
    "the top is loose on one side", "the foot brace is broken", "it wobbles so badly that the saw jumps", "the shelf over it hangs by one bolt",
)


def _mine(db, p):
    """The user's open bookings of the bench from the time of the request up to the last day."""
    return db.query(
        "SELECT b.* FROM bookings b WHERE b.member_id = 1 AND b.station_id = (SELECT id FROM stations WHERE code = ?)"
        " AND b.status IN ('provisional', 'confirmed') AND b.starts_at > ? AND substr(b.starts_at, 1, 10) <= ?"
        " ORDER BY b.starts_at",
        [p["bench"], p["clock"], p["last"]],
    )


def _free_bench(rows, benches, p, booking):
    """The code of the lowest-numbered other bench that is free at the hours of a booking, or None."""
    for code in BENCHES:
        if code != p["bench"] and not any(
            row["station_id"] == benches[code]["id"]
            and row["starts_at"] < booking["ends_at"]
            and row["ends_at"] > booking["starts_at"]
            for row in rows
        ):
            return code
    return None


def _benches(db):
    return {row["code"]: row for row in db.query("SELECT id, code, hour_price_cents FROM stations WHERE code LIKE 'B_' ORDER BY code")}


def _all(db, clock):
    """All open bookings from a time on."""
    return db.query(
        "SELECT id, member_id, station_id, starts_at, ends_at FROM bookings WHERE ends_at > ?"
        " AND status IN ('provisional', 'confirmed', 'used') ORDER BY id DESC",
        [clock],
    )


def _plan(db, p):
    """For each booking of the bench the code of the bench that replaces it, or None."""
    rows, benches = _all(db, p["clock"]), _benches(db)
    return [(booking, _free_bench(rows, benches, p, booking)) for booking in _mine(db, p)]


def _back(db, booking):
    """The credit that comes back to each portion when a booking is refunded wholly."""
    return [
        (booking["id"], row["membership_id"], row["expires_on"], row["cents"])
        for row in db.query(
            "SELECT membership_id, expires_on, SUM(-amount_cents) AS cents FROM credit_entries WHERE booking_id = ?"
            " AND kind = 'use' GROUP BY membership_id, expires_on ORDER BY membership_id, expires_on DESC",
            [booking["id"]],
        )
    ]


def instances(world, rng):
    """A bench with several bookings of the user, and bookings of other members on the benches beside it."""
    today = datetime.date.fromisoformat(world.clock[:10])
    benches = _benches(world)
    rows = _all(world, world.clock)
    evening = world.one(
        "SELECT t.id FROM membership_types t JOIN memberships m ON m.membership_type_id = t.id JOIN membership_members mm"
        " ON mm.membership_id = m.id WHERE mm.member_id = 1 AND t.name = 'Evening'"
    ) is not None
    shut = {row["day"] for row in world.query("SELECT day FROM closing_days WHERE day > ? ORDER BY id", [world.clock[:10]])}
    members = [
        row["member_id"]
        for row in world.query(
            "SELECT mm.member_id FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id"
            " JOIN membership_types t ON t.id = m.membership_type_id AND t.name = 'Full' WHERE mm.member_id <> 1 ORDER BY mm.member_id"
        )
    ]
    duty = world.query("SELECT supervisor_member_id, starts_at, ends_at FROM supervisor_shifts WHERE starts_at > ? ORDER BY starts_at, id", [world.clock[:10]])
    guests = {row["booking_id"] for row in world.query("SELECT booking_id FROM guest_visits WHERE booking_id > 0 AND status = 'announced' ORDER BY id")}
    top = world.one("SELECT MAX(b.id) AS id FROM bookings b")["id"]
    for _ in range(2000):
        bench = rng.choice(BENCHES)
        p = {
            "bench": bench,
            "reason": rng.choice(REASONS),
            "last": (today + datetime.timedelta(days=rng.randint(6, 18))).isoformat(),
            "clock": world.clock,
        }
        given = []
        wanted = rng.randint(2, 7)
        for _ in range(wanted * 3):
            if len([row for row in given if row["member_id"] == 1]) >= wanted:
                break
            day = today + datetime.timedelta(days=rng.randint(1, 19))
            if day.weekday() == 0 or day.isoformat() in shut:
                continue
            if day.weekday() == 6:
                begin, end = rng.choice(((10, 12), (11, 12), (13, 15), (15, 17)))
            elif evening:
                begin, end = rng.choice(((17, 18), (17, 19), (18, 20), (20, 22)))
            else:
                begin, end = rng.choice(((9, 11), (10, 11), (12, 14), (14, 15), (16, 18), (20, 22)))
            starts_at, ends_at = f"{day.isoformat()}T{begin:02d}:00:00", f"{day.isoformat()}T{end:02d}:00:00"
            wishes = [(1, bench)]
            if rng.random() < 0.7:
                beside = [code for code in BENCHES if code != bench]
                rng.shuffle(beside)
                others = [
                    member
                    for member in members
                    if not any(row["supervisor_member_id"] == member and row["starts_at"] < ends_at and row["ends_at"] > starts_at for row in duty)
                ]
                rng.shuffle(others)
                wishes += list(zip(others, beside[: rng.choice((1, 1, 2, 3))]))
            for member, code in wishes:
                if any(
                    row["starts_at"] < ends_at
                    and row["ends_at"] > starts_at
                    and (row["station_id"] == benches[code]["id"] or row["member_id"] == member)
                    for row in rows + given
                ):
                    if member == 1:
                        break
                    continue
                given.append(
                    {
                        "id": top + 1 + len(given),
                        "code": f"WB-{25009 + 7 * len(given)}",
                        "member_id": member,
                        "station_id": benches[code]["id"],
                        "kind": "hour",
                        "starts_at": starts_at,
                        "ends_at": ends_at,
                        "price_cents": (end - begin) * benches[code]["hour_price_cents"],
                        "status": "confirmed",
                        "induction_place_id": None,
                        "booked_at": f"{world.clock[:10]}T0{rng.randint(7, 8)}:{rng.randint(10, 55)}:00",
                        "delay_reported_at": None,
                        "swept_at": None,
                        "cancelled_at": None,
                        "cancel_reason": None,
                        "refund_cents": None,
                    }
                )
        mine = _mine(world, p) + [
            row for row in given if row["member_id"] == 1 and row["starts_at"][:10] <= p["last"]
        ]
        if len(mine) < 2 or any(row["id"] in guests or row["kind"] == "day" for row in mine):
            continue
        moved = [row for row in mine if _free_bench(rows + given, benches, p, row) is not None]
        if not moved or len(moved) == len(mine) - len(moved):
            continue
        yield {"p": p, "given": {"bookings": given}}


def solve(tools, p):
    stations = {row["code"]: row["station_id"] for row in tools.search_stations(code="B")["stations"]}
    tools.report_unsafe_station(station_id=stations[p["bench"]], reason=p["reason"])
    moved, without, back = 0, 0, 0
    mine = tools.search_bookings(station_id=stations[p["bench"]], last_day=p["last"])["bookings"]
    for booking in mine:
        if booking["status"] not in ("provisional", "confirmed"):
            continue
        back += tools.cancel_booking(booking_id=booking["booking_id"])["booking"]["refund_cents"]
        taken = tools.list_taken_times(day=booking["starts_at"][:10])["taken_times"]
        free = None
        for code in sorted(stations):
            if code != p["bench"] and free is None and not any(
                row["station_code"] == code
                and row["starts_at"] < booking["ends_at"]
                and (row["ends_at"] is None or row["ends_at"] > booking["starts_at"])
                for row in taken
            ):
                free = code
        if free is None:
            without += 1
        else:
            tools.book_hours(
                station_id=stations[free], starts_at=booking["starts_at"], ends_at=booking["ends_at"], use_credit=False
            )
            moved += 1
    return {
        "outcome": "done",
        "answers": {"replaced": moved, "without": without, "came_back": back},
        "reason": None,
        "message": f"{p['bench']} is reported as unsafe. {moved} of your bookings are on another bench now, {without} could not be "
        f"replaced, and {back / 100:.2f} euros came back for the old ones.",
    }


def _is_block(world, p, change):
    row, bench = change["after"], _benches(world.initial)[p["bench"]]
    return (
        change["before"] is None
        and row is not None
        and row["station_id"] == bench["id"]
        and row["kind"] == "unsafe"
        and row["reported_by_member_id"] == 1
        and row["status"] == "in_force"
        and row["ends_at"] is None
        and row["lifted_at"] is None
        and world.same_text(row["reason"], p["reason"])
    )


def _is_cancelled(world, p, change):
    before, after = change["before"], change["after"]
    return (
        before is not None
        and after is not None
        and before["id"] in [row["id"] for row in _mine(world.initial, p)]
        and after["status"] == "cancelled"
        and after["cancel_reason"] == "machine_down"
        and after["refund_cents"] == before["price_cents"]
        and all(
            before[name] == after[name]
            for name in before
            if name not in ("status", "cancelled_at", "cancel_reason", "refund_cents")
        )
    )


def _replaced(world, p):
    """What the new bookings have to be: station, start, end and price."""
    benches = _benches(world.initial)
    return sorted(
        (benches[code]["id"], booking["starts_at"], booking["ends_at"], booking["price_cents"])
        for booking, code in _plan(world.initial, p)
        if code is not None
    )


def _new(world, p):
    """The new bookings that are the user's, confirmed and by the hour."""
    return sorted(
        (row["station_id"], row["starts_at"], row["ends_at"], row["price_cents"])
        for row in (c["after"] for c in world.changes if c["table"] == "bookings" and c["before"] is None)
        if row["member_id"] == 1 and row["status"] == "confirmed" and row["kind"] == "hour" and row["cancelled_at"] is None
    )


def _entry(change):
    row = change["after"]
    return row["booking_id"], row["membership_id"], row["expires_on"], row["amount_cents"]


def goal_reports_the_bench(world, p):
    """The bench is reported as unsafe for that reason."""
    return len([c for c in world.changes if c["table"] == "station_blocks" and _is_block(world, p, c)]) == 1


def goal_cancels_what_was_booked_on_it(world, p):
    """Cancelled each booking of the bench with everything back."""
    done = [c["after"]["id"] for c in world.changes if c["table"] == "bookings" and _is_cancelled(world, p, c)]
    return sorted(done) == sorted(row["id"] for row in _mine(world.initial, p))


def goal_replaces_them_where_possible(world, p):
    """Has the lowest-numbered free bench at the same hours wherever there is one."""
    return _new(world, p) == _replaced(world, p)


def goal_says_how_many_were_replaced(world, p):
    """Says how many bookings are on another bench now."""
    return world.report.says("replaced", len(_replaced(world, p)))


def goal_says_how_many_could_not(world, p):
    """Says how many could not be replaced."""
    return world.report.says("without", len(_mine(world.initial, p)) - len(_replaced(world, p)))


def goal_says_what_came_back(world, p):
    """Says how much came back for the old bookings."""
    return world.report.says("came_back", sum(row["price_cents"] for row in _mine(world.initial, p)))


def guard_reports_nothing_else(world, p):
    """Reported nothing but that bench, once."""
    rows = [c for c in world.changes if c["table"] == "station_blocks"]
    return len(rows) <= 1 and all(_is_block(world, p, c) for c in rows)


def guard_changes_no_other_booking(world, p):
    """Cancelled no booking but those and made none but what replaces them."""
    rows = [c for c in world.changes if c["table"] == "bookings"]
    new, right = _new(world, p), _replaced(world, p)
    return (
        all(_is_cancelled(world, p, c) for c in rows if c["before"] is not None)
        and len([c for c in rows if c["before"] is None]) == len(new)
        and len(new) == len(set(new))
        and all(row in right for row in new)
    )


def guard_writes_no_other_credit(world, p):
    """Wrote no credit entry but what went back for the cancelled bookings."""
    gone = [c["after"]["id"] for c in world.changes if c["table"] == "bookings" and _is_cancelled(world, p, c)]
    right = sorted(entry for row in _mine(world.initial, p) if row["id"] in gone for entry in _back(world.initial, row))
    rows = [c for c in world.changes if c["table"] == "credit_entries"]
    if not all(c["before"] is None and c["after"] is not None and c["after"]["kind"] == "refund" for c in rows):
        return False
    return sorted(_entry(c) for c in rows) == right


def guard_touches_no_other_table(world, p):
    """Touched no other table."""
    return all(c["table"] in ("station_blocks", "bookings", "credit_entries") for c in world.changes)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Names no rule that would forbid it."""
    return world.report.reason is None
