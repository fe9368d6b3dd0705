import datetime

PROJECTS = ("Lace schools on the islands", "Lighthouse families", "The last weavers", "Seaweed rights", "Island schoolmasters", "Wrecks and salvage")


def _before(day, days):
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """Three or four island readers with an award: some can still claim, some are too late or were in the room on one day only."""
    today = world.clock[:10]
    rnd = world.one(
        "SELECT r.id, r.opens_on, r.closes_on, r.visits_from, r.visits_to FROM bursary_rounds r WHERE r.visits_from < ? AND r.visits_to >= ? ORDER BY r.visits_from DESC LIMIT 1",
        [_before(today, 60), _before(today, 6)],
    )
    readers = world.query(
        "SELECT r.id, r.forenames || ' ' || r.surname AS name FROM readers r WHERE r.role = 'reader' AND r.ticket_kind = 'full'"
        " AND NOT EXISTS (SELECT 1 FROM bursary_applications a WHERE a.reader_id = r.id) AND NOT EXISTS (SELECT 1 FROM attendances t WHERE t.reader_id = r.id AND t.day >= ?)"
        " AND (SELECT count(*) FROM readers o WHERE o.surname = r.surname AND substr(o.forenames, 1, 3) = substr(r.forenames, 1, 3)) = 1 ORDER BY r.id",
        [rnd["visits_from"]],
    )
    closed = [r["day"] for r in world.query("SELECT c.day FROM closures c ORDER BY c.day", [])]
    piece = world.query("SELECT p.id FROM pieces p WHERE p.location <> 'missing' AND NOT EXISTS (SELECT 1 FROM restrictions x WHERE x.piece_id = p.id) ORDER BY p.id", [])
    tops = world.one("SELECT (SELECT max(id) FROM bursary_applications) AS b, (SELECT max(id) FROM attendances) AS a", [])

    def room_days(last, number):
        days, day = [], last
        while len(days) < number:
            if datetime.date.fromisoformat(day).isoweekday() < 6 and day not in closed:
                days.append(day)
            day = _before(day, 1)
        return days[::-1]

    for _ in range(3000):
        people = rng.sample(readers, rng.choice([3, 4, 4]))
        states = ["due", rng.choice(["late", "single"])] + [rng.choice(["due", "due", "late", "single"]) for _ in people[2:]]
        rng.shuffle(states)
        fare = rng.randrange(1400, 3200, 50)
        awards, links, visits, paid, due, not_due = [], [], [], {}, [], []
        for place, (reader, state) in enumerate(zip(people, states)):
            back = rng.choice([29, 30, 31, 36, 41]) if state == "late" else rng.choice([28, 27, 25, 21, 14, 11])
            last = _before(today, back)
            if datetime.date.fromisoformat(last).isoweekday() > 5 or last in closed:
                break
            days = room_days(last, 1 if state == "single" else rng.choice([2, 2, 3]))
            if days[0] < rnd["visits_from"] or last > rnd["visits_to"]:
                break
            award = rng.randrange(1500, 3400, 100)
            key = tops["b"] + 1 + place
            awards.append({"id": key, "application_no": f"B-{30001 + place}", "reader_id": reader["id"], "bursary_round_id": rnd["id"], "home_kind": "offshore_island", "road_km_one_way": rng.randrange(20, 60), "visit_from": days[0], "visit_to": max(last, days[0]), "room_days": max(2, len(days)), "project": rng.choice(PROJECTS), "asked_cents": award + 500, "not_council_household": 1, "status": "awarded", "submitted_at": rnd["opens_on"] + "T11:00:00", "decided_on": rnd["closes_on"], "award_no": f"W-{30001 + place}", "awarded_cents": award})
            links.append({"bursary_application_id": key, "piece_id": rng.choice(piece)["id"]})
            for day in days:
                visits.append({"id": tops["a"] + 1 + len(visits), "reader_id": reader["id"], "seat_booking_id": None, "day": day, "signed_in_at": day + "T10:20:00", "signed_out_at": day + "T15:40:00"})
            if state == "due":
                paid[str(key)] = min(fare, award)
                due.append(reader["name"])
            else:
                not_due.append(reader["name"])
        if len(awards) < len(people):
            continue
        yield {
            "p": {"names": [r["name"] for r in people], "fare": fare, "paid": paid, "due": due, "not_due": not_due},
            "given": {"bursary_applications": awards, "bursary_application_pieces": links, "attendances": visits},
        }


def solve(tools, p):
    due, not_due, total = [], [], 0
    for name in p["names"]:
        found = tools.find_readers(surname=name.split()[-1], forename=name.split()[0])["readers"]
        ticket = next(r["ticket_no"] for r in found if r["name"] == name)
        awards = tools.get_reader(ticket_no=ticket, include=["bursary"])["bursary"]
        award = next(a for a in awards if a["status"] == "awarded" and a["claimed_on"] is None)
        try:
            claim = tools.record_bursary_claim(award_id=award["award_id"], nights=[], ferry_cents=p["fare"], receipts_seen=True)
            due.append(name)
            total += claim["allowed_cents"]
        except tools.Error:
            not_due.append(name)
    return {
        "outcome": "done",
        "answers": {"entered": due, "not_entered": not_due, "total": total},
        "reason": None,
        "message": f"Entered: {', '.join(due)}, {total / 100:.2f} euro in all. Nothing can be claimed by {', '.join(not_due)}.",
    }


def goal_enters_the_claims_that_are_due(world, p):
    """There is a claim on every award that can still be claimed, over the fare or the award if that is less."""
    for key, cents in p["paid"].items():
        row = world.final.one("SELECT count(*) AS n, max(paid_cents) AS cents, max(receipts_seen) AS seen, max(travel_cents) AS travel FROM bursary_claims WHERE bursary_application_id = ?", [int(key)])
        if row != {"n": 1, "cents": cents, "seen": 1, "travel": p["fare"]}:
            return False
    return True


def goal_says_whose_claims_are_in(world, p):
    """Says whose claims were entered."""
    return world.report.says("entered", p["due"])


def goal_says_whose_are_not(world, p):
    """Says who can claim nothing."""
    return world.report.says("not_entered", p["not_due"])


def goal_says_the_total(world, p):
    """Says what is allowed in all."""
    return world.report.says("total", sum(p["paid"].values()))


def guard_adds_only_the_claims_due(world, p):
    """Changed nothing but one new claim on each award that can still be claimed."""
    seen = []
    for change in world.changes:
        after = change["after"]
        if change["table"] != "bursary_claims" or change["before"] is not None or str(after["bursary_application_id"]) not in p["paid"]:
            return False
        seen.append(after["bursary_application_id"])
    return len(seen) == len(set(seen))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
