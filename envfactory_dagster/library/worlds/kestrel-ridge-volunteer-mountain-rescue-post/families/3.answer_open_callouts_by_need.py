import datetime
import re

EVENTS = (
    "Climber stuck above the roof",
    "Runner missing since the morning",
    "Twisted ankle on the path",
    "Group caught by the weather",
    "Rope jammed, party of two",
    "Whistle signals heard",
)


def _calls(db, p):
    return db.query(
        "SELECT o.id AS id, o.code AS code, r.name AS sector,"
        " (SELECT count(*) FROM callout_assignments n WHERE n.callout_id = o.id AND n.member_id <> 1"
        " AND n.status IN ('coming', 'sent_out')) AS helpers"
        " FROM callouts o JOIN sectors r ON r.id = o.sector_id"
        " WHERE o.status = 'open' AND substr(o.opened_at, 1, 10) >= ? AND NOT EXISTS ("
        "SELECT 1 FROM callout_assignments n WHERE n.callout_id = o.id AND n.member_id = 1) ORDER BY o.id",
        [p["first"]],
    )


def _wants(row, p):
    return row["sector"] != p["avoid"] and row["helpers"] < int(p["enough"])


def _answers(db, p):
    calls = _calls(db, p)
    yes = [row for row in calls if _wants(row, p)]
    no = [row for row in calls if not _wants(row, p)]
    return yes, no


def instances(world, rng):
    """Open callouts with more or fewer people coming, some of which the user has answered already, and a number."""
    now = datetime.datetime.fromisoformat(world.clock[:19])
    tops = world.one(
        "SELECT (SELECT max(o.id) FROM callouts o) AS callout, (SELECT max(n.id) FROM callout_assignments n) AS answer,"
        " (SELECT max(e.id) FROM log_entries e) AS entry"
    )
    code = world.query("SELECT o.code FROM callouts o ORDER BY o.code DESC LIMIT 1")[0]["code"]
    prefix, digits = re.fullmatch(r"(.*?)(\d+)", code).groups()
    away = {
        row["member_id"]
        for row in world.query(
            "SELECT n.member_id FROM callout_assignments n JOIN callouts o ON o.id = n.callout_id"
            " WHERE n.status = 'sent_out' OR (o.status = 'open' AND n.status = 'coming')"
        )
    }
    others = [row["id"] for row in world.query("SELECT u.id FROM members u WHERE u.id > 1") if row["id"] not in away]
    sectors = world.query("SELECT u.id, u.name FROM sectors u")
    for _ in range(500):
        first = now.date() - datetime.timedelta(days=rng.randint(0, 2))
        p = {"enough": rng.randint(2, 5), "avoid": rng.choice(sectors)["name"], "first": first.isoformat()}
        given = {"callouts": [], "callout_assignments": [], "log_entries": []}
        rows = _calls(world, p)
        free = list(others)
        rng.shuffle(free)
        minutes = sorted(rng.sample(range(30, 1900, 5), rng.randint(3, 5)), reverse=True)
        for number, ago in enumerate(minutes, 1):
            opened = now - datetime.timedelta(minutes=ago)
            callout_id = tops["callout"] + number
            sector = rng.choice(sectors)
            given["callouts"].append({
                "id": callout_id,
                "code": prefix + str(int(digits) + number).zfill(len(digits)),
                "sector_id": sector["id"],
                "reason": rng.choice(EVENTS),
                "status": "open",
                "opened_at": opened.isoformat(),
                "stood_down_at": None,
                "closed_at": None,
            })
            party, helpers = [], 0
            for _place in range(rng.randint(0, 5)):
                if not free:
                    break
                status = rng.choice(("coming", "coming", "sent_out", "not_coming", "back"))
                if status in ("sent_out", "back") and ago < 60 or status == "back" and ago < 180:
                    status = "coming"
                helpers += status in ("coming", "sent_out")
                party.append((free.pop(), status))
            mine = rng.random() < 0.25
            if mine:
                party.append((1, rng.choice(("coming", "not_coming"))))
            entries = []
            for place, (member, status) in enumerate(party):
                answered = opened + datetime.timedelta(minutes=2 + 3 * place)
                out = opened + datetime.timedelta(minutes=rng.randrange(25, 55)) if status in ("sent_out", "back") else None
                back = opened + datetime.timedelta(minutes=rng.randrange(100, 175)) if status == "back" else None
                given["callout_assignments"].append({
                    "id": tops["answer"] + len(given["callout_assignments"]) + 1,
                    "callout_id": callout_id,
                    "member_id": member,
                    "status": status,
                    "answered_at": answered.isoformat(),
                    "sent_out_at": None if out is None else out.isoformat(),
                    "back_at": None if back is None else back.isoformat(),
                })
                for moment, kind in ((answered, "answer"), (out, "sent_out"), (back, "back")):
                    if moment is not None:
                        entries.append((moment.isoformat(), member, kind))
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
            if not mine and opened.date() >= first:
                rows.append({"helpers": helpers, "sector": sector["name"]})
        yes = sum(_wants(row, p) for row in rows)
        if 0 < yes < len(rows):
            yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    yes, no = [], []
    for callout in tools.search_callouts(status="open", first_day=p["first"])["callouts"]:
        party = tools.get_callout(callout_id=callout["id"])["callout_assignments"]
        if any(a["is_mine"] for a in party):
            continue
        helpers = sum(a["status"] in ("coming", "sent_out") for a in party)
        coming = _wants({"sector": callout["sector_name"], "helpers": helpers}, p)
        tools.answer_callout(callout_id=callout["id"], is_coming=coming)
        (yes if coming else no).append(callout["code"])
    return {
        "outcome": "done",
        "answers": {"coming_to": yes, "not_coming_to": no},
        "reason": None,
        "message": f"I have said that you come to {', '.join(yes)} and that you don't come to {', '.join(no)}.",
    }


