import datetime

NAMES = (
    "Alessia Conti", "Samuele Fabbri", "Chiara Bandini", "Federico Neri", "Sara Ricci", "Matteo Galli", "Elena Casadei", "Tommaso Valli", "Giulia Montanari", "Simone Drei",
    "Francesca Lama", "Nicolò Zoli", "Irene Savini", "Davide Alpi", "Beatrice Zama", "Michele Ceroni", "Valeria Spada", "Enea Merendi", "Anna Gatti", "Riccardo Dalmonte",
)


def instances(world, rng):
    """Employees old and new and a relative on the user's papers, of whom the new ones have to go, but for one."""
    today = datetime.date.fromisoformat(world.clock[:10])
    there = world.query("SELECT name, tie, from_on, status FROM helpers WHERE trader_id = 1 ORDER BY id")
    last = world.one("SELECT max(id) AS n FROM helpers")["n"]
    for _ in range(600):
        since = (today - datetime.timedelta(days=rng.randint(60, 320))).replace(day=1)
        names = rng.sample([n for n in NAMES if n not in [t["name"] for t in there]], 6)
        going = rng.choice((3, 3, 4))
        helpers = []
        room = (today - since).days
        for n, name in enumerate(names[:going + 2]):
            if n < going:
                tie, from_on = "employee", since + datetime.timedelta(days=rng.choice((0, rng.randint(1, room - 3))))
            elif n == going:
                tie, from_on = "employee", since - datetime.timedelta(days=rng.choice((1, rng.randint(20, 700))))
            else:
                tie, from_on = "family", since + datetime.timedelta(days=rng.randint(1, room - 3))
            helpers.append({"id": last + 1 + n, "trader_id": 1, "name": name, "tie": tie, "from_on": from_on.isoformat(), "status": "on_papers"})
        new = [h["name"] for h in helpers if h["tie"] == "employee" and h["from_on"] >= since.isoformat()]
        new += [t["name"] for t in there if t["tie"] == "employee" and t["status"] == "on_papers" and t["from_on"] >= since.isoformat()]
        stay = rng.choice(new)
        off = sorted(n for n in new if n != stay)
        if not 3 <= len(off) <= 4 and not (len(off) == 2 and going == 3):
            continue
        if len(off) < 3:
            continue
        rng.shuffle(helpers)
        for n, h in enumerate(helpers):
            h["id"] = last + 1 + n
        yield {"p": {"since": since.isoformat(), "stay": stay, "off": off, "today": today.isoformat()}, "given": {"helpers": helpers}}


def solve(tools, p):
    off = []
    for helper in tools.get_my_details()["helpers"]:
        if helper["status"] == "on_papers" and helper["tie"] == "employee" and helper["from_on"] >= p["since"] and helper["name"] != p["stay"]:
            tools.remove_helper(helper_id=helper["id"])
            off.append(helper["name"])
    return {
        "outcome": "done",
        "answers": {"taken_off": off},
        "reason": None,
        "message": f"{', '.join(off)} are no longer on your papers.",
    }


def _going(world, p):
    rows = world.initial.query("SELECT id, name, from_on FROM helpers WHERE trader_id = 1 AND tie = 'employee' AND status = 'on_papers' AND from_on >= ? ORDER BY name", [p["since"]])
    return [r for r in rows if r["name"] != p["stay"]]


def goal_new_employees_are_off(world, p):
    """The employees who came from that day on are off the papers."""
    return all(
        world.final.one("SELECT status, until_on FROM helpers WHERE id = ?", [r["id"]]) == {"status": "removed", "until_on": max(p["today"], r["from_on"])}
        for r in _going(world, p)
    )


def goal_says_who_is_off(world, p):
    """Says who has been taken off."""
    return world.report.says("taken_off", [r["name"] for r in _going(world, p)])


def guard_touches_nobody_else(world, p):
    """Changed nothing but the end of these helpers."""
    going = [r["id"] for r in _going(world, p)]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "helpers" or before is None or after is None or before["id"] not in going:
            return False
        if not {c for c in before if before[c] != after[c]} <= {"status", "until_on"}:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
