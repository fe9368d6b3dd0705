import datetime


def _shift(day, count):
    """The day so many days after a day."""
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=count)).isoformat()


def instances(world, rng):
    """Many lots of the honey that one tank is being filled with, some good enough for it and some not."""
    tanks = world.query(
        "SELECT t.id, t.honey_type, t.max_moisture_percent, t.capacity_kg, t.last_lye_wash,"
        " (SELECT COALESCE(SUM(p.share_kg), 0) FROM pours p WHERE p.tank_id = t.id)"
        " - (SELECT COALESCE(SUM(d.kg), 0) FROM draw_offs d WHERE d.tank_id = t.id) AS standing"
        " FROM tanks t WHERE t.status = 'filling' AND t.is_protected = 1 ORDER BY t.id",
        [],
    )
    sessions = world.query(
        "SELECT b.id, d.held_on FROM bookings b JOIN half_days d ON d.id = b.half_day_id"
        " WHERE b.member_id = 1 AND b.status = 'extracted' AND d.held_on >= ? ORDER BY d.held_on",
        [world.clock[:4] + "-01-01"],
    )
    first_lot = world.one("SELECT MAX(id) AS n FROM lots", [])["n"] + 1
    first_reading = world.one("SELECT MAX(id) AS n FROM moisture_readings", [])["n"] + 1
    for attempt in range(4000):
        if not tanks or not sessions:
            return
        tank = rng.choice(tanks)
        lots = []
        readings = []
        for number in range(rng.randint(17, 24)):
            session = rng.choice(sessions)
            lot_id = first_lot + number
            one = rng.randint(166, 190)
            apart = rng.choice((0, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7))
            two = one + apart if rng.random() < 0.5 else one - apart
            count = 1 if rng.random() < 0.1 else 2
            lots.append(
                {
                    "id": lot_id,
                    "lot_code": "LOT-4%04d" % (number + 1),
                    "member_id": 1,
                    "booking_id": session["id"],
                    "honey_type": tank["honey_type"],
                    "net_kg": rng.randint(30, 110) / 10,
                    "extracted_on": session["held_on"],
                    "untreated_declared": 1,
                    "status": "measured" if count == 2 else "open",
                }
            )
            for place, tenths in enumerate((one, two)[:count]):
                readings.append(
                    {
                        "id": first_reading + len(readings),
                        "lot_id": lot_id,
                        "reading_no": place + 1,
                        "percent": tenths / 10,
                        "honey_temp_c": rng.randint(40, 56) / 2,
                        "refractometer": "R1" if place == 0 else "R2",
                        "read_at": session["held_on"] + ("T20:%02d:00" % (5 + place * 20)),
                    }
                )
        least = rng.randint(6, 13) / 2
        least = int(least) if least == int(least) else least
        day = _shift(rng.choice(sessions)["held_on"], -rng.randint(0, 2))
        fit = []
        looked = 0
        own = world.query(
            "SELECT l.net_kg, l.extracted_on, ROUND(MAX(r.percent) - MIN(r.percent), 2) AS apart,"
            " ROUND(AVG(r.percent), 2) AS mean FROM lots l JOIN moisture_readings r ON r.lot_id = l.id"
            " WHERE l.member_id = 1 AND l.status = 'measured' AND l.honey_type = ? GROUP BY l.id",
            [tank["honey_type"]],
        )
        for lot in lots:
            values = [r["percent"] for r in readings if r["lot_id"] == lot["id"]]
            if len(values) == 2:
                own.append(
                    {
                        "net_kg": lot["net_kg"],
                        "extracted_on": lot["extracted_on"],
                        "apart": round(max(values) - min(values), 2),
                        "mean": round(sum(values) / 2, 2),
                    }
                )
        for lot in own:
            if lot["extracted_on"] < day or lot["net_kg"] < least:
                continue
            looked += 1
            if lot["apart"] <= 0.4 and lot["mean"] <= tank["max_moisture_percent"]:
                fit.append(lot["net_kg"])
        room = tank["capacity_kg"] - tank["standing"]
        if len(fit) < 2 or len(fit) == looked or sum(fit) > room - 1 or looked + len(fit) < 17 or looked + len(fit) > 36:
            continue
        yield {
            "p": {"honey": tank["honey_type"], "day": day, "least": least, "tank": tank["id"]},
            "given": {"lots": lots, "moisture_readings": readings},
        }