def _answered(db, rows, status):
    for row in rows:
        own = db.query(
            "SELECT n.status FROM callout_assignments n WHERE n.callout_id = ? AND n.member_id = 1", [row["id"]]
        )
        logged = db.query(
            "SELECT e.id FROM log_entries e WHERE e.callout_id = ? AND e.member_id = 1 AND e.kind = 'answer'", [row["id"]]
        )
        if [n["status"] for n in own] != [status] or not logged:
            return False
    return len(rows) > 0


def goal_comes_where_few_come(world, p):
    """Has said yes to each open callout not answered yet with fewer people than the number given, outside the sector left out."""
    return _answered(world.final, _answers(world.initial, p)[0], "coming")


def goal_stays_away_where_enough_come(world, p):
    """Has said no to each other open callout not answered yet, with enough people or in the sector left out."""
    return _answered(world.final, _answers(world.initial, p)[1], "not_coming")


def goal_says_where_the_user_comes(world, p):
    """Says the codes of the callouts to which the user comes."""
    return world.report.says("coming_to", [row["code"] for row in _answers(world.initial, p)[0]])


def goal_says_where_the_user_does_not_come(world, p):
    """Says the codes of the callouts to which the user does not come."""
    return world.report.says("not_coming_to", [row["code"] for row in _answers(world.initial, p)[1]])


def guard_answers_these_callouts_only(world, p):
    """Changed nothing but one answer of the user to each of these callouts, with its entry in the log."""
    yes, no = _answers(world.initial, p)
    ids = [row["id"] for row in yes + no]
    answers, entries = list(ids), list(ids)
    for change in world.changes:
        after = change["after"]
        if change["before"] is not None or after is None or after["member_id"] != 1:
            return False
        if change["table"] == "callout_assignments" and after["callout_id"] in answers:
            answers.remove(after["callout_id"])
        elif change["table"] == "log_entries" and after["callout_id"] in entries and after["kind"] == "answer":
            entries.remove(after["callout_id"])
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule forbids it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)
