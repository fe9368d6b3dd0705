import datetime

OWN_NAMES = ("Sildra", "Vesla", "Gullmåken", "Fjordrosa", "Blåtind", "Havørna", "Stjerna", "Kvikk", "Solvår", "Brimnes")
OTHER_NAMES = ("Anne Lise", "Bris", "Dyningen", "Elfrid", "Fralda", "Gjøken", "Hjelmen", "Inger", "Jolla", "Krabben")
HOURS = ("05:40", "06:25", "07:10", "08:35", "09:50", "11:15", "12:40", "13:30", "14:20", "15:05")


def _plus(text, days):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _later(moment, **span):
    return (datetime.datetime.fromisoformat(moment[:19]) + datetime.timedelta(**span)).isoformat()


def _suitable(windows, boat, earliest, deadline):
    """The windows in which the boat can be lifted in time, the latest last."""
    if boat["weight_kg"] > 6500:
        return []
    good = [
        w
        for w in windows
        if w["starts_at"] >= earliest
        and w["starts_at"][:10] <= deadline
        and w["lifts"] < 4
        and w["water_depth_cm"] >= boat["draught_cm"] + 20
    ]
    return sorted(good, key=lambda w: w["starts_at"])


def instances(world, rng):
    """A boat in the water, a day before which it has to be ashore, and windows that are full, shallow or both."""
    today = world.clock[:10]
    earliest = _later(world.clock, hours=24)
    boats = world.query(
        "SELECT b.id, b.name, b.draught_cm, b.weight_kg FROM boats b WHERE b.boat_owner_id = 1"
        " AND NOT EXISTS (SELECT 1 FROM crane_lifts c WHERE c.boat_id = b.id AND c.status = 'booked')"
        " AND NOT EXISTS (SELECT 1 FROM shed_places s WHERE s.boat_id = b.id AND s.status = 'occupied') ORDER BY b.id"
    )
    windows = world.query(
        "SELECT t.id, t.starts_at, t.water_depth_cm, (SELECT count(*) FROM crane_lifts c WHERE c.tide_window_id = t.id"
        " AND c.status = 'booked') AS lifts FROM tide_windows t ORDER BY t.starts_at"
    )
    owners = [row["id"] for row in world.query("SELECT id FROM boat_owners WHERE id BETWEEN 2 AND 9 ORDER BY id")]
    taken = {w["starts_at"][:10] for w in windows}
    aims = ("plain", "passed", "passed", "passed", "refused", "heavy", "refused")
    done, refused = 0, 0
    for turn in range(6000):
        aim = aims[turn % len(aims)]
        if aim in ("refused", "heavy") and refused * 3 > done:
            continue
        boat = {
            "id": 5101,
            "boat_owner_id": 1,
            "name": rng.choice(OWN_NAMES),
            "length_cm": rng.randrange(640, 900, 10),
            "beam_cm": rng.randrange(220, 300, 5),
            "draught_cm": rng.randrange(80, 195, 5),
            "weight_kg": rng.randrange(2000, 6300, 100),
        }
        if aim == "heavy":
            boat["weight_kg"] = rng.randrange(6600, 8200, 100)
            boat["draught_cm"] = rng.randrange(120, 170, 5)
        is_new = aim == "heavy" or not boats or rng.random() < 0.6
        if not is_new:
            boat = rng.choice(boats)
        crew = [
            {
                "id": 5001 + i,
                "boat_owner_id": rng.choice(owners),
                "name": OTHER_NAMES[i],
                "length_cm": rng.randrange(480, 620, 10),
                "beam_cm": rng.randrange(180, 220, 5),
                "draught_cm": rng.randrange(40, 60, 5),
                "weight_kg": rng.randrange(500, 2200, 50),
            }
            for i in range(len(OTHER_NAMES))
        ]
        more, lifts = [], []
        days = [_plus(today, n) for n in range(2, 36)]
        days = [day for day in days if day not in taken]
        rng.shuffle(days)
        for i, day in enumerate(sorted(days[: rng.randint(4, 7)])):
            starts = f"{day}T{rng.choice(HOURS)}:00"
            window = {
                "id": 5001 + i,
                "starts_at": starts,
                "ends_at": _later(starts, minutes=rng.choice((130, 140, 150))),
                "water_depth_cm": rng.randrange(85, 235, 5),
            }
            riders = rng.sample(crew, rng.choice((0, 1, 2, 3, 4, 4, 4)))
            for rider in riders:
                lifts.append(
                    {
                        "id": 5001 + len(lifts),
                        "boat_id": rider["id"],
                        "tide_window_id": window["id"],
                        "direction": "into_water" if today[5:] < "07-01" else "out_of_water",
                        "status": "booked",
                        "booked_at": f"{_plus(today, -rng.randint(1, 18))}T{rng.randint(8, 20):02d}:45:00",
                        "cancelled_at": None,
                    }
                )
            more.append((window, len(riders)))
        days_before = rng.randint(2, 10)
        deadline = _plus(today, rng.randint(4, 34))
        visit = _plus(deadline, days_before)
        every = windows + [
            {"id": w["id"], "starts_at": w["starts_at"], "water_depth_cm": w["water_depth_cm"], "lifts": n} for w, n in more
        ]
        coming = sorted(
            (w for w in every if w["starts_at"] > world.clock and w["starts_at"][:10] <= deadline), key=lambda w: w["starts_at"]
        )
        good = _suitable(every, boat, earliest, deadline)
        if len(coming) < 2:
            continue
        if aim in ("plain", "passed"):
            if not good or (good[-1]["starts_at"] == coming[-1]["starts_at"]) != (aim == "plain"):
                continue
        elif good:
            continue
        used = {lift["boat_id"] for lift in lifts}
        given = {
            "boats": [b for b in crew if b["id"] in used] + ([boat] if is_new else []),
            "tide_windows": [w for w, _ in more],
            "crane_lifts": lifts,
        }
        task = {
            "p": {
                "today": today,
                "boat": boat["name"],
                "visit": visit,
                "days": days_before,
                "boat_id": boat["id"],
                "deadline": deadline,
                "earliest": earliest,
            },
            "given": {table: rows for table, rows in given.items() if rows},
        }
        if not good:
            task["kind"] = "refusal"
            task["rule"] = "crane_limits"
            refused += 1
        else:
            done += 1
        yield task


