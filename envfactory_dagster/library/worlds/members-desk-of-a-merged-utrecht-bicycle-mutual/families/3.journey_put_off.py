import datetime

LANDS = ("Italy", "France", "Denmark", "Austria", "Switzerland", "Norway", "Sweden", "Slovenia", "Croatia", "Spain")


def _overlap(one, other):
    return one[0] <= other[1] and other[0] <= one[1]


def _notice(row_id, bicycle_id, land, span, filed_at, withdrawn_at=None):
    return {
        "id": row_id,
        "bicycle_id": bicycle_id,
        "countries": land,
        "area": "elsewhere",
        "starts_on": span[0],
        "ends_on": span[1],
        "filed_at": filed_at,
        "withdrawn_at": withdrawn_at,
    }


def instances(world, rng):
    """Two or three riders with a notice each for one journey, and some other notices around it."""
    today = datetime.date.fromisoformat(world.clock[:10])
    year = world.clock[:4]
    fleet = world.query(
        "SELECT b.id, b.rider_name FROM bicycles b JOIN covers c ON c.bicycle_id = b.id AND c.kind = b.kind"
        " JOIN policies p ON p.id = b.policy_id WHERE p.member_id = 1 AND c.ends_on IS NULL"
        " AND b.id NOT IN (SELECT y.bicycle_id FROM covers y JOIN claims x ON x.cover_id = y.id"
        " WHERE x.kind = 'theft') ORDER BY b.rider_name, b.id"
    )
    known = world.query(
        "SELECT b.rider_name, t.bicycle_id, t.area, t.starts_on, t.ends_on FROM travel_notices t"
        " JOIN bicycles b ON b.id = t.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = 1 AND t.withdrawn_at IS NULL ORDER BY t.id"
    )
    fresh = world.one("SELECT max(t.id) + 1 AS fresh FROM travel_notices t")["fresh"]
    riders = sorted({row["rider_name"] for row in fleet})
    if len(riders) < 2:
        return
    while True:
        country = rng.choice(LANDS)
        old = today + datetime.timedelta(days=rng.randint(40, 110))
        length = rng.randint(6, 18)
        old_end = old + datetime.timedelta(days=length - 1)
        first = old + datetime.timedelta(days=rng.choice((7, 14, 21, 28)))
        last = first + datetime.timedelta(days=length - 1 + rng.choice((-2, -1, 0, 0, 2)))
        if last.isoformat()[:4] != year or last <= first or last.month > 10:
            continue
        before, after = (old.isoformat(), old_end.isoformat()), (first.isoformat(), last.isoformat())
        going = rng.sample(riders, rng.randint(2, min(3, len(riders))))
        team = [rng.choice([row for row in fleet if row["rider_name"] == rider]) for rider in going]
        rows, busy, used = [], {}, {}
        for notice in known:
            busy.setdefault(notice["rider_name"], []).append((notice["starts_on"], notice["ends_on"]))
            if notice["area"] == "elsewhere" and notice["starts_on"][:4] == year:
                days = datetime.date.fromisoformat(notice["ends_on"]) - datetime.date.fromisoformat(notice["starts_on"])
                used[notice["bicycle_id"]] = used.get(notice["bicycle_id"], 0) + days.days + 1
        if any(_overlap(s, o) for rider in going for o in busy.get(rider, []) for s in (before, after)):
            continue
        if any(used.get(row["id"], 0) + length + 3 > 60 for row in team):
            continue
        filed = (today - datetime.timedelta(days=rng.randint(5, 30))).isoformat()

        for minute, row in enumerate(team):
            rows.append(_notice(fresh + len(rows), row["id"], country, before, f"{filed}T20:{10 + minute}:00"))
        rest = [row for row in fleet if row["id"] not in [member["id"] for member in team]]
        if rest and rng.random() < 0.6:
            other = rng.choice(rest)
            gone = (datetime.date.fromisoformat(filed) + datetime.timedelta(days=2)).isoformat() + "T08:40:00"
            rows.append(_notice(fresh + len(rows), other["id"], country, before, filed + "T20:30:00", gone))
        later = last + datetime.timedelta(days=rng.randint(9, 20))
        later_end = later + datetime.timedelta(days=4)
        mate = rng.choice(team)
        span = (later.isoformat(), later_end.isoformat())
        if span[1][:4] == year and not any(_overlap(span, o) for o in busy.get(mate["rider_name"], [])):
            land = country if rng.random() < 0.5 else rng.choice([name for name in LANDS if name != country])
            rows.append(_notice(fresh + len(rows), mate["id"], land, span, filed + "T20:45:00"))
        yield {
            "p": {"country": country, "old": before[0], "first": after[0], "last": after[1]},
            "given": {"travel_notices": rows},
        }


