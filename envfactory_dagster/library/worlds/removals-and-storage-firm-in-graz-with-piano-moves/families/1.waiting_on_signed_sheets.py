import datetime

HOMES = (
    "Grillparzerstraße 30",
    "Hochsteingasse 6",
    "Kreuzgasse 48",
    "Liebenauer Hauptstraße 80",
    "Messendorfberg 12",
    "Parkstraße 7",
    "Quellengasse 16",
    "Reiterweg 5",
    "Schanzelgasse 44",
    "Theodor-Storm-Straße 21",
    "Vinzenzgasse 9",
    "Waagner-Biro-Straße 63",
)


def _shift(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _minutes(start, end):
    return int((datetime.datetime.fromisoformat(end) - datetime.datetime.fromisoformat(start)).total_seconds()) // 60


def _stamp(day, minutes):
    return (datetime.datetime.fromisoformat(day + "T00:00:00") + datetime.timedelta(minutes=minutes)).isoformat()


def instances(world, rng):
    """A stretch of time with at least three signed sheets, some waiting beyond the free time and one longest day."""
    tops = world.one(
        "SELECT (SELECT max(id) FROM removals) AS r, (SELECT max(id) FROM removal_addresses) AS a,"
        " (SELECT max(id) FROM work_sheets) AS w"
    )
    used = {row["removal_day"] for row in world.query("SELECT DISTINCT removal_day FROM removals")}
    names = {row["id"]: row["name"] for row in world.query("SELECT id, name FROM crew_members WHERE is_leader = 1")}
    past = world.query(
        "SELECT r.removal_day, w.crew_leader_id, w.started_at, w.ended_at, w.break_minutes, w.waiting_from, w.waiting_to,"
        " w.free_waiting_minutes, w.is_signed FROM work_sheets w JOIN removals r ON r.id = w.removal_id"
        " WHERE r.customer_id = 1 AND r.status IN ('carried_out', 'invoiced')"
    )
    for _ in range(500):
        first = _shift(world.clock, -rng.randint(45, 75))
        last = _shift(world.clock, -rng.randint(2, 15))
        given = {"removals": [], "removal_addresses": [], "work_sheets": []}
        sheets = [row for row in past if first <= row["removal_day"] <= last]
        days = [d for d in (_shift(world.clock, -n) for n in range(1, 80)) if d not in used]
        for number, day in enumerate(sorted(rng.sample(days, rng.randint(7, 12)))):
            removal = tops["r"] + 1 + number
            price = rng.randint(70, 290) * 1000
            leader = rng.choice(sorted(names))
            given["removals"].append(
                {
                    "id": removal,
                    "code": f"U-2025-{800 + number:04d}",
                    "customer_id": 1,
                    "removal_day": day,
                    "volume_m3": float(rng.randint(6, 28)),
                    "price_cents": price,
                    "is_fixed_price": 1,
                    "deposit_cents": price * 3 // 10,
                    "deposit_paid_on": _shift(day, -14),
                    "insured_value_cents": 1500000,
                    "premium_per_thousand_cents": 300,
                    "crew_leader_id": leader,
                    "vehicle_id": rng.randint(1, 4),
                    "status": "carried_out",
                    "date_changes": 0,
                    "requested_at": _shift(day, -30) + "T16:00:00",
                    "confirmed_at": _shift(day, -18) + "T08:00:00",
                }
            )
            for stop, street in zip(("from", "to"), rng.sample(HOMES, 2)):
                given["removal_addresses"].append(
                    {
                        "id": tops["a"] + 1 + len(given["removal_addresses"]),
                        "removal_id": removal,
                        "stop": stop,
                        "street": street,
                        "town": "Graz",
                        "floor": rng.randint(0, 3),
                        "has_lift": rng.randint(0, 1),
                    }
                )
            if rng.random() < 0.15:
                continue
            start = rng.choice((420, 450, 480))
            end = start + rng.randint(60, 144) * 5
            waits = rng.random() < 0.6
            begin = start + rng.randint(6, 20) * 5
            row = {
                "id": tops["w"] + 1 + len(given["work_sheets"]),
                "removal_id": removal,
                "crew_leader_id": leader,
                "men": rng.randint(2, 5),
                "started_at": _stamp(day, start),
                "ended_at": _stamp(day, end),
                "break_minutes": rng.choice((0, 30, 45)),
                "waiting_from": _stamp(day, begin) if waits else None,
                "waiting_to": _stamp(day, begin + rng.randint(5, 30) * 5) if waits else None,
                "free_waiting_minutes": 60,
                "is_signed": 1 if rng.random() < 0.7 else 0,
            }
            given["work_sheets"].append(row)
            if first <= day <= last:
                sheets.append({**row, "removal_day": day})
        signed = [row for row in sheets if row["is_signed"]]
        if len(signed) < 3 or len(signed) == len(sheets):
            continue
        waiting = 0
        for row in signed:
            if row["waiting_from"] is not None:
                waiting += max(0, _minutes(row["waiting_from"], row["waiting_to"]) - row["free_waiting_minutes"])
        worked = [_minutes(row["started_at"], row["ended_at"]) - row["break_minutes"] for row in signed]
        if waiting == 0 or worked.count(max(worked)) > 1:
            continue
        longest = signed[worked.index(max(worked))]
        yield {
            "p": {
                "first": first,
                "last": last,
                "waiting": waiting,
                "longest": longest["removal_day"],
                "leader": names[longest["crew_leader_id"]],
            },
            "given": given,
        }


def solve(tools, p):
    waiting = 0
    best = None
    for status in ("carried_out", "invoiced"):
        for removal in tools.list_removals(status=status, first_day=p["first"], last_day=p["last"])["removals"]:
            try:
                sheet = tools.get_work_sheet(removal_id=removal["removal_id"])
            except tools.Error:
                continue
            if not sheet["is_signed"]:
                continue
            if sheet["waiting_from"] is not None:
                beyond = _minutes(sheet["waiting_from"], sheet["waiting_to"]) - sheet["free_waiting_minutes"]
                waiting += max(0, beyond)
            worked = _minutes(sheet["started_at"], sheet["ended_at"]) - sheet["break_minutes"]
            if best is None or worked > best[0]:
                best = (worked, removal["removal_day"], sheet["crew_leader"])
    return {
        "outcome": "done",
        "answers": {"waiting_beyond_free": waiting, "longest_day": best[1], "crew_leader": best[2]},
        "reason": None,
        "message": f"Beyond the free time they waited {waiting} minutes altogether; the longest working day was {best[1]},"
        f" led by {best[2]}.",
    }


def goal_says_the_waiting(world, p):
    """Says the waiting beyond the free time on all signed sheets together."""
    return world.report.says("waiting_beyond_free", p["waiting"])


def goal_says_the_longest_day(world, p):
    """Says on which day the crew worked longest."""
    return world.report.says("longest_day", p["longest"])


def goal_says_who_led_the_crew(world, p):
    """Says who led the crew on that day."""
    return world.report.says("crew_leader", p["leader"])


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return world.changes == []


def guard_reports_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
