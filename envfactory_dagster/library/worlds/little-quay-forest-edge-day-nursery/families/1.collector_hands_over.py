import datetime

OLD_PEOPLE = (
    ("Bettina Kroll", "1969-03-14", "Bettina Krolle", "1990-08-02"),
    ("Viktor Hale", "1984-11-23", "Viktoria Hale", "1987-01-19"),
    ("Rosa Amadi", "1975-06-08", "Rosalind Amadi", "1998-04-30"),
    ("Gregor Stein", "1991-09-27", "Gregor Steiner", "1961-12-05"),
    ("Anneke Vos", "1958-02-11", "Anneke Vossen", "1993-07-16"),
    ("Milo Farrow", "2000-05-03", "Milos Farrow", "1979-10-21"),
)
NEW_PEOPLE = (
    "Ottilie Grant", "Ruben Castell", "Farah Naseem", "Tilda Bergman", "Marek Dolan", "Imogen Shaw",
    "Hugo Lindner", "Selma Okafor", "Noel Pritchard", "Wanda Kessler", "Dara Quinn", "Emil Sandoval",
)
FILLERS = (("Una Corrigan", "1977-04-04"), ("Piet Joosten", "1965-09-18"), ("Lena Abbas", "1989-12-12"), ("Karl Toomey", "1982-02-25"))
CHILD_NAMES = ("Ida", "Oskar", "Nell", "Rafi", "Lotta", "Emre", "Wren", "Silas")