def solve(tools, p):
    names = {b["id"]: f"{b['make']} {b['model']}" for b in tools.list_bicycles()["bicycles"]}
    moved = []
    for notice in tools.list_travel_notices()["travel_notices"]:
        if notice["withdrawn_at"] or notice["starts_on"] != p["old"] or p["country"] not in notice["countries"]:
            continue
        tools.withdraw_travel_notice(travel_notice_id=notice["id"])
        tools.give_travel_notice(
            bicycle_id=notice["bicycle_id"], countries=[p["country"]], starts_on=p["first"], ends_on=p["last"]
        )
        moved.append(names[notice["bicycle_id"]])
    return {
        "outcome": "done",
        "answers": {"bicycles": moved},
        "reason": None,
        "message": f"The journey is changed to the new dates for: {', '.join(moved)}.",
    }


def _old(world, p):
    """The live notices of the journey that is put off."""
    return world.initial.query(
        "SELECT t.id, t.bicycle_id, b.make || ' ' || b.model AS name FROM travel_notices t"
        " JOIN bicycles b ON b.id = t.bicycle_id JOIN policies p ON p.id = b.policy_id WHERE p.member_id = 1"
        " AND t.withdrawn_at IS NULL AND t.starts_on = ? AND same_text(t.countries, ?) ORDER BY t.id",
        [p["old"], p["country"]],
    )


def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "travel_notices" and c["before"] is None]


def goal_old_notices_are_withdrawn(world, p):
    """Every notice of the journey on its old days is withdrawn."""
    for notice in _old(world, p):
        row = world.final.one("SELECT t.withdrawn_at FROM travel_notices t WHERE t.id = ?", [notice["id"]])
        if row["withdrawn_at"] is None:
            return False
    return True


def goal_new_notices_are_given(world, p):
    """Every bicycle of the journey has one new notice for the new days."""
    for notice in _old(world, p):
        rows = [row for row in _new(world) if row["bicycle_id"] == notice["bicycle_id"]]
        if len(rows) != 1 or rows[0]["starts_on"] != p["first"] or rows[0]["ends_on"] != p["last"]:
            return False
        if rows[0]["area"] != "elsewhere" or rows[0]["withdrawn_at"] is not None:
            return False
        if not world.same_text(rows[0]["countries"], p["country"]):
            return False
    return True


def goal_says_which_bicycles(world, p):
    """Says for which bicycles the journey was put off."""
    return world.report.says("bicycles", [notice["name"] for notice in _old(world, p)])


def guard_changes_these_notices_only(world, p):
    """Changed nothing but the withdrawal of these notices and one new notice for each of these bicycles."""
    old = [notice["id"] for notice in _old(world, p)]
    bicycles = [notice["bicycle_id"] for notice in _old(world, p)]
    new = [row["bicycle_id"] for row in _new(world)]
    if len(set(new)) != len(new) or any(bicycle not in bicycles for bicycle in new):
        return False
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "travel_notices" or after is None:
            return False
        if before is None:
            continue
        if before["id"] not in old or any(after[c] != before[c] for c in before if c != "withdrawn_at"):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
