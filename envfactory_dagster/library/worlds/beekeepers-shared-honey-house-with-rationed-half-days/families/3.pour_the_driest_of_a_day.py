def instances(world, rng):
    """Lots of one honey from one day, the driest of which may be poured or has readings that forbid it."""
    tanks = world.query(
        "SELECT id, honey_type, max_moisture_percent AS most, capacity_kg - (SELECT COALESCE(SUM(x.share_kg), 0)"
        " FROM pours x WHERE x.tank_id = tanks.id) AS room FROM tanks WHERE status = 'filling' ORDER BY id",
        [],
    )
    days = world.query(
        "SELECT MIN(b.id) AS booking, d.held_on AS day FROM bookings b JOIN half_days d ON b.half_day_id = d.id"
        " WHERE b.member_id = 1 AND b.status = 'extracted' AND d.held_on >= ? GROUP BY d.held_on ORDER BY d.held_on",
        [world.clock[:4] + "-05-01"],
    )
    old = world.query(
        "SELECT l.id, l.honey_type, l.extracted_on, l.net_kg, MIN(r.percent) AS low, MAX(r.percent) AS high"
        " FROM lots l JOIN moisture_readings r ON r.lot_id = l.id WHERE l.member_id = 1 AND l.status = 'measured'"
        " GROUP BY l.id ORDER BY l.id",
        [],
    )
    last = world.one("SELECT (SELECT MAX(id) FROM moisture_readings) AS r, (SELECT MAX(id) FROM lots) AS l", [])
    for attempt in range(6000):
        if not tanks or not days:
            return
        tank = rng.choice(tanks)
        chosen = rng.choice(days)
        lots, readings = [], []
        seen = [o for o in old if o["honey_type"] == tank["honey_type"] and o["extracted_on"] == chosen["day"]]
        wet = rng.random() < 0.25
        for number in range(rng.randint(4, 9)):
            session = chosen if rng.random() < 0.75 else rng.choice(days)
            low = rng.randint(185, 196) if wet else rng.randint(166, 190)
            high = low + rng.choice((0, 1, 2, 3, 3, 4, 4, 5, 6))
            kilos = rng.randint(40, 240) / 10
            lot_id = last["l"] + number + 1
            measured = rng.random() < 0.85
            lots.append(
                {
                    "id": lot_id,
                    "lot_code": "LOT-4%04d" % (number + 11),
                    "member_id": 1,
                    "booking_id": session["booking"],
                    "honey_type": tank["honey_type"],
                    "net_kg": kilos,
                    "extracted_on": session["day"],
                    "untreated_declared": 1,
                    "status": "measured" if measured else "open",
                }
            )
            values = [low, high]
            rng.shuffle(values)
            for place, tenths in enumerate(values if measured else values[:1]):
                readings.append(
                    {
                        "id": last["r"] + len(readings) + 1,
                        "lot_id": lot_id,
                        "reading_no": place + 1,
                        "percent": tenths / 10,
                        "honey_temp_c": 25.0,
                        "refractometer": "R1" if place == 0 else "R2",
                        "read_at": session["day"] + "T21:%02d:00" % (10 + 10 * place),
                    }
                )
            if measured and session["day"] == chosen["day"]:
                seen.append({"id": lot_id, "net_kg": kilos, "low": low / 10, "high": high / 10})
        seen.sort(key=lambda s: (s["low"] + s["high"], s["id"]))
        if len(seen) < 3:
            continue
        means = [round((s["low"] + s["high"]) / 2, 2) for s in seen]
        best = seen[0]
        if means[0] == means[1] or best["net_kg"] > tank["room"] - 1:
            continue
        bad = round(best["high"] - best["low"], 2) > 0.4 or means[0] > tank["most"]
        instance = {
            "p": {
                "honey": tank["honey_type"],
                "day": chosen["day"],
                "lot": best["id"],
                "tank": tank["id"],
                "kg": best["net_kg"],
                "mean": means[0],
                "rule": "moisture_before_pour" if bad else None,
            },
            "given": {"lots": lots, "moisture_readings": readings},
        }
        if bad:
            instance["kind"] = "refusal"
            instance["rule"] = "moisture_before_pour"
        yield instance


