import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
OTHER_NAMES = ("Anne Lise", "Bris", "Dyningen", "Elfrid", "Fralda", "Gjøken", "Hjelmen", "Inger", "Jolla", "Krabben")
HOURS = ("05:40", "06:25", "07:10", "08:35", "09:50", "11:15", "12:40", "13:30", "14:20", "15:05")


def _plus(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _plan(lifts, windows, p):
    """For every lift of the user in these days the window to move it to, or None where it is to be cancelled."""
    moves, demand = {}, {}
    for lift in lifts:
        if lift["status"] != "booked" or not p["first"] <= lift["starts_at"][:10] <= p["last"]:
            continue
        target = None
        for window in sorted(windows, key=lambda w: w["starts_at"]):
            if not p["last"] < window["starts_at"][:10] <= p["limit"]:
                continue
            if window["lifts"] >= 4 or window["water_depth_cm"] < lift["draught_cm"] + 20:
                continue
            if any(o["boat_id"] == lift["boat_id"] and o["tide_window_id"] == window["id"] and o["status"] != "cancelled" for o in lifts):
                continue
            target = window
            break
        moves[lift["id"]] = target
        if target:
            demand[target["id"]] = demand.get(target["id"], 0) + 1
    crowded = any(demand.get(w["id"], 0) + w["lifts"] > 4 for w in windows)
    return {"moves": moves, "crowded": crowded}


def _told(plan):
    targets = [window for window in plan["moves"].values() if window]
    return {
        "moved": len(targets),
        "cancelled": len(plan["moves"]) - len(targets),
        "last_day": max(window["starts_at"][:10] for window in targets) if targets else None,
    }


def instances(world, rng):
    """Some days on which lifts of the user's boats are booked, and later windows with and without room and water."""
    today = world.clock[:10]
    mine = world.query(
        "SELECT c.id, c.boat_id, c.tide_window_id, c.status, t.starts_at, b.draught_cm FROM crane_lifts c"
        " JOIN boats b ON b.id = c.boat_id JOIN tide_windows t ON t.id = c.tide_window_id WHERE b.boat_owner_id = 1 ORDER BY c.id"
    )
    windows = world.query(
        "SELECT t.id, t.starts_at, t.water_depth_cm, (SELECT count(*) FROM crane_lifts c WHERE c.status = 'booked'"
        " AND c.tide_window_id = t.id) AS lifts FROM tide_windows t ORDER BY t.id"
    )
    owners = [row["id"] for row in world.query("SELECT o.id FROM boat_owners o WHERE o.id <> 1 ORDER BY o.name")]
    days_taken = {w["starts_at"][:10] for w in windows}
    whole, partly = 0, 0
    for _ in range(6000):
        first = _plus(today, rng.randint(2, 16))
        last = _plus(first, rng.randint(4, 14))
        limit = _plus(last, rng.randint(4, 16))
        p = {"first": first, "last": last, "limit": limit}
        crew = [
            {
                "id": 5101 + i,
                "boat_owner_id": rng.choice(owners),
                "name": OTHER_NAMES[i],
                "length_cm": rng.randrange(480, 620, 10),
                "beam_cm": rng.randrange(180, 220, 5),
                "draught_cm": rng.randrange(40, 60, 5),
                "weight_kg": rng.randrange(500, 2200, 50),
            }
            for i in range(len(OTHER_NAMES))
        ]
        own = []
        for i, name in enumerate(rng.sample(OWN_NAMES, rng.randint(2, 4))):
            length = rng.randrange(560, 880, 10)
            own.append(
                {
                    "id": 5001 + i,
                    "boat_owner_id": 1,
                    "name": name,
                    "length_cm": length,
                    "beam_cm": length // 15 * 5,
                    "draught_cm": rng.randrange(60, 190, 5),
                    "weight_kg": rng.randrange(1000, 6400, 100),
                }
            )
        days = [d for d in (_plus(today, n) for n in range(2, 44)) if d not in days_taken]
        rng.shuffle(days)
        more, lifts = [], []
        for i, day in enumerate(sorted(days[: rng.randint(6, 9)])):
            starts = f"{day}T{rng.choice(HOURS)}:00"
            ends = datetime.datetime.fromisoformat(starts) + datetime.timedelta(minutes=rng.choice((130, 140, 150)))
            window = {"id": 5001 + i, "starts_at": starts, "ends_at": ends.isoformat(), "water_depth_cm": rng.randrange(90, 240, 5)}
            riders = rng.sample(crew, rng.choice((0, 1, 2, 3, 4, 4)) if day > last else rng.randint(0, 2))
            more.append((window, riders))
            for rider in riders:
                lifts.append((rider["id"], window["id"]))
        every = [dict(w) for w in windows] + [
            {"id": w["id"], "starts_at": w["starts_at"], "water_depth_cm": w["water_depth_cm"], "lifts": len(riders)}
            for w, riders in more
        ]
        ours = list(mine)
        for boat in own:
            fit = [w for w in every if w["starts_at"][:10] >= _plus(today, 2) and w["lifts"] < 4 and w["water_depth_cm"] >= boat["draught_cm"] + 20]
            inside = [w for w in fit if first <= w["starts_at"][:10] <= last]
            if not fit:
                continue
            window = rng.choice(inside if inside and rng.random() < 0.85 else fit)
            window["lifts"] += 1
            lifts.append((boat["id"], window["id"]))
            ours.append(
                {
                    "id": 5000 + len(lifts),
                    "boat_id": boat["id"],
                    "tide_window_id": window["id"],
                    "status": "booked",
                    "starts_at": window["starts_at"],
                    "draught_cm": boat["draught_cm"],
                }
            )
        plan = _plan(ours, every, p)
        told = _told(plan)
        if plan["crowded"] or len(plan["moves"]) < 2 or not told["moved"]:
            continue
        if told["cancelled"]:
            partly += 1
        elif whole > partly + 3:
            continue
        else:
            whole += 1
        used = {boat for boat, _ in lifts}
        rows = [
            {
                "id": 5001 + i,
                "boat_id": boat,
                "tide_window_id": window,
                "direction": "into_water" if today[5:] < "07-01" else "out_of_water",
                "status": "booked",
                "booked_at": f"{_plus(today, -rng.randint(1, 18))}T{rng.randint(8, 20):02d}:45:00",
                "cancelled_at": None,
            }
            for i, (boat, window) in enumerate(lifts)
        ]
        given = {"boats": [b for b in crew + own if b["id"] in used], "tide_windows": [w for w, _ in more], "crane_lifts": rows}
        yield {"p": p, "given": given}


def solve(tools, p):
    draughts = {boat["id"]: boat["draught_cm"] for boat in tools.list_my_boats()["boats"]}
    lifts = tools.list_my_crane_lifts()["crane_lifts"]
    moved, cancelled = [], 0
    for lift in lifts:
        if lift["status"] != "booked" or not p["first"] <= lift["starts_at"][:10] <= p["last"]:
            continue
        mine = {o["tide_window_id"] for o in lifts if o["boat_id"] == lift["boat_id"] and o["status"] != "cancelled"}
        windows = tools.search_tide_windows(
            first_day=_plus(p["last"], 1),
            last_day=p["limit"],
            min_water_depth_cm=draughts[lift["boat_id"]] + 20,
            max_booked_lifts=3,
        )["tide_windows"]
        windows = sorted((w for w in windows if w["id"] not in mine), key=lambda w: w["starts_at"])
        if windows:
            tools.move_crane_lift(crane_lift_id=lift["id"], tide_window_id=windows[0]["id"])
            moved.append(windows[0]["starts_at"][:10])
        else:
            tools.cancel_crane_lift(crane_lift_id=lift["id"])
            cancelled += 1
    return {
        "outcome": "done",
        "answers": {"moved": len(moved), "cancelled": cancelled, "last_day": max(moved) if moved else None},
        "reason": None,
        "message": f"{len(moved)} lifts are moved, the last of them to {max(moved, default='no day')}, and {cancelled} are cancelled.",
    }


def _right(world, p):
    lifts = world.initial.query(
        "SELECT k.id, k.boat_id, k.tide_window_id, k.status, w.starts_at, o.draught_cm FROM crane_lifts k"
        " JOIN tide_windows w ON w.id = k.tide_window_id JOIN boats o ON o.id = k.boat_id WHERE o.boat_owner_id = 1"
    )
    windows = world.initial.query(
        "SELECT w.id, w.starts_at, w.water_depth_cm, (SELECT count(*) FROM crane_lifts k WHERE k.tide_window_id = w.id"
        " AND k.status = 'booked') AS lifts FROM tide_windows w WHERE w.starts_at > ?",
        [p["first"]],
    )
    return _plan(lifts, windows, p)


def _is_right(before, after, target):
    if target:
        return after["status"] == "booked" and after["tide_window_id"] == target["id"]
    return after["status"] == "cancelled" and after["tide_window_id"] == before["tide_window_id"]


def goal_moves_or_cancels_all_of_these_days(world, p):
    """Moved every lift of these days to the earliest window that will do, and cancelled those without one."""
    moves = _right(world, p)["moves"]
    changed = {c["before"]["id"]: c for c in world.changes if c["table"] == "crane_lifts" and c["before"] and c["after"]}
    return all(i in changed and _is_right(changed[i]["before"], changed[i]["after"], moves[i]) for i in moves)


def goal_says_how_many_are_moved(world, p):
    """Says how many lifts were moved."""
    return world.report.says("moved", _told(_right(world, p))["moved"])


def goal_says_how_many_are_cancelled(world, p):
    """Says how many lifts were cancelled."""
    return world.report.says("cancelled", _told(_right(world, p))["cancelled"])


def goal_says_the_last_day(world, p):
    """Says on which day the latest of the moved lifts is now."""
    return world.report.says("last_day", _told(_right(world, p))["last_day"])


def guard_changes_no_other_lift(world, p):
    """Changed nothing but the window of the lifts to be moved and the state of those to be cancelled."""
    moves = _right(world, p)["moves"]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "crane_lifts" or before is None or after is None or before["id"] not in moves:
            return False
        free = ("tide_window_id",) if moves[before["id"]] else ("status", "cancelled_at")
        if any(before[k] != after[k] for k in before if k not in free):
            return False
        if not _is_right(before, after, moves[before["id"]]):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
