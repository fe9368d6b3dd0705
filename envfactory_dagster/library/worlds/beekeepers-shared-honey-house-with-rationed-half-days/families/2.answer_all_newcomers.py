NAMES = (
    "Aljaž Šolar", "Barbara Rant", "Dejan Tolar", "Eva Košmelj", "Filip Bertoncelj", "Gaja Lotrič", "Hana Peternel",
    "Igor Rakovec", "Jana Benedik", "Klemen Pintar", "Lara Frelih", "Miha Zupanc",
)
VILLAGES = ("Davča", "Podlonk", "Kališe", "Ostri Vrh", "Topolje", "Bukovica", "Golica", "Knape", "Lajše", "Ševlje")


def instances(world, rng):
    """Newcomers who have asked the user to stand beside them, in mornings and afternoons, with few supers and many."""
    now = world.clock
    year = now[:4]
    free = world.query(
        "SELECT d.id, d.held_on, d.half, d.closes_at FROM half_days d LEFT JOIN bookings b ON b.half_day_id = d.id"
        " AND b.status IN ('awaiting_mentor', 'confirmed', 'extracted')"
        " WHERE d.status = 'open' AND d.closes_at > ? AND b.id IS NULL ORDER BY d.held_on, d.half",
        [now],
    )
    waiting = world.query(
        "SELECT d.half, b.super_count FROM bookings b JOIN half_days d ON d.id = b.half_day_id"
        " WHERE b.mentor_id = 1 AND b.status = 'awaiting_mentor' ORDER BY b.id",
        [],
    )
    top = world.one(
        "SELECT (SELECT MAX(id) FROM members) AS m, (SELECT MAX(id) FROM apiaries) AS a,"
        " (SELECT MAX(id) FROM hive_counts) AS h, (SELECT MAX(id) FROM bookings) AS b,"
        " (SELECT MAX(id) FROM ledger_entries) AS e",
        [],
    )
    asked = now[:8] + "%02d" % (int(now[8:10]) - 2) + "T18:%02d:00"
    for attempt in range(4000):
        count = rng.randint(4, 11)
        if len(free) < count:
            return
        slots = rng.sample(free, count)
        members, apiaries, counts, bookings, entries = [], [], [], [], []
        names = list(NAMES)
        rng.shuffle(names)
        seen = list(waiting)
        for number, slot in enumerate(slots):
            village = rng.choice(VILLAGES)
            supers = rng.randint(4, 24)
            fee = 1400 + 50 * max(0, supers - 16)
            moment = asked % (number + 5)
            if slot["closes_at"] <= moment:
                continue
            members.append(
                {
                    "id": top["m"] + number + 1,
                    "member_no": "M-4%04d" % (number + 1),
                    "name": names[number],
                    "village": village,
                    "phone": "+386 31 700 2%02d" % number,
                    "is_mentor": 0,
                    "first_season": 1,
                    "hygiene_certified_on": year + "-03-22",
                    "joined_on": year + "-03-01",
                }
            )
            apiaries.append(
                {
                    "id": top["a"] + number + 1,
                    "member_id": top["m"] + number + 1,
                    "register_no": "AP-4%04d" % (number + 1),
                    "place": village + ", by the barn",
                    "lat": 46.28 + number / 100,
                    "lon": 14.42 + number / 100,
                    "migratory": 0,
                }
            )
            counts.append(
                {
                    "id": top["h"] + number + 1,
                    "apiary_id": top["a"] + number + 1,
                    "counted_on": year + "-04-15",
                    "hives": rng.randint(4, 12),
                }
            )
            bookings.append(
                {
                    "id": top["b"] + number + 1,
                    "booking_no": "BK-4%04d" % (number + 1),
                    "member_id": top["m"] + number + 1,
                    "half_day_id": slot["id"],
                    "mentor_id": 1,
                    "honey_type": rng.choice(("linden", "forest", "spruce")),
                    "hive_type": rng.choice(("AZ", "LR")),
                    "super_count": supers,
                    "fee_cents": fee,
                    "status": "awaiting_mentor",
                    "booked_at": moment,
                }
            )
            entries.append(
                {
                    "id": top["e"] + number + 1,
                    "member_id": top["m"] + number + 1,
                    "kind": "room_fee",
                    "amount_cents": -fee,
                    "booking_id": top["b"] + number + 1,
                    "entered_at": moment,
                }
            )
            seen.append({"half": slot["half"], "super_count": supers})
        if len(members) < count:
            continue
        half, words = rng.choice((("AM", "morning"), ("PM", "afternoon")))
        most = rng.randint(7, 20)
        good = [s for s in seen if s["half"] == half and s["super_count"] <= most]
        if len(good) < 2 or len(seen) - len(good) < 2:
            continue
        if not [s for s in seen if s["half"] == half and s["super_count"] > most]:
            continue
        if not [s for s in seen if s["half"] != half and s["super_count"] <= most]:
            continue
        yield {
            "p": {"half": words, "most": most, "code": half, "now": now},
            "given": {
                "members": members,
                "apiaries": apiaries,
                "hive_counts": counts,
                "bookings": bookings,
                "ledger_entries": entries,
            },
        }


