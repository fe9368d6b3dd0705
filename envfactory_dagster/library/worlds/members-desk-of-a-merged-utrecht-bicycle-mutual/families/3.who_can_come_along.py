import datetime

LANDS = ("Italy", "France", "Denmark", "Austria", "Switzerland", "Norway", "Sweden", "Slovenia", "Ireland", "Scotland")
SOUTH = ("Spain", "Portugal", "Italy", "France")


def _span(starts_on, ends_on):
    return (datetime.date.fromisoformat(ends_on) - datetime.date.fromisoformat(starts_on)).days + 1


def _can_come(query, first, last):
    """Name of every bicycle that is there, mended, covered to the end and has the days."""
    rows = query(
        "SELECT b.make || ' ' || b.model AS name, (SELECT coalesce(sum(julianday(t.ends_on) - julianday(t.starts_on) + 1),"
        " 0) FROM travel_notices t WHERE t.bicycle_id = b.id AND t.area = 'elsewhere' AND t.withdrawn_at IS NULL"
        " AND substr(t.starts_on, 1, 4) = substr(:first, 1, 4)) AS away FROM bicycles b JOIN policies p"
        " ON p.id = b.policy_id WHERE p.member_id = 1 AND EXISTS (SELECT 1 FROM covers c WHERE c.bicycle_id = b.id"
        " AND c.kind = b.kind AND c.starts_on <= :first AND (c.ends_on IS NULL OR c.ends_on >= :last))"
        " AND NOT EXISTS (SELECT 1 FROM claims x JOIN covers y ON y.id = x.cover_id WHERE y.bicycle_id = b.id"
        " AND y.kind = b.kind AND ((x.kind = 'theft' AND x.status NOT IN ('refused', 'withdrawn'))"
        " OR (x.kind = 'damage' AND x.status NOT IN ('refused', 'withdrawn') AND x.brought_in_on IS NOT NULL"
        " AND x.repair_ready_on IS NULL AND (x.repair_expected_on IS NULL OR x.repair_expected_on >= :first))))"
        " ORDER BY b.id",
        {"first": first, "last": last},
    )
    length = _span(first, last)
    return [row["name"] for row in rows if int(row["away"]) + length <= 60]


