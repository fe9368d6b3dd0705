import datetime

NAMES = (
    "Ashes of the Guild", "Bramble Road", "The Crooked Inn", "Dunes of Wadi", "Elder Tree", "Five Locks", "Gull Rock",
    "Hunters' Moon", "Isle of Looms", "Kestrel and Crown",
)


def _waiting(world, p):
    """The user's waiting holds, with whether they are to be cancelled."""
    return world.initial.query(
        "SELECT c.id, a.name, (a.name <> ? AND substr(c.placed_at, 1, 10) >= ? AND (SELECT count(*) FROM holds z WHERE z.title_id = c.title_id"
        " AND z.status = 'waiting' AND z.member_id <> 1) >= ?) AS drop_it"
        " FROM holds c JOIN titles a ON a.id = c.title_id WHERE c.member_id = 1 AND c.status = 'waiting' ORDER BY c.placed_at, c.id",
        [p["title"], p["day"], p["others"]],
    )


def instances(world, rng):
    """Waiting holds of the user on titles that many or few others wait for too, some of them placed long ago."""
    top = world.one(
        "SELECT (SELECT max(id) FROM titles) AS a, (SELECT max(id) FROM copies) AS b, (SELECT max(id) FROM holds) AS c,"
        " (SELECT max(id) FROM loans) AS d"
    )
    here = world.query(
        "SELECT a.name, substr(c.placed_at, 1, 10) AS day, (SELECT count(*) FROM holds z WHERE z.status = 'waiting'"
        " AND z.title_id = c.title_id AND z.member_id > 1) AS others FROM holds c JOIN titles a ON a.id = c.title_id"
        " WHERE c.status = 'waiting' AND c.member_id = 1"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    crowd = [row["id"] for row in world.query("SELECT x.id FROM members x WHERE x.id >= 2 ORDER BY x.id")]
    for _ in range(600):
        titles, copies, loans, holds = [], [], [], []
        facts = [(r["name"], r["day"], r["others"]) for r in here]
        for n, name in enumerate(rng.sample(NAMES, rng.randint(3, 5)), 1):
            members = rng.sample(crowd, len(crowd))
            start = today - datetime.timedelta(days=rng.randint(12, 18))
            titles.append({"id": top["a"] + n, "name": name, "kind": "board_game", "piece_count": rng.randint(60, 220)})
            copies.append(
                {"id": top["b"] + n, "title_id": top["a"] + n, "label": f"H{n}-{rng.randint(100, 999)}", "status": "lendable"}
            )
            loans.append({
                "id": top["d"] + n, "member_id": members.pop(), "copy_id": top["b"] + n, "status": "out",
                "borrowed_at": start.isoformat() + "T19:20:00", "due_day": (start + datetime.timedelta(days=21)).isoformat(),
                "renewals": 0, "returned_at": None, "returned_short": None,
            })
            placed = today - datetime.timedelta(days=rng.randint(1, 11))
            waiting = [1] + members[: rng.choice((0, 1, 2, 2, 3, 3, 4))]
            for member in waiting:
                day = placed if member == 1 else today - datetime.timedelta(days=rng.randint(1, 11))
                holds.append({
                    "id": top["c"] + 1 + len(holds), "member_id": member, "title_id": top["a"] + n, "copy_id": None,
                    "status": "waiting", "placed_at": day.isoformat() + f"T{rng.randint(10, 21)}:{rng.randint(10, 59)}:00",
                    "ready_at": None, "collected_at": None, "expired_at": None, "cancelled_at": None,
                })
            facts.append((name, placed.isoformat(), len(waiting) - 1))
        others = rng.randint(2, 3)
        day = (today - datetime.timedelta(days=rng.randint(3, 9))).isoformat()
        gone = [f for f in facts if f[2] >= others and f[1] >= day]
        old = [f for f in facts if f[2] >= others and f[1] < day]
        if len(gone) < 2 or not old or len({f[0] for f in facts}) < len(facts):
            continue
        given = {"titles": titles, "copies": copies, "loans": loans, "holds": holds}
        yield {"p": {"others": others, "day": day, "title": rng.choice(gone)[0]}, "given": given}


def solve(tools, p):
    gone, kept = [], []
    for hold in tools.list_my_holds(status="waiting")["holds"]:
        others = tools.get_title(title_id=hold["title_id"])["waiting_holds"] - 1
        if hold["title_name"] != p["title"] and others >= p["others"] and hold["placed_at"][:10] >= p["day"]:
            gone.append(tools.cancel_hold(hold_id=hold["id"])["hold"]["title_name"])
        else:
            kept.append(hold["title_name"])
    return {
        "outcome": "done",
        "answers": {"cancelled": gone, "still_waiting": kept},
        "reason": None,
        "message": f"I cancelled your reservations of {', '.join(gone)}; you are still waiting for {', '.join(kept)}.",
    }


def goal_cancelled_all_that_fit(world, p):
    """Every waiting hold of the user that many others wait for too and that isn't old is cancelled, but the one to be kept."""
    gone = [row for row in _waiting(world, p) if row["drop_it"]]
    for row in gone:
        now = world.final.one("SELECT c.status, c.cancelled_at FROM holds c WHERE c.id = ?", [row["id"]])
        if now is None or now["status"] != "cancelled" or now["cancelled_at"] is None:
            return False
    return len(gone) > 0


def goal_says_cancelled(world, p):
    """Names the titles whose hold was cancelled."""
    return world.report.says("cancelled", [row["name"] for row in _waiting(world, p) if row["drop_it"]])


def goal_says_still_waiting(world, p):
    """Names the titles the user is still waiting for."""
    return world.report.says("still_waiting", [row["name"] for row in _waiting(world, p) if not row["drop_it"]])


def guard_cancels_no_other_hold(world, p):
    """Changed nothing but those holds, from waiting to cancelled."""
    gone = {row["id"] for row in _waiting(world, p) if row["drop_it"]}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "holds" or before is None or after is None or after["id"] not in gone:
            return False
        if after["status"] != "cancelled" or after["cancelled_at"] is None:
            return False
        if any(before[c] != after[c] for c in before if c not in ("status", "cancelled_at")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a reason for declining."""
    return world.report.outcome in (None, "done") and world.report.reason is None
