import datetime

PEOPLE = (
    ("Corinna Blake", "1971-05-22", "Corin Blake", "1999-02-08"),
    ("Stefan Ruda", "1986-10-09", "Stefana Ruda", "1990-03-27"),
    ("Marta Eklund", "1959-01-15", "Martha Eklund", "1983-06-30"),
    ("Jonah Pike", "1995-07-04", "Jonah Pikeman", "1968-11-13"),
    ("Leontine Maas", "1980-12-20", "Leon Maas", "2001-08-17"),
    ("Tariq Selim", "1993-04-26", "Tarik Selim", "1964-09-01"),
    ("Aline Perrot", "1966-08-10", "Aline Perrotin", "1988-05-06"),
)
CHILD_NAMES = ("Enno", "Pia", "Zoe", "Hari", "Mabel", "Levi", "Tove", "Anouk")


def _shift(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _crowded(rows, new):
    return (
        sum(
            1
            for row in rows
            if row["child_id"] == new["child_id"]
            and row["status"] == "given"
            and row["first_day"] <= new["last_day"]
            and row["last_day"] >= new["first_day"]
        )
        > 3
    )


def instances(world, rng):
    """A person who may collect after some of the outings of the children and not after others."""
    today = world.clock[:10]
    children = world.query("SELECT c.birth_date, c.id, c.name FROM children c WHERE c.guardian_id = 1 ORDER BY c.id DESC")
    outings = world.query(
        "SELECT w.id, substr(w.leaves_at, 1, 10) AS day, 4 * w.staff_count - count(p.id) AS free FROM woodland_outings w"
        " LEFT JOIN outing_places p ON p.woodland_outing_id = w.id AND p.status IN ('taken', 'attended')"
        " WHERE w.status = 'open' AND substr(w.leaves_at, 1, 10) > ? GROUP BY w.id ORDER BY w.leaves_at",
        [today],
    )
    held = world.query(
        "SELECT p.child_id, p.woodland_outing_id AS outing, substr(w.leaves_at, 1, 10) AS day FROM outing_places p"
        " JOIN woodland_outings w ON w.id = p.woodland_outing_id JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = 1 AND p.status = 'taken'"
    )
    permissions = world.query(
        "SELECT g.child_id, g.collector_name, g.first_day, g.last_day, g.status FROM collection_permissions g"
        " JOIN children c ON c.id = g.child_id WHERE c.guardian_id = 1 ORDER BY g.first_day, g.id"
    )
    top = world.one(
        "SELECT (SELECT max(id) FROM children) AS child, (SELECT max(id) FROM outing_places) AS place,"
        " (SELECT max(id) FROM collection_permissions) AS permission"
    )
    running = sorted({g["collector_name"] for g in permissions if g["status"] == "given" and g["last_day"] > today})
    seen = set()
    for turn in range(2000):
        given = {"outing_places": [], "collection_permissions": []}
        kids = [(c["id"], c["birth_date"]) for c in children]
        if rng.random() < 0.6:
            names = [n for n in CHILD_NAMES if n not in [c["name"] for c in children]]
            age = rng.randint(26, 56)
            birth = _shift(today, -int(age * 30.4) - rng.randint(1, 20))
            if birth[5:] == "02-29":
                continue
            group = "Oaks" if age >= 44 else "Saplings" if age >= 28 else "Acorns"
            given["children"] = [
                {"id": top["child"] + 1, "guardian_id": 1, "name": rng.choice(names), "birth_date": birth, "group_name": group}
            ]
            kids.append((top["child"] + 1, birth))
        free = {o["id"]: o["free"] for o in outings}
        down = [(h["child_id"], h["outing"], h["day"]) for h in held]
        for kid, birth in kids:
            for outing in rng.sample(outings, rng.randint(1, 4)):
                old_enough = str(int(birth[:4]) + 2) + birth[4:] <= outing["day"]
                if old_enough and free[outing["id"]] > 0 and (kid, outing["id"]) not in [(d[0], d[1]) for d in down]:
                    free[outing["id"]] -= 1
                    down.append((kid, outing["id"], outing["day"]))
                    given["outing_places"].append(
                        {
                            "id": top["place"] + 1 + len(given["outing_places"]),
                            "woodland_outing_id": outing["id"],
                            "child_id": kid,
                            "status": "taken",
                            "taken_at": _shift(today, -1) + "T%02d:%02d:00" % (8 + len(given["outing_places"]), rng.choice((3, 18, 33, 51))),
                            "given_up_at": None,
                        }
                    )
        rows = [dict(g) for g in permissions]
        if running and rng.random() < 0.3:
            collector = rng.choice(running)
        else:
            collector, born, alike, born_alike = rng.choice(PEOPLE)
            for kid, birth in kids:
                for name, day_born in ((collector, born), (alike, born_alike)):
                    if name == alike and rng.random() < 0.6:
                        continue
                    first_day = _shift(today, rng.randint(-20, 9))
                    gone = rng.random() < 0.2
                    new = {
                        "id": top["permission"] + 1 + len(given["collection_permissions"]),
                        "child_id": kid,
                        "collector_name": name,
                        "collector_birth_date": day_born,
                        "first_day": first_day,
                        "last_day": _shift(first_day, rng.randint(10, 26)),
                        "status": "withdrawn" if gone else "given",
                        "given_at": _shift(min(first_day, today), -rng.randint(4, 9)) + "T%02d:10:00" % rng.randint(8, 21),
                        "withdrawn_at": _shift(today, -1) + "T07:%02d:00" % rng.randint(10, 59) if gone else None,
                    }
                    if gone or not _crowded(rows, new):
                        rows.append(new)
                        given["collection_permissions"].append(new)
        first = _shift(today, rng.randint(1, 6))
        last = _shift(first, rng.randint(6, 16))
        missing = set()
        allowed = 0
        for kid, outing, day in down:
            if not first <= day <= last:
                continue
            if any(
                g["child_id"] == kid and g["collector_name"] == collector and g["status"] == "given"
                and g["first_day"] <= day <= g["last_day"]
                for g in rows
            ):
                allowed += 1
            else:
                missing.add(day)
        if not missing or not allowed or allowed + len(missing) < 3:
            continue
        if (collector, first, last) in seen:
            continue
        seen.add((collector, first, last))
        yield {
            "p": {"collector": collector, "first": first, "last": last},
            "given": {table: added for table, added in given.items() if added},
        }


def solve(tools, p):
    missing = set()
    allowed = 0
    for child in tools.list_my_children()["children"]:
        places = tools.list_my_outing_places(
            child_id=child["id"], status="taken", first_day=p["first"], last_day=p["last"]
        )["outing_places"]
        permissions = tools.list_my_collection_permissions(
            child_id=child["id"], status="given", collector_name=p["collector"], from_day=p["first"], until_day=p["last"]
        )["collection_permissions"]
        permissions = [g for g in permissions if g["collector_name"].lower() == p["collector"].lower()]
        for place in places:
            day = place["leaves_at"][:10]
            if any(g["first_day"] <= day <= g["last_day"] for g in permissions):
                allowed += 1
            else:
                missing.add(day)
    days = sorted(missing)
    return {
        "outcome": "done",
        "answers": {"days_not_allowed": days, "places_allowed": allowed},
        "reason": None,
        "message": f"{p['collector']} may not collect on {', '.join(days)}. For places of your children on outings in that time it is allowed in this number of cases: {allowed}.",
    }


def _places(world, p):
    return world.initial.query(
        "SELECT t.id, substr(w.leaves_at, 1, 10) AS day, EXISTS (SELECT 1 FROM collection_permissions g"
        " WHERE g.child_id = t.child_id AND g.status = 'given' AND g.collector_name = ?"
        " AND substr(w.leaves_at, 1, 10) BETWEEN g.first_day AND g.last_day) AS allowed"
        " FROM outing_places t JOIN woodland_outings w ON w.id = t.woodland_outing_id JOIN children c ON c.id = t.child_id"
        " WHERE c.guardian_id = 1 AND t.status = 'taken' AND substr(w.leaves_at, 1, 10) BETWEEN ? AND ?",
        [p["collector"], p["first"], p["last"]],
    )


def goal_says_the_days_without(world, p):
    """Says on which outing days the person may not collect a child that has a place."""
    return world.report.says("days_not_allowed", sorted({row["day"] for row in _places(world, p) if not row["allowed"]}))


def goal_says_how_many_are_allowed(world, p):
    """Says for how many of the places the person may collect the child on that day."""
    return world.report.says("places_allowed", sum(1 for row in _places(world, p) if row["allowed"]))


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule(world, p):
    """Names no rule, as nothing was refused."""
    return world.report.reason is None