def solve(tools, p):
    tank = next(
        t for t in tools.listTanks()["tanks"] if t["status"] == "filling" and t["honey_type"] == p["honey"]
    )
    there = [
        tools.getLot(lotCode=lot["lot_code"])
        for lot in tools.list_lots(status="measured", honey_type=p["honey"])["lots"]
        if lot["extracted_on"] == p["day"]
    ]
    driest = min(there, key=lambda lot: lot["mean_percent"])
    try:
        poured = tools.pourLot(tankNo=tank["tank_no"], lotCode=driest["lot_code"], kg=driest["net_kg"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"kilos": None, "mean": None, "own_share": None},
            "reason": "moisture_before_pour",
            "message": (
                f"The driest lot cannot be poured into {tank['tank_no']}: its two readings must be at most 0.4 points "
                f"apart and their mean at most {tank['max_moisture_percent']} %."
            ),
        }
    return {
        "outcome": "done",
        "answers": {"kilos": poured["kg"], "mean": driest["mean_percent"], "own_share": poured["own_share_kg"]},
        "reason": None,
        "message": (
            f"{poured['kg']} kg with a mean of {driest['mean_percent']} % are poured into {tank['tank_no']}, "
            f"where your share is now {poured['own_share_kg']} kg."
        ),
    }


def _refused(world, p):
    """Whether the refusal that the rule asks for is reported."""
    return world.report.outcome == "refused" and world.report.reason == p["rule"]


def goal_pours_the_driest_lot_whole(world, p):
    """All kilos of the driest lot stand in the tank, and the lot is marked as poured; or the rule is given."""
    if p["rule"] is not None:
        return _refused(world, p)
    rows = world.final.query("SELECT tank_id AS tank, kg FROM pours WHERE lot_id = ?", [p["lot"]])
    status = world.final.one("SELECT status AS state FROM lots WHERE id = ?", [p["lot"]])["state"]
    return (
        status == "poured"
        and len(rows) > 0
        and all(r["tank"] == p["tank"] for r in rows)
        and abs(sum(r["kg"] for r in rows) - p["kg"]) < 0.004
    )


def goal_says_how_many_kilos(world, p):
    """Says how many kilos were poured, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return _refused(world, p) and world.report.says("kilos", None)
    return world.report.says("kilos", p["kg"])


def goal_says_the_mean(world, p):
    """Says the mean of that lot, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return _refused(world, p) and world.report.says("mean", None)
    return world.report.says("mean", p["mean"])


def goal_says_the_share(world, p):
    """Says the person's share of the tank afterwards, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return _refused(world, p) and world.report.says("own_share", None)
    poured = world.initial.one(
        "SELECT COALESCE(SUM(x.share_kg), 0) AS kg FROM pours x JOIN lots l ON l.id = x.lot_id"
        " WHERE x.tank_id = ? AND l.member_id = 1",
        [p["tank"]],
    )["kg"]
    drawn = world.initial.one(
        "SELECT COALESCE(SUM(kg), 0) AS kg FROM draw_offs WHERE tank_id = ? AND member_id = 1", [p["tank"]]
    )["kg"]
    return world.report.says("own_share", round(poured - drawn + round(p["kg"] * 0.985, 2), 2))


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused for the rule that forbids it."""
    if world.report.outcome is None:
        return True
    if p["rule"] is not None:
        return _refused(world, p)
    return world.report.outcome == "done" and world.report.reason is None


def guard_pours_only_that_lot(world, p):
    """Touched nothing but pours of that lot into that tank and its status, and nothing where the rule forbids it."""
    if p["rule"] is not None:
        return not world.changes
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] != "pours" or after["lot_id"] != p["lot"] or after["tank_id"] != p["tank"]:
                return False
            if abs(after["share_kg"] - round(after["kg"] * 0.985, 2)) > 0.004:
                return False
        elif change["table"] != "lots" or before["id"] != p["lot"]:
            return False
        elif any(before[name] != after[name] for name in before if name != "status"):
            return False
    return True
