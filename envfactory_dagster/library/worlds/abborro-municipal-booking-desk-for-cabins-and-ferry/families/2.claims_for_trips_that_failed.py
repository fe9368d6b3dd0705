import datetime

STORM_CLAIM_NOTES = ("Mean wind 19 m/s at the mast. We stay.", "Went out, met 20 m/s beyond the lighthouse, turned back.",
                     "18 m/s and a short sea. No sailing.", "Turned back off the skerries, all safely ashore.")


def _on(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _in_time(clock, leaves_at):
    return (datetime.datetime.fromisoformat(clock)
            <= datetime.datetime.fromisoformat(leaves_at) + datetime.timedelta(days=14))


def instances(world, rng):
    """Day trips of the last weeks of which some did not sail, some too long ago to claim, and one claimed before."""
    islands = world.query("SELECT i.id, i.name, i.opens_on FROM islands i ORDER BY i.opens_on, i.id")
    sailed = {row["day"] for row in world.query(
        "SELECT DISTINCT substr(d.leaves_at, 1, 10) AS day FROM departures d WHERE d.direction = 'out' ORDER BY 1")}
    away = world.query("SELECT s.arrives_on, s.leaves_on FROM stays s WHERE s.household_id = 1"
                       " AND s.status IN ('arrived', 'left') ORDER BY s.arrives_on")
    prices = world.one(
        "SELECT p.id, p.adult_cents, p.child_cents FROM tariffs p, households u WHERE u.id = 1"
        " AND (p.name = 'ordinary') = (u.standing = 'ordinary')")
    top = world.one(
        "SELECT (SELECT max(id) FROM departures) AS departure, (SELECT max(id) FROM crossings) AS crossing,"
        " (SELECT max(id) FROM payments) AS payment, (SELECT max(id) FROM claims) AS claim,"
        " (SELECT max(id) FROM skipper_notes) AS note")
    known = world.query(
        "SELECT c.id, c.island_id, c.price_cents, c.adults + c.children + c.infants AS people, d.leaves_at, d.status,"
        " d.direction FROM crossings c JOIN departures d ON d.id = c.departure_id WHERE c.household_id = 1"
        " AND c.status = 'booked' AND d.status IN ('stayed', 'turned_back')"
        " AND NOT EXISTS (SELECT 1 FROM claims k WHERE k.crossing_id = c.id AND k.kind = 'fare') ORDER BY d.leaves_at")
    today, year = world.clock[:10], world.clock[:4]
    days = [_on(today, -back) for back in range(2, 26)]
    days = [day for day in days if day not in sailed and not year + "-06-17" <= day <= year + "-06-22"
            and datetime.date.fromisoformat(day).weekday() not in (2, 6)
            and not any(row["arrives_on"] <= day <= row["leaves_on"] for row in away)]
    for _ in range(1500):
        island = rng.choice(islands)
        chosen = sorted(rng.sample(days, min(len(days), rng.randint(3, 4))))
        given = {"departures": [], "skipper_notes": [], "crossings": [], "payments": [], "claims": []}
        mine, used = [row for row in known if row["island_id"] == island["id"]], False
        for day in chosen:
            status = rng.choice(("stayed", "turned_back", "turned_back", "stayed", "sailed"))
            where = island if rng.random() < 0.85 else rng.choice(islands)
            claimed = status == "stayed" and not used and day < _on(today, -3) and rng.random() < 0.3
            used = used or claimed
            children = rng.choice((0, 1))
            cents = 2 * prices["adult_cents"] + children * prices["child_cents"]
            asked = _on(day, -2) + "T18:20:00"
            legs = (("out", rng.choice(("09:00:00", "13:00:00")), status),
                    ("back", "17:30:00", "sailed" if status == "sailed" else "stayed"))
            for way, time, end in legs:
                number = len(given["departures"])
                departure, crossing = top["departure"] + 1 + number, top["crossing"] + 1 + number
                leaves_at = f"{day}T{time}"
                entered = datetime.datetime.fromisoformat(leaves_at) + datetime.timedelta(
                    minutes={"sailed": 5, "stayed": -35, "turned_back": 55}[end])
                given["departures"].append({
                    "id": departure, "leaves_at": leaves_at, "direction": way, "places": 48, "deck_m": 34.0,
                    "held_m": 6.0, "shop_bottles": 0, "status": end, "entered_at": entered.isoformat()})
                if end != "sailed" and way == "out":
                    given["skipper_notes"].append({
                        "id": top["note"] + 1 + len(given["skipper_notes"]), "departure_id": departure,
                        "body": STORM_CLAIM_NOTES[rng.choice((0, 2)) if end == "stayed" else rng.choice((1, 3))],
                        "written_at": entered.isoformat()})
                given["crossings"].append({
                    "id": crossing, "code": f"CR-{34000 + crossing}", "household_id": 1, "departure_id": departure,
                    "island_id": where["id"], "stay_id": None, "vehicle_id": None, "tariff_id": prices["id"],
                    "adults": 2, "children": children, "infants": 0, "dogs": 0, "price_cents": cents,
                    "status": "booked", "booked_at": asked, "cancelled_at": None})
                paid = {"household_id": 1, "stay_id": None, "crossing_id": crossing, "sauna_turn_id": None,
                        "mooring_booking_id": None, "method": "card", "amount_cents": cents}
                given["payments"].append({"id": top["payment"] + 1 + len(given["payments"]), **paid,
                                          "kind": "balance", "paid_at": asked[:14] + "25:00"})
                if claimed:
                    filed = _on(day, 1) + "T09:30:00"
                    given["claims"].append({
                        "id": top["claim"] + 1 + len(given["claims"]),
                        "code": f"CL-{34001 + top['claim'] + len(given['claims'])}", "household_id": 1,
                        "crossing_id": crossing, "kind": "fare", "amount_cents": cents, "status": "settled",
                        "filed_at": filed, "settled_at": filed})
                    given["payments"].append({"id": top["payment"] + 1 + len(given["payments"]), **paid,
                                              "kind": "refund", "paid_at": filed})
                elif end != "sailed" and where["id"] == island["id"]:
                    mine.append({"id": crossing, "price_cents": cents, "people": 2 + children,
                                 "leaves_at": leaves_at, "status": end, "direction": way})
        since = _on(today, -rng.randint(15, 45))
        if any(row["leaves_at"][:10] == since for row in mine):
            continue
        mine = sorted((row for row in mine if row["leaves_at"][:10] > since), key=lambda row: row["leaves_at"])
        right = [row for row in mine if _in_time(world.clock, row["leaves_at"])]
        late = [row for row in mine if not _in_time(world.clock, row["leaves_at"])]
        if len(right) < 2 or not late:
            continue
        if sum(row["price_cents"] for row in right) > 15000:
            continue
        yield {"p": {"island": island["name"], "since": since,
                     "right": [[row["id"], row["price_cents"], row["people"]
                                if row["status"] == "turned_back" and row["direction"] == "out" else 0]
                               for row in right],
                     "late": sorted({row["leaves_at"][:10] for row in late})},
               "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    island = next(row for row in tools.list_islands()["islands"] if row["name"] == p["island"])["island_id"]
    claimed = {row["crossing_id"] for row in tools.list_claims()["claims"] if row["kind"] == "fare"}
    fares, vouchers, late = 0, 0, []
    for crossing in tools.list_crossings(status="booked", first_day=p["since"])["crossings"]:
        if (crossing["island_id"] != island or crossing["crossing_id"] in claimed
                or crossing["departure_status"] not in ("stayed", "turned_back")):
            continue
        try:
            claim = tools.file_claim(crossing_id=crossing["crossing_id"], kind="fare")["claim"]
        except tools.Error:
            if crossing["leaves_at"][:10] not in late:
                late.append(crossing["leaves_at"][:10])
            continue
        fares += claim["amount_cents"]
        vouchers += len(claim["vouchers"])
    return {
        "outcome": "done",
        "answers": {"fares": fares, "vouchers": vouchers, "too_late": late},
        "reason": None,
        "message": f"You get {fares / 100:.2f} euros of fares back and {vouchers} meal vouchers."
                   f" It was too late for the crossings of {', '.join(late)}.",
    }


def _new(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def goal_claims_every_fare_in_time(world, p):
    """Filed a claim for the fare of every crossing that did not sail and can still be claimed."""
    rows = _new(world, "claims")
    return sorted([row["crossing_id"], row["amount_cents"]] for row in rows
                  if row["kind"] == "fare" and row["status"] == "settled") == sorted(
                      [number, cents] for number, cents, _ in p["right"])


def goal_says_what_the_fares_come_to(world, p):
    """Says what the fares come to that are given back."""
    return world.report.says("fares", sum(cents for _, cents, _ in p["right"]))


def goal_says_how_many_vouchers(world, p):
    """Says how many meal vouchers come with the claims."""
    return world.report.says("vouchers", sum(people for _, _, people in p["right"]))


def goal_says_what_was_too_late(world, p):
    """Says for which days it was too late."""
    return world.report.says("too_late", p["late"])


def guard_claims_nothing_else(world, p):
    """Added nothing but those claims, each once, with their refunds and vouchers, and changed no row."""
    right = {number: (cents, people) for number, cents, people in p["right"]}
    claims, payments, vouchers = (_new(world, table) for table in ("claims", "payments", "vouchers"))
    of_claim = {row["id"]: row["crossing_id"] for row in claims}
    return (len(world.changes) == len(claims) + len(payments) + len(vouchers)
            and len(set(of_claim.values())) == len(claims)
            and all(row["household_id"] == 1 and row["kind"] == "fare" and row["crossing_id"] in right
                    for row in claims)
            and len(payments) <= len(claims)
            and all(row["household_id"] == 1 and row["kind"] == "refund" and row["crossing_id"] in right
                    and row["amount_cents"] == right[row["crossing_id"]][0] for row in payments)
            and all(row["household_id"] == 1 and row["claim_id"] in of_claim for row in vouchers)
            and all(sum(row["claim_id"] == claim for row in vouchers) <= right[crossing][1]
                    for claim, crossing in of_claim.items()))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