def solve(tools, p):
    deadline = _plus(p["visit"], -p["days"])
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == p["boat"])
    mine = {lift["tide_window_id"] for lift in tools.list_my_crane_lifts(boat_id=boat["id"], status="booked")["crane_lifts"]}
    windows = tools.search_tide_windows(
        first_day=p["today"], last_day=deadline, min_water_depth_cm=boat["draught_cm"] + 20, max_booked_lifts=3
    )["tide_windows"]
    lift = None
    if boat["weight_kg"] <= 6500:
        for window in sorted(windows, key=lambda w: w["starts_at"], reverse=True):
            if window["id"] in mine:
                continue
            try:
                lift = tools.book_crane_lift(boat_id=boat["id"], tide_window_id=window["id"], direction="out_of_water")["crane_lift"]
                break
            except tools.Error:
                continue
    if lift is None:
        return {
            "outcome": "refused",
            "answers": {"lift_day": None, "lift_time": None},
            "reason": "crane_limits",
            "message": f"The {p['boat']} can't be lifted in any tide window until {deadline}, so nothing was booked.",
        }
    return {
        "outcome": "done",
        "answers": {"lift_day": lift["starts_at"][:10], "lift_time": lift["starts_at"][11:16]},
        "reason": None,
        "message": f"The {p['boat']} is lifted out on {lift['starts_at'][:10]}; the tide window starts at {lift['starts_at'][11:16]}.",
    }


def _right(world, p):
    boat = world.initial.one("SELECT draught_cm, weight_kg FROM boats WHERE id = ?", [p["boat_id"]])
    windows = world.initial.query(
        "SELECT w.id, w.starts_at, w.water_depth_cm, (SELECT count(*) FROM crane_lifts k WHERE k.tide_window_id = w.id"
        " AND k.status = 'booked') AS lifts FROM tide_windows w"
    )
    good = _suitable(windows, boat, p["earliest"], p["deadline"])
    return good[-1] if good else None


def _is_the_lift(world, p, row):
    right = _right(world, p)
    return (
        right is not None
        and row["boat_id"] == p["boat_id"]
        and row["tide_window_id"] == right["id"]
        and row["direction"] == "out_of_water"
        and row["status"] == "booked"
        and row["cancelled_at"] is None
    )


def goal_has_the_lift_or_declines(world, p):
    """Booked the lift out of the water in the latest window that will do, or declined where none will."""
    if _right(world, p) is None:
        return world.report.outcome == "refused" and not world.changes
    new = [c["after"] for c in world.changes if c["table"] == "crane_lifts" and c["before"] is None]
    return len(new) == 1 and _is_the_lift(world, p, new[0])


def goal_says_day_of_lift(world, p):
    """Says on which day the lift is, or nothing if there is none."""
    right = _right(world, p)
    return world.report.outcome is not None and world.report.says("lift_day", right["starts_at"][:10] if right else None)


def goal_says_time_of_lift(world, p):
    """Says at what time the tide window starts, or nothing if there is no lift."""
    right = _right(world, p)
    return world.report.outcome is not None and world.report.says("lift_time", right["starts_at"][11:16] if right else None)


def guard_adds_that_lift_only(world, p):
    """Changed nothing but one new crane lift, the right one."""
    return len(world.changes) <= 1 and all(
        c["table"] == "crane_lifts" and c["before"] is None and _is_the_lift(world, p, c["after"]) for c in world.changes
    )


def guard_reports_the_outcome(world, p):
    """Reports it as done, or as refused by the limits of the crane where no window will do."""
    if world.report.outcome is None:
        return True
    if _right(world, p) is None:
        return world.report.outcome == "refused" and world.report.reason == "crane_limits"
    return world.report.outcome == "done" and world.report.reason is None
