import datetime


def _shift(day, count):
    """The day so many days after a day."""
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=count)).isoformat()


def instances(world, rng):
    """Poured lots of the user in a stretch of days, some in the protected tanks and some in T4."""
    sessions = world.query(
        "SELECT b.id, d.held_on, d.half FROM bookings b JOIN half_days d ON d.id = b.half_day_id"
        " WHERE b.member_id = 1 AND b.status = 'extracted' ORDER BY d.held_on, b.id",
        [],
    )
    tanks = world.query(
        "SELECT id, honey_type, max_moisture_percent, capacity_kg, is_protected, last_lye_wash, settled_at FROM tanks"
        " WHERE honey_type IS NOT NULL ORDER BY id",
        [],
    )
    standing = {
        t["id"]: world.one(
            "SELECT (SELECT COALESCE(SUM(p.share_kg), 0) FROM pours p WHERE p.tank_id = :tank)"
            " - (SELECT COALESCE(SUM(d.kg), 0) FROM draw_offs d WHERE d.tank_id = :tank) AS kg",
            {"tank": t["id"]},
        )["kg"]
        for t in tanks
    }
    top = world.one(
        "SELECT (SELECT MAX(id) FROM lots) AS lots, (SELECT MAX(id) FROM moisture_readings) AS readings,"
        " (SELECT MAX(id) FROM pours) AS pours",
        [],
    )
    old = world.query(
        "SELECT l.id, l.extracted_on, l.honey_type, AVG(r.percent) AS mean FROM lots l"
        " JOIN moisture_readings r ON r.lot_id = l.id WHERE l.member_id = 1 AND l.status = 'poured'"
        " GROUP BY l.id ORDER BY l.id",
        [],
    )
    places = []
    for s in sessions:
        poured_at = s["held_on"] + "T20:50:00"
        for t in tanks:
            if poured_at[:10] >= t["last_lye_wash"] and (t["settled_at"] is None or poured_at < t["settled_at"]):
                places.append((s, t, poured_at))
    for attempt in range(4000):
        if not places:
            return
        lots, readings, pours = [], [], []
        room = {t["id"]: t["capacity_kg"] - standing[t["id"]] for t in tanks}
        means = [(o["extracted_on"], round(o["mean"], 2), o["honey_type"]) for o in old]
        for number in range(rng.randint(6, 12)):
            s, t, poured_at = rng.choice(places)
            tenths = rng.randint(40, 160)
            if tenths / 10 > room[t["id"]] - 1:
                continue
            limit = int(round(t["max_moisture_percent"] * 10))
            one = rng.randint(163, limit - 2)
            two = one + rng.choice((-3, -2, -1, 0, 1, 2))
            lot_id = top["lots"] + len(lots) + 1
            lots.append(
                {
                    "id": lot_id,
                    "lot_code": "LOT-4%04d" % (number + 1),
                    "member_id": 1,
                    "booking_id": s["id"],
                    "honey_type": t["honey_type"],
                    "net_kg": tenths / 10,
                    "extracted_on": s["held_on"],
                    "untreated_declared": 1,
                    "status": "poured",
                }
            )
            for place, value in enumerate((one, two)):
                readings.append(
                    {
                        "id": top["readings"] + len(readings) + 1,
                        "lot_id": lot_id,
                        "reading_no": place + 1,
                        "percent": value / 10,
                        "honey_temp_c": 24.0 + place / 2,
                        "refractometer": "R1" if place == 0 else "R2",
                        "read_at": s["held_on"] + ("T20:%02d:00" % (10 + 20 * place)),
                    }
                )
            pours.append(
                {
                    "id": top["pours"] + len(pours) + 1,
                    "tank_id": t["id"],
                    "lot_id": lot_id,
                    "kg": tenths / 10,
                    "share_kg": round(tenths / 10 * 0.985, 2),
                    "poured_at": poured_at,
                }
            )
            room[t["id"]] -= tenths / 10
            means.append((s["held_on"], round((one + two) / 20, 2), t["honey_type"]))
        days = sorted({s["held_on"] for s in sessions})
        first, last = sorted(rng.sample(days, 2)) if len(days) > 1 else (days[0], days[0])
        first, last = _shift(first, -rng.randint(0, 2)), min(_shift(last, rng.randint(0, 2)), world.clock[:10])
        inside = sorted((m for m in means if first <= m[0] <= last), key=lambda m: m[1])
        if len(inside) < 4 or inside[0][1] == inside[1][1]:
            continue
        in_range = {lot["id"]: lot for lot in lots if first <= lot["extracted_on"] <= last}
        before = world.query(
            "SELECT p.kg, t.is_protected FROM pours p JOIN lots l ON l.id = p.lot_id JOIN tanks t ON t.id = p.tank_id"
            " WHERE l.member_id = 1 AND l.extracted_on >= ? AND l.extracted_on <= ?",
            [first, last],
        )
        guarded = {t["id"]: t["is_protected"] for t in tanks}
        before += [{"kg": p["kg"], "is_protected": guarded[p["tank_id"]]} for p in pours if p["lot_id"] in in_range]
        protected = round(sum(b["kg"] for b in before if b["is_protected"]), 2)
        other = round(sum(b["kg"] for b in before if not b["is_protected"]), 2)
        if protected == 0 or other == 0 or protected == other:
            continue
        yield {
            "p": {"first": first, "last": last},
            "given": {"lots": lots, "moisture_readings": readings, "pours": pours},
        }