def instances(world, rng):
    """A journey in the coming months, and bicycles that have been abroad for different times this year."""
    today = datetime.date.fromisoformat(world.clock[:10])
    year = world.clock[:4]
    fleet = world.query(
        "SELECT b.id AS bicycle, b.rider_name AS rider, b.added_at FROM bicycles b JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = 1 AND EXISTS (SELECT 1 FROM covers c WHERE c.bicycle_id = b.id AND c.ends_on IS NULL)"
        " AND substr(b.added_at, 1, 4) < ? ORDER BY b.rider_name, b.id",
        [year],
    )
    known = world.query(
        "SELECT b.rider_name AS rider, t.bicycle_id AS bicycle, t.area, t.starts_on, t.ends_on FROM bicycles b"
        " JOIN travel_notices t ON t.bicycle_id = b.id JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = 1 AND t.withdrawn_at IS NULL AND substr(t.ends_on, 1, 4) = ? ORDER BY t.starts_on, t.id",
        [year],
    )
    back = [
        row["day"]
        for row in world.query(
            "SELECT x.repair_expected_on AS day FROM claims x WHERE x.member_id = 1 AND x.repair_ready_on IS NULL"
            " AND x.repair_expected_on IS NOT NULL ORDER BY day"
        )
    ]
    fresh = world.one("SELECT 1 + max(t.id) AS fresh_notice FROM travel_notices t")["fresh_notice"]
    while True:
        begin = today + datetime.timedelta(days=rng.randint(9, 110))
        end = begin + datetime.timedelta(days=rng.randint(11, 34))
        first, last = begin.isoformat(), end.isoformat()
        if last[:4] != year or first in back or end.month > 10:
            continue
        if any(first <= n["ends_on"] and n["starts_on"] <= last for n in known):
            continue
        rows, used, busy = [], {}, {}
        for notice in known:
            busy.setdefault(notice["rider"], []).append((notice["starts_on"], notice["ends_on"]))
            if notice["area"] == "elsewhere":
                used[notice["bicycle"]] = used.get(notice["bicycle"], 0) + _span(notice["starts_on"], notice["ends_on"])
        for row in rng.sample(fleet, min(len(fleet), rng.randint(3, 5))):
            length = rng.randint(8, 46)
            start = datetime.date(int(year), 1, 4) + datetime.timedelta(days=rng.randint(0, 100))
            until = start + datetime.timedelta(days=length - 1)
            a, b = start.isoformat(), until.isoformat()
            if until >= today or any(a <= y and x <= b for x, y in busy.get(row["rider"], [])):
                continue
            kind = rng.choice(("abroad", "abroad", "abroad", "near", "off"))
            if kind == "abroad" and used.get(row["bicycle"], 0) + length > 60:
                continue
            rows.append(
                {
                    "id": fresh + len(rows),
                    "bicycle_id": row["bicycle"],
                    "countries": "Germany" if kind == "near" else rng.choice(SOUTH),
                    "area": "benelux_germany" if kind == "near" else "elsewhere",
                    "starts_on": a,
                    "ends_on": b,
                    "filed_at": (start - datetime.timedelta(days=12)).isoformat() + "T21:05:00",
                    "withdrawn_at": (start - datetime.timedelta(days=5)).isoformat() + "T17:30:00"
                    if kind == "off"
                    else None,
                }
            )
            if kind != "off":
                busy.setdefault(row["rider"], []).append((a, b))
            if kind == "abroad":
                used[row["bicycle"]] = used.get(row["bicycle"], 0) + length
        length = _span(first, last)
        if not rows or not any(days + length > 60 for days in used.values()):
            continue
        yield {"p": {"country": rng.choice(LANDS), "first": first, "last": last}, "given": {"travel_notices": rows}}


def solve(tools, p):
    year = p["first"][:4]
    gone, at_shop = set(), {}
    for claim in tools.search_claims()["claims"]:
        if claim["status"] in ("refused", "withdrawn"):
            continue
        if claim["kind"] == "theft":
            gone.add(claim["cover_id"])
        elif claim["status"] != "paid":
            repair = tools.get_claim(claim_id=claim["id"])["claim"]
            if repair["brought_in_on"] and not repair["repair_ready_on"]:
                at_shop[claim["bicycle_id"]] = repair["repair_expected_on"] or "9999-12-31"
    can_come = []
    for bicycle in tools.list_bicycles(covered_only=True)["bicycles"]:
        covers = [
            c for c in tools.get_bicycle(bicycle_id=bicycle["id"])["covers"] if c["kind"] == bicycle["kind"]
        ]
        if any(c["id"] in gone for c in covers) or at_shop.get(bicycle["id"], "") >= p["first"]:
            continue
        if not any(
            c["starts_on"] <= p["first"] and (c["ends_on"] is None or c["ends_on"] >= p["last"]) for c in covers
        ):
            continue
        away = sum(
            _span(n["starts_on"], n["ends_on"])
            for n in tools.list_travel_notices(bicycle_id=bicycle["id"], year=int(year))["travel_notices"]
            if n["area"] == "elsewhere" and n["withdrawn_at"] is None
        )
        if away + _span(p["first"], p["last"]) <= 60:
            can_come.append(f"{bicycle['make']} {bicycle['model']}")
    return {
        "outcome": "done",
        "answers": {"bicycles": can_come},
        "reason": None,
        "message": f"These can come along, insured the whole way: {', '.join(can_come)}.",
    }


def goal_says_which_bicycles(world, p):
    """Says which bicycles can be taken along."""
    return world.report.says("bicycles", _can_come(world.initial.query, p["first"], p["last"]))


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
