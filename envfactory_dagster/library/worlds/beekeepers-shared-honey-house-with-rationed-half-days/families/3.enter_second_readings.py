def instances(world, rng):
    """Many lots of the user with one reading, and a list of second readings, some for lots that have both already."""
    sessions = world.query(
        "SELECT b.id AS booking, d.held_on AS day FROM bookings b JOIN half_days d ON b.half_day_id = d.id"
        " WHERE b.member_id = 1 AND b.status = 'extracted' AND d.held_on >= ? ORDER BY b.id",
        [world.clock[:4] + "-05-01"],
    )
    ends = world.one("SELECT (SELECT MAX(id) FROM lots) AS lot, (SELECT MAX(id) FROM moisture_readings) AS reading", [])
    for attempt in range(4000):
        if not sessions:
            return
        lots, readings, said = [], [], []
        done = entered = apart_count = dry = 0
        temp = rng.randint(44, 58) / 2
        for number in range(rng.randint(22, 25)):
            session = rng.choice(sessions)
            first = rng.randint(166, 192)
            second = first + rng.choice((-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6))
            code = "LOT-4%04d" % (number * 3 + rng.randint(1, 3))
            both = rng.random() < 0.12
            kilos = rng.randint(25, 160) / 10
            lot_id = ends["lot"] + number + 1
            lots.append(
                {
                    "id": lot_id,
                    "lot_code": code,
                    "member_id": 1,
                    "booking_id": session["booking"],
                    "honey_type": rng.choice(("acacia", "linden", "chestnut", "forest", "spruce", "blossom")),
                    "net_kg": kilos,
                    "extracted_on": session["day"],
                    "untreated_declared": 1,
                    "status": "measured" if both else "open",
                }
            )
            values = [first, first + rng.choice((-2, -1, 1, 2))] if both else [first]
            for place, tenths in enumerate(values):
                readings.append(
                    {
                        "id": ends["reading"] + len(readings) + 1,
                        "lot_id": lot_id,
                        "reading_no": place + 1,
                        "percent": tenths / 10,
                        "honey_temp_c": 24.5,
                        "refractometer": "R1",
                        "read_at": session["day"] + "T21:%02d:00" % (5 + 20 * place),
                    }
                )
            if rng.random() < 0.12 and not both:
                continue
            said.append("%s: %.1f" % (code, second / 10))
            if both:
                done += 1
                continue
            entered += 1
            if abs(second - first) > 4:
                apart_count += 1
            elif first + second <= 372:
                dry += kilos
        if entered < 19 or entered > 20 or done < 1 or apart_count < 1 or dry == 0 or entered == apart_count:
            continue
        if len({entered, apart_count, round(dry, 2)}) < 3:
            continue
        rng.shuffle(said)
        yield {
            "p": {"readings": said, "temp": int(temp) if temp == int(temp) else temp},
            "given": {"lots": lots, "moisture_readings": readings},
        }


def solve(tools, p):
    waiting = {lot["lot_code"]: lot["net_kg"] for lot in tools.list_lots(status="open")["lots"]}
    count = 0
    apart = 0
    dry = 0
    for text in p["readings"]:
        code, value = text.split(": ")
        if code not in waiting:
            continue
        entered = tools.addMoistureReading(
            lotCode=code, percent=float(value), honeyTempC=p["temp"], refractometer="R2"
        )
        count += 1
        if entered["difference_percent"] > 0.4:
            apart += 1
        elif entered["mean_percent"] <= 18.6:
            dry += waiting[code]
    dry = round(dry, 2)
    return {
        "outcome": "done",
        "answers": {"entered": count, "too_far_apart": apart, "good_kilos": dry},
        "reason": None,
        "message": (
            f"{count} readings are entered; {apart} lots have readings too far apart, and {dry} kg are good enough "
            "for the protected tanks."
        ),
    }


def _wanted(world, p):
    """The readings that had to be entered, by the id of the lot: the percent, the first reading and the kilos."""
    rows = world.initial.query(
        "SELECT l.id, l.lot_code, l.net_kg, r.percent FROM lots l JOIN moisture_readings r ON r.lot_id = l.id"
        " WHERE l.member_id = 1 AND l.status = 'open' ORDER BY l.id",
        [],
    )
    said = dict(text.split(": ") for text in p["readings"])
    return {
        r["id"]: (float(said[r["lot_code"]]), r["percent"], r["net_kg"]) for r in rows if r["lot_code"] in said
    }


def goal_enters_every_second_reading(world, p):
    """Every listed lot that had one reading has its second one, and is measured."""
    for lot_id, (percent, first, kilos) in _wanted(world, p).items():
        row = world.final.one(
            "SELECT percent, honey_temp_c, refractometer FROM moisture_readings WHERE lot_id = ? AND reading_no = 2",
            [lot_id],
        )
        if row is None or row["refractometer"] != "R2":
            return False
        if abs(row["percent"] - percent) > 0.001 or abs(row["honey_temp_c"] - p["temp"]) > 0.001:
            return False
        if world.final.one("SELECT status AS now FROM lots WHERE id = ?", [lot_id])["now"] != "measured":
            return False
    return True


def goal_says_how_many_were_entered(world, p):
    """Says how many readings were entered."""
    return world.report.says("entered", len(_wanted(world, p)))


def goal_says_how_many_are_too_far_apart(world, p):
    """Says how many of these lots have readings more than 0.4 points apart."""
    return world.report.says("too_far_apart", sum(round(abs(a - b), 2) > 0.4 for a, b, k in _wanted(world, p).values()))


def goal_says_how_many_kilos_are_good(world, p):
    """Says how many kilos of these lots are good enough for the protected tanks."""
    good = [k for a, b, k in _wanted(world, p).values() if round(abs(a - b), 2) <= 0.4 and round((a + b) / 2, 3) <= 18.6]
    return world.report.says("good_kilos", round(sum(good), 2))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_enters_nothing_else(world, p):
    """Added no row but these readings, each once with what was said."""
    wanted = _wanted(world, p)
    lots = []
    for change in world.changes:
        if change["before"] is not None:
            continue
        row = change["after"]
        if change["table"] != "moisture_readings" or row["lot_id"] not in wanted or row["reading_no"] != 2:
            return False
        if abs(row["percent"] - wanted[row["lot_id"]][0]) > 0.001 or row["refractometer"] != "R2":
            return False
        if abs(row["honey_temp_c"] - p["temp"]) > 0.001:
            return False
        lots.append(row["lot_id"])
    return len(lots) == len(set(lots))


def guard_changes_only_the_status_of_these_lots(world, p):
    """Changed no row but the status of these lots, and deleted none."""
    wanted = _wanted(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            continue
        if change["table"] != "lots" or before["id"] not in wanted:
            return False
        if any(before[name] != after[name] for name in before if name != "status"):
            return False
    return True