def solve(tools, p):
    guarded = {t["tank_no"]: t["is_protected"] for t in tools.listTanks()["tanks"]}
    protected = 0
    other = 0
    seen = []
    for lot in tools.list_lots(status="poured")["lots"]:
        if p["first"] <= lot["extracted_on"] <= p["last"]:
            full = tools.getLot(lotCode=lot["lot_code"])
            seen.append(full)
            for pour in full["pours"]:
                if guarded[pour["tank_no"]]:
                    protected += pour["kg"]
                else:
                    other += pour["kg"]
    driest = min(seen, key=lambda l: l["mean_percent"])
    protected = round(protected, 2)
    other = round(other, 2)
    return {
        "outcome": "done",
        "answers": {
            "protected_kilos": protected,
            "other_kilos": other,
            "driest_honey": driest["honey_type"],
            "driest_mean": driest["mean_percent"],
        },
        "reason": None,
        "message": (
            f"{protected} kg went into the protected tanks and {other} kg into T4; the driest lot was "
            f"{driest['honey_type']} with a mean of {driest['mean_percent']} %."
        ),
    }


def _kilos(world, p, guarded):
    """Kilos of these lots that were poured into protected tanks, or into others."""
    row = world.initial.one(
        "SELECT COALESCE(SUM(x.kg), 0) AS kg FROM pours x JOIN tanks t ON t.id = x.tank_id JOIN lots l ON l.id = x.lot_id"
        " WHERE l.member_id = 1 AND l.status = 'poured' AND l.extracted_on >= :first AND l.extracted_on <= :last"
        " AND t.is_protected = :guarded",
        {"first": p["first"], "last": p["last"], "guarded": guarded},
    )
    return round(row["kg"], 2)


def _driest(world, p):
    """The lot with the lowest mean among them."""
    return world.initial.one(
        "SELECT l.honey_type, ROUND(AVG(r.percent), 2) AS mean FROM lots l JOIN moisture_readings r ON r.lot_id = l.id"
        " WHERE l.member_id = 1 AND l.status = 'poured' AND l.extracted_on >= ? AND l.extracted_on <= ?"
        " GROUP BY l.id ORDER BY mean, l.id LIMIT 1",
        [p["first"], p["last"]],
    )


def goal_says_kilos_in_protected_tanks(world, p):
    """Says how many kilos of these lots went into the protected tanks."""
    return world.report.says("protected_kilos", _kilos(world, p, 1))


def goal_says_kilos_in_the_other_tank(world, p):
    """Says how many kilos of these lots went into T4."""
    return world.report.says("other_kilos", _kilos(world, p, 0))


def goal_says_which_honey_was_driest(world, p):
    """Says which honey the driest of these lots was."""
    return world.report.says("driest_honey", _driest(world, p)["honey_type"])


def goal_says_the_mean_of_the_driest(world, p):
    """Says the mean of the driest lot."""
    return world.report.says("driest_mean", _driest(world, p)["mean"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return not world.changes
