import datetime
import re

CAUSES = (
    "Climber hanging in the rope",
    "Walkers caught by the dark",
    "Knee injury on the descent",
    "Party out of contact",
    "Cries for help heard",
    "Slip on snow",
)


def _at(text):
    return datetime.datetime.fromisoformat(text[:19])


def _outings(db, p):
    return db.query(
        "SELECT c.id AS callout_id, a.member_id AS member_id, m.name AS name,"
        " a.sent_out_at AS sent_out_at, a.back_at AS back_at"
        " FROM callouts c JOIN callout_assignments a ON a.callout_id = c.id AND a.sent_out_at IS NOT NULL"
        " JOIN members m ON m.id = a.member_id"
        " WHERE c.status = 'closed' AND substr(c.opened_at, 1, 10) BETWEEN ? AND ? ORDER BY a.id",
        [p["first"], p["last"]],
    )


def _result(rows):
    counts = {}
    for row in rows:
        if row["member_id"] != 1:
            counts[row["name"]] = counts.get(row["name"], 0) + 1
    best = max(counts.values())
    names = [name for name, count in counts.items() if count == best]
    theirs = [row for row in rows if row["name"] == names[0] and row["member_id"] != 1]
    minutes = sum(int((_at(row["back_at"]) - _at(row["sent_out_at"])).total_seconds() // 60) for row in theirs)
    callouts = {row["callout_id"] for row in theirs}
    together = sum(row["member_id"] == 1 and row["callout_id"] in callouts for row in rows)
    return {"names": names, "count": best, "minutes": minutes, "together": together}


def instances(world, rng):
    """A span of days with closed callouts in which one of the others was sent out more often than anybody else."""
    today = _at(world.clock).date()
    tops = world.one(
        "SELECT (SELECT max(c.id) FROM callouts c) AS callout, (SELECT max(a.id) FROM callout_assignments a) AS person,"
        " (SELECT max(l.id) FROM log_entries l) AS entry"
    )
    known = sorted(row["code"] for row in world.query("SELECT c.code AS code FROM callouts c"))
    prefix, digits = re.fullmatch(r"(.*?)(\d+)", known[-1]).groups()
    busy = set()
    for row in world.query("SELECT c.opened_at AS opened_at, c.closed_at AS closed_at FROM callouts c"):
        busy.add(row["opened_at"][:10])
        busy.add((row["closed_at"] or row["opened_at"])[:10])
    for row in world.query("SELECT d.starts_at AS starts_at, d.ends_at AS ends_at FROM duty_shifts d"):
        busy.add(row["starts_at"][:10])
        busy.add(row["ends_at"][:10])
    for row in world.query("SELECT e.starts_at AS starts_at FROM exercises e"):
        busy.add(row["starts_at"][:10])
    sectors = [row["id"] for row in world.query("SELECT s.id AS id FROM sectors s ORDER BY s.name")]
    people = world.query("SELECT m.id AS id, m.name AS name FROM members m WHERE m.id <> 1 ORDER BY m.name")
    for _ in range(600):
        last = today - datetime.timedelta(days=rng.randint(1, 25))
        first = last - datetime.timedelta(days=rng.randint(30, 110))
        days = [first + datetime.timedelta(days=n) for n in range(-12, (last - first).days + 20)]
        days = [day for day in days if day < today and day.isoformat() not in busy]
        count = rng.randint(3, 6)
        if len(days) < count:
            continue
        pool = rng.sample(people, 5)
        given = {"callouts": [], "callout_assignments": [], "log_entries": []}
        rows = _outings(world, {"first": first.isoformat(), "last": last.isoformat()})
        for number, day in enumerate(sorted(rng.sample(days, count)), 1):
            midnight = datetime.datetime.combine(day, datetime.time())
            opened = midnight + datetime.timedelta(minutes=rng.randrange(300, 1000, 5))
            down = opened + datetime.timedelta(minutes=rng.randrange(140, 260, 5))
            callout_id = tops["callout"] + number
            party = rng.sample(pool, rng.randint(2, 4))
            party = [(person["id"], person["name"], "back") for person in party]
            if rng.random() < 0.6:
                party.append((1, "", rng.choice(("back", "back", "back", "not_coming"))))
            stay = [person for person in pool if person["id"] not in [entry[0] for entry in party]]
            if stay and rng.random() < 0.5:
                party.append((stay[0]["id"], stay[0]["name"], rng.choice(("coming", "not_coming"))))
            entries, closed = [], down
            for place, (member, name, status) in enumerate(party):
                answered = opened + datetime.timedelta(minutes=4 + place)
                out = opened + datetime.timedelta(minutes=rng.randrange(20, 60, 5))
                back = down + datetime.timedelta(minutes=rng.randrange(10, 70, 5))
                went = status == "back"
                given["callout_assignments"].append({
                    "id": tops["person"] + len(given["callout_assignments"]) + 1,
                    "callout_id": callout_id,
                    "member_id": member,
                    "status": status,
                    "answered_at": answered.isoformat(),
                    "sent_out_at": out.isoformat() if went else None,
                    "back_at": back.isoformat() if went else None,
                })
                entries.append((answered.isoformat(), member, "answer"))
                if went:
                    entries.append((out.isoformat(), member, "sent_out"))
                    entries.append((back.isoformat(), member, "back"))
                    closed = max(closed, back)
                    if first <= day <= last:
                        rows.append({
                            "callout_id": callout_id,
                            "member_id": member,
                            "name": name,
                            "sent_out_at": out.isoformat(),
                            "back_at": back.isoformat(),
                        })
            for moment, member, kind in sorted(entries):
                given["log_entries"].append({
                    "id": tops["entry"] + len(given["log_entries"]) + 1,
                    "callout_id": callout_id,
                    "member_id": member,
                    "kind": kind,
                    "happened_at": moment,
                    "logged_at": moment,
                    "note": None,
                })
            given["callouts"].append({
                "id": callout_id,
                "code": prefix + str(int(digits) + number).zfill(len(digits)),
                "sector_id": rng.choice(sectors),
                "reason": rng.choice(CAUSES),
                "status": "closed",
                "opened_at": opened.isoformat(),
                "stood_down_at": down.isoformat(),
                "closed_at": (closed + datetime.timedelta(minutes=10)).isoformat(),
            })
        if len({row["callout_id"] for row in rows}) < 3:
            continue
        result = _result(rows)
        if len(result["names"]) == 1 and result["count"] >= 2:
            yield {"p": {"first": first.isoformat(), "last": last.isoformat()}, "given": given}


def solve(tools, p):
    counts, minutes, together = {}, {}, {}
    for callout in tools.search_callouts(status="closed", first_day=p["first"], last_day=p["last"])["callouts"]:
        party = [
            a for a in tools.get_callout(callout_id=callout["id"])["callout_assignments"] if a["sent_out_at"] is not None
        ]
        with_me = any(a["is_mine"] for a in party)
        for a in party:
            if a["is_mine"]:
                continue
            name = a["member_name"]
            counts[name] = counts.get(name, 0) + 1
            length = _at(a["back_at"]) - _at(a["sent_out_at"])
            minutes[name] = minutes.get(name, 0) + int(length.total_seconds() // 60)
            together[name] = together.get(name, 0) + (1 if with_me else 0)
    best = max(counts, key=counts.get)
    return {
        "outcome": "done",
        "answers": {
            "member": best,
            "callouts": counts[best],
            "time_out": minutes[best],
            "with_me": together[best],
        },
        "reason": None,
        "message": (
            f"{best} was sent out most often: number of callouts {counts[best]}, time out {minutes[best]} minutes"
            f" altogether, together with you on {together[best]} of them."
        ),
    }


def goal_says_who(world, p):
    """Says which of the other members was sent out most often."""
    return world.report.says("member", _result(_outings(world.initial, p))["names"][0])


def goal_says_how_often(world, p):
    """Says on how many callouts that member was sent out."""
    return world.report.says("callouts", _result(_outings(world.initial, p))["count"])


def goal_says_how_long(world, p):
    """Says how long that member was out altogether."""
    return world.report.says("time_out", _result(_outings(world.initial, p))["minutes"])


def goal_says_how_often_with_the_user(world, p):
    """Says on how many of these callouts the user was sent out as well."""
    return world.report.says("with_me", _result(_outings(world.initial, p))["together"])


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
