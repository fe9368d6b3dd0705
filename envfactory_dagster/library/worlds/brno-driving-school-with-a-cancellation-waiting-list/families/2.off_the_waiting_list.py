import datetime


def _running(world):
    return world.query(
        "SELECT id, from_on, until_on, status FROM waiting_list_entries WHERE pupil_id = 1 AND status IN ('waiting', 'offered')"
        " ORDER BY from_on, id"
    )


def instances(world, rng):
    """Some more entries on the waiting list, and a period that holds some of them whole and cuts none."""
    top = world.one("SELECT MAX(id) AS id FROM waiting_list_entries")["id"]
    standing = _running(world)
    today = datetime.date.fromisoformat(world.clock[:10])
    now = datetime.datetime.fromisoformat(world.clock)
    while True:
        given = []
        for number in range(rng.choice([1, 2, 2, 3, 3])):
            start = today + datetime.timedelta(days=rng.randrange(2, 34))
            end = start + datetime.timedelta(days=rng.choice([0, 1, 2, 4, 5]))
            if start.weekday() == 6 or end.weekday() == 6:
                continue
            given.append({
                "id": top + 1 + len(given), "pupil_id": 1, "kind": rng.choice(["ordinary", "ordinary", "dark"]),
                "from_on": start.isoformat(), "until_on": end.isoformat(),
                "asked_at": (now - datetime.timedelta(days=rng.randrange(1, 6), minutes=rng.randrange(10, 300))).isoformat(timespec="seconds"),
                "status": "waiting",
            })
        entries = [(row["id"], row["from_on"], row["until_on"]) for row in standing] + [
            (row["id"], row["from_on"], row["until_on"]) for row in given]
        if len({entry[1] for entry in entries}) < len(entries):
            continue
        first = (today + datetime.timedelta(days=rng.randrange(1, 26))).isoformat()
        last = (datetime.date.fromisoformat(first) + datetime.timedelta(days=rng.randrange(3, 22))).isoformat()
        inside = [entry for entry in entries if first <= entry[1] and entry[2] <= last]
        cut = [entry for entry in entries if entry not in inside and entry[1] <= last and entry[2] >= first]
        left = [entry for entry in entries if entry not in inside]
        if cut or len(inside) < 2 or not left:
            continue
        yield {
            "p": {"first": first, "last": last, "inside": [entry[0] for entry in inside], "left": sorted(entry[1] for entry in left)},
            "given": {"waiting_list_entries": given},
        }


def solve(tools, p):
    entries = tools.list_waiting_list_entries()["waiting_list_entries"]
    offers = tools.list_lesson_offers(status="open")["lesson_offers"]
    left = []
    for entry in entries:
        if entry["status"] not in ("waiting", "offered"):
            continue
        if entry["from_on"] < p["first"] or entry["until_on"] > p["last"]:
            left.append(entry["from_on"])
            continue
        for offer in offers:
            if offer["waiting_list_entry_id"] == entry["id"]:
                tools.decline_lesson_offer(lesson_offer_id=offer["id"])
        tools.leave_waiting_list(waiting_list_entry_id=entry["id"])
    left = sorted(left)
    return {
        "outcome": "done",
        "answers": {"still_waiting_from": left},
        "reason": None,
        "message": f"You are off the waiting list for those days. What is left begins on {', '.join(left)}.",
    }


def goal_is_off_the_list(world, p):
    """Every entry of the period is withdrawn."""
    return all(
        world.final.one("SELECT status FROM waiting_list_entries WHERE id = ?", [entry])["status"] == "withdrawn"
        for entry in p["inside"])


def goal_says_what_is_left(world, p):
    """Says on which days the remaining entries begin."""
    return world.report.says("still_waiting_from", p["left"])


def guard_touches_only_these_entries(world, p):
    """Touches only the entries of the period and the open offers made for them."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        changed = {name for name in before if before[name] != after[name]}
        if change["table"] == "waiting_list_entries" and before["id"] in p["inside"] and changed <= {"status"}:
            continue
        if change["table"] == "lesson_offers" and before["waiting_list_entry_id"] in p["inside"] and before["status"] == "open" and (
            after["status"] == "declined" and changed <= {"status", "answered_at"}
        ):
            continue
        return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