def solve(tools, p):
    half = "AM" if p["half"] == "morning" else "PM"
    accepted = []
    for request in tools.list_mentor_requests(status="awaiting_mentor")["requests"]:
        good = request["half"] == half and request["super_count"] <= p["most"]
        tools.answerAsMentor(bookingId=request["booking_no"], answer="accept" if good else "decline")
        if good:
            accepted.append(request)
    names = [r["member_name"] for r in accepted]
    supers = sum(r["super_count"] for r in accepted)
    return {
        "outcome": "done",
        "answers": {"accepted": names, "supers": supers},
        "reason": None,
        "message": f"You stand beside {', '.join(names)} with {supers} supers in all; the others are declined.",
    }


def _split(world, p):
    """The requests to accept and those to decline, by the id of the booking."""
    rows = world.initial.query(
        "SELECT b.id, b.fee_cents, b.super_count, d.half, d.full_refund_until, m.name FROM bookings b"
        " JOIN half_days d ON d.id = b.half_day_id JOIN members m ON m.id = b.member_id"
        " WHERE b.mentor_id = 1 AND b.status = 'awaiting_mentor' ORDER BY b.id",
        [],
    )
    good = {r["id"]: r for r in rows if r["half"] == p["code"] and r["super_count"] <= p["most"]}
    return good, {r["id"]: r for r in rows if r["id"] not in good}


def goal_accepts_all_that_suit(world, p):
    """Every newcomer who suits is accepted and has a confirmed booking."""
    for booking_id in _split(world, p)[0]:
        row = world.final.one("SELECT status, mentor_answer FROM bookings WHERE id = ?", [booking_id])
        if row["status"] != "confirmed" or row["mentor_answer"] != "accept":
            return False
    return True


def goal_declines_all_others(world, p):
    """Every other newcomer is declined, the booking lapsed with the refund of a cancellation now."""
    for booking_id, old in _split(world, p)[1].items():
        row = world.final.one("SELECT status, mentor_answer, refund_cents FROM bookings WHERE id = ?", [booking_id])
        refund = old["fee_cents"] if p["now"] <= old["full_refund_until"] else old["fee_cents"] // 2
        if (row["status"], row["mentor_answer"], row["refund_cents"]) != ("lapsed", "decline", refund):
            return False
    return True


def goal_says_who_is_accepted(world, p):
    """Says the names of all who are accepted."""
    return world.report.says("accepted", [r["name"] for r in _split(world, p)[0].values()])


def goal_says_how_many_supers(world, p):
    """Says how many supers they bring altogether."""
    return world.report.says("supers", sum(r["super_count"] for r in _split(world, p)[0].values()))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_only_these_answers(world, p):
    """Changed nothing but these bookings, each only by the right answer and what it fills in."""
    good, other = _split(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "bookings" or before is None or after is None:
            return False
        if before["id"] in good:
            answer, free = "accept", ("status", "mentor_answer", "answered_at")
        elif before["id"] in other:
            answer, free = "decline", ("status", "mentor_answer", "answered_at", "lapsed_at", "refund_cents")
        else:
            return False
        if after["mentor_answer"] != answer:
            return False
        if any(before[name] != after[name] for name in before if name not in free):
            return False
    return True
