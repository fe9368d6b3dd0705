import datetime

SOURCE_TYPES = ("parish_register", "ship_list", "census", "civil_register", "other")
OLD_REGIONS = ("Kujawy", "Posen", "Bukovina", "Jutland", "Telemark", "Halland", "Moravia", "Masuria")


def _workdays(first, last):
    days = []
    day = first
    while day <= last:
        if day.weekday() < 5:
            days.append(day)
        day += datetime.timedelta(days=1)
    return days


def instances(world, rng):
    """Two open searches of the user, and hours of budget to be moved from one to the other; some more than is allowed."""
    rows = world.query(
        "SELECT c.id, c.surname, c.budget_hours AS budget, c.status, c.started_at,"
        " (SELECT coalesce(sum(t.hours), 0) FROM time_entries t WHERE t.commission_id = c.id) AS worked"
        " FROM commissions c WHERE c.client_id = 1 AND c.status IN ('requested', 'active', 'paused') ORDER BY c.id"
    )
    if len(rows) != 2 or rows[0]["surname"] == rows[1]["surname"]:
        return
    top = world.one(
        "SELECT (SELECT max(id) FROM time_entries) AS entry, (SELECT max(id) FROM commissions) AS commission"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    for _ in range(600):
        given = {}
        worked = {row["id"]: row["worked"] for row in rows}
        giver, taker = rng.sample(rows, 2)
        if rng.random() < 0.4:
            # an old search of the same name, which has ended and is not meant
            asked = datetime.date(2021, 2, 1) + datetime.timedelta(days=rng.randrange(900))
            begun = asked + datetime.timedelta(days=rng.randrange(5, 15))
            ended = begun + datetime.timedelta(days=rng.randrange(60, 150))
            given["commissions"] = [{
                "id": top["commission"] + 1,
                "client_id": 1,
                "surname": rng.choice([giver, taker])["surname"],
                "region": rng.choice(OLD_REGIONS),
                "budget_hours": float(rng.randrange(14, 31)),
                "status": "completed",
                "requested_at": f"{asked.isoformat()}T11:{rng.randrange(10, 60)}:00",
                "started_at": f"{begun.isoformat()}T09:{rng.randrange(10, 60)}:00",
                "paused_at": None,
                "consented_at": None,
                "completed_at": f"{ended.isoformat()}T15:{rng.randrange(10, 60)}:00",
                "cancelled_at": None,
            }]
        entries = []
        number = top["entry"]
        if "commissions" in given:
            old = given["commissions"][0]
            first = datetime.date.fromisoformat(old["started_at"][:10])
            last = datetime.date.fromisoformat(old["completed_at"][:10])
            for day in sorted(rng.sample(_workdays(first, last), rng.randrange(1, 4))):
                number += 1
                entries.append({
                    "id": number,
                    "commission_id": old["id"],
                    "worked_on": day.isoformat(),
                    "source_type": rng.choice(SOURCE_TYPES),
                    "hours": rng.choice([1.5, 2.0, 2.5, 3.0]),
                })
        for row in rows:
            if row["status"] != "active":
                continue
            days = _workdays(datetime.date.fromisoformat(row["started_at"][:10]), today - datetime.timedelta(days=1))
            if not days:
                continue
            for day in sorted(rng.sample(days, min(len(days), rng.randrange(0, 4)))):
                hours = rng.choice([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0])
                if worked[row["id"]] + hours < 0.8 * row["budget"]:
                    number += 1
                    worked[row["id"]] += hours
                    entries.append({
                        "id": number,
                        "commission_id": row["id"],
                        "worked_on": day.isoformat(),
                        "source_type": rng.choice(SOURCE_TYPES),
                        "hours": hours,
                    })
        if entries:
            given["time_entries"] = entries
        most = min(giver["budget"] - worked[giver["id"]] - 2, 60 - taker["budget"])
        allowed = rng.random() < 0.55
        if allowed:
            if most < 2:
                continue
            hours = 2 + 0.5 * rng.randrange(0, int((most - 2) / 0.5) + 1)
        else:
            hours = max(2, most) + 0.5 * rng.randrange(1, 13)
        hours = int(hours) if hours == int(hours) else hours
        floor_kept = giver["budget"] - hours >= worked[giver["id"]] + 2
        if (floor_kept and taker["budget"] + hours <= 60) != allowed:
            continue
        giver_left = giver["budget"] - hours - worked[giver["id"]]
        taker_left = taker["budget"] + hours - worked[taker["id"]]
        if giver_left == taker_left:
            continue
        instance = {
            "p": {
                "giver": giver["surname"],
                "taker": taker["surname"],
                "hours": hours,
                "giver_id": giver["id"],
                "taker_id": taker["id"],
            },
            "kind": "action" if allowed else "refusal",
            "rule": None if allowed else "budget_floor_and_ceiling",
        }
        if given:
            instance["given"] = given
        yield instance


def solve(tools, p):
    found = {}
    for commission in tools.list_my_commissions()["commissions"]:
        if commission["status"] in ("requested", "active", "paused"):
            if commission["surname"] in (p["giver"], p["taker"]):
                found[commission["surname"]] = tools.get_commission(commission_id=commission["id"])
    giver = found[p["giver"]]
    taker = found[p["taker"]]
    less = giver["budget_hours"] - p["hours"]
    more = taker["budget_hours"] + p["hours"]
    if less < giver["worked_hours"] + 2 or more > 60 or less < 2:
        return {
            "outcome": "refused",
            "answers": {"giver_hours_left": None, "taker_hours_left": None},
            "reason": "budget_floor_and_ceiling",
            "message": (
                f"I moved nothing: the budget of the {p['giver']} search may not go below the hours worked on it plus 2"
                f" hours, and that of the {p['taker']} search may not go above 60 hours."
            ),
        }
    tools.set_commission_budget(commission_id=giver["id"], budget_hours=less)
    tools.set_commission_budget(commission_id=taker["id"], budget_hours=more)
    giver_left = less - giver["worked_hours"]
    taker_left = more - taker["worked_hours"]
    return {
        "outcome": "done",
        "answers": {"giver_hours_left": giver_left, "taker_hours_left": taker_left},
        "reason": None,
        "message": (
            f"I moved {p['hours']} hours. The {p['giver']} search now has {giver_left:g} hours left and the"
            f" {p['taker']} search {taker_left:g} hours."
        ),
    }


def _plan(world, p):
    rows = {}
    for key in ("giver_id", "taker_id"):
        rows[key] = world.initial.one(
            "SELECT c.budget_hours AS budget, (SELECT coalesce(sum(e.hours), 0) FROM time_entries e"
            " WHERE e.commission_id = c.id) AS worked FROM commissions c WHERE c.id = ?",
            [p[key]],
        )
    less = rows["giver_id"]["budget"] - p["hours"]
    more = rows["taker_id"]["budget"] + p["hours"]
    return {
        "allowed": less >= rows["giver_id"]["worked"] + 2 and more <= 60 and more >= rows["taker_id"]["worked"] + 2,
        "less": less,
        "more": more,
        "giver_left": less - rows["giver_id"]["worked"],
        "taker_left": more - rows["taker_id"]["worked"],
    }


def _budget(world, commission_id):
    return world.final.one("SELECT budget_hours FROM commissions WHERE id = ?", [commission_id])["budget_hours"]


def goal_takes_the_hours_from_the_giver(world, p):
    """The first search has so many hours of budget less, or the whole move was refused and its budget is as it was."""
    plan = _plan(world, p)
    if not plan["allowed"]:
        return world.report.outcome == "refused" and not world.changes
    return abs(_budget(world, p["giver_id"]) - plan["less"]) < 0.001


def goal_gives_the_hours_to_the_taker(world, p):
    """The second search has so many hours of budget more, or the whole move was refused and its budget is as it was."""
    plan = _plan(world, p)
    if not plan["allowed"]:
        return world.report.outcome == "refused" and not world.changes
    return abs(_budget(world, p["taker_id"]) - plan["more"]) < 0.001


def goal_says_what_the_giver_has_left(world, p):
    """Says how many hours the first search has left, and nothing where the move was refused."""
    plan = _plan(world, p)
    return bool(world.report.says("giver_hours_left", plan["giver_left"] if plan["allowed"] else None))


def goal_says_what_the_taker_has_left(world, p):
    """Says how many hours the second search has left, and nothing where the move was refused."""
    plan = _plan(world, p)
    return bool(world.report.says("taker_hours_left", plan["taker_left"] if plan["allowed"] else None))


def guard_changes_only_the_two_budgets(world, p):
    """Changed nothing but the budgets of the two searches, and nothing at all where the rule forbids the move."""
    if not _plan(world, p)["allowed"]:
        return len(world.changes) == 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "commissions" or before is None or after is None:
            return False
        if before["id"] not in (p["giver_id"], p["taker_id"]):
            return False
        if any(before[name] != after[name] for name in before if name != "budget_hours"):
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that it is refused where the rule forbids it."""
    return world.report.outcome in (None, "done" if _plan(world, p)["allowed"] else "refused")


def guard_gives_the_right_reason(world, p):
    """Gives the rule as the reason where the move is refused, and no reason otherwise."""
    if _plan(world, p)["allowed"]:
        return world.report.reason is None
    return world.report.reason in (None, "budget_floor_and_ceiling")
