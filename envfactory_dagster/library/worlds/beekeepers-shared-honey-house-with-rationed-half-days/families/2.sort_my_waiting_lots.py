import datetime


def instances(world, rng):
    """Many waiting lots of the user in a stretch of days, some for any tank, some for T4 only and some for none."""
    held = world.query(
        "SELECT b.id, d.held_on FROM half_days d JOIN bookings b ON b.half_day_id = d.id"
        " WHERE b.status = 'extracted' AND b.member_id = 1 ORDER BY d.held_on, b.id",
        [],
    )
    waiting = world.query(
        "SELECT l.net_kg AS kg, l.extracted_on AS day, MIN(r.percent) AS low, MAX(r.percent) AS high FROM lots l"
        " JOIN moisture_readings r ON r.lot_id = l.id WHERE l.member_id = 1 AND l.status = 'measured' GROUP BY l.id",
        [],
    )
    lot = world.one("SELECT MAX(id) AS top FROM lots", [])["top"]
    reading = world.one("SELECT MAX(id) AS top FROM moisture_readings", [])["top"]
    dates = sorted({h["held_on"] for h in held})
    for attempt in range(4000):
        if len(dates) < 2:
            return
        lots, readings = [], []
        seen = list(waiting)
        for number in range(rng.randint(24, 34)):
            session = rng.choice(held)
            middle = rng.randint(168, 204)
            apart = rng.choice((0, 1, 2, 3, 4, 4, 5, 6))
            low, high = middle, middle + apart
            kilos = rng.randint(25, 140) / 10
            lots.append(
                {
                    "id": lot + number + 1,
                    "lot_code": "LOT-4%04d" % (number + 1),
                    "member_id": 1,
                    "booking_id": session["id"],
                    "honey_type": rng.choice(("acacia", "linden", "chestnut", "forest", "spruce", "blossom")),
                    "net_kg": kilos,
                    "extracted_on": session["held_on"],
                    "untreated_declared": 1,
                    "status": "measured",
                }
            )
            values = [low, high]
            rng.shuffle(values)
            for place in (0, 1):
                readings.append(
                    {
                        "id": reading + len(readings) + 1,
                        "lot_id": lot + number + 1,
                        "reading_no": place + 1,
                        "percent": values[place] / 10,
                        "honey_temp_c": rng.randint(44, 54) / 2,
                        "refractometer": "R1" if place == 0 else "R2",
                        "read_at": session["held_on"] + "T20:%02d:00" % (15 + 15 * place),
                    }
                )
            seen.append({"kg": kilos, "day": session["held_on"], "low": low / 10, "high": high / 10})
        first, last = sorted(rng.sample(dates, 2))
        first = (datetime.date.fromisoformat(first) - datetime.timedelta(days=rng.randint(0, 3))).isoformat()
        last = (datetime.date.fromisoformat(last) + datetime.timedelta(days=rng.randint(0, 3))).isoformat()
        last = min(last, world.clock[:10])
        inside = [s for s in seen if first <= s["day"] <= last]
        any_tank = only_t4 = 0
        neither = 0
        for s in inside:
            mean = round((s["low"] + s["high"]) / 2, 2)
            if round(s["high"] - s["low"], 2) > 0.4 or mean > 20.0:
                neither += 1
            elif mean > 18.6:
                only_t4 += s["kg"]
            else:
                any_tank += s["kg"]
        if not 18 <= len(inside) <= 36 or neither < 2 or only_t4 == 0 or any_tank == 0:
            continue
        if round(only_t4, 2) == round(any_tank, 2):
            continue
        yield {
            "p": {"first": first, "last": last},
            "given": {"lots": lots, "moisture_readings": readings},
        }


def solve(tools, p):
    tanks = tools.listTanks()["tanks"]
    dry = max(t["max_moisture_percent"] for t in tanks if t["is_protected"])
    wet = max(t["max_moisture_percent"] for t in tanks if not t["is_protected"])
    protected = 0
    only = 0
    neither = 0
    for lot in tools.list_lots(status="measured")["lots"]:
        if not p["first"] <= lot["extracted_on"] <= p["last"]:
            continue
        full = tools.getLot(lotCode=lot["lot_code"])
        if full["difference_percent"] > 0.4 or full["mean_percent"] > wet:
            neither += 1
        elif full["mean_percent"] > dry:
            only += full["net_kg"]
        else:
            protected += full["net_kg"]
    protected = round(protected, 2)
    only = round(only, 2)
    return {
        "outcome": "done",
        "answers": {"protected_kilos": protected, "only_t4_kilos": only, "neither_lots": neither},
        "reason": None,
        "message": (
            f"{protected} kg are good enough for the protected tanks, {only} kg for T4 only, "
            f"and {neither} of the lots for neither."
        ),
    }


def _sorted(world, p):
    """Kilos for the protected tanks, kilos for T4 only, and the number of lots for neither."""
    rows = world.initial.query(
        "SELECT l.id, l.net_kg, MIN(r.percent) AS low, MAX(r.percent) AS high FROM moisture_readings r"
        " JOIN lots l ON l.id = r.lot_id WHERE l.member_id = 1 AND l.status = 'measured'"
        " AND l.extracted_on >= ? AND l.extracted_on <= ? GROUP BY l.id ORDER BY l.id",
        [p["first"], p["last"]],
    )
    dry = world.initial.one("SELECT MAX(max_moisture_percent) AS most FROM tanks WHERE is_protected = 1", [])["most"]
    wet = world.initial.one("SELECT MAX(max_moisture_percent) AS most FROM tanks WHERE is_protected = 0", [])["most"]
    protected = only = neither = 0
    for row in rows:
        mean = round((row["low"] + row["high"]) / 2, 2)
        if round(row["high"] - row["low"], 2) > 0.4 or mean > wet:
            neither += 1
        elif mean > dry:
            only += row["net_kg"]
        else:
            protected += row["net_kg"]
    return round(protected, 2), round(only, 2), neither


def goal_says_kilos_for_the_protected_tanks(world, p):
    """Says how many kilos are good enough for the protected tanks."""
    return world.report.says("protected_kilos", _sorted(world, p)[0])


def goal_says_kilos_for_t4_only(world, p):
    """Says how many kilos are good enough for T4 only."""
    return world.report.says("only_t4_kilos", _sorted(world, p)[1])


def goal_says_how_many_lots_for_neither(world, p):
    """Says how many lots may go into neither."""
    return world.report.says("neither_lots", _sorted(world, p)[2])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return not world.changes