def _shift(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _years_later(day, years):
    date = datetime.date.fromisoformat(day)
    if (date.month, date.day) == (2, 29):
        return datetime.date(date.year + years, 3, 1).isoformat()
    return date.replace(year=date.year + years).isoformat()


def _others(rows, child_id, first, last, without):
    return sum(
        1
        for row in rows
        if row["child_id"] == child_id
        and row["status"] == "given"
        and row["collector_name"] != without
        and row["first_day"] <= last
        and row["last_day"] >= first
    )


def _add(rows, given, number, child_id, name, born, first, last, given_at, withdrawn_at):
    if withdrawn_at is None and _others(rows, child_id, first, last, "") > 3:
        return False
    row = {
        "id": number + len(given),
        "child_id": child_id,
        "collector_name": name,
        "collector_birth_date": born,
        "first_day": first,
        "last_day": last,
        "status": "given" if withdrawn_at is None else "withdrawn",
        "given_at": given_at,
        "withdrawn_at": withdrawn_at,
    }
    given.append(row)
    rows.append(row)
    return True


def instances(world, rng):
    """A person who may collect some of the children today, and somebody who is to take over from a coming day."""
    today = world.clock[:10]
    children = world.query("SELECT id, name, birth_date FROM children WHERE guardian_id = 1 ORDER BY id")
    standing = world.query(
        "SELECT p.id, p.child_id, p.collector_name, p.first_day, p.last_day, p.status"
        " FROM collection_permissions p JOIN children c ON c.id = p.child_id WHERE c.guardian_id = 1 ORDER BY p.id"
    )
    top = world.one("SELECT max(id) AS permission, (SELECT max(id) FROM children) AS child FROM collection_permissions")
    living = sorted({r["collector_name"] for r in standing if r["status"] == "given" and r["last_day"] >= today})
    number = top["permission"] + 1
    seen = set()
    for turn in range(1500):
        wish = ("done", "young", "done", "many", "done")[turn % 5]
        rows = [dict(r) for r in standing]
        given_children = []
        given = []
        kids = [c["id"] for c in children]
        if rng.random() < 0.7:
            names = [n for n in CHILD_NAMES if n not in [c["name"] for c in children]]
            age = rng.randint(15, 54)
            birth = _shift(today, -int(age * 30.4) - rng.randint(1, 20))
            if birth[5:] != "02-29":
                group = "Oaks" if age >= 44 else "Saplings" if age >= 28 else "Acorns"
                given_children.append(
                    {"id": top["child"] + 1, "guardian_id": 1, "name": rng.choice(names), "birth_date": birth, "group_name": group}
                )
                kids.append(top["child"] + 1)

        if living and rng.random() < 0.3:
            old = rng.choice(living)
        else:
            old, born_old, alike, born_alike = rng.choice(OLD_PEOPLE)
            chosen = rng.sample(kids, rng.randint(1, len(kids)))
            for kid in chosen:
                begin = _shift(today, -rng.randint(15, 40))
                _add(
                    rows, given, number, kid, old, born_old, begin, _shift(today, rng.randint(24, 120)),
                    _shift(begin, -rng.randint(2, 6)) + "T%02d:%02d:00" % (rng.randint(8, 20), rng.choice((5, 20, 35, 50))), None,
                )
            for kid in kids:
                if kid not in chosen and rng.random() < 0.6:
                    begin = _shift(today, -rng.randint(50, 80))
                    _add(
                        rows, given, number, kid, old, born_old, begin, _shift(today, rng.randint(24, 90)),
                        _shift(begin, -3) + "T17:25:00", _shift(today, -rng.randint(5, 40)) + "T08:10:00",
                    )
            begin = _shift(today, -rng.randint(5, 12))
            _add(
                rows, given, number, rng.choice(kids), alike, born_alike, begin, _shift(today, rng.randint(20, 100)),
                _shift(begin, -1) + "T19:40:00", None,
            )
        live = [r for r in rows if r["collector_name"] == old and r["status"] == "given" and r["last_day"] >= today]
        if not live or len({r["child_id"] for r in live}) < len(live):
            continue
        first = _shift(today, rng.randint(1, 20))
        if any(r["first_day"] > first or r["last_day"] < first for r in live):
            continue
        if wish == "many":
            target = rng.choice(live)
            people = list(FILLERS)
            rng.shuffle(people)
            start = first
            for name, born in people:
                end = _shift(start, rng.randint(3, 7))
                if end > target["last_day"]:
                    break
                if _add(rows, given, number, target["child_id"], name, born, start, end, _shift(today, -1) + "T18:30:00", None):
                    start = _shift(end, 1)
                if _others(rows, target["child_id"], first, target["last_day"], old) > 3:
                    break
        new = rng.choice(NEW_PEOPLE)
        if any(r["collector_name"] == new for r in rows):
            continue
        if wish == "young":
            born = _years_later(_shift(first, rng.randint(1, 100)), -16)
        elif rng.random() < 0.4:
            born = _years_later(_shift(first, -rng.choice((0, 1, 4, 11, 30, 55))), -16)
        else:
            born = "%d-%02d-%02d" % (rng.randint(1952, 2002), rng.randint(1, 12), rng.randint(1, 28))
        if born[5:] in ("02-28", "02-29", "03-01"):
            continue
        young = _years_later(born, 16) > first
        many = any(_others(rows, r["child_id"], first, r["last_day"], old) > 3 for r in live)
        if (wish == "young") != young or (wish == "many") != many:
            continue
        if (old, new, first) in seen:
            continue
        seen.add((old, new, first))
        possible = not young and not many
        case = {"p": {"old": old, "new": new, "born": born, "first": first, "possible": possible}, "given": {}}
        if given_children:
            case["given"]["children"] = given_children
        if given:
            case["given"]["collection_permissions"] = given
        if possible:
            case["kind"] = "action"
        else:
            case["kind"] = "refusal"
            case["rule"] = "collector_age_and_number"
        yield case


def solve(tools, p):
    children = {c["id"]: c["name"] for c in tools.list_my_children()["children"]}
    found = tools.list_my_collection_permissions(status="given", collector_name=p["old"], from_day=p["first"])
    mine = [r for r in found["collection_permissions"] if r["collector_name"].lower() == p["old"].lower()]
    problem = None
    for row in mine:
        overlapping = tools.list_my_collection_permissions(
            child_id=row["child_id"], status="given", from_day=p["first"], until_day=row["last_day"]
        )["collection_permissions"]
        if len([r for r in overlapping if r["id"] != row["id"]]) > 3:
            problem = f"{children[row['child_id']]} has more than three other people in that time"
    if _years_later(p["born"], 16) > p["first"]:
        problem = f"{p['new']} is not yet 16 years old on {p['first']}"
    if problem:
        return {
            "outcome": "refused",
            "answers": {"children": None, "latest_day": None},
            "reason": "collector_age_and_number",
            "message": f"{p['new']} cannot take over, because {problem}. Nothing was changed.",
        }
    for row in mine:
        tools.withdraw_collection_permission(collection_permission_id=row["id"])
    for row in mine:
        tools.give_collection_permission(
            child_id=row["child_id"],
            collector_name=p["new"],
            collector_birth_date=p["born"],
            first_day=p["first"],
            last_day=row["last_day"],
        )
    names = [children[r["child_id"]] for r in mine]
    latest = max(r["last_day"] for r in mine)
    return {
        "outcome": "done",
        "answers": {"children": names, "latest_day": latest},
        "reason": None,
        "message": f"{p['new']} takes over from {p['first']} for {', '.join(names)}, at the longest until {latest}. {p['old']} may no longer collect.",
    }


def _wanted(world, p):
    return world.initial.query(
        "SELECT g.id, g.child_id, g.last_day, c.name FROM collection_permissions g JOIN children c ON c.id = g.child_id"
        " WHERE c.guardian_id = 1 AND g.status = 'given' AND g.collector_name = ? AND g.last_day >= ?",
        [p["old"], p["first"]],
    )


def goal_old_person_is_withdrawn(world, p):
    """Every running permission of the old person is withdrawn; where the rule forbids it, says that it is refused."""
    if not p["possible"]:
        return world.report.outcome == "refused"
    return all(
        world.final.one(
            "SELECT id FROM collection_permissions WHERE id = ? AND status = 'withdrawn' AND withdrawn_at IS NOT NULL",
            [row["id"]],
        )
        is not None
        for row in _wanted(world, p)
    )


def goal_new_person_takes_over(world, p):
    """The new person has each child until the old one's last day; where the rule forbids it, names the rule."""
    if not p["possible"]:
        return world.report.reason == "collector_age_and_number"
    for row in _wanted(world, p):
        new = world.final.query(
            "SELECT id FROM collection_permissions WHERE child_id = ? AND same_text(collector_name, ?)"
            " AND collector_birth_date = ? AND first_day = ? AND last_day = ? AND status = 'given'",
            [row["child_id"], p["new"], p["born"], p["first"], row["last_day"]],
        )
        if len(new) != 1:
            return False
    return True


def goal_says_which_children(world, p):
    """Says which children the new person may collect, and nothing where it is refused."""
    if not p["possible"]:
        return world.report.outcome is not None and world.report.says("children", None)
    return world.report.says("children", [row["name"] for row in _wanted(world, p)])


def goal_says_the_latest_day(world, p):
    """Says the latest day on which the new person may collect one of them, and nothing where it is refused."""
    if not p["possible"]:
        return world.report.outcome is not None and world.report.says("latest_day", None)
    return world.report.says("latest_day", max(row["last_day"] for row in _wanted(world, p)))


def guard_changes_these_permissions_only(world, p):
    """Changed nothing but the old person's permissions and the new ones in their stead; nothing where it is refused."""
    if not p["possible"]:
        return len(world.changes) == 0
    wanted = _wanted(world, p)
    ids = [row["id"] for row in wanted]
    open_ends = [(row["child_id"], row["last_day"]) for row in wanted]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "collection_permissions" or after is None:
            return False
        if before is None:
            end = (after["child_id"], after["last_day"])
            if end not in open_ends or not world.same_text(after["collector_name"], p["new"]):
                return False
            if after["collector_birth_date"] != p["born"] or after["first_day"] != p["first"] or after["status"] != "given":
                return False
            open_ends.remove(end)
        else:
            if before["id"] not in ids or after["status"] != "withdrawn":
                return False
            if any(before[k] != after[k] for k in before if k not in ("status", "withdrawn_at")):
                return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports it as done, or as refused where the rule forbids it."""
    return world.report.outcome in (None, "done" if p["possible"] else "refused")


def guard_gives_the_right_reason(world, p):
    """Names the rule where it is refused and no rule otherwise."""
    return world.report.reason in (None, None if p["possible"] else "collector_age_and_number")