def solve(tools, p):
    tank = next(
        t for t in tools.listTanks()["tanks"]
        if t["status"] == "filling" and t["is_protected"] and t["honey_type"] == p["honey"]
    )
    count = 0
    share = tank["own_share_kg"]
    for lot in tools.list_lots(status="measured", honey_type=p["honey"])["lots"]:
        if lot["extracted_on"] < p["day"] or lot["net_kg"] < p["least"]:
            continue
        seen = tools.getLot(lotCode=lot["lot_code"])
        if seen["difference_percent"] <= 0.4 and seen["mean_percent"] <= tank["max_moisture_percent"]:
            poured = tools.pourLot(tankNo=tank["tank_no"], lotCode=lot["lot_code"], kg=lot["net_kg"])
            share = poured["own_share_kg"]
            count += 1
    return {
        "outcome": "done",
        "answers": {"lots_poured": count, "own_share": share},
        "reason": None,
        "message": f"{count} of your lots are poured into {tank['tank_no']}, where your share is now {share} kg.",
    }


def _fit(world, p):
    """The lots that had to be poured, by their id."""
    limit = world.initial.one("SELECT max_moisture_percent AS n FROM tanks WHERE id = ?", [p["tank"]])["n"]
    rows = world.initial.query(
        "SELECT l.id, l.net_kg, COUNT(*) AS readings, ROUND(MAX(r.percent) - MIN(r.percent), 2) AS apart,"
        " ROUND(AVG(r.percent), 2) AS mean FROM lots l JOIN moisture_readings r ON r.lot_id = l.id"
        " WHERE l.member_id = 1 AND l.status = 'measured' AND l.honey_type = :honey AND l.extracted_on >= :day"
        " AND l.net_kg >= :least GROUP BY l.id ORDER BY l.id",
        {"honey": p["honey"], "day": p["day"], "least": p["least"]},
    )
    return {r["id"]: r["net_kg"] for r in rows if r["readings"] == 2 and r["apart"] <= 0.4 and r["mean"] <= limit}


def goal_every_lot_that_fits_is_poured_whole(world, p):
    """All kilos of every lot that is good enough stand in the tank, and the lot is marked as poured."""
    for lot_id, kilos in _fit(world, p).items():
        rows = world.final.query("SELECT tank_id, kg FROM pours WHERE lot_id = ?", [lot_id])
        if not rows or any(r["tank_id"] != p["tank"] for r in rows):
            return False
        if abs(sum(r["kg"] for r in rows) - kilos) > 0.004:
            return False
        if world.final.one("SELECT status FROM lots WHERE id = ?", [lot_id])["status"] != "poured":
            return False
    return True


def goal_says_how_many_lots(world, p):
    """Says how many lots were poured."""
    return world.report.says("lots_poured", len(_fit(world, p)))


def goal_says_the_share(world, p):
    """Says what the person's share of that tank is afterwards."""
    before = world.initial.one(
        "SELECT (SELECT COALESCE(SUM(p.share_kg), 0) FROM pours p JOIN lots l ON l.id = p.lot_id"
        " WHERE p.tank_id = :tank AND l.member_id = 1)"
        " - (SELECT COALESCE(SUM(d.kg), 0) FROM draw_offs d WHERE d.tank_id = :tank AND d.member_id = 1) AS kg",
        {"tank": p["tank"]},
    )["kg"]
    return world.report.says("own_share", round(before + sum(round(k * 0.985, 2) for k in _fit(world, p).values()), 2))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_pours_no_other_lot(world, p):
    """Added no row but pours of these lots into that tank, with their right share and no more than the lot."""
    fit = _fit(world, p)
    total = {}
    for change in world.changes:
        if change["before"] is not None:
            continue
        row = change["after"]
        if change["table"] != "pours" or row["lot_id"] not in fit or row["tank_id"] != p["tank"]:
            return False
        if abs(row["share_kg"] - round(row["kg"] * 0.985, 2)) > 0.004:
            return False
        total[row["lot_id"]] = total.get(row["lot_id"], 0) + row["kg"]
    return all(kilos <= fit[lot_id] + 0.004 for lot_id, kilos in total.items())


def guard_changes_only_the_status_of_these_lots(world, p):
    """Changed no row but the status of these lots, and deleted none."""
    fit = _fit(world, p)
    for change in world.changes:
        if change["after"] is None:
            return False
        if change["before"] is None:
            continue
        before, after = change["before"], change["after"]
        if change["table"] != "lots" or before["id"] not in fit:
            return False
        if any(before[name] != after[name] for name in before if name != "status"):
            return False
    return True
