SPOTS = (
    "Podblica, beech clearing", "Rovte, behind the chapel", "Njivica, old quarry", "Lajše, sheepfold",
    "Topolje, above the weir", "Studor, lime avenue", "Kališe, ridge road", "Zabrekve, orchard wall", "Smoleva, forest edge",
)


def instances(world, rng):
    """More apiaries of the user, several without their count of this spring."""
    year = int(world.clock[:4])
    spring, autumn = "%d-04-15" % year, "%d-10-31" % (year - 1)
    if world.clock[:10] < spring:
        return
    last = world.one(
        "SELECT (SELECT MAX(id) FROM apiaries) AS apiaries, (SELECT MAX(id) FROM hive_counts) AS counts", []
    )
    missing = world.one(
        "SELECT COUNT(*) AS n FROM apiaries a WHERE a.member_id = 1 AND NOT EXISTS"
        " (SELECT 1 FROM hive_counts h WHERE h.apiary_id = a.id AND h.counted_on = ?)",
        [spring],
    )["n"]
    for attempt in range(4000):
        if missing:
            return
        spots = rng.sample(SPOTS, rng.randint(4, 9))
        least = rng.randint(4, 9)
        loss = rng.randint(1, 4)
        apiaries, counts = [], []
        large = small = 0
        for number, spot in enumerate(spots):
            apiary_id = last["apiaries"] + number + 1
            apiaries.append(
                {
                    "id": apiary_id,
                    "member_id": 1,
                    "register_no": "AP-4%04d" % (number + 1),
                    "place": spot,
                    "lat": 46.31 + number / 200,
                    "lon": 14.45 + number / 200,
                    "migratory": 0,
                }
            )
            hives = rng.randint(3, 14)
            counted = [(autumn, hives)]
            if rng.random() < 0.25:
                counted.append((spring, max(1, hives - rng.randint(0, 3))))
            elif hives >= least:
                large += 1
            else:
                small += 1
            for day, value in counted:
                counts.append(
                    {
                        "id": last["counts"] + len(counts) + 1,
                        "apiary_id": apiary_id,
                        "counted_on": day,
                        "hives": value,
                    }
                )
        if large < 2 or small < 1 or least < loss:
            continue
        yield {
            "p": {"day": spring, "least": least, "loss": loss, "year": str(year)},
            "given": {"apiaries": apiaries, "hive_counts": counts},
        }


def solve(tools, p):
    me = tools.get_own_membership()["member_no"]
    for apiary in tools.getMember(memberNo=me)["apiaries"]:
        if apiary["counted_on"] is None or apiary["counted_on"] >= p["day"] or apiary["hives"] < p["least"]:
            continue
        tools.reportHiveCount(apiaryId=apiary["register_no"], countedOn=p["day"], hives=apiary["hives"] - p["loss"])
    after = tools.getMember(memberNo=me)
    return {
        "outcome": "done",
        "answers": {"hives": after["counted_hives"], "half_days_left": after["half_days_left"]},
        "reason": None,
        "message": (
            f"The counts are entered: you have {after['counted_hives']} hives by the last counts, "
            f"and {after['half_days_left']} half-days are left until the end of August."
        ),
    }


def _counts(world, p):
    """The last count of each apiary of the user, and the counts that had to be entered, by the id of the apiary."""
    rows = world.initial.query(
        "SELECT h.apiary_id, h.counted_on, h.hives FROM hive_counts h JOIN apiaries a ON a.id = h.apiary_id"
        " WHERE a.member_id = 1 ORDER BY h.apiary_id, h.counted_on",
        [],
    )
    latest = {}
    for row in rows:
        latest[row["apiary_id"]] = (row["counted_on"], row["hives"])
    wanted = {}
    for apiary_id, (day, hives) in latest.items():
        if day < p["day"] and hives >= p["least"]:
            wanted[apiary_id] = hives - p["loss"]
    return latest, wanted


def _total(world, p):
    latest, wanted = _counts(world, p)
    return sum(wanted.get(apiary_id, hives) for apiary_id, (day, hives) in latest.items())


def goal_enters_each_missing_count(world, p):
    """Every apiary that lacks the count and was large enough has it now, less by what was lost."""
    for apiary_id, hives in _counts(world, p)[1].items():
        row = world.final.one(
            "SELECT hives FROM hive_counts WHERE apiary_id = ? AND counted_on = ?", [apiary_id, p["day"]]
        )
        if row is None or row["hives"] != hives:
            return False
    return True


def goal_says_how_many_hives(world, p):
    """Says how many hives there are by the last counts."""
    return world.report.says("hives", _total(world, p))


def goal_says_how_many_half_days_are_left(world, p):
    """Says how many half-days are left until the end of August."""
    used = world.initial.one(
        "SELECT COUNT(*) AS used FROM bookings b, half_days d WHERE d.id = b.half_day_id AND b.member_id = 1"
        " AND b.status NOT IN ('lapsed', 'cancelled') AND d.held_on BETWEEN ? AND ?",
        [p["year"] + "-05-20", p["year"] + "-08-31"],
    )["used"]
    return world.report.says("half_days_left", max(0, min(5, (_total(world, p) + 11) // 12) - used))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_enters_nothing_else(world, p):
    """Changed nothing but the wanted counts, each entered once with its right number."""
    wanted = _counts(world, p)[1]
    for change in world.changes:
        row = change["after"]
        if change["table"] != "hive_counts" or change["before"] is not None:
            return False
        if row["apiary_id"] not in wanted or row["counted_on"] != p["day"] or row["hives"] != wanted[row["apiary_id"]]:
            return False
    return True
