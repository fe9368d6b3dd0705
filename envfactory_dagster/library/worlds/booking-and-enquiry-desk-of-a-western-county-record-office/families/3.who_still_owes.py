import datetime


def instances(world, rng):
    """Ten to fourteen readers, some of whom still owe for cards or searches."""
    today = datetime.date.fromisoformat(world.clock[:10])
    readers = world.query(
        "SELECT r.id, r.forenames || ' ' || r.surname AS name FROM readers r WHERE r.role = 'reader'"
        " AND (SELECT count(*) FROM readers o WHERE o.forenames = r.forenames AND o.surname = r.surname) = 1 ORDER BY r.id",
        [],
    )
    owed = {r["reader_id"]: r["cents"] for r in world.query("SELECT reader_id, sum(amount_cents) AS cents FROM charges WHERE paid_on IS NULL GROUP BY reader_id", [])}
    top = world.one("SELECT max(id) AS top FROM charges", [])["top"]
    for _ in range(3000):
        people = rng.sample(readers, min(len(readers), rng.randrange(10, 15)))
        rows, sums = [], {r["id"]: owed.get(r["id"], 0) for r in people}
        for reader in people:
            for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
                kind = rng.choice(["lost_card", "enquiry_search"])
                cents = 500 if kind == "lost_card" else 1500 * rng.choice([1, 1, 2, 3])
                charged = today - datetime.timedelta(days=rng.randrange(3, 200))
                settled = charged + datetime.timedelta(days=rng.randrange(0, 3)) if rng.random() < 0.45 else None
                sums[reader["id"]] += 0 if settled else cents
                rows.append({"id": top + 1 + len(rows), "reader_id": reader["id"], "kind": kind, "amount_cents": cents, "charged_on": charged.isoformat(), "paid_on": settled.isoformat() if settled else None})
        order = sorted(sums.values(), reverse=True)
        owing = [r["name"] for r in people if sums[r["id"]] > 0]
        if order[0] == order[1] or not 3 <= len(owing) <= len(people) - 3:
            continue
        yield {"p": {"names": [r["name"] for r in people], "people": [r["id"] for r in people]}, "given": {"charges": rows}}


def solve(tools, p):
    owed = {}
    for name in p["names"]:
        found = tools.find_readers(surname=name.split()[-1], forename=name.split()[0])["readers"]
        ticket = next(r["ticket_no"] for r in found if r["name"] == name)
        owed[name] = tools.get_reader(ticket_no=ticket, include=["balance"])["balance"]["owed_cents"]
    most = max(owed, key=lambda name: owed[name])
    owing = [name for name in p["names"] if owed[name] > 0]
    return {
        "outcome": "done",
        "answers": {"owing": len(owing), "most": most, "total": sum(owed.values())},
        "reason": None,
        "message": f"{len(owing)} of them owe something, {most} the most; it is {sum(owed.values()) / 100:.2f} euro in all.",
    }


def _owed(world, p):
    rows = world.initial.query(
        "SELECT r.forenames || ' ' || r.surname AS name, coalesce((SELECT sum(c.amount_cents) FROM charges c WHERE c.reader_id = r.id AND c.paid_on IS NULL), 0) AS cents"
        " FROM readers r WHERE r.id IN (SELECT value FROM json_each(?)) ORDER BY cents DESC, r.id",
        [str(p["people"])],
    )
    return rows


def goal_says_how_many_owe(world, p):
    """Says how many of them owe something."""
    return world.report.says("owing", sum(1 for r in _owed(world, p) if r["cents"] > 0))


def goal_says_who_owes_most(world, p):
    """Says who owes the most."""
    return world.report.says("most", _owed(world, p)[0]["name"])


def goal_says_the_total(world, p):
    """Says what they owe in all."""
    return world.report.says("total", sum(r["cents"] for r in _owed(world, p)))


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
